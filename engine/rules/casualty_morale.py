"""Casualty Morale checks at the end of a phase. [WHEN-1]"""

from __future__ import annotations

from engine.runner import Action
from projections.battle import Battle


def due_for_casualty_check(battle: Battle) -> bool:
    """Whether a unit still owes this phase's check. [WHEN-1, WHEN-5]"""
    return False


async def casualty_check(action: Action) -> None:
    """Take one unit's check. [WHEN-1]"""
