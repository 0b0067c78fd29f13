"""Casualties: models lost, by player turn, unit and cause."""

from __future__ import annotations

from events.attacks import Cause, ModelRemoved, UnitDestroyed
from events.base import Side, UnitId, Value
from events.game import PhaseName
from projections.queries import unit_of_model
from projections.readmodels.stage import Enlisted, Facts, enlisted, staged


class Loss(Value, frozen=True, gc=False):
    """Models that a unit lost in one phase to one cause."""

    turn: int
    active: Side
    phase: PhaseName
    unit: UnitId
    side: Side
    """The unit's side."""
    cause: Cause
    models: int
    left: int
    """Models of the unit left after it."""


def losses(facts: Facts) -> tuple[Loss, ...]:
    """Return every loss on the path, in order; losses that differ in nothing are added up."""
    units: dict[UnitId, Enlisted] = {}
    left: dict[UnitId, int] = {}
    found: dict[tuple[int, Side, PhaseName, UnitId, Cause], int] = {}
    after: dict[tuple[int, Side, PhaseName, UnitId, Cause], int] = {}
    for _, event, turn, active, phase in staged(facts):
        for unit, enlistment in enlisted(event).items():
            units[unit], left[unit] = enlistment, enlistment.models
        if isinstance(event, ModelRemoved):
            unit, lost = unit_of_model(event.model), 1
        elif isinstance(event, UnitDestroyed):
            unit, lost = event.unit, left[event.unit]
        else:
            continue
        if lost:
            left[unit] -= lost
            key = (turn, active, phase, unit, event.cause)
            found[key] = found.get(key, 0) + lost
            after[key] = left[unit]
    return tuple(
        Loss(turn, active, phase, unit, units[unit].side, cause, models, after[key])
        for key, models in found.items()
        for turn, active, phase, unit, cause in (key,)
    )
