"""Re-rolls that are a player's choice. [RERL]

A sum, or a scatter with its distance, is rolled again with all its dice [RERL-3], and once only,
however many rules allow it [RERL-2]; the second result stands, with the same modifiers [RERL-1,
RERL-4]. Re-rolls that nobody ever declines are made unasked: misses from BS 6 on or twin-linked.
"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.runner import Action
from events.base import UnitId
from events.choices import Reroll
from events.questions import RerollOffered
from projections.battle import Battle
from projections.queries import owner


async def offer_reroll(
    action: Action, unit: UnitId, purpose: str, weapon: str, faces: tuple[int, ...]
) -> bool:
    """Ask a unit's player whether the dice he sees are rolled again."""
    side = owner(action.battle, unit)
    return (await Ask(RerollOffered(side, unit, purpose, weapon, faces), Reroll)).again


def _check(battle: Battle, question: RerollOffered, choice: Reroll) -> None:
    """Either answer is right: a re-roll is offered once, and for all of its dice."""


def _legal(battle: Battle, question: RerollOffered) -> list[Reroll]:
    return [Reroll(True), Reroll(False)]


ANSWERS: AnswerTable = {RerollOffered: Answers((Reroll,), _check, _legal)}
