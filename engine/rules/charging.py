"""Charges, one by one: who may declare which, Overwatch, range roll. [ASPH-2, CDEC, CRNG]

Nothing blocks sight on open ground, so every enemy is visible. [CDEC-3] A charge has one target.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.board import discs_of
from engine.geometry import INCH, unit_gap, units_within
from engine.rules.charge_move import FAR, can_reach, move_charge, way_to_charge
from engine.rules.overwatch import overwatch
from engine.runner import Action
from events.assault import ChargeDeclared, ChargeEnded, ChargeRolled, ChargesFinished
from events.base import UnitId, other
from events.choices import Charge, EndPhase
from events.errors import IllegalChoice
from events.questions import WhoCharges
from projections.battle import Battle, Unit
from projections.queries import alive, has_unit, on_table, turn_of, unit_of, units_on_table

CHARGE_DICE = 2
"""A charge is 2D6 inches. [CRNG-1]"""

REACH = 12 * INCH
"""The most that the charge dice can show, in mils. [CDEC-2, AMB-16]"""

BARRING = ("rapid_fire", "heavy")
"""Types of weapon whose fire bars a charge in the same turn. [CDEC-5]"""


async def charge(action: Action) -> None:
    """Let the active player see one charge through, or end the sub-phase. [ASPH-2 to ASPH-4]"""
    if next(charges(action.battle), None) is None:
        action.emit(ChargesFinished())
        return
    question = WhoCharges(action.battle.clock.active)
    choice: Charge | EndPhase = await Ask(question, Charge, EndPhase)
    if isinstance(choice, EndPhase):
        action.emit(ChargesFinished())
        return
    unit, target = choice.unit, choice.targets[0]
    action.emit(ChargeDeclared(unit, choice.targets))
    await overwatch(action, target, unit)
    if not alive(unit_of(action.battle, unit)):
        action.emit(ChargeEnded(unit))  # [OVWT-9]
        return
    faces = await Roll("charge range", CHARGE_DICE, subject=unit, opponent=target)
    distance = sum(faces) * INCH
    action.emit(ChargeRolled(unit, distance))
    await move_charge(action, unit, target, distance)


def barred_from_charging(battle: Battle, unit: Unit) -> IllegalChoice | None:
    """Return why a unit may not declare a charge at all, or None. [ASPH-5, CDEC-4, CDEC-5]"""
    name, turn = unit.id, turn_of(battle, unit.id)
    if unit.side != battle.clock.active:
        return IllegalChoice("CDEC-1", f"{name} is not {battle.clock.active}'s")
    if not on_table(unit):
        return IllegalChoice("CDEC-1", f"{name} is not on the table")
    if turn.declared:
        return IllegalChoice("ASPH-5", f"{name} has declared a charge this turn")
    if unit.locked:
        return IllegalChoice("CDEC-4", f"{name} is locked in combat")
    if turn.ran:
        return IllegalChoice("CDEC-4", f"{name} Ran in this turn's Shooting phase")
    if unit.falling_back:
        return IllegalChoice("CDEC-4", f"{name} is falling back")
    if turn.regrouped:
        return IllegalChoice("CDEC-7", f"{name} Regrouped this turn")
    for kind in BARRING:
        if kind in turn.fired:
            weapons = kind.replace("_", " ").title()
            return IllegalChoice("CDEC-5", f"{name} fired {weapons} weapons this turn")
    return None


def barred_target(battle: Battle, unit: Unit, target: Unit) -> IllegalChoice | None:
    """Return why a unit that may charge can't charge this target, or None. [CDEC-2, 6, 8]"""
    if target.side == unit.side or not on_table(target):
        return IllegalChoice("CDEC-1", f"{target.id} is not an enemy unit on the table")
    shot_at = turn_of(battle, unit.id).target
    if shot_at and shot_at != target.id:
        return IllegalChoice("CDEC-6", f"{unit.id} shot at {shot_at} and may charge only that")
    if reaches(battle, unit, target):
        return None
    away = unit_gap(discs_of(battle, unit), discs_of(battle, target))
    if away > REACH:
        return IllegalChoice("CDEC-2", f"{target.id} is {away} mils away, a charge reaches {REACH}")
    around = way_to_charge(battle, unit.id, (target.id,), FAR)
    if around is None:
        return IllegalChoice("CDEC-8", f"other models leave no way to {target.id}")
    return IllegalChoice(
        "CDEC-2", f"the way around to {target.id} is {around} mils, a charge reaches {REACH}"
    )


def reaches(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a charge of `unit` could reach `target` with the best dice. [CDEC-2, CDEC-8]"""
    near = units_within(discs_of(battle, unit), discs_of(battle, target), REACH)
    return near and can_reach(battle, unit.id, target.id, REACH)


def charges(battle: Battle) -> Iterator[Charge]:
    """Yield every charge that may be declared now, in muster order."""
    active = battle.clock.active
    for unit in units_on_table(battle, active):
        if barred_from_charging(battle, unit) is None:
            shot_at = turn_of(battle, unit.id).target
            for target in units_on_table(battle, other(active)):
                if shot_at in ("", target.id) and reaches(battle, unit, target):
                    yield Charge(unit.id, (target.id,))


def _named(battle: Battle, unit: UnitId) -> Unit:
    if not has_unit(battle, unit):
        raise IllegalChoice("CDEC-1", f"there is no unit {unit!r}")
    return unit_of(battle, unit)


def _check(battle: Battle, question: WhoCharges, choice: Charge | EndPhase) -> None:
    if isinstance(choice, EndPhase):
        return
    unit = _named(battle, choice.unit)
    if not choice.targets:
        raise IllegalChoice("CDEC-1", "a charge names the enemy unit it is declared on")
    if len(choice.targets) > 1:
        raise IllegalChoice("MDEC-1", "charges on several units aren't played; name one target")
    target = _named(battle, choice.targets[0])
    barred = barred_from_charging(battle, unit) or barred_target(battle, unit, target)
    if barred is not None:
        raise barred


def _legal(battle: Battle, question: WhoCharges) -> list[Charge | EndPhase]:
    return [*charges(battle), EndPhase()]


ANSWERS: AnswerTable = {WhoCharges: Answers((Charge, EndPhase), _check, _legal)}
