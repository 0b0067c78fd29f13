"""From a roster in normal form to an army that can take the field."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from engine.armies import fields
from engine.armies.field_text import points_text
from engine.armies.kit import Kit, names_of
from engine.armies.models import (
    TOUGHNESS,
    WOUNDS,
    Group,
    armoured_type,
    find_groups,
    has_models,
    is_unit,
    missing_vitals,
    without_armoured,
)
from engine.armies.names import numbered, unit_slug
from engine.armies.report import Imported, Notes
from engine.armies.rosters import Line, Roster, Selection
from events.base import Side
from events.errors import RosterError
from events.values import Army, ArmySource, LeftOff, ModelSetup, Profile, UnitSetup

PLAYABLE = frozenset({"infantry"})
"""Unit types the engine puts on the table."""
MAX_UNITS = 300
"""Most units in an army; more is a damaged file, not an army."""
MAX_MODELS = 2000
"""Most models in an army; more is a damaged file, not an army."""
DEFAULT_BASE = 25
"""Base diameter in millimetres where neither roster nor player gives one."""

_CHARACTERISTICS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("ws", "WS", ("ws",)),
    ("bs", "BS", ("bs",)),
    ("strength", "S", ("s", "strength")),
    ("toughness", "T", TOUGHNESS),
    ("wounds", "W", WOUNDS),
    ("initiative", "I", ("i", "initiative")),
    ("attacks", "A", ("a", "attack", "attacks")),
    ("leadership", "Ld", ("ld", "leadership")),
)
_SAVE = ("save", "sv", "armour")
_UNIT_TYPE = ("unit type", "type")
_BASE = ("base", "base size")
_KNOWN = {*_SAVE, *_UNIT_TYPE, *_BASE, *(name for *_, names in _CHARACTERISTICS for name in names)}


def muster(
    roster: Roster, side: Side, source: ArmySource, bases: Mapping[str, int] | None = None
) -> Imported:
    """Return the army of a roster for one side, and the report.

    `bases` gives base diameters in millimetres by profile or unit slug. Raises RosterError for
    a base, a unit or an army of an impossible size.
    """
    try:
        return _Muster(side, bases or {}).army(roster, source)
    except RosterError as error:
        raise RosterError(f"{source.file} {error.where}", error.reason) from None


class _Muster:
    """One army on its way from selections to units."""

    def __init__(self, side: Side, bases: Mapping[str, int]) -> None:
        for name, millimetres in bases.items():
            if not 10 <= millimetres <= 200:
                raise RosterError(f"bases.{name}", f"{millimetres} mm; a base is 10 to 200 mm wide")
        self.side = side
        self.bases = bases
        self.notes = Notes()
        self.units: dict[str, UnitSetup] = {}
        self.left_off: list[LeftOff] = []
        self.count = 0

    def army(self, roster: Roster, source: ArmySource) -> Imported:
        for rule in roster.rules:
            self.notes.leave("army", rule)
            self.leave_off(rule, "not applied: a rule for the whole army", 0)
        for selection in roster.selections:
            self.enlist(selection)
        summed = sum(selection.total() for selection in roster.selections)
        if summed != roster.cost:
            told = f"{points_text(summed)} in its selections"
            text = f"{points_text(roster.cost)} points declared, {told}"
            self.notes.add("warning", "army", text)
        if not self.units:
            self.notes.add("error", "army", "no unit in it can take the field")
        return Imported(
            Army(
                name=roster.name,
                units=tuple(self.units.values()),
                points_declared=self.points(roster.cost, "army"),
                points_summed=self.points(summed, "army"),
                left_off=tuple(self.left_off),
                inferred=tuple(f"{n.path}: {n.text}" for n in self.notes if n.level == "inferred"),
                source=source,
            ),
            self.notes.report(),
        )

    def enlist(self, selection: Selection) -> None:
        """Take one top-level selection: a unit, a unit not yet playable, or an army's choice."""
        name = selection.custom_name or selection.name
        if not is_unit(selection):
            self.choice(selection, name)
            return
        rest, vehicles = without_armoured(selection)
        if rest is None or (vehicles and not has_models(rest)):
            self.not_yet_playable(name, _armoured(vehicles[0]), selection.total())
            return
        for vehicle in vehicles:
            self.not_yet_playable(vehicle.name, _armoured(vehicle), vehicle.total())
        self.unit(rest, name)

    def choice(self, selection: Selection, name: str) -> None:
        """Keep a choice that is no unit: a detachment, a warlord trait, an army-wide rule."""
        inside = dict.fromkeys(n for below in selection.walk() for n in names_of(below))
        for item in inside:
            self.notes.leave(selection.name, item)
        told = ", ".join(item for item in inside if item != name)
        reason = "not applied: a choice for the whole army" + (f" ({told})" if told else "")
        self.leave_off(name, reason, selection.total())

    def not_yet_playable(self, name: str, kind: str, cost: int) -> None:
        self.notes.add("not applied", name, f"not yet playable: {kind}")
        self.leave_off(name, f"not yet playable: {kind}", cost)

    def leave_off(self, name: str, reason: str, cost: int) -> None:
        self.left_off.append(LeftOff(name, reason, self.points(cost, name)))

    def points(self, hundredths: int, path: str) -> int:
        """Return whole points; a fraction is rounded down and noted."""
        if hundredths % 100:
            self.notes.add("warning", path, f"{points_text(hundredths)} points rounded down")
        return hundredths // 100

    def unit(self, selection: Selection, name: str) -> None:
        """Put a unit of models without armour values on the roll, or off it by its type."""
        if len(self.units) >= MAX_UNITS:
            raise RosterError(selection.name, f"the army comes to more than {MAX_UNITS} units here")
        unit = next(free for free in numbered(unit_slug(selection.name)) if free not in self.units)
        notes = Notes()
        groups = find_groups(selection, unit, notes)
        self.count += sum(group.count for group in groups)
        if self.count > MAX_MODELS:
            raise RosterError(unit, f"the army comes to more than {MAX_MODELS:,} models here")
        kinds = [fields.unit_type(_text(group.line, *_UNIT_TYPE)) for group in groups if group.line]
        unplayable = [kind for kind, _ in kinds if kind not in PLAYABLE and kind]
        if unplayable:
            self.not_yet_playable(name, unplayable[0], selection.total())
            return
        if any(not kind for kind, _ in kinds):
            notes.add("inferred", unit, "no unit type given: taken to be infantry")
        if any(below.type == "unit" for below in selection.walk() if below is not selection):
            text = "holds a unit of its own; kept as one: split before deployment if its rules say"
            notes.add("warning", unit, text)
        kit = Kit(unit, groups, notes)
        for group in groups:
            for remark in fields.unit_type(_text(group.line, *_UNIT_TYPE))[1]:
                kit.leave(remark, unit, *kit.models_of(group))
        profiles, profile_of = _profiles(groups, kit)
        kit.equip(selection, unit)
        self.units[unit] = UnitSetup(
            id=unit,
            name=name,
            side=self.side,
            type="infantry" if kinds else "unknown",
            models=self.models(unit, groups, profile_of, kit),
            profiles=profiles,
            weapons=kit.arsenal(),
            points=self.points(selection.total(), unit),
            not_applied=kit.shared(),
        )
        self.notes.extend(notes)

    def models(
        self, unit: str, groups: tuple[Group, ...], profile_of: list[str], kit: Kit
    ) -> tuple[ModelSetup, ...]:
        """Return the unit's models, numbered from 1 in roster order."""
        models: list[ModelSetup] = []
        for group, profile in zip(groups, profile_of, strict=True):
            given = self.bases.get(profile, self.bases.get(unit))
            radius = given * 5 if given else fields.base(_text(group.line, *_BASE))
            if radius is None:
                text = f"{DEFAULT_BASE} mm bases (a roster names none)"
                kit.notes.add("inferred", unit, text)
                radius = DEFAULT_BASE * 5
            for _ in range(group.count):
                n = len(models)
                weapons, rules = tuple(kit.carried[n]), kit.own(n)
                models.append(ModelSetup(f"{unit}.{n + 1}", profile, weapons, radius, rules))
        return tuple(models)


def _armoured(selection: Selection) -> str:
    """Return the armoured type of a vehicle's selection."""
    return next(kind for line in selection.lines if (kind := armoured_type(line)))


def _text(line: Line | None, *names: str) -> str:
    return (line.get(*names) if line else None) or ""


def _profiles(groups: tuple[Group, ...], kit: Kit) -> tuple[tuple[Profile, ...], list[str]]:
    """Return the unit's different profiles, and the name of each group's profile."""
    profiles: dict[str, Profile] = {}
    profile_of: list[str] = []
    bare = not any(group.line for group in groups)
    if bare:
        kit.notes.add("error", kit.unit, "no stat line for any of its models (no T, no W)")
    for group in groups:
        profile = _profile(group, kit, told=bare)
        for free in numbered(profile.name):
            named = msgspec.structs.replace(profile, name=free)
            if profiles.setdefault(free, named) == named:
                profile_of.append(free)
                break
    return tuple(profiles.values()), profile_of


def _profile(group: Group, kit: Kit, told: bool) -> Profile:
    """Return one group's stat line; missing T or W is an error, never a number. [ZERO-1]

    `told` says that the lack of any line has been reported for the whole unit.
    """
    line = group.line
    if line is None:
        if not told:
            text = f"{group.selection.name} has no stat line (no T, no W)"
            kit.notes.add("error", group.path, text)
        return Profile(unit_slug(group.selection.name), *[None] * 8)
    values: dict[str, int | None] = {}
    for field, title, names in _CHARACTERISTICS:
        text = _text(line, *names)
        read = fields.stat(text)
        values[field] = read.value
        if read.words:
            _keep(f"{title} {read.words}", read.value, group, kit)
    save = fields.saves(_text(line, *_SAVE))
    if save.words:
        _keep(f"Save {save.words}", save.armour, group, kit)
    for title, text in line.values:
        if title.lower() not in _KNOWN and text:
            _keep(f"{title} {text}", None, group, kit)
    profile = Profile(
        unit_slug(line.name),
        **values,
        save=save.armour,
        invulnerable=save.invulnerable,
    )
    if missing := missing_vitals(profile):
        kit.notes.add("error", group.path, f"profile {line.name} has {missing}")
    return profile


def _keep(words: str, value: int | None, group: Group, kit: Kit) -> None:
    """Keep a field's words where no number, or not only a number, could be read from it."""
    kit.keep(words, *kit.models_of(group))
    if value is None:
        kit.notes.add("not recognised", group.path, words)
    else:
        kit.notes.add("inferred", group.path, f"{words}: read as {value}")
