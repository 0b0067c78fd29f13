"""Line of sight between the models of two units. [LOS, LOSU, INTV]

Terrain and models of other units block what they physically block. [LOS-3] Nobody's own unit is
in the way: neither the looking model's [LOSU-1, LOSU-2] nor, as players play it, the target's
[INTV-2]. One model that is seen is enough to see a unit. [LOS-2] Where the ground between two units
is empty every model sees every other, and nothing is sampled. [LOS-4]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from engine.board import Stand, stand_of
from engine.geometry import COHERENCY, Disc
from engine.geometry.between import Corridor, screen_of
from engine.geometry.polygons import bounds, stands_in
from engine.geometry.sight import Prism, Thing, hides, quarter_hidden, sees, shuts_off
from events.base import UnitId
from events.values import Table, Terrain
from projections.battle import Battle, Ruled, Unit
from projections.queries import unit_of, units_on_table

INTERVENING = 5
"""The cover save that models of another unit in the way give. [INTV-1, COVR-2]"""


MOST_PAIRS = 5000
"""Pairs of places of which sight or cover is remembered at most."""


class Obstacle(NamedTuple):
    """A terrain part that stands above the ground, a disc around it, and the cover it gives."""

    around: Disc
    thing: Prism
    cover: int | None


class Sightlines:
    """Who of one unit sees whom of another, and what hides them.

    It holds only what stands in the strip between two units, and what the players ruled of them,
    which goes before. [SPRT-2]
    """

    __slots__ = ("_covers", "_screens", "_seen", "_terrain", "cover_ruled", "sight_ruled")

    def __init__(
        self,
        terrain: Sequence[Obstacle],
        screens: Sequence[tuple[Disc, ...]],
        sight_ruled: bool | None = None,
        cover_ruled: Ruled | None = None,
    ) -> None:
        self.sight_ruled = sight_ruled
        self.cover_ruled = cover_ruled
        self._terrain = terrain
        self._screens = [screen_of(unit) for unit in screens]
        self._seen: dict[tuple[Disc, Disc], bool] = {}
        self._covers: dict[tuple[Disc, Disc], int | None] = {}

    def __bool__(self) -> bool:
        """Whether anything at all stands between, or the players ruled."""
        return self._any() or self.sight_ruled is not None or self.cover_ruled is not None

    def _any(self) -> bool:
        return bool(self._terrain) or bool(self._screens)

    def sees(self, shooter: Disc, target: Disc) -> bool:
        """Whether a model sees another; looked at once for each pair. [LOS-1, LOS-3, LOSU-1]"""
        if self.sight_ruled is not None:
            return self.sight_ruled
        if not self._any():
            return True
        pair = shooter, target
        seen = self._seen.get(pair)
        if seen is None:
            if len(self._seen) >= MOST_PAIRS:
                self._seen.clear()
            seen = self._seen[pair] = self._look(shooter, target)
        return seen

    def _look(self, shooter: Disc, target: Disc) -> bool:
        corridor = Corridor(shooter, target)
        things: list[Thing] = []
        for _, wall, _ in self._terrain:
            if (
                wall.dense
                and corridor.meets(wall)
                and not stands_in(shooter, wall.corners)
                and not stands_in(target, wall.corners)
            ):
                if shuts_off(shooter, target, wall):
                    return False
                things.append(wall)
        things += corridor.models(self._screens)
        return not things or sees(shooter, target, things)

    def cover(self, shooter: Disc, target: Disc) -> int | None:
        """Return the best cover of what hides 25 % of the target from a model, or None.

        Things hide together; of those that hide any part the best value counts. [COVR-1, COVR-3]
        The gaps between the models of a unit hide like the models themselves. [INTV-1, INTV-3] A
        model looks out of what it stands in. Looked at once for each pair.
        """
        if not self._any():
            return None
        pair = shooter, target
        if pair in self._covers:
            return self._covers[pair]
        if len(self._covers) >= MOST_PAIRS:
            self._covers.clear()
        found = self._covers[pair] = self._hidden_by(shooter, target)
        return found

    def _hidden_by(self, shooter: Disc, target: Disc) -> int | None:
        corridor = Corridor(shooter, target)
        pieces = [
            piece
            for piece in self._terrain
            if corridor.meets(piece.thing) and not stands_in(shooter, piece.thing.corners)
        ]
        models = corridor.models(self._screens, COHERENCY)
        things: list[Thing] = [*models, *(piece.thing for piece in pieces)]
        if not things or not quarter_hidden(shooter, target, things):
            return None
        if not pieces:
            return INTERVENING
        covers = {INTERVENING: models}
        for piece in pieces:
            if piece.cover is not None:
                covers.setdefault(piece.cover, []).append(piece.thing)
        for cover, giving in sorted(covers.items()):
            if any(hides(shooter, target, thing) for thing in giving):
                return cover
        return None


_Looks = tuple[tuple[Unit, ...], Table, tuple[Ruled, ...], dict[tuple[UnitId, UnitId], Sightlines]]
_looks: _Looks = ((), Table(), (), {})
"""The units, table and rulings last looked over, and the lines between pairs of those units. Until
one of them changes the same lines serve offers, check and shots. Replaced whole, so that a
thread sees one or the other."""


def sightlines(battle: Battle, unit: UnitId, target: UnitId) -> Sightlines:
    """Return the lines of sight from one unit to another. [LOS-4]

    Costs about half a microsecond for each model on the table, once until something changes.
    """
    global _looks
    ruled = battle.phase.ruled
    if _looks[0] is not battle.units or _looks[1] is not battle.table or _looks[2] != ruled:
        _looks = battle.units, battle.table, ruled, {}
    lines = _looks[3]
    found = lines.get((unit, target))
    if found is None:
        found = lines[unit, target] = _look_over(battle, unit, target)
    return found


def _look_over(battle: Battle, unit: UnitId, target: UnitId) -> Sightlines:
    terrain = battle.table.terrain
    strip = _Strip(*(stand_of(battle, unit_of(battle, name)) for name in (unit, target)))
    screens = [
        stand.discs
        for other in units_on_table(battle)
        if other.id != unit and other.id != target and strip.holds(stand := stand_of(battle, other))
    ]
    high = [found for found in standing(terrain) if strip.meets(found.around)] if terrain else []
    ruled = [r for r in battle.phase.ruled if r.unit == unit and r.target == target]
    if not ruled:
        return _lines_past(tuple(high), tuple(screens))
    return Sightlines(
        high,
        screens,
        next((r.sees for r in ruled if r.about == "sight"), None),
        next((r for r in ruled if r.about == "cover"), None),
    )


@lru_cache(maxsize=100)
def _lines_past(terrain: tuple[Obstacle, ...], screens: tuple[tuple[Disc, ...], ...]) -> Sightlines:
    """Return the lines past what stands there: as long as nothing of that moves, the same."""
    return Sightlines(terrain, screens)


@lru_cache(maxsize=64)
def standing(terrain: tuple[Terrain, ...]) -> tuple[Obstacle, ...]:
    """Return the terrain parts that stand above the ground, as sight meets them."""
    return tuple(
        Obstacle(bounds(part.corners), Prism(part.corners, part.height, part.dense), piece.cover)
        for piece in terrain
        for part in piece.parts
        if part.height
    )


class _Strip:
    """The upright-to-the-line rectangle around two groups of models and all between them."""

    along: tuple[int, int]
    across: tuple[int, int]

    def __init__(self, ours: Stand, theirs: Stand) -> None:
        a, b = ours.discs[0], theirs.discs[0]
        boxes = ours.box, theirs.box
        base = 500 * max(box.r for box in boxes) // 127 + 1
        self.lox = min(box.lox for box in boxes) - base
        self.loy = min(box.loy for box in boxes) - base
        self.hix = max(box.hix for box in boxes) + base
        self.hiy = max(box.hiy for box in boxes) + base
        self.ax, self.ay = b[0] - a[0], b[1] - a[1]
        self.length = isqrt(self.ax * self.ax + self.ay * self.ay) + 1
        alongs: list[int] = []
        acrosses: list[int] = []
        for x, y, r in (*ours.discs, *theirs.discs):
            margin = self.length * (500 * r // 127 + 1)
            along, across = self.ax * x + self.ay * y, self.ax * y - self.ay * x
            alongs += (along - margin, along + margin)
            acrosses += (across - margin, across + margin)
        self.along = min(alongs), max(alongs)
        self.across = min(acrosses), max(acrosses)

    def holds(self, unit: Stand) -> bool:
        """Whether any model of a unit, or a gap between two, reaches into the strip."""
        lox, loy, hix, hiy, r = unit.box
        reach = 500 * r // 127 + 1 + COHERENCY
        # No line leaves the upright box around both units: most others aren't near it.
        if (
            lox - reach > self.hix
            or hix + reach < self.lox
            or loy - reach > self.hiy
            or hiy + reach < self.loy
        ):
            return False
        ax, ay = self.ax, self.ay
        margin = self.length * reach
        low, high = self.across[0] - margin, self.across[1] + margin
        near, far = self.along[0] - margin, self.along[1] + margin
        x, y = (lox + hix) // 2, (loy + hiy) // 2
        wide, deep = hix - x + 1, hiy - y + 1
        side = abs(ax) * deep + abs(ay) * wide
        if not low - side < ax * y - ay * x < high + side:
            return False
        side = abs(ax) * wide + abs(ay) * deep
        if not near - side < ax * x + ay * y < far + side:
            return False
        return any(
            low < ax * y - ay * x < high and near < ax * x + ay * y < far for x, y, _ in unit.discs
        )

    def meets(self, disc: Disc) -> bool:
        """Whether a disc reaches into the strip."""
        x, y, r = disc[:3]
        margin = self.length * (500 * r // 127 + 1)
        across = self.ax * y - self.ay * x
        if not self.across[0] - margin < across < self.across[1] + margin:
            return False
        along = self.ax * x + self.ay * y
        return self.along[0] - margin < along < self.along[1] + margin
