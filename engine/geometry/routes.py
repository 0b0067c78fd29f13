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
from math import isqrt
from typing import NamedTuple

from engine.geometry.distance import Disc, gap, in_contact
from engine.geometry.paths import (
    Hurdle,
    KeepAway,
    Path,
    entered,
    hurdles,
    path_length,
)
from engine.geometry.places import TOUCH, ring, rings, touching
from engine.geometry.search import Search, room_of
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


@lru_cache(maxsize=200)
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
    sx, sy, _ = mover
    room = lox, loy, hix, hiy = room_of(mover, table)
    near_by = [
        (square, order, point)
        for order, point in enumerate([*goals, *[touching(mover, aim) for aim in aims]])
        if (square := (point.x - sx) ** 2 + (point.y - sy) ** 2) <= limit * limit
    ]
    straight = sorted(
        (isqrt(square - 1) + 1 if square else 0, order, point)
        for square, order, point in near_by
        if lox <= point.x <= hix and loy <= point.y <= hiy
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
    search = Search(mover, ends, targets, standing, limit, room)
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
