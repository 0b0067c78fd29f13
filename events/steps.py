"""Steps as they are stored: the row's wire form and the two chains that protect it. [P3, P4]

A step is one input and everything the rules did with it. Its row is one JSON object that any tool
can read (a long one is stored packed by zlib: `events.mapper`)::

    {"events":[...],"state":"..","schema":1,"chain":"..","meta":{...},"seal":".."}

`chain` covers the number, the event bytes exactly as stored, the state digest and its schema;
`seal` is a second chain, over the row's metadata alone, so that wall-clock time and names stand
outside the game's own digest. Both start from the game's id: a stream can't pass as another's.
No chain shows a cut tail or one recomputed from end to end: compare the head with another copy's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from typing import Literal

import msgspec

from events.errors import LedgerError
from events.unwritable import UNWRITABLE, unwritable

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading stored bytes raises where they aren't what they should be."""


class Meta(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Who appended a step, when, and at whose request. Never reaches a rule. [P1]"""

    at: int
    """Wall-clock time in milliseconds since 1970."""
    actor: str = ""
    request: str = ""
    """Id of the request that made the step; ``""`` for none. At most one step has it. [P3]"""
    bot: str = ""
    """Name of the bot that answered; ``""`` for a person or a program of the caller's."""


class Step(msgspec.Struct, frozen=True, gc=False):
    """One stored step; `events` and `meta` are the bytes exactly as stored. [P4]"""

    n: int
    """Stream number, from 1, without gaps."""
    events: bytes
    """A JSON array of tagged events."""
    state: str
    """Hex digest of the battle after the step."""
    schema: int
    """State schema the digest was taken under."""
    chain: str
    """`chain_link` of this step, 40 hex digits."""
    meta: bytes
    """`Meta` as JSON."""
    seal: str
    """`seal_link` of this step, 20 hex digits."""


class BadRow(msgspec.Struct, frozen=True, gc=False):
    """A stored row that can't be read as a step, and why."""

    n: int
    """Its stream number; 0 where what stands for the number is no integer."""
    reason: str


class Fault(msgspec.Struct, frozen=True, gc=False):
    """The first thing wrong with a stream: at which step, of what kind, in plain words."""

    n: int
    kind: Literal["decode", "number", "chain", "seal", "head"]
    reason: str


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The wire form; Raw keeps the very bytes."""

    events: msgspec.Raw
    state: str
    schema: int
    chain: str
    meta: msgspec.Raw
    seal: str


_match_end = re.compile(
    rb'(?<=\]),"state":"(.{32})","schema":(0|[1-9]\d{0,8}),"chain":"(.{40})",'
    rb'"meta":(\{.*\}),"seal":"(.{20})"\}',
    re.DOTALL,
).fullmatch
"""What follows the events in nearly every row: half the time of reading all of it as JSON."""

_read_row = msgspec.json.Decoder(_Row).decode
_read_meta = msgspec.json.Decoder(Meta).decode
_write_meta = msgspec.json.Encoder().encode

# Copied for each link: a third of the time that making one takes.
_chain = blake2b(digest_size=20, person=b"chain")
_seal = blake2b(digest_size=10, person=b"seal")


LONGEST_ID = 100
"""Characters in a game's id, at most."""


def check_game_id(game: str) -> None:
    """Raise LedgerError where `game` can't be a game's id: it must fit a line and a file.

    >>> check_game_id("*games")
    Traceback (most recent call last):
    events.errors.LedgerError: game id '*games': it must not start with a star
    """
    where = f"game id {game!r:.60}"
    if not isinstance(game, str):
        raise LedgerError(where, "it must be text")
    if not game:
        raise LedgerError(where, "it must not be empty")
    if len(game) > LONGEST_ID:
        raise LedgerError(where, f"it has {len(game)} characters, {LONGEST_ID} are the most")
    if game.startswith("*"):
        raise LedgerError(where, "it must not start with a star")
    if not game.isprintable() or game != game.strip():
        raise LedgerError(where, "it must be of printable characters, without a space at an end")


def genesis(game: str) -> str:
    """Return the link before step 1 of `game`, for both chains.

    >>> genesis("prologue")
    'dfceac5b899111efbaf91e57536b649af2a4ed81'
    """
    return blake2b(game.encode(), digest_size=20, person=b"game").hexdigest()


def chain_link(previous: str, n: int, events: bytes, state: str, schema: int) -> str:
    """Return the chain digest of step `n`: blake2b-160 in hex. [P4]

    Hashed are the line ``len(previous) n len(events) len(state) schema``, then `previous`,
    `state` and `events`: with the lengths in front no two steps share a preimage.
    """
    link = _chain.copy()
    head = f"{len(previous)} {n} {len(events)} {len(state)} {schema}\n{previous}{state}"
    link.update(head.encode())
    link.update(events)
    return link.hexdigest()


def seal_link(previous: str, n: int, meta: bytes) -> str:
    """Return the seal of step `n`'s metadata: blake2b-80 in hex. [P4]"""
    link = _seal.copy()
    link.update(f"{len(previous)} {n} {len(meta)}\n{previous}".encode() + meta)
    return link.hexdigest()


def next_step(
    game: str, previous: Step | None, events: bytes, state: str, schema: int, meta: Meta
) -> Step:
    """Return the step that follows `previous` (None: the first of `game`), with both links.

    Raises LedgerError, naming the field, for metadata that couldn't be read again.
    """
    n = previous.n + 1 if previous else 1
    chain = previous.chain if previous else genesis(game)
    seal = previous.seal if previous else genesis(game)
    written = _written_meta(meta)
    return Step(
        n,
        events,
        state,
        schema,
        chain_link(chain, n, events, state, schema),
        written,
        seal_link(seal, n, written),
    )


def _written_meta(meta: Meta) -> bytes:
    try:
        written = _write_meta(meta)
        _read_meta(written)
    except UNWRITABLE as error:
        raise LedgerError(*unwritable(meta, error)) from error
    return written


def read_meta(step: Step) -> Meta:
    """Return the step's metadata; raises LedgerError if it isn't `Meta`."""
    try:
        return _read_meta(step.meta)
    except UNREADABLE as error:
        raise LedgerError(f"step {step.n}", f"its metadata can't be read: {error}") from error


def encode_row(step: Step) -> bytes:
    """Return the row's wire form. The stored parts are joined, never encoded again. [P4]

    >>> encode_row(Step(1, b"[]", "0d", 1, "c4", b'{"at":0}', "5e"))
    b'{"events":[],"state":"0d","schema":1,"chain":"c4","meta":{"at":0},"seal":"5e"}'
    """
    return b'{"events":%b,"state":"%b","schema":%d,"chain":"%b","meta":%b,"seal":"%b"}' % (
        step.events,
        step.state.encode(),
        step.schema,
        step.chain.encode(),
        step.meta,
        step.seal.encode(),
    )


def decode_row(n: int, data: bytes) -> Step | BadRow:
    """Read the row of step `n`; anything but the bytes `encode_row` writes is a `BadRow`.

    Being strict about the form (no space, no other key or order) is what lets the two chains
    vouch for every stored byte and not only for the values behind them. [P4] The events and the
    metadata are cut out, not read: `check_chain` and `events.codec.decode_events` see to them.
    """
    end = data.rfind(b',"state":"')
    rest = _match_end(data, end) if end > 0 else None
    if rest is not None and data.startswith(b'{"events":['):
        state, schema, chain, meta, seal = rest.groups()
        if state.isalnum() and chain.isalnum() and seal.isalnum():
            return Step(
                n, data[10:end], state.decode(), int(schema), chain.decode(), meta, seal.decode()
            )
    try:  # no row that we write, or one with a quote of our keys in its metadata
        row = _read_row(data)
    except UNREADABLE as error:
        return BadRow(n, f"the row can't be read: {error}")
    step = Step(n, bytes(row.events), row.state, row.schema, row.chain, bytes(row.meta), row.seal)
    if encode_row(step) != data:
        return BadRow(n, "the row is not in the form it was written in")
    return step


def found(row: Step | BadRow) -> str:
    """Say which row stands where another was expected."""
    return row.reason if isinstance(row, BadRow) and not row.n else f"step {row.n} is stored"


def check_chain(game: str, steps: Iterable[Step | BadRow], head: str = "") -> Fault | None:
    """Return the first fault of a whole stream in stored order, or None if it holds. [P4]

    `head` is the chain digest that the last step should have, from another copy of the game; it
    alone can show a cut tail. Digests of battles are not compared here, only that the recorded
    ones are those that were appended. About 4 microseconds for a step of ten events.
    """
    chain = seal = genesis(game)
    n = 0
    for n, step in enumerate(steps, 1):
        if step.n != n:
            return Fault(n, "number", f"step {n} is expected here, but {found(step)}")
        if isinstance(step, BadRow):
            return Fault(n, "decode", step.reason)
        chain = chain_link(chain, n, step.events, step.state, step.schema)
        if chain != step.chain:
            return Fault(
                n, "chain", f"its events or state are not those appended: {step.chain} != {chain}"
            )
        seal = seal_link(seal, n, step.meta)
        if seal != step.seal:
            return Fault(n, "seal", f"its metadata is not that appended: {step.seal} != {seal}")
        try:
            _read_meta(step.meta)
        except UNREADABLE as error:  # sealed anew by a forger
            return Fault(n, "seal", f"its metadata can't be read: {error}")
    if head and chain != head:
        return Fault(
            n, "head", f"the stream ends with {chain}, not with {head}: cut short or another game"
        )
    return None
