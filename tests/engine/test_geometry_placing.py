"""Deployment and whole-unit moves: every proposal passes the exact checks. [UNIT-3, MOVE, CONS]"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.geometry import (
    Disc,
    Move,
    check_moves,
    coherent,
    deploy_spots,
    formation,
    gap,
    inside,
    overlaps,
    path_length,
    translate_toward,
    unit_gap,
)
from events.values import Point, Rect

TABLE = Rect(0, 0, 72000, 48000)
ZONE = Rect(0, 0, 72000, 12000)
INCH_WIDE = 127


def after(unit: list[Disc], moves: tuple[Move, ...]) -> list[Disc]:
    there = list(unit)
    for i, path in moves:
        there[i] = there[i].moved(path[-1])
    return there


@given(st.integers(1, 30), st.sampled_from([125, 160, 300]), st.integers(1, 12))
def test_a_formation_is_coherent_and_nobody_overlaps(n: int, r: int, abreast: int) -> None:
    """[UNIT-3]"""
    discs = [Disc.at(p, r) for p in formation(n, r, Point(30000, 20000), abreast=abreast)]
    assert len(discs) == n
    assert coherent(discs)
    assert not any(overlaps(a, b) for k, a in enumerate(discs) for b in discs[:k])


def test_a_formation_looks_the_way_it_faces() -> None:
    north = formation(4, INCH_WIDE, Point(9000, 9000), "north", abreast=2)
    south = formation(4, INCH_WIDE, Point(9000, 9000), "south", abreast=2)
    assert [p.y for p in north] == [9000, 9000, 7500, 7500]
    assert [p.y for p in south] == [9000, 9000, 10500, 10500]


def test_a_unit_deploys_at_the_front_of_its_zone_near_where_it_is_wanted() -> None:
    spots = deploy_spots([125] * 10, ZONE, near=Point(20000, 12000))
    assert spots is not None
    assert all(p.y > 11000 for p in spots)
    assert abs(sum(p.x for p in spots) // 10 - 20000) < 600
    far_side = deploy_spots([125] * 10, Rect(0, 36000, 72000, 48000), facing="south")
    assert far_side is not None
    assert all(p.y < 37000 for p in far_side)


def test_where_no_block_fits_the_models_are_fitted_in_one_by_one() -> None:
    """A statue in the middle of a small courtyard."""
    court, statue = Rect(0, 0, 6000, 6000), Disc(3000, 3000, 300)
    spots = deploy_spots([125] * 12, court, [statue])
    assert spots is not None
    discs = [Disc.at(p, 125) for p in spots]
    assert coherent(discs)
    assert not any(overlaps(disc, statue) for disc in discs)
    assert all(inside(disc, court) for disc in discs)


def test_a_zone_that_is_too_small_is_no_place() -> None:
    assert deploy_spots([125] * 12, Rect(0, 0, 2000, 2000)) is None


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from([125, 160, 200]), min_size=1, max_size=12),
    st.lists(
        st.builds(Disc, st.integers(0, 15000), st.integers(0, 9000), st.just(200)), max_size=9
    ),
    st.builds(Point, st.integers(0, 15000), st.integers(0, 9000)),
)
def test_a_deployed_unit_is_in_the_zone_in_coherency_and_on_nobody(
    radii: list[int], obstacles: list[Disc], near: Point
) -> None:
    """[UNIT-3]"""
    zone = Rect(0, 0, 15000, 9000)
    spots = deploy_spots(radii, zone, obstacles, near)
    if spots is None:
        return
    discs = [Disc.at(p, r) for p, r in zip(spots, radii, strict=True)]
    assert coherent(discs)
    assert all(inside(disc, zone) for disc in discs)
    assert not any(overlaps(disc, other) for disc in discs for other in obstacles)
    assert not any(overlaps(a, b) for k, a in enumerate(discs) for b in discs[:k])


UNIT = [Disc(20000 + 1500 * k, 10000, INCH_WIDE) for k in range(5)]


def test_in_the_open_a_unit_goes_the_whole_way() -> None:
    """[MOVE-2]"""
    moves = translate_toward(UNIT, [Disc(20000, 40000, 0)], 6000, [], [], TABLE)
    assert moves is not None
    assert [d.y for d in after(UNIT, moves)] == [16000] * 5


def test_a_unit_stops_an_inch_from_the_enemy() -> None:
    """[MOVE-3] V-47"""
    enemy = [Disc(20000, 15000, INCH_WIDE), Disc(22000, 15500, INCH_WIDE)]
    moves = translate_toward(UNIT, enemy, 6000, [], enemy, TABLE)
    assert moves is not None
    assert unit_gap(after(UNIT, moves), enemy) == 1000
    assert check_moves(UNIT, moves, 6000, enemies=enemy, table=TABLE) is None


def test_a_unit_whose_way_is_barred_goes_around() -> None:
    """[MOVE-3, MOVE-4]"""
    wall = [Disc(18500 + 1000 * k, 12000, INCH_WIDE) for k in range(10)]
    goal = [Disc(23000, 30000, 0)]
    moves = translate_toward(UNIT, goal, 6000, wall, [], TABLE)
    assert moves is not None
    assert check_moves(UNIT, moves, 6000, wall, table=TABLE) is None
    assert unit_gap(after(UNIT, moves), goal) < unit_gap(UNIT, goal)


def test_a_unit_moves_away_and_stops_at_the_table_edge() -> None:
    """[MOVE-5, CONS-1]"""
    moves = translate_toward(UNIT, [Disc(20000, 20000, 0)], 12000, [], [], TABLE, away=True)
    assert moves is not None
    there = after(UNIT, moves)
    assert all(inside(disc, TABLE) for disc in there)
    assert unit_gap(there, [Disc(20000, 20000, 0)]) > 16000


@pytest.mark.parametrize("distance", [1000, 4000, 6000])
def test_a_consolidation_keeps_an_inch_from_every_enemy(distance: int) -> None:
    """[CONS-1, CONS-2]"""
    enemies = [Disc(20000, 13000, INCH_WIDE), Disc(26000, 14000, INCH_WIDE)]
    moves = translate_toward(UNIT, [Disc(24000, 30000, 0)], distance, [], enemies, TABLE)
    assert moves is not None
    assert check_moves(UNIT, moves, distance, [], enemies, TABLE) is None
    assert all(gap(a, b) >= 1000 for a in after(UNIT, moves) for b in enemies)


def test_a_unit_that_stands_where_it_should_go_has_no_move() -> None:
    assert translate_toward(UNIT, [Disc(20000, 10000, 0)], 6000, [], [], TABLE) is None


spots = st.builds(
    Disc, st.integers(15000, 35000), st.integers(2000, 30000), st.sampled_from([125, 200])
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.integers(1, 12),
    st.lists(spots, max_size=10),
    st.lists(spots, min_size=1, max_size=10),
    st.integers(1000, 12000),
    st.booleans(),
)
def test_every_move_proposed_passes_the_check(
    n: int, friends: list[Disc], enemies: list[Disc], distance: int, away: bool
) -> None:
    """[MOVE-2 to MOVE-5, UNIT-3, CONS-2]"""
    unit = [Disc.at(p, 125) for p in formation(n, 125, Point(25000, 15000), abreast=5)]
    friends = [d for d in friends if not any(overlaps(d, a) for a in unit)]
    enemies = [d for d in enemies if not any(overlaps(d, a) for a in [*unit, *friends])]
    toward = enemies or [Disc(0, 0, 0)]
    moves = translate_toward(unit, toward, distance, friends, enemies, TABLE, away)
    if moves is None:
        return
    assert check_moves(unit, moves, distance, friends, enemies, TABLE) is None
    assert any(path_length(unit[i].centre, path) for i, path in moves)
