"""What a game asks of its ledger: sound rows, and whether a request was granted before. [P3]"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from events.base import Event
from events.codec import first_event
from events.errors import LedgerError
from events.ledger import Ledger, RequestReused, Stream
from events.steps import Step, check_chain, read_meta


def sound_rows(ledger: Ledger, game: str) -> list[Step]:
    """Read a game's rows. Raises LedgerError for an unknown game and for a broken chain."""
    steps = ledger.read(game)
    if not steps:
        raise LedgerError(game, "there is no game with this id in the ledger")
    fault = check_chain(game, steps)
    if fault is not None:
        raise LedgerError(f"{game} step {fault.n}", fault.reason)
    return steps


def row_of_request(
    stream: Stream, request: str, folded: int, refresh: Callable[[], object]
) -> Step | None:
    """Return the row that a request made, also where another process stored it; None if new.

    `folded` is the last row taken up here; `refresh` takes up those that came after it.
    """
    step = stream.find(request)
    if step is None and any(read_meta(row).request == request for row in stream.since(folded)):
        refresh()
        step = stream.find(request)
    return step


def same_request(
    game: str, request: str, step: Step, kind: type[Event], asked: Mapping[str, object]
) -> Event:
    """Return what the request made: an event of this kind with the fields given (None: any).

    Raises RequestReused where it was another.
    """
    first = first_event(step.events)
    if type(first) is not kind or any(
        value not in (None, getattr(first, field)) for field, value in asked.items()
    ):
        raise RequestReused(game, request, step)
    return first
