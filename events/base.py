"""The base of every event and its place in a step.

An event's schema version stands in its tag (``wound_allocated/1``), never in a field. [P11]
"""

from __future__ import annotations

from typing import Literal

import msgspec

Side = Literal["red", "blue"]
"""The two players. Display names stand only in `ArmyMustered`."""

SIDES: tuple[Side, Side] = ("red", "blue")
"""Both, in the order in which what concerns both is listed."""

UnitId = str
"""Slug of a unit, fixed and unique in the game at muster, e.g. ``"warriors"``."""

ModelId = str
"""Slug of a model: its unit's slug, a dot, its number from 1, e.g. ``"warriors.3"``."""


def other(side: Side) -> Side:
    """Return the opponent of `side`.

    >>> other("red")
    'blue'
    """
    return "blue" if side == "red" else "red"


class Event(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", kw_only=False
):
    """Something that happened, in the past tense; immutable.

    Defaults are left out of the stored bytes to keep rows small; the chain digest is taken over
    those bytes exactly as stored, so leaving them out can't change a digest. [P2, P4]
    """


class Input(Event, frozen=True, gc=False):
    """An event from outside the rules: re-execution feeds it."""


class Fact(Event, frozen=True, gc=False):
    """An event the rules derived: re-execution must produce it again."""


class Mark(Event, frozen=True, gc=False):
    """An event about the history itself (undo, redo, note): makes no node. [P8]"""


class Value(msgspec.Struct, frozen=True, gc=False):
    """A value inside events and battles. Every field is always written (canonical form, P4)."""
