"""``analyse`` and ``odds``: what they print and write; they change nothing."""

from __future__ import annotations

import hashlib
import json

import pytest


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
