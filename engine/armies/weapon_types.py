"""Grammar of the weapon Type field: class, shots, and the special rules after them.

::

    type    = profile { "/" profile }            several profiles: combi-weapons, charge/normal
    profile = item { ("," | ";") item }          commas inside brackets don't split
    item    = class [count] | blast | rule       the class is usually the first item, not always
    count   = INT | "(" INT ")" | DICE | INT "/" INT
"""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.armies.special_rules import spelling
from engine.rules.weapon_types import blast_size
from events.values import WeaponType

_CLASSES: dict[str, WeaponType] = {
    "assault": "assault",
    "heavy": "heavy",
    "rapid fire": "rapid_fire",
    "pistol": "pistol",
    "salvo": "salvo",
    "ordnance": "ordnance",
    "primary weapon": "primary",
    "bomb": "bomb",
    "melee": "melee",
}
"""The classes in play; the others are read and kept, and never fire."""

_COUNTED = ("assault", "heavy", "ordnance", "primary", "bomb")
"""Classes with a number of shots after them; Salvo has two."""

_SLIPS = {"meele": "melee", "mele": "melee", "hevy": "heavy", "eavy": "heavy", "asault": "assault"}
_SLIPS |= {"ordinance": "ordnance", "rapidfire": "rapid fire", "rapid-fire": "rapid fire"}
_WORDS = (
    r"assault|heavy|rapid fire|pistol|melee|salvo|ordnance|primary weapon|bomb|grenade"
    r"|apocalyptic barrage"
)
_SLIP = re.compile(r"\b(?:" + "|".join(_SLIPS) + r")\b", re.IGNORECASE)
_HEAD = re.compile(rf"({_WORDS})s?\b[ :]*(.*)", re.IGNORECASE)
_CLASS = re.compile(rf"\b(?:{_WORDS})", re.IGNORECASE)
_TWO_COUNTS = re.compile(r"(\d{1,2})/(\d{1,2})(?: +([A-Za-z].*))?")
_DICE = re.compile(r"(\d{0,2})D([36])", re.IGNORECASE)
_COUNT = re.compile(r"\(?(\d{1,2})\)?(?: +([A-Za-z].*))?")
_PROFILE_BREAK = re.compile(rf" / | ?// ?|/(?= ?(?:{_WORDS})\b)", re.IGNORECASE)
_TEMPLATE = re.compile(r"\b(?:blast|template|hellstorm)\b", re.IGNORECASE)


class TypeLine(NamedTuple):
    """A Type field as read."""

    type: WeaponType
    """``"other"`` for whatever is not in play: no class, another class, a word for the shots."""
    shots: int
    rules: tuple[str, ...]
    """Special rules by name."""
    written: str = ""
    """The class and count in their own words, or none for a field without a class."""
    count_inferred: bool = False
    """Whether the class needs a number of shots and none was written: 1 is taken."""
    shots_moved: int = 0
    """The first of a Salvo weapon's two numbers. [SALV-1]"""
    blast: int = 0
    """How far across its blast marker is in mils. [APOC-1]"""
    template: bool = False
    grenade: bool = False
    marked: tuple[str, ...] = ()
    """The words for the last three."""
    shots_die: int = 0
    """Sides of the dice for the number of shots, of which there are `shots`. [THIT-2]"""


def split_profiles(text: str) -> tuple[str, ...]:
    """Return the profiles of a Type field that writes several in one.

    >>> split_profiles("Rapid Fire (Bolter) / Assault 1, Melta"), split_profiles("Salvo 3/5")
    (('Rapid Fire (Bolter)', 'Assault 1, Melta'), ('Salvo 3/5',))
    """
    parts = [part.strip() for part in _PROFILE_BREAK.split(text)]
    return tuple(parts) if all(map(_CLASS.search, parts)) else (text,)


def read_type(text: str) -> TypeLine:
    """Read one profile of a Type field.

    >>> read_type("Heavy 3, Gauss")
    TypeLine(type='heavy', shots=3, rules=('Gauss',), written='Heavy 3', count_inferred=False, \
shots_moved=0, blast=0, template=False, grenade=False, marked=(), shots_die=0)
    >>> read_type("Meele, Two handed").rules, read_type("Assault X").type
    (('Two-handed',), 'other')
    """
    known: WeaponType | None = None
    shots, moved, die, inferred, written = 1, 0, 0, False, ""
    rules: list[str] = []
    marked: list[str] = []
    size, words = 0, {"template": False, "grenade": False}
    for item in _items(_SLIP.sub(lambda slip: _SLIPS[slip[0].lower()], text)):
        head = _HEAD.fullmatch(item)
        if blast_size(item) or item.lower() in words:
            size = size or blast_size(item)
            words |= {word: True for word in words if word == item.lower()}
            marked.append(rule_name(item))
        elif head is None:
            rules.append(rule_name(item))
            if _TEMPLATE.search(item):
                known = "other"
        elif known is not None:
            # A second class makes it a weapon of two kinds: not one of those in play.
            known = "other"
            rules.append(item)
        else:
            known, moved, shots, inferred, rule, die = _head(head[1].lower(), head[2])
            written = item.removesuffix(rule).strip()
            if blast_size(rule):
                size = blast_size(rule)
                marked.append(rule_name(rule))
            elif rule:
                rules.append(rule_name(rule))
                if _TEMPLATE.search(rule):
                    known = "other"
    return TypeLine(
        known or "other",
        shots,
        tuple(dict.fromkeys(rules)),
        written,
        inferred,
        moved,
        size,
        words["template"],
        words["grenade"],
        tuple(marked),
        die,
    )


def rule_name(text: str) -> str:
    """Return a special rule's name in its one spelling, its parameter kept.

    >>> rule_name("Poison (4+)"), rule_name("Gets Hot!"), rule_name("Rust Curse")
    ('Poisoned (4+)', 'Gets Hot', 'Rust Curse')
    """
    name, bracket, parameter = text.strip(" .").partition("(")
    return f"{spelling(name)} ({parameter}" if bracket else spelling(name)


_Head = tuple[WeaponType, int, int, bool, str, int]
"""Type, shots moved and not, whether they were inferred, the rule run on after, dice for shots."""


def _head(word: str, rest: str) -> _Head:
    kind = _CLASSES.get(word)
    if kind is None:
        return _UNREAD
    if kind == "salvo":
        two = _TWO_COUNTS.fullmatch(rest)
        return (kind, int(two[1]), int(two[2]), False, two[3] or "", 0) if two else _UNREAD
    counts = kind in _COUNTED
    if not rest:
        return kind, 0, 1, counts, "", 0
    if dice := _DICE.fullmatch(rest):
        return (kind, 0, int(dice[1] or 1), False, "", int(dice[2])) if counts else _UNREAD
    match = _COUNT.fullmatch(rest)
    if match is None:
        # Words after a class that takes no count are a rule; after one that does, a lost count.
        plain = not counts and not re.search(r"\d", rest)
        return (kind, 0, 1, False, rest.strip("() "), 0) if plain else _UNREAD
    shots = int(match[1])
    if (counts and shots > 0) or shots == 1:
        return kind, 0, shots, False, match[2] or "", 0
    return _UNREAD


_UNREAD: _Head = ("other", 0, 1, False, "", 0)


def _items(text: str) -> list[str]:
    """Split at commas and semicolons outside brackets."""
    items, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character in ",;" and depth <= 0:
            items.append(text[start:at])
            start = at + 1
    items.append(text[start:])
    return [item.strip() for item in items if item.strip(" -\u2013")]
