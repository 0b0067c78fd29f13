"""Firing weapon groups: To Hit, To Wound, Going to Ground, allocation and saves. [SHSQ-1, SHSQ-2]

The same for the Shooting phase and for Overwatch [OVWT-2]; in the 6th edition for all weapons of a
unit at once [SHSQ-4, WPOL-4].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.ask import Roll
from engine.characteristics import d3
from engine.rules.allocation import Wounds, allocate_pool
from engine.rules.cover import Cover, ignores_cover
from engine.rules.going_to_ground import offer_ground
from engine.rules.line_of_sight import Sightlines, sightlines
from engine.rules.markers import marker_hits, overwatch_hits
from engine.rules.shooting_range import Volley, can_fire, eligible, volleys
from engine.rules.special_rules import PINNING, TWIN_LINKED, weapon_has
from engine.rules.to_hit import PRECISE
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
    battle: Battle
    """As it was when the group fired: who is in sight and range is judged by it. [SHRG-3]"""
    volleys: list[Volley]
    lines: Sightlines
    overwatch: bool


class Hits(NamedTuple):
    """Hits of a group on one unit that wound alike. [WPOL-2]"""

    group: Group
    target: UnitId
    strength: int
    precise: bool
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
    await resolve(action, [await declare(action, unit, target, weapon, models, snap, overwatch)])


async def declare(
    action: Action,
    unit: UnitId,
    target: UnitId,
    weapon: str,
    models: tuple[int, ...] = (),
    snap: bool = False,
    overwatch: bool = False,
) -> Group:
    """Say which models fire a weapon; range and sight are judged now. [SHRG-2, SHMD-1, SHMD-2]

    Of a grenade's bearers one throws it, the first if none is named. [SHWP-4] Where the number of
    shots is rolled each model rolls for itself. [THIT-2, DMOD-1]
    """
    battle = action.battle
    gun = weapon_of(setup_of(battle, unit), weapon)
    assert gun is not None
    lines = sightlines(battle, unit, target)
    able = can_fire(battle, unit, target, weapon, lines)
    firing = tuple(n for n in able if not models or n in models)
    if gun.grenade:
        firing = firing[:1]
    rolled: dict[int, int] = {}
    for n in firing if gun.shots_die else ():
        faces = await Roll(
            "number of shots", gun.shots, subject=unit, opponent=target, weapon=weapon
        )
        rolled[n] = sum(d3(face) if gun.shots_die == 3 else face for face in faces)
    snap = snap or overwatch
    groups, snapped = volleys(battle, unit, target, weapon, firing, snap, lines, rolled)
    shots = sum(group.shots for group in groups)
    snapped = snapped and not gun.template
    action.emit(WeaponFired(unit, target, weapon, gun.type, firing, shots, snapped, overwatch))
    return Group(unit, target, gun, firing, battle, groups, lines, overwatch)


async def resolve(action: Action, groups: Sequence[Group]) -> None:
    """Roll To Hit for weapon groups, then see each unit they hit through. [SHSQ-1, SHSQ-4]

    The firing unit, where its own marker came back, is last.
    """
    unit, overwatch = groups[0].unit, groups[0].overwatch
    cause: Cause = "overwatch" if overwatch else "shooting"
    hits: list[Hits] = []
    for group in groups:
        marked = group.gun.blast or group.gun.template
        hits += await (place_markers if marked else roll_to_hit)(action, group)
    targets = dict.fromkeys(hit.target for hit in hits)
    for target in sorted(targets, key=lambda target: target == unit):
        pool = await roll_to_wound(action, [hit for hit in hits if hit.target == target])
        if pool:
            if not overwatch:  # [AMB-13]
                await offer_ground(action, unit, target, pool)
            await allocate_pool(action, unit, target, pool, cause)


async def roll_to_hit(action: Action, group: Group) -> list[Hits]:
    """Roll To Hit; return the hits that wound alike together. [THIT-1, THIT-3, THIT-4]

    A miss is rolled again once where a rule allows it, and there is never a reason not to.
    [BSIX-1, RERL-1, RERL-2] The 6s of those who fire Precision Shots are hits apart. [ALLO-5]
    """
    hits: dict[tuple[int, bool], int] = {}
    for volley in group.volleys:
        need, again = volley.need, volley.again
        faces = await _roll("to hit", volley.shots, need, group)
        scored = [face for face in faces if face >= need]
        if again is not None:
            faces = await _roll("to hit re-roll", volley.shots - len(scored), again, group)
            scored += [face for face in faces if face >= again]
        precise = scored.count(PRECISE) if volley.precise else 0
        for kind, count in ((False, len(scored) - precise), (True, precise)):
            key = volley.strength, kind
            hits[key] = hits.get(key, 0) + count
    action.emit(HitsScored(group.unit, group.target, group.gun.id, sum(hits.values())))
    return [Hits(group, group.target, *key, scored) for key, scored in hits.items() if scored]


async def place_markers(action: Action, group: Group) -> list[Hits]:
    """Fire blasts and templates, shot by shot; return the hits, the target's first. [APOC-3]

    In Overwatch a template inflicts D3 hits and isn't placed. [OVWT-8]
    """
    hits: dict[tuple[UnitId, int], int] = {}
    for volley in group.volleys:
        for n, shots in volley.each:
            for _ in range(shots):
                if group.overwatch:
                    d3 = await overwatch_hits(action, group.unit, group.target, group.gun)
                    found = {group.target: d3}
                else:
                    found = await marker_hits(action, group.unit, n, group.target, group.gun)
                for unit, count in found.items():
                    key = unit, volley.strength
                    hits[key] = hits.get(key, 0) + count
    units = dict.fromkeys((group.target, *(unit for unit, _ in hits)))
    for unit in units:
        count = sum(scored for (hit, _), scored in hits.items() if hit == unit)
        action.emit(HitsScored(group.unit, unit, group.gun.id, count))
    return [Hits(group, unit, strength, False, n) for (unit, strength), n in hits.items() if n]


async def roll_to_wound(action: Action, hits: Sequence[Hits]) -> list[Wounds]:
    """Roll To Wound for all hits on one unit; return the wound pool. [TWND-1, WPOL-1, WPOL-4]

    Toughness is the majority's, for the whole weapon group. [MTGH-1, MTGH-2] Where no score
    wounds no die is rolled. [TWND-4] Who may take the Wounds is looked for once there is one.
    """
    pool: list[Wounds] = []
    everyone: dict[int, None] = {}
    for hit in hits:
        group, gun = hit.group, hit.group.gun
        score = wound_needed(hit.strength, toughness_of(action.battle, hit.target))
        wounds = await _wounds(hit, score) if score else 0
        action.emit(WoundsScored(group.unit, hit.target, gun.id, wounds, hit.strength, gun.ap))
        if wounds:
            everyone = everyone or dict.fromkeys(
                n for hit in hits for n in _eligible(action.battle, hit)
            )
            cover = None if ignores_cover(gun) else cover_from(action.battle, group, hit.target)
            pool.append(
                Wounds(
                    gun.id,
                    hit.strength,
                    gun.ap,
                    wounds,
                    tuple(everyone),
                    cover,
                    hit.precise,
                    weapon_has(gun, PINNING),
                )
            )
    return pool


async def _wounds(hit: Hits, score: int) -> int:
    """Roll To Wound; a twin-linked template, which rolls no To Hit, rolls failures again."""
    faces = await _roll("to wound", hit.scored, score, hit.group, hit.target)
    wounds = sum(face >= score for face in faces)
    gun = hit.group.gun
    if gun.template and weapon_has(gun, TWIN_LINKED):
        failed = hit.scored - wounds
        faces = await _roll("to wound re-roll", failed, score, hit.group, hit.target)
        wounds += sum(face >= score for face in faces)
    return wounds


def _eligible(battle: Battle, hit: Hits) -> tuple[int, ...]:
    """Return who may take the Wounds of hits: of markers everybody in the unit. [ALLO-6, ALLO-3]"""
    if hit.group.gun.blast or hit.group.gun.template:
        return tuple(model.n for model in unit_of(battle, hit.target).models)
    group = hit.group
    return eligible(group.battle, group.unit, group.target, group.gun.id, group.firing, group.lines)


def cover_from(battle: Battle, group: Group, target: UnitId) -> Cover:
    """Return a hit unit's cover from a weapon group. [COVR-1, COVR-5]

    As the shots fly: nobody but the target's own models falls meanwhile. A unit that its own marker
    hits has nothing between.
    """
    lines = group.lines
    if target == group.unit:
        lines = Sightlines([], [])
    elif target != group.target:
        lines = sightlines(battle, group.unit, target)
    return Cover(battle, lines, group.unit, group.firing, target, group.gun.ap)


def _roll(purpose: str, count: int, need: int, group: Group, target: UnitId = "") -> Roll:
    return Roll(
        purpose,
        count,
        need=need,
        subject=group.unit,
        opponent=target or group.target,
        weapon=group.gun.id,
    )


def toughness_of(battle: Battle, unit: UnitId) -> int:
    """Return the Toughness of the majority of a unit's living models. [MTGH-1]"""
    setup = setup_of(battle, unit)
    return majority([profile_of(setup, m.n).toughness or 0 for m in unit_of(battle, unit).models])
