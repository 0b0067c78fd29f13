"""Cover saves: what hides a model, what it stands in, Going to Ground. [COVR, INTV, AREA, COV]"""

from __future__ import annotations

from collections.abc import Iterable

from engine.board import disc_of
from engine.geometry import Disc
from engine.geometry.polygons import stands_in
from engine.rules.line_of_sight import INTERVENING, Sightlines
from engine.rules.saves import BEST, best_save
from engine.rules.special_rules import IGNORES_COVER, weapon_has
from events.base import UnitId
from events.values import Terrain, Weapon
from projections.battle import Battle
from projections.queries import model_of, profile_of, setup_of, unit_of

AREA_COVER = 5
"""In the 6th edition area terrain gives this save to all in it. [AREA-4, COVR-6]"""

IN_THE_OPEN = 6
"""The save of a model without cover that Goes to Ground. [COV-5, GTG-2]"""


def cover_save(
    battle: Battle, lines: Sightlines, shooters: Iterable[Disc], target: Disc
) -> int | None:
    """Return a model's cover save against the shooters of a weapon group, or None.

    It counts if 25 % of the model is hidden from any of them [COVR-1, COV-4], or if it stands in
    area terrain [AREA-4]; the best value is used, they don't add up [COVR-3].
    """
    limit = best_cover(battle)
    saves = [value for value in area_covers(battle, target) if value is not None]
    for shooter in shooters:
        if limit in saves:
            break
        value = lines.cover(shooter, target)
        if value is not None:
            saves.append(value)
    return max(BEST, min(saves)) if saves else None


def area_covers(battle: Battle, target: Disc) -> Iterable[int | None]:
    """Yield the saves of the area terrain that a model stands in. [AREA-4, COVR-6, COV-1]

    The 7th edition knows no area terrain: there such a piece gives its own save.
    """
    for piece in battle.table.terrain:
        if piece.area and stands_on(target, piece):
            yield AREA_COVER if battle.settings.ruleset == "40k-6e" else piece.cover


def stands_on(model: Disc, piece: Terrain) -> bool:
    """Whether any part of a model's base is in a terrain piece. [MEAS-4, AREA-1]"""
    return any(stands_in(model, part.corners) for part in piece.parts)


def best_cover(battle: Battle) -> int:
    """Return the best cover save that anything on this table can give: no model has a better."""
    saves = [piece.cover for piece in battle.table.terrain if piece.cover is not None]
    return max(BEST, min([INTERVENING, *saves]))


def gone_to_ground(cover: int | None, in_area: bool) -> int:
    """Return the cover save of a model that has Gone to Ground. [GTG-2, COV-5, COV-6, AREA-5]

    Better by 1, in area terrain by 2; a model with none has 6+; never better than 2+.

    >>> gone_to_ground(None, False), gone_to_ground(5, False), gone_to_ground(4, True)
    (6, 4, 2)
    """
    if cover is None:
        return IN_THE_OPEN
    return max(BEST, cover - (2 if in_area else 1))


def in_area(battle: Battle, model: Disc) -> bool:
    """Whether a model stands in area terrain. [AREA-5]"""
    return any(piece.area and stands_on(model, piece) for piece in battle.table.terrain)


def ignores_cover(weapon: Weapon) -> bool:
    """Whether a weapon allows no cover saves. [COVR-4]"""
    return weapon_has(weapon, IGNORES_COVER)


class Cover:
    """The cover saves of a target's models against the shooters of one weapon group. [COVR-1]

    Worked out when a model is hit: where its own saves are as good as any cover, not at all.
    """

    def __init__(
        self,
        battle: Battle,
        lines: Sightlines,
        unit: UnitId,
        firing: tuple[int, ...],
        target: UnitId,
        ap: int | None,
    ) -> None:
        self._battle, self._lines, self._target, self._ap = battle, lines, target, ap
        shooter = unit_of(battle, unit)
        self._shooters = [disc_of(battle, shooter, m) for m in shooter.models if m.n in firing]
        self._possible = bool(lines) or any(piece.area for piece in battle.table.terrain)

    def __call__(self, n: int) -> int | None:
        """Return the cover save of the target's model `n`, or None."""
        if not self._possible:
            return None
        battle, target = self._battle, self._target
        kind, need = best_save(profile_of(setup_of(battle, target), n), self._ap)
        if kind is not None and need <= best_cover(battle):
            return None
        unit = unit_of(battle, target)
        model = model_of(unit, n)
        assert model is not None
        return cover_save(battle, self._lines, self._shooters, disc_of(battle, unit, model))
