"""``analyse`` and ``odds``: what they print and write; they change nothing."""

from __future__ import annotations

import hashlib
import json

import pytest

from replay.odds import SCOUTS, _Fork


def test_analyse_prints_what_the_game_came_to(demo):
    result = demo("analyse", "demo")
    assert result.exit_code == 0, result.output
    for part in ("Emberguard against Ratskar", "Units", "Weapons", "Luck", "Turning points"):
        assert part in result.stdout
    assert "fewer than 30" in result.stdout


def test_analyse_as_json_has_exact_luck_as_decimals(demo):
    made = json.loads(demo("analyse", "demo", "--json").stdout)
    assert made["armies"] == {"red": "Emberguard", "blue": "Ratskar"}
    assert {unit["unit"] for unit in made["units"]} >= {"line-squad"}
    everything = next(one for one in made["lucks"] if one["player"] == "red" and not one["kind"])
    assert 0 < everything["below"] < 1 and everything["dice"] > 30
    assert made["leads"][-1]["step"] == made["times"][-1]["step"]


def test_a_game_named_twice_is_one_game(demo):
    assert demo("analyse", "demo", "dem").stdout == demo("analyse", "demo").stdout


def test_several_games_are_put_together(call):
    for name in ("one", "two"):
        words = ("play", "--game", name, "--seed", name, "--bots", "both")
        assert call(*words).exit_code == 0
    said = call("analyse", "one", "two")
    assert said.exit_code == 0 and "2 games: one, two" in said.stdout
    made = json.loads(call("analyse", "one", "two", "--json").stdout)
    assert made["games"] == ["one", "two"]
    assert [army["games"] for army in made["armies"]] == [2, 2]


def test_parquet_is_written_for_notebooks(demo, tmp_path):
    polars = pytest.importorskip("polars")
    result = demo("analyse", "demo", "--parquet", tmp_path / "out")
    assert result.exit_code == 0 and "steps.parquet" in result.stdout
    assert len(polars.read_parquet(tmp_path / "out" / "events.parquet")) > 1000


def test_analysing_changes_no_byte_of_the_ledger(demo, fought):
    before = hashlib.sha256((fought / "demo.sqlite").read_bytes()).hexdigest()
    for words in (("analyse", "demo"), ("analyse", "demo", "--json")):
        assert demo(*words).exit_code == 0
    assert hashlib.sha256((fought / "demo.sqlite").read_bytes()).hexdigest() == before


def shots(demo):
    """The first step at which a unit may shoot, and the line that was chosen there."""
    rows = json.loads(demo("log", "demo", "--json").stdout)
    at = next(n for n, row in enumerate(rows) if row["choice"].startswith("shoot "))
    return rows[at - 1]["step"], rows[at]["choice"]


def test_odds_of_one_choice_show_its_distribution(demo):
    step, line = shots(demo)
    result = demo("odds", "demo", line, "--at", step, "--samples", 3)
    assert result.exit_code == 0, result.output
    assert line in result.stdout and "loses a model" in result.stdout
    assert "points taken less lost" in result.stdout and "█" in result.stdout


def test_odds_of_several_choices_stand_side_by_side(demo):
    step, line = shots(demo)
    result = demo("odds", "demo", line, "end phase", "--at", step, "--samples", 3)
    assert result.exit_code == 0, result.output
    assert "Enemy lost" in result.stdout and "end phase" in result.stdout


def test_odds_of_what_is_on_offer_where_no_choice_is_named(call):
    call("play", "--game", "g", "--seed", "1", keys="quit\n")
    found = json.loads(call("odds", "g", "--json").stdout)
    assert [one["choice"] for one in found] == ["zone south", "zone north"]
    assert {one["method"] for one in found} == {"exact"}


def stopping(monkeypatch, after):
    """Interrupt the play of the nth fork, as Ctrl-C does; none is walked."""
    run, runs = _Fork.run, []

    def interrupted(fork, dice):
        runs.append(dice)
        if len(runs) == after:
            raise KeyboardInterrupt
        return run(fork, dice)

    monkeypatch.setattr("replay.odds.WAYS", 0)
    monkeypatch.setattr(_Fork, "run", interrupted)


def test_odds_that_are_stopped_say_what_there_is(demo, monkeypatch):
    step, line = shots(demo)
    stopping(monkeypatch, SCOUTS + 4)
    result = demo("odds", "demo", line, "end phase", "--at", step)
    assert result.exit_code == 0, result.output
    assert "sampled 3 of 200 times, then stopped; 95 % intervals" in result.stdout
    assert "stopped: 1 of 2 choices followed" in result.stderr
    # in the second choice: the first stands
    stopping(monkeypatch, 2 * SCOUTS + 6)
    found = demo("odds", "demo", line, "end phase", "--at", step, "--samples", 5, "--json")
    assert [(one["runs"], one["wanted"]) for one in json.loads(found.stdout)] == [(5, 5)]
    # before there is anything: as any command that is stopped
    stopping(monkeypatch, 1)
    assert demo("odds", "demo", line, "--at", step).exit_code == 130


def test_odds_of_what_is_refused_or_over_are_an_error(demo):
    over = demo("odds", "demo")
    assert over.exit_code == 1 and "nothing is to be decided there" in over.stderr
    refused = demo("odds", "demo", "end phase", "--at", 2)
    assert refused.exit_code == 1 and "refused" in refused.stderr


def test_odds_change_no_byte_of_the_ledger(demo, fought):
    before = hashlib.sha256((fought / "demo.sqlite").read_bytes()).hexdigest()
    step, line = shots(demo)
    assert demo("odds", "demo", line, "--at", step, "--samples", 2).exit_code == 0
    assert hashlib.sha256((fought / "demo.sqlite").read_bytes()).hexdigest() == before


def test_a_page_shows_one_game(demo, call, tmp_path):
    pytest.importorskip("matplotlib")
    result = demo("analyse", "demo", "-o", "page.html")
    assert result.exit_code == 0 and "written: page.html" in result.stdout
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert demo("analyse", "demo", "-o", "no/such/page.html").exit_code == 1


def test_a_page_of_two_games_is_refused(call):
    for name in ("one", "two"):
        call("play", "--game", name, "--seed", name, keys="quit\n")
    result = call("analyse", "one", "two", "-o", "page.html")
    assert result.exit_code == 1 and "a page shows one game; here are 2" in result.stderr
