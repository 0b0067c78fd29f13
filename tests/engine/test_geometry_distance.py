"""Distances between round bases are exact. [MEAS-2, MEAS-3, MEAS-4]"""

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import (
    CONTACT,
    Disc,
    closest,
    gap,
    in_contact,
    inside,
    nearer,
    nearness,
    overlaps,
    unit_gap,
    units_within,
    within,
)
from events.values import Rect

discs = st.builds(
    Disc, st.integers(0, 72000), st.integers(0, 48000), st.sampled_from([125, 127, 160, 200, 300])
)
units = st.lists(discs, min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("a", "b", "mils"),
    [
        (Disc(0, 0, 125), Disc(2000, 0, 125), 1016),  # 2 - 25/25.4 = 1.01575
        (Disc(0, 0, 200), Disc(3000, 0, 300), 1032),  # 3 - 50/25.4 = 1.03150
        (Disc(0, 0, 127), Disc(1000, 0, 127), 0),  # touching
        (Disc(0, 0, 127), Disc(900, 0, 127), 0),  # overlapping: never below 0
        (Disc(5, 5, 127), Disc(5, 5, 127), 0),
    ],
)
def test_gap_runs_from_edge_to_edge_and_is_rounded_up(a: Disc, b: Disc, mils: int) -> None:
    """[MEAS-2]"""
    assert gap(a, b) == mils


def test_exactly_two_inches_is_within_two_inches() -> None:
    """[MEAS-3]"""
    assert within(Disc(0, 0, 127), Disc(3000, 0, 127), 2000)
    assert not within(Disc(0, 0, 127), Disc(3001, 0, 127), 2000)


@given(discs, discs, st.integers(0, 12000))
def test_gap_never_contradicts_within(a: Disc, b: Disc, mils: int) -> None:
    """[MEAS-2, MEAS-3]"""
    d = gap(a, b)
    assert within(a, b, mils) == (d <= mils)
    assert within(a, b, d)
    assert d == 0 or not within(a, b, d - 1)


@given(discs, discs)
def test_distance_is_symmetric(a: Disc, b: Disc) -> None:
    assert gap(a, b) == gap(b, a)
    assert nearness(a, b) == nearness(b, a)
    assert overlaps(a, b) == overlaps(b, a)
    assert in_contact(a, b) == in_contact(b, a)


@given(discs, st.integers(0, CONTACT + 5))
def test_contact_is_a_gap_of_0_to_10_mils(a: Disc, d: int) -> None:
    """Two 25.4 mm bases side by side, `d` mils apart."""
    a = a._replace(r=127)
    b = Disc(a.x + 1000 + d, a.y, 127)
    assert in_contact(a, b) == (d <= CONTACT)
    assert not in_contact(a, b._replace(x=a.x + 999))
    assert overlaps(a, b._replace(x=a.x + 999))


@given(discs, discs, discs, discs)
def test_nearness_orders_pairs_by_true_distance(a: Disc, b: Disc, c: Disc, d: Disc) -> None:
    """Against 200 binary places, far beyond what the key keeps."""

    def distance(p: Disc, q: Disc) -> Fraction:
        square = ((p.x - q.x) ** 2 + (p.y - q.y) ** 2) << 400
        return Fraction(isqrt(square), 1 << 200) - Fraction(500 * (p.r + q.r), 127)

    assert nearer(a, b, c, d) == (distance(a, b) < distance(c, d))


def test_equal_distances_of_unlike_bases_are_ties() -> None:
    """A larger base further off, its edge exactly as near: 2000 mils each."""
    here = Disc(0, 0, 127)
    assert nearness(here, Disc(3000, 0, 127)) == nearness(here, Disc(0, 3500, 254))


@given(units, units)
def test_the_distance_of_units_is_that_of_their_closest_models(
    ours: list[Disc], theirs: list[Disc]
) -> None:
    """[MEAS-4]"""
    i, k = closest(ours, theirs)
    assert nearness(ours[i], theirs[k]) == min(nearness(a, b) for a in ours for b in theirs)
    assert unit_gap(ours, theirs) == min(gap(a, b) for a in ours for b in theirs)
    assert units_within(ours, theirs, unit_gap(ours, theirs))


def test_the_first_of_equally_close_models_is_taken() -> None:
    ours = [Disc(0, 0, 127), Disc(0, 5000, 127)]
    assert closest(ours, [Disc(3000, 5000, 127), Disc(3000, 0, 127)]) == (0, 1)


def test_a_base_is_inside_when_all_of_it_is() -> None:
    """[MEAS-4, MOVE-5] Touching the edge from within is inside."""
    rect = Rect(0, 0, 72000, 48000)
    assert inside(Disc(500, 47500, 127), rect)
    for x, y in [(499, 24000), (71501, 24000), (36000, 499), (36000, 47501)]:
        assert not inside(Disc(x, y, 127), rect)
