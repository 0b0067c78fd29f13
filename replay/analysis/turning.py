"""Turning points: the steps at which the lead changed most.

The lead is red's standing less blue's. A side's standing is the points of its models left, each
worth an equal share of its unit, and `VICTORY_POINT` more for every victory point that it would
score if the game ended there. No model of the future is in it: a standing is what is on the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from engine.rules.victory import end_game
from engine.runner import Action
from events.attacks import ModelRemoved, UnitDestroyed
from events.base import Side, Value
from events.game import PhaseName
from events.wording import counted
from projections.battle import Battle, Score
from projections.history import Node
from projections.queries import unit_of_model
from replay.analysis.units import Enrolled
from replay.words import answer_of

VICTORY_POINT = 50
"""What a victory point counts as, in points of models."""

MOST = 6
"""How many turning points are named."""


def points(tenths: int) -> str:
    """Return points as people say them: whole.

    >>> points(1294), points(5)
    ('129', '1')
    """
    return str((tenths + 5) // 10)


class Lead(Value, frozen=True, gc=False):
    """How the sides stood after a step; points in tenths."""

    step: int
    turn: int
    active: Side
    phase: PhaseName
    red_models: int
    """Points of red's models left."""
    blue_models: int
    red_score: int
    """Victory points that red would score if the game ended here."""
    blue_score: int

    @property
    def lead(self) -> int:
        """Red's standing less blue's, in tenths of a point."""
        score = self.red_score - self.blue_score
        return self.red_models - self.blue_models + 10 * VICTORY_POINT * score


class TurningPoint(Value, frozen=True, gc=False):
    """A step at which the lead changed much."""

    step: int
    turn: int
    active: Side
    phase: PhaseName
    gained: Side
    """Who gained by it."""
    swing: int
    """By how many tenths of a point the lead changed."""
    answer: str
    """The choice (or dice) that made the step."""
    happened: str
    """What came of it, in words."""

    @property
    def when(self) -> str:
        """The step, and where the game stood when it was asked for, as in the log."""
        return f"step {self.step}, turn {self.turn}, {self.active}, {self.phase}"

    @property
    def gain(self) -> str:
        """Who gained how much."""
        return f"{self.gained} gains {points(self.swing)}"


def leads(path: Iterable[Node], units: dict[str, Enrolled]) -> tuple[Lead, ...]:
    """Return how the sides stood after each step of a line of play. About 0.1 ms a step."""
    found: list[Lead] = []
    for node in path:
        battle, clock = node.battle, node.battle.clock
        worth: dict[Side, int] = {"red": 0, "blue": 0}
        for unit in battle.units:
            worth[unit.side] += units[unit.id].worth(len(unit.models))
        score = score_now(battle)
        found.append(
            Lead(
                node.step,
                clock.game_turn,
                clock.active,
                clock.phase,
                worth["red"],
                worth["blue"],
                score.red,
                score.blue,
            )
        )
    return tuple(found)


def score_now(battle: Battle) -> Score:
    """Return what the rules would score if the game ended now; nothing before the first turn."""
    if battle.outcome is not None or not battle.clock.game_turn:
        return battle.score
    ending = Action(battle)
    rule = end_game(ending)
    try:
        rule.send(None)  # scoring asks nobody and rolls nothing
    except StopIteration:
        return ending.battle.score
    raise AssertionError("the end of the game asked something")


def turning_points(path: Sequence[Node], stood: Sequence[Lead]) -> tuple[TurningPoint, ...]:
    """Return the `MOST` steps at which the lead changed most, in order of play."""
    swings = [
        (abs(now.lead - before.lead), n)
        for n, (before, now) in enumerate(pairwise(stood), 1)
        if now.lead != before.lead
    ]
    swings.sort(key=lambda swing: (-swing[0], swing[1]))
    most = sorted(swings[:MOST], key=lambda swing: swing[1])
    return tuple(
        TurningPoint(
            now.step,
            asked.turn,
            asked.active,
            asked.phase,
            "red" if now.lead > asked.lead else "blue",
            swing,
            answer_of(path[n]),
            happened(path[n], asked, now),
        )
        for swing, n in most
        for asked, now in ((stood[n - 1], stood[n]),)
    )


def happened(node: Node, before: Lead, now: Lead) -> str:
    """Return what a step did to both sides, in words: losses, then what the score made of it."""
    assert node.parent is not None
    causes: dict[str, str] = {}
    for event in node.events:
        if isinstance(event, ModelRemoved):
            causes[unit_of_model(event.model)] = event.cause
        elif isinstance(event, UnitDestroyed):
            causes[event.unit] = event.cause
    words: list[str] = []
    for was, unit in zip(node.parent.battle.units, node.battle.units, strict=True):
        gone = len(was.models) - len(unit.models)
        if gone:
            what = f"loses {counted(gone, 'model')}" if unit.models else "is destroyed"
            cause = f" ({causes[unit.id]})" if unit.id in causes else ""
            words.append(f"{unit.id} {what}{cause}")
    if (now.red_score, now.blue_score) != (before.red_score, before.blue_score):
        words.append(
            f"the score would be {now.red_score} to {now.blue_score}"
            f" (was {before.red_score} to {before.blue_score})"
        )
    return "; ".join(words)
