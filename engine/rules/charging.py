"""Charges, one by one: declaration, Overwatch, charge range, charge move. [ASPH-2, CRNG, MDEC]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.editions import edition_of
from engine.geometry import INCH
from engine.rules.charge_move import move_charge
from engine.rules.charge_targets import any_charge, charges, check_charge
from engine.rules.charge_terrain import SLOWED_BY, is_slowed
from engine.rules.overwatch import overwatch
from engine.runner import Action
from events.assault import ChargeDeclared, ChargeEnded, ChargeRolled, ChargesFinished
from events.base import UnitId
from events.choices import Charge, EndPhase
from events.questions import WhoCharges
from projections.battle import Battle
from projections.queries import alive, unit_of

CHARGE_DICE = 2
"""A charge is 2D6 inches. [CRNG-1]"""


async def charge(action: Action) -> None:
    """Let the active player see one charge through, or end the sub-phase. [ASPH-2 to ASPH-4]"""
    if not any_charge(action.battle):
        action.emit(ChargesFinished())
        return
    question = WhoCharges(action.battle.clock.active)
    choice: Charge | EndPhase = await Ask(question, Charge, EndPhase)
    if isinstance(choice, EndPhase):
        action.emit(ChargesFinished())
        return
    unit, targets = choice.unit, choice.targets
    action.emit(ChargeDeclared(unit, targets))
    await overwatch(action, targets, unit)
    # Who is destroyed by his own guns leaves a secondary target out, a primary the charge. [OVWT-9]
    there = tuple(target for target in targets if alive(unit_of(action.battle, target)))
    if not alive(unit_of(action.battle, unit)) or targets[0] not in there:
        action.emit(ChargeEnded(unit))
        return
    distance = await charge_range(action, unit, there)
    action.emit(ChargeRolled(unit, distance))
    await move_charge(action, unit, there, distance)


async def charge_range(action: Action, unit: UnitId, targets: tuple[UnitId, ...]) -> int:
    """Roll how far a unit can charge, in mils, once all Overwatch is over. [CRNG-1, OVWT-7]

    One roll for all: where difficult terrain slows a model, it slows the unit. [CRNG-3, AMB-41] It
    takes 2 off the total [CDIF-1, CRNG-4] or adds a die, of which the highest is dropped [CDIF-9].
    A double 1 less 2 moves nobody. [CDIF-2]
    """
    slowed = is_slowed(action.battle, unit_of(action.battle, unit), targets)
    another = slowed and edition_of(action.battle).difficult_charge == "drop highest of three"
    faces = await Roll("charge range", CHARGE_DICE + another, subject=unit, opponent=targets[0])
    if another:
        return (sum(faces) - max(faces)) * INCH
    return max(0, sum(faces) * INCH - slowed * SLOWED_BY)


def _check(battle: Battle, question: WhoCharges, choice: Charge | EndPhase) -> None:
    if isinstance(choice, Charge):
        check_charge(battle, choice)


def _legal(battle: Battle, question: WhoCharges) -> list[Charge | EndPhase]:
    return [*charges(battle), EndPhase()]


ANSWERS: AnswerTable = {WhoCharges: Answers((Charge, EndPhase), _check, _legal)}
