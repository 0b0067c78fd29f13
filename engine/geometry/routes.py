"""The shortest way around: a small visibility graph over whole-number corners. [CMOV-3, AMB-16]

Every base in the way, inflated by the mover's, becomes a twelve-sided polygon around it; the
shortest path runs along its corners. Corners are used lazily: only what blocks the best path so
far joins the graph, so the straight line costs one sweep and the usual detour a few corners.
Rounding a base this way is at most 2.4 % longer than hugging it. Ties go by length, then by
corner order, so every machine walks the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from events.values import Point, Rect

COMPASS: tuple[tuple[int, int], ...] = (
    (10000, 0), (9659, 2588), (8660, 5000), (7071, 7071), (5000, 8660), (2588, 9659),
    (0, 10000), (-2588, 9659), (-5000, 8660), (-7071, 7071), (-8660, 5000), (-9659, 2588),
    (-10000, 0), (-9659, -2588), (-8660, -5000), (-7071, -7071), (-5000, -8660), (-2588, -9659),
    (0, -10000), (2588, -9659), (5000, -8660), (7071, -7071), (8660, -5000), (9659, -2588),
)  # fmt: skip
"""Twenty-four directions from east, anticlockwise, 15 degrees apart, ten thousand long."""

TOUCH = 4
"""The gap in mils a placement aims at for base contact: whole-number rounding moves it by less
than 1 either way, well inside 0 to `CONTACT`."""

MAX_ACTIVE = 60
"""Bases that may join one graph; a search that needs more is given up."""


class _Corner(NamedTuple):
    """A corner of a polygon, a lower bound of the way left from it, and its sides' directions."""

    x: int
    y: int
    left: int
    before: tuple[int, int]
    after: tuple[int, int]


class Route(NamedTuple):
    """A way to base contact with `target` (its index) and its length in mils, edge to edge."""

    target: int
    path: Path
    length: int


def step(dx: int, dy: int, length: int) -> tuple[int, int]:
    """Return the vector of at most `length` mils in a direction, rounded towards 0.

    >>> step(3, 4, 6000)
    (3600, 4800)
    """
    square = (dx * dx + dy * dy) << 40
    root = isqrt(square - 1) + 1 if square else 1
    x, y = (abs(dx) * length << 20) // root, (abs(dy) * length << 20) // root
    return (x if dx >= 0 else -x), (y if dy >= 0 else -y)


def beside(r: int, disc: Disc, clear: int, dx: int, dy: int) -> Point:
    """Return where a base of radius `r` stands at a gap of `clear` mils from `disc`, seen in a
    direction from its centre; within 1 mil. No direction means east.
    """
    if not dx and not dy:
        dx = 1
    reach = (127 * clear + 500 * (r + disc[2])) << 20
    root = 127 * isqrt((dx * dx + dy * dy) << 40)
    return Point(
        disc[0] + (2 * dx * reach + root) // (2 * root),
        disc[1] + (2 * dy * reach + root) // (2 * root),
    )


def touching(mover: Disc, disc: Disc) -> Point:
    """Return where the mover comes into contact with `disc` by the straight line."""
    return beside(mover[2], disc, TOUCH, mover[0] - disc[0], mover[1] - disc[1])


def ring(r: int, disc: Disc, clear: int, every: int = 1) -> list[Point]:
    """Return places around `disc` at a gap of `clear` mils, one for each `every`-th direction."""
    return [beside(r, disc, clear, dx, dy) for dx, dy in COMPASS[::every]]


def cut(start: Point, path: Path, distance: int) -> Path:
    """Return the path's first `distance` mils; its whole if it is no longer.

    >>> cut(Point(0, 0), (Point(3000, 0), Point(3000, 9000)), 5000)
    (Point(x=3000, y=0), Point(x=3000, y=2000))
    """
    kept: list[Point] = []
    for point in path:
        leg = segment_length(start, point)
        if leg > distance:
            dx, dy = step(point.x - start.x, point.y - start.y, distance)
            if dx or dy:
                kept.append(Point(start.x + dx, start.y + dy))
            break
        kept.append(point)
        distance -= leg
        start = point
    return tuple(kept)


def rings(item: Hurdle) -> list[list[Point]]:
    """Return twelve-gons around a hurdle: their sides stay outside, exactly.

    A base has one; a polygon one around each of its corners, whose outermost points are no nearer
    to its sides than the mover may come.
    """
    centres: tuple[Point, ...]
    if item[5] is None:
        centres, reach = (Point(item[0], item[1]),), item[2]
    else:
        centres, reach = item[5], isqrt(item[3]) // 127 + 1
    out = reach * 10358 // 10000 + 3
    return [
        [Point(c.x + dx * out // 10000, c.y + dy * out // 10000) for dx, dy in COMPASS[::2]]
        for c in centres
    ]


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
    start = mover.centre
    near, loose = [], []
    for item in among:
        x, y, reach, square, index, polygon = item
        dx, dy = abs(x - start.x), abs(y - start.y)
        if dx < limit + reach and dy < limit + reach:
            near.append(item)
            began = 16129 * (dx * dx + dy * dy)
            # One that it starts inside may only be left: never nearer than it began.
            if polygon is not None:
                if entered(start.x, start.y, start.x, start.y, (item,)) is not None:
                    continue
            elif began < square:
                item = (x, y, isqrt(began) // 127 + 1, began, index, None)
            loose.append(item)
    straight = sorted(
        (length, order, point)
        for order, point in enumerate([*goals, *(touching(mover, aim) for aim in aims)])
        if (length := segment_length(start, point)) <= limit and _fits(mover, point, table)
    )
    best: Path | None = None
    shut: list[tuple[int, Point]] = []
    for length, _, point in straight:
        if not clear_at(point, near):
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
    active: list[Hurdle] = []
    around: list[_Corner] = []
    while len(active) <= MAX_ACTIVE:
        path = _shortest(mover, around, ends, targets, active, near, limit, table)
        if path is None:
            return best
        met = _all_entered(start, path, loose)
        if not met:
            return path
        for item in met:  # grows as it is walked: bases shoulder to shoulder come as one
            active.append(item)
            for k, corner, gon in _numbered(rings(item)):
                x, y = corner.x, corner.y
                cover = entered(x, y, x, y, loose)
                if cover is not None:
                    if cover not in active and cover not in met:
                        met.append(cover)
                    continue
                there, came = mover.moved(corner), segment_length(start, corner)
                if came > limit or not _fits(mover, corner, table):
                    continue
                left = _at_least(there, ends, targets)
                if came + left > limit:
                    continue
                p, n = gon[k - 1], gon[k - 11]
                around.append(_Corner(x, y, left, (p.x - x, p.y - y), (n.x - x, n.y - y)))
    return best


def _fits(mover: Disc, point: Point, table: Rect | None) -> bool:
    """Would the whole base be on the table at `point`? [MOVE-5]"""
    return table is None or inside(mover.moved(point), table)


def _numbered(polygons: list[list[Point]]) -> Iterator[tuple[int, Point, list[Point]]]:
    for polygon in polygons:
        for k, corner in enumerate(polygon):
            yield k, corner, polygon


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


def _at_least(mover: Disc, ends: Sequence[Point], aims: Sequence[Disc]) -> int:
    """Return a length that the way to the nearest end or aim can't fall short of."""
    if aims:
        return max(0, min(gap(mover, aim) for aim in aims) - TOUCH - 2)
    x, y, _ = mover
    return isqrt(min((x - end.x) ** 2 + (y - end.y) ** 2 for end in ends))


def _hugs(dx: int, dy: int, corner: _Corner) -> bool:
    """Does a line in a direction through a corner leave its polygon on one side?"""
    _, _, _, (ax, ay), (bx, by) = corner
    return (dx * ay - dy * ax) * (dx * by - dy * bx) >= 0


def _shortest(
    mover: Disc,
    around: Sequence[_Corner],
    ends: Sequence[Point],
    aims: Sequence[Disc],
    active: Sequence[Hurdle],
    near: Sequence[Hurdle],
    limit: int,
    table: Rect | None,
) -> Path | None:
    """Return the shortest path over the corners `around` that no active hurdle blocks.

    A* search: each corner comes with a lower bound of what is left from it. The contact point of
    each aim is a further end, seen from each corner anew. A shortest path hugs each polygon it
    bends around, so a line between two corners that would cut into either's polygon is skipped.
    A line is swept only when its turn comes: most never do. Of equal ones the first found counts.
    """
    points = [mover.centre, *(Point(corner.x, corner.y) for corner in around)]
    passable = len(points)
    points += ends
    always = range(1, len(points))
    came: dict[int, int] = {}
    open_ = [(0, 0, 0, 0, 0)]
    done: set[int] = set()
    while open_:
        _, u, _, so_far, before = heappop(open_)
        if u in done:
            continue
        here = points[u]
        x, y = here.x, here.y
        if u:
            last = points[before]
            if entered(last.x, last.y, x, y, active) is not None:
                continue
            came[u] = before
        done.add(u)
        if u >= passable:
            path: list[Point] = []
            while u:
                path.append(points[u])
                u = came[u]
            return tuple(reversed(path)) if len(path) <= MAX_WAYPOINTS else None
        first = len(points)
        for aim in aims:
            end = touching(mover.moved(here), aim)
            if segment_length(here, end) + so_far > limit or not _fits(mover, end, table):
                continue
            if clear_at(end, near):
                points.append(end)
        turn = len(done)
        for v in (*always, *range(first, len(points))):
            if v in done:
                continue
            there = points[v]
            dx, dy = there.x - x, there.y - y
            square = dx * dx + dy * dy
            if not square:
                continue
            total = bound = so_far + isqrt(square - 1) + 1
            if v < passable:
                bound += around[v - 1].left
            if bound > limit:
                continue
            bends = u and v < passable
            if bends and not (_hugs(dx, dy, around[v - 1]) and _hugs(dx, dy, around[u - 1])):
                continue
            heappush(open_, (bound, v, turn, total, u))
    return None


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
    rings = [place for aim in aims for place in ring(mover[2], aim, TOUCH)]
    path = seek(mover, rings, aims, among, limit, table)
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
