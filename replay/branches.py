"""The branches of a game: every line of play ever taken, by the number of its last step. [P8]"""

from __future__ import annotations

from events.base import Side, Value
from projections.battle import Clock
from projections.history import History, Node
from replay.words import answer_of


class Line(Value, frozen=True, gc=False):
    """One line of play, from the first step to its tip."""

    step: int
    """Its tip: the branch is named by it, ``@412``."""
    current: bool
    """Whether the game stands at its tip."""
    left_at: int
    """The last step that it shares with the way to where the game stands."""
    own: int
    """How many steps it has after that."""
    by: Side | None
    """Who gave its last answer."""
    answer: str
    """That answer, in the notation."""
    clock: Clock
    """Where the battle stands at its tip."""


def lines_of_play(history: History) -> list[Line]:
    """Return every line, oldest tip first. Costs the steps that they don't share with the head."""
    kept = {node.step for node in history.path()}
    return [_line(tip, kept, tip is history.head) for tip in history.tips()]


def _line(tip: Node, kept: set[int], current: bool) -> Line:
    node, own = tip, 0
    while node.step not in kept:
        assert node.parent is not None  # the first step is on every line
        node, own = node.parent, own + 1
    return Line(tip.step, current, node.step, own, tip.by, answer_of(tip), tip.battle.clock)
