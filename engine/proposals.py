"""Proposed moves: what `legal()` offers where a question is geometric. Each passes its check."""

from __future__ import annotations

from engine.board import discs_of, other_discs, table_rect
from engine.geometry import Disc, translate_toward
from engine.rules.moving import AnyMove, check_move
from events.base import UnitId, other
from events.choices import MoveUnit, Place, PlaceModels
from events.errors import IllegalChoice
from events.values import Point
from projections.battle import Battle, Unit

_WAYS = (
    (0, 1000),
    (707, 707),
    (1000, 0),
    (707, -707),
    (0, -1000),
    (-707, -707),
    (-1000, 0),
    (-707, 707),
)
"""Eight directions, in thousandths."""


def advances(battle: Battle, unit: Unit, distance: int) -> list[AnyMove]:
    """Return checked moves of a unit: toward the nearest enemy, then in eight directions.

    Each goes as far as `distance` allows, or half of it where that is barred.
    """
    found: list[AnyMove] = []
    ahead = toward_enemy(battle, unit, distance)
    if ahead is not None:
        found.append(ahead)
    for dx, dy in _WAYS:
        for reach in (distance, distance // 2):
            choice = MoveUnit(unit.id, Point(dx * reach // 1000, dy * reach // 1000))
            if passes(battle, unit.id, choice, distance):
                found.append(choice)
                break
    return found


def toward_enemy(battle: Battle, unit: Unit, distance: int) -> AnyMove | None:
    """Return a checked move toward the nearest enemy, or None where the unit can't get closer."""
    return toward(battle, unit, other_discs(battle, other(unit.side)), distance)


def toward(battle: Battle, unit: Unit, goals: list[Disc], distance: int) -> AnyMove | None:
    """Return a checked move toward the nearest of `goals` (enemies or places), or None.

    The whole unit by one vector where it can, else model by model around what bars it.
    """
    if not goals:
        return None
    here = discs_of(battle, unit)
    moves = translate_toward(
        here,
        goals,
        distance,
        other_discs(battle, unit.side, but=(unit.id,)),
        other_discs(battle, other(unit.side)),
        table_rect(battle),
    )
    if moves is None:
        return None
    steps = {(path[-1].x - here[i].x, path[-1].y - here[i].y) for i, path in moves}
    choice: AnyMove
    if len(moves) == len(here) and len(steps) == 1 and all(len(path) == 1 for _, path in moves):
        choice = MoveUnit(unit.id, Point(*steps.pop()))
    else:
        choice = PlaceModels(unit.id, tuple(Place(unit.models[i].n, path) for i, path in moves))
    return choice if passes(battle, unit.id, choice, distance) else None


def passes(battle: Battle, unit: UnitId, choice: AnyMove, distance: int) -> bool:
    """Whether a move passes the check."""
    try:
        check_move(battle, unit, choice, distance)
    except IllegalChoice:
        return False
    return True
