"""The fall back move: towards an edge by the shortest open route.

[FALL-1 to FALL-3, FALL-6, FALL-7]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from engine.geometry.distance import INCH, Disc, inside
from engine.geometry.paths import (
    Hurdle,
    Move,
    Path,
    culled,
    first_entered,
    hurdle,
    hurdles,
    path_length,
    widest,
)
from engine.geometry.places import cut
from engine.geometry.routes import clear_at, seek
from events.values import Point, Rect

Edge = Literal["north", "east", "south", "west"]
"""A table edge."""

ASIDE = tuple(sign * k * INCH for k in range(13) for sign in (1, -1) if k or sign > 0)
"""How far aside of straight ahead a way to the edge is looked for, in mils, in order."""

LENGTHENING = 250
"""Steps in mils by which a move is lengthened until it is clear. [FALL-7]"""


class FallBack(NamedTuple):
    """A fall back as it comes out."""

    moves: tuple[Move, ...]
    """Every model once, in the order they move."""
    at_edge: tuple[int, ...]
    """The models that touch the edge: with any, the whole unit is removed. [FALL-3]"""


def to_edge(disc: Disc, edge: Edge, table: Rect) -> int:
    """Return how far a base is from an edge in mils, rounded down; 0 or less when it touches.

    Rounding down is what keeps a base that moves so far on the table: it ends less than a mil
    short, which counts as touching.

    >>> to_edge(Disc(10000, 8500, 127), "south", Rect(0, 0, 72000, 48000))
    8000
    """
    centre = {
        "north": table.y1 - disc[1],
        "east": table.x1 - disc[0],
        "south": disc[1] - table.y0,
        "west": disc[0] - table.x0,
    }[edge]
    return (127 * centre - 500 * disc[2]) // 127


def _shifted(disc: Disc, edge: Edge, length: int, aside: int = 0) -> Point:
    """Return the point `length` mils from a base towards the edge and `aside` along it."""
    x, y = disc[0], disc[1]
    if edge == "north":
        return Point(x + aside, y + length)
    if edge == "south":
        return Point(x + aside, y - length)
    return Point(x + length, y + aside) if edge == "east" else Point(x - length, y + aside)


class _Rout:
    """What one model of a falling back unit may and may not cross."""

    def __init__(
        self,
        disc: Disc,
        distance: int,
        edge: Edge,
        table: Rect,
        blocking: list[Hurdle],
        fought: list[Hurdle],
    ) -> None:
        self.disc, self.distance, self.edge, self.table = disc, distance, edge, table
        self.blocking = blocking
        self.fought = fought
        self.ahead = to_edge(disc, edge, table)

    def ends_well(self, path: Path) -> bool:
        """Is the path clear, on the table, and its end an inch from the enemies just fought?"""
        return (
            all(inside(self.disc.moved(point), self.table) for point in path)
            and first_entered(self.disc, path, self.blocking) is None
            and (not path or clear_at(path[-1], self.fought))
        )

    def straight(self) -> Path | None:
        """Return the path straight ahead, lengthened if it must be, or None. [FALL-1, FALL-7]"""
        length = self.distance
        while True:
            path = (_shifted(self.disc, self.edge, min(length, self.ahead)),)
            if self.ends_well(path):
                return path
            through = first_entered(self.disc, path, self.blocking) is not None
            if through or length >= self.ahead:
                return None
            length += LENGTHENING

    def around(self) -> Path | None:
        """Return the first part of the shortest open route to the edge, or None. [FALL-6]"""
        goals = [
            end
            for aside in ASIDE
            if inside(
                self.disc.moved(end := _shifted(self.disc, self.edge, self.ahead, aside)),
                self.table,
            )
        ]
        limit = self.ahead + 24 * INCH
        route = seek(self.disc, goals, (), self.blocking, limit, self.table)
        if route is None:
            return None
        whole = path_length(self.disc.centre, route)
        length = self.distance
        while True:
            # Cutting rounds to whole mils; a hair's breadth shorter may be what is clear.
            for less in range(0, 8, 2):
                path = cut(self.disc.centre, route, length - less)
                if self.ends_well(path):
                    return path
            if length >= whole:
                return None
            length += LENGTHENING


def fall_back_placement(
    unit: Sequence[Disc],
    edge: Edge,
    distance: int,
    obstacles: Sequence[Disc],
    enemies: Sequence[Disc],
    fought: Sequence[Disc],
    table: Rect,
) -> FallBack | None:
    """Return a unit's fall back, or None if a model is trapped. [FALL-1 to FALL-3, FALL-6, FALL-7]

    Each model moves `distance` mils straight towards the edge, around `obstacles` (friends'
    models) and 1 inch from `enemies`; it passes through those just `fought` and is moved on until
    it is an inch clear of them. The models nearest the edge go first. Where the unit's own
    models still to move would be in the way, they count as having moved.
    """
    if distance <= 0:
        return FallBack(tuple((i, ()) for i in range(len(unit))), _at_edge(unit, edge, table))
    order = sorted(range(len(unit)), key=lambda i: (to_edge(unit[i], edge, table), i))
    room = max(to_edge(disc, edge, table) for disc in unit) + 24 * INCH
    room += INCH + 2 * widest(unit, obstacles, enemies, fought)
    solid = [obstacles[k] for k in culled(unit, room, obstacles)]
    rings = [(enemies[k], INCH) for k in culled(unit, room, enemies)]
    here = list(unit)
    moves: list[Move] = []
    for place, i in enumerate(order):
        disc = here[i]
        r = disc[2]
        waiting = [here[k] for k in order[place + 1 :]]
        moved = [here[k] for k in order[:place]]
        near = [hurdle(r, enemy, INCH, k) for k, enemy in enumerate(fought)]
        path: Path | None = None
        for others in ([*moved, *waiting], moved):
            rout = _Rout(disc, distance, edge, table, hurdles(r, [*solid, *others], rings), near)
            path = () if rout.ahead <= 0 else rout.straight() or rout.around()
            if path is not None:
                break
        if path is None:
            return None
        moves.append((i, path))
        if path:
            here[i] = disc.moved(path[-1])
    return FallBack(tuple(moves), _at_edge(here, edge, table))


def _at_edge(discs: Sequence[Disc], edge: Edge, table: Rect) -> tuple[int, ...]:
    """Return the models that touch the edge. [FALL-3]"""
    return tuple(i for i, disc in enumerate(discs) if to_edge(disc, edge, table) <= 0)
