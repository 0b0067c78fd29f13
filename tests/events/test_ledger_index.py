"""The index of games is a convenience: no fault of it hides a game or takes others along. [P3]"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from events.errors import LedgerError
from events.ledger import Ledger
from events.steps import Meta

STATE = "0d" * 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of two games, of 2 and 1 steps."""
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as ledger:
        for game, steps in (("prologue", 2), ("siege", 1)):
            stream = ledger.stream(game)
            for n in range(steps):
                stream.append(n, b"[]", STATE, 1, Meta(n))
    return path


def edit(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(statement, values).rowcount > 0
        database.commit()


@pytest.mark.parametrize("state", [b"\x00", "text", None, b"7", b'"\\udcff"', b'"a'])
def test_an_entry_that_cant_be_read_is_told_and_the_others_are_listed(
    path: Path, state: object
) -> None:
    edit(path, "insert into stored_events values ('*games', 7, 'game', ?)", state)
    with Ledger.sqlite(path) as ledger:
        assert ledger.games() == {"prologue": 2, "siege": 1}
        held, faults = ledger.survey()
        assert held == ledger.games()
        assert len(faults) == 1 and faults[0].startswith("entry 7 of the index of games: ")
        # and new games can be made
        ledger.stream("relief").append(0, b"[]", STATE, 1, Meta(0))
        assert "relief" in ledger.games()


def test_games_that_are_not_listed_are_found_by_their_rows(path: Path) -> None:
    edit(path, "delete from stored_events where originator_id = '*games'")
    with Ledger.sqlite(path) as ledger:
        assert ledger.games() == {}
        assert ledger.has("prologue") and ledger.has("siege")
        held, faults = ledger.survey()
        assert held == {"prologue": 2, "siege": 1}
        assert faults == (
            "prologue has steps and is not listed",
            "siege has steps and is not listed",
        )


def test_an_entry_that_outlived_its_game_is_told_and_the_id_is_free(path: Path) -> None:
    edit(path, "delete from stored_events where originator_id = 'siege'")
    with Ledger.sqlite(path) as ledger:
        assert not ledger.has("siege")
        assert ledger.survey().faults == ("siege is listed and has no steps",)
        assert ledger.stream("siege").append(0, b"[]", STATE, 1, Meta(0)).new
        assert ledger.survey() == ({"prologue": 2, "siege": 1}, ())


def test_the_index_itself_is_no_game(path: Path) -> None:
    with Ledger.sqlite(path) as ledger:
        assert not ledger.has("*games") and not ledger.has("") and not ledger.has("pro")


def test_a_survey_goes_through_more_than_one_page(tmp_path: Path) -> None:
    for ledger in (Ledger.memory(), Ledger.sqlite(tmp_path / "games.db")):
        with ledger:
            names = [f"g{n}" for n in range(501)]
            for name in names:
                ledger.stream(name).append(0, b"[]", STATE, 1, Meta(0))
            assert ledger.survey() == (dict.fromkeys(sorted(names), 1), ())


@pytest.mark.parametrize("locked", ["folder", "file"])
def test_a_ledger_that_cant_be_written_to_says_what_to_do(
    path: Path, locked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # root may write anywhere, so the system's answer is given for it
    barred = path.parent if locked == "folder" else path
    monkeypatch.setattr("os.access", lambda asked, mode: Path(asked) != barred)
    with pytest.raises(LedgerError, match="can't be written to; copy it to a folder of yours"):
        Ledger.open(str(path), create=False)
