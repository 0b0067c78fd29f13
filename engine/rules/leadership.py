"""Leadership tests: Morale checks and Regroup tests. [LDT, MMOD, HERO]"""

from __future__ import annotations

from engine.ask import Roll
from engine.runner import Action
from events.base import UnitId
from events.morale import MoraleChecked, MoraleReason
from projections.battle import Battle
from projections.queries import profile_of, setup_of, unit_of

HIGHEST = 10
"""No modifier raises Leadership above this. [CMOD-3]"""

MORALE_CHECKS: tuple[MoraleReason, ...] = ("casualties", "lost combat")
"""Tests that are Morale checks; Regroup tests are Leadership tests of another kind. [LDT-5]"""


def leadership_of(battle: Battle, unit: UnitId) -> int:
    """Return the highest Leadership among the unit's living models; "-" is 0. [LDT-2, ZERO-1]"""
    setup = setup_of(battle, unit)
    return max(profile_of(setup, m.n).leadership or 0 for m in unit_of(battle, unit).models)


async def leadership_test(
    action: Action,
    unit: UnitId,
    reason: MoraleReason,
    *,
    modifier: int = 0,
    only_double_one: bool = False,
) -> bool:
    """Take a Leadership test: 2D6 of at most Leadership with its modifier pass. [LDT-1, LDT-3]

    A double 1 always passes a Morale check, and alone passes with `only_double_one`. [HERO-1,
    HERO-2] Without Leadership the test fails, and so does a Morale check of a unit that is
    falling back; no dice are rolled then. [LDT-4, FALL-5, AUTO-1]
    """
    morale = reason in MORALE_CHECKS
    leadership = leadership_of(action.battle, unit)
    if not leadership or (morale and unit_of(action.battle, unit).falling_back):
        action.emit(MoraleChecked(unit, reason, leadership, modifier, 0, False))
        return False
    faces = await Roll("morale" if morale else "regroup", 2, subject=unit)
    total, double_one = sum(faces), faces == (1, 1)
    passed = total <= min(HIGHEST, leadership + modifier)
    if only_double_one:
        passed = double_one
    elif morale:
        passed = passed or double_one
    action.emit(MoraleChecked(unit, reason, leadership, modifier, total, passed))
    return passed
