"""How rows get into an SQLite file and out: the library's recorder, with a connection of our own.

The library takes a connection out of its pool for every append and wraps it in four context
managers: half as long again as the append itself. Here one connection stays open, and a step is
one statement, which is a transaction by itself. A game is read through it, too. All else is the
library's: the table, the journal (WAL), several rows at once, notifications.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Sequence
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
        own = sqlite3.connect(
            datastore.pool.db_name,
            timeout=LOCK_SECONDS,
            isolation_level=None,  # each statement is committed
            check_same_thread=False,
            uri=True,
        )
        self.close = weakref.finalize(self, own.close)
        """Close the connection. A second time does nothing."""
        self._own = own
        self._one_at_a_time = Lock()
        self._write_ahead()
        own.execute("PRAGMA synchronous=FULL")  # a step that was played is on the disk
        self._select_rows = (
            f"SELECT originator_version, topic, state FROM {events_table_name} "
            "WHERE originator_id=?{} ORDER BY originator_version"
        )

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
        locked too long or can't be written. Several rows (a game's first step with its entry in
        the index, a whole game from elsewhere) are left to the library.
        """
        if len(stored_events) != 1:
            return super().insert_events(stored_events)
        event = stored_events[0]
        row = (str(event.originator_id), event.originator_version, event.topic, event.state)
        try:
            with self._one_at_a_time:
                return [self._own.execute(self.insert_events_statement, row).lastrowid or 0]
        except sqlite3.IntegrityError as error:
            raise IntegrityError(error) from error
        except sqlite3.OperationalError as error:
            raise OperationalError(error) from error

    def select_rows(self, game: str, gt: int | None = None) -> list[tuple[Any, Any, Any]]:
        """Return number, topic and state of each row of a game (with numbers above `gt`).

        They come by number. A third of the time of `select_events`, which makes a dataclass of
        each.
        """
        bound = ("", (game,)) if gt is None else (" AND originator_version>?", (game, gt))
        with self._one_at_a_time:
            return self._own.execute(self._select_rows.format(bound[0]), bound[1]).fetchall()


register_topic(TOPIC, StepRecorder)
