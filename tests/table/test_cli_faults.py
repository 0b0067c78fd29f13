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
