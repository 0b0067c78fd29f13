"""Dice luck: successes against what the dice owed, with exact odds in whole numbers. [P1]

Dice with a stated need are independent, so the number of successes is a sum of binomials, one for
each need. Its distribution is worked out exactly, in integers; nothing is simulated or rounded
before the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from events.base import Side, Value
from projections.readmodels.dice_log import Rolled

FEWEST = 30
"""Below so many dice with a stated need there is nothing to say about luck."""

Groups = Iterable[tuple[int, Fraction]]
"""Number of dice and the chance of each of them."""


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
    """Return a player's luck over a dice log. A thousand dice take 20 milliseconds."""
    rolls = [roll for roll in log if roll.player == player and roll.need]
    groups = grouped(rolls)
    passed = sum(roll.passed for roll in rolls)
    total = sum(count for count, _ in groups)
    expected = sum((count * chance for count, chance in groups), Fraction(0))
    place = percentile(groups, passed) if total >= FEWEST else None
    return Luck(player, total, passed, int(expected * 10), place)


def chance_of(need: int, sides: int = 6) -> Fraction:
    """Return the chance that a die shows `need` or more.

    >>> chance_of(3), chance_of(7), chance_of(1)
    (Fraction(2, 3), Fraction(0, 1), Fraction(1, 1))
    """
    return Fraction(min(max(sides - need + 1, 0), sides), sides)


def grouped(rolls: Iterable[Rolled]) -> list[tuple[int, Fraction]]:
    """Return how many dice of the rolls had which chance, the smallest chance first."""
    dice: Counter[Fraction] = Counter()
    for roll in rolls:
        if roll.need:
            dice[chance_of(roll.need, roll.sides)] += len(roll.faces)
    return sorted(((count, chance) for chance, count in dice.items()), key=lambda group: group[1])


def percentile(groups: Groups, passed: int) -> int:
    """Return the per mille of outcomes below `passed`, with half of those equal to it.

    `groups` are (number of dice, chance of each). Exact; rounded to the nearest whole per mille.

    >>> percentile([(1, Fraction(1, 2))], 1)
    750
    >>> percentile([(30, Fraction(1, 2)), (12, Fraction(1, 3))], 19)
    502
    """
    return int(1000 * share_below(distribution(groups), passed) + Fraction(1, 2))


def share_below(weights: Sequence[int], passed: int) -> Fraction:
    """Return the exact share of outcomes below `passed`, with half of those equal to it.

    >>> share_below([1, 2, 1], 1)
    Fraction(1, 2)
    """
    return Fraction(2 * sum(weights[:passed]) + weights[passed], 2 * sum(weights))


def distribution(groups: Groups) -> list[int]:
    """Return the exact weight of 0, 1, 2, ... successes among dice of different chances.

    The weights are the coefficients of f = (no + yes x) ** count multiplied over the groups. As
    f' / f is a sum of simple fractions, each coefficient follows from the few before it (Euler's
    rule for powers of polynomials), so the cost is dice times groups, not dice squared: about
    20 milliseconds for a thousand dice of five chances.

    >>> distribution([(2, Fraction(1, 3)), (1, Fraction(1, 2))])
    [4, 8, 5, 1]
    """
    sure = never = 0
    mixed: list[tuple[int, int, int]] = []
    for count, chance in groups:
        yes, no = chance.numerator, chance.denominator - chance.numerator
        if not no:
            sure += count
        elif not yes:
            never += count
        elif count:
            mixed.append((count, no, yes))
    below, above = [1], [0] * max(len(mixed), 1)  # f' * below = f * above
    for i, (_, no, yes) in enumerate(mixed):
        below = _times(below, no, yes)
        others = [1]
        for j, (_, no_j, yes_j) in enumerate(mixed):
            if i != j:
                others = _times(others, no_j, yes_j)
        above = [a + mixed[i][0] * yes * b for a, b in zip(above, others, strict=True)]
    weights = [1]
    for count, no, _ in mixed:
        weights[0] *= no**count
    for k in range(sum(count for count, _, _ in mixed)):
        due = sum(a * weights[k - j] for j, a in enumerate(above[: k + 1]))
        due -= sum(b * (k - j) * weights[k - j] for j, b in enumerate(below[1 : k + 1]))
        weights.append(due // (below[0] * (k + 1)))
    return [0] * sure + weights + [0] * never


def _times(polynomial: list[int], no: int, yes: int) -> list[int]:
    """Return the polynomial multiplied by (no + yes x)."""
    return [
        no * low + yes * high for low, high in zip([*polynomial, 0], [0, *polynomial], strict=True)
    ]
