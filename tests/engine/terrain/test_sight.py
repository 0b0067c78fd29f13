"""Sample lines between models with height: blocked, hidden, or over the top."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import Disc
from engine.geometry.between import Corridor, screen_of
from engine.geometry.polygons import is_convex
from engine.geometry.sight import (
    MARKS,
    Prism,
    Spot,
    Thing,
    blocks,
    eyes,
    gaps,
    height_of,
    hides,
    marks,
    passes,
    post,
    quarter_hidden,
    sees,
    shuts_off,
)
from events.values import Point

SHOOTER, TARGET = Disc(0, 0, 125), Disc(12000, 0, 125)


def wall(x: int, low: int, high: int, height: int, dense: bool = True) -> Prism:
    """A wall 200 mils thick, across the line of sight."""
    corners = (Point(x, low), Point(x + 200, low), Point(x + 200, high), Point(x, high))
    return Prism(corners, height, dense)


def test_a_quarter_of_the_marks_is_a_whole_number() -> None:
    assert MARKS == 20
    assert len(set(marks(TARGET, SHOOTER))) == MARKS
    assert len(set(eyes(SHOOTER, TARGET))) == 3
    assert all(0 < mark.z < height_of(125) for mark in marks(TARGET, SHOOTER))


def test_a_wall_blocks_what_it_covers_whole() -> None:
    """[LOS-1, LOS-3] One open line is enough."""
    assert sees(SHOOTER, TARGET, [])
    assert not sees(SHOOTER, TARGET, [wall(6000, -2000, 2000, 3000)])
    assert sees(SHOOTER, TARGET, [wall(6000, -2000, 300, 3000)])
    assert sees(SHOOTER, TARGET, [wall(6000, -2000, 2000, 1000)])


def test_trees_hide_but_do_not_block() -> None:
    wood = wall(6000, -2000, 2000, 3000, dense=False)
    assert sees(SHOOTER, TARGET, [wood])
    assert quarter_hidden(SHOOTER, TARGET, [wood])


def test_height_counts_where_the_line_passes() -> None:
    """A wall at the target's feet hides more than one of the same height at the eye."""
    eye, mark = Spot(0, 0, 1000), Spot(10000, 0, 0)
    assert not passes(eye, mark, wall(1000, -500, 500, 800))
    assert passes(eye, mark, wall(1900, -500, 500, 800))
    assert passes(mark, eye, wall(1900, -500, 500, 800))
    assert not passes(Spot(0, 0, 800), Spot(10000, 0, 800), wall(5000, -500, 500, 800))


def test_a_quarter_hidden_is_enough() -> None:
    """[COVR-1] A wall as high as the lowest row of marks: 5 of 20."""
    low = wall(11500, -2000, 2000, 200)
    assert quarter_hidden(SHOOTER, TARGET, [low])
    lower = wall(11500, -2000, 2000, 150)
    assert not quarter_hidden(SHOOTER, TARGET, [lower])


def test_a_model_in_line_hides_and_one_beside_does_not() -> None:
    """[INTV-1] One looks past it at the sides, so it doesn't block."""
    ahead, beside = post(Disc(6000, 0, 125)), post(Disc(6000, 2000, 125))
    assert quarter_hidden(SHOOTER, TARGET, [beside, ahead])
    assert [hides(SHOOTER, TARGET, model) for model in (beside, ahead)] == [False, True]
    assert sees(SHOOTER, TARGET, [ahead])
    assert not sees(SHOOTER, TARGET, [post(Disc(6000, 0, 300))])


def test_gaps_hide_and_never_block() -> None:
    """[INTV-3] Through the gap: hidden. Over it, or past its end: not."""
    pair = gaps([Disc(6000, 1000, 125), Disc(6000, -1000, 125)], 2000)
    assert len(pair) == 1
    assert quarter_hidden(SHOOTER, TARGET, pair)
    assert sees(SHOOTER, TARGET, pair)
    assert not quarter_hidden(Disc(0, 4000, 125), Disc(12000, 4000, 125), pair)
    assert not quarter_hidden(Disc(0, 0, 400), Disc(12000, 0, 400), pair)
    assert gaps([Disc(6000, 1500, 125), Disc(6000, -1500, 125)], 2000) == []


def test_bigger_bases_stand_higher() -> None:
    assert [height_of(r) for r in (125, 160, 200, 250, 300, 600)] == [
        1200,
        1400,
        1800,
        2200,
        2800,
        3500,
    ]


NEAR = st.integers(-9000, 9000)
BASES = st.builds(Disc, NEAR, NEAR, st.sampled_from((125, 160, 250)))
UNITS = st.lists(BASES, min_size=1, max_size=5, unique=True).map(tuple)
WALLS = st.builds(
    lambda corners, height, dense: Prism(tuple(corners), height, dense),
    st.lists(st.builds(Point, NEAR, NEAR), min_size=3, max_size=4).filter(is_convex),
    st.integers(1, 3000),
    st.booleans(),
)


@given(BASES, BASES, st.lists(UNITS, max_size=2), st.lists(WALLS, max_size=3))
def test_all_lines_one_by_one_say_the_same(
    shooter: Disc, target: Disc, units: list[tuple[Disc, ...]], walls: list[Prism]
) -> None:
    """[LOS-1, COVR-1] Every eye with every mark, past everything that stands anywhere."""
    screens = [screen_of(unit) for unit in units]
    models: list[Thing] = [post for screen in screens for post in screen.posts]
    between: list[Thing] = [gap for unit in units for gap in gaps(unit, 4000)]
    solid = [thing for thing in (*walls, *models) if blocks(thing)]
    looks, looked_at = eyes(shooter, target), marks(target, shooter)
    open_lines = [
        (eye, mark)
        for eye in looks
        for mark in looked_at
        if not any(passes(eye, mark, thing) for thing in solid)
    ]
    everything = [*walls, *models, *between]
    hidden = [[t for t in everything if passes(looks[0], mark, t)] for mark in looked_at]
    hiders = {thing for things in hidden for thing in things}
    enough = 4 * sum(map(bool, hidden)) >= MARKS

    corridor = Corridor(shooter, target)
    met = [wall for wall in walls if corridor.meets(wall)]
    reaching = corridor.models(screens, 4000)

    assert sees(shooter, target, [*met, *reaching]) == bool(open_lines)
    assert not (open_lines and any(shuts_off(shooter, target, wall) for wall in walls))
    found = [*met, *reaching]
    assert quarter_hidden(shooter, target, found) == enough
    assert {thing for thing in found if hides(shooter, target, thing)} == hiders
    assert sees(shooter, target, everything) == bool(open_lines)
