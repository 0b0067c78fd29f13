"""Former versions of events, and how each becomes the next one. [P11]

Streams that hold them stay as they are: the chain is taken over stored bytes, which nothing
rewrites. An old class is never changed and never removed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from events.base import Event, Input
from events.game import DiceAfterUndo, GameCreated, UndoPolicy
from events.values import Table


class GameCreated1(Input, frozen=True, gc=False, tag="game_created/1"):
    """`GameCreated` before dice could be revealed: nobody commits to anything."""

    ruleset: str
    rules: int
    seed: str
    dice: Literal["seeded", "entered"]
    algorithm: str
    undo: UndoPolicy
    dice_after_undo: DiceAfterUndo
    table: Table


def _created(old: Event) -> Event:
    assert isinstance(old, GameCreated1)
    return GameCreated(*(getattr(old, field) for field in old.__struct_fields__))


UPCASTERS: dict[type[Event], Callable[[Event], Event]] = {GameCreated1: _created}
"""Old event class to the function that makes it the next version."""
