"""YAML as a tree of text with line numbers, and nothing else of YAML.

Built from the parser's events: no tag constructs anything, every scalar stays the text that was
written ("+2" is no number here, "no" no truth value), anchors and aliases are refused, and size,
depth and count are bounded before memory is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NoReturn

import yaml

from events.errors import RosterError

MAX_BYTES = 300_000
"""Largest file read; a big army takes about 10 kB."""
MAX_ENTRIES = 30_000
"""Most values read."""
MAX_DEPTH = 12
"""Deepest nesting read; an army file needs 6."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOTHING = ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True, slots=True)
class Entry:
    """A value and where it stands. What reads one raises RosterError naming file and line."""

    file: str
    line: int
    kind: Literal["value", "list", "mapping"]
    value: str
    """The text of a value; none for a list or a mapping."""
    held: list[Entry]
    """The items of a list; keys and values of a mapping in turn."""

    @property
    def where(self) -> str:
        """The value's ``file:line``."""
        return f"{self.file}:{self.line}"

    def refuse(self, right: str) -> NoReturn:
        """Refuse this value; `right` says what belongs here."""
        what = repr(self.value[:60]) if self.kind == "value" else f"a {self.kind}"
        raise RosterError(self.where, f"{what} is not {right}")

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written here."""
        return self.kind == "value" and not self.value

    def text(self) -> str:
        """Return the text as written."""
        if self.kind != "value":
            self.refuse("a single value")
        return self.value

    def items(self) -> list[Entry]:
        """Return the items of a list; one value alone is a list of one, nothing an empty one."""
        if self.is_empty:
            return []
        return self.held if self.kind == "list" else [self]

    def pairs(self) -> list[tuple[Entry, Entry]]:
        """Return a mapping's keys and values in order; nothing is an empty one."""
        if self.is_empty:
            return []
        if self.kind != "mapping":
            self.refuse("a mapping (name: value)")
        return list(zip(self.held[::2], self.held[1::2], strict=True))

    def fields(self, known: Collection[str]) -> dict[str, Entry]:
        """Return a mapping whose keys must be among `known`, in any case, each at most once."""
        found: dict[str, Entry] = {}
        for key, value in self.pairs():
            name = key.text().lower()
            if name not in known:
                near = get_close_matches(name, known, 1)
                right = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}"
                raise RosterError(key.where, f"unknown key {key.text()[:60]!r}; {right}")
            if name in found:
                raise RosterError(key.where, f"{name!r} is here twice; keep one")
            found[name] = value
        return found

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        text = self.text()
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
            self.refuse(f"a whole number from {low} to {high}")
        if not low <= int(text) <= high:
            self.refuse(f"a whole number from {low} to {high}")
        return int(text)


def read_yaml(text: str, file: str) -> Entry:
    """Return the root of a YAML file. Raises RosterError for what isn't one safe document."""
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise RosterError(file, f"larger than {MAX_BYTES:,} bytes: too large for an army file")
    try:
        root = _build(text, file)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{file}:{mark.line + 1}" if mark is not None else file
        told = getattr(error, "problem", None) or getattr(error, "reason", None) or "damaged"
        raise RosterError(where, f"not YAML that can be read: {told}") from error
    if root is None:
        raise RosterError(file, "empty; an army file has army, weapons, profiles and units")
    return root


def _build(text: str, file: str) -> Entry | None:
    """Fold the parser's events into entries."""
    root: Entry | None = None
    above: list[Entry] = []
    for count, event in enumerate(_events(text)):
        mark = event.start_mark
        line = mark.line + 1 if mark else 1
        where = f"{file}:{line}"
        if count > MAX_ENTRIES:
            raise RosterError(where, f"more than {MAX_ENTRIES:,} values: too large for an army")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise RosterError(where, "anchors and aliases are not read; write the value out")
        if isinstance(event, yaml.DocumentStartEvent) and root is not None:
            raise RosterError(where, "a second document; one army to a file")
        if isinstance(event, yaml.CollectionEndEvent):
            above.pop()
            continue
        if isinstance(event, yaml.ScalarEvent):
            nothing = event.implicit[0] and event.value in _NOTHING
            entry = Entry(file, line, "value", "" if nothing else event.value, [])
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            is_list = isinstance(event, yaml.SequenceStartEvent)
            entry = Entry(file, line, "list" if is_list else "mapping", "", [])
        else:
            continue
        if above:
            above[-1].held.append(entry)
        else:
            root = entry
        if entry.kind != "value":
            if len(above) >= MAX_DEPTH:
                raise RosterError(where, f"nested deeper than {MAX_DEPTH}")
            above.append(entry)
    return root


def _events(text: str) -> Iterator[yaml.Event]:
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)
    return events
