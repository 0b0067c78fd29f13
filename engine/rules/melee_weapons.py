"""Close combat weapons: what a model strikes with, and how often. [MELE, NOML, PCCW, MWPN, NATK]"""

from __future__ import annotations

from msgspec.structs import replace

from engine.rules.to_wound import weapon_strength
from events.base import UnitId
from events.values import UnitSetup, Weapon
from projections.battle import Battle
from projections.queries import model_setup, profile_of, setup_of, turn_of, weapon_of

CLOSE_COMBAT_WEAPON = Weapon("close-combat", 0, 0, None, "melee", strength_from="user+")
"""What a model without a melee weapon fights with: S User, AP -. [NOML-1]"""

NO_AP = 7
"""Sorts AP "-" after every other."""


def melee_weapons(setup: UnitSetup, n: int) -> list[Weapon]:
    """Return a model's melee weapons in roster order, then its pistols as such. [PCCW-1]"""
    carried = [weapon_of(setup, weapon) for weapon in model_setup(setup, n).weapons]
    known = [weapon for weapon in carried if weapon is not None]
    pistols = [replace(CLOSE_COMBAT_WEAPON, id=w.id) for w in known if w.type == "pistol"]
    return [weapon for weapon in known if weapon.type == "melee"] + pistols


def weapon_used(setup: UnitSetup, n: int) -> Weapon:
    """Return the one weapon a model strikes with: best AP, then Strength, then roster order.

    All its blows use it. [MELE-2]
    """
    weapons = melee_weapons(setup, n) or [CLOSE_COMBAT_WEAPON]
    profile = profile_of(setup, n)
    return min(
        weapons,
        key=lambda w: (NO_AP if w.ap is None else w.ap, -weapon_strength(w, profile)),
    )


def attacks_of(battle: Battle, unit: UnitId, n: int) -> int:
    """Return how many blows a model strikes; 0 without Attacks or Weapon Skill. [NATK-1, ZERO-2]

    One more if its unit charged this turn, in order [NATK-2, MDEC-5]; one more for two or more
    melee weapons. [NATK-3, MWPN-1, MWPN-3]
    """
    setup, turn = setup_of(battle, unit), turn_of(battle, unit)
    profile = profile_of(setup, n)
    if not profile.attacks or not profile.ws:
        return 0
    charged = turn.charged and not turn.disordered
    return profile.attacks + charged + (len(melee_weapons(setup, n)) > 1)
