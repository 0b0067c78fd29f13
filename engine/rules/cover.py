"""Cover saves: what hides a model, what it stands in, Going to Ground. [COVR, INTV, AREA, COV]

The value is the terrain piece's own, as agreed before the game. [COVR-2, COV-3, RUIN-1]
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.board import disc_of, numbered
from engine.editions import edition_of
from engine.geometry import Disc
from engine.geometry.polygons import stands_in
from engine.rules.line_of_sight import INTERVENING, Sightlines
from engine.rules.saves import BEST, best_save
from engine.rules.special_rules import IGNORES_COVER, weapon_has
from events.base import UnitId
from events.values import Terrain, Weapon
from projections.battle import Battle
from projections.queries import model_of, profile_of, setup_of, unit_of

IN_THE_OPEN = 6
"""The save of a model without cover that Goes to Ground. [COV-5, GTG-2]"""


def cover_save(
    battle: Battle, lines: Sightlines, shooters: Iterable[Disc], target: Disc
) -> int | None:
    """Return a model's cover save against the shooters of a weapon group, or None.

    It counts if 25 % of the model is hidden from any of them [COVR-1, COV-4], or if it stands in
    area terrain [AREA-4]; the best value is used, they don't add up [COVR-3]. A ruling goes before.
    """
    if lines.cover_ruled is not None:
        return lines.cover_ruled.save
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
    """Yield the saves of the area terrain that a model stands in. [AREA-4, COVR-6, COV-1]"""
    for piece in battle.table.terrain:
        if piece.area and stands_on(target, piece):
            yield edition_of(battle).area_cover or piece.cover


def stands_on(model: Disc, piece: Terrain) -> bool:
    """Whether any part of a model's base is in a terrain piece. [MEAS-4, AREA-1]"""
    return any(stands_in(model, part.corners) for part in piece.parts)


def best_cover(battle: Battle) -> int:
    """Return the best cover save that anything on this table can give: no model has a better."""
    saves = [piece.cover for piece in battle.table.terrain if piece.cover is not None]
    return max(BEST, min([INTERVENING, *saves]))


def best_down(battle: Battle) -> int:
    """Return the best cover save that a model on the ground can have on this table. [GTG-2]"""
    area = any(piece.area for piece in battle.table.terrain)
    return gone_to_ground(best_cover(battle), edition_of(battle).ground_in_area if area else 1)


def gone_to_ground(cover: int | None, bonus: int = 1) -> int:
    """Return the cover save of a model that has Gone to Ground. [GTG-2, COV-5, COV-6]

    Better by 1 or more; a model with none has 6+; never better than 2+.

    >>> gone_to_ground(None), gone_to_ground(5), gone_to_ground(4, 2), gone_to_ground(2)
    (6, 4, 2, 2)
    """
    return IN_THE_OPEN if cover is None else max(BEST, cover - bonus)


def in_area(battle: Battle, model: Disc) -> bool:
    """Whether a model stands in area terrain. [AREA-5]"""
    return any(piece.area and stands_on(model, piece) for piece in battle.table.terrain)


def ignores_cover(weapon: Weapon) -> bool:
    """Whether a weapon allows no cover saves: by its rule, or as a template. [COVR-4, SAVE-3]"""
    return weapon.template or weapon_has(weapon, IGNORES_COVER)


class Cover:
    """The cover saves of a target's models against the shooters of one weapon group. [COVR-1]

    Worked out when a model is hit, once: where its own saves are as good as any cover, not at all.
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
        self._shooters = [disc for n, disc in numbered(battle, shooter) if n in firing]
        self._possible = bool(lines) or any(piece.area for piece in battle.table.terrain)
        ruled = lines.cover_ruled is not None
        self._best = (BEST, BEST) if ruled else (best_cover(battle), best_down(battle))
        self._known: dict[int, tuple[int | None, int]] = {}

    def __call__(self, n: int, down: bool = False) -> int | None:
        """Return the cover save of the target's model `n`, on the ground if `down`. [GTG-2]"""
        if not self._possible:
            return IN_THE_OPEN if down else None
        battle, target = self._battle, self._target
        kind, need = best_save(profile_of(setup_of(battle, target), n), self._ap)
        if kind is not None and need <= self._best[down]:
            return None
        if n not in self._known:
            unit = unit_of(battle, target)
            model = model_of(unit, n)
            assert model is not None
            disc = disc_of(battle, unit, model)
            save = cover_save(battle, self._lines, self._shooters, disc)
            better = edition_of(battle).ground_in_area if in_area(battle, disc) else 1
            self._known[n] = save, better
        return gone_to_ground(*self._known[n]) if down else self._known[n][0]
