"""Falling back: straight to the edge, around what is in the way. [FALL]"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.geometry import (
    Disc,
    Edge,
    FallBack,
    fall_back_placement,
    gap,
    inside,
    overlaps,
    path_block,
    path_length,
    to_edge,
    within,
)
from events.values import Point, Rect

TABLE = Rect(0, 0, 72000, 48000)
INCH_WIDE = 127
PAIR = [Disc(20000, 20000, INCH_WIDE), Disc(22000, 21000, INCH_WIDE)]


def flee(unit: list[Disc], distance: int, edge: Edge = "south", **around: list[Disc]) -> FallBack:
    found = fall_back_placement(
        unit,
        edge,
        distance,
        around.get("obstacles", []),
        around.get("enemies", []),
        around.get("fought", []),
        TABLE,
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("edge", "first"),
    [
        ("south", Point(20000, 13000)),
        ("north", Point(20000, 27000)),
        ("west", Point(13000, 20000)),
        ("east", Point(27000, 20000)),
    ],
)
def test_each_model_moves_the_same_distance_to_the_edge(edge: Edge, first: Point) -> None:
    """[FALL-1]"""
    moves = dict(flee(PAIR, 7000, edge).moves)
    assert moves[0] == (first,)
    assert path_length(PAIR[1].centre, moves[1]) == 7000


def test_v39_a_model_eight_inches_from_the_edge_touches_it_on_a_nine() -> None:
    """[FALL-3] V-39."""
    unit = [Disc(20000, 8500, INCH_WIDE), Disc(20000, 10500, INCH_WIDE)]
    assert to_edge(unit[0], "south", TABLE) == 8000
    fled = flee(unit, 9000)
    assert fled.at_edge == (0,)
    assert dict(fled.moves)[0] == (Point(20000, 500),)
    assert flee(unit, 8000).at_edge == (0,)
    assert flee(unit, 7999).at_edge == ()


@pytest.mark.parametrize("r", [125, 160, 200])
def test_a_base_that_measures_no_whole_mils_stays_on_the_table(r: int) -> None:
    """[FALL-3]"""
    unit = [Disc(20000, 5000, r)]
    fled = flee(unit, 12000)
    assert fled.at_edge == (0,)
    assert inside(unit[0].moved(fled.moves[0][1][-1]), TABLE)


def test_friends_are_gone_around() -> None:
    """[FALL-2, FALL-6]"""
    wall = [Disc(20000 + x, 16000, INCH_WIDE) for x in range(-2000, 2001, 1000)]
    fled = flee(PAIR[:1], 7000, obstacles=wall)
    path = fled.moves[0][1]
    assert len(path) > 1
    assert path_block(PAIR[0], path, wall) is None
    assert 6990 <= path_length(PAIR[0].centre, path) <= 7000


def test_enemies_are_kept_an_inch_off_but_those_just_fought_are_passed_through() -> None:
    """[FALL-2]"""
    enemy = Disc(20000, 17000, INCH_WIDE)
    around = flee(PAIR[:1], 7000, enemies=[enemy]).moves[0][1]
    assert path_block(PAIR[0], around, [], [(enemy, 1000)]) is None
    assert len(around) > 1
    assert flee(PAIR[:1], 7000, fought=[enemy]).moves[0][1] == (Point(20000, 13000),)


def test_a_move_that_would_end_within_an_inch_of_an_enemy_just_fought_is_lengthened() -> None:
    """[FALL-7]"""
    foe = Disc(20000, 17500, INCH_WIDE)
    end = flee(PAIR[:1], 3000, fought=[foe]).moves[0][1][-1]
    assert end.x == 20000
    assert 17500 - 2250 < end.y <= 17500 - 2000
    assert gap(PAIR[0].moved(end), foe) >= 1000


def test_a_model_with_no_way_out_is_trapped() -> None:
    """[FALL-6]"""
    x, y = 20000, 20000
    ring = [(1500, 0), (-1500, 0), (0, 1500), (0, -1500),
            (1060, 1060), (1060, -1060), (-1060, 1060), (-1060, -1060)]  # fmt: skip
    guards = [Disc(x + dx, y + dy, 127) for dx, dy in ring]
    assert fall_back_placement(PAIR[:1], "south", 7000, guards, [], [], TABLE) is None


def test_models_behind_go_after_those_before_them() -> None:
    """[FALL-1] Nobody runs through his own unit."""
    column = [Disc(20000, 20000 + 1100 * k, INCH_WIDE) for k in range(4)]
    assert [i for i, _ in flee(column, 7000).moves] == [0, 1, 2, 3]
    assert [i for i, _ in flee(column, 7000, "north").moves] == [3, 2, 1, 0]


spots = st.builds(
    Disc, st.integers(18000, 28000), st.integers(4000, 20000), st.sampled_from([125, 127, 200])
)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(spots, min_size=3, max_size=14),
    st.integers(2000, 12000),
    st.sampled_from(["north", "east", "south", "west"]),
)
def test_a_fall_back_ends_clear_of_everybody(crowd: list[Disc], distance: int, edge: Edge) -> None:
    """[FALL-1, FALL-2]"""
    crowd = [d for k, d in enumerate(crowd) if not any(overlaps(d, e) for e in crowd[:k])]
    unit, friends, enemies, fought = crowd[::4], crowd[1::4], crowd[2::4], crowd[3::4]
    fled = fall_back_placement(unit, edge, distance, friends, enemies, fought, TABLE)
    if fled is None:
        return
    there = list(unit)
    for i, path in fled.moves:
        assert path_block(unit[i], path, friends, [(enemy, 1000) for enemy in enemies]) is None
        there[i] = unit[i].moved(path[-1])
        length = path_length(unit[i].centre, path)
        lengthened = any(within(there[i], foe, 1300) for foe in fought)
        assert length >= distance - 8 or i in fled.at_edge
        assert length <= distance or lengthened
        assert not any(within(there[i], foe, 999) for foe in fought)
        assert inside(there[i], TABLE)
    assert sorted(i for i, _ in fled.moves) == list(range(len(unit)))
    assert not any(overlaps(a, b) for k, a in enumerate(there) for b in there[:k])
