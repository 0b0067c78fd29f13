"""What an import did with a roster: one plain sentence for everything that wasn't plain sailing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from engine.armies.special_rules import standing
from engine.rules.special_rules import applied, matters
from events.base import Value
from events.errors import RosterError
from events.values import Army

Level = Literal["error", "warning", "not recognised", "not applied", "inferred"]
"""How much an entry weighs, worst first. Only an ``"error"`` keeps an army off the table."""


class Entry(Value, frozen=True, gc=False):
    """One thing to know about the import."""

    level: Level
    path: str
    """The selection it is about, from the unit's id down: ``"immortals / Gauss Blaster"``."""
    text: str


class ImportReport(Value, frozen=True, gc=False):
    """Everything inferred, not applied, not recognised or wrong, in roster order."""

    entries: tuple[Entry, ...] = ()

    def of(self, level: Level) -> tuple[Entry, ...]:
        """Return the entries of one level, in roster order."""
        return tuple(entry for entry in self.entries if entry.level == level)


class Imported(Value, frozen=True, gc=False):
    """An army as read and the report on reading it."""

    army: Army
    report: ImportReport

    @property
    def errors(self) -> tuple[Entry, ...]:
        """The entries a game refuses to start with."""
        return self.report.of("error")

    @property
    def playable(self) -> bool:
        """Whether a game may start with this army."""
        return not self.errors

    def ready(self) -> Army:
        """Return the army if a game may start with it.

        Raises RosterError naming each unit, profile and field that stands in the way.
        """
        if self.errors:
            reasons = "; ".join(f"{entry.path}: {entry.text}" for entry in self.errors)
            raise RosterError(self.army.source.file, reasons)
        return self.army


class Notes:
    """The report being written. The same note on the same selection is kept once."""

    def __init__(self) -> None:
        self._entries: dict[Entry, None] = {}

    def add(self, level: Level, path: str, text: str) -> None:
        """Write one entry down."""
        self._entries[Entry(level, path, text)] = None

    def leave(self, path: str, name: str, of: str = "") -> None:
        """Write down that a special rule or item of wargear is kept by name and not applied.

        `of` is the weapon it belongs to. A name that is no known rule is "not recognised" as well;
        nothing is said of a rule that play applies in full.
        """
        if applied(name):
            return
        known = standing(name)
        level: Level = "not recognised" if known == "not recognised" else "not applied"
        done = "applied in part" if matters(name) else "not applied"
        self.add(level, path, f"{done}: {name}{f' ({of})' if of else ''}, {known}")

    def extend(self, notes: Notes) -> None:
        """Add the entries of other notes after these."""
        self._entries.update(notes._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def report(self) -> ImportReport:
        """Return what was written, in order."""
        return ImportReport(tuple(self._entries))
