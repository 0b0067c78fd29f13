"""Ground that bars a move: checked exactly, and gone around the shortest way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import (
    Disc,
    check_moves,
    deploy_spots,
    fall_back_placement,
    path_block,
    shortest_path,
)
from engine.geometry.polygons import Barrier, on_barrier, stands_in
from events.values import Point, Rect

SQUARE = (Point(4000, -2000), Point(8000, -2000), Point(8000, 2000), Point(4000, 2000))
ROCK = Barrier.around(SQUARE, "TERR-1", "moves into impassable terrain (rock)")
TABLE = Rect(0, 0, 72000, 48000)


def test_the_corners_count_and_not_the_disc_around_them() -> None:
    """[TERR-1, IMP-1] A base may touch the rock all along its side."""
    mover = Disc(0, 2500, 127)
    assert check_moves([mover], [(0, (Point(12000, 2500),))], 12000, [ROCK]) is None
    breach = check_moves([mover], [(0, (Point(12000, 2499),))], 13000, [ROCK])
    assert breach is not None
    assert (breach.rule, breach.model) == ("TERR-1", 0)
    assert breach.reason == "moves into impassable terrain (rock)"


def test_a_model_that_stands_there_may_leave() -> None:
    stuck = Disc(5000, 0, 127)
    assert check_moves([stuck], [(0, (Point(3400, 0),))], 6000, [ROCK]) is None
    assert check_moves([stuck], [(0, (Point(5500, 0),))], 6000, [ROCK]) is not None


@given(st.integers(-6000, 6000), st.sampled_from([125, 160, 250]))
def test_the_way_around_a_rock_is_clear_and_short(y: int, r: int) -> None:
    """[CMOV-3] No longer than over the compass points around its corners, never through it."""
    mover, target = Disc(0, y, r), Disc(12000, 0, 125)
    way = shortest_path(mover, target, [ROCK])
    assert way is not None
    assert path_block(mover, way.path, [ROCK, target]) is None
    straight = shortest_path(mover, target)
    assert straight is not None
    assert straight.length <= way.length <= straight.length + 3000


def test_deployment_and_flight_keep_off_the_rock() -> None:
    """[FALL-6] Straight ahead is rock: around it."""
    rock = Barrier.around(
        (Point(10000, 10000), Point(14000, 10000), Point(14000, 12000), Point(10000, 12000)),
        "TERR-1",
        "",
    )
    spots = deploy_spots([125] * 10, Rect(8000, 8000, 30000, 20000), [rock], Point(12000, 11000))
    assert spots is not None
    assert all(on_barrier(Disc.at(spot, 125), [rock]) is None for spot in spots)
    fled = fall_back_placement([Disc(12000, 15000, 125)], "south", 9000, [rock], [], [], TABLE)
    assert fled is not None
    ((_, path),) = fled.moves
    assert path[-1].y < 12000
    assert not stands_in(Disc.at(path[-1], 125), rock.corners)
