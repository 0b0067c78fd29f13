"""Pile-in moves: a whole legal one and the check of any other. [PILE-1, PILE-3 to PILE-5, ECPI-1]

The three groups of PILE-3 sort the models whose step it is [AMB-43]: those the move brings into
contact, those it brings within 2 inches of a friend in contact, and the rest, which get as close
as they can. A later group moves when nobody left can join an earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

from engine.geometry.coherency import COHERENCY
from engine.geometry.distance import (
    CONTACT,
    INCH,
    Disc,
    gap,
    inches,
    inside,
    nearness,
    nearness_to,
    within,
)
from engine.geometry.fray import Fray
from engine.geometry.paths import Breach, Hurdle, Move, Path, first_entered
from engine.geometry.places import COMPASS, cut, step, touching
from engine.geometry.routes import route_to_contact
from events.values import Point, Rect

PILE_IN = 3 * INCH
"""How far a model piles in, in mils. [PILE-3]"""

REACH_CONTACT, REACH_SUPPORT, REACH_CLOSER = range(3)
"""The groups of PILE-3, in their order."""

GROUPS = (
    "into base contact",
    "within 2 inches of a friend in base contact",
    "closer to the enemy",
)


class _Way(NamedTuple):
    """A direction and the vectors of a move that way: the whole of it, seven eighths and so on."""

    ux: int
    uy: int
    steps: tuple[tuple[int, int], ...]


def _strides(ux: int, uy: int, distance: int) -> _Way:
    return _Way(
        ux, uy, tuple([step(ux, uy, distance * eighths // 8) for eighths in range(8, 0, -1)])
    )


@lru_cache(maxsize=20)
def _compass(distance: int) -> tuple[_Way, ...]:
    """Return the ways of the compass: few distances ever occur."""
    return tuple(_strides(ux, uy, distance) for ux, uy in COMPASS)


class Pile(Fray):
    """The models that pile in, first in `here`, then the `fellows` of their unit that stay.

    Fellows count as placed. Support comes from them and from `allies` of other units. [PILE-3]
    Of the movers `characters` go as soon as they can reach base contact, or else as close as they
    can, whoever is beside them. [PILE-7]
    """

    def __init__(
        self,
        movers: Sequence[Disc],
        fellows: Sequence[Disc],
        allies: Sequence[Disc],
        targets: Sequence[Disc],
        obstacles: Sequence[Disc],
        keep_off: Sequence[Disc],
        distance: int,
        table: Rect | None,
        characters: Sequence[int] = (),
    ) -> None:
        standing = [*obstacles, *allies]
        super().__init__([*movers, *fellows], targets, standing, keep_off, distance, table)
        self.placed = list(range(len(movers), len(self.here)))
        self.allies = [ally for ally in allies if self.touched(ally)]
        self.characters = characters
        self._alike = len({target[2] for target in targets}) == 1

    def supporters(self) -> list[Disc]:
        """Return the friends in base contact whose move is over."""
        return [self.here[j] for j in self.engaged(self.placed)] + self.allies

    def path_in_group(self, i: int, group: int) -> Path | None:
        """Return a path for model `i` in that group of PILE-3, in coherency where possible."""
        if group == REACH_CLOSER:
            return self.path_closer(i)
        if group == REACH_SUPPORT:
            return None if i in self.characters else self.path_beside(i, self.supporters())
        fresh, taken = self.fresh_and_taken()
        for together in (True, False):
            for wanted in (fresh, taken):
                path = self.path_to_contact(i, wanted, together)
                if path is not None:
                    return path
        return None

    def fresh_and_taken(self) -> tuple[list[int], list[int]]:
        """Return the targets that no placed model touches, and the others."""
        taken = self.taken(self.engaged(self.placed))
        return [k for k in range(len(self.targets)) if k not in taken], sorted(taken)

    def path_closer(self, i: int) -> Path | None:
        """Return a path that brings model `i` as close to a target as it gets, or None. [AMB-32]

        The start of the straight way to the nearest target; where that is barred, the best of the
        shortest way round and of steps on the compass.
        """
        disc = self.here[i]
        among = self.hurdles(i)
        goal = min(self.targets, key=lambda target: nearness(disc, target))
        to = touching(disc, goal)
        straight = cut(disc.centre, (to,), self.distance)
        if self._ends(disc, straight, among) and self.coherent_at(i, straight[-1]):
            return straight
        paths = [straight]
        limit = gap(disc, goal) + 2 * self.distance
        around = route_to_contact(disc, self.targets, among, limit, self.table)
        if around is not None:
            paths.append(cut(disc.centre, around.path, self.distance))
        ahead = (to.x - disc[0], to.y - disc[1])
        ways = [way for way in _compass(self.distance) if way.ux * ahead[0] + way.uy * ahead[1] > 0]
        for _, _, steps in (_strides(*ahead, self.distance), *ways):
            paths += [(Point(disc[0] + dx, disc[1] + dy),) for dx, dy in steps]
        now = self._rank(disc)
        ranked = sorted(
            (key, order)
            for order, path in enumerate(paths)
            if path and (key := self._rank(disc.moved(path[-1]))) < now
        )
        apart: list[Path] = []  # out of coherency: only where nothing else is open
        for _, order in ranked:
            path = paths[order]
            if not self.coherent_at(i, path[-1]):
                apart.append(path)
            elif self._ends(disc, path, among):
                return path
        return next((path for path in apart if self._ends(disc, path, among)), None)

    def _rank(self, disc: Disc) -> int:
        """Return what sorts places as `nearness_at` does: among targets of one size the square of
        the distance to the nearest centre does, and takes no root."""
        if not self._alike:
            return self.nearness_at(disc)
        x, y, _ = disc
        return min([(x - tx) ** 2 + (y - ty) ** 2 for tx, ty, _ in self.targets])

    def nearness_at(self, disc: Disc) -> int:
        """Return the `nearness` of a base to the nearest target."""
        return nearness_to(disc, self.targets)

    def _ends(self, disc: Disc, path: Path, among: Sequence[Hurdle]) -> bool:
        """Is there a path, is it clear, and does it end on the table?"""
        return (
            bool(path)
            and first_entered(disc, path, among) is None
            and (self.table is None or inside(disc.moved(path[-1]), self.table))
        )

    def group_of(self, i: int, path: Path) -> int:
        """Return which group of PILE-3 a move of model `i` belongs to. [PILE-7]"""
        end = self.here[i].moved(path[-1]) if path else self.here[i]
        if self.touched(end):
            return REACH_CONTACT
        near = any(within(end, friend, COHERENCY) for friend in self.supporters())
        return REACH_SUPPORT if near and i not in self.characters else REACH_CLOSER

    def waiting_character(self) -> int | None:
        """Return a character who could move into base contact now and hasn't moved, or None."""
        for i in self.characters:
            if i not in self.placed and self.path_in_group(i, REACH_CONTACT) is not None:
                return i
        return None

    def as_now(self) -> Pile:
        """Return a copy that later moves don't change."""
        then = copy(self)
        then.here, then.placed = list(self.here), list(self.placed)
        then.moved()
        return then

    def breach(self, i: int, path: Path, ended: Sequence[Pile]) -> Breach | None:
        """Return the first rule that one model's move breaks; `ended` are the states in which the
        earlier groups were over."""
        if self.touched(self.here[i]):
            return Breach("PILE-1", i, "is in base contact and stays") if path else None
        fault = self.fault(i, path, "PILE-3", "of a pile-in")
        if fault is not None:
            if fault.rule == "CMOV-2" and "may not touch" in fault.reason:
                return fault._replace(rule="PILE-5")
            return fault
        end = self.here[i].moved(path[-1]) if path else self.here[i]
        group = self.group_of(i, path)
        for better in range(group):
            if self.path_in_group(i, better) is not None:
                return Breach("PILE-3", i, f"it can move {GROUPS[better]}")
        if group < len(ended) and ended[group].path_in_group(i, group) is not None:
            return Breach("PILE-3", i, f"moves {GROUPS[group]}: before those that can't")
        if group == REACH_CONTACT:
            fresh, _ = self.fresh_and_taken()
            if not set(self.touched(end)) & set(fresh) and self.path_to_contact(i, fresh):
                return Breach("CMOV-6", i, "(a) it can touch an enemy that nobody touches yet")
        best = self.path_in_group(i, group)
        if group == REACH_CLOSER:
            closest = self.here[i].moved(best[-1]) if best else self.here[i]
            could, does = (min(gap(d, t) for t in self.targets) for d in (closest, end))
            if does > could + CONTACT:
                why = f"ends {inches(does)} from the enemy, it can get to {inches(could)}"
                return Breach("PILE-3", i, why)
        if best and self.coherent_at(i, best[-1]) and not self.coherent_at(i, end.centre):
            return Breach("UNIT-3", i, "ends out of coherency and needn't")
        return None


def pile_in_placement(
    movers: Sequence[Disc],
    fellows: Sequence[Disc],
    targets: Sequence[Disc],
    obstacles: Sequence[Disc],
    keep_off: Sequence[Disc],
    distance: int = PILE_IN,
    table: Rect | None = None,
    allies: Sequence[Disc] = (),
    characters: Sequence[int] = (),
) -> tuple[Move, ...]:
    """Return a whole legal pile-in in order, each mover once. [PILE-1, PILE-3 to PILE-5, PILE-7]

    `movers` are the unit's models whose step it is, `fellows` its others, `allies` friends of
    other units in this combat, `targets` the enemies locked in it, `obstacles` other friends,
    `keep_off` other enemies. A mover in base contact gets an empty path, and so does one that
    can't get closer. [AMB-32] `characters` are the indices of movers that go first. [PILE-7]
    """
    pile = Pile(movers, fellows, allies, targets, obstacles, keep_off, distance, table, characters)
    moves: list[Move] = [(i, ()) for i, disc in enumerate(movers) if pile.touched(disc)]
    for i, _ in moves:
        pile.place(i, ())
    left = [i for i in range(len(movers)) if i not in pile.placed]
    left.sort(key=lambda i: (i not in characters, pile.nearness_at(movers[i]), i))
    for group in (REACH_CONTACT, REACH_SUPPORT, REACH_CLOSER):
        moved = True
        while moved:  # one model's move may open the way for another
            moved = False
            for i in list(left):
                paths = (pile.path_in_group(i, earlier) for earlier in range(group + 1))
                path = next((path for path in paths if path is not None), None)
                if path is not None:
                    moves.append((i, path))
                    pile.place(i, path)
                    left.remove(i)
                    moved = True
                    if characters:
                        break  # they come first again
    return (*moves, *((i, ()) for i in left))


def check_pile_in_placement(
    movers: Sequence[Disc],
    moves: Sequence[Move],
    fellows: Sequence[Disc],
    targets: Sequence[Disc],
    obstacles: Sequence[Disc],
    keep_off: Sequence[Disc],
    distance: int = PILE_IN,
    table: Rect | None = None,
    allies: Sequence[Disc] = (),
    characters: Sequence[int] = (),
) -> Breach | None:
    """Return the first rule that a pile-in breaks, or None. [PILE-1, PILE-3 to PILE-5, PILE-7]

    `moves` names every mover once, in the order they move; the rest as in `pile_in_placement`.
    """
    if sorted(i for i, _ in moves) != list(range(len(movers))):
        return Breach("PILE-1", -1, "every model whose step it is moves once, no other")
    pile = Pile(movers, fellows, allies, targets, obstacles, keep_off, distance, table, characters)
    ended: list[Pile] = []
    for i, path in moves:
        if not pile.touched(pile.here[i]):
            waiting = pile.waiting_character()
            if waiting is not None and i not in characters:
                return Breach("PILE-7", waiting, "is a character and moves into contact first")
            group = pile.group_of(i, path)
            while len(ended) < group:
                ended.append(pile.as_now())
        if (breach := pile.breach(i, path, ended)) is not None:
            return breach
        pile.place(i, path)
    return None
