"""Convex polygons of whole-number corners: what is in them, what crosses or enters them, exactly.

Corners run anticlockwise, so the inside lies to the left of every side. The boundary is no part
of a polygon: a base that touches it is not in it, a line along it does not cross it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from engine.geometry.distance import Disc
from events.values import Point

Polygon = tuple[Point, ...]

Side = tuple[int, int, int, int, int, int, int, int]
"""A side's direction, its offset (a point is inside where dx y - dy x exceeds it), the square of
its length, and the two corners that it joins."""

Stretch = tuple[int, int, int, int]
"""A `Span` as a bare tuple."""


class Span(NamedTuple):
    """The stretch of a segment inside a polygon, as fractions of the segment's length."""

    enter: int
    enter_of: int
    leave: int
    leave_of: int


def is_convex(corners: Sequence[Point]) -> bool:
    """Is it a convex polygon, anticlockwise, without corners that bend nothing?

    >>> is_convex((Point(0, 0), Point(9, 0), Point(9, 9))), is_convex((Point(0, 0), Point(9, 9)))
    (True, False)
    """
    n = len(corners)
    turned = 0
    for i, b in enumerate(corners):
        a, c = corners[i - 1], corners[(i + 1) % n]
        ux, uy, vx, vy = b.x - a.x, b.y - a.y, c.x - b.x, c.y - b.y
        if ux * vy - uy * vx <= 0:
            return False
        turned += (uy < 0) != (vy < 0)  # a polygon that winds twice turns over more than twice
    return n >= 3 and turned <= 2


class Shape(NamedTuple):
    """What the tests look up of a polygon again and again: plain numbers, worked out once."""

    lox: int
    loy: int
    hix: int
    hiy: int
    sides: tuple[Side, ...]


@lru_cache(maxsize=2000)
def shape_of(corners: Polygon) -> Shape:
    """Return a polygon's box and sides, the one to its first corner first."""
    xs, ys = [c.x for c in corners], [c.y for c in corners]
    sides = []
    ax, ay = corners[-1].x, corners[-1].y
    for corner in corners:
        bx, by = corner.x, corner.y
        ex, ey = bx - ax, by - ay
        sides.append((ex, ey, ex * ay - ey * ax, ex * ex + ey * ey, ax, ay, bx, by))
        ax, ay = bx, by
    return Shape(min(xs), min(ys), max(xs), max(ys), tuple(sides))


def span(x0: int, y0: int, x1: int, y1: int, corners: Polygon) -> Span | None:
    """Return where a segment runs inside a polygon, or None if it never does.

    >>> square = (Point(2, 0), Point(4, 0), Point(4, 9), Point(2, 9))
    >>> span(0, 5, 8, 5, square)
    Span(enter=18, enter_of=72, leave=36, leave_of=72)
    """
    found = stretch(x0, y0, x1, y1, shape_of(corners).sides)
    return None if found is None else Span(*found)


def stretch(x0: int, y0: int, x1: int, y1: int, sides: Sequence[Side]) -> Stretch | None:
    """Return the same as `span` as a bare tuple, of a polygon by its sides."""
    enter, enter_of, leave, leave_of = 0, 1, 1, 1
    for ex, ey, offset, _, _, _, _, _ in sides:
        first = ex * y0 - ey * x0 - offset
        last = ex * y1 - ey * x1 - offset
        if first <= 0 and last <= 0:
            return None
        if first < 0:
            if first * -enter_of > enter * (last - first):
                enter, enter_of = -first, last - first
        elif last < 0 and first * leave_of < leave * (first - last):
            leave, leave_of = first, first - last
    if enter * leave_of >= leave * enter_of:
        return None
    return enter, enter_of, leave, leave_of


def holds(x: int, y: int, corners: Polygon) -> bool:
    """Is the point strictly inside?"""
    for ex, ey, offset, _, _, _, _, _ in shape_of(corners).sides:
        if ex * y - ey * x <= offset:
            return False
    return True


def enters(x0: int, y0: int, x1: int, y1: int, cx: int, cy: int, square: int) -> bool:
    """Does the segment come strictly nearer to a point than `square` (127 mils, squared)?

    A segment of no length is a point.
    """
    vx, vy = x1 - x0, y1 - y0
    wx, wy = cx - x0, cy - y0
    along = vx * wx + vy * wy
    if along <= 0:
        return 16129 * (wx * wx + wy * wy) < square
    length = vx * vx + vy * vy
    if along >= length:
        wx, wy = cx - x1, cy - y1
        return 16129 * (wx * wx + wy * wy) < square
    cross = vx * wy - vy * wx
    return 16129 * cross * cross < square * length


def sweeps(x0: int, y0: int, x1: int, y1: int, square: int, corners: Polygon) -> bool:
    """Does a base of that radius (127 mils, squared), moved along the segment, enter a polygon?

    It doesn't where the box or a side keeps them apart: that is told first, and mostly so.
    """
    lox, loy, hix, hiy, sides = shape_of(corners)
    reach = isqrt(square) // 127 + 1
    if (
        (x0 - hix >= reach and x1 - hix >= reach)
        or (lox - x0 >= reach and lox - x1 >= reach)
        or (y0 - hiy >= reach and y1 - hiy >= reach)
        or (loy - y0 >= reach and loy - y1 >= reach)
    ):
        return False
    held = True  # the start is on the inner side of every side
    for ex, ey, offset, length, _, _, _, _ in sides:
        first = ex * y0 - ey * x0 - offset
        if first <= 0:
            held = False
            last = ex * y1 - ey * x1 - offset
            if last <= 0 and 16129 * max(first, last) ** 2 >= square * length:
                return False
    if held:
        return True
    if x0 == x1 and y0 == y1:
        return any(enters(ax, ay, bx, by, x0, y0, square) for _, _, _, _, ax, ay, bx, by in sides)
    if stretch(x0, y0, x1, y1, sides) is not None:
        return True
    for _, _, _, _, ax, ay, bx, by in sides:
        if (
            enters(x0, y0, x1, y1, bx, by, square)
            or enters(ax, ay, bx, by, x0, y0, square)
            or enters(ax, ay, bx, by, x1, y1, square)
        ):
            return True
    return False


def stands_in(disc: Disc, corners: Polygon) -> bool:
    """Is any part of the base inside? Touching the boundary is not. [MEAS-4]

    >>> square = (Point(2000, 0), Point(4000, 0), Point(4000, 9000), Point(2000, 9000))
    >>> stands_in(Disc(1500, 5000, 127), square), stands_in(Disc(1501, 5000, 127), square)
    (False, True)
    """
    reach = 500 * disc[2]
    return sweeps(disc[0], disc[1], disc[0], disc[1], reach * reach, corners)


def bounds(corners: Sequence[Point]) -> Disc:
    """Return a disc around a polygon, a little larger: what it doesn't reach, the polygon can't."""
    xs, ys = [c.x for c in corners], [c.y for c in corners]
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    mils = max(isqrt((c.x - x) ** 2 + (c.y - y) ** 2) for c in corners) + 1
    return Disc(x, y, mils * 127 // 500 + 1)


class Barrier(Disc):
    """Ground that a move may not enter: a disc around it for culling, and its exact corners."""

    corners: Polygon
    rule: str
    """The rule that a move into it breaks."""
    reason: str

    @classmethod
    def around(cls, corners: Polygon, rule: str, reason: str) -> Barrier:
        """Return a convex polygon as a barrier."""
        barrier = cls(*bounds(corners))
        barrier.corners, barrier.rule, barrier.reason = corners, rule, reason
        return barrier

    def __eq__(self, other: object) -> bool:
        """Two barriers may have the same disc around them; a base is never one."""
        return isinstance(other, Barrier) and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self[0], self[1], self[2], self.corners, self.rule, self.reason


def on_barrier(disc: Disc, among: Iterable[Disc]) -> Barrier | None:
    """Return the first barrier that a base stands on, or None."""
    for other in among:
        if isinstance(other, Barrier) and stands_in(disc, other.corners):
            return other
    return None
