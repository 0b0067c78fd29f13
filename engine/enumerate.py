"""Every way the dice of a play can fall, with its exact chance.

`outcomes` plays an action again and again, each time with dice that fall another way, until all
ways are walked: odds that share nothing with chance. The walk is exact as long as rules read of a
die what `ways` tells apart: of a roll with a need whether it succeeds and whether it is the highest
face (Precision Shots), of a `SUMMED` roll which faces fell, of any other roll everything, order
included.

>>> def charge(dice):
...     return sum(dice.faces(None, Roll("charge range", 2), 0))
>>> chances = outcomes(charge, key=lambda inches: inches >= 8)
>>> chances[True], sum(chances.values())
(Fraction(5, 12), Fraction(1, 1))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial
from typing import NamedTuple, TypeVar

from engine.ask import Roll
from engine.dice import DiceFrom
from events.errors import WarledgerError
from events.game import DiceSource
from projections.battle import Battle

SUMMED = frozenset({"charge range", "difficult terrain", "fall back", "morale", "regroup"})
"""Rolls of several dice without a need of which the order doesn't matter."""

MOST = 200_000
"""An action that can end in more ways than this is too large to walk."""

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class TooManyWays(WarledgerError):
    """The dice can fall in more ways than are to be walked; `most` is that number."""

    def __init__(self, most: int) -> None:
        super().__init__("enumerate", f"the dice can fall in more than {most} ways")
        self.most = most


def outcomes(
    play: Callable[[DiceFrom], T],
    key: Callable[[T], K],
    ignore: Sequence[str] = (),
    most: int = MOST,
) -> dict[K, Fraction]:
    """Return the exact chance of everything that a play can lead to.

    What is alike has the same `key`; keys stand in the order they were first met. Rolls for the
    purposes to `ignore`, on which no key depends, fall one way only. Costs a play for each way the
    dice can fall. Raises TooManyWays after `most` of them.
    """
    chances: dict[K, Fraction] = {}
    dice = WalkingDice(ignore)
    walked = 0
    while dice.next_way():
        walked += 1
        if walked > most:
            raise TooManyWays(most)
        found = key(play(dice))
        chances[found] = chances.get(found, Fraction(0)) + dice.chance
    return chances


class Faces(NamedTuple):
    """Faces that stand for all those that rules can't tell from them."""

    faces: tuple[int, ...]
    chance: Fraction


class WalkingDice:
    """Faces that walk through everything a play can meet, one way at a time.

    >>> dice = WalkingDice()
    >>> met = []
    >>> while dice.next_way():
    ...     (face,) = dice.faces(None, Roll("save", need=5), 0)
    ...     met.append((face, dice.chance))
    >>> met
    [(1, Fraction(2, 3)), (5, Fraction(1, 6)), (6, Fraction(1, 6))]
    """

    source: DiceSource = "seeded"
    salt = 0

    def __init__(self, ignore: Sequence[str] = ()) -> None:
        self.chance = Fraction(1)
        """The chance of this way as far as it was rolled."""
        self._ignore = ignore
        self._way: list[Iterator[Faces]] = []
        self._now: list[Faces] = []
        self._at = -1

    def next_way(self) -> bool:
        """Go to the next way, or say that all were walked. The play starts again."""
        if self._at >= 0:
            while self._way:
                turned = next(self._way[-1], None)
                if turned is not None:
                    self._now[-1] = turned
                    break
                self._way.pop()
                self._now.pop()
            if not self._way:
                return False
        self.chance, self._at = Fraction(1), 0
        return True

    def faces(self, battle: Battle | None, roll: Roll, ordinal: int) -> tuple[int, ...]:
        """Return this way's faces of a roll."""
        if self._at == len(self._way):
            alone = iter((Faces((1,) * roll.count, Fraction(1)),))
            self._way.append(alone if roll.purpose in self._ignore else ways(roll))
            self._now.append(next(self._way[-1]))
        here = self._now[self._at]
        self._at += 1
        self.chance *= here.chance
        return here.faces


def ways(roll: Roll) -> Iterator[Faces]:
    """Yield what a roll can show, as far as rules tell it apart, with exact chances.

    >>> [(one.faces, str(one.chance)) for one in ways(Roll("to wound", 2, need=6))]
    [((1, 1), '25/36'), ((1, 6), '5/18'), ((6, 6), '1/36')]
    """
    count, sides = roll.count, roll.sides
    if not _unordered(roll):
        each = Fraction(1, sides**count)
        for faces in product(range(1, sides + 1), repeat=count):
            yield Faces(faces, each)
        return
    like = Counter(class_of(face, sides, roll.need) for face in range(1, sides + 1))
    for faces in combinations_with_replacement(sorted(like), count):
        orders = factorial(count)
        for face, times in Counter(faces).items():
            orders = orders // factorial(times) * like[face] ** times
        yield Faces(faces, Fraction(orders, sides**count))


def number(roll: Roll) -> int:
    """Return how many `ways` a roll has, without making them.

    >>> number(Roll("to wound", 2, need=6)), number(Roll("scatter", 2)), number(Roll("morale", 2))
    (3, 36, 21)
    """
    if not _unordered(roll):
        return int(roll.sides**roll.count)
    kinds = len({class_of(face, roll.sides, roll.need) for face in range(1, roll.sides + 1)})
    return comb(roll.count + kinds - 1, roll.count)


def class_of(face: int, sides: int, need: int) -> int:
    """Return the face that stands for a face: itself where there is no need to reach.

    >>> [class_of(face, 6, 4) for face in range(1, 7)]
    [1, 1, 1, 4, 4, 6]
    """
    if face == sides or not need:
        return face
    return need if face >= need else 1


def _unordered(roll: Roll) -> bool:
    return bool(roll.need) or roll.purpose in SUMMED
