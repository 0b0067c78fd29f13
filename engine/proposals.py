"""Proposed moves: what `legal()` offers where a question is geometric. Each passes its check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.board import barriers, discs_of, other_discs, table_rect
from engine.geometry import INCH, Disc, Move, check_moves, translate_toward
from engine.geometry.paths import culled, widest
from engine.rules.moving import AnyMove, in_moving_order
from events.base import other
from events.choices import MoveUnit, Place, PlaceModels
from events.values import Point, Rect
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


class _Ground(NamedTuple):
    """A unit's models and what stands within their reach: looked up once for all its proposals."""

    here: Sequence[Disc]
    friends: Sequence[Disc]
    """Friends and ground that can't be entered."""
    enemies: Sequence[Disc]
    table: Rect


def _ground(
    battle: Battle, unit: Unit, enemies: Sequence[Disc], distance: int, shun: bool
) -> _Ground:
    here = discs_of(battle, unit)
    friends = [*other_discs(battle, unit.side, but=(unit.id,)), *barriers(battle, shun=shun)]
    reach = distance + INCH + 2 * widest(here, friends, enemies)
    return _Ground(
        here,
        [friends[k] for k in culled(here, reach, friends)],
        [enemies[k] for k in culled(here, reach, enemies)],
        table_rect(battle),
    )


def advances(battle: Battle, unit: Unit, distance: int, *, shun: bool = False) -> list[AnyMove]:
    """Return checked moves of a unit: toward the nearest enemy, then in eight directions.

    Each goes as far as `distance` allows, or half of it where that is barred; a move
    that is to `shun` difficult terrain keeps out of it.
    """
    enemies = other_discs(battle, other(unit.side))
    ground = _ground(battle, unit, enemies, distance, shun)
    found: list[AnyMove] = []
    ahead = _toward(unit, ground, enemies, distance)
    if ahead is not None:
        found.append(ahead)
    for dx, dy in _WAYS:
        for reach in (distance, distance // 2):
            by = Point(dx * reach // 1000, dy * reach // 1000)
            choice = MoveUnit(unit.id, by)
            if by == Point(0, 0) or choice in found:
                break
            moves = [(i, (_shifted(ground.here[i], by),)) for i in in_moving_order(unit, by)]
            if _passes(ground, moves, distance):
                found.append(choice)
                break
    return found


def toward(
    battle: Battle, unit: Unit, goals: Sequence[Disc], distance: int, *, shun: bool = False
) -> AnyMove | None:
    """Return a checked move toward the nearest of `goals` (enemies or places), or None.

    The whole unit by one vector where it can, else model by model around what bars it.
    """
    enemies = other_discs(battle, other(unit.side))
    return _toward(unit, _ground(battle, unit, enemies, distance, shun), goals, distance)


def _toward(unit: Unit, ground: _Ground, goals: Sequence[Disc], distance: int) -> AnyMove | None:
    here, friends, enemies, table = ground
    if not goals:
        return None
    moves = translate_toward(here, goals, distance, friends, enemies, table)
    if moves is None or not _passes(ground, moves, distance):
        return None
    first, path = moves[0]
    by = Point(path[-1].x - here[first].x, path[-1].y - here[first].y)
    if len(moves) == len(here) and all(to == (_shifted(here[i], by),) for i, to in moves):
        return MoveUnit(unit.id, by)
    return PlaceModels(unit.id, tuple(Place(unit.models[i].n, path) for i, path in moves))


def _shifted(disc: Disc, by: Point) -> Point:
    return Point(disc[0] + by.x, disc[1] + by.y)


def _passes(ground: _Ground, moves: Sequence[Move], distance: int) -> bool:
    """Whether a move passes the check that every move is put to. [MOVE-2 to MOVE-5]"""
    here, friends, enemies, table = ground
    return check_moves(here, moves, distance, friends, enemies, table) is None
