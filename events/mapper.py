"""How steps become the store's rows and come back: a `Mapper` for `eventsourcing`. [P3]

The library's own mapper calls ``vars()`` on an event and wraps values in a JSON dialect of its
own; Structs have no ``__dict__`` and our rows should be readable by any tool. So the row's state
is `events.steps.encode_row`, compressed or enciphered where the application is told to, and
compressed where it is long and the store an SQLite file.
"""

from __future__ import annotations

import sys
from hashlib import blake2b
from typing import Any, ClassVar

import msgspec
from eventsourcing.application import Application
from eventsourcing.compressor import ZlibCompressor
from eventsourcing.persistence import (
    ApplicationRecorder,
    Mapper,
    MapperDeserialisationError,
    StoredEvent,
)
from eventsourcing.utils import register_topic

from events.recorder import StepRecorder
from events.steps import BadRow, Step, decode_row, encode_row

INDEX = "*games"
"""Originator id of the stream that lists the games. No game's id starts with a star."""

PACKED_ABOVE = 2_500
"""Rows of more bytes are compressed in every SQLite file: the muster and a few long volleys, one
row in twenty and a quarter of the bytes. They would fit badly on its pages of 4,096, and PostgreSQL
packs such rows by itself."""

_zlib = ZlibCompressor()


class StoredStep(msgspec.Struct, frozen=True, gc=False):
    """A step with its place in the store, as the library wants to see it."""

    TOPIC: ClassVar[str] = "step"

    originator_id: str
    """The game's id."""
    originator_version: int
    """The step's number."""
    step: Step


class ListedGame(msgspec.Struct, frozen=True, gc=False):
    """An entry of the index of games, stored together with the game's first step.

    Its version is a hash of the game's id and not a count: recorders accept versions with gaps,
    and two processes that create two games at once then have nothing to quarrel over.
    """

    TOPIC: ClassVar[str] = "game"

    originator_id: str
    originator_version: int
    game: str


register_topic(StoredStep.TOPIC, StoredStep)
register_topic(ListedGame.TOPIC, ListedGame)


def listed(game: str) -> ListedGame:
    """Return the index entry of `game`; the same id has the same version (63 bits)."""
    digest = blake2b(game.encode(), digest_size=8, person=b"index").digest()
    return ListedGame(INDEX, int.from_bytes(digest, "big") >> 1, game)


class StepMapper(Mapper[str]):
    """Maps steps and index entries. Made as ``cls(transcoder=, compressor=, cipher=)``.

    The transcoder is not used. Whether rows are compressed (all, or the long ones) is a matter of
    writing only: a plain row begins with ``{``, which no compressed one does, so either is read.
    """

    packed_above = sys.maxsize
    """Rows of more bytes are compressed whatever the application was told."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Return the row of a `StoredStep` or `ListedGame`. About 3 microseconds."""
        if type(domain_event) is StoredStep:
            state = encode_row(domain_event.step)
        else:
            state = msgspec.json.encode(domain_event.game)
        if self.compressor:
            state = self.compressor.compress(state)
        elif len(state) > self.packed_above:
            state = _zlib.compress(state)
        if self.cipher:
            state = self.cipher.encrypt(state)
        return StoredEvent(
            domain_event.originator_id,
            domain_event.originator_version,
            domain_event.TOPIC,
            state,
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """Return what `to_stored_event` was given; MapperDeserialisationError if it can't be."""
        game, n = str(stored_event.originator_id), stored_event.originator_version
        if stored_event.topic == ListedGame.TOPIC:
            return ListedGame(game, n, self.read_listed(stored_event))
        step = self.read_step(n, stored_event.topic, stored_event.state)
        if isinstance(step, BadRow):
            raise MapperDeserialisationError(f"{game} step {n}: {step.reason}")
        return StoredStep(game, n, step)

    def read_step(self, n: object, topic: object, state: object) -> Step | BadRow:
        """Return the row's step, or why it is none. Never raises. About 2 microseconds."""
        if type(n) is not int:
            return BadRow(0, f"a row has the number {n!r}, which is no integer")
        if topic != StoredStep.TOPIC:
            return BadRow(n, f"the row's topic is {topic!r}, not {StoredStep.TOPIC!r}")
        if type(state) is not bytes:  # SQLite keeps text in any column
            return BadRow(n, f"the row is not bytes but {type(state).__name__}")
        if not state.startswith(b"{") or self.cipher:
            try:
                state = self._plain(state, b"{")
            except Exception as error:  # whatever a compressor or a cipher raises
                return BadRow(n, f"the row can't be unpacked: {error}")
        return decode_row(n, state)

    def read_listed(self, stored: StoredEvent) -> str:
        """Return the game's id of an index entry; MapperDeserialisationError if it has none."""
        try:
            if not isinstance(stored.state, bytes):
                raise TypeError(f"it is {type(stored.state).__name__}, not bytes")
            return msgspec.json.decode(self._plain(stored.state, b'"'), type=str)
        except Exception as error:  # whatever a compressor or a cipher raises
            raise MapperDeserialisationError(
                f"entry {stored.originator_version} of the index of games: {error}"
            ) from error

    def _plain(self, state: bytes, opening: bytes) -> bytes:
        if self.cipher:
            state = self.cipher.decrypt(state)
        if not state.startswith(opening):
            state = (self.compressor or _zlib).decompress(state)
        return state


class StepStore(Application[str]):
    """The library's application: its environment, recorder and our mapper; no aggregates."""

    name = "ledger"

    def construct_mapper(self) -> Mapper[str]:
        """Return the mapper of steps, as the environment wants it."""
        return self.factory.mapper(self.construct_transcoder(), StepMapper)

    def close(self) -> None:
        """Close every connection. A second time does nothing."""
        super().close()
        if isinstance(self.recorder, StepRecorder):
            self.recorder.close()


def stored_steps(
    recorder: ApplicationRecorder, mapper: StepMapper, game: str, after: int
) -> list[Step | BadRow]:
    """Return the game's rows with numbers above `after`; where that is 0, of any number.

    They come by number; those with a number that no step has (0, -5, text) come last.
    """
    read = mapper.read_step
    if isinstance(recorder, StepRecorder):
        steps = [read(*row) for row in recorder.select_rows(game, after or None)]
    else:
        rows = recorder.select_events(game, gt=after or None)
        steps = [read(row.originator_version, row.topic, row.state) for row in rows]
    if min([step.n for step in steps], default=1) < 1:
        steps.sort(key=lambda step: step.n < 1)  # stable: the others keep their order
    return steps


def listed_games(recorder: ApplicationRecorder, mapper: StepMapper, faults: list[str]) -> set[str]:
    """Return the ids in the index of games; entries that can't be read are told in `faults`."""
    names: set[str] = set()
    for entry in recorder.select_events(INDEX):
        try:
            names.add(mapper.read_listed(entry))
        except MapperDeserialisationError as error:
            faults.append(str(error))
    return names


def stored_games(recorder: ApplicationRecorder) -> set[str]:
    """Return the ids of the games that have a step, listed or not. Reads every row once."""
    if isinstance(recorder, StepRecorder):
        return recorder.select_games(StoredStep.TOPIC)
    names: set[str] = set()
    start = 1
    while page := recorder.select_notifications(start, 500, topics=[StoredStep.TOPIC]):
        names.update(str(row.originator_id) for row in page)
        start = page[-1].id + 1
    return names
