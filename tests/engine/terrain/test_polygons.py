"""Convex polygons: inside, across, swept over."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import Disc
from engine.geometry.polygons import (
    Polygon,
    bounds,
    holds,
    is_convex,
    span,
    stands_in,
    sweeps,
)
from events.values import Point

SQUARE: Polygon = (Point(2000, 0), Point(4000, 0), Point(4000, 9000), Point(2000, 9000))
WEDGE: Polygon = (Point(0, 0), Point(6000, 0), Point(1000, 5000))
COORDS = st.integers(-10_000, 10_000)


def test_only_convex_anticlockwise_polygons_count() -> None:
    assert is_convex(SQUARE)
    assert not is_convex(SQUARE[::-1])
    assert not is_convex((*SQUARE[:2], Point(4000, 4000), *SQUARE[2:]))
    star = tuple(Point(x, y) for x, y in ((0, 10), (-6, -8), (9, 3), (-9, 3), (6, -8)))
    assert not is_convex(star)


def test_a_line_along_a_side_does_not_cross() -> None:
    assert span(2000, -5000, 2000, 20000, SQUARE) is None
    assert span(2001, -5000, 2001, 20000, SQUARE) is not None


@given(COORDS, COORDS, COORDS, COORDS, st.integers(1, 39))
def test_a_span_is_where_the_segment_is_inside(x0: int, y0: int, x1: int, y1: int, k: int) -> None:
    """At k fortieths of the way, in a polygon forty times as large: whole numbers again."""
    found = span(x0, y0, x1, y1, WEDGE)
    large = tuple(Point(40 * corner.x, 40 * corner.y) for corner in WEDGE)
    inside = holds(40 * x0 + (x1 - x0) * k, 40 * y0 + (y1 - y0) * k, large)
    assert inside == (
        found is not None
        and Fraction(found.enter, found.enter_of)
        < Fraction(k, 40)
        < Fraction(found.leave, found.leave_of)
    ) or (inside and (x0, y0) == (x1, y1))


def test_a_base_that_touches_is_not_in() -> None:
    assert not stands_in(Disc(1500, 5000, 127), SQUARE)
    assert stands_in(Disc(1501, 5000, 127), SQUARE)
    assert stands_in(Disc(3000, 5000, 1), SQUARE)


def test_a_base_swept_past_a_corner_touches_or_enters() -> None:
    radius = (500 * 127) ** 2
    assert not sweeps(1500, -3000, 1500, 12000, radius, SQUARE)
    assert sweeps(1501, -3000, 1501, 12000, radius, SQUARE)
    assert not sweeps(0, -500, 6000, -500, radius, SQUARE)
    assert sweeps(0, -499, 6000, -499, radius, SQUARE)
    assert not sweeps(4354, 9354, 4354, 9354, radius, SQUARE)
    assert sweeps(4353, 9353, 4353, 9353, radius, SQUARE)


@given(COORDS, COORDS, st.integers(1, 600))
def test_nothing_outside_the_bounds_is_in(x: int, y: int, r: int) -> None:
    around = bounds(WEDGE)
    apart = 127 * 127 * ((x - around.x) ** 2 + (y - around.y) ** 2)
    if apart >= (500 * (r + around.r)) ** 2:
        assert not stands_in(Disc(x, y, r), WEDGE)
