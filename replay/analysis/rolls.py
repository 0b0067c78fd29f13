"""Every roll of a game with its exact probability, and each player's luck by kind of roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import comb

from events.base import SIDES, Side, Value
from projections.readmodels import Rolled
from projections.readmodels.luck import FEWEST, chance_of, distribution, grouped, share_below


class RollOdds(Value, frozen=True, gc=False):
    """How likely a roll was. Of successes where it needed some, else of its total."""

    roll: Rolled
    exactly: Fraction
    """The chance of just this many."""
    as_many: Fraction
    """The chance of as many or more."""

    @property
    def rarity(self) -> Fraction:
        """How rare it was: the chance of as much or more, or of as little or less, if smaller."""
        return min(self.as_many, 1 - self.as_many + self.exactly)


class KindLuck(Value, frozen=True, gc=False):
    """A player's dice of one kind: the exact distribution of successes and where his count lies."""

    player: Side
    kind: str
    """The roll's purpose, "to hit"; "" for all of them together."""
    dice: int
    passed: int
    expected: Fraction
    groups: tuple[tuple[int, Fraction], ...]
    """How many dice had which chance: `distribution` makes the exact weight of 0, 1, 2, ...
    successes of it."""
    below: Fraction | None
    """Exact share of players who would have had fewer successes, half of those with as many
    counted in: 1/2 is as expected. None below `FEWEST` dice."""


def roll_odds(log: Iterable[Rolled]) -> tuple[RollOdds, ...]:
    """Return the exact probability of every roll."""
    return tuple(odds_of(roll) for roll in log)


def odds_of(roll: Rolled) -> RollOdds:
    """Return the exact probability of one roll."""
    if roll.need:
        exactly, as_many = success_odds(len(roll.faces), roll.need, roll.sides, roll.passed)
    else:
        exactly, as_many = total_odds(len(roll.faces), roll.sides, sum(roll.faces))
    return RollOdds(roll, exactly, as_many)


@cache
def success_odds(count: int, need: int, sides: int, passed: int) -> tuple[Fraction, Fraction]:
    """Return the chances of just so many successes, and of as many or more.

    >>> success_odds(2, 5, 6, 1)
    (Fraction(4, 9), Fraction(5, 9))
    """
    chance = chance_of(need, sides)
    shares = [
        comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(passed, count + 1)
    ]
    return shares[0], sum(shares, Fraction(0))


@cache
def total_odds(count: int, sides: int, total: int) -> tuple[Fraction, Fraction]:
    """Return the chances of just this total, and of as much or more.

    >>> total_odds(2, 6, 11)
    (Fraction(1, 18), Fraction(1, 12))
    """
    ways = [1]
    for _ in range(count):
        summed = [0] * (len(ways) + sides)
        for total_so_far, number in enumerate(ways):
            for face in range(1, sides + 1):
                summed[total_so_far + face] += number
        ways = summed
    whole = sides**count
    return Fraction(ways[total], whole), Fraction(sum(ways[total:]), whole)


def lucks(log: Sequence[Rolled]) -> tuple[KindLuck, ...]:
    """Return each player's luck: all dice with a stated need first, then kind by kind."""
    kinds = dict.fromkeys(roll.purpose for roll in log if roll.need)
    return tuple(
        one for player in SIDES for kind in ("", *kinds) if (one := luck_of(log, player, kind)).dice
    )


def luck_of(log: Iterable[Rolled], player: Side, kind: str = "") -> KindLuck:
    """Return a player's luck with one kind of roll, or with all dice that have a stated need."""
    rolls = [
        roll for roll in log if roll.player == player and roll.need and kind in ("", roll.purpose)
    ]
    return luck_from(player, kind, grouped(rolls), sum(roll.passed for roll in rolls))


def luck_from(
    player: Side, kind: str, groups: Sequence[tuple[int, Fraction]], passed: int
) -> KindLuck:
    """Return the luck of dice grouped by their chance; silent below `FEWEST` of them."""
    dice = sum(count for count, _ in groups)
    expected = sum((count * chance for count, chance in groups), Fraction(0))
    below = share_below(distribution(groups), passed) if dice >= FEWEST else None
    return KindLuck(player, kind, dice, passed, expected, tuple(groups), below)


def rarest(rolls: Iterable[RollOdds], most: int = 5) -> list[RollOdds]:
    """Return the rarest rolls of successes, the rarest first; of equals the earliest."""
    counted = [one for one in rolls if one.roll.need]
    return sorted(counted, key=lambda one: (one.rarity, one.roll.step))[:most]
