"""A battle as leaves: one plain value a path, so that two battles differ in named fields.

``units.boyz.locked``, ``units.boyz.models.3.at``, ``clock.game_turn``: ids have no dots. Left out
is what never changes and stands in the game's first events (settings, table, setups, armies).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from projections.battle import Battle, Model, Tally, Unit, UnitTurn, Zone

Leaves = dict[str, Any]

FIELDS = ("clock", "zones", "phase", "turn", "question", "score", "outcome", "units")
"""Fields of a battle that have leaves."""

_KEYS: dict[type, str] = {Unit: "id", UnitTurn: "unit", Model: "n", Tally: "address", Zone: "side"}
"""Structs that stand in tuples, and the field that names each of them there."""


class Leafer:
    """Takes battles of one game to leaves, remembering those of units that don't change."""

    def __init__(self) -> None:
        self._units: dict[str, tuple[Unit, Leaves]] = {}

    def leaves(self, battle: Battle) -> Leaves:
        """Return a battle's leaves. About 50 microseconds where few units changed."""
        found: Leaves = {}
        for field in FIELDS[:-1]:
            _walk(field, getattr(battle, field), found)
        for unit in battle.units:
            known = self._units.get(unit.id)
            if known is None or known[0] is not unit:
                own: Leaves = {}
                _walk_item(f"units.{unit.id}", unit, "id", own)
                known = self._units[unit.id] = (unit, own)
            found.update(known[1])
        return found


def leaves(battle: Battle) -> Leaves:
    """Return the leaves of a battle on its own.

    >>> from events.values import Table
    >>> from projections.battle import Settings
    >>> battle = Battle(Settings("40k-7e", "seeded", "blake2b/1", "free", "same"), Table())
    >>> leaves(battle)["score.red"], leaves(battle)["phase.phase"]
    (0, 'setup')
    """
    return Leafer().leaves(battle)


def _walk(path: str, value: Any, found: Leaves) -> None:
    if isinstance(value, msgspec.Struct) and not value.__struct_config__.array_like:
        config = value.__struct_config__
        if config.tag_field is not None:
            found[f"{path}.{config.tag_field}"] = config.tag
        for field in value.__struct_fields__:
            _walk(f"{path}.{field}", getattr(value, field), found)
    elif isinstance(value, tuple) and value and type(value[0]) in _KEYS:
        key = _KEYS[type(value[0])]
        for item in value:
            _walk_item(f"{path}.{getattr(item, key)}", item, key, found)
    else:
        found[path] = msgspec.to_builtins(value)


def _walk_item(path: str, item: Any, key: str, found: Leaves) -> None:
    """Walk what the path names; of a turn record only what a unit did."""
    record = type(item) is UnitTurn
    for field in msgspec.structs.fields(item):
        value = getattr(item, field.name)
        if field.name != key and not (record and value == field.default):
            _walk(f"{path}.{field.name}", value, found)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Leaves, list[str]]:
    """Return the leaves that are new or other after, and the paths that are gone.

    >>> changes({"a": 1, "b": 2}, {"a": 1, "c": 3})
    ({'c': 3}, ['b'])
    """
    new = {path: value for path, value in after.items() if before.get(path, _NONE) != value}
    return new, [path for path in before if path not in after]


def applied(before: Leaves, new: Mapping[str, Any], gone: Iterable[str]) -> None:
    """Bring leaves up to date, in place; the inverse of `changes`."""
    for path in gone:
        before.pop(path, None)
    before.update(new)


_NONE = object()
