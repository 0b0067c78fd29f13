"""Proposed moves: what `legal()` offers where a question is geometric. Each passes its check."""

from __future__ import annotations

from engine.rules.moving import check_move
from events.choices import MoveUnit
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


def advances(battle: Battle, unit: Unit, distance: int) -> list[MoveUnit]:
    """Return whole-unit moves in eight directions, each as far as `distance` or half allows."""
    found: list[MoveUnit] = []
    for dx, dy in _WAYS:
        for reach in (distance, distance // 2):
            choice = MoveUnit(unit.id, Point(dx * reach // 1000, dy * reach // 1000))
            try:
                check_move(battle, unit.id, choice, distance)
            except IllegalChoice:
                continue
            found.append(choice)
            break
    return found
