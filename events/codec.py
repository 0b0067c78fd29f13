"""Events to bytes and back: one tagged union, JSON, old versions upcast on the way in. [P11]"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Union

import msgspec

from events import assault, attacks, former, game, history, morale, movement, rulings, terrain
from events.base import Event, Fact, Input, Mark
from events.choices import AnyChoice
from events.errors import IllegalChoice, LedgerError
from events.steps import UNREADABLE
from events.unwritable import UNWRITABLE, unwritable


def _released(*modules: object) -> tuple[type[Event], ...]:
    """Collect the event classes of these modules in the order they are written there."""
    bases = (Event, Fact, Input, Mark)
    return tuple(
        cls
        for module in modules
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, Event) and cls not in bases
    )


EVENT_TYPES: tuple[type[Event], ...] = _released(
    game, movement, terrain, attacks, assault, morale, rulings, history
)
"""Every current event class. A test sees to it that each has a reducer and a golden stream."""

UPCASTERS: dict[type[Event], Callable[[Event], Event]] = former.UPCASTERS
"""Old event class to the function that makes it the next version. Old classes are decoded too."""

_encoder = msgspec.json.Encoder()
_current = Union[EVENT_TYPES]  # type: ignore[valid-type]  # noqa: UP007
_all = Union[EVENT_TYPES + tuple(UPCASTERS)]  # type: ignore[valid-type]  # noqa: UP007
_one: msgspec.json.Decoder[Event] = msgspec.json.Decoder(_all)
_many: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[_current])
_former: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[_all])  # type: ignore[valid-type]
_raws: msgspec.json.Decoder[list[msgspec.Raw]] = msgspec.json.Decoder(list[msgspec.Raw])

encode_event: Callable[[Event], bytes] = _encoder.encode
"""Encode one event to its stored bytes."""

decode_event: Callable[[bytes], Event] = _one.decode
"""Decode one current event from its stored bytes, checking every field. Raises msgspec errors."""


def written(event: Event) -> bytes:
    """Encode an event that came from outside, seeing to it that it can be decoded again.

    Raises LedgerError naming the field, its value and what would be right.

    >>> from events.history import Noted
    >>> written(Noted("purple", "a slip"))
    Traceback (most recent call last):
    events.errors.LedgerError: by: 'purple': it must be 'red' or 'blue'
    """
    try:
        encoded = _encoder.encode(event)
        _one.decode(encoded)
    except UNWRITABLE as error:
        raise LedgerError(*unwritable(event, error)) from error
    return encoded


def join_events(encoded: Iterable[bytes]) -> bytes:
    """Join encoded events to the JSON array that a step stores."""
    return b"[" + b",".join(encoded) + b"]"


FORMER = frozenset(str(old.__struct_config__.tag) for old in UPCASTERS)
"""Tags of former versions."""


class _Tagged(msgspec.Struct):
    type: str


def split_events(data: bytes) -> list[bytes]:
    """Return the stored bytes of each event of a step that has been decoded."""
    return [bytes(raw) for raw in _raws.decode(data)]


def stored_tag(encoded: bytes) -> str:
    """Return the tag that an event is stored under, be it a former one."""
    return msgspec.json.decode(encoded, type=_Tagged).type


def upcast(event: Event) -> Event:
    """Bring an event of an old version to the current one."""
    while (step := UPCASTERS.get(type(event))) is not None:
        event = step(event)
    return event


def decode_events(data: bytes) -> list[Event]:
    """Decode the stored array of a step and upcast what is old.

    Raises LedgerError naming the field that is wrong. About 1 microsecond an event.
    """
    try:
        return _many.decode(data)
    except UNREADABLE:  # with an event of a former version, perhaps: few steps have one
        pass
    try:
        return [upcast(event) for event in _former.decode(data)]
    except UNREADABLE as error:
        raise LedgerError("events", f"not the events of a step: {error}") from error


def first_event(data: bytes) -> Event | None:
    """Decode the first event of a stored array alone, upcast; None if there is none.

    Raises LedgerError. A muster's armies, say, are skipped: a third of the time.
    """
    try:
        events = _raws.decode(data)
        return upcast(_one.decode(events[0])) if events else None
    except UNREADABLE as error:
        raise LedgerError("events", f"not the events of a step: {error}") from error


def tag_of(event_type: type[Event]) -> str:
    """Return an event class's tag, version included.

    >>> from events.movement import UnitMoved
    >>> tag_of(UnitMoved)
    'unit_moved/1'
    """
    return str(event_type.__struct_config__.tag)


_read_choice: msgspec.json.Decoder[AnyChoice] = msgspec.json.Decoder(AnyChoice)


def canonical(choice: AnyChoice) -> AnyChoice:
    """Return a choice as it will be stored: what is checked is what is kept. [P2, P6]

    Raises IllegalChoice naming the field where a value is not of its type. About 2 microseconds.

    >>> from events.choices import MoveUnit
    >>> from events.values import Point
    >>> canonical(MoveUnit("boyz", Point("6", 0)))
    Traceback (most recent call last):
    events.errors.IllegalChoice: choice: MoveUnit: Expected `int`, got `str` - at `$.by[0]`
    """
    try:
        return _read_choice.decode(_encoder.encode(choice))
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        if isinstance(choice, str):
            reason = f"{choice!r:.60} is a line: `engine.notation.resolve` makes it a choice"
            raise IllegalChoice("choice", reason) from error
        raise IllegalChoice("choice", f"{type(choice).__name__}: {error}") from error
