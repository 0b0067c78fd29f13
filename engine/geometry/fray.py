"""The models of one side as they go in: the search that charges and pile-ins share. [CMOV, PILE-3]

What is open to a model is what a fixed, finite search finds: places around each base on the
compass, reached straight or by a detour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt

from engine.geometry.coherency import COHERENCY
from engine.geometry.distance import (
    CONTACT,
    INCH,
    Disc,
    by_nearness,
    gap,
    in_contact,
    inches,
    inside,
    nearness,
    within,
)
from engine.geometry.paths import (
    Breach,
    Hurdle,
    Path,
    culled,
    first_entered,
    hurdle,
    misdrawn,
    path_length,
    widest,
)
from engine.geometry.places import TOUCH, beside, cut, ring, touching
from engine.geometry.polygons import Barrier
from engine.geometry.routes import Route, line_clear, route_to_contact, seek
from engine.geometry.squares import Squares
from events.values import Point, Rect

MAX_GOALS = 24
"""Places one detour search looks for at once, the nearest first."""

BESIDE = (TOUCH, INCH, COHERENCY - CONTACT)
"""Gaps in mils tried for a place beside a friend, the closest first."""

UNTOUCHED, TOUCHED, SUPPORT, FOLLOW = range(4)
"""Priorities (a) to (d) of CMOV-6, best first."""

PRIORITIES = (
    "into contact with an enemy that nobody touches yet",
    "into contact with an enemy",
    "within 2 inches of a model of its unit in contact",
    "in coherency with a model that has moved",
)


class Fray:
    """The models of one side as they go in, one after the other, among all that stands around.

    `here` are the unit's bases as they stand now, `placed` those whose move is over. Enemies to
    `keep_off` may be passed at any gap, but not touched. [CMOV-2] The first `primary` of the
    targets are the primary target's, 0 means all. [MMOV-1]
    """

    def __init__(
        self,
        unit: Sequence[Disc],
        targets: Sequence[Disc],
        obstacles: Sequence[Disc],
        keep_off: Sequence[Disc],
        distance: int,
        table: Rect | None,
        primary: int = 0,
    ) -> None:
        room = distance + CONTACT + 1 + 2 * widest(unit, targets, obstacles, keep_off)
        self.here = list(unit)
        self.placed: list[int] = []
        self.targets = targets
        self.primary = primary or len(targets)
        self.distance = distance
        self.table = table
        self._solid = [*targets, *(obstacles[k] for k in culled(unit, room, obstacles))]
        self._sore = [keep_off[k] for k in culled(unit, room, keep_off)]
        self._static: dict[int, list[Hurdle]] = {}
        self._rings: dict[tuple[int, int], list[Point]] = {}
        self._standing: dict[int, Squares] = {}
        self._touched: dict[Disc, list[int]] = {}
        self.moved()

    def moved(self) -> None:
        """Forget what was worked out of where models stand."""
        self._own: dict[int, list[Hurdle]] = {}
        self._forget()

    def _forget(self) -> None:
        self._hurdles: dict[int, list[Hurdle]] = {}
        self._about: dict[int, tuple[list[Hurdle], Squares]] = {}
        self._beside: dict[tuple[int, int], list[tuple[int, Point]]] = {}

    def place(self, i: int, path: Path) -> None:
        """Move model `i` along `path` and count it as placed."""
        if path:
            self.here[i] = disc = self.here[i].moved(path[-1])
            n = len(self._solid) + len(self._sore)
            for r, own in self._own.items():
                own[i] = hurdle(r, disc, 0, n + i)
            self._forget()
        self.placed.append(i)

    def static(self, r: int) -> list[Hurdle]:
        """Return what never moves, as hurdles for a base of radius `r`."""
        if r not in self._static:
            n = len(self._solid)
            self._static[r] = [hurdle(r, d, 0, k) for k, d in enumerate(self._solid)] + [
                hurdle(r, d, CONTACT + 1, n + k) for k, d in enumerate(self._sore)
            ]
        return self._static[r]

    def own(self, i: int) -> list[Hurdle]:
        """Return the unit's other models as hurdles for model `i`."""
        r = self.here[i][2]
        if r not in self._own:
            n = len(self._solid) + len(self._sore)
            self._own[r] = [hurdle(r, d, 0, n + k) for k, d in enumerate(self.here)]
        own = self._own[r]
        return own[:i] + own[i + 1 :]

    def hurdles(self, i: int) -> list[Hurdle]:
        """Return all hurdles for model `i`; below ``len(self.targets)`` is the index of a target,
        and so on through obstacles, enemies to keep off and its own unit."""
        if i not in self._hurdles:
            self._hurdles[i] = self.static(self.here[i][2]) + self.own(i)
        return self._hurdles[i]

    def about(self, i: int) -> tuple[list[Hurdle], Squares]:
        """Return the hurdles that model `i` may meet on its move, and the same by squares."""
        if i not in self._about:
            x, y, _ = self.here[i]
            far = self.distance
            among = [
                item
                for item in self.hurdles(i)
                if abs(item[0] - x) < far + item[2] and abs(item[1] - y) < far + item[2]
            ]
            self._about[i] = among, Squares(among)
        return self._about[i]

    def collision(self, i: int, index: int) -> Breach:
        """Return what model `i` breaks where it enters the hurdle of that index."""
        if index < len(self._solid) and isinstance(barrier := self._solid[index], Barrier):
            return Breach(barrier.rule, i, barrier.reason)
        if index < len(self._solid) or index >= len(self._solid) + len(self._sore):
            return Breach("CMOV-2", i, "moves through another model")
        return Breach("CMOV-2", i, "touches an enemy model of a unit it may not touch")

    def touched(self, disc: Disc) -> list[int]:
        """Return the targets that a base is in contact with."""
        found = self._touched.get(disc)
        if found is None:
            found = [k for k, target in enumerate(self.targets) if in_contact(disc, target)]
            self._touched[disc] = found
        return found

    def engaged(self, among: Sequence[int]) -> list[int]:
        """Return which of the models `among` are in contact with a target."""
        return [i for i in among if self.touched(self.here[i])]

    def taken(self, engaged: Sequence[int]) -> set[int]:
        """Return the targets that the `engaged` models are in contact with."""
        return {k for j in engaged for k in self.touched(self.here[j])}

    def coherent_at(self, i: int, point: Point) -> bool:
        """Would model `i` at `point` be in coherency with a placed one? [CMOV-5, UNIT-3]"""
        disc = self.here[i].moved(point)
        return not self.placed or any(within(disc, self.here[k], COHERENCY) for k in self.placed)

    def on_table(self, disc: Disc) -> bool:
        """Is the whole base on the table? [MOVE-5] At the edge a rounded end may be a hair off."""
        return self.table is None or inside(disc, self.table)

    def open_ring(self, r: int, target: int) -> list[Point]:
        """Return the contact places around a target that nothing unmoving takes up."""
        key = (r, target)
        if key not in self._rings:
            standing = self._standing.get(r)
            if standing is None:
                standing = self._standing[r] = Squares(self.static(r))
            self._rings[key] = [
                point
                for point in ring(r, self.targets[target], TOUCH)
                if standing.at(point.x, point.y) is None and self.on_table(Disc.at(point, r))
            ]
        return self._rings[key]

    def path_to_contact(self, i: int, targets: Sequence[int], together: bool = True) -> Path | None:
        """Return a path for model `i` into contact with one of `targets`, the nearest first; where
        it ends in coherency with a placed one, if `together`. None if none is open."""
        disc = self.here[i]
        wanted = [k for k in targets if gap(disc, self.targets[k]) <= self.distance]
        if not wanted:
            return None
        wanted.sort(key=lambda k: (nearness(disc, self.targets[k]), k))
        return self._first_path(i, (self.contacts(i, k) for k in wanted), together)

    def contacts(self, i: int, target: int) -> list[tuple[int, Point]]:
        """Return the open places in contact with a target that model `i` may get to, with how far
        they are. Asked for in coherency and out of it, they are looked for once."""
        known = self._beside.get((i, target))
        if known is None:
            disc = self.here[i]
            places = [touching(disc, self.targets[target]), *self.open_ring(disc[2], target)]
            known = self._beside[i, target] = self._open_places(i, places)
        return known

    def _open_places(self, i: int, places: Sequence[Point]) -> list[tuple[int, Point]]:
        """Return those of the places that model `i` may stand at and get to, with how far they
        are in mils."""
        x, y, r = self.here[i]
        most = self.distance * self.distance
        standing = self.about(i)[1]
        return [
            (isqrt(square - 1) + 1 if square else 0, point)
            for point in places
            if (square := (point.x - x) ** 2 + (point.y - y) ** 2) <= most
            and standing.at(point.x, point.y) is None
            and self.on_table(Disc(point.x, point.y, r))
        ]

    def path_beside(self, i: int, friends: Sequence[Disc]) -> Path | None:
        """Return a path for model `i` to within 2 inches of one of `friends`, the nearest first
        and as close as it goes; in coherency with a placed model. None if none is open."""
        disc = self.here[i]
        reach = self.distance + COHERENCY
        wanted = [friend for friend in friends if gap(disc, friend) <= reach]
        wanted.sort(key=lambda friend: nearness(disc, friend))
        offers = (
            self._open_places(
                i,
                [
                    beside(disc[2], friend, clear, disc[0] - friend[0], disc[1] - friend[1]),
                    *ring(disc[2], friend, clear, 2),
                ],
            )
            for clear in BESIDE
            for friend in wanted
        )
        return self._first_path(i, offers, True)

    def _first_path(
        self, i: int, offers: Iterator[Sequence[tuple[int, Point]]], together: bool
    ) -> Path | None:
        """Return the first straight path to an offered place, else the shortest detour to one."""
        disc = self.here[i]
        among = self.about(i)[0]
        goals: list[tuple[int, Point]] = []
        for offer in offers:
            ends = sorted(end for end in offer if not together or self.coherent_at(i, end[1]))
            for length, point in ends:
                if not length:
                    return ()
                if line_clear(disc.centre, point, among):
                    return (point,)
            goals += ends
        if not goals:
            return None
        goals.sort()
        nearest = [point for _, point in goals[:MAX_GOALS]]
        return seek(disc, nearest, (), among, self.distance, self.table)

    def open_path(self, i: int, priority: int) -> Path | None:
        """Return a path of that priority of CMOV-6 for model `i`, or None if none is open."""
        if priority == FOLLOW:
            return self.path_beside(i, [self.here[j] for j in self.placed])
        engaged = self.engaged(self.placed)
        if priority == SUPPORT:
            return self.path_beside(i, [self.here[j] for j in engaged])
        taken = self.taken(engaged)
        wanted = [k for k in range(len(self.targets)) if (k in taken) == (priority == TOUCHED)]
        return self.path_to_contact(i, wanted)

    def priority_at(self, i: int, end: Disc) -> int | None:
        """Return which priority of CMOV-6 a base serves at its end, or None for none."""
        engaged = self.engaged(self.placed)
        if touched := self.touched(end):
            taken = self.taken(engaged)
            return UNTOUCHED if any(k not in taken for k in touched) else TOUCHED
        if any(within(end, self.here[j], COHERENCY) for j in engaged):
            return SUPPORT
        return FOLLOW if self.coherent_at(i, end.centre) else None

    def closing_up(self, i: int) -> Path:
        """Return a path as far as model `i` gets straight towards the nearest placed one."""
        disc = self.here[i]
        among = self.hurdles(i)
        goal = min(self.placed, key=lambda k: (nearness(disc, self.here[k]), k))
        to = (touching(disc, self.here[goal]),)
        for eighths in range(8, 0, -1):
            path = cut(disc.centre, to, self.distance * eighths // 8)
            if path and first_entered(disc, path, among) is None:
                return path
        return ()

    def fault(self, i: int, path: Path, rule: str, limit: str) -> Breach | None:
        """Return what is wrong with a path in itself: its drawing, length, ways and the table."""
        disc = self.here[i]
        if (words := misdrawn(disc.centre, path)) is not None:
            return Breach(rule, i, words)
        if (length := path_length(disc.centre, path)) > self.distance:
            return Breach(rule, i, f"moves {inches(length)} of {inches(self.distance)} {limit}")
        if not all(self.on_table(disc.moved(p)) for p in path):
            return Breach("MOVE-5", i, "moves off the table")
        met = first_entered(disc, path, self.hurdles(i))
        return None if met is None else self.collision(i, met[0][4])

    def leaders(self) -> list[tuple[int, Route]]:
        """Return the models tied for the shortest way to contact, with their ways. [CMOV-3]

        Contact with the primary target, where there are several. [MMOV-1]
        """
        targets = self.targets[: self.primary]
        pairs = by_nearness(self.here, targets)
        limit = self.distance
        found: dict[int, Route] = {}
        blocked: list[int] = []
        for _, i, k in pairs:  # straight lines first: nothing beats the nearest that is clear
            disc, target = self.here[i], targets[k]
            length = gap(disc, target)
            if length > limit:
                break
            if i in found:
                continue
            end = touching(disc, target)
            if in_contact(disc, target):
                found[i], limit = Route(k, (), length), length
            elif self.on_table(disc.moved(end)) and line_clear(disc.centre, end, self.hurdles(i)):
                found[i], limit = Route(k, (end,), length), length
            elif i not in blocked:
                blocked.append(i)
        for i in blocked:
            if i in found and found[i].length <= limit:
                continue
            way = route_to_contact(self.here[i], targets, self.hurdles(i), limit, self.table)
            if way is not None:
                found[i], limit = way, way.length
        return sorted((i, way) for i, way in found.items() if way.length == limit)
