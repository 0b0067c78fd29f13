"""Markers on the table: what they cover, where they scatter. [APOC-1, APOC-3]"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import Disc, gap, overlaps
from engine.geometry.markers import DIRECTIONS, TEMPLATE, marker, scattered, tear
from events.values import Point

PLACES = st.builds(Point, st.integers(-40000, 40000), st.integers(-40000, 40000))


@pytest.mark.parametrize(("size", "radius"), [(3000, 381), (5000, 635), (10000, 1270)])
def test_a_marker_covers_what_is_partly_under_it(size: int, radius: int) -> None:
    """[APOC-1, APOC-3] Exactly half its width and half the base's; touching is not under it."""
    blast = marker(Point(0, 0), size)
    assert blast.r == radius
    assert overlaps(blast, Disc(size // 2 + 499, 0, 127))
    assert not overlaps(blast, Disc(size // 2 + 500, 0, 127))


@given(PLACES, st.integers(1, DIRECTIONS), st.integers(1, 12))
def test_a_marker_scatters_as_far_as_was_rolled(at: Point, direction: int, inches: int) -> None:
    to = scattered(at, direction, inches * 1000)
    off = (to.x - at.x) ** 2 + (to.y - at.y) ** 2
    assert (inches * 1000 - 1) ** 2 <= off <= (inches * 1000 + 1) ** 2
    # and back again in the opposite direction
    assert scattered(to, (direction + 17) % 36 + 1, inches * 1000) == at


def test_every_direction_is_another() -> None:
    ends = [scattered(Point(0, 0), direction, 12000) for direction in range(1, DIRECTIONS + 1)]
    assert len(set(ends)) == DIRECTIONS
    assert (sum(p.x for p in ends), sum(p.y for p in ends)) == (0, 0)


@given(PLACES.filter(lambda p: p != Point(0, 0)), st.sampled_from([125, 160, 200, 300]))
def test_a_template_lies_at_the_edge_of_its_base(toward: Point, r: int) -> None:
    """[APOC-1] About 8 inches long, and never over the model that fires it."""
    shooter = Disc(0, 0, r)
    shape = tear(shooter, toward)
    assert not shape.covers(shooter)
    far = gap(shooter, shape.end) + 2 * 1250
    assert abs(far - TEMPLATE) <= 8


def test_what_a_template_covers() -> None:
    """[APOC-3] Ahead and within 8 inches; more to the sides the farther away."""
    shape = tear(Disc(0, 0, 127), Point(0, 1000))
    assert shape.covers(Disc(0, 2000, 127))
    assert shape.covers(Disc(0, 8990, 127))
    assert not shape.covers(Disc(0, 9010, 127))
    assert not shape.covers(Disc(900, 2000, 127))
    assert shape.covers(Disc(1600, 7000, 127))
    assert not shape.covers(Disc(0, -1000, 127))
