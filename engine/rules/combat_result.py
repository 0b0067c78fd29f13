"""The result of a combat: who inflicted more Wounds. [RSLT, MRES]"""

from __future__ import annotations

from typing import Literal

from engine.rules.combats import combat_now, standing
from engine.runner import Action
from events.assault import BlowsFinished, CombatResolved
from projections.battle import Battle


async def resolve_combat(action: Action) -> None:
    """Work out the result from the Wounds really lost, as the combat counted them.

    [RSLT-1, RSLT-2, MRES-1]
    """
    if combat_now(action.battle).stage == "blows":
        action.emit(BlowsFinished())
    combat = combat_now(action.battle)
    winner = winner_of(action.battle)
    by = abs(combat.red - combat.blue) if winner else 0
    action.emit(CombatResolved(combat.red, combat.blue, winner, by))


def winner_of(battle: Battle) -> Literal["red", "blue", ""]:
    """Return the side with more Wounds inflicted, or the only one left. [RSLT-1, RSLT-5, MRES-2]

    Nobody wins with equal totals, or when both sides are wiped out. [AMB-34]
    """
    red_stands, blue_stands = bool(standing(battle, "red")), bool(standing(battle, "blue"))
    if red_stands != blue_stands:
        return "red" if red_stands else "blue"
    combat = combat_now(battle)
    if not red_stands or combat.red == combat.blue:
        return ""
    return "red" if combat.red > combat.blue else "blue"
