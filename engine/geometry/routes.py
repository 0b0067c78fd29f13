"""The shortest way around: a small visibility graph over whole-number corners. [CMOV-3, AMB-16]

Every base in the way, inflated by the mover's, becomes a twelve-sided polygon around it; the
shortest path runs along its corners. Corners are used lazily: only what blocks the best path so
far joins the graph, so the straight line costs one sweep and the usual detour a few corners.
Rounding a base this way is at most 2.4 % longer than hugging it. Ties go by length, then by
corner order, so every machine walks the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from math import isqrt
from typing import NamedTuple

from engine.geometry.distance import Disc, gap, in_contact, inside
from engine.geometry.paths import (
    MAX_WAYPOINTS,
    Hurdle,
    KeepAway,
    Path,
    entered,
    hurdles,
    path_length,
    segment_length,
)
from engine.geometry.places import TOUCH, Gon, ring, rings, touching
from engine.geometry.squares import Squares
from events.values import Point, Rect

MAX_ACTIVE = 60
"""Bases that may join one graph; a search that needs more is given up."""


class Route(NamedTuple):
    """A way to base contact with `target` (its index) and its length in mils, edge to edge."""

    target: int
    path: Path
    length: int


def clear_at(point: Point, among: Sequence[Hurdle]) -> bool:
    """May a base stand there: is the point in no hurdle?"""
    return entered(point.x, point.y, point.x, point.y, among) is None


def line_clear(a: Point, b: Point, among: Sequence[Hurdle]) -> bool:
    """May a base go straight from `a` to `b`?"""
    return entered(a.x, a.y, b.x, b.y, among) is None


def seek(
    mover: Disc,
    goals: Sequence[Point],
    aims: Sequence[Disc],
    among: Sequence[Hurdle],
    limit: int,
    table: Rect | None = None,
) -> Path | None:
    """Return the shortest path of at most `limit` mils to a goal or into contact with an aim.

    `among` are hurdles for the mover's radius, the aims' own included; goals given along with
    aims are contact places around them. None if there is no such
    path or it would wind around more than `MAX_ACTIVE` bases. Straight lines cost one sweep each,
    a detour around one base about half a millisecond.
    """
    x, y, _ = mover
    near = [
        item
        for item in among
        if -item[2] - limit < item[0] - x < item[2] + limit
        and -item[2] - limit < item[1] - y < item[2] + limit
    ]
    numbered = tuple([(*item[:4], k, item[5]) for k, item in enumerate(near)])
    return _sought(mover, tuple(goals), tuple(aims), numbered, limit, table)


@lru_cache(maxsize=300)
def _sought(
    mover: Disc,
    goals: tuple[Point, ...],
    aims: tuple[Disc, ...],
    near: tuple[Hurdle, ...],
    limit: int,
    table: Rect | None,
) -> Path | None:
    """Return what `seek` does. What is near a model often stays while others move, and a way is
    asked for again: whether there is one, as a proposal, by the check.
    """
    start = mover.centre
    loose = _loosened(mover, near)
    standing = Squares(near)
    straight = sorted(
        (length, order, point)
        for order, point in enumerate([*goals, *(touching(mover, aim) for aim in aims)])
        if (length := segment_length(start, point)) <= limit and _fits(mover, point, table)
    )
    best: Path | None = None
    shut: list[tuple[int, Point]] = []
    for length, _, point in straight:
        if standing.at(point.x, point.y) is not None:
            continue
        if point == start:
            return ()
        if line_clear(start, point, loose):
            best, limit = (point,), length - 1
            break
        shut.append((length, point))
    if best is not None and not shut:
        return best
    targets = [aim for aim in aims if gap(mover, aim) <= limit]
    ends = [point for length, point in shut if length <= limit]
    if not targets and not ends:
        return best
    search = _Search(mover, ends, targets, standing, limit, table)
    cover_of = (standing if loose is near else Squares(loose)).at
    while len(search.active) <= MAX_ACTIVE:
        path = search.shortest()
        if path is None:
            return best
        met = _all_entered(start, path, loose)
        if not met:
            return path
        known = {item[4] for item in (*search.active, *met)}
        for item in met:  # grows as it is walked: bases shoulder to shoulder come as one
            if len(known) > MAX_ACTIVE:
                return best
            search.active.append(item)
            for gon in rings(item):
                for k, (x, y) in enumerate(gon):
                    cover = cover_of(x, y)
                    if cover is None:
                        search.bend(gon, k)
                    elif cover[4] not in known:
                        known.add(cover[4])
                        met.append(cover)
    return best


def _loosened(mover: Disc, near: Sequence[Hurdle]) -> Sequence[Hurdle]:
    """Return hurdles as they bar the mover's way: one that it starts inside may only be left,
    never nearer than it began, a polygon any way."""
    sx, sy, _ = mover
    loose: list[Hurdle] = []
    for item in near:
        x, y, _, square, index, polygon = item
        began = 16129 * ((x - sx) ** 2 + (y - sy) ** 2)
        if polygon is not None:
            if entered(sx, sy, sx, sy, (item,)) is not None:
                continue
        elif began < square:
            item = x, y, isqrt(began) // 127 + 1, began, index, None
        loose.append(item)
    return near if loose == list(near) else loose


def _fits(mover: Disc, point: Point, table: Rect | None) -> bool:
    """Would the whole base be on the table at `point`? [MOVE-5]"""
    return table is None or inside(Disc(point.x, point.y, mover[2]), table)


def _all_entered(start: Point, path: Path, among: Sequence[Hurdle]) -> list[Hurdle]:
    """Return every hurdle a path enters, in order."""
    found: list[Hurdle] = []
    for point in path:
        rest = [item for item in among if item not in found] if found else list(among)
        while (item := entered(start.x, start.y, point.x, point.y, rest)) is not None:
            found.append(item)
            rest = rest[rest.index(item) + 1 :]
        start = point
    return found


_Bend = tuple[int, int, int, int, int, int, int, int, int, int]
"""A corner of a polygon, lower bounds of the way to it and of the way left from it; then for each
of its two sides the direction and the cross product of the corner with it."""


class _Lanes(NamedTuple):
    """Where the ways from one corner may lead, whatever stands there."""

    bends: list[tuple[int, int, int]]
    """Number of a corner, how long the line to it is, the way left from there at least."""
    ends: list[tuple[int, int]]
    """Number of an end and how long the line to it is."""


class _Search:
    """The graph of one search: it grows as more hurdles join it."""

    def __init__(
        self,
        mover: Disc,
        ends: Sequence[Point],
        aims: Sequence[Disc],
        standing: Squares,
        limit: int,
        table: Rect | None,
    ) -> None:
        self.mover, self.aims, self.standing = mover, aims, standing
        self.limit, self.table = limit, table
        self.active: list[Hurdle] = []
        self._by_size: dict[int, list[Disc]] = {}
        for aim in aims:
            self._by_size.setdefault(aim[2], []).append(aim)
        self._bends: list[_Bend] = []
        self._ends = [(end.x, end.y) for end in ends]
        self._lanes: dict[int, tuple[int, _Lanes]] = {}
        self._barred: dict[tuple[int, int], Hurdle] = {}

    def bend(self, gon: Gon, k: int) -> None:
        """Let ways bend around a free corner of a polygon, if it leads anywhere in time."""
        x, y = gon[k]
        sx, sy, r = self.mover
        came = _ceil(x - sx, y - sy)
        if came > self.limit:
            return
        there = Disc(x, y, r)
        if self.table is not None and not inside(there, self.table):
            return
        left = self._at_least(there)
        if came + left > self.limit:
            return
        (px, py), (nx, ny) = gon[k - 1], gon[k - 11]
        ax, ay, bx, by = px - x, py - y, nx - x, ny - y
        self._bends.append((x, y, came, left, ax, ay, x * ay - y * ax, bx, by, x * by - y * bx))

    def _at_least(self, mover: Disc) -> int:
        """Return a length that the way to the nearest end or aim can't fall short of."""
        x, y, _ = mover
        if not self.aims:
            return isqrt(min([(x - ex) ** 2 + (y - ey) ** 2 for ex, ey in self._ends]))
        nearest = [
            min(aims, key=lambda aim: (x - aim[0]) ** 2 + (y - aim[1]) ** 2)
            for aims in self._by_size.values()
        ]
        return max(0, min([gap(mover, aim) for aim in nearest]) - TOUCH - 2)

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
        points += self._ends
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
                if total <= limit and length and not done[v]:
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
            lanes = _Lanes(
                [], [(e, _ceil(ex - x, ey - y)) for e, (ex, ey) in enumerate(self._ends)]
            )
        if known == len(self._bends):
            return lanes
        hugged = self._bends[u - 1] if u else None
        room = self.limit - (hugged[2] if hugged else 0)
        v = known
        for vx, vy, _, left, ax, ay, ca, bx, by, cb in self._bends[known:]:
            v += 1
            dx, dy = vx - x, vy - y
            if hugged is not None:
                # The sides' cross products with the line tell on which side of it they lie.
                if (ca - x * ay + y * ax) * (cb - x * by + y * bx) < 0:
                    continue
                _, _, _, _, ax, ay, _, bx, by, _ = hugged
                if (dx * ay - dy * ax) * (dx * by - dy * bx) < 0:
                    continue
            length = _ceil(dx, dy)
            if length and length + left <= room:
                lanes.bends.append((v, length, left))
        self._lanes[u] = len(self._bends), lanes
        return lanes

    def _contacts(self, here: tuple[int, int], limit: int) -> list[tuple[int, int, int]]:
        """Return where a base there comes into contact with an aim, and in how many mils, at most
        `limit`."""
        r = self.mover[2]
        mover = Disc(*here, r)
        found = []
        for aim in self.aims:
            reach = limit + 8 * (r + aim[2]) + 10  # more than as far as the centre can be
            dx, dy = aim[0] - here[0], aim[1] - here[1]
            if dx * dx + dy * dy > reach * reach:
                continue
            end = touching(mover, aim)
            length = _ceil(end.x - here[0], end.y - here[1])
            if length > limit or not _fits(mover, end, self.table):
                continue
            if self.standing.at(end.x, end.y) is None:
                found.append((end.x, end.y, length))
        return found

    def _open(self, ax: int, ay: int, bx: int, by: int) -> bool:
        """May a base go straight from one corner to another?

        What barred another line from or to the same place is swept first: it mostly bars this one.
        """
        barred, start, end = self._barred, (ax, ay), (bx, by)
        for place in (start, end):
            if place in barred and entered(ax, ay, bx, by, (barred[place],)) is not None:
                return False
        met = entered(ax, ay, bx, by, self.active)
        if met is not None:
            barred[start] = barred[end] = met
        return met is None


def _ceil(dx: int, dy: int) -> int:
    """Return the length of a vector, rounded up."""
    square = dx * dx + dy * dy
    return isqrt(square - 1) + 1 if square else 0


def _back(came: dict[int, int], points: Sequence[tuple[int, int]], u: int) -> Path | None:
    """Return the path that came to `u`, or None if it has too many waypoints."""
    path: list[Point] = []
    while u:
        path.append(Point(*points[u]))
        u = came[u]
    return tuple(reversed(path)) if len(path) <= MAX_WAYPOINTS else None


def route_to_contact(
    mover: Disc,
    targets: Sequence[Disc],
    among: Sequence[Hurdle],
    limit: int,
    table: Rect | None = None,
) -> Route | None:
    """Return the shortest way to base contact with any of `targets`, or None. [CMOV-3, CMOV-4]

    The length is measured to the very edge: on open ground it is the `gap`. It is at most
    `limit`; `among` are hurdles of the mover's radius, the targets among them.
    """
    for k, target in enumerate(targets):
        if in_contact(mover, target):
            return Route(k, (), gap(mover, target))
    reachable = [(gap(mover, t), k) for k, t in enumerate(targets)]
    order = [k for length, k in sorted(reachable) if length <= limit]
    aims = [targets[k] for k in order]
    places = [place for aim in aims for place in ring(mover[2], aim, TOUCH)]
    path = seek(mover, places, aims, among, limit, table)
    if path is None:
        return None
    end = mover.moved(path[-1])
    k = next(k for k in order if in_contact(end, targets[k]))
    before = mover if len(path) == 1 else mover.moved(path[-2])
    length = path_length(mover.centre, path[:-1])
    if touching(before, targets[k]) == path[-1]:
        length += gap(before, targets[k])
    else:
        length = path_length(mover.centre, path) + gap(end, targets[k])
    return Route(k, path, length) if length <= limit else None


def shortest_path(
    mover: Disc,
    target: Disc,
    obstacles: Sequence[Disc] = (),
    keep_away: Sequence[KeepAway] = (),
    limit: int = 200_000,
    table: Rect | None = None,
) -> Route | None:
    """Return the shortest way of one base into contact with another, or None. [CMOV-3, CDEC-2]

    >>> shortest_path(Disc(0, 0, 127), Disc(7000, 0, 127))
    Route(target=0, path=(Point(x=5996, y=0),), length=6000)
    >>> around = shortest_path(Disc(0, 0, 127), Disc(7000, 0, 127), [Disc(3000, 0, 127)])
    >>> around.length, len(around.path)
    (6311, 3)
    """
    among = hurdles(mover[2], [target, *obstacles], keep_away)
    return route_to_contact(mover, [target], among, limit, table)
