"""Falling back: 2D6 inches toward the own table edge. [FALL]"""

from __future__ import annotations

from engine.ask import Roll
from engine.board import barriers, discs_of, other_discs, own_edge, table_rect
from engine.geometry.falling import Edge, fall_back_placement
from engine.rules.dangerous_terrain import face, hazards_of, swallow
from engine.runner import Action
from events.attacks import UnitDestroyed
from events.base import UnitId, other
from events.morale import FallBackStarted, FellBack
from events.movement import ModelsMoved, Spot
from events.values import Point
from projections.battle import Battle, Unit
from projections.queries import unit_of

INCH = 1000

_EDGES: dict[Point, Edge] = {
    Point(0, -1): "south",
    Point(0, 1): "north",
    Point(-1, 0): "west",
    Point(1, 0): "east",
}


async def fall_back(action: Action, unit: UnitId, *, fought: tuple[UnitId, ...] = ()) -> None:
    """Make a unit's fall back move. [FALL-1, FALL-4, FALL-5]

    Each model goes the same 2D6 inches by the shortest route around what is in its way, through
    the enemies it just `fought`, and clear of them. [FALL-2, FALL-7] The unit is destroyed if it
    can't make the move or any model touches the edge. [FALL-3, FALL-6] Difficult terrain doesn't
    slow it, dangerous terrain is tested for, who ends in lethal terrain is gone. [DIFF-16, LETH-2]
    """
    if not unit_of(action.battle, unit).falling_back:
        action.emit(FallBackStarted(unit))
    faces = await Roll("fall back", 2, subject=unit)
    distance = sum(faces) * INCH
    battle = action.battle
    falling = unit_of(battle, unit)
    enemy = other(falling.side)
    placed = fall_back_placement(
        discs_of(battle, falling),
        edge_of(battle, falling),
        distance,
        [*other_discs(battle, falling.side, but=(unit,)), *barriers(battle, forced=True)],
        other_discs(battle, enemy, but=fought),
        [disc for foe in fought for disc in discs_of(battle, foe)],
        table_rect(battle),
    )
    if placed is None:
        action.emit(UnitDestroyed(unit, "trapped"))
        return
    spots = tuple(
        Spot(falling.models[i].n, path[-1].x, path[-1].y) for i, path in placed.moves if path
    )
    action.emit(ModelsMoved(unit, "fall_back", spots))
    action.emit(FellBack(unit, distance))
    if placed.at_edge:
        action.emit(UnitDestroyed(unit, "fled the table"))
        return
    await face(action, hazards_of(battle, falling, placed.moves))
    swallow(action, unit)


def edge_of(battle: Battle, unit: Unit) -> Edge:
    """Return the table edge that the unit falls back to: its own or the nearest. [FALL-1]"""
    return _EDGES[own_edge(battle, unit)]
