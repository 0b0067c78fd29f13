"""What stands between two models: told from afar before any line of sight is looked along.

All lines from one model to another run in a corridor around the line of their centres, wider on
each side than either base. What doesn't reach into it is in the way of none of them. The distance
of a point from the middle line is compared by its cross product with it, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from engine.geometry.distance import Disc
from engine.geometry.polygons import shape_of
from engine.geometry.sight import Gap, Post, Prism, Thing, gaps, post


class Screen(NamedTuple):
    """The models of one unit in the way of sight, and a box around them, base edges included."""

    models: tuple[Disc, ...]
    posts: tuple[Post, ...]
    x: int
    y: int
    wide: int
    deep: int
    """Middle and half sizes of the box."""
    base: int
    """No base is wider than so many mils each way."""


@lru_cache(maxsize=200)
def gaps_of(models: tuple[Disc, ...], mils: int) -> tuple[tuple[int, int, Gap], ...]:
    """Return the gaps of at most `mils` in a unit, with the indices of the models on both sides."""
    place = {disc: i for i, disc in enumerate(models)}
    return tuple((place[gap.a], place[gap.b], gap) for gap in gaps(models, mils))


@lru_cache(maxsize=500)
def screen_of(models: tuple[Disc, ...]) -> Screen:
    """Return a unit as a screen. [INTV-1]"""
    base = 4 * max(r for _, _, r in models)  # a tenth of a millimetre is not quite 4 mils
    xs, ys = [x for x, _, _ in models], [y for _, y, _ in models]
    return Screen(
        models,
        tuple([post(disc) for disc in models]),
        (min(xs) + max(xs)) // 2,
        (min(ys) + max(ys)) // 2,
        (max(xs) - min(xs)) // 2 + 1 + base,
        (max(ys) - min(ys)) // 2 + 1 + base,
        base,
    )


class Corridor:
    """The ground that lines of sight from one model to another may run over."""

    __slots__ = ("half", "length", "sx", "sy", "vx", "vy", "width")

    def __init__(self, shooter: Disc, target: Disc) -> None:
        self.sx, self.sy = shooter[0], shooter[1]
        self.vx, self.vy = target[0] - shooter[0], target[1] - shooter[1]
        self.length = isqrt(self.vx * self.vx + self.vy * self.vy) + 1
        self.width = 4 * max(shooter[2], target[2])
        self.half = self.width * self.length
        """Half the width, times the length: as the cross products are."""

    def models(self, screens: Sequence[Screen], widest_gap: int = 0) -> list[Thing]:
        """Return the models of other units that reach into it, and the gaps of at most
        `widest_gap` mils between them. [INTV-1, INTV-3]"""
        sx, sy, vx, vy = self.sx, self.sy, self.vx, self.vy
        middle = vx * sy - vy * sx  # what the cross products are on the middle line
        start = vx * sx + vy * sy
        end = start + vx * vx + vy * vy
        low, high = middle - self.half, middle + self.half
        wx, wy = abs(vx), abs(vy)
        found: list[Thing] = []
        gaps: list[Thing] = []
        for models, posts, x, y, wide, deep, base in screens:
            side = wx * deep + wy * wide
            if not low - side < vx * y - vy * x < high + side:
                continue
            side = self.half + wx * wide + wy * deep
            if not start - side < vx * x + vy * y < end + side:
                continue
            side = base * self.length
            near, far = low - side, high + side
            early, late = start - side - self.half, end + side + self.half
            found += [
                post
                for (x, y, _), post in zip(models, posts, strict=True)
                if near < vx * y - vy * x < far and early < vx * x + vy * y < late
            ]
            if widest_gap:
                crosses = [vx * y - vy * x for x, y, _ in models]
                at = [-1 if cross < low else cross > high for cross in crosses]
                early, late = start - self.half, end + self.half
                for i, j, gap in gaps_of(models, widest_gap):
                    if at[i] != at[j] or not at[i]:
                        (x0, y0, _), (x1, y1, _), _ = gap
                        a, b = vx * x0 + vy * y0, vx * x1 + vy * y1
                        if (a > early or b > early) and (a < late or b < late):
                            gaps.append(gap)
        return found + gaps

    def meets(self, prism: Prism) -> bool:
        """Whether a terrain part may reach into it."""
        sx, sy, vx, vy = self.sx, self.sy, self.vx, self.vy
        tx, ty, width = sx + vx, sy + vy, self.width
        lox, loy, hix, hiy, sides = shape_of(prism.corners)
        if (
            (sx - hix > width and tx - hix > width)
            or (lox - sx > width and lox - tx > width)
            or (sy - hiy > width and ty - hiy > width)
            or (loy - sy > width and loy - ty > width)
        ):
            return False
        left = right = False
        for ex, ey, offset, square, x, y, _, _ in sides:
            first, last = ex * sy - ey * sx - offset, ex * ty - ey * tx - offset
            if first <= 0 and last <= 0 and max(first, last) ** 2 >= width * width * square:
                return False
            cross = vx * (y - sy) - vy * (x - sx)
            left = left or cross > -self.half
            right = right or cross < self.half
        return left and right
