"""Dice luck: successes against what the dice owed, with exact odds in whole numbers. [P1]

Dice with a stated need are independent, so the number of successes is a sum of binomials, one for
each need. Its distribution is worked out exactly, in integers; nothing is simulated or rounded
before the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb

from events.base import Side, Value
from projections.readmodels.dice_log import Rolled

FEWEST = 30
"""Below so many dice with a stated need there is nothing to say about luck."""


class Luck(Value, frozen=True, gc=False):
    """A player's dice with a stated need: how many, how many succeeded, how many should have."""

    player: Side
    dice: int
    passed: int
    expected: int
    """Expected successes in tenths, rounded down."""
    per_mille: int | None
    """How many of a thousand players would have had fewer successes, half of those with as many
    counted in: 500 is as expected. None below `FEWEST` dice."""


def luck(log: Iterable[Rolled], player: Side) -> Luck:
    """Return a player's luck over a dice log. A thousand dice take half a second."""
    dice: Counter[tuple[int, int]] = Counter()
    passed = 0
    for roll in log:
        if roll.player == player and roll.need:
            ways = min(max(roll.sides - roll.need + 1, 0), roll.sides)
            dice[(ways, roll.sides)] += len(roll.faces)
            passed += roll.passed
    groups = [(count, Fraction(*chance)) for chance, count in sorted(dice.items())]
    total = sum(count for count, _ in groups)
    expected = sum((count * chance for count, chance in groups), Fraction(0))
    place = percentile(groups, passed) if total >= FEWEST else None
    return Luck(player, total, passed, int(expected * 10), place)


def percentile(groups: Iterable[tuple[int, Fraction]], passed: int) -> int:
    """Return the per mille of outcomes below `passed`, with half of those equal to it.

    `groups` are (number of dice, chance of each). Exact; rounded to the nearest whole per mille.

    >>> percentile([(1, Fraction(1, 2))], 1)
    750
    >>> percentile([(30, Fraction(1, 2)), (12, Fraction(1, 3))], 19)
    502
    """
    weights = [1]
    for count, chance in groups:
        yes, no = chance.numerator, chance.denominator - chance.numerator
        binomial = [comb(count, k) * yes**k * no ** (count - k) for k in range(count + 1)]
        weights = _convolved(weights, binomial)
    twice = 2 * sum(weights[:passed]) + weights[passed]
    return (1000 * twice + sum(weights)) // (2 * sum(weights))


def _convolved(one: list[int], two: list[int]) -> list[int]:
    """Return the weights of the sum of two independent counts.

    Both lists become one long integer each, with room for any weight in every slot: then a single
    multiplication does the work of the double loop, several times faster.
    """
    size = (sum(one) * sum(two)).bit_length() // 8 + 1
    left, right = (
        int.from_bytes(b"".join(weight.to_bytes(size, "little") for weight in weights), "little")
        for weights in (one, two)
    )
    slots = len(one) + len(two) - 1
    product = (left * right).to_bytes(size * slots, "little")
    return [int.from_bytes(product[size * k : size * (k + 1)], "little") for k in range(slots)]
