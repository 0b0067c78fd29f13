"""Marks of a copied game: where they may stand. Elsewhere they would change a game's dice."""

from __future__ import annotations

from collections.abc import Sequence

from events.codec import split_events, stored_tag, tag_of
from events.errors import LedgerError
from events.history import ForkedFrom, LinkKept, SaltKept, SeedChanged
from events.steps import UNREADABLE, Step

_FORKED, _RESEEDED = tag_of(ForkedFrom), tag_of(SeedChanged)
_COPIED = (_FORKED, _RESEEDED, tag_of(SaltKept), tag_of(LinkKept))


def _tag(step: Step) -> str:
    """Return the tag that a row begins with; "" where it is no row, which others name."""
    try:
        return stored_tag(split_events(step.events)[0])
    except (*UNREADABLE, IndexError):
        return ""


def stray_mark(steps: Sequence[Step], here: int) -> tuple[int, str] | None:
    """Return the first mark that changes dice outside what a fork copied: its step, and why.

    A fork comes whole, under an id of its own: none of them goes on from the `here` steps that are
    known. In a whole game they stand before its last `ForkedFrom`, or right after it.
    """
    marks = [(step.n, tag) for step in steps if (tag := _tag(step)) in _COPIED]
    forked = max((n for n, tag in marks if tag == _FORKED), default=0)
    for n, tag in marks:
        if n > here and (here or n > forked + (tag == _RESEEDED)):
            reason = f"{tag} is a mark of a copied game and changes its dice; a fork comes whole,"
            return n, f"{reason} under an id of its own"
    return None


def check_copied(game: str, steps: Sequence[Step], here: int) -> None:
    """Refuse a `stray_mark`. Raises LedgerError naming the step."""
    stray = stray_mark(steps, here)
    if stray is not None:
        raise LedgerError(f"{game} step {stray[0]}", stray[1])
