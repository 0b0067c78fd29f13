"""Striking blows: To Hit, To Wound, then who takes the Wounds. [ISTP-3, MHIT, MWND, MALC]"""

from __future__ import annotations

from typing import NamedTuple

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.board import disc_of
from engine.geometry import Disc, in_contact, nearness
from engine.rules.allocation import take_wound
from engine.rules.combats import standing, turn_order
from engine.rules.engaged import foes_of, initiative_of
from engine.rules.melee_weapons import attacks_of, weapon_used
from engine.rules.to_hit import melee_needed
from engine.rules.to_wound import majority, weapon_strength, wound_needed
from engine.runner import Action
from events.attacks import BlowsStruck, HitsScored, WoundsLost, WoundsScored
from events.base import ModelId, Side, UnitId, other
from events.choices import TakeWounds
from events.errors import IllegalChoice
from events.questions import WhoTakesWounds
from projections.battle import Battle
from projections.queries import (
    model_id,
    model_of,
    owner,
    profile_of,
    setup_of,
    unit_of,
)


class Blows(NamedTuple):
    """Blows that hit and wound on the same scores, rolled together. [MHIT-4]"""

    unit: UnitId
    target: UnitId
    weapon: str
    strength: int
    ap: int | None
    hit_on: int
    """0: automatically."""
    wound_on: int
    """0: never."""
    models: tuple[int, ...]
    attacks: int


async def strike(action: Action, step: int) -> None:
    """Strike all blows of a step at once. [ISTP-3]

    The active side rolls To Hit and To Wound first, then the other; saves and removals of both
    follow, so that nobody loses his blow to a blow of the same step. [AMB-27, MALC-5]
    """
    sides = turn_order(action.battle)
    blows = [group for side in sides for group in blows_of(action.battle, side, step)]
    strikers = {side: strikers_of(action.battle, side, blows) for side in sides}
    pools: list[tuple[Blows, int]] = []
    for group in blows:
        pools.append((group, await hit_and_wound(action, group, step)))
    for group, wounds in pools:
        side = owner(action.battle, group.unit)
        await allocate_blows(action, group, wounds, strikers[side], step)


def blows_of(battle: Battle, side: Side, step: int) -> list[Blows]:
    """Return what a side strikes at a step, in groups, in unit and model order. [ENGA-3, MHIT-4]

    Weapon Skill and Toughness are the majority's among the target's engaged models. [MHIT-2,
    MWND-2]
    """
    foes = standing(battle, other(side))
    friends = standing(battle, side)
    found: list[Blows] = []
    for unit in friends:
        setup = setup_of(battle, unit.id)
        due = [n for m in unit.models if initiative_of(setup, n := m.n) == step]
        if not due:
            continue
        for n, target in foes_of(battle, unit, foes):
            attacks = attacks_of(battle, unit.id, n) if n in due else 0
            if not attacks:
                continue
            weapon, profile = weapon_used(setup, n), profile_of(setup, n)
            struck = unit_of(battle, target)
            engaged = [model for model, _ in foes_of(battle, struck, friends)]
            theirs = [profile_of(setup_of(battle, target), model) for model in engaged]
            strength = weapon_strength(weapon, profile)
            group = Blows(
                unit.id,
                target,
                weapon.id,
                strength,
                weapon.ap,
                melee_needed(profile.ws, majority([p.ws or 0 for p in theirs])),
                wound_needed(strength, majority([p.toughness or 0 for p in theirs])) or 0,
                (n,),
                attacks,
            )
            for i, same in enumerate(found):
                if same[:7] == group[:7]:
                    found[i] = same._replace(
                        models=same.models + group.models, attacks=same.attacks + attacks
                    )
                    break
            else:
                found.append(group)
    return found


def strikers_of(battle: Battle, side: Side, blows: list[Blows]) -> list[Disc]:
    """Return the bases of a side's models that strike at this step, as they stand now. [MDIR-4]"""
    return [
        disc_of(battle, unit, model)
        for unit in standing(battle, side)
        for model in unit.models
        if any(group.unit == unit.id and model.n in group.models for group in blows)
    ]


async def hit_and_wound(action: Action, blows: Blows, step: int) -> int:
    """Roll To Hit and To Wound for a group; return the Wounds. [MHIT-1, MWND-1, FITE-1]"""
    unit, target, weapon = blows.unit, blows.target, blows.weapon

    def roll(purpose: str, count: int, need: int) -> Roll:
        return Roll(
            purpose, count, need=need, subject=unit, opponent=target, weapon=weapon, step=step
        )

    action.emit(BlowsStruck(unit, target, weapon, blows.models, blows.attacks, step))
    hits = blows.attacks
    if blows.hit_on:
        faces = await roll("to hit", blows.attacks, blows.hit_on)
        hits = sum(face >= blows.hit_on for face in faces)
    action.emit(HitsScored(unit, target, weapon, hits))
    if not hits:
        return 0
    faces = await roll("to wound", hits if blows.wound_on else 0, blows.wound_on)
    wounds = sum(face >= blows.wound_on for face in faces)
    action.emit(WoundsScored(unit, target, weapon, wounds, blows.strength, blows.ap))
    return wounds


async def allocate_blows(
    action: Action, blows: Blows, wounds: int, strikers: list[Disc], step: int
) -> None:
    """Allocate the Wounds of a group one by one, each until its model is removed. [MALC-1 to 6]"""
    target = blows.target
    taker: ModelId = ""
    named: tuple[ModelId, ...] = ()
    while wounds:
        if not unit_of(action.battle, target).models:
            action.emit(WoundsLost(target, wounds))
            return
        if not taker:
            eligible = eligible_for(action.battle, target, strikers)
            if len(eligible) == 1:
                taker = eligible[0]
            else:
                if not named or named[0] not in eligible:
                    side = owner(action.battle, target)
                    question = WhoTakesWounds(side, target, eligible, wounds)
                    named = (await Ask(question, TakeWounds)).models
                taker = named[0]
            named = tuple(model for model in named if model != taker)
        stands = await take_wound(
            action,
            taker,
            strength=blows.strength,
            ap=blows.ap,
            attacker=blows.unit,
            weapon=blows.weapon,
            cause="combat",
            step=step,
        )
        wounds -= 1
        if not stands:
            taker = ""


def eligible_for(battle: Battle, target: UnitId, strikers: list[Disc]) -> tuple[ModelId, ...]:
    """Return the models of which one takes the next Wound, in unit order. [MALC-1, MALC-2]

    Those in base contact with a model that strikes at this step; else the closest to one.
    """
    unit = unit_of(battle, target)
    discs = [(model.n, disc_of(battle, unit, model)) for model in unit.models]
    touched = [n for n, disc in discs if any(in_contact(disc, striker) for striker in strikers)]
    if not touched:
        keys = [(n, min(nearness(disc, striker) for striker in strikers)) for n, disc in discs]
        closest = min(key for _, key in keys)
        touched = [n for n, key in keys if key == closest]
    return tuple(model_id(target, n) for n in touched)


def _check(battle: Battle, question: WhoTakesWounds, choice: TakeWounds) -> None:
    if not choice.models:
        raise IllegalChoice("MALC-1", "name the model that takes the Wound")
    first = choice.models[0]
    if first not in question.eligible:
        eligible = ", ".join(question.eligible)
        raise IllegalChoice("MALC-1", f"{first} can't take the next Wound; {eligible} can")
    for i, model in enumerate(choice.models):
        if model in choice.models[:i]:
            raise IllegalChoice("MALC-3", f"{model} is named twice; it takes Wounds until removed")
        name, _, number = model.rpartition(".")
        unit = unit_of(battle, question.unit)
        if name != unit.id or not number.isdigit() or model_of(unit, int(number)) is None:
            raise IllegalChoice("MALC-1", f"{model!r} is no model of {unit.id}")


def _legal(battle: Battle, question: WhoTakesWounds) -> list[TakeWounds]:
    """Offer each eligible model first, with the others after it as far as there are Wounds."""
    models = question.eligible
    return [
        TakeWounds((first, *(m for m in models if m != first))[: question.wounds])
        for first in models
    ]


ANSWERS: AnswerTable = {WhoTakesWounds: Answers((TakeWounds,), _check, _legal)}
