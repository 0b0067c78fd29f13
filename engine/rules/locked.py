"""Locked in combat: who touches whom, and when a unit is free again. [LOCK]"""

from __future__ import annotations

from engine.board import discs_of
from engine.geometry import in_contact
from events.base import UnitId
from projections.battle import Battle, Unit
from projections.queries import units_on_table


def touching(battle: Battle, unit: Unit) -> tuple[UnitId, ...]:
    """Return the enemy units with a model in base contact with a model of `unit`. [LOCK-1]"""
    ours = discs_of(battle, unit)
    return tuple(
        enemy.id
        for enemy in units_on_table(battle)
        if enemy.side != unit.side
        and any(in_contact(a, b) for a in ours for b in discs_of(battle, enemy))
    )


def units_to_unlock(battle: Battle) -> tuple[UnitId, ...]:
    """Return the locked units that touch no enemy at the end of the phase. [LOCK-3]"""
    return tuple(
        unit.id for unit in units_on_table(battle) if unit.locked and not touching(battle, unit)
    )
