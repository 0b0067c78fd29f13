"""Reducers of the Assault phase: charges, combats, results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.assault import (
    BlowsFinished,
    ChargeDeclared,
    ChargeEnded,
    ChargeFailed,
    ChargeRolled,
    ChargesFinished,
    CombatEnded,
    CombatResolved,
    CombatStarted,
    ConsolidationFinished,
    InitiativeStepStarted,
    MeleeWeaponChosen,
    OverwatchFinished,
    PileInsFinished,
    SweepingAdvanceRolled,
    UnitCharged,
    UnitsLocked,
    UnitsUnlocked,
)
from events.base import Event, UnitId
from projections.battle import Armed, AssaultPhase, Battle, Combat, UnitTurn
from projections.change import with_combat, with_turn, with_unit


def _phase(battle: Battle, **changes: Any) -> Battle:
    """Return the battle with fields of its Assault phase replaced; unchanged in another phase."""
    if type(battle.phase) is not AssaultPhase:
        return battle
    return replace(battle, phase=replace(battle.phase, **changes))


def _flag(battle: Battle, units: tuple[UnitId, ...], locked: bool) -> Battle:
    for unit in units:
        battle = with_unit(battle, unit, lambda u: replace(u, locked=locked))
    return battle


def charge_declared(battle: Battle, event: ChargeDeclared) -> Battle:
    """A charge is under way; with a secondary target it is disordered. [ASPH-5, MDEC-5]"""
    battle = _phase(
        battle,
        charger=event.unit,
        targets=event.targets,
        overwatch_weapons=(),
        overwatch_fired=(),
        distance=-1,
    )
    disordered = len(event.targets) > 1
    return with_turn(
        battle, event.unit, lambda turn: replace(turn, declared=True, disordered=disordered)
    )


def overwatch_finished(battle: Battle, event: OverwatchFinished) -> Battle:
    """Only firing uses up Overwatch. [OVWT-6, AMB-20]"""
    battle = _phase(battle, overwatch_weapons=(), overwatch_fired=())
    if not event.fired:
        return battle
    return with_turn(battle, event.unit, lambda turn: replace(turn, overwatch=True))


def charge_rolled(battle: Battle, event: ChargeRolled) -> Battle:
    """Remember the charge distance. [CRNG-2]"""
    return _phase(battle, distance=event.distance)


def charge_failed(battle: Battle, event: ChargeFailed) -> Battle:
    """The charge is over. [CMOV-8]"""
    return _phase(battle, charger="", targets=(), distance=-1)


def charge_ended(battle: Battle, event: ChargeEnded) -> Battle:
    """The charge is over, with nobody left to make or to meet it. [OVWT-9, AMB-37]"""
    return _phase(battle, charger="", targets=(), distance=-1)


def unit_charged(battle: Battle, event: UnitCharged) -> Battle:
    """The charge reached the enemy. [CMOV-9, NATK-4, CDIF-3]"""
    battle = _phase(battle, charger="", targets=(), distance=-1)

    def note(turn: UnitTurn) -> UnitTurn:
        return replace(turn, charged=True, denied=event.denied, at_step_one=event.at_step_one)

    return with_turn(battle, event.unit, note)


def units_locked(battle: Battle, event: UnitsLocked) -> Battle:
    """Lock units in combat, as of this turn. [LOCK-1, NATK-4]"""
    for unit in event.units:
        battle = with_turn(battle, unit, lambda turn: replace(turn, newly_locked=True))
    return _flag(battle, event.units, True)


def units_unlocked(battle: Battle, event: UnitsUnlocked) -> Battle:
    """Free units. [LOCK-3]"""
    return _flag(battle, event.units, False)


def charges_finished(battle: Battle, event: ChargesFinished) -> Battle:
    """Begin the Fight sub-phase. [ASPH-4]"""
    return _phase(battle, fighting=True, charger="", targets=(), distance=-1)


def combat_started(battle: Battle, event: CombatStarted) -> Battle:
    """Begin a combat. [CHOC-1]"""
    return _phase(battle, combat=Combat(event.units))


def melee_weapon_chosen(battle: Battle, event: MeleeWeaponChosen) -> Battle:
    """Remember the weapon for the whole of the combat. [MELE-2]"""
    armed = Armed(event.unit, event.weapon, event.models)
    return with_combat(battle, lambda c: replace(c, armed=(*c.armed, armed)))


def initiative_step_started(battle: Battle, event: InitiativeStepStarted) -> Battle:
    """Go to an Initiative step; nobody has piled in for it yet. [ISTP-1]"""
    return with_combat(battle, lambda c: replace(c, step=event.step, piled_in=()))


def pile_ins_finished(battle: Battle, event: PileInsFinished) -> Battle:
    """A side has piled in. [PILE-6]"""
    return with_combat(battle, lambda c: replace(c, piled_in=(*c.piled_in, event.side)))


def blows_finished(battle: Battle, event: BlowsFinished) -> Battle:
    """No more blows; on to the result. [PILE-8]"""
    return with_combat(battle, lambda c: replace(c, stage="result", piled_in=()))


def combat_resolved(battle: Battle, event: CombatResolved) -> Battle:
    """Note the result; Morale is next. [RSLT-1, MCHK-1]"""
    return with_combat(
        battle, lambda c: replace(c, stage="morale", winner=event.winner, by=event.by)
    )


def sweeping_advance_rolled(battle: Battle, event: SweepingAdvanceRolled) -> Battle:
    """Change nothing: a caught unit's end follows as its own fact. [SWEP-2]"""
    return battle


def consolidation_finished(battle: Battle, event: ConsolidationFinished) -> Battle:
    """The unit has had its consolidation. [CONS-1]"""
    return with_combat(battle, lambda c: replace(c, consolidated=(*c.consolidated, event.unit)))


def combat_ended(battle: Battle, event: CombatEnded) -> Battle:
    """The combat's units have fought this phase. [CHOC-1]"""
    phase = battle.phase
    if type(phase) is not AssaultPhase or phase.combat is None:
        return battle
    return _phase(battle, fought=phase.fought + phase.combat.units, combat=None)


REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    ChargeDeclared: charge_declared,
    OverwatchFinished: overwatch_finished,
    ChargeRolled: charge_rolled,
    ChargeFailed: charge_failed,
    ChargeEnded: charge_ended,
    UnitCharged: unit_charged,
    UnitsLocked: units_locked,
    UnitsUnlocked: units_unlocked,
    ChargesFinished: charges_finished,
    CombatStarted: combat_started,
    MeleeWeaponChosen: melee_weapon_chosen,
    InitiativeStepStarted: initiative_step_started,
    PileInsFinished: pile_ins_finished,
    BlowsFinished: blows_finished,
    CombatResolved: combat_resolved,
    SweepingAdvanceRolled: sweeping_advance_rolled,
    ConsolidationFinished: consolidation_finished,
    CombatEnded: combat_ended,
}
