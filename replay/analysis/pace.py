"""Time spent: how long each step took by the wall clock in the rows' metadata.

The clock stands outside the game's digest and may jump; a step back in time counts as none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median_low

from events.base import SIDES, Side, Value
from events.steps import Step, read_meta
from projections.history import Node


class Spent(Value, frozen=True, gc=False):
    """Time from the row before a step to the step itself."""

    step: int
    by: Side | None
    """Who answered; None for the creation."""
    at: int
    """When the step was stored: milliseconds since 1970."""
    spent: int
    """Milliseconds."""


class Pace(Value, frozen=True, gc=False):
    """How long a player took over his steps; times in milliseconds."""

    player: Side
    steps: int
    total: int
    median: int
    longest: int
    longest_step: int


def spent(path: Iterable[Node], rows: Sequence[Step]) -> tuple[Spent, ...]:
    """Return the time spent on each step of a line of play. `rows` is the whole stream."""
    at = [0, *(read_meta(row).at for row in rows)]
    since = {n: max(0, now - before) for n, (before, now) in enumerate(pairwise(at), 1)}
    return tuple(
        Spent(node.step, node.by, at[node.step], since[node.step] if node.step > 1 else 0)
        for node in path
    )


def paces(times: Sequence[Spent]) -> tuple[Pace, ...]:
    """Return each player's pace, red's first; none for who made no step."""
    found: list[Pace] = []
    for player in SIDES:
        own = [one for one in times if one.by == player]
        if own:
            long = max(own, key=lambda one: one.spent)
            each = [one.spent for one in own]
            found.append(Pace(player, len(own), sum(each), median_low(each), long.spent, long.step))
    return tuple(found)
