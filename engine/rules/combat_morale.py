"""Morale checks of the losers, before any sweeping advance. [MCHK, MMOD-1, MMOR]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.rules.combats import combat_now, standing
from engine.rules.leadership import leadership_of, leadership_test
from engine.rules.locked import touching
from engine.rules.melee_weapons import options
from engine.rules.to_wound import majority, weapon_strength, wound_needed
from engine.runner import Action
from events.base import UnitId, other
from events.choices import CheckMorale
from events.errors import IllegalChoice
from events.morale import MoraleChecked
from events.questions import WhoChecksMorale
from projections.battle import Battle
from projections.queries import owner, profile_of, setup_of, unit_of


async def losers_check(action: Action) -> None:
    """Take the next losing unit's check: -1 for each Wound it lost by. [MCHK-1, MMOD-1]

    Its player chooses which is next. [MMOR-1] Passed, it stays; failed, it flees once all have
    checked. [MCHK-2, MMOR-1] One whose weapons are useless may fail without dice. [MCHK-4]
    """
    losers = losers_to_check(action.battle)
    unit, by = losers[0], combat_now(action.battle).by
    if len(losers) > 1 or weapons_are_useless(action.battle, unit):
        question = WhoChecksMorale(owner(action.battle, unit), losers)
        choice = await Ask(question, CheckMorale)
        unit = choice.unit
        if choice.fail:
            leadership = leadership_of(action.battle, unit)
            action.emit(MoraleChecked(unit, "lost combat", leadership, -by, 0, False))
            return
    await leadership_test(action, unit, "lost combat", modifier=-by)


def losers_to_check(battle: Battle) -> tuple[UnitId, ...]:
    """Return the losing units still to check, in muster order; nobody in a draw. [MCHK-3]"""
    combat = combat_now(battle)
    if not combat.winner:
        return ()
    losers = (unit.id for unit in standing(battle, other(combat.winner)))
    return tuple(unit for unit in losers if unit not in combat.tested)


def weapons_are_useless(battle: Battle, unit_id: UnitId) -> bool:
    """Whether a unit is locked only with enemies that none of its models can wound. [MCHK-4]

    At the majority's Toughness of each. Where casualties have parted it from everybody, all
    enemies in the combat count.
    """
    unit, setup = unit_of(battle, unit_id), setup_of(battle, unit_id)
    foes = touching(battle, unit) or [u.id for u in standing(battle, other(unit.side))]
    strengths = {
        weapon_strength(weapon, profile)
        for model in unit.models
        if (profile := profile_of(setup, model.n)).attacks and profile.ws
        for weapon in options(battle, unit_id, model.n).values()
    }
    best = max(strengths, default=0)
    return all(wound_needed(best, toughness_of(battle, foe)) is None for foe in foes)


def toughness_of(battle: Battle, unit: UnitId) -> int:
    """Return the Toughness of the majority of a unit's living models."""
    setup = setup_of(battle, unit)
    return majority([profile_of(setup, m.n).toughness or 0 for m in unit_of(battle, unit).models])


def _check(battle: Battle, question: WhoChecksMorale, choice: CheckMorale) -> None:
    if choice.unit not in question.units:
        can = ", ".join(question.units)
        raise IllegalChoice("MMOR-1", f"{choice.unit!r} has no check to take now; {can} has")
    if choice.fail and not weapons_are_useless(battle, choice.unit):
        raise IllegalChoice("MCHK-4", f"{choice.unit} can hurt an enemy: it takes its check")


def _legal(battle: Battle, question: WhoChecksMorale) -> list[CheckMorale]:
    useless = [unit for unit in question.units if weapons_are_useless(battle, unit)]
    return [
        *(CheckMorale(unit) for unit in question.units),
        *(CheckMorale(unit, fail=True) for unit in useless),
    ]


ANSWERS: AnswerTable = {WhoChecksMorale: Answers((CheckMorale,), _check, _legal)}
