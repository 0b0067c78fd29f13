"""Reducers of moving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.base import Event, UnitId
from events.movement import ModelsMoved, MoveKind, UnitMoved, UnitRan
from events.values import Point
from projections.battle import Battle, MovementPhase, ShootingPhase
from projections.change import swap, with_models, with_moved, with_turn, with_unit
from projections.queries import index_of

_COUNTS_AS_MOVED: frozenset[MoveKind] = frozenset({"move", "fall_back", "regroup"})
"""Kinds of move made in the Movement phase, which Heavy weapons ask about. [MOVE-8, MVSH-1]"""


def _record(battle: Battle, unit: UnitId, kind: MoveKind, models: tuple[int, ...]) -> Battle:
    """Note who moved, and that the unit has had its move where the phase counts that."""
    phase = battle.phase
    if type(phase) is not MovementPhase:
        return battle
    if kind == "move":
        battle = replace(battle, phase=replace(phase, moved=(*phase.moved, unit)))
    return with_moved(battle, unit, models) if kind in _COUNTS_AS_MOVED else battle


def unit_moved(battle: Battle, event: UnitMoved) -> Battle:
    """Shift every model of the unit."""
    dx, dy, index = event.by.x, event.by.y, index_of(battle, event.unit)
    unit = battle.units[index]
    # A list first: half the time of a generator.
    models = tuple(
        [
            model if (at := model.at) is None else replace(model, at=Point(at.x + dx, at.y + dy))
            for model in unit.models
        ]
    )
    battle = replace(battle, units=swap(battle.units, index, replace(unit, models=models)))
    return _record(battle, event.unit, event.kind, tuple([model.n for model in models]))


def models_moved(battle: Battle, event: ModelsMoved) -> Battle:
    """Set the named models to their places."""
    battle = with_unit(battle, event.unit, lambda unit: with_models(unit, event.to))
    return _record(battle, event.unit, event.kind, tuple([spot.model for spot in event.to]))


def unit_ran(battle: Battle, event: UnitRan) -> Battle:
    """The unit Runs: it has acted, and can't charge this turn. [SHPH-2]"""
    phase = battle.phase
    if type(phase) is ShootingPhase:
        battle = replace(battle, phase=replace(phase, done=(*phase.done, event.unit)))
    return with_turn(battle, event.unit, lambda turn: replace(turn, ran=True))


REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    UnitMoved: unit_moved,
    ModelsMoved: models_moved,
    UnitRan: unit_ran,
}
