"""Every way the dice of a small action can fall, with its exact chance.

`outcomes` plays an action again and again, each time with dice that fall another way, until all
ways are walked: an oracle for odds that shares nothing with chance. Dice that rules only count (To
Hit and To Wound) are walked by how many of them succeed, all others face by face, in order.

>>> from engine.ask import Roll
>>> async def two_dice(action):
...     faces = await Roll("charge range", 2)
...     action.emit(ChargeRolled("boyz", sum(faces) * 1000))
>>> from events.assault import ChargeRolled
>>> from events.values import Table
>>> from projections.battle import Battle, Settings
>>> battle = Battle(Settings("40k-7e", "seeded", "", "free", "same"), Table())
>>> chances = outcomes(once(battle, two_dice), key=lambda played: played.events[-1].distance)
>>> chances[7000], sum(chances.values())
(Fraction(1, 6), Fraction(1, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import NamedTuple, TypeVar

from engine.answers import check
from engine.ask import Roll
from engine.dice import DiceFrom
from engine.runner import Procedure, Runner
from engine.scenarios.running import creation
from engine.sequence import RULESETS
from events.base import Event
from events.choices import AnyChoice
from events.errors import WarledgerError
from events.game import Chosen, DiceSource
from projections.battle import Battle
from projections.reducers.game import given

COUNTED = ("to hit", "to hit re-roll", "to wound", "to wound re-roll")
"""Rolls of which rules only count the successes, and the 6s To Hit. [ALLO-5]"""

MOST = 200_000
"""An action that can end in more ways than this is too large to walk."""

K = TypeVar("K", bound=Hashable)


class Played(NamedTuple):
    """An action played to its end, or to the first question that nobody answers."""

    events: list[Event]
    battle: Battle


Play = Callable[[DiceFrom], Played]
"""An action to be played, with dice still to be given."""

Answer = Callable[[Battle], AnyChoice | None]
"""What is answered to the question that a battle has open; None stops there."""


def outcomes(
    play: Play, key: Callable[[Played], K], ignore: Sequence[str] = ()
) -> dict[K, Fraction]:
    """Return the exact chance of everything that an action can lead to.

    What is alike has the same `key`; keys stand in the order they were first met. Rolls for the
    purposes to `ignore`, on which no key depends, fall one way only. Costs a play for each way the
    dice can fall. Raises WarledgerError if there are more than `MOST` ways.
    """
    chances: dict[K, Fraction] = {}
    dice = _Walk(ignore)
    for _ in range(MOST):
        dice.begin()
        found = key(play(dice))
        chances[found] = chances.get(found, Fraction(0)) + dice.chance
        if not dice.next():
            return chances
    raise WarledgerError("enumerate", f"the dice can fall in more than {MOST} ways")


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


class _Walk:
    """Dice that fall every way in turn: an odometer with a wheel for each roll of the play."""

    source: DiceSource = "scripted"
    salt = 0

    def __init__(self, ignore: Sequence[str]) -> None:
        self.ignore = ignore
        self.wheels: list[list[tuple[tuple[int, ...], Fraction]]] = []
        self.at: list[int] = []
        self.rolled = 0
        self.chance = Fraction(1)

    def begin(self) -> None:
        """Start another play."""
        self.rolled, self.chance = 0, Fraction(1)

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...] | None:
        """Return how a roll falls this time."""
        if self.rolled == len(self.wheels):
            alone = [((1,) * roll.count, Fraction(1))]
            self.wheels.append(alone if roll.purpose in self.ignore else list(ways(roll)))
            self.at.append(0)
        faces, chance = self.wheels[self.rolled][self.at[self.rolled]]
        self.rolled += 1
        self.chance *= chance
        return faces

    def next(self) -> bool:
        """Turn to the next way; False when all were walked."""
        while self.wheels:
            self.at[-1] += 1
            if self.at[-1] < len(self.wheels[-1]):
                return True
            del self.at[-1], self.wheels[-1]
        return False


def ways(roll: Roll) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield each way a roll can fall with its chance: faces in order, or by what is counted.

    >>> list(ways(Roll("to wound", 2, need=5)))
    [((1, 1), Fraction(4, 9)), ((1, 5), Fraction(4, 9)), ((5, 5), Fraction(1, 9))]
    """
    if roll.purpose not in COUNTED or not roll.need:
        chance = Fraction(1, roll.sides**roll.count)
        for faces in product(range(1, roll.sides + 1), repeat=roll.count):
            yield faces, chance
        return
    low, high = min(roll.need, 6), 6 if roll.purpose.startswith("to hit") else 7
    kinds = [(1, low - 1), (low, high - low), (high, 7 - high)]  # a face, and how many are like it
    kinds = [(face, alike) for face, alike in kinds if alike > 0]
    for counts in _shares(roll.count, len(kinds)):
        faces = tuple(face for (face, _), n in zip(kinds, counts, strict=True) for _ in range(n))
        left, number = roll.count, 1
        for (_, alike), n in zip(kinds, counts, strict=True):
            number *= comb(left, n) * alike**n
            left -= n
        yield faces, Fraction(number, 6**roll.count)


def _shares(number: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to share a number among kinds."""
    if kinds == 1:
        yield (number,)
        return
    for n in range(number, -1, -1):
        for rest in _shares(number - n, kinds - 1):
            yield n, *rest
