"""The search for the shortest way: a small visibility graph that grows as hurdles join it.

A* over the corners of twelve-gons around the hurdles. Ties go by length, then by corner order.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import isqrt
from typing import NamedTuple

from engine.geometry.distance import Disc, gap_of
from engine.geometry.paths import MAX_WAYPOINTS, Hurdle, Path, entered, vector_length
from engine.geometry.places import TOUCH, Gon, touching
from engine.geometry.polygons import enters, sweeps
from engine.geometry.squares import Squares
from events.values import Point, Rect

ENDLESS = 1 << 40
"""Mils further than anything."""

Room = tuple[int, int, int, int]
"""Where a base's centre may be so that all of it is on the table: least x and y, greatest."""


def room_of(mover: Disc, table: Rect | None) -> Room:
    """Return the room of a base on a table; without a table it is endless. [MOVE-5]"""
    if table is None:
        return -ENDLESS, -ENDLESS, ENDLESS, ENDLESS
    edge = -(-500 * mover[2] // 127)
    return table.x0 + edge, table.y0 + edge, table.x1 - edge, table.y1 - edge


_Bend = tuple[int, int, int, int, int, int, int, int, int, int]
"""A corner of a polygon, lower bounds of the way to it and of the way left from it; then for each
of its two sides the direction and the cross product of the corner with it."""


class _Lanes(NamedTuple):
    """Where the ways from one corner may lead, whatever stands there."""

    bends: list[tuple[int, int, int]]
    """Number of a corner, how long the line to it is, the way left from there at least."""
    ends: list[tuple[int, int]]
    """Number of an end and how long the line to it is."""


class Search:
    """The graph of one search: it grows as more hurdles join it."""

    def __init__(
        self,
        mover: Disc,
        ends: Sequence[Point],
        aims: Sequence[Disc],
        standing: Squares,
        limit: int,
        room: Room,
    ) -> None:
        self.mover, self.aims, self.standing = mover, aims, standing
        self.limit = limit
        self.lox, self.loy, self.hix, self.hiy = room
        self.active: list[Hurdle] = []
        self._by_size: dict[int, list[tuple[int, int]]] = {}
        for x, y, r in aims:
            self._by_size.setdefault(r, []).append((x, y))
        self._bends: list[_Bend] = []
        self._ends = [(e, (end.x, end.y)) for e, end in enumerate(ends)]
        self._lanes: dict[int, tuple[int, _Lanes]] = {}
        self._barred: dict[tuple[int, int], Hurdle] = {}

    def bend(self, gon: Gon, k: int) -> None:
        """Let ways bend around a free corner of a polygon, if it leads anywhere in time."""
        x, y = gon[k]
        sx, sy, _ = self.mover
        came = vector_length(x - sx, y - sy)
        if came > self.limit:
            return
        if not (self.lox <= x <= self.hix and self.loy <= y <= self.hiy):
            return
        left = self._at_least(x, y)
        if came + left > self.limit:
            return
        (px, py), (nx, ny) = gon[k - 1], gon[k - 11]
        ax, ay, bx, by = px - x, py - y, nx - x, ny - y
        self._bends.append((x, y, came, left, ax, ay, x * ay - y * ax, bx, by, x * by - y * bx))

    def _at_least(self, x: int, y: int) -> int:
        """Return a length that the way to the nearest end or aim can't fall short of."""
        if not self.aims:
            return isqrt(min([(x - ex) ** 2 + (y - ey) ** 2 for _, (ex, ey) in self._ends]))
        gaps = []
        for r, aims in self._by_size.items():
            square = min([(x - ax) ** 2 + (y - ay) ** 2 for ax, ay in aims])
            gaps.append(gap_of(square, self.mover[2] + r))
        return max(0, min(gaps) - TOUCH - 2)

    def shortest(self) -> Path | None:
        """Return the shortest path around the corners that no active hurdle blocks.

        A* search: each corner comes with a lower bound of what is left from it. The contact point
        of each aim is a further end, seen from each corner anew. A shortest path hugs each polygon
        it bends around, so a line between two corners that would cut into either's polygon is
        skipped. A line is swept only when its turn comes: most never do. Of equal ones the first
        found counts.
        """
        limit = self.limit
        points = [(self.mover[0], self.mover[1]), *[(b[0], b[1]) for b in self._bends]]
        passable = len(points)
        points += [end for _, end in self._ends]
        came: dict[int, int] = {}
        open_ = [(0, 0, 0, 0, 0)]
        done = bytearray(len(points))
        turn = 0
        while open_:
            _, u, _, so_far, before = heappop(open_)
            if done[u]:
                continue
            here = points[u]
            if u:
                if not self._open(*points[before], *here):
                    continue
                came[u] = before
            done[u] = 1
            turn += 1
            if u >= passable:
                return _back(came, points, u)
            bends, ends = self._lanes_from(u, *here)
            for v, length, left in bends:
                total = so_far + length
                if total + left <= limit and not done[v]:
                    heappush(open_, (total + left, v, turn, total, u))
            for v, length in ends:
                total, v = so_far + length, v + passable
                if total <= limit and not done[v]:
                    heappush(open_, (total, v, turn, total, u))
            for x, y, length in self._contacts(here, limit - so_far):
                total = so_far + length
                if length:
                    heappush(open_, (total, len(points), turn, total, u))
                points.append((x, y))
                done.append(0)
        return None

    def _lanes_from(self, u: int, x: int, y: int) -> _Lanes:
        """Return the lanes from a corner, with those to corners that are new since last asked."""
        known, lanes = self._lanes.get(u, (0, None))
        if lanes is None:
            lanes = _Lanes([], self._to_ends(u, x, y))
        new = self._bends[known:] if known else self._bends
        if not new:
            return lanes
        self._lanes[u] = len(self._bends), lanes
        found = lanes.bends
        if not u:
            for v, (_, _, came, left, *_) in enumerate(new, known + 1):
                if came:
                    found.append((v, came, left))
            return lanes
        _, _, came, _, ax, ay, _, bx, by, _ = self._bends[u - 1]
        room = self.limit - came
        # The sides' cross products with the line tell on which side of it they lie.
        hugging = [
            (v, vx - x, vy - y, left)
            for v, (vx, vy, _, left, cx, cy, c, dx, dy, d) in enumerate(new, known + 1)
            if (c - x * cy + y * cx) * (d - x * dy + y * dx) >= 0
        ]
        for v, dx, dy, left in hugging:
            if (dx * ay - dy * ax) * (dx * by - dy * bx) >= 0:
                square = dx * dx + dy * dy
                if square:
                    length = isqrt(square - 1) + 1
                    if length + left <= room:
                        found.append((v, length, left))
        return lanes

    def _to_ends(self, u: int, x: int, y: int) -> list[tuple[int, int]]:
        """Return the ends that a way through a corner can reach in time."""
        room = self.limit - (self._bends[u - 1][2] if u else 0)
        return [
            (e, isqrt(square - 1) + 1)
            for e, (ex, ey) in self._ends
            if 0 < (square := (ex - x) ** 2 + (ey - y) ** 2) <= room * room
        ]

    def _contacts(self, here: tuple[int, int], limit: int) -> list[tuple[int, int, int]]:
        """Return where a base there comes into contact with an aim, and in how many mils, at most
        `limit`."""
        r = self.mover[2]
        mover = Disc(*here, r)
        found = []
        for aim in self.aims:
            reach = (
                limit + 500 * (r + aim[2]) // 127 + TOUCH + 3
            )  # more than as far as the centre can be
            dx, dy = aim[0] - here[0], aim[1] - here[1]
            if dx * dx + dy * dy > reach * reach:
                continue
            end = touching(mover, aim)
            x, y = end.x, end.y
            length = vector_length(x - here[0], y - here[1])
            if length > limit or not (self.lox <= x <= self.hix and self.loy <= y <= self.hiy):
                continue
            if self.standing.at(x, y) is None:
                found.append((x, y, length))
        return found

    def _open(self, ax: int, ay: int, bx: int, by: int) -> bool:
        """May a base go straight from one corner to another?

        What barred another line from or to the same place is swept first: it mostly bars this one.
        """
        barred, start, end = self._barred, (ax, ay), (bx, by)
        for place in (start, end):
            item = barred.get(place)
            if item is None:
                continue
            if item[5] is None:
                if enters(ax, ay, bx, by, item[0], item[1], item[3]):
                    return False
            elif sweeps(ax, ay, bx, by, item[3], item[5]):
                return False
        met = entered(ax, ay, bx, by, self.active)
        if met is not None:
            barred[start] = barred[end] = met
        return met is None


def _back(came: dict[int, int], points: Sequence[tuple[int, int]], u: int) -> Path | None:
    """Return the path that came to `u`, or None if it has too many waypoints."""
    path: list[Point] = []
    while u:
        path.append(Point(*points[u]))
        u = came[u]
    return tuple(reversed(path)) if len(path) <= MAX_WAYPOINTS else None
