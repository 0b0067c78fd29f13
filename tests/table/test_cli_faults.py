"""What damage to a ledger's file, or a word that is no text, does to the commands. [P4, P6]"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.armies import distinct
from engine.game import Game
from events.ledger import Ledger
from table.storage import army_of

SURROGATE = "a\udcff"


@pytest.fixture
def damaged(call):
    """Start the games g and h; carry out statements on their file; then call ``warledger``."""

    def after(*statements: str):
        for name in ("g", "h"):
            assert call("play", "--game", name, "--seed", "1", keys="auto\nquit\n").exit_code == 0
        with closing(sqlite3.connect("games.sqlite")) as database:
            for statement in statements:
                assert database.execute(statement).rowcount > 0
            database.commit()
        return call

    return after


@pytest.mark.parametrize(
    "statement",
    [
        "insert into stored_events values ('*games', 7, 'game', x'00')",
        "update stored_events set state = 'text' where originator_id = '*games'",
        "delete from stored_events where originator_id = '*games'",
    ],
)
def test_a_bad_or_lost_entry_of_the_index_locks_no_game_out(damaged, statement):
    call = damaged(statement)
    assert call("verify", "g").stdout.startswith("EXACT g: ")
    assert call("resume", "g", keys="quit\n").exit_code == 0
    assert call("export", "h", "h.wl").exit_code == 0
    listed = call("games")
    assert listed.exit_code == 1
    assert "index of games: " in listed.stdout and "Emberguard - Ratskar" in listed.stdout
    entries = json.loads(call("games", "--json").stdout)
    assert [entry["game"] for entry in entries if entry["game"]] == ["g", "h"]
    assert all("index of games" in entry["error"] for entry in entries if not entry["game"])


@pytest.mark.parametrize(
    "statement",
    [
        "update stored_events set state = substr(state, 1, 40)",
        "delete from stored_events",
        "update stored_events set state = replace(state, 'deploy', 'destroy')",
    ],
    ids=["truncated", "missing", "changed"],
)
def test_of_a_damaged_game_the_steps_that_hold_are_saved(damaged, statement):
    # given a game of 16 steps whose fifth row was damaged
    call = damaged()
    assert call("play", "--game", "long", "--seed", "1", keys="auto\n" * 15).exit_code == 0
    with closing(sqlite3.connect("games.sqlite")) as database:
        where = " where originator_id = 'long' and originator_version = 5"
        assert database.execute(statement + where).rowcount == 1
        database.commit()
    # when it is looked at, at any step
    for words in (
        ("show", "long", "--at", 3),
        ("log", "long"),
        ("fork", "long", "--at", 3),
        ("export", "long", "whole.wl"),
        ("report", "long", "-o", "bug.json"),
    ):
        refused = call(*words)
        # then the error names the step, and the way to what holds
        assert refused.exit_code == 1 and "refused long step 5: " in refused.stderr
        assert "steps 1 to 4 hold: `warledger export long FILE --sound`" in refused.stderr
    assert "export long FILE --sound" in call("games").stdout
    assert "export long FILE --sound" in call("verify", "long").stdout
    named = call("--ledger", "games.sqlite", "log", "long").stderr
    assert "`warledger --ledger games.sqlite export long FILE --sound`" in named
    # and that way leads to a game that goes on in another ledger
    saved = call("export", "long", "sound.wl", "--sound")
    assert saved.exit_code == 0 and "written: sound.wl, 4 steps" in saved.stdout
    assert "from step 5 on left out" in saved.stdout
    assert "open the file in another ledger" in call("open", "sound.wl").stderr
    assert call("--ledger", "new.sqlite", "open", "sound.wl").stdout.startswith("EXACT long: ")
    assert call("--ledger", "new.sqlite", "show", "long", "--at", 3).exit_code == 0


def test_a_game_without_a_fault_is_saved_whole_and_one_without_a_sound_step_not(damaged):
    where = "where originator_id = 'g' and originator_version = 1"
    call = damaged(f"update stored_events set state = 'x' {where}")
    whole = call("export", "h", "h.wl", "--sound").stdout
    assert whole.startswith("written: h.wl, 2 steps") and "left out" not in whole
    none = call("export", "g", "g.wl", "--sound")
    assert none.exit_code == 1 and "no step holds" in none.stderr
    assert "--sound" not in call("show", "g").stderr
    army = call("export", "ratskar", "r.yaml", "--as", "yaml", "--sound")
    assert army.exit_code == 1 and "--sound: it is for a game" in army.stderr


def test_a_row_number_that_is_none_is_a_verdict_and_no_fault(damaged):
    call = damaged(
        "update stored_events set originator_version = 'abc'"
        " where originator_id = 'g' and originator_version = 1"
    )
    verified = call("verify", "g")
    assert verified.exit_code == 5
    assert "DIVERGED g: number: step 1 is expected here" in verified.stdout
    assert "no step holds" in verified.stdout
    listed = call("games")
    assert listed.exit_code == 1 and "g: g step 1: it is missing" in listed.stdout


def test_an_id_that_is_given_empty_is_refused_and_not_drawn(call):
    refused = call("play", "--game", "", keys="quit\n")
    assert refused.exit_code == 1 and "game id ''" in refused.stderr
    assert json.loads(call("games", "--json").stdout) == []


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--game", SURROGATE),
        ("play", "--seed", SURROGATE),
        ("verify", SURROGATE),
        ("show", SURROGATE),
        ("export", SURROGATE, "g.wl"),
    ],
)
def test_a_word_that_is_no_text_is_refused(call, words):
    call("play", "--game", "g", keys="quit\n")
    refused = call(*words, keys="quit\n")
    assert refused.exit_code == 1 and refused.stderr.startswith("refused ")


def test_bytes_that_are_no_text_are_refused_at_the_keyboard_and_the_session_goes_on(call):
    # given a terminal that sends Latin-1, and a shell in UTF-8
    keys = b"note caf\xe9\n\xe9\nnote a slip\nquit\n"
    program = "from table.cli import main; main()"
    words = [sys.executable, "-c", program, "play", "--game", "g", "--seed", "1"]
    there = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(words, input=keys, capture_output=True, env=there, timeout=60)
    said = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "refused text: 'caf\\udce9' can't be written as UTF-8" in said
    assert "saved at step 1" in said
    assert "a slip" in call("log", "g").stdout


@pytest.mark.parametrize("word", ["a@3", "../x", "--", "-g", "bad id!", "..", "x/y", ".g", "a\n"])
def test_an_id_that_no_word_of_ours_can_take_starts_no_game(call, word):
    call("play", "--game", "g", "--seed", "1", keys="quit\n")
    for words in (("play", f"--game={word}"), ("fork", "g", f"--game={word}")):
        refused = call(*words, keys="quit\n")
        assert refused.exit_code == 1, refused.output
        assert f"refused game id {word!r}: an id is letters, digits and . - _" in refused.stderr
    assert [game["game"] for game in json.loads(call("games", "--json").stdout)] == ["g"]


@pytest.mark.parametrize("word", ["Übung_2.b-3", "7", "_x"])
def test_an_id_of_plain_letters_starts_one(call, word):
    assert call("play", "--game", word, keys="quit\n").exit_code == 0
    assert call("show", word).exit_code == 0


def test_a_game_that_has_another_id_is_opened_as_before(call):
    red, blue = distinct(*(army_of("ratskar", side).ready() for side in ("red", "blue")))
    with Ledger.sqlite("games.sqlite") as ledger:
        Game.create(ledger, red=red, blue=blue, seed="1", game="bad id!")
    for words in (("resume", "bad id!"), ("verify", "bad id!"), ("log", "bad")):
        assert call(*words, keys="auto\nquit\n").exit_code == 0
    # and the words to go on can be typed as they stand
    left = call("resume", "bad id!", keys="quit\n")
    assert left.stdout.endswith("go on with: warledger resume 'bad id!'\n")
    assert "`warledger verify 'bad id!'` plays it again" in left.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "g", "--at", "abc"), "'--at': 'abc' is no whole number."),
        (("undo", "g", "--to", "1.5"), "'--to': '1.5' is no whole number."),
        (("odds", "g", "--samples", "1"), "'--samples': '1' is too small; 2 or more is needed."),
        (("play", "--bots", "all"), "'--bots': 'all' is not one of 'both', 'red', 'blue', 'none'."),
        (("export", "g", "f", "--as", "z"), "'--as': 'z' is not one of 'yaml', 'battlescribe'."),
    ],
)
def test_an_option_with_a_wrong_value_is_refused_in_plain_words(call, words, said):
    wrong = call(*words)
    assert wrong.exit_code == 2
    lines = [line.strip("│ ") for line in wrong.stderr.splitlines() if line.startswith("│")]
    assert " ".join(lines) == f"Invalid value for {said}"


def test_a_data_folder_that_cannot_be_made_is_refused(call, monkeypatch):
    Path("file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(Path("file").resolve()))
    monkeypatch.setenv("WARLEDGER_LEDGER", "")
    for words in (("play",), ("play", "--dice", "revealed")):
        refused = call(*words, keys="quit\n")
        assert refused.exit_code == 1, refused.output
        assert "file/warledger: this folder can't be used: " in refused.stderr
        assert "name a file with --ledger" in refused.stderr


def test_a_finished_game_names_no_bot_to_take_over_from(call):
    call("play", "--game", "g", "--seed", "1", "--bots", "blue", keys="concede yes\n")
    done = call("resume", "g")
    assert "Result: " in done.stdout and "to take over" not in done.stderr
