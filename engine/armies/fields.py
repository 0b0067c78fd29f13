"""Grammars of the number fields: what people write where a rulebook prints a number.

A field is read as far as it can be and keeps its words where the number doesn't say all of them:
nothing is guessed, and "-" is no value, never 0. [ZERO-1]
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

MILS = 1000
"""Mils in an inch."""
UNLIMITED = 1_000_000
"""Range in mils of a weapon with unlimited range: longer than any table."""

_NOTHING = frozenset({"", "-", "\u2013", "\u2014", "n/a"})
_STAT = re.compile(r"(\d{1,2})(?:\.0+)?")
_STAT_AND_MORE = re.compile(r"(\d{1,2}) ?(?:\(\d+\)|/ ?\d+|\*|\+ ?\d+)")
_SAVE = re.compile(r"(?:([2-6])\+?|-)(?:/([2-6])\+\+)?|([2-6])\+\+")
_ARMOUR_FIRST = re.compile(r"([2-6])\+?(?=/)")
_RANGE = re.compile(
    r"""(?:(\d{1,3})["\u201d\u2033]? ?- ?)?(\d{1,3})(?:\.(\d{1,3}))? ?(?:["\u201d\u2033]|'')?"""
)
_BASE = re.compile(r"(\d{2,3})(?:\.([02468])0*)? ?(?:mm)?")
_ADDED = re.compile(r"\+ ?(\d)")
_MULTIPLIED = re.compile(r"(?:[x\u00d7] ?(\d)|(\d) ?[x\u00d7])", re.IGNORECASE)
_AP = re.compile(r"(?:ap ?)?([1-6])", re.IGNORECASE)


class Reading(NamedTuple):
    """A number read from a field, and the field's words if the number alone doesn't say them.

    No value and no words is "-"; no value with words is a field that couldn't be read.
    """

    value: int | None
    words: str = ""


class Saves(NamedTuple):
    """Armour and invulnerable save as D6 targets, and the words neither of them says."""

    armour: int | None
    invulnerable: int | None
    words: str = ""


class Strength(NamedTuple):
    """A weapon's Strength and what it is counted from. [WPRF-2]"""

    value: int
    counted_from: Literal["fixed", "user+", "user*"]


def stat(text: str) -> Reading:
    """Read one characteristic of a body. [PROF-2]

    >>> stat("4"), stat("-"), stat("4(5)"), stat("D6+4")
    (Reading(value=4, words=''), Reading(value=None, words=''), \
Reading(value=4, words='4(5)'), Reading(value=None, words='D6+4'))
    """
    if text.lower() in _NOTHING:
        return Reading(None)
    if match := _STAT.fullmatch(text):
        return Reading(int(match[1]))
    if match := _STAT_AND_MORE.fullmatch(text):
        return Reading(int(match[1]), text)
    return Reading(None, text)


def saves(text: str) -> Saves:
    """Read a Save field: armour, then after a slash the invulnerable save with two plus signs.

    >>> saves("3+/4++")[:2], saves("5++")[:2], saves("2")[:2], saves("2+/4+")
    ((3, 4), (None, 5), (2, None), Saves(armour=2, invulnerable=None, words='2+/4+'))
    """
    if text.lower() in _NOTHING:
        return Saves(None, None)
    packed = text.replace(" ", "")
    if match := _SAVE.fullmatch(packed):
        armour, after, alone = match.groups()
        invulnerable = after or alone
        return Saves(int(armour) if armour else None, int(invulnerable) if invulnerable else None)
    # A second save without "++" may be either kind: only the first is certain.
    if match := _ARMOUR_FIRST.match(packed):
        return Saves(int(match[1]), None, text)
    return Saves(None, None, text)


def weapon_range(text: str) -> tuple[Reading, int]:
    """Read a weapon's range; returns it in mils (0 for a melee weapon) and the least range.

    >>> weapon_range('24"'), weapon_range("12-48"), weapon_range("Template")
    ((Reading(value=24000, words=''), 0), (Reading(value=48000, words=''), 12000), \
(Reading(value=None, words='Template'), 0))
    """
    if text.lower() in _NOTHING or text.lower() == "melee":
        return Reading(0), 0
    if text.lower() in ("infinite", "unlimited"):
        return Reading(UNLIMITED), 0
    if match := _RANGE.fullmatch(text):
        mils = int(match[2]) * MILS + int((match[3] or "").ljust(3, "0"))
        return Reading(mils), int(match[1] or 0) * MILS
    return Reading(None, text), 0


def base(text: str) -> int | None:
    """Read a base's diameter in millimetres; returns its radius in tenths of one.

    None for what is no base: 10 to 200 mm are.

    >>> base("32 mm"), base("25"), base("flying stem")
    (160, 125, None)
    """
    match = _BASE.fullmatch(text)
    radius = int(match[1]) * 5 + int(match[2] or 0) // 2 if match else 0
    return radius if 50 <= radius <= 1000 else None


def strength(text: str) -> Strength | None:
    """Read a weapon's Strength, or None for one without a number ("D", "X", "2D6"). [WPRF-2]

    >>> strength("User"), strength("+ 2"), strength("x2"), strength("D")
    (Strength(value=0, counted_from='user+'), Strength(value=2, counted_from='user+'), \
Strength(value=2, counted_from='user*'), None)
    """
    if text.lower() == "user":
        return Strength(0, "user+")
    if match := _ADDED.fullmatch(text):
        return Strength(int(match[1]), "user+")
    if match := _MULTIPLIED.fullmatch(text):
        return Strength(int(match[1] or match[2]), "user*")
    if (match := _STAT.fullmatch(text)) and 1 <= int(match[1]) <= 10:
        return Strength(int(match[1]), "fixed")
    return None


def ap(text: str) -> Reading:
    """Read a weapon's AP: 1 to 6, or None for "-".

    >>> ap("5"), ap("-"), ap("D6")
    (Reading(value=5, words=''), Reading(value=None, words=''), Reading(value=None, words='D6'))
    """
    if text.lower() in _NOTHING:
        return Reading(None)
    if match := _AP.fullmatch(text):
        return Reading(int(match[1]))
    return Reading(None, text)


_SLIPS = {
    "infanty": "infantry",
    "infantary": "infantry",
    "monsterous": "monstrous",
    "artilery": "artillery",
    "calvary": "cavalry",
}
_TYPES = (
    ("gargantuan", "gargantuan creature"),
    ("flying monstrous", "flying monstrous creature"),
    ("monstrous", "monstrous creature"),
    ("super-heavy", "vehicle"),
    ("vehicle", "vehicle"),
    ("walker", "walker"),
    ("flyer", "flyer"),
    ("building", "building"),
    ("fortification", "building"),
    ("artillery", "artillery"),
    ("jump", "jump infantry"),
    ("jet pack", "jet pack infantry"),
    ("jetpack", "jet pack infantry"),
    ("jetbike", "jetbike"),
    ("bike", "bike"),
    ("beast", "beasts"),
    ("cavalry", "cavalry"),
    ("infantry", "infantry"),
)


def unit_type(text: str) -> tuple[str, tuple[str, ...]]:
    """Read a Unit Type field: the type in standard words, and the remarks beside it. [PROF-5]

    A type that isn't known comes back as written, in lower case.

    >>> unit_type("Infanty (Character)"), unit_type("Jump, Infantry")
    (('infantry', ('Character',)), ('jump infantry', ()))
    """
    remarks = []
    for remark in re.findall(r"\(([^)]*)\)?", text):
        for word in remark.split(","):
            if word := word.strip():
                remarks.append("Character" if word.lower() in ("ch", "character") else word)
    outside = re.sub(r"\([^)]*\)?", " ", text).lower()
    for slip, meant in _SLIPS.items():
        outside = outside.replace(slip, meant)
    for sign, name in _TYPES:
        if sign in outside:
            left = re.sub(r"\b(?:" + sign + r"s?|infantry|creatures?|unit)\b", " ", outside)
            remarks += [word.strip().capitalize() for word in left.split(",") if word.strip()]
            return name, tuple(dict.fromkeys(remarks))
    return " ".join(outside.split()), tuple(remarks)
