"""Consolidation after a combat. [CONS]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.geometry import INCH
from engine.proposals import advances
from engine.rules.combats import combat_now, standing, turn_order
from engine.rules.locked import touching
from engine.rules.moving import AnyMove, check_optional_move, make_move
from engine.runner import Action
from events.assault import ConsolidationFinished
from events.base import UnitId
from events.choices import MoveUnit, PlaceModels, Stay
from events.questions import WhereToConsolidate
from projections.battle import Battle
from projections.queries import owner, unit_of


async def consolidate(action: Action) -> None:
    """Let the next free unit consolidate D6 inches, an inch from every enemy. [CONS-1, CONS-2]"""
    unit = next_to_consolidate(action.battle)
    assert unit is not None
    (face,) = await Roll("consolidation", subject=unit)
    question = WhereToConsolidate(owner(action.battle, unit), unit, face * INCH)
    choice: AnyMove | Stay = await Ask(question, MoveUnit, PlaceModels, Stay)
    if not isinstance(choice, Stay):
        await make_move(action, choice, "consolidate")
    action.emit(ConsolidationFinished(unit))


def next_to_consolidate(battle: Battle) -> UnitId | None:
    """Return the next unit that touches no enemy any more: the active side's first. [CONS-3]

    Whether its enemies are gone or its last pile-in reached nobody. [CONS-1, ECPI-2, MMOR-2]
    """
    done = combat_now(battle).consolidated
    for side in turn_order(battle):
        for unit in standing(battle, side):
            if unit.id not in done and not touching(battle, unit):
                return unit.id
    return None


def _check(battle: Battle, question: WhereToConsolidate, choice: AnyMove | Stay) -> None:
    check_optional_move(battle, question.unit, choice, question.distance)


def _legal(battle: Battle, question: WhereToConsolidate) -> list[AnyMove | Stay]:
    return [*advances(battle, unit_of(battle, question.unit), question.distance), Stay()]


ANSWERS: AnswerTable = {
    WhereToConsolidate: Answers((MoveUnit, PlaceModels, Stay), _check, _legal),
}
