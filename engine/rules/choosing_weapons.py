"""Which melee weapon a model strikes with, where that is a choice. [MELE-2, AMB-45]

It is asked before the first Initiative step for models whose weapons would put them at different
steps, and for the others at their step, where the weapons would strike differently.
"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.rules.combats import combat_now, standing, turn_order
from engine.rules.engaged import engaged, steps_of, steps_open_to
from engine.rules.melee_weapons import chosen_weapon, melee_weapons, options
from engine.runner import Action
from events.assault import MeleeWeaponChosen
from events.base import Side, UnitId, other
from events.choices import StrikeWith
from events.errors import IllegalChoice
from events.questions import WhichMeleeWeapon
from projections.battle import Battle
from projections.queries import owner, setup_of, weapon_of

BEFORE_THE_FIRST = 11
"""Where a combat stands before its Initiative steps."""

Choosers = tuple[UnitId, tuple[int, ...]]
"""A unit and its models that have to choose."""


async def choose_weapons(action: Action) -> None:
    """Let the next unit choose the weapons that decide on its models' steps. [AMB-45]"""
    unit, models = choosers_of_steps(action.battle)[0]
    await _choose(action, unit, models, 0)


async def choose_at_step(action: Action, step: int) -> None:
    """Let every model about to strike choose, the active side's units first. [MELE-2, AMB-27]"""
    for side in turn_order(action.battle):
        for unit, models in choosers_at_step(action.battle, side, step):
            await _choose(action, unit, models, step)


async def _choose(action: Action, unit: UnitId, models: tuple[int, ...], step: int) -> None:
    while models:
        question = WhichMeleeWeapon(owner(action.battle, unit), unit, models, step)
        choice = await Ask(question, StrikeWith)
        armed = arms(action.battle, question, choice)
        action.emit(MeleeWeaponChosen(unit, choice.weapon, armed))
        models = tuple(n for n in models if n not in armed)


def choosers_of_steps(battle: Battle) -> list[Choosers]:
    """Return who chooses before the first step, the active side's units first. [AMB-45]"""
    if combat_now(battle).step < BEFORE_THE_FIRST:
        return []
    found: list[Choosers] = []
    for side in turn_order(battle):
        for unit in standing(battle, side):
            models = tuple(
                model.n
                for model in unit.models
                if len(set(steps_open_to(battle, unit.id, model.n))) > 1
                and not chosen_weapon(battle, unit.id, model.n)
            )
            if models:
                found.append((unit.id, models))
    return found


def choosers_at_step(battle: Battle, side: Side, step: int) -> list[Choosers]:
    """Return who of a side chooses at a step: engaged models with weapons that differ. [MELE-2]"""
    foes = standing(battle, other(side))
    found: list[Choosers] = []
    for unit in standing(battle, side):
        due = [m.n for m, at in zip(unit.models, steps_of(battle, unit), strict=True) if at == step]
        due = [
            n
            for n in due
            if len(options(battle, unit.id, n)) > 1 and not chosen_weapon(battle, unit.id, n)
        ]
        if due:
            models = tuple(one.n for one in engaged(battle, unit, foes) if one.n in due)
            if models:
                found.append((unit.id, models))
    return found


def arms(battle: Battle, question: WhichMeleeWeapon, choice: StrikeWith) -> tuple[int, ...]:
    """Return the models that a choice arms, in unit order."""
    named = choice.models or question.models
    return tuple(
        n
        for n in question.models
        if n in named and choice.weapon in options(battle, question.unit, n)
    )


def _check(battle: Battle, question: WhichMeleeWeapon, choice: StrikeWith) -> None:
    unit, weapon = question.unit, choice.weapon
    if choice.unit != unit:
        raise IllegalChoice("MELE-2", f"{unit} chooses its weapons now, not {choice.unit}")
    known = weapon_of(setup_of(battle, unit), weapon)
    if known is not None and known.type not in ("melee", "pistol"):
        raise IllegalChoice("MELE-3", f"{weapon} is a ranged weapon: it does nothing in a combat")
    for i, n in enumerate(choice.models):
        if n in choice.models[:i]:
            raise IllegalChoice("MELE-2", f"{unit}.{n} is named twice; it uses one weapon")
        if n not in question.models:
            raise IllegalChoice("MELE-2", f"{unit}.{n} has no weapon to choose now")
    armed = arms(battle, question, choice)
    for n in choice.models or question.models[:1] * (not armed):
        if n not in armed:
            has = ", ".join(options(battle, unit, n))
            alike = any(w.id == weapon for w in melee_weapons(setup_of(battle, unit), n))
            why = "strikes with it as with another" if alike else f"doesn't carry {weapon!r}"
            raise IllegalChoice("MELE-2", f"{unit}.{n} {why}; it chooses from {has}")


def _legal(battle: Battle, question: WhichMeleeWeapon) -> list[StrikeWith]:
    """Offer each weapon to all models that carry it, then to each alone."""
    weapons = dict.fromkeys(
        weapon for n in question.models for weapon in options(battle, question.unit, n)
    )
    found = [StrikeWith(question.unit, weapon) for weapon in weapons]
    if len(question.models) > 1:
        found += [
            StrikeWith(question.unit, weapon, (n,))
            for n in question.models
            for weapon in options(battle, question.unit, n)
        ]
    return found


ANSWERS: AnswerTable = {WhichMeleeWeapon: Answers((StrikeWith,), _check, _legal)}
