"""Cold rebuild: from the rows of an SQLite file to the last battle. [P4, P12]

A bot battle of 5,000 events is opened by `Game.open` (read, check both chains, decode, fold, build
the history) and compared with

- the stock `eventsourcing` aggregate that holds the same game: one aggregate event for each of our
  events, JSON transcoder; its `@event` method folds with our own reducers, so that what differs is
  how events are kept and fetched; it ends in the same battle, by digest;
- the bare minimum: `select` the same rows and decode their events with msgspec; no chain, no fold.

The same games give the stored bytes an event, the whole file counted, plain and compressed.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from typing import Any
from uuid import UUID
from zlib import decompress

import msgspec
from armies import battle, events_in
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from measure import Row, at_least, at_most, in_turns, ratio

from engine.game import Game
from events.codec import EVENT_TYPES, encode_event, tag_of
from events.ledger import Ledger
from events.mapper import PACKED_ABOVE
from events.steps import encode_row
from projections.battle import Battle
from projections.digest import digest
from projections.reducers import fold

_CLASSES = {tag_of(cls): cls for cls in EVENT_TYPES}


class StockGame(Aggregate):
    """The same game as the library's own kind of aggregate."""

    def __init__(self) -> None:
        self.battle: Battle | None = None

    @event("Happened")
    def happens(self, fields: dict[str, Any]) -> None:
        happened = msgspec.convert(fields, _CLASSES[fields["type"]])
        self.battle = fold(self.battle, [happened])


def store_stock(path: Path, game: Game) -> tuple[Application[UUID], UUID]:
    """Store the game's events as a stock aggregate and return where."""
    app: Application[UUID] = Application(
        {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    )
    stock = StockGame()
    for node in game.history.path():
        for happened in node.events:
            stock.happens(msgspec.json.decode(encode_event(happened)))
    app.save(stock)
    return app, stock.id


def file_size(path: Path) -> int:
    """Return the bytes of a database once its log is folded in."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.stat().st_size


def measure(quick: bool) -> list[Row]:
    """Play, store, check that all three hold the same game, then time."""
    times, until, rounds = (1, 1000, 5) if quick else (3, 5000, 15)
    with tempfile.TemporaryDirectory() as folder:
        path, stock_path, packed_path = (Path(folder) / n for n in ("our", "stock", "packed"))
        with Ledger.memory() as memory:
            game = battle(memory, times, until=until)
            steps = memory.read(game.id)
        ledger, packed = Ledger.sqlite(path), Ledger.sqlite(packed_path, compress=True)
        for store in (ledger, packed):
            store.adopt(game.id, steps)
        app, stock_id = store_stock(stock_path, game)
        bare = sqlite3.connect(path)
        union = msgspec.defstruct("Row", [("events", list[_union()]), ("state", str)])  # type: ignore[misc]
        decode = msgspec.json.Decoder(union).decode
        query = (
            "SELECT state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"
        )

        def ours() -> Battle:
            return Game.open(ledger, game.id).battle

        def stock() -> Battle:
            found: StockGame = app.repository.get(stock_id)
            assert found.battle is not None
            return found.battle

        def minimum() -> list[Any]:
            rows = bare.execute(query, (game.id,))
            return [decode(s if s[0] == ord("{") else decompress(s)) for (s,) in rows]

        count = events_in(game)
        longs = sum(len(encode_row(step)) > PACKED_ABOVE for step in steps)
        assert digest(ours()) == digest(stock()) == steps[-1].state == minimum()[-1].state
        assert sum(len(row.events) for row in minimum()) == count
        we, they, least = in_turns(rounds, ours, stock, minimum)
        bare.close()
        app.close()
        ledger.close()
        packed.close()
        plain, small = file_size(path) / count, file_size(packed_path) / count
    work = f"cold rebuild, {count:,} events in {len(steps)} steps"
    return [
        at_least(
            f"{work}, against the stock aggregate",
            ratio(they, we),
            15,
            f"{we.show()} against {they.show()}",
        ),
        at_most(
            f"{work}, against bare select and decode",
            ratio(we, least),
            2.5,
            f"{we.show()} against {least.show()}",
        ),
        Row(
            f"stored bytes an event, plain (of {len(steps)} rows the {longs} longest are packed)",
            f"{plain:.0f}",
            "at most 130",
            plain <= 130,
        ),
        Row("stored bytes an event, compressed", f"{small:.0f}", "at most 80", small <= 80),
    ]


def _union() -> Any:
    found: Any = EVENT_TYPES[0]
    for cls in EVENT_TYPES[1:]:
        found = found | cls
    return found
