"""Inches as people write them, mils as the rules count them; exact both ways, never a float."""

from __future__ import annotations

import re

from events.values import Point

_INCHES = re.compile(r"(-?)([0-9]{1,9})(?:\.([0-9]{1,3}))?")


def to_mils(text: str) -> int | None:
    """Return a length in inches as mils, or None where it isn't one.

    >>> to_mils("12.5"), to_mils("-0.125"), to_mils("1.2345"), to_mils("1e3")
    (12500, -125, None, None)
    """
    found = _INCHES.fullmatch(text)
    if found is None:
        return None
    sign, whole, part = found.groups(default="")
    mils = int(whole) * 1000 + int(part.ljust(3, "0"))
    return -mils if sign else mils


def to_inches(mils: int) -> str:
    """Return mils as inches, no digit more than needed.

    >>> to_inches(12500), to_inches(-125), to_inches(6000)
    ('12.5', '-0.125', '6')
    """
    whole, part = divmod(abs(mils), 1000)
    text = f"{whole}.{part:03d}".rstrip("0").rstrip(".")
    return f"-{text}" if mils < 0 else text


def to_point(text: str) -> Point | None:
    """Return ``x,y`` in inches as a point in mils, or None where it isn't one.

    >>> to_point("12.5,30")
    Point(x=12500, y=30000)
    """
    x, comma, y = text.partition(",")
    if not comma:
        return None
    left, right = to_mils(x), to_mils(y)
    return None if left is None or right is None else Point(left, right)


def point_in_inches(point: Point) -> str:
    """Return a point as ``x,y`` in inches.

    >>> point_in_inches(Point(12500, 30000))
    '12.5,30'
    """
    return f"{to_inches(point.x)},{to_inches(point.y)}"
