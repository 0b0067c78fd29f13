"""The Assault phase: charges one by one, then every combat to its end. [ASPH, FITE-3]"""

from __future__ import annotations

from engine.answers import AnswerTable
from engine.rules import (
    charge_move,
    charging,
    choosing_weapons,
    combat_morale,
    combats,
    consolidation,
    directing,
    overwatch,
    pile_in,
    striking,
)
from engine.rules.charging import charge
from engine.rules.choosing_weapons import choose_weapons, choosers_of_steps
from engine.rules.combat_morale import losers_check, losers_to_check
from engine.rules.combat_result import resolve_combat
from engine.rules.combats import (
    both_stand,
    choose_combat,
    close_assault,
    combat_now,
    end_combat,
    unfought,
)
from engine.rules.consolidation import consolidate, next_to_consolidate
from engine.rules.initiative_steps import initiative_step, next_step
from engine.rules.pile_in import end_pile_in
from engine.rules.sweeping import fleeing, sweeping_advances
from engine.runner import Procedure
from projections.battle import AssaultPhase, Battle


def next_assault(battle: Battle) -> Procedure:
    """Return the rule that comes next in the Assault phase. [ASPH-1, ASPH-4, CHOC-1]"""
    phase = battle.phase
    assert isinstance(phase, AssaultPhase)
    if not phase.fighting:
        return charge
    if phase.combat is not None:
        return next_in_combat(battle)
    return choose_combat if unfought(battle) else close_assault


def next_in_combat(battle: Battle) -> Procedure:
    """Return the rule that comes next in the combat being fought. [FITE-3]"""
    combat = combat_now(battle)
    if combat.stage == "blows" and both_stand(battle) and choosers_of_steps(battle):
        return choose_weapons
    if combat.stage == "blows" and next_step(battle):
        return initiative_step
    if combat.stage != "morale":
        return resolve_combat
    if losers_to_check(battle):
        return losers_check
    if fleeing(battle):
        return sweeping_advances
    if both_stand(battle) and not combat.piled_in:
        return end_pile_in
    return end_combat if next_to_consolidate(battle) is None else consolidate


ANSWERS: AnswerTable = {
    **charging.ANSWERS,
    **overwatch.ANSWERS,
    **charge_move.ANSWERS,
    **combats.ANSWERS,
    **choosing_weapons.ANSWERS,
    **directing.ANSWERS,
    **pile_in.ANSWERS,
    **striking.ANSWERS,
    **combat_morale.ANSWERS,
    **consolidation.ANSWERS,
}
