"""Blast markers and the template as shapes on the table, and the way a marker scatters. [APOC]

A marker is a disc: 3, 5 or 10 inches are a whole number of tenths of a millimetre across. The
template is a tear 8 inches long: a triangle from its point and the disc at its round end.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

from engine.geometry.distance import Disc, overlaps
from engine.geometry.polygons import Polygon, stands_in
from events.values import Point

TEMPLATE = 8000
"""Length of the template in mils. [APOC-1]"""

_ROUND = 317
"""Radius of its round end in tenths of a millimetre: 1.25 inches."""
_END = TEMPLATE - 1250
_SIDE = (6519, 1228)
"""Where its straight side meets the round end: along the axis and across, from the point."""

DIRECTIONS = 36
"""Directions a marker scatters in: tens of degrees clockwise, 36 is north, 9 east."""

_SINES = (0, 173648, 342020, 500000, 642788, 766044, 866025, 939693, 984808, 1000000)
_UNIT = 1_000_000


def marker(at: Point, size: int) -> Disc:
    """Return a blast marker of so many mils across. [APOC-1]

    >>> marker(Point(0, 0), 3000).r, marker(Point(0, 0), 10000).r
    (381, 1270)
    """
    return Disc(at.x, at.y, size * 127 // 1000)


class Tear(NamedTuple):
    """The template as it lies."""

    side: Polygon
    end: Disc

    def covers(self, base: Disc) -> bool:
        """Does any part of a base lie under it?"""
        return overlaps(self.end, base) or stands_in(base, self.side)


def tear(shooter: Disc, toward: Point) -> Tear:
    """Return the template with its point at a base's edge, lying toward a place. [SR-13]

    `toward` is not the base's centre.

    >>> tear(Disc(0, 0, 127), Point(0, 9000))
    Tear(side=(Point(x=0, y=502), Point(x=1228, y=7021), Point(x=-1228, y=7021)), \
end=Disc(x=0, y=7252, r=317))
    """
    dx, dy = toward.x - shooter.x, toward.y - shooter.y
    length = isqrt((dx * dx + dy * dy) * 10**12)  # millionths of a mil
    edge = 500 * shooter.r // 127 + 2  # a hair off the base, so that rounding never puts it over

    def place(along: int, across: int) -> Point:
        along += edge
        return Point(
            shooter.x + _rounded((along * dx - across * dy) * 10**6, length),
            shooter.y + _rounded((along * dy + across * dx) * 10**6, length),
        )

    corners = place(0, 0), place(_SIDE[0], -_SIDE[1]), place(*_SIDE)
    return Tear(corners, Disc.at(place(_END, 0), _ROUND))


def scattered(at: Point, direction: int, distance: int) -> Point:
    """Return where a marker ends that scatters so many mils in one of the `DIRECTIONS`.

    >>> scattered(Point(0, 0), 36, 3000), scattered(Point(0, 0), 9, 3000)
    (Point(x=0, y=3000), Point(x=3000, y=0))
    >>> scattered(Point(0, 0), 21, 6000)
    Point(x=-3000, y=-5196)
    """
    return Point(
        at.x + _rounded(distance * _sine(direction), _UNIT),
        at.y + _rounded(distance * _sine(direction + 9), _UNIT),
    )


def _sine(tens: int) -> int:
    """Return the sine of an angle in tens of degrees, in millionths."""
    half, within = divmod(tens % 36, 18)
    value = _SINES[within if within <= 9 else 18 - within]
    return -value if half else value


def _rounded(number: int, by: int) -> int:
    """Return a quotient to the nearest whole number, the same to both sides of 0."""
    quotient = (2 * abs(number) + by) // (2 * by)
    return -quotient if number < 0 else quotient
