"""``games``, ``log``, ``show``, ``map``, ``report``: what they print; they change nothing."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest


def test_no_games_yet_is_no_error(call, monkeypatch):
    monkeypatch.setenv("WARLEDGER_LEDGER", "")
    result = call("games")
    assert result.exit_code == 0
    assert "no games yet" in result.stdout
    assert json.loads(call("games", "--json").stdout) == []


def test_the_default_ledger_is_in_the_data_folder(call, monkeypatch, tmp_path):
    monkeypatch.setattr("table.storage.user_data_dir", lambda name: str(tmp_path / "share" / name))
    monkeypatch.setenv("WARLEDGER_LEDGER", "")
    assert call("play", "--game", "g", keys="quit\n").exit_code == 0
    assert (tmp_path / "share" / "warledger" / "warledger.sqlite").exists()
    assert json.loads(call("games", "--json").stdout)[0]["game"] == "g"


def test_games_lists_armies_and_outcome(demo):
    assert "Emberguard - Ratskar" in demo("games").stdout
    (game,) = json.loads(demo("games", "--json").stdout)
    assert game["game"] == "demo" and game["over"] is True
    assert game["armies"] == ["Emberguard", "Ratskar"]


def test_a_game_is_found_by_the_beginning_of_its_id(demo):
    assert demo("show", "de").exit_code == 0
    unknown = demo("show", "nothing")
    assert unknown.exit_code == 1
    assert "no such game" in unknown.stderr


def test_the_log_says_when_who_what_and_the_facts_with_dice_and_needs(demo):
    said = demo("log", "demo").stdout
    assert "turn 1, " in said and ", shooting" in said
    assert "dice, to hit" in said and " made it" in said
    assert "procedure" not in said and "began" not in said
    assert len(demo("log", "demo", "--all").stdout) > len(said)


def test_the_log_as_json_has_every_row_in_order(demo):
    rows = json.loads(demo("log", "demo", "--json").stdout)
    assert [row["step"] for row in rows] == list(range(1, len(rows) + 1))
    assert all(row["kind"] == "step" and not row["undone"] for row in rows)
    assert rows[1]["choice"].startswith("zone ")


def test_undone_steps_and_marks_are_in_the_log(call):
    call("play", "--game", "g", "--seed", "1", keys="zone south\nundo\nzone north\nquit\n")
    said = call("log", "g").stdout
    assert "(undone, after step 1) blue zone south" in said
    assert "blue takes back step 2: the game stands at step 1" in said
    rows = json.loads(call("log", "g", "--json").stdout)
    assert [(row["kind"], row["undone"]) for row in rows] == [
        ("step", False),
        ("step", True),
        ("undone", False),
        ("step", False),
    ]


def test_show_at_a_step_shows_the_battle_of_that_step(demo):
    early = json.loads(demo("show", "demo", "--at", 2, "--json").stdout)
    late = json.loads(demo("show", "demo", "--json").stdout)
    assert early["clock"]["game_turn"] == 0 and early["question"]["ask"] == "deploy"
    assert early["asks"].split(":")[0] in ("red", "blue")
    assert late["outcome"] is not None and late["question"] is None
    assert sum(len(unit["models"]) for unit in early["units"]) == 127
    assert sum(len(unit["models"]) for unit in late["units"]) < 127


def test_show_prints_units_and_score(demo):
    said = demo("show", "demo").stdout
    assert "line-squad" in said and "points red" in said and "over: " in said


@pytest.mark.parametrize("command", ["show", "map"])
def test_a_step_that_is_not_there_is_refused(demo, command):
    result = demo(command, "demo", "--at", 9999)
    assert result.exit_code == 1
    assert "step 9999" in result.stderr


def test_map_draws_characters_or_a_picture(demo, tmp_path):
    said = demo("map", "demo", "--at", 40).stdout
    assert said.count("\n|") == 24 and "A ash-warden 1" in said
    assert demo("map", "demo", "--at", 40, "-o", "t.svg").exit_code == 0
    picture = (tmp_path / "t.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert demo("map", "demo", "--at", 40, "-o", "-").stdout == picture


def test_a_picture_that_cannot_be_written_is_an_error(demo):
    result = demo("map", "demo", "-o", "no/such/folder.svg")
    assert result.exit_code == 1
    assert "no/such/folder.svg" in result.stderr


def test_the_report_as_text_and_json(demo):
    said = demo("battle-report", "demo").stdout
    assert "Turn 2, blue" in said and "Dice of red: " in said
    made = json.loads(demo("battle-report", "demo", "--json").stdout)
    assert made["red"] == "Emberguard" and made["turns"][0]["turn"] == 1
    assert 0 <= made["luck"][0]["per_mille"] <= 1000


def test_looking_changes_no_byte_of_the_ledger(demo, fought):
    before = hashlib.sha256((fought / "demo.sqlite").read_bytes()).hexdigest()
    for words in (
        ("games",),
        ("log", "demo"),
        ("show", "demo"),
        ("map", "demo"),
        ("verify", "demo"),
    ):
        assert demo(*words).exit_code == 0
    assert hashlib.sha256((fought / "demo.sqlite").read_bytes()).hexdigest() == before


def test_a_ledger_that_is_not_there_is_an_error_and_is_not_made(call):
    result = call("--ledger", "gone.sqlite", "games")
    assert result.exit_code == 1
    assert "gone.sqlite" in result.stderr
    assert not Path("gone.sqlite").exists()


def test_a_picture_under_another_ending_is_refused_and_not_written(demo):
    refused = demo("map", "demo", "-o", "table.png")
    assert refused.exit_code == 1 and "table.png" in refused.stderr and ".svg" in refused.stderr
    assert not Path("table.png").exists()
