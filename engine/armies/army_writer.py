"""Writing our own army file: nothing is lost, and nothing stands there that can be worked out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, TypeVar

import yaml

from engine.armies.field_text import (
    CHARACTERISTICS,
    ap_text,
    class_text,
    range_text,
    save_text,
    strength_text,
)
from engine.armies.muster import DEFAULT_BASE
from engine.armies.names import numbered, unit_slug
from events.values import Army, ArmySource, ModelSetup, Profile, UnitSetup, Weapon

_V = TypeVar("_V")

WIDTH = 100
"""Columns after which a line is folded."""


def army_to_yaml(army: Army) -> str:
    """Return the army file of an army; `army_from_yaml` gives the same army back.

    Profiles and weapons stand once for the whole army. Where units use one name for different
    things, the first stands for the army and the others in their units.

    >>> print(army_to_yaml(Army("Two", (UnitSetup("pair", "Pair", "red", "infantry",
    ...     (ModelSetup("pair.1", "man", ("gun",)), ModelSetup("pair.2", "man", ("gun",))),
    ...     (Profile("man", 3, 3, 3, 3, 1, 3, 1, 7, save=5),),
    ...     (Weapon("gun", 24000, 3, None, "rapid_fire"),)),))), end="")
    army: Two
    points: 0
    profiles:
      man: {WS: 3, BS: 3, S: 3, T: 3, W: 1, I: 3, A: 1, Ld: 7, Save: 5+}
    weapons:
      gun: {Range: 24, S: 3, Type: Rapid Fire}
    units:
    - unit: Pair
      models:
      - 2 man: [gun]
    """
    profiles = _shared((p.name, p) for unit in army.units for p in unit.profiles)
    weapons = _shared((w.id, w) for unit in army.units for w in unit.weapons)
    added = sum(unit.points for unit in army.units) + sum(left.points for left in army.left_off)
    taken: set[str] = set()
    written: dict[str, Any] = {"army": army.name, "points": army.points_declared}
    if army.points_summed != added:
        written["points summed"] = army.points_summed
    written["profiles"] = {name: _profile(profile) for name, profile in profiles.items()}
    written["weapons"] = {name: _weapon(weapon) for name, weapon in weapons.items()}
    written["units"] = [_unit(unit, profiles, weapons, taken) for unit in army.units]
    written["left off"] = [
        {"name": left.name, "reason": left.reason}
        | ({"points": left.points} if left.points else {})
        for left in army.left_off
    ]
    written["inferred"] = _Column(army.inferred)
    written["source"] = _source(army.source)
    kept = {key: value for key, value in written.items() if value or key in ("army", "points")}
    text: str = yaml.dump(
        kept,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=WIDTH,
    )
    return text


class _Row(dict[str, Any]):
    """A mapping that stands on one line."""


class _Column(list[Any]):
    """A list with a line for each item."""


class _Dumper(yaml.SafeDumper):
    """Writes each value out where it stands: an anchor is nothing to write by hand."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _row(dumper: _Dumper, row: _Row) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", row, flow_style=True)


def _column(dumper: _Dumper, column: _Column) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", column, flow_style=False)


_Dumper.add_representer(_Row, _row)
_Dumper.add_representer(_Column, _column)


def _shared(named: Iterable[tuple[str, _V]]) -> dict[str, _V]:
    """Return the first value of each name."""
    first: dict[str, _V] = {}
    for name, value in named:
        first.setdefault(name, value)
    return first


def _unit(
    unit: UnitSetup, profiles: dict[str, Profile], weapons: dict[str, Weapon], taken: set[str]
) -> dict[str, Any]:
    written: dict[str, Any] = {"unit": unit.name}
    if unit.id != next(free for free in numbered(unit_slug(unit.name)) if free not in taken):
        written["id"] = unit.id
    taken.add(unit.id)
    if unit.type != "infantry":
        written["type"] = unit.type
    if unit.points:
        written["points"] = unit.points
    own_profiles = {p.name: None if profiles[p.name] == p else _profile(p) for p in unit.profiles}
    own_weapons = {w.id: None if weapons[w.id] == w else _weapon(w) for w in unit.weapons}
    used = [model.profile for model in unit.models]
    carried = [weapon for model in unit.models for weapon in model.weapons]
    written |= _own("profiles", own_profiles, used) | _own("weapons", own_weapons, carried)
    written["models"] = [
        _group(len(list(run)), *kind) for kind, run in groupby(unit.models, key=_kind)
    ]
    if unit.not_applied:
        written["rules"] = list(unit.not_applied)
    return written


def _own(key: str, all_of: dict[str, Any], used: list[str]) -> dict[str, Any]:
    """Return what a unit must say itself: its own definitions, or all where order asks for it."""
    own = {name: value for name, value in all_of.items() if value is not None}
    if list(dict.fromkeys([*own, *used])) != list(all_of):
        own = all_of
    return {key: own} if own else {}


def _kind(model: ModelSetup) -> tuple[str, tuple[str, ...], int, tuple[str, ...]]:
    return model.profile, model.weapons, model.radius, model.rules


def _group(
    count: int, profile: str, weapons: tuple[str, ...], radius: int, rules: tuple[str, ...]
) -> Any:
    key = f"{count} {profile}"
    written: dict[str, Any] = {key: list(weapons)}
    if radius != DEFAULT_BASE * 5:
        millimetres, fifths = divmod(radius, 5)
        written["base"] = f"{millimetres}.{fifths * 2}" if fifths else millimetres
    if rules:
        written["rules"] = list(rules)
    return written if weapons or len(written) > 1 else key


def _number(text: str) -> str | int:
    """Return a number as one, so that it is written without quotes."""
    return int(text) if text.isdecimal() else text


def _profile(profile: Profile) -> _Row:
    cells = {title: getattr(profile, field) for title, field in CHARACTERISTICS}
    written = _Row((title, value) for title, value in cells.items() if value is not None)
    if save := save_text(profile):
        written["Save"] = save
    return written


def _weapon(weapon: Weapon) -> _Row:
    cells = {"Range": range_text(weapon), "S": strength_text(weapon), "AP": ap_text(weapon)}
    written = _Row((title, _number(text)) for title, text in cells.items() if text != "-")
    written["Type"] = class_text(weapon)
    if weapon.rules:
        written["Rules"] = list(weapon.rules)
    return written


def _source(source: ArmySource) -> dict[str, str]:
    cells = {
        "file": source.file,
        "sha256": source.sha256,
        "dialect": source.dialect,
        "game system": source.game_system,
        "catalogue": source.catalogue,
    }
    return {key: text for key, text in cells.items() if text}
