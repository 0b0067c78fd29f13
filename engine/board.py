"""The battle as geometry sees it: bases of models, who is in the way, what to keep away from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.geometry import Disc
from engine.geometry.distance import Box, box_of, may_be_within
from engine.geometry.polygons import Barrier
from events.base import Side, UnitId
from events.values import Point, Rect, Terrain, TerrainKind, UnitSetup
from projections.battle import Battle, Model, Unit
from projections.queries import place_of, setup_of, unit_of, units_on_table


def disc_of(battle: Battle, unit: Unit, model: Model) -> Disc:
    """Return a model's base: the room it takes. [UNIT-6]"""
    at = place_of(model)
    return Disc(at.x, at.y, setup_of(battle, unit.id).models[model.n - 1].radius)


class Stand(NamedTuple):
    """Where a unit stands: its bases in unit order, the box around them, and whose they are."""

    discs: tuple[Disc, ...]
    box: Box
    unit: Unit
    setups: tuple[UnitSetup, ...]


_stands: dict[int, Stand] = {}
"""Where units stood when last asked, by their identity; a unit is kept so that it stays its own.
It is replaced when anything of it changes, so it is looked up once until then."""

MOST_STANDS = 500
"""Units of which that is kept at most."""

NOWHERE = Box(0, 0, 0, 0, 0)


def stand_of(battle: Battle, unit: Unit) -> Stand:
    """Return where a unit's living models stand; a unit without any has no bases."""
    known = _stands.get(id(unit))
    if known is not None and known.unit is unit and known.setups is battle.setups:
        return known
    models = setup_of(battle, unit.id).models
    discs = tuple(
        [Disc(m.at.x, m.at.y, models[m.n - 1].radius) for m in unit.models if m.at is not None]
    )
    found = Stand(discs, box_of(discs) if discs else NOWHERE, unit, battle.setups)
    if len(_stands) >= MOST_STANDS:
        _stands.clear()
    _stands[id(unit)] = found
    return found


def discs_of(battle: Battle, unit: UnitId | Unit) -> tuple[Disc, ...]:
    """Return the bases of a unit's living models, in unit order. Looked up once for each unit."""
    return stand_of(battle, unit_of(battle, unit) if isinstance(unit, str) else unit).discs


def numbered(battle: Battle, unit: Unit) -> list[tuple[int, Disc]]:
    """Return the numbers and bases of a deployed unit's living models, in unit order."""
    discs = discs_of(battle, unit)
    return [(model.n, disc) for model, disc in zip(unit.models, discs, strict=True)]


def other_discs(battle: Battle, side: Side, but: tuple[UnitId, ...] = ()) -> list[Disc]:
    """Return the bases of a side's models on the table, without the units in `but`."""
    found: list[Disc] = []
    for unit in units_on_table(battle, side):
        if unit.id not in but:
            found += discs_of(battle, unit)
    return found


def discs_near(
    battle: Battle, unit: Unit, mils: int, side: Side, but: tuple[UnitId, ...] = ()
) -> list[Disc]:
    """Return the bases of a side's models, without the units in `but` and those that stand
    altogether more than `mils` from `unit`."""
    box = stand_of(battle, unit).box
    found: list[Disc] = []
    for other in units_on_table(battle, side):
        if other.id not in but:
            stand = stand_of(battle, other)
            if may_be_within(box, stand.box, mils):
                found += stand.discs
    return found


_SHUT: tuple[TerrainKind, ...] = ("impassable", "lethal")
"""Kinds of terrain that no move of a player's own will enters. [IMP-1, LETH-1]"""

DIFFICULT: tuple[TerrainKind, ...] = ("difficult", "dangerous")
"""Kinds of terrain that call for a difficult terrain test. [TERR-2, DIFF-1, DANG-1]

Open terrain has no rules of its own, whatever stands on it. [OPEN-1, OPEN-2]"""


def barriers(battle: Battle, *, shun: bool = False, forced: bool = False) -> Sequence[Barrier]:
    """Return the ground that a move may not enter. [TERR-1]

    A move is to `shun` difficult terrain unless its unit took the test [DIFF-2]; a `forced` one
    may end in lethal terrain [LETH-2]. The walls of other terrain bar no move. [TERR-5, DIFF-9]
    """
    terrain = battle.table.terrain
    if not terrain:
        return ()
    return _barriers(terrain, _SHUT[:1] if forced else _SHUT + DIFFICULT if shun else _SHUT)


_WORDS: dict[TerrainKind, tuple[str, str]] = {
    "impassable": ("TERR-1", "moves into impassable terrain"),
    "lethal": ("LETH-1", "moves into lethal terrain"),
    "difficult": ("TERR-2", "moves into difficult terrain without a test"),
    "dangerous": ("TERR-2", "moves into dangerous terrain without a difficult terrain test"),
}


@lru_cache(maxsize=64)
def _barriers(terrain: tuple[Terrain, ...], kinds: tuple[TerrainKind, ...]) -> tuple[Barrier, ...]:
    return tuple(
        Barrier.around(part.corners, _WORDS[piece.kind][0], f"{_WORDS[piece.kind][1]} ({piece.id})")
        for piece in terrain
        if piece.kind in kinds
        for part in piece.parts
    )


def table_rect(battle: Battle) -> Rect:
    """Return the table as a rectangle."""
    return Rect(0, 0, battle.table.width, battle.table.height)


def zone_of(battle: Battle, side: Side) -> Rect | None:
    """Return a side's deployment zone once it has one."""
    for zone in battle.zones:
        if zone.side == side:
            return zone.rect
    return None


def own_edge(battle: Battle, unit: Unit) -> Point:
    """Return the unit vector toward the unit's own table edge, or the nearest edge. [FALL-1]

    The own edge is the table edge that the side's zone lies on. Without a zone it is the table
    edge nearest to the unit's first model; ties go south, north, west, east.
    """
    zone = zone_of(battle, unit.side)
    if zone is not None:
        return Point(0, -1) if zone.y0 == 0 else Point(0, 1)
    at = place_of(unit.models[0])
    table = battle.table
    ways = (
        (at.y, Point(0, -1)),
        (table.height - at.y, Point(0, 1)),
        (at.x, Point(-1, 0)),
        (table.width - at.x, Point(1, 0)),
    )
    return min(ways, key=lambda way: way[0])[1]
