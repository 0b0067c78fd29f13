"""Casualty Morale checks at the end of every phase but Assault. [WHEN, SEPH-3]

The 6th edition has no Psychic phase; there they follow the Movement and Shooting phases. [WHEN-6]
"""

from __future__ import annotations

from engine.characteristics import a_quarter
from engine.rules.falling_back import fall_back
from engine.rules.leadership import leadership_test
from engine.runner import Action
from events.base import UnitId, other
from projections.battle import Battle, Unit
from projections.queries import units_on_table


async def casualty_check(action: Action) -> None:
    """Take one unit's check; if it fails the unit falls back at once. [WHEN-1, WHEN-5, FALL-1]

    Its Leadership is not modified. [MMOD-3]
    """
    unit = next_to_check(action.battle)
    assert unit is not None
    if not await leadership_test(action, unit, "casualties"):
        await fall_back(action, unit)


def due_for_casualty_check(battle: Battle) -> bool:
    """Whether a unit still owes this phase's check. [WHEN-1, WHEN-5]"""
    return next_to_check(battle) is not None


def next_to_check(battle: Battle) -> UnitId | None:
    """Return the unit that checks next: the active player's first, in muster order. [SEPH-3]

    Which of several is first makes no difference to another, so nobody is asked. [BVA-4]

    None for losses of the Assault phase, where losing a combat is the reason to check [WHEN-2], nor
    for a unit that is locked [WHEN-4].
    """
    if battle.clock.phase == "assault":
        return None
    active = battle.clock.active
    for side in (active, other(active)):
        for unit in units_on_table(battle, side):
            if lost_a_quarter(unit) and not unit.locked and unit.id not in battle.phase.tested:
                return unit.id
    return None


def lost_a_quarter(unit: Unit) -> bool:
    """Whether the unit lost 25% or more of its models in this phase. [WHEN-1, DIV-3]"""
    return a_quarter(unit.phase_started - len(unit.models), unit.phase_started)
