"""Armies written as BattleScribe rosters, for the builders that players use.

The newest dialect, 2.03, in the element order of its schema. Numbers, ids and the archive depend
on the army alone: the same army gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from itertools import groupby
from xml.etree import ElementTree

from msgspec.structs import replace

from engine.armies.field_text import (
    CHARACTERISTICS,
    ap_text,
    class_text,
    inches,
    range_text,
    save_text,
    strength_text,
)
from engine.armies.fields import UNLIMITED
from engine.armies.muster import DEFAULT_BASE
from engine.armies.names import numbered, slug, unit_slug
from engine.armies.report import Notes
from engine.armies.rosters import Line
from engine.armies.weapons import read_weapons
from events.errors import RosterError
from events.values import Army, LeftOff, ModelSetup, Profile, UnitSetup, Weapon

DIALECT = "2.03"
NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
ARMY_RULE = "not applied: a rule for the whole army"
"""Reason of a `LeftOff` that is a rule of the force rather than a choice."""

CHARACTER = "Character"
"""A remark of the unit type; it comes first among a model's names. [PROF-5]"""

_EPOCH = (1980, 1, 1, 0, 0, 0)


def to_battlescribe(army: Army) -> bytes:
    """Return a ``.rosz`` that reads back as the same units, models, profiles, weapons and points.

    What is left off becomes a choice of the army with its name and points; bases other than
    25 mm are a characteristic of their own. Raises RosterError for what the format has no place
    for: a rule with a comma in it, three of one weapon, two of one gun.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        member = zipfile.ZipInfo(f"{slug(army.name, 'army')}.ros", _EPOCH)
        archive.writestr(member, to_roster(army), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def to_roster(army: Army) -> bytes:
    """Return the ``.ros`` inside `to_battlescribe`'s archive, in UTF-8."""
    tree = _Writer(army).roster()
    ElementTree.indent(tree)
    text: bytes = ElementTree.tostring(tree, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


class _Writer:
    """One roster being written."""

    def __init__(self, army: Army) -> None:
        self.army = army
        self.count = 0
        self.taken: set[str] = set()

    def roster(self) -> ElementTree.Element:
        source = self.army.source
        roster = ElementTree.Element("roster", id=self.new_id(), name=self.army.name)
        roster.set("battleScribeVersion", DIALECT)
        roster.set("gameSystemId", _fixed_id(source.game_system))
        roster.set("gameSystemName", source.game_system)
        roster.set("gameSystemRevision", "1")
        roster.set("xmlns", NAMESPACE)
        self.costs(roster, self.army.points_declared)
        force = ElementTree.SubElement(
            ElementTree.SubElement(roster, "forces"),
            "force",
            id=self.new_id(),
            name="Army",
            entryId=_fixed_id("force"),
            catalogueId=_fixed_id(source.catalogue),
            catalogueRevision="1",
            catalogueName=source.catalogue,
        )
        rules = [left.name for left in self.army.left_off if _is_rule(left)]
        self.rules(force, rules)
        selections = ElementTree.SubElement(force, "selections")
        for unit in self.army.units:
            self.unit(selections, unit)
        for left in self.army.left_off:
            if not _is_rule(left):
                choice = self.selection(selections, left.name, "upgrade", 1)
                self.costs(choice, left.points)
                self.categories(choice)
        self.categories(force)
        return roster

    def unit(self, parent: ElementTree.Element, unit: UnitSetup) -> None:
        name = unit.name
        if unit.id != next(free for free in numbered(unit_slug(name)) if free not in self.taken):
            name = _title(unit.id)
        self.taken.add(unit.id)
        selection = self.selection(parent, name, "unit", 1)
        if name != unit.name:
            selection.set("customName", unit.name)
        character = unit.not_applied[:1] == (CHARACTER,)
        self.rules(selection, unit.not_applied[character:])
        below = ElementTree.SubElement(selection, "selections")
        for model, count in _groups(unit):
            self.models(below, unit, model, count)
        self.costs(selection, unit.points)
        self.categories(selection)

    def models(
        self, parent: ElementTree.Element, unit: UnitSetup, model: ModelSetup, count: int
    ) -> None:
        """Write models that are alike as one selection, their weapons below it."""
        name = _title(model.profile)
        selection = self.selection(parent, name, "model", count)
        character = CHARACTER in (*unit.not_applied[:1], *model.rules[:1])
        self.rules(selection, model.rules[model.rules[:1] == (CHARACTER,) :])
        profile = next(p for p in unit.profiles if p.name == model.profile)
        if unit.type != "unknown":  # such a unit had no stat line
            self.profile(selection, _body_line(profile, name, model.radius, character))
        arms = ElementTree.SubElement(selection, "selections")
        arsenal = {weapon.id: weapon for weapon in unit.weapons}
        for carried in dict.fromkeys(model.weapons):
            self.weapon(arms, unit, arsenal[carried], model.weapons.count(carried), count)
        self.costs(selection, 0)

    def weapon(
        self, parent: ElementTree.Element, unit: UnitSetup, weapon: Weapon, copies: int, count: int
    ) -> None:
        if copies > (2 if weapon.type == "melee" else 1):
            right = "a roster has two of a melee weapon at most, and one of a gun"
            raise RosterError(f"{unit.id} {weapon.id}", f"carried {copies} times; {right}")
        line = _weapon_line(weapon)
        if read_weapons(line, "", Notes()) != (replace(weapon, id=slug(line.name, "")),):
            right = "a rule's name may hold no comma or semicolon outside brackets, nor be a class"
            reason = f"{line.get('type')!r} would not be read as these rules; {right}"
            raise RosterError(f"{unit.id} {weapon.id}", reason)
        selection = self.selection(parent, line.name, "upgrade", copies * count)
        self.profile(selection, line)
        self.costs(selection, 0)

    def selection(
        self, parent: ElementTree.Element, name: str, kind: str, number: int
    ) -> ElementTree.Element:
        return ElementTree.SubElement(
            parent,
            "selection",
            id=self.new_id(),
            name=name,
            entryId=_fixed_id(f"{kind} {name}"),
            number=str(number),
            type=kind,
        )

    def profile(self, selection: ElementTree.Element, line: Line) -> None:
        profiles = ElementTree.SubElement(selection, "profiles")
        profile = ElementTree.SubElement(
            profiles,
            "profile",
            id=self.new_id(),
            name=line.name,
            hidden="false",
            typeId=_fixed_id(line.kind),
            typeName=line.kind,
        )
        cells = ElementTree.SubElement(profile, "characteristics")
        for name, text in line.values:
            type_id = _fixed_id(f"{line.kind} {name}")
            cell = ElementTree.SubElement(cells, "characteristic", name=name, typeId=type_id)
            cell.text = text

    def rules(self, parent: ElementTree.Element, names: list[str] | tuple[str, ...]) -> None:
        if names:
            rules = ElementTree.SubElement(parent, "rules")
            for name in names:
                rule = ElementTree.SubElement(rules, "rule", id=self.new_id(), name=name)
                rule.set("hidden", "false")

    def costs(self, parent: ElementTree.Element, points: int) -> None:
        costs = ElementTree.SubElement(parent, "costs")
        ElementTree.SubElement(costs, "cost", name="pts", typeId="points", value=f"{points}.0")

    def categories(self, parent: ElementTree.Element) -> None:
        category = ElementTree.SubElement(
            ElementTree.SubElement(parent, "categories"), "category", id=self.new_id()
        )
        category.set("name", "Uncategorised")
        category.set("entryId", "(No Category)")
        category.set("primary", "true")

    def new_id(self) -> str:
        """Return an id that no other element of this roster has."""
        self.count += 1
        return _fixed_id(f"{self.army.name} {self.count}")


def _fixed_id(text: str) -> str:
    """Return an id in the builders' form that `text` alone decides."""
    digits = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def _is_rule(left: LeftOff) -> bool:
    return left.reason == ARMY_RULE


def _groups(unit: UnitSetup) -> Iterator[tuple[ModelSetup, int]]:
    """Yield the first of each run of models that are alike, and how many they are."""
    for _, run in groupby(unit.models, key=lambda m: (m.profile, m.weapons, m.radius, m.rules)):
        models = list(run)
        yield models[0], len(models)


def _title(name: str) -> str:
    """Return a slug as a name that has this slug."""
    title = " ".join(word.capitalize() for word in name.split("-"))
    return title if unit_slug(title) == name else name


def _body_line(profile: Profile, name: str, radius: int, character: bool) -> Line:
    """Return a stat line as a roster writes it."""
    values = [("Unit Type", "Infantry (Character)" if character else "Infantry")]
    for title, field in CHARACTERISTICS:
        value = getattr(profile, field)
        values.append((title, "-" if value is None else str(value)))
    values.append(("Save", save_text(profile) or "-"))
    if radius != DEFAULT_BASE * 5:
        values.append(("Base", f"{inches(radius * 200)} mm"))
    return Line(name, "Unit", tuple(values))


def _weapon_line(weapon: Weapon) -> Line:
    """Return a weapon's line as a roster writes it, its rules after its type. [WPRF-1]

    What an import kept in words because it couldn't read it goes back where it stood.
    """
    rules = list(weapon.rules)
    reach = range_text(weapon)
    cells = [reach, strength_text(weapon), ap_text(weapon)]
    if weapon.type == "other":
        for at, title in enumerate(("Range ", "Strength ", "AP ")):
            if rules and rules[0].startswith(title):
                cells[at] = rules.pop(0).removeprefix(title)
    else:
        rules.insert(0, class_text(weapon))
    if cells[0] == reach and 0 < weapon.range < UNLIMITED and not weapon.template:
        cells[0] = f'{reach}"'
    titles = ("Range", "Strength", "AP", "Type")
    values = tuple(zip(titles, [*cells, ", ".join(rules)], strict=True))
    return Line(_title(weapon.id), "Weapon", values)
