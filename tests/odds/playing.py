"""Actions to be played with dice still to be given: from a battle, its questions answered."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from engine.answers import check
from engine.dice import DiceFrom
from engine.runner import Procedure, Runner
from engine.scenarios.running import creation
from engine.sequence import RULESETS
from events.base import Event
from events.choices import AnyChoice
from events.game import Chosen
from projections.battle import Battle
from projections.reducers.game import given


class Played(NamedTuple):
    """An action played to its end, or to the first question that nobody answers."""

    events: list[Event]
    battle: Battle


Play = Callable[[DiceFrom], Played]
"""An action to be played, with dice still to be given."""

Answer = Callable[[Battle], AnyChoice | None]
"""What is answered to the question that a battle has open; None stops there."""


def mean(chances: dict[int, Fraction]) -> Fraction:
    """Return what is to be expected of a number with these chances."""
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


def answered(battle: Battle, answer: Answer) -> Play:
    """Return the play from a battle between procedures, its questions answered by `answer`.

    Raises IllegalChoice, once played, where an answer is refused.
    """
    ruleset = RULESETS[battle.settings.ruleset]
    inputs = [creation(battle), given(battle)]

    def play(dice: DiceFrom) -> Played:
        runner = Runner(ruleset.next_procedure, dice)
        events = runner.create(inputs).events[len(inputs) :]
        return _on(runner, answer, events)

    return play


def once(battle: Battle, procedure: Procedure) -> Play:
    """Return the play of one procedure that asks nothing."""
    inputs = [creation(battle), given(battle)]

    def play(dice: DiceFrom) -> Played:
        left = [procedure]
        advance = Runner(lambda battle: left.pop() if left else None, dice).create(inputs)
        return Played(advance.events[len(inputs) :], advance.battle)

    return play


def _on(runner: Runner, answer: Answer, events: list[Event]) -> Played:
    """Play on as long as questions are answered."""
    while True:
        assert runner.action is not None
        battle = runner.action.battle
        question = battle.question
        choice = answer(battle) if question is not None else None
        if question is None or choice is None:
            return Played(events, battle)
        check(RULESETS[battle.settings.ruleset].answers, battle, question.player, choice)
        events += runner.advance(Chosen(question.player, choice)).events
