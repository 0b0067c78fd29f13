"""The ledger: every game's append-only stream of steps, on `eventsourcing`. [P3]

One stream a game, one row a step, one transaction an append. The library's recorders keep the
rows in memory, in an SQLite file or in PostgreSQL; the primary key (game, number) settles races
between processes. That numbers have no gaps is seen to here, as no recorder does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, cast

from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import IntegrityError, StoredEvent

from events.errors import LedgerError
from events.mapper import (
    PACKED_ABOVE,
    StepMapper,
    StepStore,
    StoredStep,
    listed,
    listed_games,
    stored_games,
    stored_steps,
)
from events.opening import POSTGRES, postgres_database, sqlite_file
from events.recorder import StepRecorder
from events.steps import (
    BadRow,
    Meta,
    Step,
    check_chain,
    check_game_id,
    found,
    next_step,
    read_meta,
)

_FAILURES = (EventSourcingError, sqlite3.Error, OSError, UnicodeDecodeError, OverflowError)
"""What the library lets through when a database can't be used: a damaged file has names in it that
are no text, and no number of a row is as high as one may be asked for."""


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__  # of a closed pool the library says nothing


class Conflict(LedgerError):
    """Someone else appended first; nothing of the caller's was stored. [P3]

    `expected` is the number the caller took for the last, `actual` the last there is, and
    `missed` the steps after `expected`. A `Game` has taken them up: no `refresh` returns them.
    """

    def __init__(self, game: str, expected: int, actual: int, missed: Sequence[Step]) -> None:
        advice = "what you missed is in `missed`: choose again" if missed else "read it again"
        super().__init__(
            f"{game} step {expected + 1}",
            f"the game stands at step {actual}, not at {expected}; {advice}",
        )
        self.expected = expected
        self.actual = actual
        self.missed = tuple(missed)


class RequestReused(LedgerError):
    """A request id already in the stream came again with other events. [P3]"""

    def __init__(self, game: str, request: str, step: Step) -> None:
        super().__init__(
            f"{game} step {step.n}",
            f"request {request!r} made this step already, with other events; use a new id",
        )
        self.request = request
        self.step = step


class Appended(NamedTuple):
    """What an append came to: the stored step, and whether this call stored it."""

    step: Step
    new: bool
    """False: the request had been granted before, perhaps through another process; the stream may
    stand beyond that step, so read on from the last step you have folded."""


class Survey(NamedTuple):
    """What a ledger holds, by its rows and not by its index alone."""

    games: dict[str, int]
    """Each game's number of its last step, by game id."""
    faults: tuple[str, ...]
    """What is wrong with the index of games, in plain words."""


class Ledger:
    """A store of games. Close it, or use it in a ``with`` statement.

    >>> with Ledger.memory() as ledger:
    ...     stream = ledger.stream("prologue")
    ...     done = stream.append(0, b'[{"type":"noted/1"}]', "0d", 1, Meta(at=0, request="r1"))
    ...     again = stream.append(0, b'[{"type":"noted/1"}]', "0d", 1, Meta(at=9, request="r1"))
    ...     ledger.games()
    {'prologue': 1}
    >>> done.new, again.new, again.step == done.step
    (True, False, True)
    """

    def __init__(self, name: str, env: dict[str, str], compress: bool = False) -> None:
        """Open the store that the library's environment variables in `env` describe.

        `name` is what errors call it. `compress` makes all new rows smaller by zlib, not only the
        long ones (appends take some 20 microseconds more); both kinds are read either way.
        """
        self.name = name
        env = {"ORIGINATOR_ID_TYPE": "text", **env}
        if compress:
            env["COMPRESSOR_TOPIC"] = "zlib"
        self._env = env
        self._astray = False
        """Whether the library's connections may be in any state, after a Ctrl-C, say."""
        self._connects_anew = env["PERSISTENCE_MODULE"] == POSTGRES
        with self._failing(name):
            self._connect()

    def _connect(self) -> None:
        self._store = StepStore(self._env)
        self._recorder = self._store.recorder
        self._mapper = cast(StepMapper, self._store.mapper)
        if isinstance(self._recorder, StepRecorder):
            self._mapper.packed_above = PACKED_ABOVE

    @classmethod
    def memory(cls, compress: bool = False) -> Ledger:
        """Return an empty ledger that is gone when closed."""
        return cls("memory:", {"PERSISTENCE_MODULE": "eventsourcing.popo"}, compress)

    @classmethod
    def sqlite(cls, path: str | Path, compress: bool = False, create: bool = True) -> Ledger:
        """Open an SQLite file, made if missing and `create`; every append is synced to disk.

        Raises LedgerError if the file is missing and not to be made, or is no database. Should it
        be moved or replaced while it is open, appends raise LedgerError and store nothing.
        """
        return cls(str(path), sqlite_file(path, create), compress)

    @classmethod
    def postgres(cls, url: str, compress: bool = False, schema: str = "public") -> Ledger:
        """Open a PostgreSQL database, e.g. ``postgresql://user@host/dbname``.

        The table ``ledger_events`` is made in `schema` if it isn't there. Raises LedgerError if
        the URL can't be read or the server doesn't answer within five seconds.
        """
        with postgres_database(url, schema) as (shown, env):
            return cls(shown, env, compress)

    @classmethod
    def open(cls, target: str | Path, compress: bool = False, create: bool = True) -> Ledger:
        """Open ``"memory:"``, a ``postgresql://`` URL or the path of an SQLite file."""
        if not isinstance(target, str):
            return cls.sqlite(target, compress, create)
        if target in ("memory:", ":memory:"):
            return cls.memory(compress)
        if target.startswith(("postgresql://", "postgres://")):
            return cls.postgres(target, compress)
        if "://" in target:
            raise LedgerError(target, "no such kind of ledger; write a path or postgresql://...")
        return cls.sqlite(target, compress, create)

    def close(self) -> None:
        """Close every connection. A second time does nothing."""
        self._connects_anew = self._astray = False
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def games(self) -> dict[str, int]:
        """Return each listed game's number of its last step, by game id.

        Entries of the index that can't be read are passed over: `survey` names them and finds
        what they listed. One small query a game.
        """
        with self._failing("index of games"):
            names = sorted(listed_games(self._recorder, self._mapper, []))
            return {name: self._last_number(name) for name in names}

    def has(self, game: str) -> bool:
        """Return whether there is a row of this game, listed or not. One small query."""
        with self._failing(game):
            return game[:1] != "*" and bool(self._recorder.select_events(game, limit=1))

    def survey(self) -> Survey:
        """Return every game there is, listed or not. Reads every row of the ledger once."""
        faults: list[str] = []
        with self._failing("index of games"):
            listed = listed_games(self._recorder, self._mapper, faults)
            stored = stored_games(self._recorder)
            faults += [f"{name} has steps and is not listed" for name in sorted(stored - listed)]
            faults += [f"{name} is listed and has no steps" for name in sorted(listed - stored)]
            games = {name: self._last_number(name) for name in sorted(stored | listed)}
        return Survey(games, tuple(faults))

    def read(self, game: str, after: int = 0) -> list[Step]:
        """Return the game's steps with numbers above `after`; none for an unknown game.

        Raises LedgerError naming the first step that is unreadable or missing. The chain is not
        checked: see `events.steps.check_chain`. About 6 microseconds a step from SQLite.
        """
        rows = self._rows(game, after)
        for n, step in enumerate(rows, after + 1):
            if step.n != n:
                raise LedgerError(f"{game} step {n}", f"it is missing: {found(step)} in its place")
            if type(step) is BadRow:
                raise LedgerError(f"{game} step {n}", step.reason)
        return cast(list[Step], rows)

    def read_lenient(self, game: str) -> list[Step | BadRow]:
        """Return every row of the game, bad ones as `BadRow`, whatever the numbers.

        They come by number; rows with a number that no step has (0, -5, text) come last.
        """
        return self._rows(game, 0)

    def stream(self, game: str, steps: Sequence[Step] | None = None) -> Stream:
        """Return a handle to append to `game`, whole or new.

        `steps` are all the game's steps if they have been read already. Raises LedgerError for
        an id that can't be a game's or a stream that can't be read.
        """
        check_game_id(game)
        return Stream(self, game, self.read(game) if steps is None else steps)

    def adopt(self, game: str, steps: Sequence[Step], after: int = 0) -> None:
        """Store a whole stream from elsewhere, byte for byte, in one transaction.

        `after` steps of it are here already; what follows is stored. Raises LedgerError for an id
        that can't be a game's or under which its chain doesn't hold, Conflict if the game exists
        or ends elsewhere than `after`.
        """
        check_game_id(game)
        fault = check_chain(game, steps)
        if fault or len(steps) <= after:
            reason = fault.reason if fault else "there is no such step to store"
            raise LedgerError(f"{game} step {fault.n if fault else after + 1}", reason)
        present = self.read(game) if after else []
        if present != list(steps[:after]) or not self._insert(game, steps[after:]):
            present = self.read(game)
            raise Conflict(game, after, len(present), present[after:])

    def _insert(self, game: str, steps: Sequence[Step]) -> bool:
        """Store `steps` in one transaction; False, and nothing stored, if a number is taken."""
        first = steps[0].n
        rows = [self._mapper.to_stored_event(StoredStep(game, s.n, s)) for s in steps]
        if first > 1:
            return self._insert_rows(f"{game} step {first}", rows)
        entry = self._mapper.to_stored_event(listed(game))
        if self._insert_rows(f"{game} step 1", [*rows, entry]):
            return True
        # The entry may have outlived its game, or its place in the index be taken.
        return not self.has(game) and self._insert_rows(f"{game} step 1", rows)

    def _insert_rows(self, where: str, rows: list[StoredEvent]) -> bool:
        try:
            with self._library():
                self._recorder.insert_events(rows)
        except IntegrityError:
            return False
        except _FAILURES as error:
            raise LedgerError(where, f"not stored: {_said(error)}") from error
        return True

    def _rows(self, game: str, after: int) -> list[Step | BadRow]:
        with self._failing(game):
            return stored_steps(self._recorder, self._mapper, game, after)

    def _last_number(self, game: str) -> int:
        # The bound leaves out what SQLite sorts after every number: text and bytes.
        rows = self._recorder.select_events(game, desc=True, limit=1, lte=2**63 - 1)
        return int(rows[0].originator_version or 0) if rows else 0

    @contextmanager
    def _failing(self, where: str) -> Iterator[None]:
        try:
            with self._library():
                yield
        except UnicodeEncodeError as error:
            raise LedgerError(f"game id {error.object!r:.60}", "it is not UTF-8 text") from error
        except _FAILURES as error:
            raise LedgerError(where, f"the ledger can't be used: {_said(error)}") from error

    @contextmanager
    def _library(self) -> Iterator[None]:
        """Ask the library something; where that fails in PostgreSQL, connect anew the next time.

        Interrupted, its connection is left in the midst of a conversation.
        """
        if self._astray:
            self._store.close()
            self._env["CREATE_TABLE"] = "no"
            self._connect()
            self._astray = False
        try:
            yield
        except IntegrityError:
            raise
        except BaseException:
            self._astray = self._connects_anew
            raise


class Stream:
    """The end of one game's stream, held by who plays it: last step and request ids.

    Nothing is read again while nobody else appends. One thread at a time; any number of streams
    of a game may be open, here and in other processes.
    """

    __slots__ = ("_last", "_ledger", "_requests", "game")

    def __init__(self, ledger: Ledger, game: str, steps: Sequence[Step]) -> None:
        self.game = game
        self._ledger = ledger
        self._last: Step | None = None
        self._requests: dict[str, int] = {}
        self._take(steps)

    @property
    def head(self) -> int:
        """Number of the last known step, 0 for a new game."""
        return self._last.n if self._last else 0

    @property
    def last(self) -> Step | None:
        """The last known step; its `chain` is the head digest to compare copies by."""
        return self._last

    def find(self, request: str) -> Step | None:
        """Return the step that `request` made, or None. To be asked before executing it again."""
        n = self._requests.get(request)
        return self._ledger.read(self.game, after=n - 1)[0] if n else None

    def unread(self) -> list[Step]:
        """Read the steps that others have appended since, without taking them up."""
        return self._ledger.read(self.game, after=self.head)

    def catch_up(self) -> None:
        """Take up the steps that others have appended since; `since` returns them."""
        self._take(self.unread())

    def since(self, n: int) -> list[Step]:
        """Read the steps after step `n` to the last known one, even if more are stored by now."""
        return self._ledger.read(self.game, after=n)[: self.head - n] if 0 <= n < self.head else []

    def append(self, expected: int, events: bytes, state: str, schema: int, meta: Meta) -> Appended:
        """Append one step after step `expected`, whole or not at all. [P3]

        `events` is the JSON array to store, `state` the hex digest of the battle after it under
        state schema `schema`. If `meta.request` has made a step with the same events, that step
        is returned and nothing stored; RequestReused if its events are others. Raises Conflict,
        with the missed steps, if `expected` isn't the last step, LedgerError if the store fails.
        """
        request = meta.request
        if expected != self.head:
            self.catch_up()
        if request in self._requests:
            return self._granted(request, events)
        if expected == self.head:
            step = next_step(self.game, self._last, events, state, schema, meta)
            if self._ledger._insert(self.game, (step,)):
                self._last = step
                if request:
                    self._requests[request] = step.n
                return Appended(step, True)
            self.catch_up()
            if request in self._requests:
                return self._granted(request, events)
        raise Conflict(self.game, expected, self.head, self.since(expected))

    def _granted(self, request: str, events: bytes) -> Appended:
        step = self.find(request)
        assert step is not None
        if step.events != events:
            raise RequestReused(self.game, request, step)
        return Appended(step, False)

    def _take(self, steps: Sequence[Step]) -> None:
        for step in steps:
            # A default is left out, and most steps are made at nobody's request.
            if b'"request"' in step.meta and (request := read_meta(step).request):
                self._requests.setdefault(request, step.n)
        if steps:
            self._last = steps[-1]
