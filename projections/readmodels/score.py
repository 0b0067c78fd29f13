"""How the sides stood at the end of each player turn: models, units destroyed, points."""

from __future__ import annotations

from events.attacks import ModelRemoved, UnitDestroyed
from events.base import Side, UnitId, Value, other
from events.game import GameEnded, PointsScored, TurnEnded
from projections.queries import unit_of_model
from projections.readmodels.stage import Enlisted, Facts, enlisted, staged


class Standing(Value, frozen=True, gc=False):
    """How things stood when a player turn ended (or the game, in the last one)."""

    turn: int
    active: Side
    red_models: int
    blue_models: int
    red_destroyed: int
    """Units that red has destroyed so far, a point each at the end."""
    blue_destroyed: int
    red_points: int
    """Points scored so far; they are counted when the game ends."""
    blue_points: int
    ended: bool = False
    """The game ended here."""


def standings(facts: Facts) -> tuple[Standing, ...]:
    """Return a standing for each player turn that ended on the path, and one for the game's end."""
    units: dict[UnitId, Enlisted] = {}
    left: dict[UnitId, int] = {}
    points: dict[Side, int] = {"red": 0, "blue": 0}
    found: list[Standing] = []
    for _, event, turn, active, _phase in staged(facts):
        for unit, enlistment in enlisted(event).items():
            units[unit], left[unit] = enlistment, enlistment.models
        if isinstance(event, ModelRemoved):
            left[unit_of_model(event.model)] -= 1
        elif isinstance(event, UnitDestroyed):
            left[event.unit] = 0
        elif isinstance(event, PointsScored):
            points[event.side] += event.points
        elif isinstance(event, TurnEnded | GameEnded):
            models: dict[Side, int] = {"red": 0, "blue": 0}
            destroyed: dict[Side, int] = {"red": 0, "blue": 0}
            for unit, enlistment in units.items():
                models[enlistment.side] += left[unit]
                destroyed[other(enlistment.side)] += left[unit] == 0
            found.append(
                Standing(
                    turn,
                    active,
                    models["red"],
                    models["blue"],
                    destroyed["red"],
                    destroyed["blue"],
                    points["red"],
                    points["blue"],
                    isinstance(event, GameEnded),
                )
            )
    return tuple(found)
