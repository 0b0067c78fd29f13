"""Overwatch: the charged unit's Snap Shots, weapon group by weapon group. [OVWT]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.rules.shooting import can_fire, fire_group
from engine.runner import Action
from events.assault import OverwatchFinished
from events.base import UnitId
from events.choices import FireOverwatch
from events.errors import IllegalChoice
from events.questions import OverwatchOffered
from projections.battle import Battle
from projections.queries import alive, owner, setup_of, turn_of, unit_of


async def overwatch(action: Action, unit: UnitId, charger: UnitId) -> None:
    """Let `unit` fire at its charger until it stops or nothing is left to fire. [OVWT-1, OVWT-7]

    Not offered where it can't fire at all. Only firing uses it up. [OVWT-6, AMB-20]
    """
    offered = fired = False
    while alive(unit_of(action.battle, charger)) and weapons_for(action.battle, unit, charger):
        offered = True
        side = owner(action.battle, unit)
        choice = await Ask(OverwatchOffered(side, unit, charger), FireOverwatch)
        if not choice.weapon:
            break
        fired = True
        await fire_group(action, unit, charger, choice.weapon, overwatch=True)
    if offered:
        action.emit(OverwatchFinished(unit, fired))


def weapons_for(battle: Battle, unit: UnitId, charger: UnitId) -> tuple[str, ...]:
    """Return the weapons that `unit` can fire in Overwatch now, in roster order. [OVWT-2, OVWT-3]

    None for a unit that is locked [OVWT-5] or has fired Overwatch this turn [OVWT-6].
    """
    if unit_of(battle, unit).locked or turn_of(battle, unit).overwatch:
        return ()
    weapons = setup_of(battle, unit).weapons
    return tuple(w.id for w in weapons if can_fire(battle, unit, charger, w.id))


def _check(battle: Battle, question: OverwatchOffered, choice: FireOverwatch) -> None:
    weapons = weapons_for(battle, question.unit, question.charger)
    if choice.weapon and choice.weapon not in weapons:
        can = ", ".join(weapons)
        raise IllegalChoice(
            "OVWT-2", f"{question.unit} can't fire {choice.weapon!r} at {question.charger}; {can}"
        )


def _legal(battle: Battle, question: OverwatchOffered) -> list[FireOverwatch]:
    weapons = weapons_for(battle, question.unit, question.charger)
    return [*(FireOverwatch(weapon) for weapon in weapons), FireOverwatch()]


ANSWERS: AnswerTable = {OverwatchOffered: Answers((FireOverwatch,), _check, _legal)}
