"""Paths: their length, what they may not cross, and a unit's whole move. [MOVE-2 to MOVE-5]"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import (
    MAX_WAYPOINTS,
    Block,
    Disc,
    check_moves,
    overlaps,
    path_block,
    path_length,
    shortest_path,
    within,
)
from engine.geometry.paths import hurdle
from engine.geometry.places import cut, rings, step
from engine.geometry.polygons import enters
from engine.geometry.routes import line_clear
from events.values import Point, Rect

TABLE = Rect(0, 0, 72000, 48000)
INCH_WIDE = 127
coordinates = st.integers(0, 20000)
points = st.builds(Point, coordinates, coordinates)


def test_each_leg_is_rounded_up() -> None:
    assert path_length(Point(0, 0), (Point(3000, 4000),)) == 5000
    assert path_length(Point(0, 0), (Point(1, 1), Point(2, 2))) == 4


@given(points, points, points)
def test_segment_distance_agrees_with_fractions(a: Point, b: Point, c: Point) -> None:
    """The division-free test against the textbook one in exact fractions."""
    vx, vy = b.x - a.x, b.y - a.y
    square = vx * vx + vy * vy
    t = Fraction((c.x - a.x) * vx + (c.y - a.y) * vy, square) if square else Fraction(0)
    t = min(max(t, Fraction(0)), Fraction(1))
    true = (a.x + t * vx - c.x) ** 2 + (a.y + t * vy - c.y) ** 2
    for threshold in (0, 2000, 9000):
        reach = (127 * threshold) ** 2
        assert enters(a.x, a.y, b.x, b.y, c.x, c.y, reach) == (16129 * true < reach)


def test_a_path_may_touch_a_friend_but_not_cross_it() -> None:
    """[MOVE-3]"""
    mover, friend = Disc(0, 0, INCH_WIDE), Disc(3000, 1000, INCH_WIDE)
    assert path_block(mover, (Point(6000, 0),), [friend]) is None
    assert path_block(mover, (Point(6000, 1),), [friend]) is not None


@pytest.mark.parametrize(("end", "legal"), [(5000, True), (5001, False), (5100, False)])
def test_v47_a_move_may_end_an_inch_from_an_enemy_and_no_nearer(end: int, legal: bool) -> None:
    """[MOVE-3] V-47: 1.0 inches is legal, 0.9 is refused."""
    enemy = Disc(7000, 0, INCH_WIDE)
    found = path_block(Disc(0, 0, INCH_WIDE), (Point(end, 0),), [], [(enemy, 1000)])
    assert found == (None if legal else Block("near", 0, 0))


def test_v47_a_move_may_not_pass_within_an_inch_of_an_enemy() -> None:
    """[MOVE-3] V-47: it is the whole way that counts, not the end."""
    way = (Point(5000, 0), Point(10000, 0))
    for off, legal in [(2000, True), (1900, False)]:
        enemy = Disc(8000, off, INCH_WIDE)
        found = path_block(Disc(0, 0, INCH_WIDE), way, [], [(enemy, 1000)])
        assert found == (None if legal else Block("near", 0, 1))


@pytest.mark.parametrize(("between", "legal"), [(1200, False), (1259, False), (1260, True)])
def test_v47_a_gap_narrower_than_the_base_cannot_be_passed(between: int, legal: bool) -> None:
    """[MOVE-3, CMOV-2] V-47: a 32 mm base, 1.2598 inches wide."""
    posts = [Disc(3000, 0, INCH_WIDE), Disc(3000, 1000 + between, INCH_WIDE)]
    middle = (1000 + between) // 2
    mover = Disc(0, middle, 160)
    assert (path_block(mover, (Point(6000, middle),), posts) is None) == legal


def test_a_model_that_starts_too_near_may_only_leave() -> None:
    """[MOVE-3] The enemy fell back to half an inch from it."""
    mover, enemy = Disc(0, 0, INCH_WIDE), [(Disc(1500, 0, INCH_WIDE), 1000)]
    assert path_block(mover, (Point(-500, 0),), [], enemy) is None
    assert path_block(mover, (Point(-499, 0),), [], enemy) is not None
    assert path_block(mover, (Point(100, 0), Point(-2000, 0)), [], enemy) is not None


UNIT = [Disc(10000, 10000, INCH_WIDE), Disc(12000, 10000, INCH_WIDE)]


def check(*moves: tuple[int, tuple[Point, ...]], **around: list[Disc]) -> str | None:
    breach = check_moves(UNIT, moves, 6000, table=TABLE, **around)
    return breach and breach.rule


def test_models_may_move_different_distances_up_to_their_limit() -> None:
    """[MOVE-2, MOVE-4]"""
    assert check((0, (Point(10000, 16000),)), (1, (Point(12000, 15000),))) is None
    assert check((0, (Point(10000, 16001),)), (1, (Point(12000, 15000),))) == "MOVE-2"


def test_a_unit_ends_its_move_in_coherency() -> None:
    """[UNIT-3, MOVE-4]"""
    assert check((0, (Point(10000, 13000),))) == "UNIT-3"


def test_a_broken_unit_may_close_up_as_far_as_it_can() -> None:
    """[UNIT-4]"""
    unit = [Disc(0, 5000, INCH_WIDE), Disc(2000, 5000, INCH_WIDE), Disc(20000, 5000, INCH_WIDE)]
    assert check_moves(unit, [(2, (Point(14000, 5000),))], 6000) is None
    apart = check_moves(unit, [(0, (Point(0, 11000),))], 6000)
    assert apart is not None
    assert apart.rule == "UNIT-3"


def test_no_model_leaves_the_table() -> None:
    """[MOVE-5]"""
    unit = [Disc(1000, 1000, INCH_WIDE)]
    assert check_moves(unit, [(0, (Point(500, 1000),))], 6000, table=TABLE) is None
    breach = check_moves(unit, [(0, (Point(499, 1000),))], 6000, table=TABLE)
    assert breach is not None
    assert breach.rule == "MOVE-5"


def test_models_of_a_unit_move_one_after_the_other() -> None:
    """[MOVE-3] The front model has to go first."""
    front, back = (1, (Point(16000, 10000),)), (0, (Point(14000, 10000),))
    assert check(front, back) is None
    assert check(back, front) == "MOVE-3"


def test_what_stands_around_bars_the_way() -> None:
    """[MOVE-3]"""
    moves = (0, (Point(10000, 15000),)), (1, (Point(12000, 15000),))
    assert check(*moves, obstacles=[Disc(10000, 13000, INCH_WIDE)]) == "MOVE-3"
    assert check(*moves, enemies=[Disc(12000, 16999, INCH_WIDE)]) == "MOVE-3"
    assert check(*moves, enemies=[Disc(12000, 17000, INCH_WIDE)]) is None


def test_a_path_stands_nowhere_still_and_has_an_end() -> None:
    assert check((0, (Point(10000, 10000),))) == "MOVE-2"
    winding = tuple(Point(10000, 10001 + k) for k in range(MAX_WAYPOINTS + 1))
    assert check((0, winding)) == "MOVE-2"
    assert check((0, winding[:-1])) is None


def test_the_straight_way_is_as_long_as_the_gap() -> None:
    """[CMOV-3, CDEC-2]"""
    way = shortest_path(Disc(0, 0, 125), Disc(9000, 0, 125))
    assert way is not None
    assert way.length == 8016
    assert len(way.path) == 1


def test_the_way_leads_around_what_is_in_it_and_is_refused_beyond_the_limit() -> None:
    """[CMOV-3] AMB-16: the path counts, not the straight line."""
    mover, target = Disc(0, 0, INCH_WIDE), Disc(12900, 0, INCH_WIDE)
    wall = [Disc(6000, y, INCH_WIDE) for y in range(-2000, 3000, 1000)]
    assert shortest_path(mover, target, limit=12000) is not None
    assert shortest_path(mover, target, wall, limit=12000) is None
    way = shortest_path(mover, target, wall)
    assert way is not None
    assert 12500 < way.length < 14000


def test_a_ring_without_a_gap_is_not_passed() -> None:
    """[CMOV-2]"""
    guards = [Disc(10000 + x, 10000 + y, 200) for x, y in [(1500, 0), (-1500, 0), (0, 1500),
              (0, -1500), (1100, 1100), (1100, -1100), (-1100, 1100), (-1100, -1100)]]  # fmt: skip
    assert shortest_path(Disc(0, 10000, 125), Disc(10000, 10000, 125), guards) is None


crowds = st.lists(
    st.builds(Disc, st.integers(2000, 9000), st.integers(-4000, 4000), st.sampled_from([125, 200])),
    max_size=7,
)


@given(crowds)
def test_a_way_found_is_clear_and_ends_in_contact(crowd: list[Disc]) -> None:
    """[CMOV-2, CMOV-3]"""
    mover, target = Disc(0, 0, 125), Disc(12000, 300, 125)
    crowd = [d for d in crowd if not overlaps(d, mover) and not overlaps(d, target)]
    way = shortest_path(mover, target, crowd)
    if way is not None:
        assert path_block(mover, way.path, [*crowd, target]) is None
        assert within(mover.moved(way.path[-1]), target, 10)
        assert path_length(mover.centre, way.path) <= way.length
        straight = shortest_path(mover, target)
        assert straight is not None
        assert way.length >= straight.length


@given(st.builds(Disc, coordinates, coordinates, st.sampled_from([125, 200, 500])))
def test_the_corners_around_a_base_see_their_neighbours(disc: Disc) -> None:
    item = hurdle(125, disc, 1000, 0)
    (found,) = rings(item)
    for k, corner in enumerate(found):
        assert line_clear(Point(*found[k - 1]), Point(*corner), [item])


@given(st.integers(-9000, 9000), st.integers(-9000, 9000), st.integers(0, 12000))
def test_a_step_is_never_longer_than_asked(dx: int, dy: int, length: int) -> None:
    x, y = step(dx, dy, length)
    assert x * x + y * y <= length * length
    if dx or dy:
        assert x * x + y * y >= (length - 2) * abs(length - 2) - 2


@given(st.lists(points, min_size=2, max_size=5), st.integers(1, 9000))
def test_a_cut_path_is_as_long_as_it_may_be(way: list[Point], distance: int) -> None:
    start, path = way[0], tuple(way[1:])
    kept = path_length(start, cut(start, path, distance))
    assert kept <= distance
    assert kept == path_length(start, path) or kept >= distance - 2
