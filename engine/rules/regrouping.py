"""Regrouping: what falling back units do first in their Movement phase. [RGRP, FALL-4]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.characteristics import a_quarter
from engine.proposals import advances
from engine.rules.falling_back import fall_back
from engine.rules.leadership import leadership_test
from engine.rules.moving import AnyMove, check_optional_move, make_move
from engine.runner import Action
from events.base import UnitId
from events.choices import MoveUnit, PlaceModels, Stay
from events.morale import UnitRegrouped
from events.questions import WhereToRegroup
from projections.battle import Battle, MovementPhase, Unit
from projections.queries import owner, unit_of, units_on_table

REGROUP_MOVE = 3000
"""A unit that Regroups may move up to 3 inches. [RGRP-2]"""


async def regroup_or_fall_back(action: Action) -> None:
    """Let the next falling back unit test to Regroup; failing that it falls back. [RGRP-1, FALL-4]

    These compulsory moves come before all others, in muster order.
    """
    unit = next_to_regroup(action.battle)
    assert unit is not None
    restricted = too_few_to_regroup(unit_of(action.battle, unit))
    if not await leadership_test(action, unit, "regroup", only_double_one=restricted):
        await fall_back(action, unit)
        return
    action.emit(UnitRegrouped(unit))
    question = WhereToRegroup(owner(action.battle, unit), unit, REGROUP_MOVE)
    choice: AnyMove | Stay = await Ask(question, MoveUnit, PlaceModels, Stay)
    if not isinstance(choice, Stay):
        await make_move(action, choice, "regroup")


def too_few_to_regroup(unit: Unit) -> bool:
    """Whether fewer than 25% of the starting models are left: only a double 1 then. [RGRP-3]"""
    return not a_quarter(len(unit.models), unit.started)


def next_to_regroup(battle: Battle) -> UnitId | None:
    """Return the active player's next unit that must test or fall back this phase. [MOVE-7]"""
    phase = battle.phase
    assert isinstance(phase, MovementPhase)
    for unit in units_on_table(battle, battle.clock.active):
        if unit.falling_back and unit.id not in phase.moved:
            return unit.id
    return None


def _check(battle: Battle, question: WhereToRegroup, choice: AnyMove | Stay) -> None:
    check_optional_move(battle, question.unit, choice, question.distance)


def _legal(battle: Battle, question: WhereToRegroup) -> list[AnyMove | Stay]:
    return [*advances(battle, unit_of(battle, question.unit), question.distance), Stay()]


ANSWERS: AnswerTable = {
    WhereToRegroup: Answers((MoveUnit, PlaceModels, Stay), _check, _legal),
}
