"""Leadership tests: Morale checks, Regroup and Pinning tests. [LDT, MMOD, HERO]"""

from __future__ import annotations

from engine.ask import Roll
from engine.characteristics import Modifier, highest, modified, rolls_test
from engine.rules.special_rules import FEARLESS, STUBBORN, anyone_has
from engine.runner import Action
from events.base import UnitId
from events.morale import MoraleChecked, MoraleReason
from projections.battle import Battle
from projections.queries import profile_of, setup_of, unit_of

MORALE_CHECKS: tuple[MoraleReason, ...] = ("casualties", "lost combat")
"""Tests that are Morale checks; Regroup and Pinning tests are of other kinds. [LDT-5]"""


def leadership_of(battle: Battle, unit: UnitId) -> int:
    """Return the highest Leadership among the unit's living models; "-" is 0. [LDT-2, ZERO-1]"""
    setup = setup_of(battle, unit)
    return highest(profile_of(setup, m.n).leadership for m in unit_of(battle, unit).models)


def settled_outcome(
    battle: Battle, unit: UnitId, reason: MoraleReason, leadership: int
) -> bool | None:
    """Return how a test ends without dice, or None where it is rolled. [AUTO-1]

    Without Leadership it fails [LDT-4, ZERO-4]; so does a Morale check of a unit that is falling
    back, whose Pinning test passes [FALL-5]. A unit with a Fearless model passes; told both, it
    fails [AMB-4].
    """
    falling_back = unit_of(battle, unit).falling_back
    if not rolls_test(leadership) or (falling_back and reason in MORALE_CHECKS):
        return False
    if (falling_back and reason == "pinning") or anyone_has(battle, unit, FEARLESS):
        return True
    return None


async def leadership_test(
    action: Action,
    unit: UnitId,
    reason: MoraleReason,
    *,
    modifier: int = 0,
    only_double_one: bool = False,
) -> bool:
    """Take a Leadership test: 2D6 of at most Leadership with its modifier pass. [LDT-1, LDT-3]

    All modifiers add up; Stubborn units ignore the negative ones. [MMOD-2] A double 1 always
    passes a Morale check, and alone passes with `only_double_one`. [HERO-1, HERO-2] Where the
    outcome is settled no dice are rolled, and nothing that hangs on them happens. [AUTO-1, AUTO-2]
    """
    morale = reason in MORALE_CHECKS
    leadership = leadership_of(action.battle, unit)
    settled = settled_outcome(action.battle, unit, reason, leadership)
    if settled is not None:
        action.emit(MoraleChecked(unit, reason, leadership, modifier, 0, settled))
        return settled
    if modifier < 0 and not reason.startswith("regroup"):
        modifier *= not anyone_has(action.battle, unit, STUBBORN)
    purpose = "morale" if morale else "pinning" if reason == "pinning" else "regroup"
    faces = await Roll(purpose, 2, subject=unit)
    total, double_one = sum(faces), faces == (1, 1)
    passed = total <= modified("leadership", leadership, (Modifier("add", modifier),))
    if only_double_one:
        passed = double_one
    elif morale:
        passed = passed or double_one
    action.emit(MoraleChecked(unit, reason, leadership, modifier, total, passed))
    return passed
