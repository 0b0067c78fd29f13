"""Locked in combat: who touches whom, who is locked by it, and when a unit is free. [LOCK]

What a lock forbids is refused where it is asked for: moves in `movement`, shooting, Running and
shooting at it in `shooting`, Overwatch in `overwatch` [LOCK-4, LOCK-5]; tests for casualties are
left out in `casualty_morale`. [LOCK-8]
"""

from __future__ import annotations

from engine.board import Stand, stand_of
from engine.geometry import CONTACT, in_contact
from engine.geometry.distance import Box, may_be_within
from events.base import UnitId
from projections.battle import Battle, Unit
from projections.queries import unit_of, units_on_table


def touching(battle: Battle, unit: Unit) -> tuple[UnitId, ...]:
    """Return the enemy units with a model in base contact with a model of `unit`. [LOCK-1]

    Muster order. This is what is asked within the Fight sub-phase, where the flag may still
    stand although nobody touches any more. [AMB-42]
    """
    ours = stand_of(battle, unit)
    return tuple(
        enemy.id
        for enemy in units_on_table(battle)
        if enemy.side != unit.side and ours.discs and _touch(ours, stand_of(battle, enemy))
    )


def _touch(ours: Stand, theirs: Stand) -> bool:
    if not may_be_within(ours.box, theirs.box, CONTACT):
        return False
    near = [b for b in theirs.discs if may_be_within(ours.box, Box(b[0], b[1], *b), CONTACT)]
    return any(in_contact(a, b) for b in near for a in ours.discs)


def units_to_lock(battle: Battle, unit: UnitId) -> tuple[UnitId, ...]:
    """Return the units, `unit` first, that its base contact locks and that weren't yet. [LOCK-1]"""
    met = touching(battle, unit_of(battle, unit))
    return tuple(u for u in (unit, *met) if met and not unit_of(battle, u).locked)


def units_to_unlock(battle: Battle) -> tuple[UnitId, ...]:
    """Return the locked units that touch no enemy at the end of the phase. [LOCK-3]

    Of any phase: one freed by shooting may charge next, and doesn't consolidate. [LOCK-9]
    """
    return tuple(
        unit.id for unit in units_on_table(battle) if unit.locked and not touching(battle, unit)
    )
