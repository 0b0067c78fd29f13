"""The stock side of `side_by_side`: the toy as an `eventsourcing` aggregate, JSON transcoder.

The library's documented way: an `Aggregate` with `@event` methods, an `Application` to save it. The
aggregate is held and each action saved, which is faster than fetching it for each. There is no undo
and no redo. Seek is `repository.get` with a version, replay `repository.get`; no snapshots, as is
the default, but for one section. For aggregates this release ships no transcoder other than JSON.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import UUID

sys.path[:0] = [str(Path(__file__).parent)]

from eventsourcing.application import Application  # noqa: E402
from eventsourcing.domain import Aggregate, event  # noqa: E402
from side_by_side_worker import (  # noqa: E402
    Answer,
    Call,
    Job,
    digest,
    folder_size,
    read_job,
    text,
)

UNITS = 40
DICE = random.Random("a seed")
SNAPSHOT_EVERY = 100


class Skirmish(Aggregate):
    """40 units that move, shoot and suffer."""

    def __init__(self) -> None:
        self.units: list[list[Any]] = [
            [f"u{k}", "red" if k % 2 else "blue", 1000 * k, 1000, 0] for k in range(UNITS)
        ]
        self.shots = 0

    @event("UnitMoved")
    def move(self, unit: int, dx: int, dy: int) -> None:
        self.units[unit][2] += dx
        self.units[unit][3] += dy

    def shoot(self, unit: int, target: int) -> None:
        """Roll first: an event holds what came of it."""
        self.hit(unit, target, DICE.randint(1, 6))

    @event("ShotFired")
    def hit(self, unit: int, target: int, face: int) -> None:
        self.shots += 1

    @event("WoundSuffered")
    def wound(self, target: int) -> None:
        self.units[target][4] += 1

    def act(self, call: Call) -> None:
        """Do one action of the script."""
        what, a, b, c = call
        if what == "move":
            self.move(a, b, c)
        elif what == "shoot":
            self.shoot(a, b)
        else:
            self.wound(a)

    def seen(self) -> str:
        """Return the canonical text."""
        return text(self.units, self.shots)


class Skirmishes(Application[UUID]):
    """Saves skirmishes; takes snapshots where the environment allows it."""

    snapshotting_intervals = {Skirmish: SNAPSHOT_EVERY}  # noqa: RUF012


def in_memory(snapshots: bool = False) -> Skirmishes:
    """Return an application that keeps its rows in memory."""
    return Skirmishes({"IS_SNAPSHOTTING_ENABLED": "y" if snapshots else "n"})


def in_file(path: Path, **more: str) -> Skirmishes:
    """Return an application on an SQLite file."""
    return Skirmishes(
        {
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(path),
            "IS_SNAPSHOTTING_ENABLED": "n",
            **more,
        }
    )


def play(app: Skirmishes, calls: Iterable[Call]) -> Skirmish:
    """Play calls, each saved, untimed."""
    skirmish = Skirmish()
    app.save(skirmish)
    for call in calls:
        skirmish.act(call)
        app.save(skirmish)
    return skirmish


def run(job: Job) -> Answer:
    """Do the sections that the library has."""
    answer = Answer(f"eventsourcing {version('eventsourcing')}")
    if job.warm:
        play(in_memory(), job.calls[: job.warm])
    answer.remember_peak("at start")
    app, skirmish = in_memory(), Skirmish()
    app.save(skirmish)

    def act(call: Call) -> None:
        skirmish.act(call)
        app.save(skirmish)

    answer.time_each("apply", act, job.calls)
    answer.digests["applied"] = digest(skirmish.seen())
    answer.remember_peak("after apply")
    look(answer, app, skirmish.id, job)
    keep(answer, job)
    answer.remember_peak("at the end")
    look_from_snapshots(answer, job)
    if job.durable:
        with tempfile.TemporaryDirectory() as folder, in_file(Path(folder) / "stock") as file:
            durable = answer.time("durable", lambda: play(file, job.calls))
            answer.digests["applied durably"] = digest(durable.seen())
    return answer


def look(answer: Answer, app: Skirmishes, skirmish: UUID, job: Job) -> None:
    """Get versions of the aggregate, then the last."""

    def seek() -> list[Skirmish]:
        return [app.repository.get(skirmish, version=1 + n) for n in job.seeks]

    answer.digests["sought"] = digest(*(found.seen() for found in answer.time("seek", seek)))
    again: Skirmish = answer.time("replay", lambda: app.repository.get(skirmish))
    answer.digests["replayed"] = digest(again.seen())


def look_from_snapshots(answer: Answer, job: Job) -> None:
    """Get the same versions where there are snapshots."""
    app = in_memory(snapshots=True)
    skirmish = play(app, job.calls).id

    def seek() -> list[Skirmish]:
        return [app.repository.get(skirmish, version=1 + n) for n in job.seeks]

    found = answer.time("seek from snapshots", seek)
    answer.digests["sought from snapshots"] = digest(*(one.seen() for one in found))


def keep(answer: Answer, job: Job) -> None:
    """Save a whole game to SQLite at once and load it from there."""
    skirmish = acted(job.calls)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with in_file(folder / "stock") as app:
            answer.time("save", lambda: app.save(skirmish))
        answer.sizes["file"] = folder_size(folder)
        with sqlite3.connect(folder / "stock") as reader:
            query = "SELECT sum(length(state)) FROM stored_events"
            answer.sizes["rows"] = reader.execute(query).fetchone()[0]
        reader.close()
        with in_file(folder / "stock") as app:
            loaded: Skirmish = answer.time("load", lambda: app.repository.get(skirmish.id))
            answer.digests["loaded"] = digest(loaded.seen())
    with tempfile.TemporaryDirectory() as name:
        with in_file(Path(name) / "stock", COMPRESSOR_TOPIC="zlib") as app:
            app.save(acted(job.calls))
        answer.sizes["file compressed"] = folder_size(Path(name))


def acted(calls: Iterable[Call]) -> Skirmish:
    """Return a whole skirmish, nothing of it saved."""
    skirmish = Skirmish()
    for call in calls:
        skirmish.act(call)
    return skirmish


if __name__ == "__main__":
    run(read_job()).print()
