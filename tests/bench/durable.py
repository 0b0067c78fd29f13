"""A durable step: one choice of the toy played on an SQLite ledger, synced to disk. [P3]

Against a bare sqlite3 insert of the very same rows into a table of the same shape, one transaction
a row, with the same journal mode and synchronous setting (WAL, FULL). Both files hold the same rows
at the end.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from measure import Row, at_most, in_turns, ratio
from toyrules import new_toy, script

from events.ledger import Ledger

STEPS = 50
_TABLE = (
    "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, "
    "state BLOB, PRIMARY KEY (originator_id, originator_version))"
)
_INSERT = "INSERT INTO stored_events VALUES (?, ?, ?, ?)"
_ALL = (
    "SELECT originator_id, originator_version, topic, state FROM stored_events "
    "WHERE topic = 'step' ORDER BY originator_version"
)


def measure(quick: bool) -> list[Row]:
    """Write the same rows both ways, in turns, then compare the files."""
    rounds = 5 if quick else 20
    with tempfile.TemporaryDirectory() as folder:
        path, bare_path = Path(folder) / "ledger", Path(folder) / "bare"
        with Ledger.memory() as memory:
            rehearsal = new_toy(memory)
            choices = list(script(STEPS * (rounds + 1)))
            for choice in choices:
                rehearsal.play(choice)
        ledger = Ledger.sqlite(path)
        game = new_toy(ledger)
        coming = iter(choices)

        def ours() -> None:
            for _ in range(STEPS):
                game.play(next(coming))

        reader = sqlite3.connect(path)
        bare = sqlite3.connect(bare_path)
        bare.execute("PRAGMA journal_mode=WAL")
        bare.execute("PRAGMA synchronous=FULL")
        bare.execute(_TABLE)
        bare.executemany(_INSERT, reader.execute(_ALL).fetchall())
        bare.commit()
        rows: list[tuple[object, ...]] = []

        def fetch() -> None:
            done = bare.execute("SELECT max(originator_version) FROM stored_events").fetchone()[0]
            after = _ALL.replace("ORDER", f"AND originator_version > {done} ORDER")
            rows[:] = reader.execute(after).fetchall()

        def theirs() -> None:
            for row in rows:
                bare.execute(_INSERT, row)
                bare.commit()

        we, _, they = in_turns(rounds, ours, fetch, theirs, waiting=True)
        assert reader.execute(_ALL).fetchall() == bare.execute(_ALL).fetchall()
        assert game.battle == rehearsal.battle
        reader.close()
        bare.close()
        ledger.close()
    return [
        at_most(
            "a durable step on SQLite, against a bare insert of the same row",
            ratio(we, they),
            1.5,
            f"{we.show(STEPS)} against {they.show(STEPS)}",
        )
    ]
