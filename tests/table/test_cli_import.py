"""``warledger import``: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.armies import bundled


def test_prints_the_army_with_points_profiles_weapons_and_the_report(call):
    result = call("import", "ratskar")
    assert result.exit_code == 0
    assert "7 units, 67 models, 750 points declared, 750 summed" in result.stdout
    assert "scrap-king" in result.stdout and "4+/5++" in result.stdout
    assert "Melee (Unwieldy)" in result.stdout
    assert "inferred (" in result.stdout and "not applied (" in result.stdout


def test_json_is_the_army_and_the_report(call):
    said = json.loads(call("import", "emberguard", "--json").stdout)
    assert said["playable"] is True
    assert said["army"]["points_declared"] == 750
    assert {entry["level"] for entry in said["report"]} >= {"inferred", "not applied"}


def test_a_base_size_replaces_the_inferred_one(call):
    said = json.loads(call("import", "ratskar", "--base", "brutes=40", "--json").stdout)
    radii = {unit["id"]: unit["models"][0]["radius"] for unit in said["army"]["units"]}
    assert radii["brutes"] == 200 and radii["ratskar-pack"] == 125


def test_a_malformed_base_is_refused_with_an_example(call):
    result = call("import", "ratskar", "--base", "brutes")
    assert result.exit_code == 1
    assert "--base" in result.stderr and "NAME=MM" in result.stderr


def test_a_file_that_is_no_roster_is_one_line_and_exit_code_1(call):
    Path("shopping.ros").write_text("<list><milk/></list>")
    result = call("import", "shopping.ros")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "shopping.ros:1" in result.stderr and "<roster>" in result.stderr


def test_a_roster_cut_short_names_file_and_element(call):
    Path("half.ros").write_bytes(bundled("ratskar")[:5000])
    result = call("import", "half.ros")
    assert result.exit_code == 1
    assert "half.ros:" in result.stderr and "cut short" in result.stderr


def test_an_army_that_cannot_be_played_is_printed_and_exits_with_3(call):
    broken = bundled("ratskar").replace(b'name="T" typeId="c-t">4<', b'name="T" typeId="c-t"><')
    Path("broken.ros").write_bytes(broken)
    result = call("import", "broken.ros")
    assert result.exit_code == 3
    assert "not playable: " in result.stdout
    assert "error (" in result.stdout and "has no T" in result.stdout


def test_a_name_that_is_neither_file_nor_bundled_army_says_which_there_are(call):
    result = call("import", "orks")
    assert result.exit_code == 1
    assert "emberguard, ratskar, " in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("import", "ratskar"), "'foo' is no unit and no profile here; there is scrap-king, "),
        (("play",), "'foo' is no unit and no profile here; there is ash-warden, "),
    ],
)
def test_a_base_of_no_unit_is_refused_with_those_there_are(call, words, said):
    refused = call(*words, "--base", "foo=25", keys="quit\n")
    assert refused.exit_code == 1 and f"refused --base: {said}" in refused.stderr
    assert not Path("games.sqlite").exists()


def test_a_base_of_one_army_is_enough_and_a_misspelt_one_is_guessed(call):
    assert call("play", "--base", "slinger=32", "--base", "line-squad=32").exit_code == 0
    refused = call("play", "--base", "line-sqad=32")
    assert "'line-sqad' is no unit and no profile here; there is line-squad, " in refused.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--out", "r.yaml"), "refused --out: is for --as: say which kind"),
        (("--as", "yaml", "--json"), "refused import: name one of --json, --as"),
    ],
)
def test_no_word_is_passed_over(call, words, said):
    refused = call("import", "ratskar", *words)
    assert refused.exit_code == 1 and said in refused.stderr
    assert not Path("r.yaml").exists() and not refused.stdout
