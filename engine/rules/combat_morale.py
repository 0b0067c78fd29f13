"""Morale checks of the losers, before any sweeping advance. [MCHK, MMOD-1, MMOR]"""

from __future__ import annotations

from engine.rules.combats import combat_now, standing
from engine.rules.leadership import leadership_test
from engine.runner import Action
from events.base import UnitId, other
from projections.battle import Battle


async def losers_check(action: Action) -> None:
    """Take the next losing unit's check: -1 for each Wound it lost by. [MCHK-1, MMOD-1]

    Passed, it stays; failed, it flees once all have checked. [MCHK-2, MMOR-1]
    """
    unit = next_loser(action.battle)
    assert unit is not None
    by = combat_now(action.battle).by
    await leadership_test(action, unit, "lost combat", modifier=-by)


def next_loser(battle: Battle) -> UnitId | None:
    """Return the losing unit that checks next, in muster order; nobody in a draw. [MCHK-3]"""
    combat = combat_now(battle)
    if not combat.winner:
        return None
    losers = (unit.id for unit in standing(battle, other(combat.winner)))
    return next((unit for unit in losers if unit not in combat.tested), None)
