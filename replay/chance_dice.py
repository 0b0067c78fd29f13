"""Dice for what may come: faces of another key, or every face in turn with its weight. [P10]

The walk is exact as long as rules read of a die what `classes` tells apart: of a roll with a need
whether it succeeds and whether it is the highest face (Precision Shots), of a `SUMMED` roll which
faces fell, of any other roll everything, order included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial
from typing import NamedTuple

from engine.ask import Roll
from engine.dice import address_of, dice_at, key_of
from events.game import DiceSource
from projections.battle import Battle

SUMMED = frozenset({"charge range", "difficult terrain", "fall back", "morale", "regroup"})
"""Rolls of several dice without a need of which the order doesn't matter."""


class SampledDice:
    """Faces as a seed would give them; as many samples as there are seeds."""

    source: DiceSource = "seeded"

    def __init__(self, seed: str) -> None:
        self.salt = 0
        self.ways = 1
        """How many ways there would be to walk if all branched as this one does. (Knuth, 1975)"""
        self._key = key_of(seed)

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...]:
        """Return the faces at the roll's address."""
        self.ways *= number(roll.purpose, roll.count, roll.sides, roll.need)
        address = address_of(battle.clock, roll, self.salt)
        return dice_at(self._key, address, ordinal, roll.count, roll.sides)


class Faces(NamedTuple):
    """Faces that stand for all those that rules can't tell from them."""

    faces: tuple[int, ...]
    chance: Fraction


class WalkingDice:
    """Faces that walk through everything a play can meet, one way at a time.

    >>> dice = WalkingDice()
    >>> ways = []
    >>> while dice.next_way():
    ...     (face,) = dice.faces(None, Roll("save", need=5), 0)
    ...     ways.append((face, dice.chance))
    >>> ways
    [(1, Fraction(2, 3)), (5, Fraction(1, 6)), (6, Fraction(1, 6))]
    """

    source: DiceSource = "seeded"

    def __init__(self) -> None:
        self.salt = 0
        self.chance = Fraction(1)
        """The chance of this way as far as it was rolled."""
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
            self._way.append(iter(classes(roll.purpose, roll.count, roll.sides, roll.need)))
            self._now.append(next(self._way[-1]))
        here = self._now[self._at]
        self._at += 1
        self.chance *= here.chance
        return here.faces


@cache
def classes(purpose: str, count: int, sides: int, need: int) -> tuple[Faces, ...]:
    """Return what a roll can show, as far as rules tell it apart, with exact chances.

    >>> [(one.faces, str(one.chance)) for one in classes("to wound", 2, 6, 6)]
    [((1, 1), '25/36'), ((1, 6), '5/18'), ((6, 6), '1/36')]
    """
    if not (need or purpose in SUMMED):
        each = Fraction(1, sides**count)
        return tuple(Faces(faces, each) for faces in product(range(1, sides + 1), repeat=count))
    ways = Counter(class_of(face, sides, need) for face in range(1, sides + 1))
    found: list[Faces] = []
    for faces in combinations_with_replacement(sorted(ways), count):
        orders, alike = factorial(count), Counter(faces)
        for face, times in alike.items():
            orders = orders // factorial(times) * ways[face] ** times
        found.append(Faces(faces, Fraction(orders, sides**count)))
    return tuple(found)


def number(purpose: str, count: int, sides: int, need: int) -> int:
    """Return how many `classes` a roll has, without making them.

    >>> number("to wound", 2, 6, 6), number("scatter", 2, 6, 0), number("morale", 2, 6, 0)
    (3, 36, 21)
    """
    if not (need or purpose in SUMMED):
        return int(sides**count)
    kinds = len({class_of(face, sides, need) for face in range(1, sides + 1)})
    return comb(count + kinds - 1, count)


def class_of(face: int, sides: int, need: int) -> int:
    """Return the face that stands for a face: itself where there is no need to reach.

    >>> [class_of(face, 6, 4) for face in range(1, 7)]
    [1, 1, 1, 4, 4, 6]
    """
    if face == sides or not need:
        return face
    return need if face >= need else 1
