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

from engine.geometry.distance import Disc, within
from engine.geometry.polygons import Polygon, enters, span
from engine.geometry.routes import step

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
    (eye, row * len(COLUMNS) + column)
    for row in range(len(ROWS))
    for _, eye, column in sorted(
        # Side by side with what is in the way first: a mark to the left is seen from the right.
        (abs(EYES[eye] + COLUMNS[column]), eye, column)
        for eye in range(len(EYES))
        for column in range(len(COLUMNS))
    )
)
"""Every line from an eye to a mark, by their indices, those that are most likely open first."""


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
    if type(thing) is Post:
        cx, cy, square, height = thing
        if not enters(a[0], a[1], b[0], b[1], cx, cy, square):
            return False
        vx, vy = b[0] - a[0], b[1] - a[1]
        length = vx * vx + vy * vy
        along = min(max(vx * (cx - a[0]) + vy * (cy - a[1]), 0), length)
        return (a[2] - height) * length + (b[2] - a[2]) * along < 0 if length else a[2] < height
    if type(thing) is Gap:
        return _crosses(a, b, thing)
    assert type(thing) is Prism
    inside = span(a[0], a[1], b[0], b[1], thing.corners)
    if inside is None:
        return False
    rise, above = b[2] - a[2], a[2] - thing.height
    if rise < 0:
        return above * inside.leave_of + rise * inside.leave < 0
    return above * inside.enter_of + rise * inside.enter < 0


def _crosses(a: Spot, b: Spot, gap: Gap) -> bool:
    """Does the line cross the gap from side to side, below the lower of the two models?"""
    px, py, qx, qy = gap.a[0], gap.a[1], gap.b[0], gap.b[1]
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], qx - px, qy - py
    side_a = vx * (a[1] - py) - vy * (a[0] - px)
    side_b = vx * (b[1] - py) - vy * (b[0] - px)
    side_p = ux * (py - a[1]) - uy * (px - a[0])
    side_q = ux * (qy - a[1]) - uy * (qx - a[0])
    if side_a * side_b >= 0 or side_p * side_q > 0:
        return False
    # The line meets the gap at side_a / (side_a - side_b) of its length.
    part, whole = abs(side_a), abs(side_a - side_b)
    return (a[2] - gap.height) * whole + (b[2] - a[2]) * part < 0


def blocks(thing: Thing) -> bool:
    """Whether a thing blocks sight rather than only hiding what it covers. [LOS-3]"""
    return type(thing) is Post or (type(thing) is Prism and thing.dense)


def sees(shooter: Disc, target: Disc, things: Sequence[Thing]) -> bool:
    """Does any line from an eye reach a mark? [LOS-1] At most 60 lines; mostly the first does."""
    solid = [thing for thing in things if blocks(thing)]
    if not solid:
        return True
    looks, looked_at = eyes(shooter, target), marks(target, shooter)
    for eye, mark in LINES:
        for thing in solid:
            if passes(looks[eye], looked_at[mark], thing):
                break
        else:
            return True
    return False


def quarter_hidden(shooter: Disc, target: Disc, things: Sequence[Thing]) -> bool:
    """Is at least 25 % of the target hidden from the shooter's middle eye? [COVR-1]"""
    eye = eyes(shooter, target)[0]
    hidden = 0
    for left, mark in zip(range(MARKS - 1, -1, -1), marks(target, shooter), strict=True):
        hidden += any(passes(eye, mark, thing) for thing in things)
        if 4 * hidden >= MARKS:
            return True
        if 4 * (hidden + left) < MARKS:
            return False
    return False


def hiding(shooter: Disc, target: Disc, things: Sequence[Thing]) -> tuple[int, ...]:
    """Return which things (their indices) hide a model of which 25 % or more is hidden. [COVR-1]

    Seen from the shooter's middle eye; empty where less than a quarter of the marks are hidden.
    """
    eye = eyes(shooter, target)[0]
    hidden = 0
    found: set[int] = set()
    for mark in marks(target, shooter):
        by = [k for k, thing in enumerate(things) if passes(eye, mark, thing)]
        found.update(by)
        hidden += bool(by)
    return tuple(sorted(found)) if 4 * hidden >= MARKS else ()
