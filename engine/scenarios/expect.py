"""``expect``: facts in order, facts that must not happen, and what the battle looks like after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.notation import to_point
from engine.scenarios.documents import Entry
from events.base import Event
from events.codec import EVENT_TYPES, tag_of
from projections.battle import Battle, Unit, UnitTurn
from projections.queries import has_unit, turn_of, unit_of

NAMES: dict[str, type[Event]] = {tag_of(cls).partition("/")[0]: cls for cls in EVENT_TYPES}
"""Every event by its name in a scenario: the tag without its version, such as charge_failed."""

EXPECT = ("facts", "no_facts", "counts", "battle")
BATTLE = ("units", "score", "question", "outcome", "clock", "phase")
_TURN = tuple(name for name in UnitTurn.__struct_fields__ if name != "unit")
UNIT = ("models", "at", "lost", "locked", "falling_back", "gone_to_ground", *_TURN)
_BY_TAG = {"question": "ask", "outcome": "winner"}
"""What a single word means there: ``question: shoot``, ``outcome: red`` (or draw), or none."""
_NUMBER = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Expected:
    """A fact that is expected: its name, and the fields that matter."""

    where: str
    name: str
    fields: dict[str, Any]

    def met_by(self, event: Event) -> bool:
        """Whether this event is the one."""
        return type(event) is NAMES[self.name] and fits(self.fields, plain(event))

    def __str__(self) -> str:
        fields = ", ".join(f"{key}: {value}" for key, value in self.fields.items())
        return f"{self.name} {{{fields}}}" if fields else self.name


@dataclass(frozen=True, slots=True)
class Expectation:
    """Everything a scenario expects."""

    facts: tuple[Expected, ...] = ()
    no_facts: tuple[Expected, ...] = ()
    counts: tuple[tuple[Expected, int], ...] = ()
    battle: tuple[tuple[str, tuple[str, ...], Any], ...] = ()
    """``file:line``, the path of keys to what is looked at, and the value expected there."""


def read_expect(entry: Entry) -> Expectation:
    """Return the expectations of a file. Raises ScenarioError naming file and line."""
    fields = entry.fields(EXPECT)
    facts, no_facts = (
        tuple(_expected(item) for item in fields[key].items()) if key in fields else ()
        for key in ("facts", "no_facts")
    )
    pairs = fields["counts"].pairs() if "counts" in fields else ()
    counts = tuple((_expected(key), value.whole()) for key, value in pairs)
    battle = _read_battle(fields["battle"]) if "battle" in fields else []
    return Expectation(facts, no_facts, counts, tuple(battle))


def _expected(entry: Entry) -> Expected:
    """Return a fact written as its name, or as its name with fields."""
    if entry.is_text:
        return Expected(entry.where, _event_name(entry), {})
    pairs = list(entry.pairs())
    if len(pairs) != 1:
        entry.refuse("one fact, such as charge_failed: {unit: boyz}")
    key, value = pairs[0]
    name = _event_name(key)
    known = NAMES[name].__struct_fields__
    fields = value.fields(known) if not value.is_empty else {}
    return Expected(key.where, name, value.plain() if fields else {})


def _event_name(entry: Entry) -> str:
    name = entry.text()
    if name not in NAMES:
        entry.refuse(f"a fact; there are {', '.join(NAMES)}")
    return name


def _read_battle(entry: Entry) -> list[tuple[str, tuple[str, ...], Any]]:
    checks: list[tuple[str, tuple[str, ...], Any]] = []
    fields = entry.fields(BATTLE)
    units = fields.pop("units").named() if "units" in fields else {}
    for unit, looks in units.items():
        for key, value in looks.fields(UNIT).items():
            checks.append((value.where, ("units", unit, key), value.plain()))
    for key, value in fields.items():
        wanted = value.plain()
        if key in _BY_TAG and isinstance(wanted, str) and wanted != "none":
            wanted = {_BY_TAG[key]: "" if wanted == "draw" else wanted}
        checks.append((value.where, (key,), wanted))
    return checks


def plain(value: Any) -> Any:
    """Return a value as lists, mappings and scalars, with every field and its tag written out."""
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        items = {name: plain(getattr(value, name)) for name in value.__struct_fields__}
        if config.array_like:
            return list(items.values())
        if config.tag_field is not None and not isinstance(value, Event):
            items = {config.tag_field: config.tag, **items}
        return items
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def fits(wanted: Any, actual: Any) -> bool:
    """Whether a value is what a scenario says: mappings may leave keys out, lists may not.

    A list may be written as words; places as ``x,y`` in inches, a model's place as ``n:x,y``.

    >>> fits({"by": "6,0"}, {"unit": "boyz", "by": [6000, 0]})
    True
    >>> fits("3 4", [3, 4]), fits("boyz", "lootas")
    (True, False)
    """
    if isinstance(wanted, dict):
        return isinstance(actual, dict) and all(
            key in actual and fits(value, actual[key]) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(actual, list)
            and len(wanted) == len(actual)
            and all(map(fits, wanted, actual))
        )
    if isinstance(actual, list):
        words = str(wanted).split()
        if len(words) == 1 and _place(words[0]) == actual:
            return True
        return len(words) == len(actual) and all(
            item == _place(word) if isinstance(item, list) else str(item) == word
            for word, item in zip(words, actual, strict=True)
        )
    return bool(wanted == actual and type(wanted) is type(actual))


def _place(word: str) -> list[int] | None:
    """Return ``x,y`` or ``n:x,y`` as events hold it, or None."""
    number, colon, at = word.rpartition(":")
    point = to_point(at)
    if point is None or (colon and _NUMBER.fullmatch(number) is None):
        return None
    return [int(number), point.x, point.y] if colon else [point.x, point.y]


def first_difference(
    expectation: Expectation, events: Sequence[Event], battle: Battle
) -> str | None:
    """Return in plain words what first differs from the expectation, or None."""
    start = 0
    for expected in expectation.facts:
        found = next((i for i in range(start, len(events)) if expected.met_by(events[i])), None)
        if found is None:
            return f"{expected.where}: {_missing(expected, events, start)}"
        start = found + 1
    for expected in expectation.no_facts:
        for event in events:
            if expected.met_by(event):
                return f"{expected.where}: {expected} should not happen; it did: {plain(event)}"
    for expected, wanted in expectation.counts:
        count = sum(expected.met_by(event) for event in events)
        if count != wanted:
            return f"{expected.where}: {expected} happened {count} times, expected {wanted}"
    for where, path, value in expectation.battle:
        actual = _look_up(battle, path, isinstance(value, dict))
        if not fits(value, actual):
            return f"{where}: {' '.join(path)} is {actual}, expected {value}"
    return None


def _missing(expected: Expected, events: Sequence[Event], start: int) -> str:
    """Say that a fact did not happen, and what of its kind did."""
    alike = [event for event in events[start:] if type(event) is NAMES[expected.name]]
    if alike:
        return f"expected {expected}; it happened otherwise: {plain(alike[0])}"
    if any(expected.met_by(event) for event in events[:start]):
        return f"expected {expected} here; it happened, but earlier"
    return f"expected {expected}; it did not happen"


def _look_up(battle: Battle, path: tuple[str, ...], by_model: bool) -> Any:
    """Return what a battle check looks at; `by_model` gives `at` and `lost` by model number."""
    if path[0] == "units":
        if not has_unit(battle, path[1]):
            return "no unit of this game"
        return _of_unit(battle, unit_of(battle, path[1]), path[2], by_model)
    looked_at = plain(getattr(battle, path[0]))
    return "none" if looked_at is None else looked_at


def _of_unit(battle: Battle, unit: Unit, key: str, by_model: bool) -> Any:
    if key == "models":
        return len(unit.models)
    if key in ("at", "lost"):
        each = {str(model.n): plain(getattr(model, key)) for model in unit.models}
        if by_model:
            return each
        return list(each.values()) if key == "at" else sum(each.values())
    if key in _TURN:
        return plain(getattr(turn_of(battle, unit.id), key))
    return getattr(unit, key)
