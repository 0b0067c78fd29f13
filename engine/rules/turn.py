"""The turn: player turns, phases, their end step, game length, the end. [TURN, GTPT, SEPH]"""

from __future__ import annotations

from engine.ask import Roll
from engine.editions import edition_of
from engine.rules.casualty_morale import casualty_check, due_for_casualty_check
from engine.rules.going_to_ground import units_to_get_up
from engine.rules.locked import units_to_unlock
from engine.rules.victory import end_game
from engine.runner import Action, Procedure
from events.assault import UnitsUnlocked
from events.attacks import UnitsGotUp
from events.base import other
from events.game import (
    GameLengthRolled,
    PhaseEnded,
    PhaseName,
    PhaseStarted,
    TurnEnded,
    TurnStarted,
)
from projections.battle import Battle
from projections.queries import units_on_table

GOES_ON = {5: 3, 6: 4}
"""After game turn 5 the game goes on with a 3+, after 6 with a 4+."""

LAST_TURN = 7
"""It never goes on after this one."""


async def start_phase(action: Action) -> None:
    """Start the next phase of the player turn. [TURN-1, SEPH-1]"""
    upcoming = next_phase(action.battle)
    assert upcoming is not None
    action.emit(PhaseStarted(upcoming))


async def end_phase(action: Action) -> None:
    """End the phase: free units without contact, then let its durations expire. [SEPH-3, LOCK-3]"""
    free = units_to_unlock(action.battle)
    if free:
        action.emit(UnitsUnlocked(free))
    action.emit(PhaseEnded(action.battle.clock.phase))


async def end_turn(action: Action) -> None:
    """End the player turn with what lasts to its end. [TURN-4, GTPT-1, GTG-3]"""
    up = units_to_get_up(action.battle)
    if up:
        action.emit(UnitsGotUp(up))
    clock = action.battle.clock
    action.emit(TurnEnded(clock.game_turn, clock.active))


async def next_turn(action: Action) -> None:
    """Start the other player's turn, or the next game turn once its length roll allows it."""
    clock = action.battle.clock
    if clock.active == clock.first:
        action.emit(TurnStarted(clock.game_turn, other(clock.first)))
        return
    if clock.game_turn in GOES_ON:
        need = GOES_ON[clock.game_turn]
        (face,) = await Roll("game length", need=need)
        action.emit(GameLengthRolled(clock.game_turn, face >= need))
        if face < need:
            return
    action.emit(TurnStarted(clock.game_turn + 1, clock.first))


def next_phase(battle: Battle) -> PhaseName | None:
    """Return the phase after the one that ended, None at the turn's end. [TURN-1, TURN-3]"""
    phases = edition_of(battle).phases
    if battle.clock.phase not in phases:
        return phases[0]
    after = phases.index(battle.clock.phase) + 1
    return phases[after] if after < len(phases) else None


def wiped_out(battle: Battle) -> bool:
    """Whether a side has no model on the table any more."""
    return not any(units_on_table(battle, "red")) or not any(units_on_table(battle, "blue"))


def next_between(battle: Battle) -> Procedure:
    """Return the rule that comes next outside any phase."""
    clock = battle.clock
    if wiped_out(battle):
        return end_game
    if clock.in_turn:
        return start_phase if next_phase(battle) is not None else end_turn
    over = clock.last or (clock.active != clock.first and clock.game_turn >= LAST_TURN)
    return end_game if over else next_turn


def next_closing(battle: Battle) -> Procedure:
    """Return the rule that comes next in a phase's end step: tests first. [SEPH-3, AMB-6]"""
    return casualty_check if due_for_casualty_check(battle) else end_phase
