"""Who may fire what at whom: sight, range, number of shots. [LOS, SHRG, SHMD, weapon types]

`lines` are the lines of sight from the firing unit to its target; given once, they serve all its
weapons.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.board import disc_of, discs_of
from engine.geometry import Disc, within
from engine.geometry.paths import culled, widest
from engine.rules.line_of_sight import Sightlines, sightlines
from engine.rules.to_hit import SNAP_BS, shooting_needed
from engine.rules.to_wound import weapon_strength
from events.base import UnitId
from events.values import Weapon
from projections.battle import AssaultPhase, Battle, ShootingPhase, Unit
from projections.queries import bearers, profile_of, setup_of, turn_of, unit_of, weapon_of

FIRED = ("assault", "heavy", "rapid_fire", "pistol")
"""Weapon types that can be fired; melee weapons can't, others aren't played. [MELE-1]"""


class Volley(NamedTuple):
    """Shots of a weapon group that hit and wound on the same scores. [THIT-4, WPOL-2]"""

    need: int
    again: int | None
    """Score of the re-roll of each miss, from BS 6 on. [BSIX-1]"""
    strength: int
    shots: int


def reaches(lines: Sightlines, shooter: Disc, targets: list[Disc], mils: int) -> bool:
    """Whether a visible target model is within `mils` of the shooter. [SHRG-1, WRNG-2]"""
    return any(within(shooter, target, mils) and lines.sees(shooter, target) for target in targets)


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
    wasn't selected before. [SHWP-1 to SHWP-3, ZERO-2]
    """
    setup = setup_of(battle, unit)
    gun = weapon_of(setup, weapon)
    weapons, fired = spent(battle, unit)
    if gun is None or gun.type not in FIRED or weapon in weapons:
        return ()
    return tuple(
        n
        for n in bearers(unit_of(battle, unit), setup, weapon)
        if n not in fired and profile_of(setup, n).bs
    )


def can_fire(
    battle: Battle, unit: UnitId, target: UnitId, weapon: str, lines: Sightlines | None = None
) -> tuple[int, ...]:
    """Return the numbers of the models that can fire a weapon at a target now. [SHMD-1, SHRG-2]

    In the Shooting phase and for Overwatch alike; what the unit has fired already stands in the
    phase. Empty where there is nobody. A few microseconds for a target far out of range.
    """
    ours, near = in_range(battle, unit, target, weapon)
    if not near:
        return ()
    if lines is None:
        lines = sightlines(battle, unit, target)
    mils = _gun(battle, unit, weapon).range
    return tuple(n for n, disc in ours if reaches(lines, disc, near, mils))


def in_range(
    battle: Battle, unit: UnitId, target: UnitId, weapon: str
) -> tuple[list[tuple[int, Disc]], list[Disc]]:
    """Return who could fire a weapon, and the target's models that may be in range of them."""
    ready = armed(battle, unit, weapon)
    if not ready:
        return [], []
    shooter = unit_of(battle, unit)
    ours = [(m.n, disc_of(battle, shooter, m)) for m in shooter.models if m.n in ready]
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
    reach = _gun(battle, unit, weapon).range
    firing = [disc_of(battle, shooter, m) for m in shooter.models if m.n in models]
    theirs = [(m.n, disc_of(battle, enemy, m)) for m in enemy.models]
    return tuple(n for n, disc in theirs if any(reaches(lines, f, [disc], reach) for f in firing))


def shots_of(lines: Sightlines, weapon: Weapon, shooter: Disc, targets: list[Disc]) -> int:
    """Return how often a model fires. [THIT-2, ASLT-1, HEVY-1, PIST-1, RPFR-1, RPFR-2]

    Half range is exact: ranges are whole inches. [AMB-15]
    """
    if weapon.type == "rapid_fire":
        return 2 if reaches(lines, shooter, targets, weapon.range // 2) else 1
    return 1 if weapon.type == "pistol" else weapon.shots


def only_snap_shots(battle: Battle, unit: Unit) -> bool:
    """Whether a unit may fire only Snap Shots. [SHNM-2, RGRP-2, GTG-3]

    It falls back, has Gone to Ground or Regrouped this turn.
    """
    return unit.falling_back or unit.gone_to_ground or turn_of(battle, unit.id).regrouped


def volleys(
    battle: Battle,
    unit: UnitId,
    target: UnitId,
    weapon: str,
    models: tuple[int, ...],
    snap: bool,
    lines: Sightlines,
) -> tuple[list[Volley], bool]:
    """Return what a weapon group rolls, and whether all of it are Snap Shots. [THIT-3, THIT-4]

    Models in unit order; those that hit and wound on the same scores roll together, in the order
    of their first. A model that moved fires a Heavy weapon as Snap Shots. [HEVY-2, MVSH-1]
    """
    shooter, setup = unit_of(battle, unit), setup_of(battle, unit)
    gun = _gun(battle, unit, weapon)
    snap = snap or only_snap_shots(battle, shooter)
    moved = turn_of(battle, unit).moved if gun.type == "heavy" else ()
    theirs = discs_of(battle, target)
    found: list[Volley] = []
    for model in shooter.models:
        if model.n not in models:
            continue
        profile = profile_of(setup, model.n)
        bs = SNAP_BS if snap or model.n in moved else profile.bs or 0
        need, again = shooting_needed(bs)
        strength = weapon_strength(gun, profile)
        shots = shots_of(lines, gun, disc_of(battle, shooter, model), theirs)
        for i, volley in enumerate(found):
            if volley[:3] == (need, again, strength):
                found[i] = volley._replace(shots=volley.shots + shots)
                break
        else:
            found.append(Volley(need, again, strength, shots))
    return found, snap or all(n in moved for n in models)


def _gun(battle: Battle, unit: UnitId, weapon: str) -> Weapon:
    gun = weapon_of(setup_of(battle, unit), weapon)
    assert gun is not None
    return gun
