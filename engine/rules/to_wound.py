"""Rolling To Wound: Strength against Toughness. [TWND, MTGH, WPRF-2]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from engine.characteristics import Modifier, modified
from events.values import Profile, Weapon


def wound_needed(strength: int, toughness: int) -> int | None:
    """Return the score that wounds, or None where nothing does: no dice then. [TWND-1, TWND-2]

    Strength 0 harms nobody. [ZERO-1] A 1 never wounds. [TWND-3, DMOD-3]

    >>> [wound_needed(4, toughness) for toughness in (2, 4, 6, 7, 8)]
    [2, 4, 6, 6, None]
    """
    over = toughness - strength
    if strength < 1 or over >= 4:
        return None
    return min(6, max(2, 4 + over))


def weapon_strength(weapon: Weapon, profile: Profile) -> int:
    """Return the Strength of a weapon in the hands of its bearer, 0 to 10. [WPRF-2, CMOD-1, CMOD-3]

    >>> fist = Weapon("fist", 0, 2, 2, "melee", strength_from="user*")
    >>> weapon_strength(fist, Profile("sergeant", 4, 4, 4, 4, 1, 4, 2, 9))
    8
    """
    if weapon.strength_from == "fixed":
        return weapon.strength
    how: Literal["times", "add"] = "times" if weapon.strength_from == "user*" else "add"
    return modified("strength", profile.strength or 0, (Modifier(how, weapon.strength),))


def majority(values: Sequence[int]) -> int:
    """Return the most frequent value, the highest of them on a tie. [MTGH-1, MHIT-2, SWEP-3]

    `values` may not be empty.

    >>> majority([4, 4, 5, 5]), majority([4, 4, 5])
    (5, 4)
    """
    return max(values, key=lambda value: (values.count(value), value))
