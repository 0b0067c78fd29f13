"""How rows get into an SQLite file and out: the library's recorder, with a connection of our own.

The library takes a connection out of its pool for every append and wraps it in four context
managers: half as long again as the append itself, and after a Ctrl-C between two of them the pool
waits for its writer for ever. Here one connection stays open for all that a ledger reads and
writes, under a lock that no interruption leaves taken. Notifications are the library's.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
from eventsourcing.utils import register_topic

TOPIC = "steps-on-sqlite"
"""What the library's environment calls this recorder."""

LOCK_SECONDS = 5
"""How long an append waits for another process to finish its own, as in the library."""

TRIES = 100
"""How often a new file is tried while other processes set it up."""


class StepRecorder(SQLiteApplicationRecorder):
    """Records in one SQLite file, for any number of threads. Close it, or let go of it."""

    def __init__(
        self, datastore: SQLiteDatastore, events_table_name: str = "stored_events"
    ) -> None:
        super().__init__(datastore, events_table_name)
        path = str(Path(datastore.pool.db_name).resolve())  # its log lies beside it, links or none
        own = sqlite3.connect(
            path,
            timeout=LOCK_SECONDS,
            isolation_level=None,  # each statement is committed
            check_same_thread=False,
        )
        self.close = weakref.finalize(self, own.close)
        """Close the connection. A second time does nothing."""
        self._own = own
        self._one_at_a_time = Lock()
        self._write_ahead()
        own.execute("PRAGMA synchronous=FULL")  # a step that was played is on the disk
        own.execute("SELECT 1 FROM sqlite_schema").fetchall()  # makes the log
        self._path, self._log, self._file = path, path + "-wal", _identity(path)

    def _write_ahead(self) -> None:
        """Switch to the write-ahead log, where no other process has done so yet.

        SQLite doesn't wait for a lock here when two processes start a file at once, so we do.
        """
        for _ in range(TRIES):
            try:
                self._own.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError:
                self._own.execute("BEGIN IMMEDIATE")  # waits until the other has finished
                self._own.execute("ROLLBACK")
        raise OperationalError("the write-ahead log can't be switched on: another program is busy")

    def create_table(self) -> None:
        """Make the table if there is none; any number of processes may do so at once."""
        for statement in self.create_table_statements:
            self._own.execute(statement)

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Store all or none, and return their ids in the order of storing.

        Raises the library's IntegrityError if a number is taken, OperationalError if the file is
        locked too long, can't be written, or is no longer the one that was opened. Interrupted, by
        Ctrl-C say, it has stored all or none, too, and the next call finds nothing half done.
        """
        rows = [
            (str(e.originator_id), e.originator_version, e.topic, e.state) for e in stored_events
        ]
        try:
            with self._one_at_a_time:
                return self._insert(rows)
        except sqlite3.IntegrityError as error:
            raise IntegrityError(error) from error
        except sqlite3.OperationalError as error:
            raise OperationalError(error) from error

    def _insert(self, rows: list[tuple[Any, ...]]) -> list[int]:
        own, statement = self._own, self.insert_events_statement
        own.rollback()  # only an interruption of the lines below leaves anything
        # SQLite would write on where nobody reads it. To ask for the log's own identity, too, costs
        # 60 microseconds: it waits for what the last step wrote.
        whole = _identity(self._path) == self._file
        if not whole or not os.access(self._log, os.F_OK):
            gone = self._log if whole else self._path
            raise OperationalError(
                f"{gone} was moved or replaced while it was open; open the ledger again"
            )
        if len(rows) == 1:  # a transaction by itself
            return [own.execute(statement, rows[0]).lastrowid or 0]
        try:
            own.execute("BEGIN IMMEDIATE")
            ids = [own.execute(statement, row).lastrowid or 0 for row in rows]
            own.execute("COMMIT")
        except BaseException:
            own.rollback()
            raise
        return ids

    def select_rows(
        self, game: str, gt: int | None = None, end: str = "", *values: int
    ) -> list[tuple[Any, Any, Any]]:
        """Return number, topic and state of each row of a game (with numbers above `gt`).

        They come by number, or as `end` of the statement says. A third of the time of
        `select_events`, which makes a dataclass of each.
        """
        bound, above = ("", ()) if gt is None else ("AND originator_version>? ", (gt,))
        return self._select(
            f"SELECT originator_version, topic, state FROM {self.events_table_name} "
            f"WHERE originator_id=? {bound}{end or 'ORDER BY originator_version'}",
            (game, *above, *values),
        )

    def select_events(
        self,
        originator_id: Any,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return rows of a game, as the library's recorder does."""
        bound, below = ("", ()) if lte is None else ("AND originator_version<=? ", (lte,))
        order = "DESC" if desc else "ASC"
        rows = self.select_rows(
            str(originator_id),
            gt,
            f"{bound}ORDER BY originator_version {order} LIMIT ?",
            *below,
            -1 if limit is None else limit,  # no limit
        )
        return [StoredEvent(originator_id, *row) for row in rows]

    def select_games(self, topic: str) -> set[str]:
        """Return the ids of the games that have a row of a topic. Reads every row once."""
        statement = f"SELECT DISTINCT originator_id FROM {self.events_table_name} WHERE topic=?"
        return {str(game) for (game,) in self._select(statement, (topic,))}

    def _select(self, statement: str, values: tuple[object, ...]) -> list[Any]:
        with self._one_at_a_time:
            self._own.rollback()
            return self._own.execute(statement, values).fetchall()


def _identity(path: str) -> tuple[int, int] | None:
    """Return device and inode of a file, None if there is none. About 2 microseconds."""
    try:
        found = os.stat(path)  # noqa: PTH116 - half of what Path takes
    except OSError:
        return None
    return found.st_dev, found.st_ino


register_topic(TOPIC, StepRecorder)
