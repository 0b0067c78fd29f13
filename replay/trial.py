"""Trials: does this battle with these choices still fail the same way?

Choices were recorded in a longer game, so some no longer fit: one that is refused is left out, and
models that were pruned are left out of the others. Dice fall by address, so those that stay meet
the dice they met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace

from engine.answers import check, legal
from engine.dice_agreed import about_dice
from engine.runner import Advance, Runner
from engine.scenarios.running import creation
from engine.sequence import RULESETS
from events.base import Event
from events.errors import IllegalChoice
from events.game import Chosen, DiceRolled, GameCreated, ScenarioGiven
from projections.battle import Battle
from projections.reducers.game import given
from replay.failures import (
    STATE,
    Broken,
    Differs,
    Failure,
    Refused,
    attempted_in,
    difference,
    raised,
    same,
)
from replay.invariants import INVARIANTS, Moment, broken
from replay.known_dice import KnownDice
from replay.leaves import Leaves
from replay.prune import fitted
from replay.reproduce import state_difference


class Trial(NamedTuple):
    """What came of playing some choices from a battle."""

    failure: Failure | None
    played: list[Chosen]
    """Those that were legal, up to the failure."""
    events: list[Event]
    """What happened, up to the failure, without the creation."""


@dataclass
class Target:
    """The failure that a trial must end in."""

    failure: Failure
    expected: list[Event] = field(default_factory=list)
    """Where the failure is a difference: what was recorded from the battle on."""
    state: Leaves = field(default_factory=dict)
    """And the recorded leaves at the end."""
    listing: bool = False
    """The exception comes when the choices on offer are listed."""
    sound: tuple[str, ...] = tuple(INVARIANTS)
    """Invariants that the battle it starts from must not break."""


def attempt(battle: Battle, choices: Sequence[Chosen], dice: KnownDice, target: Target) -> Trial:
    """Play choices from a battle leniently, to the first failure or to the end.

    Only the target's kind of failure is looked for besides exceptions. Costs what playing costs.
    """
    run = _Run(battle, dice, target)
    failure = run.start()
    for choice in choices:
        if failure is not None or run.battle.question is None:
            break
        failure = run.play(choice, last=choice is choices[-1])
    if failure is None:
        failure = run.end()
    return Trial(failure, run.played, run.events)


def still_fails(
    battle: Battle, choices: Sequence[Chosen], dice: KnownDice, target: Target
) -> Trial | None:
    """Return the trial if it ends in the target's failure, or None.

    The battle itself must be sound: otherwise it comes from after the fault, or from none.
    """
    if broken(Moment(None, (), battle), target.sound) is not None:
        return None
    trial = attempt(battle, choices, dice, target)
    return trial if _meets(trial.failure, target.failure) else None


def _meets(found: Failure | None, target: Failure) -> bool:
    """Whether a trial's failure is the target's.

    A difference must have the very values: others may come from what was left out.
    """
    if isinstance(found, Differs) and isinstance(target, Differs):
        kinds = (found.event, found.executed) == (target.event, target.executed)
        return kinds and set(target.fields) <= set(found.fields)
    return same(found, target)


class _Run:
    def __init__(self, battle: Battle, dice: KnownDice, target: Target) -> None:
        self.battle = battle
        self.played: list[Chosen] = []
        self.events: list[Event] = []
        self._target = target
        self._made: list[Event] = []
        self._ruleset = RULESETS[battle.settings.ruleset]
        self._runner = Runner(self._ruleset.next_procedure, dice)

    def start(self) -> Failure | None:
        battle = self.battle
        try:
            made = self._runner.create([creation(battle), given(battle)])
        except Exception as error:
            return self._raised(error)
        return self._after(made)

    def play(self, chosen: Chosen, last: bool) -> Failure | None:
        """Play a choice, or leave it out where it doesn't fit."""
        chosen = replace(chosen, choice=fitted(chosen.choice, self.battle))
        target = self._target.failure
        try:
            check(self._ruleset.answers, self.battle, chosen.by, chosen.choice)
        except IllegalChoice as refused:
            if not last or not isinstance(target, Refused):
                return None
            self.played.append(chosen)
            self.events.append(chosen)
            return Refused(refused.where, refused.reason)
        except Exception as error:
            failure = raised(error)
            if not same(failure, target):
                return None
            self.played.append(chosen)
            self.events.append(chosen)
            return failure
        self.played.append(chosen)
        try:
            made = self._runner.advance(chosen)
        except Exception as error:
            return self._raised(error)
        return self._after(made)

    def _raised(self, error: Exception) -> Failure:
        self.events += _played(attempted_in(error)[1])
        return raised(error)

    def _after(self, made: Advance) -> Failure | None:
        """Look for the target's failure in a step that went through."""
        before, self.battle = self.battle, made.battle
        events = _played(made.events)
        self.events += events
        target = self._target
        if isinstance(target.failure, Broken):
            return broken(Moment(before, events, made.battle), (target.failure.invariant,))
        if isinstance(target.failure, Differs):
            self._made += comparable(events)
            there = len(self._made)
            return difference(target.expected[:there], self._made)
        return None

    def end(self) -> Failure | None:
        """Look for a difference where the rules stop too early, or in the battle alone."""
        target = self._target
        if target.listing:
            try:
                legal(self._ruleset.answers, self.battle)
            except Exception as error:
                return raised(error)
        if not isinstance(target.failure, Differs):
            return None
        if target.failure.event != STATE:
            return difference(target.expected, self._made)
        if len(self._made) < len(target.expected):
            return None
        differs = state_difference(target.state, self.battle, gone_too=False)
        return differs if differs.fields else None


def _played(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, GameCreated | ScenarioGiven)]


def comparable(events: Sequence[Event]) -> list[Event]:
    """Return what a trial can meet again: facts and dice, whoever rolled them and who chose."""
    kept: list[Event] = []
    for event in events:
        if isinstance(event, DiceRolled):
            kept.append(replace(event, source="scripted", salt=0))
        elif not isinstance(event, Chosen) and not about_dice(event):
            kept.append(event)
    return kept
