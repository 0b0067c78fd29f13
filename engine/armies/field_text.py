"""The number fields written back: the inverse of the grammars in `fields` and `weapon_types`."""

from __future__ import annotations

from engine.armies.fields import MILS, UNLIMITED
from engine.rules.weapon_types import BLASTS
from events.values import Profile, Weapon, WeaponType

CHARACTERISTICS: tuple[tuple[str, str], ...] = (
    ("WS", "ws"),
    ("BS", "bs"),
    ("S", "strength"),
    ("T", "toughness"),
    ("W", "wounds"),
    ("I", "initiative"),
    ("A", "attacks"),
    ("Ld", "leadership"),
)
"""Columns of a stat line as printed, and the fields of `Profile` that hold them. [PROF-1]"""

CLASSES: dict[WeaponType, str] = {
    "assault": "Assault",
    "heavy": "Heavy",
    "rapid_fire": "Rapid Fire",
    "pistol": "Pistol",
    "salvo": "Salvo",
    "ordnance": "Ordnance",
    "primary": "Primary Weapon",
    "bomb": "Bomb",
    "melee": "Melee",
    "other": "Other",
}
"""Kinds of weapon as printed."""


def save_text(profile: Profile) -> str:
    """Return both saves as one field, "" for neither.

    >>> save_text(Profile("knight", *[4] * 8, save=3, invulnerable=4))
    '3+/4++'
    """
    armour = f"{profile.save}+" if profile.save else ""
    if profile.invulnerable is None:
        return armour
    return f"{armour or '-'}/{profile.invulnerable}++"


def inches(mils: int) -> str:
    """Return a length in inches without a mark, no digit more than needed.

    >>> inches(24000), inches(7500)
    ('24', '7.5')
    """
    whole, part = divmod(mils, MILS)
    return f"{whole}.{part:03}".rstrip("0") if part else str(whole)


def range_text(weapon: Weapon) -> str:
    """Return a weapon's range in inches without a mark, "Unlimited", or "-" for none.

    With a least range both, "12-48"; "Template" for one that uses it. [WRNG-1]
    """
    if weapon.range >= UNLIMITED:
        return "Unlimited"
    if weapon.template:
        return "Template"
    reach = inches(weapon.range) if weapon.range else "-"
    return f"{inches(weapon.least)}-{reach}" if weapon.least else reach


def strength_text(weapon: Weapon) -> str:
    """Return a weapon's Strength: a number, "User", "+2", "x2", or "-" for none. [WPRF-2]"""
    if weapon.strength_from == "user*":
        return f"x{weapon.strength}"
    if weapon.strength_from == "user+":
        return f"+{weapon.strength}" if weapon.strength else "User"
    return str(weapon.strength) if weapon.strength else "-"


def ap_text(weapon: Weapon) -> str:
    """Return a weapon's AP: a number, or "-" for none."""
    return "-" if weapon.ap is None else str(weapon.ap)


def class_text(weapon: Weapon) -> str:
    """Return a weapon's class, shots and marker, e.g. "Salvo 2/4", "Assault 1, Blast"."""
    words = CLASSES[weapon.type]
    if weapon.type == "salvo":
        words += f" {weapon.shots_moved}/{weapon.shots}"
    elif weapon.shots_die:
        words += f" {weapon.shots if weapon.shots != 1 else ''}D{weapon.shots_die}"
    elif weapon.type in ("assault", "heavy", "ordnance", "primary", "bomb") or weapon.shots != 1:
        words += f" {weapon.shots}"
    names = [name.title() for name, size in BLASTS.items() if size == weapon.blast]
    if weapon.blast:
        words += f", {names[0]}" if names else f', {inches(weapon.blast)}" Blast'
    return words + ", Grenade" * weapon.grenade


def points_text(hundredths: int) -> str:
    """Return a cost as people write it.

    >>> points_text(1200), points_text(-50)
    ('12', '-0.50')
    """
    sign, (whole, part) = "-" * (hundredths < 0), divmod(abs(hundredths), 100)
    return f"{sign}{whole}.{part:02}" if part else f"{sign}{whole}"
