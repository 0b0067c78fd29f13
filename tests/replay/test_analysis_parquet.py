"""Parquet: events, rolls and steps of games, read back."""

from __future__ import annotations

import sys
from fractions import Fraction

import msgspec
import pytest

from engine.armies import bundled, read_army_bytes
from engine.bots import bots_for, play_out
from engine.game import Game
from events.codec import decode_event
from events.errors import WarledgerError
from events.ledger import Ledger
from replay.analysis import analyse
from replay.analysis.parquet import TABLES, Analysed, write_parquet


@pytest.fixture(scope="module")
def analysed():
    """A bot battle, a few turns of it, and its analysis."""
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="parquet", undo="free", game="g")
        play_out(game, *bots_for(game))
        yield Analysed(game.history, analyse(game.history, ledger.read("g"), "g"))


@pytest.fixture(scope="module")
def files(analysed, tmp_path_factory):
    """The tables as read back by polars, by name."""
    polars = pytest.importorskip("polars")
    paths = write_parquet([analysed], tmp_path_factory.mktemp("parquet"))
    return {path.stem: polars.read_parquet(path) for path in paths}


def test_there_is_a_file_for_events_rolls_and_steps(files):
    assert sorted(files) == ["events", "rolls", "steps"] == sorted(TABLES)


def test_every_event_of_the_line_of_play_is_a_row_and_can_be_read_again(analysed, files):
    facts = list(analysed.history.facts())
    rows = files["events"].to_dicts()
    assert [(row["step"], decode_event(row["json"].encode())) for row in rows] == facts
    assert [row["n"] for row in rows if row["step"] == 2] == list(
        range(sum(step == 2 for step, _ in facts))
    )
    assert rows[0]["event"] == "game_created" and rows[0]["version"] == 2
    assert msgspec.json.decode(rows[1]["json"])["side"] == "red"


def test_every_roll_is_a_row_with_its_probability(analysed, files):
    rows = files["rolls"].to_dicts()
    assert len(rows) == len(analysed.analysis.rolls) > 50
    for row, one in zip(rows, analysed.analysis.rolls, strict=True):
        assert tuple(row["faces"]) == one.roll.faces
        assert Fraction(row["chance_exact"]) == one.exactly
        assert row["chance"] == pytest.approx(float(one.exactly))
        assert row["need"] == (one.roll.need or None)


def test_every_step_is_a_row_with_its_answer_and_standing(analysed, files):
    rows = files["steps"].to_dicts()
    assert [row["step"] for row in rows] == [node.step for node in analysed.history.path()]
    assert rows[0]["by"] is None and rows[1]["answer"].startswith("zone ")
    assert [row["lead"] for row in rows] == [x.lead / 10 for x in analysed.analysis.leads]
    assert all(row["at_ms"] > 0 for row in rows)


def test_games_stand_under_each_other(analysed, tmp_path):
    polars = pytest.importorskip("polars")
    paths = write_parquet([analysed, analysed], tmp_path / "new" / "folder")
    steps = polars.read_parquet(paths[-1])
    assert len(steps) == 2 * len(analysed.history.path())


def test_a_game_without_rolls_still_has_all_columns(analysed, tmp_path):
    polars = pytest.importorskip("polars")
    bare = msgspec.structs.replace(analysed.analysis, rolls=())
    write_parquet([Analysed(analysed.history, bare)], tmp_path)
    rolls = polars.read_parquet(tmp_path / "rolls.parquet")
    assert rolls.columns == list(TABLES["rolls"].columns) and len(rolls) == 0


def test_without_polars_it_says_what_to_install(analysed, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(WarledgerError, match=r"warledger\[analysis\]"):
        write_parquet([analysed], tmp_path)


def test_a_folder_that_cannot_be_made_is_an_error(analysed, tmp_path):
    pytest.importorskip("polars")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WarledgerError, match="can't be written"):
        write_parquet([analysed], tmp_path / "file" / "folder")
