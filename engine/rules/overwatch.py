"""Overwatch: the charged units' Snap Shots, weapon group by weapon group. [OVWT, MOVW]"""

from __future__ import annotations

from collections.abc import Iterator

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.editions import edition_of
from engine.rules.shooting import can_fire, fire_group
from engine.runner import Action
from events.assault import OverwatchFinished
from events.base import UnitId
from events.choices import FireOverwatch, OverwatchBy
from events.errors import IllegalChoice
from events.questions import OverwatchOffered, WhoFiresOverwatch
from projections.battle import Battle
from projections.queries import alive, owner, setup_of, turn_of, unit_of


async def overwatch(action: Action, targets: tuple[UnitId, ...], charger: UnitId) -> None:
    """Let the charged units fire, one after the other, as long as anybody charges. [OVWT-1, MOVW-1]

    Where several can, their player chooses who is next when he has seen what came before. [MOVW-2]
    Losses call for no test: nobody takes one for casualties in the Assault phase. [OVWT-4]
    """
    left = [unit for unit in targets if may_fire(action.battle, unit, charger)]
    while left:
        unit = left[0]
        if len(left) > 1:
            question = WhoFiresOverwatch(owner(action.battle, unit), tuple(left), charger)
            choice: OverwatchBy | FireOverwatch = await Ask(question, OverwatchBy, FireOverwatch)
            if isinstance(choice, FireOverwatch):
                for unit in left:
                    action.emit(OverwatchFinished(unit, False))
                return
            unit = choice.unit
        await fire_overwatch(action, unit, charger)
        if not alive(unit_of(action.battle, charger)):
            return
        left = [u for u in left if u != unit and may_fire(action.battle, u, charger)]


async def fire_overwatch(action: Action, unit: UnitId, charger: UnitId) -> None:
    """Let `unit` fire at its charger until it stops or nothing is left to fire. [OVWT-1, OVWT-7]

    Only firing uses it up. [OVWT-6, AMB-20]
    """
    fired = False
    while alive(unit_of(action.battle, charger)) and may_fire(action.battle, unit, charger):
        side = owner(action.battle, unit)
        choice = await Ask(OverwatchOffered(side, unit, charger), FireOverwatch)
        if not choice.weapon:
            break
        fired = True
        await fire_group(action, unit, charger, choice.weapon, overwatch=True)
    action.emit(OverwatchFinished(unit, fired))


def may_fire(battle: Battle, unit: UnitId, charger: UnitId) -> bool:
    """Whether a unit can fire anything in Overwatch now."""
    return next(weapons_for(battle, unit, charger), None) is not None


def weapons_for(battle: Battle, unit_id: UnitId, charger: UnitId) -> Iterator[str]:
    """Yield the weapons that a unit can fire in Overwatch now, in roster order. [OVWT-2, OVWT-3]

    None for a unit that is locked [OVWT-5, LOCK-4] or, in the 7th edition, has fired Overwatch this
    turn [OVWT-6, OVWT-10] or Gone to Ground [OVWT-11, GTG-7].
    """
    edition, unit = edition_of(battle), unit_of(battle, unit_id)
    if unit.locked or (edition.overwatch_once and turn_of(battle, unit_id).overwatch):
        return
    if unit.gone_to_ground and not edition.overwatch_when_gone_to_ground:
        return
    for weapon in setup_of(battle, unit_id).weapons:
        if can_fire(battle, unit_id, charger, weapon.id):
            yield weapon.id


def _check(battle: Battle, question: OverwatchOffered, choice: FireOverwatch) -> None:
    weapons = weapons_for(battle, question.unit, question.charger)
    if choice.weapon and choice.weapon not in weapons:
        can = ", ".join(weapons_for(battle, question.unit, question.charger))
        raise IllegalChoice(
            "OVWT-2", f"{question.unit} can't fire {choice.weapon!r} at {question.charger}; {can}"
        )


def _legal(battle: Battle, question: OverwatchOffered) -> list[FireOverwatch]:
    weapons = weapons_for(battle, question.unit, question.charger)
    return [*map(FireOverwatch, weapons), FireOverwatch()]


def _check_order(
    battle: Battle, question: WhoFiresOverwatch, choice: OverwatchBy | FireOverwatch
) -> None:
    can = ", ".join(question.units)
    if isinstance(choice, FireOverwatch):
        if choice.weapon:
            why = f"say first which unit fires at {question.charger}: {can}"
            raise IllegalChoice("MOVW-2", why)
    elif choice.unit not in question.units:
        raise IllegalChoice("MOVW-1", f"{choice.unit!r} can't fire Overwatch now; {can} can")


def _legal_order(battle: Battle, question: WhoFiresOverwatch) -> list[OverwatchBy | FireOverwatch]:
    return [*(OverwatchBy(unit) for unit in question.units), FireOverwatch()]


ANSWERS: AnswerTable = {
    WhoFiresOverwatch: Answers((OverwatchBy, FireOverwatch), _check_order, _legal_order),
    OverwatchOffered: Answers((FireOverwatch,), _check, _legal),
}
