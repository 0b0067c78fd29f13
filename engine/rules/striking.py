"""Striking blows: To Hit, To Wound, then who takes the Wounds. [ISTP-3, MHIT, MWND, MALC]"""

from __future__ import annotations

from typing import NamedTuple

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.board import disc_of
from engine.geometry import Disc, in_contact, nearness
from engine.rules import wound_groups
from engine.rules.allocation import take_wound
from engine.rules.combats import standing, turn_order
from engine.rules.directing import Aims, strikers_at
from engine.rules.engaged import engaged
from engine.rules.to_hit import melee_needed
from engine.rules.to_wound import majority, weapon_strength, wound_needed
from engine.rules.wound_groups import next_group
from engine.runner import Action
from events.attacks import BlowsStruck, HitsScored, WoundsLost, WoundsScored
from events.base import ModelId, Side, UnitId, other
from events.choices import Aim, TakeWounds
from events.errors import IllegalChoice
from events.questions import WhoTakesWounds, WoundGroup
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


Pool = list[tuple[Blows, int]]
"""Groups of blows and the Wounds they scored."""


async def strike(action: Action, step: int, aims: Aims) -> None:
    """Strike all blows of a step at once. [ISTP-3]

    The active side rolls To Hit and To Wound first, then the other; saves and removals of both
    follow, so that nobody loses his blow to a blow of the same step. [AMB-27, MALC-5]
    """
    sides = turn_order(action.battle)
    blows = {side: blows_of(action.battle, side, step, aims) for side in sides}
    strikers = {side: strikers_of(action.battle, side, blows[side]) for side in sides}
    pools: dict[tuple[Side, UnitId], Pool] = {}
    for side in sides:
        for group in blows[side]:
            wounds = await hit_and_wound(action, group, step)
            if wounds:
                pools.setdefault((side, group.target), []).append((group, wounds))
    for (side, target), pool in pools.items():
        await allocate_pool(action, side, target, pool, strikers[side], step)


def blows_of(battle: Battle, side: Side, step: int, aims: Aims) -> list[Blows]:
    """Return what a side strikes at a step, in groups, in unit and model order. [ENGA-3, MHIT-4]

    Weapon Skill and Toughness are the majority's among the target's engaged models. [MHIT-2,
    MWND-2] Each model strikes whom it was directed at, or the only unit it can. [MDIR-1]
    """
    facing: dict[UnitId, tuple[int, int]] = {}
    found: dict[tuple[object, ...], Blows] = {}
    for striker in strikers_at(battle, side, step):
        profile = profile_of(setup_of(battle, striker.unit), striker.n)
        strength = weapon_strength(striker.weapon, profile)
        for aim in aims.get((striker.unit, striker.n), (Aim(striker.foes[0]),)):
            target, attacks = aim.target, aim.attacks or striker.attacks
            if target not in facing:
                facing[target] = weapon_skill_and_toughness(battle, target)
            skill, toughness = facing[target]
            blows = Blows(
                striker.unit,
                target,
                striker.weapon.id,
                strength,
                striker.weapon.ap,
                melee_needed(profile.ws, skill),
                wound_needed(strength, toughness) or 0,
                (striker.n,),
                attacks,
            )
            alike = found.get(blows[:7])
            if alike is not None:
                models, attacks = (*alike.models, striker.n), alike.attacks + attacks
                blows = alike._replace(models=models, attacks=attacks)
            found[blows[:7]] = blows
    return list(found.values())


def weapon_skill_and_toughness(battle: Battle, target: UnitId) -> tuple[int, int]:
    """Return the majority's among a unit's engaged models. [MHIT-2, MWND-2]"""
    struck, setup = unit_of(battle, target), setup_of(battle, target)
    foes = standing(battle, other(struck.side))
    theirs = [profile_of(setup, one.n) for one in engaged(battle, struck, foes)]
    return majority([p.ws or 0 for p in theirs]), majority([p.toughness or 0 for p in theirs])


def strikers_of(battle: Battle, side: Side, blows: list[Blows]) -> list[Disc]:
    """Return the bases of a side's models that strike at this step, as they stand now. [MDIR-4]"""
    striking = {(group.unit, n) for group in blows for n in group.models}
    return [
        disc_of(battle, unit, model)
        for unit in standing(battle, side)
        for model in unit.models
        if (unit.id, model.n) in striking
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


async def allocate_pool(
    action: Action, side: Side, target: UnitId, pool: Pool, strikers: list[Disc], step: int
) -> None:
    """Allocate a side's Wounds on one unit, group by group; none pass to another. [MDIR-4]

    Wounds of one Strength and AP are a group; the striking player chooses the order. [MWND-3]
    Those left when the unit is wiped out are lost. [MALC-6]
    """
    while pool and unit_of(action.battle, target).models:
        strength, ap, *_ = await next_group(action, side, target, groups_of(pool))
        now = [item for item in pool if item[0][3:5] == (strength, ap)]
        pool = [item for item in pool if item not in now]
        left = await allocate_group(action, target, now, strikers, step)
        if left:
            pool = [(now[-1][0], left), *pool]
    if pool:
        action.emit(WoundsLost(target, sum(wounds for _, wounds in pool)))


def groups_of(pool: Pool) -> tuple[WoundGroup, ...]:
    """Return the Wounds of a pool by Strength and AP, in the order rolled. [WPOL-2]"""
    kinds = dict.fromkeys((blows.strength, blows.ap) for blows, _ in pool)
    return tuple(
        WoundGroup(*kind, sum(wounds for blows, wounds in pool if blows[3:5] == kind))
        for kind in kinds
    )


async def allocate_group(
    action: Action, target: UnitId, pool: Pool, strikers: list[Disc], step: int
) -> int:
    """Allocate Wounds one by one, each until its model is removed; return how many are left over.

    The struck unit's player chooses among equals. [MALC-1 to MALC-3] Armour and invulnerable saves
    are taken, cover is none. [MALC-4, FITE-4]
    """
    taker: ModelId = ""
    named: tuple[ModelId, ...] = ()
    left = sum(wounds for _, wounds in pool)
    for blows, wounds in pool:
        for _ in range(wounds):
            if not unit_of(action.battle, target).models:
                return left
            if not taker:
                eligible = eligible_for(action.battle, target, strikers)
                if len(eligible) == 1:
                    taker = eligible[0]
                else:
                    if not named or named[0] not in eligible:
                        side = owner(action.battle, target)
                        question = WhoTakesWounds(side, target, eligible, left)
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
            left -= 1
            if not stands:
                taker = ""
    return 0


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
    # The struck unit's own player chooses in a combat, the shooter for his Precision Shots.
    rule = "MALC-1" if owner(battle, question.unit) == question.player else "ALLO-5"
    if not choice.models:
        raise IllegalChoice(rule, "name the model that takes the Wound")
    first = choice.models[0]
    if first not in question.eligible:
        eligible = ", ".join(question.eligible)
        raise IllegalChoice(rule, f"{first} can't take the next Wound; {eligible} can")
    for i, model in enumerate(choice.models):
        if model in choice.models[:i]:
            raise IllegalChoice("MALC-3", f"{model} is named twice; it takes Wounds until removed")
        name, _, number = model.rpartition(".")
        unit = unit_of(battle, question.unit)
        if name != unit.id or not number.isdigit() or model_of(unit, int(number)) is None:
            raise IllegalChoice(rule, f"{model!r} is no model of {unit.id}")


def _legal(battle: Battle, question: WhoTakesWounds) -> list[TakeWounds]:
    """Offer each eligible model first, with the others after it as far as there are Wounds."""
    models = question.eligible
    return [
        TakeWounds((first, *(m for m in models if m != first))[: question.wounds])
        for first in models
    ]


ANSWERS: AnswerTable = {
    WhoTakesWounds: Answers((TakeWounds,), _check, _legal),
    **wound_groups.ANSWERS,
}
