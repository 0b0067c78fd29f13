"""What a game asks of its ledger and of its callers: sound rows, granted requests, values. [P3]"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.undo import MOVES
from events.base import Event, Side
from events.codec import first_event
from events.errors import DiceError, LedgerError
from events.ledger import Ledger, RequestReused, Stream
from events.steps import Step, check_chain, read_meta
from projections.history import History, Node


def sound_rows(ledger: Ledger, game: str) -> list[Step]:
    """Read a game's rows. Raises LedgerError for an unknown game and for a broken chain."""
    steps = ledger.read(game)
    if not steps:
        raise LedgerError(game, "there is no game with this id in the ledger")
    fault = check_chain(game, steps)
    if fault is not None:
        raise LedgerError(f"{game} step {fault.n}", fault.reason)
    return steps


def whole(field: str, value: int | None) -> None:
    """Raise LedgerError naming the field where a step's number is no number: "x", 2.0, True."""
    if value is not None and type(value) is not int:
        raise LedgerError(field, f"a step's number is whole, such as 12; it can't be {value!r}")


def listed(faces: Sequence[int]) -> tuple[int, ...]:
    """Return faces that were typed in; raises DiceError where they are no list of numbers."""
    wrong = DiceError("faces", f"give the faces in order, such as [4, 1]; not {faces!r:.60}")
    try:
        given = tuple(faces)
    except TypeError:
        raise wrong from None
    if any(type(face) is not int for face in given):
        raise wrong
    return given


def named(by: Side | None) -> Side | None:
    """Return a side, or None for none; raises LedgerError for whatever else was given."""
    if by is None or (isinstance(by, str) and by in ("red", "blue")):
        return by
    raise LedgerError("by", f"{by!r:.60}: it must be 'red' or 'blue'")


def row_of_request(
    stream: Stream, request: str, folded: int, refresh: Callable[[], object]
) -> Step | None:
    """Return the row that a request made, also where another process stored it; None if new.

    `folded` is the last row taken up here; `refresh` takes up those that came after it, and is
    called only where the request's is one of them. Raises LedgerError for an id that is no text.
    """
    if not isinstance(request, str):
        raise LedgerError("request", f"a request's id is text, not {request!r}")
    step = stream.find(request)
    if step is None:
        step = next((row for row in stream.unread() if read_meta(row).request == request), None)
    if step is not None and step.n > folded:
        refresh()
    return step


def done_before(
    stream: Stream,
    history: History,
    refresh: Callable[[], object],
    request: str,
    kind: type[Event],
    asked: Mapping[str, object],
) -> Node | None:
    """Return where a request led before; None if it is new. [P3]

    It must have made an event of this kind with the fields asked (None: any). Raises RequestReused
    if not, and LedgerError for an id that is no text.
    """
    step = row_of_request(stream, request, history.last, refresh)
    if step is None:
        return None
    first = first_event(step.events)
    if type(first) is not kind or any(
        value not in (None, getattr(first, field)) for field, value in asked.items()
    ):
        raise RequestReused(stream.game, request, step)
    return history.nodes.get(first.to if isinstance(first, MOVES) else step.n, history.head)
