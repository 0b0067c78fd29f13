"""``warledger verify``: verdicts, exit codes, and what it says of a changed stream. [P4, P12]"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing

import pytest


def test_exact_exits_with_0_and_names_the_head(demo):
    result = demo("verify", "demo")
    assert result.exit_code == 0
    assert result.stdout.startswith("EXACT demo: ")
    said = json.loads(demo("verify", "demo", "--json").stdout)
    assert said["verdict"] == "EXACT"
    assert said["chain"] in result.stdout


def test_another_head_exits_with_5(demo):
    head = json.loads(demo("verify", "demo", "--json").stdout)["chain"]
    assert demo("verify", "demo", "--head", head).exit_code == 0
    other = demo("verify", "demo", "--head", "0" * 40)
    assert other.exit_code == 5
    assert "DIVERGED" in other.stdout


@pytest.fixture
def tampered(fought, call, monkeypatch, tmp_path):
    """The finished battle with a byte changed in the row of step 20."""
    copy = tmp_path / "tampered.sqlite"
    shutil.copy(fought / "demo.sqlite", copy)
    with closing(sqlite3.connect(copy)) as database:
        (row,) = database.execute(
            "select state from stored_events where originator_id = 'demo'"
            " and originator_version = 20"
        ).fetchone()
        changed = bytes(row).replace(b'"by":"', b'"bz":"', 1)
        assert changed != bytes(row)
        database.execute(
            "update stored_events set state = ? where originator_id = 'demo'"
            " and originator_version = 20",
            (changed,),
        )
        database.commit()
    monkeypatch.setenv("WARLEDGER_LEDGER", str(copy))
    return call


def test_a_changed_byte_exits_with_5_and_names_the_step(tampered):
    result = tampered("verify", "demo")
    assert result.exit_code == 5
    assert "DIVERGED" in result.stdout and "first difference at step 20" in result.stdout
    assert "steps 1 to 19 hold" in result.stdout
    assert json.loads(tampered("verify", "demo", "--json").stdout)["step"] == 20


def test_nothing_of_a_changed_stream_is_shown_or_played(tampered):
    for command in ("show", "log", "map", "battle-report", "resume", "undo"):
        result = tampered(command, "demo")
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "step 20" in result.stderr
    listed = tampered("games")
    assert listed.exit_code == 1 and "step 20" in listed.stdout


def test_an_unknown_game_is_an_error_not_a_verdict(demo):
    assert demo("verify", "nothing").exit_code == 1
