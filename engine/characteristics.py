"""General principles of numbers: modifiers in order, dividing, shares, D3, tests. [CMOD, DIV, CTST]

Profiles are never overwritten: an effective value is the profile's with what modifies it now.
[CMOD-4] A value is None, or 0, where a model has none of the characteristic. [ZERO-1]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Characteristic = Literal[
    "ws", "bs", "strength", "toughness", "wounds", "initiative", "attacks", "leadership"
]

HIGHEST = 10
"""No modifier raises a characteristic above this, but for Attacks. [CMOD-3, PROF-2]"""

DEADLY: tuple[Characteristic, ...] = ("strength", "toughness", "wounds")
"""A model with one of these at 0 is removed as a casualty. [ZERO-3]"""


class Modifier(NamedTuple):
    """What an effect does to a characteristic, such as ``Modifier("times", 2)``."""

    how: Literal["times", "over", "add", "set"]
    amount: int


def modified(
    name: Characteristic, value: int, modifiers: Iterable[Modifier], pinned: int | None = None
) -> int:
    """Return a characteristic with its modifiers. [CMOD-1, CMOD-2, CMOD-3]

    Multiplications and divisions come first, then additions, then what sets a value: the latest
    [AMB-1], but `pinned` before all (Initiative 1 for difficult terrain [CMOD-5]). Fractions are
    rounded up once, at the end. [DIV-2] Initiative stays at 1 or more, everything else at 0.

    >>> modified("strength", 4, [Modifier("add", 1), Modifier("times", 2)])
    9
    >>> modified("initiative", 3, [Modifier("add", -4)])
    1
    """
    over, added, fixed = 1, 0, pinned
    for how, amount in modifiers:
        if how == "times":
            value *= amount
        elif how == "over":
            over *= amount
        elif how == "add":
            added += amount
        elif pinned is None:
            fixed = amount
    if fixed is None:
        fixed = divided(value + added * over, over)
    if name != "attacks":
        fixed = min(HIGHEST, fixed)
    return max(1 if name == "initiative" else 0, fixed)


def deadly(name: Characteristic, value: int) -> bool:
    """Whether a model whose characteristic has this value is removed at once. [ZERO-3]

    >>> deadly("toughness", 0), deadly("attacks", 0), deadly("wounds", 1)
    (True, False, False)
    """
    return name in DEADLY and value <= 0


def divided(number: int, by: int) -> int:
    """Return a quotient with fractions rounded up: of a roll, a value, a number of models. [DIV-1]

    >>> divided(7, 2), divided(8, 2)
    (4, 4)
    """
    return -(-number // by)


def a_quarter(part: int, whole: int) -> bool:
    """Whether a part is 25% or more of the whole, exactly. [DIV-3]

    >>> a_quarter(2, 9), a_quarter(3, 9), a_quarter(2, 8)
    (False, True, True)
    """
    return 4 * part >= whole


def d3(face: int) -> int:
    """Return what a D6 shows as a D3. [DMOD-1]

    >>> [d3(face) for face in range(1, 7)]
    [1, 1, 2, 2, 3, 3]
    """
    return divided(face, 2)


def highest(values: Iterable[int | None]) -> int:
    """Return the value that a unit, or a model with several, tests on; 0 for none. [CTST-3, LDT-2]

    [MPRF-1] What is "-" counts as 0. [ZERO-1]

    >>> highest([7, None, 9, 8]), highest([None])
    (9, 0)
    """
    return max((value or 0 for value in values), default=0)


def rolls_test(value: int) -> bool:
    """Whether a test on a value is rolled: on 0 it fails without dice. [CTST-4, ZERO-4, AUTO-1]"""
    return value > 0


def passes_test(value: int, face: int) -> bool:
    """Whether a characteristic test is passed: a D6 of at most the value. [CTST-1, CTST-2]

    A 6 always fails and a 1 always passes; on 0 nothing does. [CTST-4] Leadership is tested with
    two dice and otherwise. [CTST-5]

    >>> passes_test(5, 4), passes_test(10, 6), passes_test(1, 1), passes_test(0, 1)
    (True, False, True, False)
    """
    return rolls_test(value) and face < 6 and (face == 1 or face <= value)
