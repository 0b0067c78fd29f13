"""Distances between round bases, exactly, in integers.

Centres are mils, radii are tenths of a millimetre. One inch is 1000 mils and 254 tenths of a
millimetre, so a radius r is 500 r / 127 mils, and the edges of two bases are

    d - 500 (r1 + r2) / 127    mils apart, with d the distance of the centres.

Multiplied by 127 and squared, every comparison is one between whole numbers: "exactly 12 inches"
means the same on every machine. Nothing here rounds before it compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from events.values import Point, Rect

INCH = 1000
"""Mils in an inch."""

CONTACT = 10
"""Base contact is a gap of 0 to this many mils: two round bases touch exactly at only a handful
of whole-number offsets, so a hair's breadth has to count as touching."""

NEARNESS_BITS = 80
"""Binary places of `nearness`; see there for why 80 are enough."""


def inches(mils: int) -> str:
    """Return a length as people read it.

    >>> inches(6000), inches(1016)
    ('6"', '1.016"')
    """
    whole, part = divmod(mils, 1000)
    return f"{whole}.{part:03}".rstrip("0").rstrip(".") + '"'


class Disc(NamedTuple):
    """A round base on the table: centre in mils, radius in tenths of a millimetre.

    >>> Disc.at(Point(2000, 0), 125)
    Disc(x=2000, y=0, r=125)
    """

    x: int
    y: int
    r: int

    @classmethod
    def at(cls, point: Point, r: int) -> Disc:
        """Return the base of radius `r` standing at `point`."""
        return cls(point.x, point.y, r)

    @property
    def centre(self) -> Point:
        """The centre as a `Point`."""
        return Point(self.x, self.y)

    def moved(self, to: Point) -> Disc:
        """Return the same base standing at `to`."""
        return Disc(to.x, to.y, self.r)


def within(a: Disc, b: Disc, mils: int) -> bool:
    """Are the edges at most `mils` apart? Exactly `mils` counts as within. [MEAS-2, MEAS-3]

    >>> within(Disc(0, 0, 127), Disc(3000, 0, 127), 2000)
    True
    >>> within(Disc(0, 0, 127), Disc(3000, 0, 127), 1999)
    False
    """
    reach = 127 * mils + 500 * (a[2] + b[2])
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    return 16129 * (dx * dx + dy * dy) <= reach * reach


def overlaps(a: Disc, b: Disc) -> bool:
    """Do the bases cover common ground? Touching is not overlapping."""
    reach = 500 * (a[2] + b[2])
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    return 16129 * (dx * dx + dy * dy) < reach * reach


def in_contact(a: Disc, b: Disc) -> bool:
    """Are the bases in contact: a gap of 0 to `CONTACT` mils, no overlap?"""
    touch = 500 * (a[2] + b[2])
    reach = touch + 127 * CONTACT
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    return touch * touch <= 16129 * (dx * dx + dy * dy) <= reach * reach


def gap(a: Disc, b: Disc) -> int:
    """Return the distance from edge to edge in mils, rounded up, never below 0. [MEAS-2]

    Rounding up is the rounding that agrees with `within`: for every whole m from 0,
    ``within(a, b, m) == (gap(a, b) <= m)``.

    >>> gap(Disc(0, 0, 125), Disc(2000, 0, 125))
    1016
    """
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    return gap_of(dx * dx + dy * dy, a[2] + b[2])


def gap_of(square: int, radii: int) -> int:
    """Return the same by the square of the centres' distance and the sum of the radii."""
    apart = isqrt(16129 * square - 1) + 1 if square else 0
    excess = apart - 500 * radii
    return -(-excess // 127) if excess > 0 else 0


def nearness(a: Disc, b: Disc) -> int:
    """Return a sort key that orders pairs by their true, unrounded distance from edge to edge.

    The key is the floor of (127 d - 500 R) * 2**80: equal distances give equal keys, and unequal
    ones unequal keys. Proof of the second half: with whole A, B, C, D (A and C squares of 127 d,
    B and D sums of 500 r) the difference x = sqrt(A) - sqrt(C) - (B - D) and its three conjugates
    (the other signs of the roots) have a whole number as their product. If that isn't 0,
    abs(x) >= 1 / (product of the three); each is below 2**26 on any table up to 10 feet, so
    abs(x) > 2**-78, which 80 binary places tell apart. If another factor is 0, x is twice a root
    or twice a sum or difference of the roots: 0 or far larger. Overlaps give negative keys.

    >>> here, small, large = Disc(0, 0, 125), Disc(1000, 0, 125), Disc(1020, 0, 132)
    >>> nearness(here, large) < nearness(here, small)
    True
    """
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    return _key(dx * dx + dy * dy, a[2] + b[2])


def _key(square: int, radii: int) -> int:
    root = isqrt(16129 * square << 2 * NEARNESS_BITS)
    return root - (500 * radii << NEARNESS_BITS)


def nearness_to(disc: Disc, others: Sequence[Disc]) -> int:
    """Return the `nearness` of a base to the nearest of others; there is at least one.

    Among bases of one size the nearest centre tells, so that only that one's root is taken.
    """
    x, y, r = disc
    size = others[0][2]
    squares = [(x - ox) ** 2 + (y - oy) ** 2 for ox, oy, other in others if other == size]
    if len(squares) < len(others):
        return min([nearness(disc, other) for other in others])
    return _key(min(squares), r + size)


def by_nearness(ours: Sequence[Disc], theirs: Sequence[Disc]) -> list[tuple[int, int, int]]:
    """Return all pairs, the nearest first: a key, the index in ours, then in theirs.

    With equal bases the squares of the centres' distances sort the same and are cheap.
    """
    if len({disc[2] for disc in ours}) == 1 and len({disc[2] for disc in theirs}) == 1:
        return sorted(
            ((ax - bx) ** 2 + (ay - by) ** 2, i, k)
            for i, (ax, ay, _) in enumerate(ours)
            for k, (bx, by, _) in enumerate(theirs)
        )
    return sorted((nearness(a, b), i, k) for i, a in enumerate(ours) for k, b in enumerate(theirs))


def nearer(a: Disc, b: Disc, c: Disc, d: Disc) -> bool:
    """Is `a` strictly nearer to `b` than `c` is to `d`?"""
    return nearness(a, b) < nearness(c, d)


def closest(ours: Sequence[Disc], theirs: Sequence[Disc]) -> tuple[int, int]:
    """Return the indices of the two closest models; ties go to the first of ours, then theirs.

    Neither may be empty. [MEAS-4]
    """
    radii = {disc[2] for disc in ours}, {disc[2] for disc in theirs}
    best = (0, 0)
    least: int | None = None
    equal = len(radii[0]) == 1 and len(radii[1]) == 1
    for i, a in enumerate(ours):
        ax, ay, _ = a
        for j, b in enumerate(theirs):
            # With equal bases the squares of the centres' distances sort the same and are cheap.
            key = (ax - b[0]) ** 2 + (ay - b[1]) ** 2 if equal else nearness(a, b)
            if least is None or key < least:
                least, best = key, (i, j)
    return best


def unit_gap(ours: Sequence[Disc], theirs: Sequence[Disc]) -> int:
    """Return the gap of the two closest models in mils, rounded up as `gap` is. [MEAS-4]"""
    i, j = closest(ours, theirs)
    return gap(ours[i], theirs[j])


class Box(NamedTuple):
    """The least upright rectangle around the centres of bases, and the widest of their radii."""

    lox: int
    loy: int
    hix: int
    hiy: int
    r: int


@lru_cache(maxsize=1000)
def box_of(discs: tuple[Disc, ...]) -> Box:
    """Return the box around bases; there is at least one."""
    xs, ys = [d[0] for d in discs], [d[1] for d in discs]
    return Box(min(xs), min(ys), max(xs), max(ys), max([d[2] for d in discs]))


def may_be_within(a: Box, b: Box, mils: int) -> bool:
    """May a base of one box be within `mils` of one of the other? Where not, none is."""
    reach = 127 * mils + 500 * (a[4] + b[4])
    return (
        127 * (b[0] - a[2]) <= reach
        and 127 * (a[0] - b[2]) <= reach
        and 127 * (b[1] - a[3]) <= reach
        and 127 * (a[1] - b[3]) <= reach
    )


def units_within(ours: Sequence[Disc], theirs: Sequence[Disc], mils: int) -> bool:
    """Is any model of ours within `mils` of any of theirs? [MEAS-3, MEAS-4]"""
    if not ours or not theirs:
        return False
    if not may_be_within(box_of(tuple(ours)), box_of(tuple(theirs)), mils):
        return False
    for ax, ay, ar in ours:
        for bx, by, br in theirs:
            reach = 127 * mils + 500 * (ar + br)
            dx = ax - bx
            dy = ay - by
            if 16129 * (dx * dx + dy * dy) <= reach * reach:
                return True
    return False


def inside(disc: Disc, rect: Rect) -> bool:
    """Is the whole base within the rectangle? Touching its edge is within. [MEAS-4, MOVE-5]

    >>> inside(Disc(500, 500, 127), Rect(0, 0, 4000, 4000))
    True
    >>> inside(Disc(499, 500, 127), Rect(0, 0, 4000, 4000))
    False
    """
    x, y, r = disc
    reach = 500 * r
    return (
        127 * (x - rect.x0) >= reach
        and 127 * (rect.x1 - x) >= reach
        and 127 * (y - rect.y0) >= reach
        and 127 * (rect.y1 - y) >= reach
    )
