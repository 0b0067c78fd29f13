"""Proposals for setting up and for moving a whole unit: each passes the exact checks.

They serve bots and macros such as "move warriors toward boyz"; a proposal becomes a choice with
plain coordinates and is checked like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from engine.geometry.coherency import COHERENCY, coherent, groups
from engine.geometry.distance import INCH, Disc, closest, gap, inside, nearness, overlaps, within
from engine.geometry.paths import (
    Hurdle,
    Move,
    Path,
    culled,
    first_entered,
    hurdles,
    widest,
)
from engine.geometry.places import COMPASS, TOUCH, beside, step
from engine.geometry.polygons import Barrier, stands_in
from engine.geometry.routes import seek
from events.values import Point, Rect

Facing = Literal["north", "south"]
"""Which way a formation looks: its first rank stands furthest that way."""

SPACING = INCH // 2
"""Gap in mils between neighbours in a formation, well within coherency."""

GRID = INCH // 2
"""Mesh in mils of the places that deployment tries."""

SEEDS = 24
"""Places from which deployment tries to fit models in one by one."""

RANKS = (10, 5, 20, 3, 1)
"""Numbers of models abreast that deployment tries, in order."""


def formation(
    n: int, r: int, front: Point, facing: Facing = "north", abreast: int = 10, apart: int = SPACING
) -> list[Point]:
    """Return places for `n` bases of radius `r` in ranks of `abreast`, in coherency. [UNIT-3]

    `front` is the middle of the first rank; the others stand behind it, the gap between
    neighbours is `apart` mils.

    >>> formation(3, 127, Point(10000, 5000), abreast=2)
    [Point(x=9250, y=5000), Point(x=10750, y=5000), Point(x=9250, y=3500)]
    """
    pitch = -(-1000 * r // 127) + apart
    back = -pitch if facing == "north" else pitch
    left = front.x - pitch * (min(n, abreast) - 1) // 2
    return [Point(left + pitch * (k % abreast), front.y + back * (k // abreast)) for k in range(n)]


def deploy_spots(
    radii: Sequence[int],
    rect: Rect,
    obstacles: Sequence[Disc] = (),
    near: Point | None = None,
    facing: Facing = "north",
) -> list[Point] | None:
    """Return places for bases of these radii in a rectangle, in coherency, or None. [UNIT-3]

    Tries ranks of ten, then narrower ones, with their front as near to `near` as it goes (by
    default the middle of the front edge); where no block fits, the models are fitted in one by
    one. None if that fails too.
    """
    if near is None:
        near = Point((rect.x0 + rect.x1) // 2, rect.y1 if facing == "north" else rect.y0)
    near = Point(min(max(near.x, rect.x0), rect.x1), min(max(near.y, rect.y0), rect.y1))
    widest_base = max(radii)
    pitch = -(-1000 * widest_base // 127) + SPACING
    for abreast in RANKS:
        wide = min(len(radii), abreast) * pitch
        deep = -(-len(radii) // abreast) * pitch
        if wide - SPACING > rect.x1 - rect.x0 or deep - SPACING > rect.y1 - rect.y0:
            continue
        half = pitch // 2
        span = (wide - pitch) // 2 + half
        rows = range(half, rect.y1 - rect.y0 - half + 1, GRID)
        columns = range(rect.x0 + span, rect.x1 - span + 1, GRID)
        ys = [rect.y1 - row if facing == "north" else rect.y0 + row for row in rows]
        fronts = [((y - near.y) ** 2 + (x - near.x) ** 2, x, y) for y in ys for x in columns]
        for _, x, y in sorted(fronts):
            spots = formation(len(radii), widest_base, Point(x, y), facing, abreast)
            if _fits([Disc.at(p, r) for p, r in zip(spots, radii, strict=True)], rect, obstacles):
                return spots
    return _one_by_one(radii, rect, obstacles, near)


def stand_on(a: Disc, b: Disc) -> bool:
    """Does a base stand on another, or on ground that bars it?"""
    if isinstance(b, Barrier):
        return stands_in(a, b.corners)
    return overlaps(a, b)


def _fits(discs: Sequence[Disc], rect: Rect, obstacles: Sequence[Disc]) -> bool:
    """Are the discs in the rectangle, in coherency, and on none of the obstacles?"""
    if not all(inside(disc, rect) for disc in discs):
        return False
    close = [obstacles[k] for k in culled(discs, 2 * widest(discs, obstacles), obstacles)]
    return not any(stand_on(a, b) for a in discs for b in close) and coherent(discs)


def _one_by_one(
    radii: Sequence[int], rect: Rect, obstacles: Sequence[Disc], near: Point
) -> list[Point] | None:
    """Return places on the grid, each the free one nearest to the first in coherency, or None."""
    mesh = [
        Point(x, y)
        for y in range(rect.y0, rect.y1 + 1, GRID)
        for x in range(rect.x0, rect.x1 + 1, GRID)
    ]
    mesh.sort(key=lambda p: ((p.x - near.x) ** 2 + (p.y - near.y) ** 2, p))
    r = max(radii)
    free = [
        point
        for point in mesh
        if inside(Disc.at(point, r), rect)
        and not any(stand_on(Disc.at(point, r), other) for other in obstacles)
    ]
    for seed in free[:: len(free) // SEEDS + 1]:
        placed = [Disc.at(seed, radii[0])]
        rest = sorted(free, key=lambda p: ((p.x - seed.x) ** 2 + (p.y - seed.y) ** 2, p))
        for radius in radii[1:]:
            for point in rest:
                disc = Disc.at(point, radius)
                if not any(overlaps(disc, other) for other in placed) and any(
                    within(disc, other, COHERENCY) for other in placed
                ):
                    placed.append(disc)
                    break
            else:
                break
        if len(placed) == len(radii):
            return [disc.centre for disc in placed]
    return None


def _tries() -> tuple[tuple[int, int, int], ...]:
    """Return (eighths of the distance, cosine, sine) by how far they get ahead, the best first."""
    turns = [(c, s) for c, s in COMPASS if c > 0]
    ways = [(eighths, c, s) for eighths in range(8, 0, -1) for c, s in turns]
    return tuple(sorted(ways, key=lambda way: (-way[0] * way[1], abs(way[2]), way[2])))


TRIES = _tries()
"""Shorter and turned steps that a move tries, the one that gets furthest ahead first."""


class _March:
    """A unit on the move, with everything in its way inflated once per base size."""

    def __init__(
        self,
        unit: Sequence[Disc],
        distance: int,
        obstacles: Sequence[Disc],
        enemies: Sequence[Disc],
        table: Rect,
    ) -> None:
        room = distance + INCH + 2 * widest(unit, obstacles, enemies)
        self.unit, self.distance, self.table = unit, distance, table
        self.solid = [obstacles[k] for k in culled(unit, room, obstacles)]
        self.rings = [(enemies[k], INCH) for k in culled(unit, room, enemies)]
        self.static: dict[int, list[Hurdle]] = {
            r: hurdles(r, self.solid, self.rings) for r in sorted({disc[2] for disc in unit})
        }

    def free(self, disc: Disc, path: Path) -> bool:
        """May this base take this path, other models of its unit aside?"""
        return first_entered(disc, path, self.static[disc[2]]) is None and inside(
            disc.moved(path[-1]), self.table
        )

    def shift(self, dx: int, dy: int) -> tuple[Move, ...] | None:
        """Return the whole unit's move by one vector, front models first, or None if barred."""
        if not dx and not dy:
            return None
        moves = [(i, (Point(d[0] + dx, d[1] + dy),)) for i, d in enumerate(self.unit)]
        if not all(self.free(self.unit[i], path) for i, path in moves):
            return None
        # Who stands ahead goes ahead: then no model ever crosses one that still waits.
        moves.sort(key=lambda move: -(self.unit[move[0]][0] * dx + self.unit[move[0]][1] * dy))
        return tuple(moves)


def translate_toward(
    unit: Sequence[Disc],
    toward: Sequence[Disc],
    distance: int,
    obstacles: Sequence[Disc],
    enemies: Sequence[Disc],
    table: Rect,
    away: bool = False,
) -> tuple[Move, ...] | None:
    """Return a legal move of the whole unit of up to `distance` mils towards the nearest of
    `toward`, or away from it; None if it can't get on at all. [MOVE-2 to MOVE-5, CONS-1, CONS-2]

    The unit keeps its shape where it can: the full step first, then shorter and turned ones, the
    one that gets furthest ahead. Where no such step is legal, its models go one by one around what
    bars them. `toward` may be enemies or a place, ``Disc(x, y, 0)``; `obstacles` are other friendly
    models, `enemies` are kept at 1 inch. Models are named in the order they move.
    """
    i, k = closest(unit, toward)
    ours, goal = unit[i], toward[k]
    ahead = (goal[0] - ours[0], goal[1] - ours[1])
    if away:
        ahead = (-ahead[0], -ahead[1])
    room = gap(ours, goal) - (INCH if goal in enemies else 0)
    length = distance if away else min(distance, room)
    if length <= 0:
        return None
    march = _March(unit, length, obstacles, enemies, table)
    for less in range(3):  # a fraction of a mil may be what is missing to the inch
        if (moves := march.shift(*step(*ahead, length - less))) is not None:
            return moves
    for eighths, c, s in TRIES:
        heading = (ahead[0] * c - ahead[1] * s, ahead[0] * s + ahead[1] * c)
        least = length * eighths // 8
        moves = march.shift(*step(*heading, least))
        if moves is None:
            continue
        most = min(length, length * (eighths + 1) // 8)
        while most - least > 1:  # halve what is left of the eighth that was too far
            middle = (least + most) // 2
            longer = march.shift(*step(*heading, middle))
            if longer is None:
                most = middle
            else:
                least, moves = middle, longer
        return moves
    return None if away else _file_on(march, goal)


def _file_on(march: _March, goal: Disc) -> tuple[Move, ...] | None:
    """Return a move model by model, each around what bars it, or None if the unit would break."""
    unit = march.unit
    here = list(unit)
    order = sorted(range(len(unit)), key=lambda i: (nearness(unit[i], goal), i))
    moves: list[Move] = []
    placed: list[Disc] = []
    for i in order:
        disc = here[i]
        among = march.static[disc[2]] + hurdles(
            disc[2], [other for k, other in enumerate(here) if k != i]
        )
        path = _best_step(march, disc, goal, among, placed)
        if path:
            here[i] = disc.moved(path[-1])
            moves.append((i, path))
        placed.append(here[i])
    if not moves or len(groups(here)) > len(groups(unit)):
        return None
    return tuple(moves)


def _best_step(
    march: _March, disc: Disc, goal: Disc, among: list[Hurdle], placed: Sequence[Disc]
) -> Path:
    """Return one model's step that gets it furthest ahead and keeps it with those placed."""
    ahead = (goal[0] - disc[0], goal[1] - disc[1])
    length = min(march.distance, gap(disc, goal))
    for eighths, c, s in TRIES:
        heading = (ahead[0] * c - ahead[1] * s, ahead[0] * s + ahead[1] * c)
        dx, dy = step(*heading, length * eighths // 8)
        end = Point(disc[0] + dx, disc[1] + dy)
        if (
            (dx or dy)
            and (not placed or any(within(disc.moved(end), b, COHERENCY) for b in placed))
            and inside(disc.moved(end), march.table)
            and first_entered(disc, (end,), among) is None
        ):
            return (end,)
    if placed and not any(within(disc, b, COHERENCY) for b in placed):
        nearest = sorted(placed, key=lambda b: nearness(disc, b))[:3]
        ends = [
            beside(disc[2], friend, clear, dx, dy)
            for friend in nearest
            for clear in (TOUCH, INCH, COHERENCY - 10)
            for dx, dy in COMPASS[::2]
        ]
        ends = [end for end in ends if inside(disc.moved(end), march.table)]
        return seek(disc, ends, (), among, march.distance, march.table) or ()
    return ()
