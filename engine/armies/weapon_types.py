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
from events.values import WeaponType

_CLASSES: dict[str, WeaponType] = {
    "assault": "assault",
    "heavy": "heavy",
    "rapid fire": "rapid_fire",
    "pistol": "pistol",
    "melee": "melee",
}
"""The classes in play; the others are read and kept, and never fire."""

_SLIPS = {"meele": "melee", "mele": "melee", "hevy": "heavy", "eavy": "heavy", "asault": "assault"}
_SLIPS |= {"ordinance": "ordnance", "rapidfire": "rapid fire", "rapid-fire": "rapid fire"}
_WORDS = (
    r"assault|heavy|rapid fire|pistol|melee|salvo|ordnance|primary weapon|bomb|grenade"
    r"|apocalyptic barrage"
)
_SLIP = re.compile(r"\b(?:" + "|".join(_SLIPS) + r")\b", re.IGNORECASE)
_HEAD = re.compile(rf"({_WORDS})s?\b[ :]*(.*)", re.IGNORECASE)
_CLASS = re.compile(rf"\b(?:{_WORDS})", re.IGNORECASE)
_COUNT = re.compile(r"\(?(\d{1,2})\)?(?: +([A-Za-z].*))?")
_PROFILE_BREAK = re.compile(rf" / | ?// ?|/(?= ?(?:{_WORDS})\b)", re.IGNORECASE)
_TEMPLATE = re.compile(r"\b(?:blast|template|hellstorm)\b", re.IGNORECASE)


class TypeLine(NamedTuple):
    """A Type field as read."""

    type: WeaponType
    """``"other"`` for whatever is not in play: no class, another class, a blast, dice for shots."""
    shots: int
    rules: tuple[str, ...]
    """Special rules by name."""
    written: str = ""
    """The class and count in their own words, or none for a field without a class."""
    count_inferred: bool = False
    """Whether the class needs a number of shots and none was written: 1 is taken."""


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
    TypeLine(type='heavy', shots=3, rules=('Gauss',), written='Heavy 3', count_inferred=False)
    >>> read_type("Meele, Two handed").rules, read_type("Assault D6").type
    (('Two-handed',), 'other')
    """
    known: WeaponType | None = None
    shots, inferred, written = 1, False, ""
    rules: list[str] = []
    for item in _items(_SLIP.sub(lambda slip: _SLIPS[slip[0].lower()], text)):
        head = _HEAD.fullmatch(item)
        if head is None:
            rules.append(rule_name(item))
            if _TEMPLATE.search(item):
                known = "other"
        elif known is not None:
            # A second class makes it a weapon of two kinds: not one of those in play.
            known = "other"
            rules.append(item)
        else:
            known, shots, inferred, rule = _head(head[1].lower(), head[2])
            written = item.removesuffix(rule).strip()
            if rule:
                rules.append(rule_name(rule))
            if _TEMPLATE.search(rule):
                known = "other"
    return TypeLine(known or "other", shots, tuple(dict.fromkeys(rules)), written, inferred)


def rule_name(text: str) -> str:
    """Return a special rule's name in its one spelling, its parameter kept.

    >>> rule_name("Poison (4+)"), rule_name("Gets Hot!"), rule_name("Rust Curse")
    ('Poisoned (4+)', 'Gets Hot', 'Rust Curse')
    """
    name, bracket, parameter = text.strip(" .").partition("(")
    return f"{spelling(name)} ({parameter}" if bracket else spelling(name)


def _head(word: str, rest: str) -> tuple[WeaponType, int, bool, str]:
    """Return type, shots, whether they were inferred, and the rule run on after the count."""
    kind = _CLASSES.get(word)
    if kind is None:
        return "other", 1, False, ""
    counts = kind in ("assault", "heavy")
    if not rest:
        return kind, 1, counts, ""
    match = _COUNT.fullmatch(rest)
    if match is None:
        # Words after a class that takes no count are a rule; after one that does, a lost count.
        plain = not counts and not re.search(r"\d", rest)
        return (kind, 1, False, rest.strip("() ")) if plain else ("other", 1, False, "")
    shots = int(match[1])
    if (counts and shots > 0) or shots == 1:
        return kind, shots, False, match[2] or ""
    return "other", 1, False, ""


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
