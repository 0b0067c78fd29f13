"""What a catalogue offers: options with their profiles, costs and limits, links resolved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from engine.armies.field_text import points_text
from engine.armies.models import armoured_type, is_body
from engine.armies.rosters import Line
from events.base import Value

OptionKind = Literal["unit", "model", "upgrade", "group"]
"""Kinds of entry; a ``"group"`` is no choice itself, its options are."""


class Limit(Value, frozen=True, gc=False):
    """How often an option is chosen at least or at most, or for how many points."""

    id: str
    kind: Literal["min", "max"]
    value: int
    """A number of choices, or hundredths of a point."""
    field: Literal["selections", "points"]
    scope: str
    """``"parent"``, ``"force"``, ``"roster"``, or the id of an entry that it is counted within."""
    certain: bool = True
    """Whether no modifier with a condition may change it."""

    def __str__(self) -> str:
        value = f"{points_text(self.value)} points" if self.field == "points" else str(self.value)
        within = self.scope if self.scope in ("parent", "force", "roster") else "entry"
        return f"{self.kind} {value} in {within}"


class Option(Value, frozen=True, gc=False):
    """An entry or a group with everything that may be chosen under it."""

    id: str
    """Id of the entry itself; links to one entry share it."""
    link: str
    """Id of the link it was reached by, or "" for an entry that stands in place."""
    name: str
    kind: OptionKind
    cost: int
    """Hundredths of a point for one, without what is chosen under it."""
    limits: tuple[Limit, ...]
    lines: tuple[Line, ...]
    """Profiles with the modifiers that always hold applied."""
    rules: tuple[str, ...]
    options: tuple[Option, ...]
    default: str = ""
    """Of a group: id of the entry or link that is taken where nothing is chosen."""
    hidden: bool = False
    not_applied: tuple[str, ...] = ()
    """Modifiers that hold only under a condition, one sentence each."""

    def walk(self) -> Iterator[Option]:
        """Yield this option and all below it, in file order."""
        todo = [self]
        while todo:
            option = todo.pop()
            yield option
            todo += reversed(option.options)

    def choices(self) -> Iterator[Option]:
        """Yield what can be chosen directly under this: its options, those of groups in place."""
        for option in self.options:
            if option.hidden:
                continue
            if option.kind == "group":
                yield from option.choices()
            else:
                yield option

    @property
    def is_unit(self) -> bool:
        """Whether this puts models on the table; the others are choices for the army."""
        return any(
            option.kind in ("unit", "model")
            or any(is_body(line) or armoured_type(line) for line in option.lines)
            for option in self.walk()
        )

    def is_called(self, target: str) -> bool:
        """Whether `target` is the id of this option or of the link it was reached by."""
        return target in (self.id, self.link)
