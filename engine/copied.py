"""Marks of a copied game: where they may stand. Elsewhere they would change a game's dice."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from events.codec import tag_of
from events.errors import LedgerError
from events.history import ForkedFrom, LinkKept, SaltKept, SeedChanged
from events.steps import Step

_FORKED, _RESEEDED = tag_of(ForkedFrom), tag_of(SeedChanged)
_COPIED = (_FORKED, _RESEEDED, tag_of(SaltKept), tag_of(LinkKept))


class _Tag(msgspec.Struct):
    type: str


_tags = msgspec.json.Decoder(list[_Tag])


def _tag(step: Step) -> str:
    """Return the tag that a row begins with; "" where it is no row, which others name."""
    try:
        return _tags.decode(step.events)[0].type
    except (msgspec.MsgspecError, IndexError, RecursionError):
        return ""


def check_copied(game: str, steps: Sequence[Step], here: int) -> None:
    """Refuse marks by which dice are changed outside what a fork copied.

    A fork comes whole, under an id of its own: none of them goes on from the `here` steps that are
    known. In a whole game they stand before its last `ForkedFrom`, or right after it. Raises
    LedgerError naming the step.
    """
    marks = [(step.n, tag) for step in steps if (tag := _tag(step)) in _COPIED]
    forked = max((n for n, tag in marks if tag == _FORKED), default=0)
    for n, tag in marks:
        if n > here and (here or n > forked + (tag == _RESEEDED)):
            raise LedgerError(
                f"{game} step {n}",
                f"{tag} is a mark of a copied game and changes its dice; a fork comes whole, under"
                " an id of its own",
            )
