"""Facts of the Assault phase: charges, combats, results."""

from __future__ import annotations

from typing import Literal

from events.base import Fact, Side, UnitId


class ChargeDeclared(Fact, frozen=True, gc=False, tag="charge_declared/1"):
    """A unit declared a charge; the first or only target is primary. [CDEC-1, MDEC-1, MDEC-4]"""

    unit: UnitId
    targets: tuple[UnitId, ...]


class OverwatchFinished(Fact, frozen=True, gc=False, tag="overwatch_finished/1"):
    """A charged unit's Overwatch is over: whether it fired at all. [OVWT-6, AMB-20]"""

    unit: UnitId
    fired: bool


class ChargeRolled(Fact, frozen=True, gc=False, tag="charge_rolled/1"):
    """How far the unit can charge, in mils, after modifiers. [CRNG-1, CRNG-4]"""

    unit: UnitId
    distance: int


class ChargeFailed(Fact, frozen=True, gc=False, tag="charge_failed/1"):
    """The initial charger can't reach, nobody moves; `needed` is its path in mils. [CMOV-8]

    0 if other models leave it no way at all.
    """

    unit: UnitId
    needed: int


class ChargeEnded(Fact, frozen=True, gc=False, tag="charge_ended/1"):
    """The charge is over without a move: chargers or charged are gone. [OVWT-9, AMB-37]"""

    unit: UnitId


class UnitCharged(Fact, frozen=True, gc=False, tag="unit_charged/1"):
    """A charge reached the enemy: its models count as having charged this turn. [CMOV-9]

    `denied`: defensive grenades deny it the attack for that. [NATK-4] `at_step_one`: it crossed
    difficult terrain and strikes at Initiative step 1 this turn. [CDIF-3]
    """

    unit: UnitId
    denied: bool = False
    at_step_one: bool = False


class UnitsLocked(Fact, frozen=True, gc=False, tag="units_locked/1"):
    """Units in base contact with the enemy are locked in combat. [LOCK-1]"""

    units: tuple[UnitId, ...]


class UnitsUnlocked(Fact, frozen=True, gc=False, tag="units_unlocked/1"):
    """Units with no enemy in base contact at the end of the phase are free. [LOCK-3]"""

    units: tuple[UnitId, ...]


class ChargesFinished(Fact, frozen=True, gc=False, tag="charges_finished/1"):
    """The Charge sub-phase ended; the Fight sub-phase begins. [ASPH-4]"""


class CombatStarted(Fact, frozen=True, gc=False, tag="combat_started/1"):
    """A combat was chosen and is fought now, between these units of both sides. [CHOC-1]"""

    units: tuple[UnitId, ...]


class MeleeWeaponChosen(Fact, frozen=True, gc=False, tag="melee_weapon_chosen/1"):
    """Models strike with this weapon for the whole of the combat. [MELE-2]"""

    unit: UnitId
    weapon: str
    models: tuple[int, ...]


class InitiativeStepStarted(Fact, frozen=True, gc=False, tag="initiative_step_started/1"):
    """An Initiative step of the combat began. [ISTP-1]"""

    step: int


class BlowsFinished(Fact, frozen=True, gc=False, tag="blows_finished/1"):
    """No further step is fought; the result is worked out next. [PILE-8, RSLT-1]"""


class CombatResolved(Fact, frozen=True, gc=False, tag="combat_resolved/1"):
    """The Wounds each side inflicted, and who won by how much (empty: nobody). [RSLT-1]"""

    red: int
    blue: int
    winner: Literal["red", "blue", ""]
    by: int


class SweepingAdvanceRolled(Fact, frozen=True, gc=False, tag="sweeping_advance_rolled/1"):
    """A fleeing unit's total, its best pursuer's, and whether it was caught. [SWEP-2]"""

    unit: UnitId
    pursuer: UnitId
    flight: int
    pursuit: int
    caught: bool


class PileInsFinished(Fact, frozen=True, gc=False, tag="pile_ins_finished/1"):
    """One side's pile-ins of this step, or at the end of the combat, are done. [PILE-6, ECPI-1]"""

    side: Side


class ConsolidationFinished(Fact, frozen=True, gc=False, tag="consolidation_finished/1"):
    """A unit consolidated, or chose not to. [CONS-1]"""

    unit: UnitId


class CombatEnded(Fact, frozen=True, gc=False, tag="combat_ended/1"):
    """A combat is over for this phase. [FITE-3]"""
