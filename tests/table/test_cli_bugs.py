"""``warledger report``, ``reproduce``, ``minimise``; what a fault in play leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engine.game import Game
from events.ledger import Ledger
from replay.bugreport import read_report, report, write_report
from replay.failures import Raised
from tests.properties.kit import new_game, play_on
from tests.replay.planted import exception, forgotten_flag
from tests.replay.test_bugreport import failing_game


@pytest.fixture
def reported(demo, tmp_path):
    """The file of the finished battle's report."""
    assert demo("report", "demo", "-o", "demo.jsonl", "--note", "no fault").exit_code == 0
    return tmp_path / "demo.jsonl"


def test_a_report_says_what_failed_and_is_reproduced_without_a_ledger(demo, reported):
    assert read_report(reported).header.note == "no fault"
    result = demo("--ledger", "none.sqlite", "reproduce", reported)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("REPRODUCED: all ")
    assert "note: no fault" in result.stdout and "there and here: engine" in result.stdout
    said = json.loads(demo("reproduce", reported, "--json").stdout)
    assert said["reproduced"] and said["found"] is None


def test_a_report_ends_at_a_step_and_is_redacted_when_asked(demo, tmp_path):
    result = demo("report", "demo", "--at", 9, "--redact", "-o", "few.jsonl")
    assert result.exit_code == 0 and "9 steps; nothing failed" in result.stdout
    read = read_report(tmp_path / "few.jsonl")
    assert read.header.redacted and len(read.rows) == 9
    assert demo("reproduce", "few.jsonl").exit_code == 0
    assert demo("report", "demo", "--at", 10**6, "-o", "few.jsonl").exit_code == 1


def test_an_attempted_line_is_reported_and_stored_nowhere(call, tmp_path):
    assert call("play", "--game", "g", "--seed", "s", keys="zone south\nquit\n").exit_code == 0
    log = call("log", "g").stdout
    result = call("report", "g", "--attempt", "end phase", "-o", "g.jsonl")
    assert result.exit_code == 0 and "refused by" in result.stdout, result.output
    assert call("log", "g").stdout == log
    assert "REPRODUCED at step 3: refused by" in call("reproduce", "g.jsonl").stdout
    wrong = call("report", "g", "--attempt", "end fase", "-o", "g.jsonl")
    assert wrong.exit_code == 2 and "fase" in wrong.stderr


def test_another_way_exits_with_7_and_names_both_versions(demo, reported, monkeypatch):
    monkeypatch.setattr("replay.report_file.RULES", 99)
    with forgotten_flag():
        result = demo("reproduce", reported)
    assert result.exit_code == 7, result.output
    assert "NOT REPRODUCED: step " in result.stdout and ".locked" in result.stdout
    assert "recorded True, executed False" in result.stdout
    assert "there: engine" in result.stdout and "here:  engine" in result.stdout
    assert "rules 99" in result.stdout


def test_a_fault_in_play_leaves_its_report_in_the_folder(call, monkeypatch, tmp_path):
    # given a game, and a rule that fails
    assert call("play", "--game", "g", "--seed", "s", keys="quit\n").exit_code == 0

    def failing(battle: object) -> None:
        raise ZeroDivisionError("a rule failed")

    monkeypatch.setattr("engine.rules.setup.next_to_deploy", failing)
    # when the game is played
    result = call("resume", "g", keys="zone south\n")
    # then the message names the file, and the file has what was tried
    assert result.exit_code == 70
    assert "Bug report: warledger-g-1.report.jsonl" in result.stderr
    made = read_report(tmp_path / "warledger-g-1.report.jsonl")
    assert isinstance(made.ending.failure, Raised) and made.ending.attempt is not None
    assert made.ending.attempt.says == "red: zone south"
    # and it is met again as long as the rule fails
    assert call("reproduce", "warledger-g-1.report.jsonl").exit_code == 0
    monkeypatch.undo()


def test_where_the_folder_is_closed_play_fails_all_the_same(call, monkeypatch):
    assert call("play", "--game", "g", "--seed", "s", keys="quit\n").exit_code == 0
    Path("warledger-g-1.report.jsonl").mkdir()

    def failing(battle: object) -> None:
        raise ZeroDivisionError("a rule failed")

    monkeypatch.setattr("engine.rules.setup.next_to_deploy", failing)
    result = call("resume", "g", keys="zone south\n")
    assert result.exit_code == 70 and "No bug report: " in result.stderr


def test_a_report_is_shrunk_to_a_scenario_that_fails(call, tmp_path):
    with exception():
        # given a report of a fault
        with Ledger.memory() as ledger:
            game, error = failing_game(ledger)
            write_report(report(game, error=error), tmp_path / "bug.jsonl")
        # when it is shrunk
        result = call("minimise", "bug.jsonl", "-o", "bug.yaml")
        assert result.exit_code == 0, result.output
        assert "KeyError at engine/runner.py:emit" in result.stdout
        # then the scenario fails in the same way
        failed = call("scenario", "run", "bug.yaml")
        assert failed.exit_code == 1 and "the rules failed: KeyError" in failed.stdout
    # and passes where the fault is mended
    assert call("scenario", "run", "bug.yaml").exit_code == 0


def test_a_broken_invariant_is_what_a_scenario_fails_by(call, tmp_path):
    with forgotten_flag():
        with Ledger.sqlite(tmp_path / "games.sqlite", create=True) as ledger:
            seen = play(ledger)
        assert "contact locks" in call("report", seen.id, "-o", "bug.jsonl").stdout
        assert call("minimise", "bug.jsonl", "-o", "bug.yaml").exit_code == 0
        failed = call("scenario", "run", "bug.yaml")
        assert failed.exit_code == 1 and "broken: contact locks" in failed.stdout
    assert "broken" not in call("scenario", "run", "bug.yaml").stdout.partition("\n")[2]


def play(ledger: Ledger) -> Game:
    return play_on(new_game(ledger, "1", 3), Random(1), 40)


def test_there_is_nothing_to_shrink_where_nothing_fails(demo, reported):
    result = demo("minimise", reported, "-o", "bug.yaml")
    assert result.exit_code == 1 and "nothing fails here" in result.stderr
    assert not Path("bug.yaml").exists()
