"""Sight between models on bases with a height: a fixed set of sample lines, counted exactly.

A model is a cylinder on its base, somewhat narrower where it is in the way. It looks from three
eyes and is looked at on a grid of marks across its silhouette, five wide and four high; a line
joins an eye and a mark. Lines are blocked or hidden by prisms (terrain), cylinders (models) and the
gaps between models of one unit. Eyes and marks are whole mils; whether a line passes a thing is
whole-number arithmetic. [LOS-1, COVR-1]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.geometry.distance import INCH, Disc, within
from engine.geometry.places import step
from engine.geometry.polygons import Polygon, Stretch, shape_of, stretch

HEIGHTS = ((140, 1200), (165, 1400), (205, 1800), (255, 2200), (305, 2800))
"""Height in mils of a model whose base radius is at most so many tenths of a millimetre."""

TALLEST = 3500
"""Height in mils of a model on a wider base."""

BODY = 3
"""Fifths of the base radius that the body in the way takes up: one looks past it at the sides."""

EYES = (0, -4, 4)
"""Fifths of the base radius to the side at which a model's eyes are, the middle one first."""

EYE_LEVEL = 7
"""Eighths of a model's height at which its eyes are."""

COLUMNS = (0, -2, 2, -4, 4)
"""Fifths of the base radius to the side at which a model is looked at, the middle first."""

ROWS = (7, 5, 3, 1)
"""Eighths of a model's height at which it is looked at, from the top."""

MARKS = len(COLUMNS) * len(ROWS)
"""Marks on a model; a quarter of them is 25 % of it. [COVR-1]"""


LINES = tuple(
    (eye, column)
    for _, eye, column in sorted(
        # Side by side with what is in the way first: a mark to the left is seen from the right.
        (abs(EYES[eye] + COLUMNS[column]), eye, column)
        for eye in range(len(EYES))
        for column in range(len(COLUMNS))
    )
)
"""Every pair of an eye and a column, by their indices, those that are most likely open first."""


class Spot(NamedTuple):
    """A point in space, in mils."""

    x: int
    y: int
    z: int


class Prism(NamedTuple):
    """A terrain part in the way of sight."""

    corners: Polygon
    height: int
    dense: bool


class Post(NamedTuple):
    """A model in the way of sight: its centre, its body's radius in (127 mils)^2, its height."""

    x: int
    y: int
    square: int
    height: int


class Gap(NamedTuple):
    """The gap between two models of one unit, centre to centre. It hides, never blocks. [INTV-3]"""

    a: Disc
    b: Disc
    height: int


Thing = Prism | Post | Gap


def height_of(r: int) -> int:
    """Return the height in mils of a model by its base radius in tenths of a millimetre.

    >>> height_of(125), height_of(200), height_of(400)
    (1200, 1800, 3500)
    """
    for radius, height in HEIGHTS:
        if r <= radius:
            return height
    return TALLEST


def post(disc: Disc) -> Post:
    """Return a model as it stands in the way of sight."""
    reach = 100 * BODY * disc[2]
    return Post(disc[0], disc[1], reach * reach, height_of(disc[2]))


def gaps(unit: Sequence[Disc], mils: int) -> list[Gap]:
    """Return the gaps of at most `mils` between the models of one unit. [INTV-3]"""
    return [
        Gap(a, b, min(height_of(a[2]), height_of(b[2])))
        for i, a in enumerate(unit)
        for b in unit[i + 1 :]
        if within(a, b, mils)
    ]


def eyes(model: Disc, toward: Disc) -> list[Spot]:
    """Return the eyes of a model that looks toward another, the middle one first."""
    z = height_of(model[2]) * EYE_LEVEL // 8
    return [Spot(x, y, z) for x, y in _abreast(model, toward, EYES)]


def marks(model: Disc, seen_from: Disc) -> list[Spot]:
    """Return the marks on a model seen from another, the middle of its head first."""
    height = height_of(model[2])
    across = _abreast(model, seen_from, COLUMNS)
    return [Spot(x, y, height * row // 8) for row in ROWS for x, y in across]


def _abreast(model: Disc, facing: Disc, fifths: Sequence[int]) -> list[tuple[int, int]]:
    """Return places across a base, at right angles to the line to another."""
    x, y, r = model
    dx, dy = step(y - facing[1], facing[0] - x, 100 * r // 127) if (x, y) != facing[:2] else (0, 0)
    return [(x + dx * k, y + dy * k) for k in fifths]


def passes(a: Spot, b: Spot, thing: Thing) -> bool:
    """Does the line from `a` to `b` pass through a thing, below its top?

    Through a prism on any part of the way, past a model where it is nearest to its centre, through
    a gap where it crosses from one model to the other.
    """
    over = _over(a[0], a[1], b[0], b[1], thing)
    return over is not None and _under(a[2], b[2], thing.height, over)


def _over(ax: int, ay: int, bx: int, by: int, thing: Thing) -> Stretch | None:
    """Return on which part of a line, seen from above, a thing is in its way, or None."""
    if type(thing) is Post:
        cx, cy, square, _ = thing
        vx, vy, wx, wy = bx - ax, by - ay, cx - ax, cy - ay
        along = vx * wx + vy * wy
        length = vx * vx + vy * vy
        if along <= 0:
            along = 0
            if 16129 * (wx * wx + wy * wy) >= square:
                return None
        elif along >= length:
            along = length
            if 16129 * ((cx - bx) ** 2 + (cy - by) ** 2) >= square:
                return None
        else:
            cross = vx * wy - vy * wx
            if 16129 * cross * cross >= square * length:
                return None
        return (along, length, along, length) if length else (0, 1, 0, 1)
    if type(thing) is Gap:
        return _crossing(ax, ay, bx, by, thing)
    assert type(thing) is Prism
    return stretch(ax, ay, bx, by, shape_of(thing.corners).sides)


def _under(az: int, bz: int, height: int, over: Stretch) -> bool:
    """Is a line below a height anywhere on a part of it?"""
    enter, enter_of, leave, leave_of = over
    rise, above = bz - az, az - height
    if rise < 0:
        return above * leave_of + rise * leave < 0
    return above * enter_of + rise * enter < 0


def _crossing(ax: int, ay: int, bx: int, by: int, gap: Gap) -> Stretch | None:
    """Return where the line crosses a gap from side to side, or None."""
    (px, py, _), (qx, qy, _), _ = gap
    ux, uy, vx, vy = bx - ax, by - ay, qx - px, qy - py
    side_a = vx * (ay - py) - vy * (ax - px)
    side_b = vx * (by - py) - vy * (bx - px)
    if side_a * side_b >= 0:
        return None
    side_p = ux * (py - ay) - uy * (px - ax)
    side_q = ux * (qy - ay) - uy * (qx - ax)
    if side_p * side_q > 0:
        return None
    # The line meets the gap at side_a / (side_a - side_b) of its length.
    part, whole = abs(side_a), abs(side_a - side_b)
    return part, whole, part, whole


def blocks(thing: Thing) -> bool:
    """Whether a thing blocks sight rather than only hiding what it covers. [LOS-3]"""
    return type(thing) is Post or (type(thing) is Prism and thing.dense)


def sees(shooter: Disc, target: Disc, things: Sequence[Thing]) -> bool:
    """Does any line from an eye reach a mark? [LOS-1] At most 15 lines; mostly the first does.

    Only the top row is looked at: a line to a lower mark in the same column runs below the one to
    the top mark all the way, so that whatever is in the way of that is in the way of this.
    """
    solid = [thing for thing in things if blocks(thing)]
    if not solid:
        return True
    az = height_of(shooter[2]) * EYE_LEVEL // 8
    bz = height_of(target[2]) * ROWS[0] // 8
    # The first line joins the middles: mostly it is open, and it needs no places beside them.
    if not _barred(shooter[0], shooter[1], az, target[0], target[1], bz, solid):
        return True
    looks, looked_at = _abreast(shooter, target, EYES), _abreast(target, shooter, COLUMNS)
    for eye, column in LINES[1:]:
        if not _barred(*looks[eye], az, *looked_at[column], bz, solid):
            return True
    return False


def _barred(ax: int, ay: int, az: int, bx: int, by: int, bz: int, solid: list[Thing]) -> bool:
    """Is anything in the way of a line? What is comes first for the next: it likely is again."""
    vx, vy = bx - ax, by - ay
    length = vx * vx + vy * vy
    for k, thing in enumerate(solid):
        if type(thing) is Post:
            # `_over` and `_under`, written out: most of what is in the way are models
            cx, cy, square, height = thing
            wx, wy = cx - ax, cy - ay
            along = vx * wx + vy * wy
            if along <= 0:
                if 16129 * (wx * wx + wy * wy) >= square or az >= height:
                    continue
            elif along >= length:
                if 16129 * ((cx - bx) ** 2 + (cy - by) ** 2) >= square or bz >= height:
                    continue
            else:
                cross = vx * wy - vy * wx
                if 16129 * cross * cross >= square * length:
                    continue
                if (az - height) * length + (bz - az) * along >= 0:
                    continue
        else:
            over = _over(ax, ay, bx, by, thing)
            if over is None or not _under(az, bz, thing.height, over):
                continue
        if k:
            solid[0], solid[k] = thing, solid[0]
        return True
    return False


def shuts_off(shooter: Disc, target: Disc, wall: Prism) -> bool:
    """Does a terrain part alone block every line? Then nothing else needs to be looked for.

    It does if it is higher than eyes and marks and the outermost lines on both sides run through
    it: then so does what joins them inside it, which every line between must cross. Not told of
    models that all but touch.
    """
    if not wall.dense or wall.height <= max(height_of(shooter[2]), height_of(target[2])):
        return False
    if within(shooter, target, INCH):
        return False
    sides = shape_of(wall.corners).sides
    left, *_, right = sorted(zip(EYES, _abreast(shooter, target, EYES), strict=True))
    far, *_, near = sorted(zip(COLUMNS, _abreast(target, shooter, COLUMNS), strict=True))
    return (
        stretch(*left[1], *near[1], sides) is not None
        and stretch(*right[1], *far[1], sides) is not None
    )


def quarter_hidden(shooter: Disc, target: Disc, things: Sequence[Thing]) -> bool:
    """Is at least 25 % of the target hidden from the shooter's middle eye? [COVR-1]

    What hides a mark hides those below it in the same column, so each column is looked at once
    from above and what is in its way hides so many marks from the bottom.
    """
    x, y, r = shooter
    eye, rows = height_of(r) * EYE_LEVEL // 8, _rows(target)
    things = list(things)
    hidden, left = 0, MARKS
    for bx, by in _abreast(target, shooter, COLUMNS):
        most = 0
        for k, thing in enumerate(things):
            over = _over(x, y, bx, by, thing)
            if over is None:
                continue
            while most < len(rows) and _under(eye, rows[most], thing.height, over):
                most += 1
            if most == len(rows):
                things[0], things[k] = thing, things[0]  # likely in the way of the next as well
                break
        hidden += most
        left -= len(rows)
        if 4 * hidden >= MARKS:
            return True
        if 4 * (hidden + left) < MARKS:
            return False
    return False


def hides(shooter: Disc, target: Disc, thing: Thing) -> bool:
    """Does a thing hide any mark on the target from the shooter's middle eye? [COVR-3]"""
    x, y, r = shooter
    eye, low = height_of(r) * EYE_LEVEL // 8, _rows(target)[0]
    for bx, by in _abreast(target, shooter, COLUMNS):
        over = _over(x, y, bx, by, thing)
        if over is not None and _under(eye, low, thing.height, over):
            return True
    return False


def _rows(model: Disc) -> list[int]:
    """Return the heights of the marks on a model in mils, from the lowest."""
    tall = height_of(model[2])
    return [tall * row // 8 for row in reversed(ROWS)]
