"""Running: a D6 inches instead of shooting. [SHPH-2]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.proposals import advances
from engine.rules.moving import AnyMove, check_optional_move, make_move
from engine.runner import Action
from events.base import UnitId
from events.choices import MoveUnit, PlaceModels, Stay
from events.movement import UnitRan
from events.questions import WhereToRun
from projections.battle import Battle
from projections.queries import owner, unit_of

INCH = 1000


async def run(action: Action, unit: UnitId) -> None:
    """Roll a D6 for the unit and let it move up to as many inches. [SHPH-2]"""
    (face,) = await Roll("run", subject=unit)
    distance = face * INCH
    action.emit(UnitRan(unit, distance))
    question = WhereToRun(owner(action.battle, unit), unit, distance)
    choice: AnyMove | Stay = await Ask(question, MoveUnit, PlaceModels, Stay)
    if not isinstance(choice, Stay):
        await make_move(action, choice, "run")


def _check(battle: Battle, question: WhereToRun, choice: AnyMove | Stay) -> None:
    check_optional_move(battle, question.unit, choice, question.distance)


def _legal(battle: Battle, question: WhereToRun) -> list[AnyMove | Stay]:
    return [*advances(battle, unit_of(battle, question.unit), question.distance), Stay()]


ANSWERS: AnswerTable = {
    WhereToRun: Answers((MoveUnit, PlaceModels, Stay), _check, _legal),
}
