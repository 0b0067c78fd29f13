"""Close combat weapons: what a model strikes with, and how often. [MELE, NOML, PCCW, MWPN, NATK]"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from engine.rules.special_rules import (
    ASSAULT_GRENADES,
    SPECIALIST,
    TWO_HANDED,
    UNWIELDY,
    applied,
    model_has,
    weapon_has,
)
from engine.rules.to_wound import weapon_strength
from events.base import UnitId
from events.values import Profile, UnitSetup, Weapon
from projections.battle import AssaultPhase, Battle, UnitTurn
from projections.queries import model_setup, profile_of, setup_of, turn_of, weapon_of

CLOSE_COMBAT_WEAPON = Weapon("close-combat", 0, 0, None, "melee", strength_from="user+")
"""What a model without a melee weapon fights with: S User, AP -. [NOML-1]"""

NO_AP = 7
"""Sorts AP "-" after every other."""

LAST_STEP = 1
"""The Initiative step of unwieldy weapons and of charges through difficult terrain."""


def melee_weapons(setup: UnitSetup, n: int) -> list[Weapon]:
    """Return a model's melee weapons in roster order, then its pistols as such. [PCCW-1]

    Ranged weapons do nothing in a combat. [MELE-3, FITE-2]
    """
    carried = [weapon_of(setup, weapon) for weapon in model_setup(setup, n).weapons]
    known = [weapon for weapon in carried if weapon is not None]
    pistols = [replace(CLOSE_COMBAT_WEAPON, id=w.id) for w in known if w.type == "pistol"]
    return [weapon for weapon in known if weapon.type == "melee"] + pistols


class Blow(NamedTuple):
    """How a model strikes with one of its weapons: what tells two weapons apart. [MELE-2]"""

    step: int
    strength: int
    ap: int | None
    attacks: int
    rules: tuple[str, ...]


def blow_with(battle: Battle, unit: UnitId, n: int, weapon: Weapon) -> Blow:
    """Return how a model would strike with a weapon in this combat."""
    setup, turn = setup_of(battle, unit), turn_of(battle, unit)
    profile = profile_of(setup, n)
    return Blow(
        step_with(setup, n, profile, weapon, turn),
        weapon_strength(weapon, profile),
        weapon.ap,
        attacks_with(setup, n, weapon, turn),
        tuple(rule for rule in weapon.rules if applied(rule)),
    )


_Options = dict[tuple[UnitId, int, bool, bool, bool, bool], dict[str, Weapon]]
_known: tuple[tuple[UnitSetup, ...], _Options] = ((), {})
"""The setups last asked about, which never change, and the options of their models: they hang on
nothing else but what the unit did this turn. Replaced whole, so that a thread sees either pair."""


def options(battle: Battle, unit: UnitId, n: int) -> dict[str, Weapon]:
    """Return the weapons a model can choose from by id, one of those alike; the best first.

    Best is lowest AP, then Strength, then roster order. One that can't strike has no choice.
    """
    global _known
    setups, known = _known
    if setups is not battle.setups:
        known = {}
        _known = battle.setups, known
    turn = turn_of(battle, unit)
    asked = unit, n, turn.at_step_one, turn.charged, turn.disordered, turn.denied
    if asked not in known:
        known[asked] = _options(battle, unit, n)
    return known[asked]


def _options(battle: Battle, unit: UnitId, n: int) -> dict[str, Weapon]:
    setup = setup_of(battle, unit)
    weapons = melee_weapons(setup, n)
    if len(weapons) < 2:
        return {weapon.id: weapon for weapon in weapons or [CLOSE_COMBAT_WEAPON]}
    profile = profile_of(setup, n)
    weapons.sort(key=lambda w: (w.ap or NO_AP, -weapon_strength(w, profile)))
    if not profile.attacks or not profile.ws:
        return {weapons[0].id: weapons[0]}
    found: dict[Blow, Weapon] = {}
    for weapon in weapons:
        found.setdefault(blow_with(battle, unit, n, weapon), weapon)
    return {weapon.id: weapon for weapon in found.values()}


def weapon_used(battle: Battle, unit: UnitId, n: int) -> Weapon:
    """Return the one weapon a model strikes with: the chosen one, or the best. [MELE-2]"""
    chosen = chosen_weapon(battle, unit, n)
    weapons = options(battle, unit, n)
    return weapons[chosen] if chosen in weapons else next(iter(weapons.values()))


def chosen_weapon(battle: Battle, unit: UnitId, n: int) -> str:
    """Return the id of the weapon that was chosen for a model in this combat, or ""."""
    phase = battle.phase
    if isinstance(phase, AssaultPhase) and phase.combat is not None:
        for armed in phase.combat.armed:
            if armed.unit == unit and n in armed.models:
                return armed.weapon
    return ""


def step_with(setup: UnitSetup, n: int, profile: Profile, weapon: Weapon, turn: UnitTurn) -> int:
    """Return the step at which a model strikes; 0 for one without Initiative. [ISTP-2, AMB-2]

    An unwieldy weapon strikes at step 1 [ISTP-4], and so do all after a charge through difficult
    terrain, whatever else changes their Initiative [CDIF-3, CMOD-5], but for bearers of assault
    grenades [CDIF-8].
    """
    if not profile.initiative:
        return 0
    if turn.at_step_one and not model_has(setup, n, *ASSAULT_GRENADES):
        return LAST_STEP
    return LAST_STEP if weapon_has(weapon, UNWIELDY) else profile.initiative


def strikes_in_turn(setup: UnitSetup, turn: UnitTurn) -> bool:
    """Whether nothing changes the step of any of a unit's models, whatever weapon they use."""
    return not turn.at_step_one and not any(weapon_has(w, UNWIELDY) for w in setup.weapons)


def attacks_with(setup: UnitSetup, n: int, weapon: Weapon, turn: UnitTurn) -> int:
    """Return how many blows a model strikes; 0 without Attacks or Weapon Skill. [NATK-1, ZERO-2]

    One more if its unit charged this turn, in order [NATK-2, MDEC-5] and not met by defensive
    grenades [NATK-4]; one more for two or more melee weapons. [NATK-3, MWPN-1, MWPN-3]
    """
    profile = profile_of(setup, n)
    if not profile.attacks or not profile.ws:
        return 0
    charged = turn.charged and not turn.disordered and not turn.denied
    return profile.attacks + charged + has_two(setup, n, weapon)


def has_two(setup: UnitSetup, n: int, weapon: Weapon) -> bool:
    """Whether a model striking with a weapon has the attack for two of them. [MWPN-1, MWPN-2]

    With a Specialist Weapon only if it carries a second such, with a Two-Handed one never; with
    another it counts those, too. The imaginary close combat weapon is none. [NOML-2, PCCW-2]
    """
    carried = melee_weapons(setup, n)
    if weapon_has(weapon, TWO_HANDED):
        return False
    if weapon_has(weapon, SPECIALIST):
        carried = [other for other in carried if weapon_has(other, SPECIALIST)]
    return len(carried) > 1
