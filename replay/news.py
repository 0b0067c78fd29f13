"""What is new in a game since a step: who answered, and what was agreed to.

A player should see it before he goes on. Choices aren't signed, so a consent that he never gave is
his to notice.
"""

from __future__ import annotations

from events.base import Event, Side, Value
from events.choices import AnswerRealDice, AnswerRuling, Concede
from events.game import Chosen, DiceRolled
from events.history import UndoGranted
from projections.history import History
from replay.words import brief

AGREEMENTS = (AnswerRealDice, AnswerRuling, Concede)
"""Choices by which a player binds himself to more than the battle's next question."""


class Agreement(Value, frozen=True, gc=False):
    """Something that a side agreed to, or that rests on its word: dice that it entered."""

    step: int
    by: Side
    what: str


class News(Value, frozen=True, gc=False):
    """Who answered in further steps of a game, and everything that was agreed to in them."""

    answered: dict[Side, tuple[int, ...]]
    """Numbers of the steps that a side answered, marks such as an undo among them."""
    agreed: tuple[Agreement, ...]


def news(history: History, after: int = 0) -> News:
    """Return what the steps after step `after` hold, on every branch. Costs those steps."""
    answered: dict[Side, list[int]] = {"red": [], "blue": []}
    agreed: list[Agreement] = []
    for n in range(after + 1, history.last + 1):
        first, by = _first(history, n)
        if by is None:
            continue
        answered[by].append(n)
        what = _agreed(first)
        if what:
            agreed.append(Agreement(n, by, what))
    return News({side: tuple(steps) for side, steps in answered.items()}, tuple(agreed))


def _first(history: History, n: int) -> tuple[Event, Side | None]:
    """Return what a step begins with, and whose it is; the creation and a fork's marks nobody's."""
    mark = history.marks.get(n)
    if mark is not None:
        return mark, getattr(mark, "by", None)
    node = history.nodes[n]
    first = node.events[0]
    if isinstance(first, DiceRolled) and node.parent is not None:
        question = node.parent.battle.question
        return first, question.player if question is not None else None
    return first, node.by


def _agreed(first: Event) -> str:
    if isinstance(first, UndoGranted):
        return f"to go from step {first.left} to {first.to}"
    if isinstance(first, DiceRolled):
        return "entered dice"
    if isinstance(first, Chosen) and isinstance(first.choice, AGREEMENTS):
        return brief(first.choice)
    return ""


def agreed_text(agreed: tuple[Agreement, ...]) -> str:
    """Return agreements in a line, those that are alike together.

    >>> real = Agreement(12, "blue", "real dice yes")
    >>> rolled = [Agreement(step, "red", "entered dice") for step in (13, 15)]
    >>> agreed_text((real, *rolled))
    '12 blue real dice yes; 13, 15 red entered dice'
    """
    alike: dict[tuple[Side, str], list[int]] = {}
    for one in agreed:
        alike.setdefault((one.by, one.what), []).append(one.step)
    return "; ".join(
        f"{', '.join(map(str, steps))} {by} {what}" for (by, what), steps in alike.items()
    )
