"""Where each event happened: the clock and the units' sides, which events don't repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from events.base import Event, Side, UnitId
from events.game import ArmyMustered, GameEnded, PhaseName, PhaseStarted, ScenarioGiven, TurnStarted
from projections.battle import Battle

Facts = Iterable[tuple[int, Event]]
"""(step, event) pairs in order of play, as `History.facts` gives them."""

_read_battle = msgspec.json.Decoder(Battle).decode


class Staged(NamedTuple):
    """An event with its step and the clock at which it happened."""

    step: int
    event: Event
    turn: int
    """Game turn, 0 before the battle."""
    active: Side
    """Whose player turn it is."""
    phase: PhaseName


class Enlisted(NamedTuple):
    """A unit as a game began with it."""

    side: Side
    models: int


def staged(facts: Facts) -> Iterator[Staged]:
    """Yield each event with its clock. An event that starts a turn or phase is in it already."""
    turn = 0
    active: Side = "red"
    phase: PhaseName = "setup"
    for step, event in facts:
        if isinstance(event, TurnStarted):
            turn, active, phase = event.game_turn, event.side, "turn"
        elif isinstance(event, PhaseStarted):
            phase = event.phase
        elif isinstance(event, GameEnded):
            phase = "over"
        elif isinstance(event, ScenarioGiven):
            clock = _read_battle(bytes(event.battle)).clock
            turn, active, phase = clock.game_turn, clock.active, clock.phase
        yield Staged(step, event, turn, active, phase)


def enlisted(event: Event) -> dict[UnitId, Enlisted]:
    """Return the units that an event brings into the game; empty for all but two kinds."""
    if isinstance(event, ArmyMustered):
        return {unit.id: Enlisted(event.side, len(unit.models)) for unit in event.army.units}
    if isinstance(event, ScenarioGiven):
        battle = _read_battle(bytes(event.battle))
        return {unit.id: Enlisted(unit.side, len(unit.models)) for unit in battle.units}
    return {}
