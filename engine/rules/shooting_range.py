"""Who may fire what at whom: sight, range, number of shots. [LOS, SHRG, SHMD]

`lines` are the lines of sight from the firing unit to its target; given once, they serve all its
weapons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.board import discs_of, numbered
from engine.editions import edition_of
from engine.geometry import Disc
from engine.geometry.paths import culled, widest
from engine.rules.line_of_sight import Sightlines, sightlines
from engine.rules.special_rules import (
    CHARACTER,
    PRECISION_SHOTS,
    TWIN_LINKED,
    model_has,
    weapon_has,
)
from engine.rules.to_hit import SNAP_BS, shooting_needed
from engine.rules.to_wound import weapon_strength
from engine.rules.weapon_types import (
    FIRED,
    in_overwatch,
    may_fire,
    moved_models,
    only_snap_shots,
    reach_of,
    reaches,
    shots_of,
    snap_fires,
)
from events.base import UnitId
from events.values import UnitSetup, Weapon
from projections.battle import AssaultPhase, Battle, ShootingPhase
from projections.queries import bearers, profile_of, setup_of, unit_of, weapon_of


class Volley(NamedTuple):
    """Shots of a weapon group that hit and wound on the same scores. [THIT-4, WPOL-2]"""

    need: int
    again: int | None
    """Score of the re-roll of each miss: from BS 6 on, or twin-linked. [BSIX-1, BSIX-2]"""
    strength: int
    precise: bool
    """Its 6s are Precision Shots; never Snap Shots. [ALLO-5, SNAP-4]"""
    shots: int
    each: tuple[tuple[int, int], ...]
    """Number and shots of each model."""


def spent(battle: Battle, unit: UnitId) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the weapons and models that `unit` has fired in its shooting or Overwatch now."""
    phase = battle.phase
    if isinstance(phase, ShootingPhase) and phase.shooter == unit:
        return phase.weapons, phase.fired
    if isinstance(phase, AssaultPhase):
        return phase.overwatch_weapons, phase.overwatch_fired
    return (), ()


def armed(battle: Battle, unit: UnitId, weapon: str) -> tuple[int, ...]:
    """Return the models that could fire a weapon were the target near, in unit order.

    They carry it, have fired nothing yet and have Ballistic Skill; the weapon can be fired and
    wasn't selected before. [SHWP-1 to SHWP-3, ZERO-2, ORDN-2] One grenade a unit is thrown.
    [SHWP-4] What can't be snap fired stays silent where only Snap Shots may be fired. [SNAP-2]
    """
    setup = setup_of(battle, unit)
    gun = weapon_of(setup, weapon)
    weapons, fired = spent(battle, unit)
    if gun is None or gun.type not in FIRED or weapon in weapons:
        return ()
    if gun.grenade and any(w.grenade for w in setup.weapons if w.id in weapons):
        return ()
    ready = tuple(
        n
        for n in bearers(unit_of(battle, unit), setup, weapon)
        if n not in fired and profile_of(setup, n).bs
    )
    if snap_fires(gun):
        return ready
    moved, snap = moved_models(battle, unit), only_snap_shots(battle, unit)
    overwatch = in_overwatch(battle)
    return tuple(n for n in ready if may_fire(gun, n in moved, snap, overwatch))


def can_fire(
    battle: Battle, unit: UnitId, target: UnitId, weapon: str, lines: Sightlines | None = None
) -> tuple[int, ...]:
    """Return the numbers of the models that can fire a weapon at a target now. [SHMD-1, SHRG-2]

    In the Shooting phase and for Overwatch alike; what the unit has fired already stands in the
    phase. Empty where there is nobody. A few microseconds for a target far out of range. No
    template is placed in Overwatch: all that have one can use it. [OVWT-8, AMB-22]
    """
    ours, near = in_range(battle, unit, target, weapon)
    if not ours:
        return ()
    gun = _gun(battle, unit, weapon)
    if gun.template and in_overwatch(battle):
        return tuple(n for n, _ in ours)
    if not near:
        return ()
    if lines is None:
        lines = sightlines(battle, unit, target)
    moved = moved_models(battle, unit)
    return tuple(
        n for n, disc in ours if reaches(lines, disc, near, reach_of(gun, n in moved), gun.least)
    )


def in_range(
    battle: Battle, unit: UnitId, target: UnitId, weapon: str
) -> tuple[list[tuple[int, Disc]], list[Disc]]:
    """Return who could fire a weapon, and the target's models that may be in range of them."""
    ready = armed(battle, unit, weapon)
    if not ready:
        return [], []
    shooter = unit_of(battle, unit)
    ours = [(n, disc) for n, disc in numbered(battle, shooter) if n in ready]
    theirs = discs_of(battle, target)
    discs = [disc for _, disc in ours]
    room = _gun(battle, unit, weapon).range + widest(discs) + widest(theirs)
    return ours, [theirs[i] for i in culled(discs, room, theirs)]


def eligible(
    battle: Battle,
    unit: UnitId,
    target: UnitId,
    weapon: str,
    models: tuple[int, ...],
    lines: Sightlines,
) -> tuple[int, ...]:
    """Return the target's models that a firing model sees and reaches. [ALLO-3, ALLO-4]

    They stay so for the whole weapon group. [SHRG-3]
    """
    shooter, enemy = unit_of(battle, unit), unit_of(battle, target)
    gun, moved = _gun(battle, unit, weapon), moved_models(battle, unit)
    firing = [
        (disc, reach_of(gun, n in moved)) for n, disc in numbered(battle, shooter) if n in models
    ]
    return tuple(
        n
        for n, disc in numbered(battle, enemy)
        if any(reaches(lines, one, (disc,), reach, gun.least) for one, reach in firing)
    )


def volleys(
    battle: Battle,
    unit: UnitId,
    target: UnitId,
    weapon: str,
    models: tuple[int, ...],
    snap: bool,
    lines: Sightlines,
    rolled: Mapping[int, int],
) -> tuple[list[Volley], bool]:
    """Return what a weapon group rolls, and whether all of it are Snap Shots. [THIT-3, THIT-4]

    `rolled` is how often each model fires where that is rolled. Models in unit order; those that
    hit and wound on the same scores roll together, in the order of their first. A model that moved
    fires a Heavy weapon as Snap Shots. [HEVY-2, MVSH-1] The re-roll of a twin-linked weapon needs
    what the shot did, from BS 6 on the better. [BSIX-2, RERL-4, SNAP-3]
    """
    shooter, setup = unit_of(battle, unit), setup_of(battle, unit)
    gun = _gun(battle, unit, weapon)
    snap = snap or only_snap_shots(battle, unit)
    moved = moved_models(battle, unit)
    heavy, twin = gun.type == "heavy", weapon_has(gun, TWIN_LINKED)
    theirs = discs_of(battle, target)
    found: list[Volley] = []
    for model, disc in zip(shooter.models, discs_of(battle, shooter), strict=True):
        if model.n not in models:
            continue
        profile = profile_of(setup, model.n)
        snaps = snap or (heavy and model.n in moved)
        need, again = shooting_needed(SNAP_BS if snaps else profile.bs or 0)
        alike = (
            need,
            need if twin else again,
            weapon_strength(gun, profile),
            not snaps and is_precise(battle, gun, setup, model.n),
        )
        shots = rolled.get(model.n) or shots_of(lines, gun, disc, theirs, model.n in moved)
        for i, volley in enumerate(found):
            if volley[:4] == alike:
                each = (*volley.each, (model.n, shots))
                found[i] = volley._replace(shots=volley.shots + shots, each=each)
                break
        else:
            found.append(Volley(*alike, shots, ((model.n, shots),)))
    return found, snap or (heavy and all(n in moved for n in models))


def is_precise(battle: Battle, gun: Weapon, setup: UnitSetup, n: int) -> bool:
    """Whether a model's 6s with a weapon are Precision Shots. [ALLO-5]"""
    if not gun.rules and not setup.not_applied and not setup.models[n - 1].rules:
        return False
    character = edition_of(battle).characters_shoot_precisely and model_has(setup, n, CHARACTER)
    return character or weapon_has(gun, PRECISION_SHOTS) or model_has(setup, n, PRECISION_SHOTS)


def _gun(battle: Battle, unit: UnitId, weapon: str) -> Weapon:
    gun = weapon_of(setup_of(battle, unit), weapon)
    assert gun is not None
    return gun
