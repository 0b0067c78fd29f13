"""Failures: the ways a game can go wrong, and when two of them are the same one.

A failure is told by what stays the same from machine to machine and from one version to the next:
an exception by its type and place, a refusal by its rule, an invariant by its name, a difference
by the event and its fields. Messages and values are there to be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from traceback import FrameSummary, extract_tb
from types import TracebackType
from typing import Any

import msgspec

from events.base import Event, Input
from events.codec import tag_of
from events.errors import IllegalChoice

OURS = ("events", "projections", "engine", "replay", "table")
"""The packages whose functions can be the place of a failure."""

STATE = "state"
"""What a difference is in when all events are equal and the battle is not."""


class Difference(msgspec.Struct, frozen=True):
    """One field: as recorded, as executed again, both as text."""

    field: str
    recorded: str
    executed: str


class Raised(msgspec.Struct, frozen=True, tag_field="kind", tag="raised"):
    """A rule, a check or a reducer raised an exception."""

    error: str
    """Name of its type."""
    place: str
    """Innermost function of ours: ``engine/rules/charging.py:charge``."""
    message: str = ""
    trace: tuple[str, ...] = ()
    """``file:line function``, outermost first."""


class Refused(msgspec.Struct, frozen=True, tag_field="kind", tag="refused"):
    """The attempted choice is illegal by this rule; the reporter thinks otherwise."""

    rule: str
    reason: str = ""


class Broken(msgspec.Struct, frozen=True, tag_field="kind", tag="broken"):
    """An invariant doesn't hold after a step."""

    invariant: str
    words: str = ""


class Differs(msgspec.Struct, frozen=True, tag_field="kind", tag="differs"):
    """The rules did not meet what was recorded."""

    event: str
    """Tag of the recorded event, "" where the record ends, `STATE` where only the battle differs.
    """
    executed: str = ""
    """Tag of the event in its place, "" where the rules stop."""
    fields: tuple[Difference, ...] = ()
    """Where both are of one kind."""
    index: int = -1
    """Index of the event in its step."""


Failure = Raised | Refused | Broken | Differs


def mark_of_failure(failure: Failure) -> tuple[Any, ...]:
    """Return what a failure is told by.

    >>> mark_of_failure(Raised("KeyError", "engine/ask.py:f", "'boyz'"))
    ('Raised', 'KeyError', 'engine/ask.py:f')
    """
    match failure:
        case Raised(error, place):
            key: tuple[Any, ...] = error, place
        case Refused(rule):
            key = (rule,)
        case Broken(invariant):
            key = (invariant,)
        case Differs(event, executed, fields):
            # Units are dropped when a game is shrunk: of a path only its last word counts.
            key = event, executed, tuple(sorted({f.field.rpartition(".")[2] for f in fields}))
    return type(failure).__name__, *key


def same(one: Failure | None, other: Failure | None) -> bool:
    """Whether two failures are the same one (or both are none)."""
    if one is None or other is None:
        return one is other
    return mark_of_failure(one) == mark_of_failure(other)


def told(failure: Failure | None) -> str:
    """Say a failure in one line.

    >>> told(Broken("contact locks", "boyz touches warriors and is not locked"))
    'broken: contact locks (boyz touches warriors and is not locked)'
    """
    match failure:
        case None:
            return "nothing failed"
        case Raised(error, place, message):
            return f"{error} at {place}" + (f": {message}" if message else "")
        case Refused(rule, reason):
            return f"refused by {rule}" + (f": {reason}" if reason else "")
        case Broken(invariant, words):
            return f"broken: {invariant}" + (f" ({words})" if words else "")
        case Differs(event, executed, fields):
            if not event:
                return f"the rules go on with {executed}, the record does not"
            if not executed:
                return f"{event} was recorded, the rules stop before it"
            if event != executed:
                return f"{event} was recorded, the rules say {executed}"
            names = ", ".join(f.field for f in fields)
            return f"{event} differs" + (f" in {names}" if names else "")


def raised(error: BaseException) -> Raised:
    """Return an exception as a failure."""
    frames = list(_frames(error.__traceback__))
    ours = [(module, summary) for module, summary in frames if module.partition(".")[0] in OURS]
    place = ""
    if ours:
        module, summary = ours[-1]
        place = f"{_file(module)}:{summary.name}"
    trace = tuple(f"{_file(module)}:{frame.lineno} {frame.name}" for module, frame in frames)
    return Raised(type(error).__name__, place, str(error), trace)


def failed(error: BaseException) -> Failure:
    """Return what an attempted choice came to: refused by a rule, or an exception."""
    if isinstance(error, IllegalChoice):
        return Refused(error.where, error.reason)
    return raised(error)


def attempted_in(error: BaseException) -> tuple[Input | None, list[Event]]:
    """Return the input that a failed step began with, and the events it had come to.

    The game has dropped them; the frames that the exception went through still hold them. So even
    what can't be made again is known, the dice among it.
    """
    event: Input | None = None
    made: list[Event] = []
    trace = error.__traceback__
    while trace is not None:
        code, names = trace.tb_frame.f_code, trace.tb_frame.f_locals
        if code.co_qualname == "Play.answer":
            event = names.get("event")
        elif code.co_qualname in ("Runner.advance", "Runner.create"):
            action = names.get("action")
            made = list(action.events) if action is not None else []
        trace = trace.tb_next
    return event, made


def _frames(trace: TracebackType | None) -> Iterator[tuple[str, FrameSummary]]:
    """Yield each frame's module with its summary, outermost first."""
    summaries = iter(extract_tb(trace))
    while trace is not None:
        yield str(trace.tb_frame.f_globals.get("__name__", "?")), next(summaries)
        trace = trace.tb_next


def _file(module: str) -> str:
    return f"{module.replace('.', '/')}.py"


def difference(recorded: Sequence[Event], executed: Sequence[Event]) -> Differs | None:
    """Return the first difference of two lists of events, or None.

    >>> from events.movement import UnitMoved
    >>> from events.game import PhaseClosing
    >>> told(difference([PhaseClosing()], []))
    'phase_closing/1 was recorded, the rules stop before it'
    """
    for index, (then, now) in enumerate(zip(recorded, executed, strict=False)):
        if then != now:
            return _between(index, then, now)
    index = min(len(recorded), len(executed))
    if len(recorded) > index:
        return Differs(tag_of(type(recorded[index])), "", (), index)
    if len(executed) > index:
        return Differs("", tag_of(type(executed[index])), (), index)
    return None


def _between(index: int, then: Event, now: Event) -> Differs:
    was, is_now = tag_of(type(then)), tag_of(type(now))
    if was != is_now:
        return Differs(was, is_now, (), index)
    fields = tuple(
        Difference(field, repr(getattr(then, field)), repr(getattr(now, field)))
        for field in then.__struct_fields__
        if getattr(then, field) != getattr(now, field)
    )
    return Differs(was, is_now, fields, index)
