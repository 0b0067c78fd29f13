"""The charge move: who leads it, a whole legal one, and the check of any other. [CMOV-1 to CMOV-8]

`check_charge_placement` walks a placement model by model in the order given and asks at each
whether a higher priority of CMOV-6 was open to it. [AMB-26] What is open is what a fixed, finite
search finds: places around each base on the compass, reached straight or by a detour. So it never
refuses a placement without knowing a better one, and the proposal, made by the same search,
always passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.geometry.distance import (
    CONTACT,
    Disc,
    inches,
    nearness_to,
)
from engine.geometry.fray import FOLLOW, PRIORITIES, SUPPORT, TOUCHED, UNTOUCHED, Fray
from engine.geometry.paths import (
    Breach,
    Move,
    Path,
    path_length,
)
from engine.geometry.routes import Route
from events.values import Rect


def initial_charger(
    unit: Sequence[Disc],
    targets: Sequence[Disc],
    obstacles: Sequence[Disc],
    keep_off: Sequence[Disc],
    distance: int,
    table: Rect | None = None,
    primary: int = 0,
) -> tuple[int, Route] | None:
    """Return the model closest to the enemy around all that is in the way, and its way, or None
    if none is within `distance` mils. [CMOV-3, CMOV-8; for CDEC-2 by AMB-16]

    `obstacles` are other friendly models and barriers of the ground, `keep_off` enemies of other
    units. Of the targets the first `primary` count, 0 means all. [MMOV-1] The first of several at
    the same distance.
    """
    leaders = _leaders(
        tuple(unit), tuple(targets), tuple(obstacles), tuple(keep_off), distance, table, primary
    )
    return leaders[0] if leaders else None


@lru_cache(maxsize=50)
def _leaders(
    unit: tuple[Disc, ...],
    targets: tuple[Disc, ...],
    obstacles: tuple[Disc, ...],
    keep_off: tuple[Disc, ...],
    distance: int,
    table: Rect | None,
    primary: int,
) -> tuple[tuple[int, Route], ...]:
    """Return who may lead a charge: asked whether there is one, for the proposal, by the check."""
    return tuple(Fray(unit, targets, obstacles, keep_off, distance, table, primary).leaders())


def charge_placement(
    unit: Sequence[Disc],
    targets: Sequence[Disc],
    obstacles: Sequence[Disc],
    keep_off: Sequence[Disc],
    distance: int,
    table: Rect | None = None,
    primary: int = 0,
) -> tuple[Move, ...] | None:
    """Return a whole legal charge move in order, or None for a failed charge. [CMOV-3 to CMOV-8]

    Every model is named once, with an empty path if it stays. The initial charger goes for the
    first `primary` targets, the others for all. [MMOV-1, MMOV-2]
    """
    leader = initial_charger(unit, targets, obstacles, keep_off, distance, table, primary)
    if leader is None:
        return None
    fray = Fray(unit, targets, obstacles, keep_off, distance, table, primary)
    first, way = leader
    moves: list[Move] = [(first, way.path)]
    fray.place(first, way.path)
    near = {i: nearness_to(disc, targets) for i, disc in enumerate(unit)}
    for i in sorted((i for i in near if i != first), key=lambda i: (near[i], i)):
        path: Path | None = None
        for priority in (UNTOUCHED, TOUCHED, SUPPORT, FOLLOW):
            path = fray.open_path(i, priority)
            if path is not None:
                break
        if path is None:
            path = fray.closing_up(i)
        moves.append((i, path))
        fray.place(i, path)
    return tuple(moves)


def check_charge_placement(
    unit: Sequence[Disc],
    moves: Sequence[Move],
    targets: Sequence[Disc],
    obstacles: Sequence[Disc],
    keep_off: Sequence[Disc],
    distance: int,
    table: Rect | None = None,
    primary: int = 0,
) -> Breach | None:
    """Return the first rule that a charge move breaks, or None. [CMOV-2 to CMOV-6, UNIT-3]

    `moves` names every model once, in the order they move, the initial charger first; it goes for
    the first `primary` targets. [MMOV-1]
    """
    if sorted(i for i, _ in moves) != list(range(len(unit))):
        return Breach("CMOV-1", -1, "every model of the unit is moved once, no other")
    fray = Fray(unit, targets, obstacles, keep_off, distance, table, primary)
    leaders = dict(
        _leaders(
            tuple(unit), tuple(targets), tuple(obstacles), tuple(keep_off), distance, table, primary
        )
    )
    if not leaders:
        return Breach("CMOV-8", -1, f"no model reaches the enemy within {inches(distance)}")
    for order, (i, path) in enumerate(moves):
        if (breach := fray.fault(i, path, "CMOV-2", "rolled")) is not None:
            return breach
        end = fray.here[i].moved(path[-1]) if path else fray.here[i]
        if order == 0:
            if i not in leaders:
                return Breach("CMOV-3", i, f"model {next(iter(leaders))} is closer: it goes first")
            if leaders[i].target not in fray.touched(end):
                return Breach("CMOV-4", i, "must end in contact with the nearest enemy model")
            length = path_length(fray.here[i].centre, path)
            if length > leaders[i].length + CONTACT:
                shortest = inches(leaders[i].length)
                return Breach("CMOV-4", i, f"takes {inches(length)}, the shortest is {shortest}")
        else:
            served = fray.priority_at(i, end)
            if served != FOLLOW and not fray.coherent_at(i, end.centre):
                served = None
            for better in range(FOLLOW + 1 if served is None else served):
                if fray.open_path(i, better) is not None:
                    letter = "abcd"[better]
                    if served is None:
                        why = "ends out of coherency with the models that have moved"
                        return Breach("CMOV-5", i, f"{why}; it can end {PRIORITIES[better]}")
                    return Breach("CMOV-6", i, f"({letter}) it can end {PRIORITIES[better]}")
        fray.place(i, path)
    return None
