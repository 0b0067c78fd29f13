"""Our side of `side_by_side`: the toy of `toyrules` through the `Game` facade.

In memory unless a section says SQLite; undo policy "free". Replay is `Game.open` (both chains are
checked, the recorded facts folded); executing every action again and comparing is `verify`. Save
writes a game that was played in memory into an SQLite file, synced; load opens it from there and is
ready to play on, with all undo and redo.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from side_by_side_worker import (  # noqa: E402
    Answer,
    Call,
    Job,
    digest,
    folder_size,
    read_job,
    text,
)
from toyrules import new_toy  # noqa: E402

from engine.game import Game  # noqa: E402
from events.choices import AnyChoice, MoveUnit, Shoot, TakeWounds  # noqa: E402
from events.ledger import Ledger  # noqa: E402
from events.values import Point  # noqa: E402
from projections.battle import Battle  # noqa: E402
from replay.verify import Verdict, verify  # noqa: E402


def choice(call: Call) -> AnyChoice:
    """Return a call of the script as our choice."""
    what, a, b, c = call
    if what == "move":
        return MoveUnit(f"u{a}", Point(b, c))
    if what == "shoot":
        return Shoot(f"u{a}", f"u{b}", "rifle")
    return TakeWounds((f"u{a}.1",))


def seen(battle: Battle) -> str:
    """Return the canonical text; the shots are what the phase has counted of dice."""
    units = []
    for unit in battle.units:
        model = unit.models[0]
        assert model.at is not None
        units.append((unit.id, unit.side, model.at.x, model.at.y, model.lost))
    return text(units, sum(tally.dice for tally in battle.phase.dice))


def play(game: Game, choices: Iterable[AnyChoice]) -> Game:
    """Play choices, untimed."""
    for one in choices:
        game.play(one)
    return game


def run(job: Job) -> Answer:
    """Do every section of the job."""
    answer = Answer(f"Warledger {version('warledger')}")
    choices = [choice(call) for call in job.calls]
    if job.warm:
        with Ledger.memory() as ledger:
            play(new_toy(ledger), choices[: job.warm])
    answer.remember_peak("at start")
    with Ledger.memory() as ledger:
        game = new_toy(ledger)
        answer.time_each("apply", game.play, choices)
        answer.digests["applied"] = digest(seen(game.battle))
        answer.remember_peak("after apply")
        look(answer, ledger, game, job)
        keep(answer, ledger, game)
        back_and_forth(answer, game, len(choices))
    answer.remember_peak("at the end")
    if job.durable:
        with (
            tempfile.TemporaryDirectory() as folder,
            Ledger.sqlite(Path(folder) / "ledger") as ledger,
        ):
            game = new_toy(ledger)
            answer.time("durable", lambda: play(game, choices))
            answer.digests["applied durably"] = digest(seen(game.battle))
    return answer


def look(answer: Answer, ledger: Ledger, game: Game, job: Job) -> None:
    """Seek in the open game, then replay it from its rows."""
    sought = answer.time("seek", lambda: [game.at(1 + n) for n in job.seeks])
    answer.digests["sought"] = digest(*map(seen, sought))
    again = answer.time("replay", lambda: Game.open(ledger, game.id))
    answer.digests["replayed"] = digest(seen(again.battle))
    report = answer.time("executed", lambda: verify(ledger, game.id))
    assert report.verdict is Verdict.EXACT, report


def keep(answer: Answer, ledger: Ledger, game: Game) -> None:
    """Save to SQLite and load from there."""
    with tempfile.TemporaryDirectory() as name:
        with Ledger.sqlite(Path(name) / "ledger", compress=True) as file:
            file.adopt(game.id, ledger.read(game.id))
        answer.sizes["file compressed"] = folder_size(Path(name))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Ledger.sqlite(folder / "ledger") as file:
            answer.time("save", lambda: file.adopt(game.id, ledger.read(game.id)))
        answer.sizes["file"] = folder_size(folder)
        with sqlite3.connect(folder / "ledger") as reader:
            query = "SELECT sum(length(state)) FROM stored_events WHERE originator_id = ?"
            answer.sizes["rows"] = reader.execute(query, (game.id,)).fetchone()[0]
        reader.close()
        with Ledger.sqlite(folder / "ledger") as file:
            loaded = answer.time("load", lambda: Game.open(file, game.id))
            answer.digests["loaded"] = digest(seen(loaded.battle))
            answer.digests["loaded and undone"] = digest(seen(loaded.undo().battle))


def back_and_forth(answer: Answer, game: Game, actions: int) -> None:
    """Undo everything, then redo it."""

    def undo() -> None:
        for _ in range(actions):
            game.undo()

    def redo() -> None:
        for _ in range(actions):
            game.redo()

    answer.time("undo", undo)
    answer.digests["undone"] = digest(seen(game.battle))
    answer.time("redo", redo)
    answer.digests["redone"] = digest(seen(game.battle))


if __name__ == "__main__":
    run(read_job()).print()
