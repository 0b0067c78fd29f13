"""Who stands in a unit: groups of models and their stat lines.

Only a ``model`` selection is a model, and its number is the number of models; upgrades never are.
A roster that has none in a unit (characters, squads of older catalogues) gets its count from the
selections that carry a stat line, and the report says so.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.armies import fields
from engine.armies.names import slug
from engine.armies.report import Notes
from engine.armies.rosters import Line, Selection
from engine.armies.weapons import is_weapon
from events.values import Profile

_ARMOURED = {"vehicle": "vehicle", "walker": "walker", "flyer": "flyer", "building": "building"}
TOUGHNESS = ("t", "toughness")
WOUNDS = ("w", "wounds")


class Group(msgspec.Struct, frozen=True, gc=False):
    """Models of one selection: they share a stat line."""

    selection: Selection
    path: str
    line: Line | None
    """The stat line, or None if the roster has none for them."""
    count: int


def missing_vitals(profile: Profile) -> str:
    """Return what a profile lacks to take the field, e.g. "no T and no W"; "" for nothing.

    A value of 0 is none either: no number is ever made up. [ZERO-1]
    """
    vitals = (("T", profile.toughness), ("W", profile.wounds))
    return " and ".join(f"no {title}" for title, value in vitals if not value)


def armoured_type(line: Line) -> str | None:
    """Return "vehicle", "walker", "flyer" or "building" for a line with armour values."""
    if (kind := line.kind.lower()) in _ARMOURED:
        return _ARMOURED[kind]
    return "vehicle" if line.get("front") is not None else None


def is_body(line: Line) -> bool:
    """Return whether a line is the stat line of models on foot, in the saddle or on wings."""
    if is_weapon(line) or armoured_type(line):
        return False
    return line.kind.lower() == "unit" or (
        line.get(*TOUGHNESS) is not None and line.get("a", "attack", "attacks", *WOUNDS) is not None
    )


def is_unit(selection: Selection) -> bool:
    """Return whether a top-level selection is a unit; the others are choices for the army."""
    return any(
        below.type in ("unit", "model")
        or any(is_body(line) or armoured_type(line) for line in below.lines)
        for below in selection.walk()
    )


def without_armoured(selection: Selection) -> tuple[Selection | None, tuple[Selection, ...]]:
    """Return the selection without the vehicles in it (None if it is one), and those vehicles."""
    if any(armoured_type(line) for line in selection.lines):
        return None, (selection,)
    kept: list[Selection] = []
    cut: list[Selection] = []
    for below in selection.selections:
        rest, vehicles = without_armoured(below)
        cut += vehicles
        if rest is not None:
            kept.append(rest)
    if not cut:
        return selection, ()
    return msgspec.structs.replace(selection, selections=tuple(kept)), tuple(cut)


def has_models(selection: Selection) -> bool:
    """Return whether there is a model or a stat line on foot anywhere below."""
    return any(
        below.type == "model" or any(is_body(line) for line in below.lines)
        for below in selection.walk()
    )


def find_groups(root: Selection, path: str, notes: Notes) -> tuple[Group, ...]:
    """Return the model groups of a unit in roster order; a unit without any has one model."""
    groups = tuple(group for group in _model_groups(root, path, (), notes) if group.count)
    if not groups:
        groups = tuple(_bodied_groups(root, path, notes))
        total = sum(group.count for group in groups)
        notes.add("inferred", path, f"model count inferred ({total})")
    return groups


def _model_groups(
    selection: Selection, path: str, above: tuple[Line, ...], notes: Notes
) -> Iterator[Group]:
    """Yield a group for each model selection; `above` are the nearest stat lines further up."""
    own = tuple(line for line in selection.lines if is_body(line))
    if selection.type == "model":
        lines = own or tuple(_upgraded_lines(selection)) or above
        line = _choose(lines, selection.name, path, notes)
        yield Group(selection, path, line, selection.number)
    for below in selection.selections:
        yield from _model_groups(below, f"{path} / {below.name}", own or above, notes)


def _upgraded_lines(model: Selection) -> Iterator[Line]:
    """Yield stat lines that a model's upgrades bring, not those of other models below it."""
    for below in model.selections:
        if below.type == "upgrade":
            yield from (line for line in below.lines if is_body(line))
            yield from _upgraded_lines(below)


def _choose(lines: tuple[Line, ...], name: str, path: str, notes: Notes) -> Line | None:
    """Return the line with the model's name, or the first."""
    if not lines:
        return None
    for line in lines:
        if slug(line.name, "") == slug(name, ""):
            return line
    if len(set(lines)) > 1:
        notes.add("warning", path, f"several stat lines; {lines[0].name} is taken")
    return lines[0]


def _bodied_groups(selection: Selection, path: str, notes: Notes) -> Iterator[Group]:
    """Yield a group for each lowest selection with a stat line, or the unit itself without one."""
    own = tuple(line for line in selection.lines if is_body(line))
    below = [s for s in selection.selections if any(map(is_body, _all_lines(s)))]
    if not below:
        line = _choose(own, selection.name, path, notes)
        yield Group(selection, path, line, _count(selection, line))
        return
    if own:
        notes.add("warning", path, f"{own[0].name}: a stat line that no model has; not counted")
    for inner in below:
        yield from _bodied_groups(inner, f"{path} / {inner.name}", notes)


def _all_lines(selection: Selection) -> Iterator[Line]:
    for below in selection.walk():
        yield from below.lines


def _count(selection: Selection, line: Line | None) -> int:
    """Return how many models a selection with a stat line but no model selections stands for.

    A character is as many as its number says; a squad as many as its most numerous weapon.
    """
    character = line is not None and "Character" in fields.unit_type(line.get("unit type") or "")[1]
    armed = [
        below.number
        for below in selection.walk()
        if below is not selection and any(map(is_weapon, below.lines))
    ]
    return max([selection.number, 1] if character else [selection.number, 1, *armed])
