"""Weapons as players write them: ``24 4 5 rapid fire``, ``template 4 5 assault 1``.

Range is inches, a pair such as ``12-48`` where there is a minimum, ``template``, or ``-`` for
melee. Strength is a number, ``user``, ``+1`` or ``x2``. A number after the type is the count of
shots, for Salvo a pair, moved first, or dice such as 2d6. After commas follow a blast marker,
``grenade`` and special rules by name.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from engine.geometry.markers import TEMPLATE
from engine.notation import to_inches, to_mils
from engine.rules.weapon_types import BLASTS, blast_size
from engine.scenarios.documents import Entry
from events.values import Weapon, WeaponType

_RIGHT = "a weapon: range S AP type, such as 24 4 5 rapid fire, or - user - melee"
_TYPES: dict[str, WeaponType] = {name.replace("_", " "): name for name in get_args(WeaponType)}
_STRENGTH = re.compile(r"(user|\+|x)?([0-9]{1,2})?")
_NUMBER = re.compile(r"[0-9]{1,3}")
_SHOTS = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,3})")
_DICE = re.compile(r"([0-9]{0,2})d([36])", re.IGNORECASE)


def read_weapon(name: str, entry: Entry) -> Weapon:
    """Return a weapon from its line. Raises ScenarioError naming file and line.

    >>> from engine.scenarios.documents import read_document
    >>> entry = read_document(b"gun: 30 5 4 salvo 2/4, Twin-linked", "x").named()["gun"]
    >>> write_weapon(read_weapon("gun", entry))
    '30 5 4 salvo 2/4, Twin-linked'
    """
    line, *more = [part.strip() for part in entry.text().split(",")]
    words = line.split()
    if len(words) < 4:
        entry.refuse(_RIGHT)
    reach, strength, ap, *kind = words
    counted, dice = _SHOTS.fullmatch(kind[-1]), _DICE.fullmatch(kind[-1])
    moved, shots = (counted[1], counted[2]) if counted else (None, "1")
    if counted or dice:
        kind.pop()
    if dice:
        shots = dice[1] or "1"
    type_ = _TYPES.get(" ".join(kind).lower().replace("_", " "))
    least, _, most = reach.removesuffix('"').rpartition("-") if reach != "-" else ("", "", "0")
    template = most == "template"
    mils = TEMPLATE if template else to_mils(most)
    found = _STRENGTH.fullmatch(strength.lower())
    armour = None if ap == "-" else int(ap) if _NUMBER.fullmatch(ap) else 0
    if mils is None or found is None or type_ is None or armour == 0:
        entry.refuse(_RIGHT)
    if (type_ == "salvo") != (moved is not None):
        entry.refuse("a Salvo weapon with both its numbers of shots, moved first: salvo 2/4")
    how, value = found.groups()
    if (how == "user") != (value is None):
        entry.refuse(f"{_RIGHT}; {strength!r} is no Strength")
    source: Any = "fixed" if how is None else "user*" if how == "x" else "user+"
    sizes = [size for size in map(blast_size, more) if size]
    return Weapon(
        name,
        mils,
        int(value or 0),
        armour,
        type_,
        int(shots),
        source,
        tuple(rule for rule in more if rule != "grenade" and not blast_size(rule)),
        shots_moved=int(moved or 0),
        blast=sizes[0] if sizes else 0,
        template=template,
        grenade="grenade" in more,
        least=(to_mils(least) or 0) if least else 0,
        shots_die=int(dice[2]) if dice else 0,
    )


def write_weapon(weapon: Weapon) -> str:
    """Return a weapon's line; `read_weapon` gives the weapon back."""
    strength = {
        "fixed": str(weapon.strength),
        "user+": f"+{weapon.strength}" if weapon.strength else "user",
        "user*": f"x{weapon.strength}",
    }[weapon.strength_from]
    reach = to_inches(weapon.range) if weapon.range else "-"
    if weapon.least:
        reach = f"{to_inches(weapon.least)}-{reach}"
    shots = str(weapon.shots)
    words = [
        "template" if weapon.template else reach,
        strength,
        "-" if weapon.ap is None else str(weapon.ap),
        weapon.type.replace("_", " "),
    ]
    if weapon.type == "salvo":
        words.append(f"{weapon.shots_moved}/{shots}")
    elif weapon.shots_die:
        words.append(f"{shots if weapon.shots != 1 else ''}d{weapon.shots_die}")
    elif weapon.shots != 1:
        words.append(shots)
    more = [name for name, size in BLASTS.items() if size == weapon.blast]
    if weapon.blast and not more:
        more = [f'{to_inches(weapon.blast)}" blast']
    more += ["grenade"] if weapon.grenade else []
    return ", ".join([" ".join(words), *more, *weapon.rules])
