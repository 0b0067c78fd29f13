"""Moves along waypoints: how long they are and what stands in their way, exactly.

A path is a tuple of at most `MAX_WAYPOINTS` points after the start. Sweeping the whole base along
it covers gaps narrower than the base as well as models. [MOVE-3] A distance from a segment to a
point is a fraction; it is compared by cross-multiplying, never divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Literal, NamedTuple

from engine.geometry.coherency import groups
from engine.geometry.distance import INCH, Disc, box_of, inches, inside
from engine.geometry.polygons import Barrier, Polygon, enters, sweeps
from events.values import Point, Rect

MAX_WAYPOINTS = 32
"""Waypoints a path may have, its end included."""

Path = tuple[Point, ...]
"""Waypoints after the start, in order; empty for a model that stays."""

Move = tuple[int, Path]
"""A model's index in its unit and its path."""

KeepAway = tuple[Disc, int]
"""A base and the least gap to it in mils that a path may have."""

Hurdle = tuple[int, int, int, int, int, Polygon | None]
"""x, y, reach in mils rounded up, (127 reach)^2 exactly, index: a base inflated by the mover's.

For a polygon its corners stand last, the reach is that of a disc around it and the square only the
mover's own."""


class Block(NamedTuple):
    """What a path meets first."""

    kind: Literal["through", "near"]
    """``"through"`` a model, or too ``"near"`` one to be kept away from."""
    which: int
    """Place in the obstacles ("through") or in the bases to keep away from ("near")."""
    leg: int
    """Which waypoint the fault is on the way to, from 0."""


class Breach(NamedTuple):
    """The first rule a placement breaks."""

    rule: str
    model: int
    """Index in the unit; -1 where the unit as a whole is at fault."""
    reason: str


def segment_length(a: Point, b: Point) -> int:
    """Return the distance of two points in mils, rounded up.

    >>> segment_length(Point(0, 0), Point(1, 1))
    2
    """
    return vector_length(b.x - a.x, b.y - a.y)


def vector_length(dx: int, dy: int) -> int:
    """Return the length of a vector in mils, rounded up."""
    square = dx * dx + dy * dy
    return isqrt(square - 1) + 1 if square else 0


def path_length(start: Point, path: Path) -> int:
    """Return the length of a path in mils, each leg rounded up.

    >>> path_length(Point(0, 0), (Point(3000, 4000), Point(3000, 5000)))
    6000
    """
    total = 0
    for point in path:
        total += segment_length(start, point)
        start = point
    return total


def misdrawn(start: Point, path: Path) -> str | None:
    """Return why a path can't be read as one (too many waypoints, a leg of no length), or None."""
    if len(path) > MAX_WAYPOINTS:
        return f"a path has at most {MAX_WAYPOINTS} waypoints, this one has {len(path)}"
    for point in path:
        if point == start:
            return f"the path stands still at {point.x},{point.y}; leave that waypoint out"
        start = point
    return None


def hurdle(r: int, disc: Disc, clear: int, index: int) -> Hurdle:
    """Return `disc` inflated by a mover's radius `r` and the gap `clear` to keep, in mils."""
    exact = 127 * clear + 500 * (r + disc[2])
    if isinstance(disc, Barrier):
        own = exact - 500 * disc[2]
        return disc[0], disc[1], -(-exact // 127), own * own, index, disc.corners
    return disc[0], disc[1], -(-exact // 127), exact * exact, index, None


def hurdles(r: int, obstacles: Sequence[Disc], keep_away: Sequence[KeepAway] = ()) -> list[Hurdle]:
    """Return all that a base of radius `r` must not enter: models first, then wider rings.

    Rings are numbered on from the models: index ``len(obstacles) + k`` is ``keep_away[k]``.
    """
    found = [hurdle(r, disc, 0, i) for i, disc in enumerate(obstacles)]
    first = len(found)
    return found + [hurdle(r, d, clear, first + k) for k, (d, clear) in enumerate(keep_away)]


def entered(x0: int, y0: int, x1: int, y1: int, among: Iterable[Hurdle]) -> Hurdle | None:
    """Return the first hurdle that the segment enters, or None. A box test culls the far ones."""
    lox, hix = (x0, x1) if x0 < x1 else (x1, x0)
    loy, hiy = (y0, y1) if y0 < y1 else (y1, y0)
    vx, vy = x1 - x0, y1 - y0
    length = vx * vx + vy * vy
    for item in among:
        cx, cy, reach, square, _, corners = item
        if cx - hix < reach and lox - cx < reach and cy - hiy < reach and loy - cy < reach:
            if corners is not None:
                if sweeps(x0, y0, x1, y1, square, corners):
                    return item
                continue
            # `enters`, written out: this is the hot loop of every way
            wx, wy = cx - x0, cy - y0
            along = vx * wx + vy * wy
            if along <= 0:
                if 16129 * (wx * wx + wy * wy) < square:
                    return item
            elif along >= length:
                wx, wy = cx - x1, cy - y1
                if 16129 * (wx * wx + wy * wy) < square:
                    return item
            else:
                cross = vx * wy - vy * wx
                if 16129 * cross * cross < square * length:
                    return item
    return None


def first_entered(start: Disc, path: Path, among: Sequence[Hurdle]) -> tuple[Hurdle, int] | None:
    """Return the first hurdle that a path may not enter but does, with the leg, or None.

    A model that begins inside a hurdle (the enemy fell back to within an inch of it, say) may
    only leave: never nearer than it began, and its end outside. Out of a polygon any way will do.
    """
    x, y, _ = start
    skipped: tuple[int, ...] = ()
    for leg, point in enumerate(path):
        rest: Sequence[Hurdle] = among
        while (item := entered(x, y, point.x, point.y, rest)) is not None:
            if item[4] in skipped:
                pass
            elif item[5] is not None:
                if entered(start[0], start[1], start[0], start[1], (item,)) is None or entered(
                    path[-1].x, path[-1].y, path[-1].x, path[-1].y, (item,)
                ):
                    return item, leg
                skipped += (item[4],)
            else:
                began = 16129 * ((item[0] - start[0]) ** 2 + (item[1] - start[1]) ** 2)
                last = path[-1]
                ends = 16129 * ((item[0] - last.x) ** 2 + (item[1] - last.y) ** 2)
                if began >= item[3] or ends < item[3]:
                    return item, leg
                for i in range(leg, len(path)):
                    ax, ay = (path[i - 1].x, path[i - 1].y) if i else (start[0], start[1])
                    if enters(ax, ay, path[i].x, path[i].y, item[0], item[1], began):
                        return item, i
                skipped += (item[4],)
            rest = [other for other in rest if other[4] not in skipped]
        x, y = point.x, point.y
    return None


def path_block(
    mover: Disc, path: Path, obstacles: Sequence[Disc], keep_away: Sequence[KeepAway] = ()
) -> Block | None:
    """Return the first thing in the way of a moving base, or None for a clear path. [MOVE-3]

    Nothing may be passed through; touching is no overlap, and ending or passing at exactly the
    gap of a `keep_away` is legal. Costs a few microseconds plus 0.1 for each far-off obstacle.

    >>> path_block(Disc(0, 0, 127), (Point(6000, 0),), [Disc(3000, 900, 127)])
    Block(kind='through', which=0, leg=0)
    >>> path_block(Disc(0, 0, 127), (Point(6000, 0),), [], [(Disc(8000, 0, 127), 1000)]) is None
    True
    """
    met = first_entered(mover, path, hurdles(mover[2], obstacles, keep_away))
    if met is None:
        return None
    index, leg = met[0][4], met[1]
    if index < len(obstacles):
        return Block("through", index, leg)
    return Block("near", index - len(obstacles), leg)


def culled(movers: Sequence[Disc], reach: int, discs: Sequence[Disc]) -> list[int]:
    """Return the indices of the discs whose centre is within `reach` mils of the movers' box."""
    lox, loy, hix, hiy, _ = box_of(tuple(movers))
    lox, loy, hix, hiy = lox - reach, loy - reach, hix + reach, hiy + reach
    return [i for i, (x, y, _) in enumerate(discs) if lox <= x <= hix and loy <= y <= hiy]


def widest(*several: Sequence[Disc]) -> int:
    """Return the largest radius among the discs in mils, rounded up; 0 if there are none."""
    radii = [max([d[2] for d in discs]) for discs in several if discs]
    return -(-500 * max(radii, default=0) // 127)


def _beside_path(here: Sequence[Disc], mover: int, path: Path, room: int) -> list[Disc]:
    """Return the other models with their centre within `room` mils of a path's box."""
    xs = [here[mover][0], *[p.x for p in path]]
    ys = [here[mover][1], *[p.y for p in path]]
    lox, hix, loy, hiy = min(xs) - room, max(xs) + room, min(ys) - room, max(ys) + room
    return [d for k, d in enumerate(here) if lox < d[0] < hix and loy < d[1] < hiy and k != mover]


def check_moves(
    unit: Sequence[Disc],
    moves: Sequence[Move],
    distance: int,
    obstacles: Sequence[Disc] = (),
    enemies: Sequence[Disc] = (),
    table: Rect | None = None,
    clear: int = INCH,
) -> Breach | None:
    """Return the first rule that a unit's move breaks, or None. [MOVE-2 to MOVE-5, UNIT-3, CONS-2]

    Models move one after the other in the order of `moves`; a model not named, or with an empty
    path, stays. `distance` is each model's allowance in mils, `obstacles` are friends' models and
    barriers of the ground, `enemies` are kept at `clear` mils.
    A unit that starts out of coherency may stay so but not break up further. [UNIT-4]
    """
    here = list(unit)
    room = distance + clear + 2 * widest(unit, obstacles, enemies)
    base = 2 * widest(unit)
    near = culled(unit, room, obstacles)
    rings = culled(unit, room, enemies)
    far: dict[int, list[Hurdle]] = {}
    for i, path in moves:
        mover = here[i]
        if not path:
            continue
        start = mover.centre
        if (fault := misdrawn(start, path)) is not None:
            return Breach("MOVE-2", i, fault)
        if (length := path_length(start, path)) > distance:
            return Breach("MOVE-2", i, f"moves {inches(length)}, it may move {inches(distance)}")
        r = mover[2]
        if r not in far:
            far[r] = hurdles(r, [obstacles[k] for k in near], [(enemies[k], clear) for k in rings])
        met = first_entered(mover, path, far[r])
        if met is not None:
            if met[0][4] < len(near):
                thing = obstacles[near[met[0][4]]]
                if isinstance(thing, Barrier):
                    return Breach(thing.rule, i, thing.reason)
                return Breach("MOVE-3", i, "moves through a model that is not of its unit")
            return Breach("MOVE-3", i, f"moves within {inches(clear)} of an enemy model")
        if first_entered(mover, path, hurdles(r, _beside_path(here, i, path, base))) is not None:
            return Breach("MOVE-3", i, "moves through a model of its own unit")
        here[i] = mover.moved(path[-1])
        if table is not None and any(not inside(mover.moved(p), table) for p in path):
            return Breach("MOVE-5", i, "moves off the table")
    parts = groups(here)
    if len(parts) > 1 and len(parts) > len(groups(unit)):
        return Breach("UNIT-3", parts[1][0], "ends more than 2 inches from the rest of its unit")
    return None
