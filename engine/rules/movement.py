"""The Movement phase: compulsory moves first, then the player's own. [MOVE]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.proposals import advances
from engine.rules import difficult_terrain, regrouping
from engine.rules.difficult_terrain import (
    check_test,
    check_untested,
    move_through,
    near_difficult,
    stands_in_difficult,
)
from engine.rules.moving import AnyMove, check_move, make_move
from engine.runner import Action, Procedure
from events.choices import EndPhase, MoveUnit, PlaceModels, TryDifficult
from events.errors import IllegalChoice
from events.game import PhaseClosing
from events.questions import WhoMoves
from projections.battle import Battle, MovementPhase, Unit
from projections.queries import has_unit, unit_of, units_on_table

INFANTRY_MOVE = 6000
"""Infantry move up to 6 inches. [MOVE-2]"""


async def move_a_unit(action: Action) -> None:
    """Let the active player move one unit, or end the phase. [MOVE-1]"""
    battle = action.battle
    if not movable(battle):
        action.emit(PhaseClosing())
        return
    question = WhoMoves(battle.clock.active)
    choice: AnyMove | TryDifficult | EndPhase = await Ask(
        question, MoveUnit, PlaceModels, TryDifficult, EndPhase
    )
    if isinstance(choice, EndPhase):
        action.emit(PhaseClosing())
    elif isinstance(choice, TryDifficult):
        await move_through(action, choice)
    else:
        await make_move(action, choice, "move")


def may_move(battle: Battle, unit: Unit) -> IllegalChoice | None:
    """Return why a unit may not move now, or None. [MOVE-1, MOVE-6, MOVE-7, GTG-3]"""
    phase = battle.phase
    assert isinstance(phase, MovementPhase)
    if unit.side != battle.clock.active:
        return IllegalChoice("MOVE-1", f"{unit.id} is not {battle.clock.active}'s")
    if not unit.models or unit.models[0].at is None:
        return IllegalChoice("RMV-1", f"{unit.id} is not on the table")
    if unit.id in phase.moved:
        return IllegalChoice("MOVE-1", f"{unit.id} has moved this phase")
    if unit.locked:
        return IllegalChoice("MOVE-6", f"{unit.id} is locked in combat")
    if unit.falling_back:
        return IllegalChoice("MOVE-7", f"{unit.id} is falling back")
    if unit.gone_to_ground:
        return IllegalChoice("GTG-3", f"{unit.id} has Gone to Ground: it can't move")
    return None


def movable(battle: Battle) -> list[Unit]:
    """Return the active player's units that may still move. [MOVE-1]"""
    return [
        unit
        for unit in units_on_table(battle, battle.clock.active)
        if may_move(battle, unit) is None
    ]


def next_movement(battle: Battle) -> Procedure:
    """Return the rule that comes next in the Movement phase. [MOVE-7, FALL-4]"""
    if regrouping.next_to_regroup(battle) is not None:
        return regrouping.regroup_or_fall_back
    return move_a_unit


def _check(battle: Battle, question: WhoMoves, choice: AnyMove | TryDifficult | EndPhase) -> None:
    if isinstance(choice, EndPhase):
        return
    if not has_unit(battle, choice.unit):
        raise IllegalChoice("UNIT-1", f"there is no unit {choice.unit!r}")
    unit = unit_of(battle, choice.unit)
    barred = may_move(battle, unit)
    if barred is not None:
        raise barred
    if isinstance(choice, TryDifficult):
        check_test(battle, choice)
        return
    check_untested(battle, unit.id)
    check_move(battle, unit.id, choice, INFANTRY_MOVE, shun=True)


def _legal(battle: Battle, question: WhoMoves) -> list[AnyMove | TryDifficult | EndPhase]:
    found: list[AnyMove | TryDifficult | EndPhase] = []
    for unit in movable(battle):
        if stands_in_difficult(battle, unit):
            found.append(TryDifficult(unit.id))
            continue
        found.extend(advances(battle, unit, INFANTRY_MOVE, shun=True))
        if near_difficult(battle, unit, INFANTRY_MOVE):
            found.append(TryDifficult(unit.id))
    return [*found, EndPhase()]


ANSWERS: AnswerTable = {
    WhoMoves: Answers((MoveUnit, PlaceModels, TryDifficult, EndPhase), _check, _legal),
    **difficult_terrain.ANSWERS,
    **regrouping.ANSWERS,
}
