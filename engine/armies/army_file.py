"""Reading our own army file: small YAML that a person can write by hand.

::

    army: Night Shift
    profiles:
      watchman: {WS: 3, BS: 3, S: 3, T: 3, W: 1, I: 3, A: 1, Ld: 7, Save: 5+}
    weapons:
      flint gun: {Range: 24, S: 3, Type: Rapid Fire}
      boarding axe: {S: +1, AP: 5, Type: Melee, Rules: [Two-handed]}
    units:
      - unit: Night Watch
        points: 40
        rules: [Stubborn]
        models:
          - 1 watchman: [flint gun, boarding axe]
          - 7 watchman: flint gun

Profiles and weapons of one unit alone may stand in the unit, under the same two keys. Bases are
25 mm unless a line of models says otherwise: ``- 1 captain: sabre`` and below it ``base: 40``;
``rules`` may stand there too, for these models alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import NoReturn

from msgspec.structs import replace

from engine.armies import fields
from engine.armies.field_text import CHARACTERISTICS
from engine.armies.kit import MAX_WEAPONS
from engine.armies.models import missing_vitals
from engine.armies.muster import DEFAULT_BASE, MAX_MODELS, MAX_UNITS, PLAYABLE
from engine.armies.names import clean, numbered, slug, unit_slug
from engine.armies.report import Imported, Notes
from engine.armies.rosters import Line
from engine.armies.weapon_types import read_type, split_profiles
from engine.armies.weapons import read_weapon
from engine.armies.yaml_tree import Entry, read_yaml
from events.base import Side
from events.errors import RosterError
from events.values import Army, ArmySource, LeftOff, ModelSetup, Profile, UnitSetup, Weapon

DIALECT = "army file"
"""`ArmySource.dialect` of an army written by hand."""

_ARMY = (
    "army", "points", "points summed", "profiles", "weapons", "units", "left off", "inferred",
    "source",
)  # fmt: skip
_UNIT = ("unit", "id", "type", "points", "profiles", "weapons", "models", "rules")
_GROUP_KEYS = ("base", "rules")
_WEAPON = ("range", "s", "ap", "type", "rules")
_SOURCE = ("file", "sha256", "dialect", "game system", "catalogue")
_POINTS = 999_999
_GROUP = re.compile(r"(?:([0-9]{1,4}) +)?(\S.*)")
_OTHER = re.compile(r"other(?: ([0-9]{1,3}))?", re.IGNORECASE)
_WORDS = re.compile(r"template|hellstorm|[dx*]|[0-9]?d[36](?: ?\+ ?[0-9])?", re.IGNORECASE)
"""What may stand for a range, Strength or AP besides a number: read, kept and never fired."""
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def army_from_yaml(
    text: str, name: str, side: Side, bases: Mapping[str, int] | None = None
) -> Imported:
    """Return the army of an army file for one side, and the report.

    `name` is the file's, for errors and for the army's source; `bases` are diameters in
    millimetres by profile or unit, and go before those of the file. Raises RosterError naming
    file, line, the value and what would be right.

    >>> written = "army: Two\\nunits:\\n- unit: Pair\\n  models: 2 man\\n" \\
    ...           "profiles: {man: {WS: 3, S: 3, T: 3, W: 1, Ld: 7}}\\n"
    >>> [model.id for model in army_from_yaml(written, "two.yaml", "red").army.units[0].models]
    ['pair.1', 'pair.2']
    """
    return _ArmyFile(read_yaml(text, name), text, name, side, bases or {}).imported()


class _ArmyFile:
    """One army file on its way to an army."""

    def __init__(
        self, root: Entry, text: str, name: str, side: Side, bases: Mapping[str, int]
    ) -> None:
        self.root = root.fields(_ARMY)
        self.source = ArmySource(name, hashlib.sha256(text.encode()).hexdigest(), DIALECT)
        self.file = name
        self.side = side
        self.bases = bases
        self.notes = Notes()
        self.profiles = _definitions(self.root.get("profiles"))
        self.weapons = _definitions(self.root.get("weapons"))
        self.units: dict[str, UnitSetup] = {}
        self.left_off: list[LeftOff] = []
        self.count = 0

    def imported(self) -> Imported:
        if "army" not in self.root:
            raise RosterError(self.file, "no army; write its name first, such as army: Grey Host")
        inferred = tuple(entry.text() for entry in _items(self.root.get("inferred")))
        for sentence in inferred:
            path, colon, told = sentence.partition(": ")
            self.notes.add("inferred", path if colon else "army", told or sentence)
        for entry in _items(self.root.get("left off")):
            self.leave_off(entry)
        for entry in _items(self.root.get("units")):
            self.unit(entry)
        if not self.units:
            self.notes.add("error", "army", "no unit in it can take the field")
        added = sum(u.points for u in self.units.values()) + sum(o.points for o in self.left_off)
        summed = _points(self.root.get("points summed"), added)
        declared = _points(self.root.get("points"), summed)
        if declared != summed:
            text = f"{declared} points declared, {summed} in its units"
            self.notes.add("warning", "army", text)
        return Imported(
            Army(
                name=self.root["army"].text(),
                units=tuple(self.units.values()),
                points_declared=declared,
                points_summed=summed,
                left_off=tuple(self.left_off),
                inferred=inferred,
                source=self.read_source(),
            ),
            self.notes.report(),
        )

    def read_source(self) -> ArmySource:
        """Return where the army first came from, or this file."""
        if "source" not in self.root:
            return self.source
        told = {key: e.text() for key, e in self.root["source"].fields(_SOURCE).items()}
        return ArmySource(**{key.replace(" ", "_"): text for key, text in told.items()})

    def leave_off(self, entry: Entry) -> None:
        told = entry.fields(("name", "reason", "points"))
        name, reason = _text(entry, told, "name"), _text(entry, told, "reason")
        self.left_off.append(LeftOff(name, reason, _points(told.get("points"), 0)))
        self.notes.add("not applied", name, reason)

    def unit(self, entry: Entry) -> None:
        """Put one unit on the roll, or off it by its type."""
        told = entry.fields(_UNIT)
        name = _text(entry, told, "unit")
        points = _points(told.get("points"), 0)
        kind = told["type"].text().lower() if "type" in told else "infantry"
        if kind not in PLAYABLE and kind != "unknown":
            self.left_off.append(LeftOff(name, f"not yet playable: {kind}", points))
            self.notes.add("not applied", name, f"not yet playable: {kind}")
            return
        if len(self.units) >= MAX_UNITS:
            raise RosterError(entry.where, f"the army comes to more than {MAX_UNITS} units here")
        unit = self.unit_id(told.get("id"), name)
        models = _Models(self, unit, _definitions(told.get("weapons")), told.get("profiles"))
        for group in _items(told.get("models")):
            models.group(group)
        rules = tuple(rule.text() for rule in _items(told.get("rules")))
        rules = tuple(dict.fromkeys((*rules, *models.share_rules())))
        for rule in dict.fromkeys((*rules, *(r for model in models.models for r in model.rules))):
            self.notes.leave(unit, rule)
        if not models.models:
            raise RosterError(entry.where, f"{name!r} has no models; write models: [5 watchman]")
        self.units[unit] = UnitSetup(
            id=unit,
            name=name,
            side=self.side,
            type=kind,
            models=tuple(models.models),
            profiles=tuple(models.profiles.values()),
            weapons=tuple(models.weapons.values()),
            points=points,
            not_applied=rules,
        )

    def unit_id(self, entry: Entry | None, name: str) -> str:
        if entry is None:
            return next(free for free in numbered(unit_slug(name)) if free not in self.units)
        if not _SLUG.fullmatch(entry.text()) or entry.text() in self.units:
            entry.refuse("a new id in lower-case letters, digits and hyphens, such as night-watch")
        return entry.text()


class _Models:
    """The models of one unit, with the profiles and weapons they use."""

    def __init__(
        self, army: _ArmyFile, unit: str, weapons: dict[str, Entry], profiles: Entry | None
    ) -> None:
        self.army = army
        self.unit = unit
        self.known_profiles = _known(army.profiles, _definitions(profiles))
        self.known_weapons = _known(army.weapons, weapons)
        self.models: list[ModelSetup] = []
        self.profiles: dict[str, Profile] = {}
        self.weapons: dict[str, Weapon] = {}
        for named in _definitions(profiles):
            self.profile(named)
        for named in weapons:
            self.weapon(named)

    def group(self, entry: Entry) -> None:
        """Add the models of one line: ``9 watchman: [flint gun]``."""
        key, carried = entry, []
        told: dict[str, Entry] = {}
        if entry.kind == "mapping":
            for inner, value in entry.pairs():
                if inner.text().lower() in _GROUP_KEYS:
                    told[inner.text().lower()] = value
                elif key is entry:
                    key, carried = inner, value.items()
                else:
                    inner.refuse("base or rules; one kind of model to a line")
        match = _GROUP.fullmatch(key.text())
        if match is None:
            key.refuse("a number and a profile, such as 9 watchman")
        count = int(match[1] or 1)
        self.army.count += count
        if not count or self.army.count > MAX_MODELS:
            key.refuse(f"1 or more models, and at most {MAX_MODELS:,} in an army")
        profile = _pick(key, match[2], self.known_profiles, "profile")
        self.profile(profile)
        weapons = []
        for item in carried:
            weapons.append(_pick(item, item.text(), self.known_weapons, "weapon"))
            self.weapon(weapons[-1])
        radius = self.radius(profile, told.get("base"))
        rules = tuple(rule.text() for rule in _items(told.get("rules")))
        for _ in range(count):
            model = f"{self.unit}.{len(self.models) + 1}"
            self.models.append(ModelSetup(model, profile, tuple(weapons), radius, rules))

    def share_rules(self) -> tuple[str, ...]:
        """Take the rules that every model has from the models; returns them."""
        shared = (
            tuple(
                rule for rule in self.models[0].rules if all(rule in m.rules for m in self.models)
            )
            if self.models
            else ()
        )
        self.models = [
            replace(m, rules=tuple(rule for rule in m.rules if rule not in shared))
            for m in self.models
        ]
        return shared

    def radius(self, profile: str, entry: Entry | None) -> int:
        """Return a base's radius in tenths of a millimetre."""
        given = self.army.bases.get(profile, self.army.bases.get(self.unit))
        if given is not None:
            return given * 5
        if entry is None:
            return DEFAULT_BASE * 5
        radius = fields.base(entry.text())
        if radius is None:
            entry.refuse("a base in millimetres, 10 to 200, such as 32")
        return radius

    def profile(self, name: str) -> None:
        """Take a profile into the unit, once."""
        if name in self.profiles:
            return
        read = _profile(name, self.known_profiles[name])
        if missing := missing_vitals(read):
            self.army.notes.add("error", self.unit, f"profile {name} has {missing}")
        self.profiles[name] = read

    def weapon(self, name: str) -> None:
        """Take a weapon into the unit, once."""
        if name in self.weapons:
            return
        if len(self.weapons) >= MAX_WEAPONS:
            raise RosterError(self.unit, f"more than {MAX_WEAPONS} different weapons in one unit")
        self.weapons[name] = _weapon(name, self.known_weapons[name], self.unit, self.army.notes)


def _profile(name: str, entry: Entry) -> Profile:
    """Read a stat line; what isn't written is "-"."""
    told = entry.fields((*(title.lower() for title, _ in CHARACTERISTICS), "save"))
    values: dict[str, int | None] = {}
    for title, field in CHARACTERISTICS:
        cell = told.get(title.lower())
        read = fields.stat(cell.text() if cell else "")
        if cell and read.words:
            cell.refuse(f"{title}: a whole number, or - for none")
        values[field] = read.value
    cell = told.get("save")
    save = fields.saves(cell.text() if cell else "")
    if cell and save.words:
        cell.refuse("a save such as 4+, 3+/5++ or -/4++")
    return Profile(name, **values, save=save.armour, invulnerable=save.invulnerable)


def _weapon(name: str, entry: Entry, path: str, notes: Notes) -> Weapon:
    """Read a weapon as a roster's is read; what a roster may leave open is an error here."""
    told = entry.fields(_WEAPON)

    def cell(key: str) -> str:
        return clean(told[key].text()) if key in told else ""

    rules = tuple(rule.text() for rule in _items(told.get("rules")))
    kind = _text(entry, told, "type")
    reach, strength, ap = _numbers(told, cell("range"), cell("s"), cell("ap"))
    if match := _OTHER.fullmatch(kind):
        notes.add("not applied", path, f"not applied: {name} (not a kind in play)")
        bare = strength or fields.Strength(0, "fixed")
        shots = int(match[1] or 1)
        return Weapon(
            name, reach.value or 0, bare.value, ap.value, "other", shots, bare.counted_from, rules
        )
    read = read_type(kind)
    if not read.written or len(split_profiles(kind)) > 1:
        told["type"].refuse("one type of weapon: Rapid Fire, Heavy 3, Assault 2, Pistol or Melee")
    if read.type != "melee":
        for key in ("range", "s"):
            _text(entry, told, key)
    power = cell("s") or "User"
    values = (("Range", cell("range")), ("Strength", power), ("AP", cell("ap")))
    line = Line(name, "Weapon", values)
    return replace(read_weapon(name, line, kind, path, notes, rules), id=name)


def _numbers(
    told: Mapping[str, Entry], reach: str, power: str, ap: str
) -> tuple[fields.Reading, fields.Strength | None, fields.Reading]:
    """Read a weapon's three numbers; a word that can't be one of them is an error."""
    read_range, _ = fields.weapon_range(reach)
    strength = fields.strength(power)
    read_ap = fields.ap(ap)
    if read_range.words and not _WORDS.fullmatch(reach):
        told["range"].refuse('a range in inches, such as 24 or 12"')
    if strength is None and power not in ("", "-") and not _WORDS.fullmatch(power):
        told["s"].refuse("a Strength: 1 to 10, User, +2 or x2")
    if read_ap.words and not _WORDS.fullmatch(ap):
        told["ap"].refuse("an AP: 1 to 6, or - for none")
    return read_range, strength, read_ap


def _definitions(entry: Entry | None) -> dict[str, Entry]:
    """Return profiles or weapons by slug."""
    found: dict[str, Entry] = {}
    for key, value in entry.pairs() if entry else []:
        name = slug(key.text(), "")
        if not name or name in found:
            key.refuse("a name of its own with a letter or a digit in it")
        found[name] = value
    return found


def _known(shared: Mapping[str, Entry], own: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return shared definitions under a unit's own; an empty one of its own means the shared."""
    for name, entry in own.items():
        if entry.is_empty and name not in shared:
            entry.refuse(f"a definition of {name}, and there is none in the whole army either")
    return {**shared, **{name: entry for name, entry in own.items() if not entry.is_empty}}


def _pick(entry: Entry, text: str, known: Collection[str], what: str) -> str:
    """Return the name among `known` that was written."""
    name = slug(text, "")
    if name in known:
        return name
    near = get_close_matches(name, known, 1)
    have = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known) or 'none'}"
    raise RosterError(entry.where, f"{text[:60]!r} is no {what} of this army; {have}")


def _items(entry: Entry | None) -> list[Entry]:
    return entry.items() if entry else []


def _points(entry: Entry | None, missing: int) -> int:
    return entry.whole(-_POINTS, _POINTS) if entry else missing


def _text(entry: Entry, told: Mapping[str, Entry], key: str) -> str:
    """Return a value that must be there."""
    if key not in told or told[key].is_empty:
        _missing(entry, key)
    return clean(told[key].text())


def _missing(entry: Entry, key: str) -> NoReturn:
    raise RosterError(entry.where, f"no {key} here; write {key}: and its value")
