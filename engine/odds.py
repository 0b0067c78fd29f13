"""Rough odds that bots weigh their choices by: expected unsaved Wounds, in whole 216ths.

Estimates, not rules: no cover, no modifiers, every model counted as in range. A shot's chance is
the product of three dice (to hit, to wound, save), so sixths times sixths times sixths.
"""

from __future__ import annotations

from events.base import UnitId
from events.values import Profile, Weapon
from projections.battle import Battle, Unit
from projections.queries import bearers, profile_of, setup_of, weapon_of

WHOLE = 216
"""What one certain Wound counts."""

MARKED = 4
"""In sixths, how much of what could lie under a marker or template does."""


def hit_sixths(bs: int | None) -> int:
    """Return how many faces of a D6 hit at a Ballistic Skill."""
    return min(bs or 0, 5)


def melee_sixths(ws: int | None, against: int | None) -> int:
    """Return how many faces of a D6 hit in close combat."""
    if not ws:
        return 0
    theirs = against or 0
    return 4 if ws > theirs else 2 if theirs > 2 * ws else 3


def wound_sixths(strength: int, toughness: int | None) -> int:
    """Return how many faces of a D6 wound; 0 where the Toughness is far too high.

    >>> [wound_sixths(4, toughness) for toughness in (2, 4, 5, 7, 8)]
    [5, 3, 2, 1, 0]
    """
    over = strength - (toughness or 0)
    return 0 if over < -3 else max(1, min(5, 3 + over))


def unsaved_sixths(ap: int | None, target: Profile) -> int:
    """Return how many faces of a D6 fail the better of the saves that this AP leaves."""
    armour = target.save if target.save and (ap is None or ap > target.save) else 7
    return min(armour, target.invulnerable or 7) - 1


def typical(battle: Battle, unit: Unit) -> Profile:
    """Return the stat line of a unit's last model, one of its plain ones as a rule."""
    return profile_of(setup_of(battle, unit.id), unit.models[-1].n)


def strength_of(weapon: Weapon, bearer: Profile) -> int:
    """Return the Strength a weapon strikes or shoots with. [WPRF-1]"""
    if weapon.strength_from == "fixed":
        return weapon.strength
    own = bearer.strength or 0
    return own + weapon.strength if weapon.strength_from == "user+" else own * weapon.strength


def shots_at(battle: Battle, unit: Unit, weapon_id: str, target: Unit, near: bool) -> int:
    """Return the Wounds a weapon group may be expected to inflict, in 216ths.

    `near` doubles the shots of a Rapid Fire weapon. Never more than the target has models.
    """
    setup = setup_of(battle, unit.id)
    weapon = weapon_of(setup, weapon_id)
    firing = bearers(unit, setup, weapon_id)
    if weapon is None or not weapon.range or not firing:
        return 0
    bearer, facing = profile_of(setup, firing[0]), typical(battle, target)
    shots = len(firing) * weapon.shots * (2 if near and weapon.type == "rapid_fire" else 1)
    if weapon.shots_die:
        shots = shots * (weapon.shots_die + 1) // 2
    hits = hit_sixths(bearer.bs)
    if weapon.grenade:
        shots = weapon.shots
    if weapon.blast or weapon.template:
        shots *= min(len(target.models), 1 + weapon.blast // 2000 if weapon.blast else 3)
        hits = MARKED
    chance = hits * wound_sixths(strength_of(weapon, bearer), facing.toughness)
    return min(shots * chance * unsaved_sixths(weapon.ap, facing), WHOLE * len(target.models))


def best_gun(battle: Battle, unit: Unit, target: Unit) -> tuple[int, int]:
    """Return the most Wounds of a single weapon group, in 216ths, and that weapon's range."""
    best = (0, 0)
    for weapon in setup_of(battle, unit.id).weapons:
        if weapon.type not in ("melee", "bomb", "other"):
            best = max(best, (shots_at(battle, unit, weapon.id, target, False), weapon.range))
    return best


def blow_chance(weapon: Weapon | None, bearer: Profile, facing: Profile) -> int:
    """Return how likely a hit with a weapon (None: with bare hands) costs a Wound, in 36ths."""
    strength = bearer.strength or 0 if weapon is None else strength_of(weapon, bearer)
    ap = None if weapon is None else weapon.ap
    return wound_sixths(strength, facing.toughness) * unsaved_sixths(ap, facing)


def blows_at(battle: Battle, unit: Unit, target: Unit) -> int:
    """Return the Wounds a unit's blows may be expected to inflict, in 216ths: best weapon each."""
    setup, facing = setup_of(battle, unit.id), typical(battle, target)
    total = 0
    for model in unit.models:
        bearer = profile_of(setup, model.n)
        own = (weapon_of(setup, name) for name in setup.models[model.n - 1].weapons)
        melee = [w for w in own if w is not None and not w.range]
        chance = max(blow_chance(weapon, bearer, facing) for weapon in (*melee, None))
        total += (bearer.attacks or 0) * melee_sixths(bearer.ws, facing.ws) * chance
    return min(total, WHOLE * len(target.models))


def prefers_combat(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a unit does more harm with its blows than with its best gun."""
    return blows_at(battle, unit, target) > best_gun(battle, unit, target)[0]


def plainness(battle: Battle, unit: UnitId, n: int) -> int:
    """Return how many models of a unit's muster are equipped as this one: the plain ones most."""
    setups = setup_of(battle, unit).models
    model = setups[n - 1]
    return sum(m.profile == model.profile and m.weapons == model.weapons for m in setups)
