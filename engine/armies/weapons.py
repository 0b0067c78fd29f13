"""From a weapon's line in the roster to `Weapon` values. [WPRF-1, WPRF-2, WPRF-3]"""

from __future__ import annotations

import re

from engine.armies import fields
from engine.armies.names import slug
from engine.armies.report import Notes
from engine.armies.rosters import Line
from engine.armies.weapon_types import TypeLine, read_type, split_profiles
from engine.geometry.markers import TEMPLATE
from events.values import Weapon

_THROWN = re.compile(r"\bgrenades?\b(?! ?launcher)", re.IGNORECASE)
"""One model a phase throws a grenade. [SHWP-4]"""
_TWIN_LINKED = re.compile(r"\btwin[- ]?linked\b", re.IGNORECASE)


def is_weapon(line: Line) -> bool:
    """Return whether a line is a weapon's: by its profile type, whatever the game calls it."""
    return "weapon" in line.kind.lower()


def says_twin_linked(name: str) -> bool:
    """Return whether a weapon's or a selection's name says that it is twin-linked."""
    return _TWIN_LINKED.search(name) is not None


def read_weapons(line: Line, path: str, notes: Notes) -> tuple[Weapon, ...]:
    """Return the weapon of a line, or one for each profile that its Type writes. [WPRF-3]

    What can't be played makes the weapon ``"other"``: kept with the words that say why, never
    fired. Every special rule is kept by name and noted as not applied.
    """
    kinds = split_profiles(line.get("type") or "")
    if len(kinds) == 1:
        return (read_weapon(line.name, line, kinds[0], path, notes),)
    columns = {name: _column(line.get(name) or "", len(kinds)) for name in _NUMBERS}
    weapons = []
    for n, kind in enumerate(kinds):
        values = tuple((name, columns[name][n]) for name in _NUMBERS)
        label = re.search(r"\(([^)]*)\)", kind)
        bare = re.sub(r"\([^)]*\)", "", kind, count=1) if label else kind
        name = f"{line.name} ({label[1] if label else n + 1})"
        weapons.append(read_weapon(name, Line(line.name, line.kind, values), bare, path, notes))
    return tuple(weapons)


_NUMBERS = ("range", "strength", "ap")


def _column(text: str, count: int) -> list[str]:
    """Return one field of a line for each of its profiles, or the same for all."""
    parts = [re.sub(r"\([^)]*\)", "", part).strip() for part in text.split("/")]
    return parts if len(parts) == count else [text] * count


def read_weapon(
    name: str, line: Line, kind: str, path: str, notes: Notes, more: tuple[str, ...] = ()
) -> Weapon:
    """Return the one weapon of a line whose Type is `kind`; `more` are rules beside those in it."""

    def text(*names: str) -> str:
        return line.get(*names) or ""

    read = read_type(kind)
    reach, least = fields.weapon_range(text("range"))
    strength = fields.strength(text("strength", "str", "s"))
    ap = fields.ap(text("ap"))
    template = read.template or reach.words.lower() == "template"
    if template:
        reach = fields.Reading(TEMPLATE)
    # A field that isn't a plain number is kept in its own words beside the rules.
    kept = []
    if reach.words:
        kept.append(f"Range {reach.words}")
    if strength is None:
        kept.append(f"Strength {text('strength', 'str', 's') or '-'}")
    if ap.words:
        kept.append(f"AP {ap.words}")
    for words in kept:
        notes.add("not recognised", path, f"{name}: {words}")
    rules = [*read.rules, *(rule for rule in more if rule not in read.rules)]
    if says_twin_linked(name) and "Twin-linked" not in rules:
        rules.append("Twin-linked")
        notes.add("inferred", path, f"{name}: Twin-linked stands in the name only")
    # A gun without a range is as unreadable as one with a word for it.
    reaches = read.type == "melee" or reach.value
    marked = read.blast or template or read.grenade
    if kept or not reaches or (read.type == "melee" and marked):
        read = read._replace(type="other")
    if read.type == "other":
        kept += [word for word in (read.written, *read.marked) if word]
    fires = read.type not in ("melee", "other")
    _note(name, read, kept, rules, path, notes)
    return Weapon(
        id=slug(name, "weapon"),
        range=0 if read.type == "melee" else reach.value or 0,
        strength=strength.value if strength else 0,
        ap=ap.value,
        type=read.type,
        shots=read.shots,
        strength_from=strength.counted_from if strength else "fixed",
        rules=tuple(kept + rules),
        shots_moved=read.shots_moved * fires,
        blast=read.blast * fires,
        template=template and fires,
        grenade=fires and (read.grenade or _THROWN.search(name) is not None),
        least=least * fires,
        shots_die=read.shots_die * fires,
    )


def _note(
    name: str, read: TypeLine, kept: list[str], rules: list[str], path: str, notes: Notes
) -> None:
    if read.type == "other":
        told = ", ".join(kept) or "no class of weapon"
        notes.add("not applied", path, f"not applied: {name} (not a kind in play: {told})")
    elif read.count_inferred:
        notes.add("inferred", path, f"{name}: no number of shots; 1 taken")
    for rule in rules:
        notes.leave(path, rule, name)
