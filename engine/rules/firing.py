"""Firing weapon groups: To Hit, To Wound, Going to Ground, allocation and saves. [SHSQ-1, SHSQ-2]

The same for the Shooting phase and for Overwatch. [OVWT-2]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.ask import Roll
from engine.rules.allocation import Wounds, allocate_pool
from engine.rules.cover import Cover, ignores_cover
from engine.rules.going_to_ground import offer_ground
from engine.rules.line_of_sight import Sightlines, sightlines
from engine.rules.shooting_range import Volley, can_fire, eligible, volleys
from engine.rules.to_wound import majority, wound_needed
from engine.runner import Action
from events.attacks import Cause, HitsScored, WeaponFired, WoundsScored
from events.base import UnitId
from events.values import Weapon
from projections.battle import Battle
from projections.queries import profile_of, setup_of, unit_of, weapon_of


class Group(NamedTuple):
    """A weapon group as it fires. [SHWP-1]"""

    unit: UnitId
    target: UnitId
    gun: Weapon
    firing: tuple[int, ...]
    within_reach: tuple[int, ...]
    volleys: list[Volley]
    lines: Sightlines
    overwatch: bool


class Hits(NamedTuple):
    """Hits of a group on one unit that wound alike. [WPOL-2]"""

    group: Group
    target: UnitId
    strength: int
    scored: int


async def fire_group(
    action: Action,
    unit: UnitId,
    target: UnitId,
    weapon: str,
    *,
    snap: bool = False,
    overwatch: bool = False,
    models: tuple[int, ...] = (),
) -> None:
    """Fire one weapon group and resolve it completely. [SHSQ-2, SHWP-1]

    `models` are the numbers of those that fire, empty for all that can. [SHMD-2] Overwatch is
    Snap Shots. [OVWT-3]
    """
    await resolve(action, [declare(action, unit, target, weapon, models, snap, overwatch)])


def declare(
    action: Action,
    unit: UnitId,
    target: UnitId,
    weapon: str,
    models: tuple[int, ...] = (),
    snap: bool = False,
    overwatch: bool = False,
) -> Group:
    """Say which models fire a weapon; range and sight are judged now. [SHRG-2, SHMD-1, SHMD-2]"""
    battle = action.battle
    gun = weapon_of(setup_of(battle, unit), weapon)
    assert gun is not None
    lines = sightlines(battle, unit, target)
    able = can_fire(battle, unit, target, weapon, lines)
    firing = tuple(n for n in able if not models or n in models)
    within_reach = eligible(battle, unit, target, weapon, firing, lines)
    groups, snapped = volleys(battle, unit, target, weapon, firing, snap or overwatch, lines)
    shots = sum(group.shots for group in groups)
    action.emit(WeaponFired(unit, target, weapon, gun.type, firing, shots, snapped, overwatch))
    return Group(unit, target, gun, firing, within_reach, groups, lines, overwatch)


async def resolve(action: Action, groups: Sequence[Group]) -> None:
    """Roll To Hit for weapon groups, then see each unit they hit through. [SHSQ-1, SHSQ-4]"""
    hits: list[Hits] = []
    for group in groups:
        hits += await roll_to_hit(action, group)
    for target in dict.fromkeys(hit.target for hit in hits):
        pool = await roll_to_wound(action, [hit for hit in hits if hit.target == target])
        if pool:
            unit, overwatch = groups[0].unit, groups[0].overwatch
            if not overwatch:  # [AMB-13]
                await offer_ground(action, unit, target, pool)
            cause: Cause = "overwatch" if overwatch else "shooting"
            await allocate_pool(action, unit, target, pool, cause)


async def roll_to_hit(action: Action, group: Group) -> list[Hits]:
    """Roll To Hit; return the hits by the Strength they wound at. [THIT-1, THIT-3, THIT-4]"""
    unit, target, weapon = group.unit, group.target, group.gun.id
    hits: dict[int, int] = {}
    for need, again, strength, count in group.volleys:
        faces = await _roll("to hit", count, need, group)
        hit = sum(face >= need for face in faces)
        if again is not None:
            faces = await _roll("to hit re-roll", count - hit, again, group)
            hit += sum(face >= again for face in faces)
        hits[strength] = hits.get(strength, 0) + hit
    action.emit(HitsScored(unit, target, weapon, sum(hits.values())))
    return [Hits(group, target, strength, hit) for strength, hit in hits.items() if hit]


async def roll_to_wound(action: Action, hits: Sequence[Hits]) -> list[Wounds]:
    """Roll To Wound for all hits on one unit; return the wound pool. [TWND-1, WPOL-1]

    Toughness is the majority's, for the whole weapon group. [MTGH-1, MTGH-2] Where no score
    wounds no die is rolled. [TWND-4]
    """
    pool: list[Wounds] = []
    for group, target, strength, count in hits:
        gun = group.gun
        score = wound_needed(strength, toughness_of(action.battle, target))
        faces = await _roll("to wound", count, score, group) if score else ()
        wounds = sum(face >= score for face in faces) if score else 0
        action.emit(WoundsScored(group.unit, target, gun.id, wounds, strength, gun.ap))
        if wounds:
            # [COVR-1, COVR-5] As the shots fly: nobody but the target's own models falls meanwhile.
            cover = None
            if not ignores_cover(gun):
                cover = Cover(action.battle, group.lines, group.unit, group.firing, target, gun.ap)
            pool.append(Wounds(gun.id, strength, gun.ap, wounds, group.within_reach, cover))
    return pool


def _roll(purpose: str, count: int, need: int, group: Group) -> Roll:
    return Roll(
        purpose,
        count,
        need=need,
        subject=group.unit,
        opponent=group.target,
        weapon=group.gun.id,
    )


def toughness_of(battle: Battle, unit: UnitId) -> int:
    """Return the Toughness of the majority of a unit's living models. [MTGH-1]"""
    setup = setup_of(battle, unit)
    return majority([profile_of(setup, m.n).toughness or 0 for m in unit_of(battle, unit).models])
