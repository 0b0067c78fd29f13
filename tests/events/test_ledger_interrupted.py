"""Ctrl-C at any moment: rows land whole or not at all, and the ledger stays in use. [P3]"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import psycopg_pool
import pytest

from events import recorder
from events.errors import LedgerError
from events.ledger import Ledger
from events.steps import Meta
from tests.events.conftest import POSTGRES

IN_SQLITE = "events/recorder.py"


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    monkeypatch.setattr(recorder, "LOCK_SECONDS", 0.1)
    with Ledger.sqlite(tmp_path / "games.db") as opened:
        yield opened


def interrupted(moment: int, where: str, call: Callable[[], object]) -> bool:
    """Call, with Ctrl-C at the so-and-so-manieth return in a file; False if it ends."""
    left = moment

    def strike(frame: object, event: str, arg: object) -> None:
        nonlocal left
        code = frame.f_code  # type: ignore[attr-defined]
        # Signals are not looked at before a call of C: a lock's release is never skipped.
        if event == "c_call" or not code.co_filename.endswith(where):
            return
        left -= 1
        if not left:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(strike)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


def create(ledger: Ledger, game: str) -> None:
    ledger.stream(game).append(0, b"[]", "0d", 1, Meta(0))


def test_a_game_that_is_interrupted_in_the_making_is_there_whole_or_not_at_all(
    ledger: Ledger,
) -> None:
    # given a ledger in which games are made and played
    steady = ledger.stream("steady")
    steady.append(0, b"[]", "0d", 1, Meta(0))
    made: list[str] = []
    for moment in count(1):
        # when the making of one is interrupted
        game = f"game-{moment}"
        if not interrupted(moment, IN_SQLITE, lambda game=game: create(ledger, game)):  # type: ignore[misc]
            break
        # then it has its row and its entry, or neither
        if ledger.has(game):
            made.append(game)
        # and others are made and played, by this ledger
        create(ledger, f"after-{moment}")
        steady.append(steady.head, b"[]", "0d", 1, Meta(0))
    assert moment > 20
    survey = ledger.survey()
    assert survey.faults == ()
    assert set(made) <= survey.games.keys()
    assert survey.games["steady"] == len([n for n in survey.games if n.startswith("after-")]) + 1


def test_an_interrupted_look_leaves_nothing_behind(ledger: Ledger) -> None:
    # given a ledger with a game
    create(ledger, "looked-at")
    for moment in count(1):
        # when looking at it is interrupted
        if not interrupted(moment, IN_SQLITE, ledger.games):
            break
        # then the next look finds all
        assert ledger.games()["looked-at"] == 1
    assert moment > 5


def test_what_was_interrupted_bars_no_other_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[P3] Not even until this one appends again."""
    monkeypatch.setattr(recorder, "LOCK_SECONDS", 0.1)
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as ledger:
        other = sqlite3.connect(path, timeout=0.1, isolation_level=None)
        for moment in count(1):
            if not interrupted(moment, IN_SQLITE, lambda: create(ledger, f"game-{moment}")):  # noqa: B023
                break
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        other.close()
        assert moment > 20


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (psycopg.Pipeline, "sync"),
        (psycopg_pool.ConnectionPool, "putconn"),
    ],
    ids=["in the midst of a pipeline", "with the connection taken"],
)
def test_postgres_is_connected_to_anew(
    schema: str, monkeypatch: pytest.MonkeyPatch, kind: type, name: str
) -> None:
    """What the library's connection is left in, nothing can be asked any more."""

    def strike(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    game = f"game-{name}"
    with Ledger.postgres(POSTGRES, schema=schema) as ledger:
        # given a game that is made when Ctrl-C comes
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(kind, name, strike)
            create(ledger, game)
        # then it is there whole or not at all, and games are made and played
        assert ledger.has(game) == (game in ledger.games())
        create(ledger, f"{game}-after")
        assert ledger.games()[f"{game}-after"] == 1
        assert ledger.survey().faults == ()


def test_a_closed_ledger_stays_closed(schema: str) -> None:
    ledger = Ledger.postgres(POSTGRES, schema=schema)
    ledger.close()
    for _ in range(2):
        with pytest.raises(LedgerError):
            create(ledger, "prologue")
