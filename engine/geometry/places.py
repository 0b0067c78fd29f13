"""Places around bases and vectors between them: where a base comes to stand, in whole mils."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

from engine.geometry.distance import Disc
from engine.geometry.paths import Hurdle, Path, segment_length
from events.values import Point

COMPASS: tuple[tuple[int, int], ...] = (
    (10000, 0), (9659, 2588), (8660, 5000), (7071, 7071), (5000, 8660), (2588, 9659),
    (0, 10000), (-2588, 9659), (-5000, 8660), (-7071, 7071), (-8660, 5000), (-9659, 2588),
    (-10000, 0), (-9659, -2588), (-8660, -5000), (-7071, -7071), (-5000, -8660), (-2588, -9659),
    (0, -10000), (2588, -9659), (5000, -8660), (7071, -7071), (8660, -5000), (9659, -2588),
)  # fmt: skip
"""Twenty-four directions from east, anticlockwise, 15 degrees apart, ten thousand long."""

TOUCH = 4
"""The gap in mils a placement aims at for base contact: whole-number rounding moves it by less
than 1 either way, well inside 0 to `CONTACT`."""


def step(dx: int, dy: int, length: int) -> tuple[int, int]:
    """Return the vector of at most `length` mils in a direction, rounded towards 0.

    >>> step(3, 4, 6000)
    (3600, 4800)
    """
    square = (dx * dx + dy * dy) << 40
    root = isqrt(square - 1) + 1 if square else 1
    x, y = (abs(dx) * length << 20) // root, (abs(dy) * length << 20) // root
    return (x if dx >= 0 else -x), (y if dy >= 0 else -y)


def beside(r: int, disc: Disc, clear: int, dx: int, dy: int) -> Point:
    """Return where a base of radius `r` stands at a gap of `clear` mils from `disc`, seen in a
    direction from its centre; within 1 mil. No direction means east.
    """
    x, y = _away(127 * clear + 500 * (r + disc[2]), dx, dy)
    return Point(disc[0] + x, disc[1] + y)


def _away(reach: int, dx: int, dy: int) -> tuple[int, int]:
    """Return the vector of `reach` (127 mils) in a direction, rounded to whole mils."""
    if not dx and not dy:
        dx = 1
    reach <<= 20
    root = 127 * isqrt((dx * dx + dy * dy) << 40)
    return (2 * dx * reach + root) // (2 * root), (2 * dy * reach + root) // (2 * root)


def touching(mover: Disc, disc: Disc) -> Point:
    """Return where the mover comes into contact with `disc` by the straight line."""
    return beside(mover[2], disc, TOUCH, mover[0] - disc[0], mover[1] - disc[1])


def ring(r: int, disc: Disc, clear: int, every: int = 1) -> list[Point]:
    """Return places around `disc` at a gap of `clear` mils, one for each `every`-th direction."""
    x, y, other = disc
    return [Point(x + dx, y + dy) for dx, dy in _star(127 * clear + 500 * (r + other))[::every]]


@lru_cache(maxsize=1000)
def _star(reach: int) -> tuple[tuple[int, int], ...]:
    """Return the vectors of `reach` (127 mils) in all directions: few lengths ever occur."""
    return tuple(_away(reach, dx, dy) for dx, dy in COMPASS)


def cut(start: Point, path: Path, distance: int) -> Path:
    """Return the path's first `distance` mils; its whole if it is no longer.

    >>> cut(Point(0, 0), (Point(3000, 0), Point(3000, 9000)), 5000)
    (Point(x=3000, y=0), Point(x=3000, y=2000))
    """
    kept: list[Point] = []
    for point in path:
        leg = segment_length(start, point)
        if leg > distance:
            dx, dy = step(point.x - start.x, point.y - start.y, distance)
            if dx or dy:
                kept.append(Point(start.x + dx, start.y + dy))
            break
        kept.append(point)
        distance -= leg
        start = point
    return tuple(kept)


Gon = tuple[tuple[int, int], ...]
"""A twelve-gon, anticlockwise from east."""


@lru_cache(maxsize=5000)
def _gon(reach: int) -> Gon:
    """Return the twelve-gon around a disc of that radius in mils: its sides stay outside."""
    out = reach * 10358 // 10000 + 3
    return tuple((dx * out // 10000, dy * out // 10000) for dx, dy in COMPASS[::2])


def rings(item: Hurdle) -> list[Gon]:
    """Return twelve-gons around a hurdle: their sides stay outside, exactly.

    A base has one; a polygon one around each of its corners, whose outermost points are no nearer
    to its sides than the mover may come.
    """
    x, y, reach, square, _, corners = item
    if corners is None:
        return [tuple([(x + dx, y + dy) for dx, dy in _gon(reach)])]
    around = _gon(isqrt(square) // 127 + 1)
    return [tuple([(c.x + dx, c.y + dy) for dx, dy in around]) for c in corners]
