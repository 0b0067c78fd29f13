"""Distance moved: each move of a unit, as far as its farthest model went, in a straight line."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from events.base import UnitId, Value
from events.game import ScenarioGiven, UnitDeployed
from events.movement import ModelsMoved, MoveKind, UnitMoved
from events.rulings import PositionRuling, RulingMade
from events.values import Point
from replay.analysis.units import Facts, Places, given, places


class Moved(Value, frozen=True, gc=False):
    """One move of a unit."""

    step: int
    unit: UnitId
    kind: MoveKind
    distance: int
    """Mils, rounded down: straight from where the farthest-moving model stood to where it ended.
    Detours on the way don't count."""


def moves(facts: Facts) -> Iterator[Moved]:
    """Yield every move in order of play; those that moved nobody too, with distance 0.

    Where players agreed that models stand elsewhere, nobody moved.
    """
    at: Places = {}
    for step, event in facts:
        match event:
            case ScenarioGiven():
                at = places(given(event))
            case UnitDeployed(unit=unit, at=spots):
                at[unit] = dict(enumerate(spots, 1))
            case RulingMade(ruling=PositionRuling(unit=unit, to=to)):
                at[unit] |= {spot.model: Point(spot.x, spot.y) for spot in to}
            case UnitMoved(unit=unit, kind=kind, by=by):
                models = at[unit]
                at[unit] = {n: Point(p.x + by.x, p.y + by.y) for n, p in models.items()}
                yield Moved(step, unit, kind, isqrt(by.x**2 + by.y**2))
            case ModelsMoved(unit=unit, kind=kind, to=to):
                stood, farthest = at[unit], 0
                for spot in to:
                    here = stood.get(spot.model, Point(spot.x, spot.y))
                    farthest = max(farthest, (spot.x - here.x) ** 2 + (spot.y - here.y) ** 2)
                    stood[spot.model] = Point(spot.x, spot.y)
                yield Moved(step, unit, kind, isqrt(farthest))
            case _:
                pass
