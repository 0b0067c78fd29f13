"""``warledger catalogue``, ``muster``, and armies written as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.armies import bundled, read_army, read_army_bytes

FILES = Path(__file__).resolve().parents[1] / "fixtures/catalogues"
CAT = FILES / "city-watch-2_03.cat"
GST = ("--system", FILES / "ashfall-2_03.gst")


def test_a_catalogue_lists_units_with_points_and_limits(call):
    result = call("catalogue", "list", CAT, *GST)
    assert result.exit_code == 0
    assert "City Watch, Ashfall" in result.stdout
    rows = {line.split("  ")[0]: line for line in result.stdout.splitlines()}
    assert "20" in rows["Night Watch"]
    assert rows["Lamplighter"].rstrip().endswith("45   max 1 in roster")
    assert "17.50" in rows["Levy"]
    assert "Secret" not in result.stdout


def test_a_unit_is_shown_with_options_limits_and_what_is_not_applied(call):
    shown = call("catalogue", "show", CAT, "night watch", *GST).stdout
    assert "Watchman model, 5 points (min 4 in parent, max 9 in parent)" in shown
    assert 'Long Gun: Range 48" Strength 4 AP - Type Rapid Fire, Sniper' in shown
    assert "not applied: set Save of Watchman to 4+/5++ if exactly 1 Old Plate in parent" in shown


def test_json_of_a_catalogue(call):
    units = json.loads(call("catalogue", "list", CAT, *GST, "--json").stdout)
    assert {unit["name"]: unit["points_from"] for unit in units}["Lamplighter"] == "45"
    unit = json.loads(call("catalogue", "show", CAT, "Levy", *GST, "--json").stdout)
    assert unit["options"][0]["cost"] == 350


def test_an_unknown_unit_brings_the_nearest(call):
    result = call("catalogue", "show", CAT, "Nite Watch", *GST)
    assert result.exit_code == 1
    assert "nearest are Night Watch" in result.stderr


def test_a_mustered_army_is_printed_written_and_can_be_imported(call):
    choice = "Night Watch [Sergeant, 4 Watchman]"
    result = call("muster", CAT, choice, *GST, "--name", "Patrol", "--out", "patrol.yaml")
    assert result.exit_code == 0
    assert "Patrol: 1 unit, 5 models, 30 points" in result.stdout
    assert read_army(Path("patrol.yaml"), "red").army.name == "Patrol"
    assert call("import", "patrol.yaml").exit_code == 0


def test_violations_are_named_and_nothing_is_written(call):
    result = call("muster", CAT, "Night Watch [12 Watchman]", *GST, "--out", "patrol.rosz")
    assert result.exit_code == 3
    assert "12 taken, against the limit max 9 in parent; take 9 or fewer" in result.stdout
    assert not Path("patrol.rosz").exists()
    over = call("muster", CAT, "Night Watch", *GST, "--points", "10")
    assert over.exit_code == 3
    assert "20 points taken, against the limit of 10" in over.stdout


def test_choices_may_stand_in_a_file(call):
    Path("list.txt").write_text("# my list\nNight Watch [5 Watchman]  # five\n\n2 Levy\n")
    said = json.loads(call("muster", CAT, *GST, "--list", "list.txt", "--json").stdout)
    assert [unit["id"] for unit in said["army"]["units"]] == ["night-watch", "levy", "levy-2"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "nothing chosen"),
        (("Night Watch [",), "choice, character"),
        (("--list", "none.txt"), "none.txt"),
        (("Levy", "--out", "levy.doc"), "an army is .yaml or .rosz"),
    ],
)
def test_what_muster_refuses_is_one_line(call, words, told):
    result = call("muster", CAT, *words, *GST)
    assert result.exit_code == 1
    assert told in result.stderr and result.stderr.count("\n") == 1


def test_import_writes_an_army_file_that_is_the_same_army(call):
    army = read_army_bytes(bundled("ratskar"), "ratskar.ros", "red").army
    Path("ratskar.yaml").write_bytes(call("import", "ratskar", "--as", "yaml").stdout_bytes)
    assert read_army(Path("ratskar.yaml"), "red").army == army
    assert call("import", "ratskar", "--as", "battlescribe", "--out", "r.rosz").exit_code == 0
    assert read_army(Path("r.rosz"), "red").army.units == army.units


def test_export_writes_an_army_for_the_builders(call):
    assert call("export", "emberguard", "e.rosz", "--as", "battlescribe").exit_code == 0
    army = read_army_bytes(bundled("emberguard"), "emberguard.ros", "red").army
    assert read_army(Path("e.rosz"), "red").army.units == army.units
    assert call("export", "emberguard", "no/where.rosz", "--as", "battlescribe").exit_code == 1


def test_strict_makes_a_warning_an_exit_code(call):
    roster = bundled("ratskar").replace(b'value="750.0"', b'value="800.0"', 1)
    Path("off.ros").write_bytes(roster)
    assert call("import", "off.ros").exit_code == 0
    assert call("import", "off.ros", "--strict").exit_code == 6
    assert call("import", "ratskar", "--strict").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("catalogue", "list", "none.cat"), "none.cat: no such file; a .cat file is needed"),
        (("catalogue", "list", CAT, "--system", "none.gst"), "no such file; a .gst file is needed"),
        (("import", "none.ros"), "no such file; .ros, .rosz, .json or .yaml is needed"),
        (("catalogue", "list", "notes.md"), "notes.md:1: not a catalogue in XML or a ZIP ("),
        (("import", "notes.md"), "notes.md:1: not a roster in XML, JSON or a ZIP ("),
        (("muster", CAT, "--list", "none.txt"), "can't be read: No such file or directory\n"),
        (("muster", CAT, "--list", "latin.txt"), "can't be read: not text in UTF-8: byte 3\n"),
        (("muster", CAT, *GST, "Night Watch [5 Watchman]", "--base", "foo=25"), "'foo' is no unit"),
    ],
)
def test_a_file_that_is_not_what_is_needed_is_refused_by_its_kind(call, words, said):
    Path("notes.md").write_text("# Notes\n")
    Path("latin.txt").write_bytes(b"caf\xe9\n")
    refused = call(*words)
    assert refused.exit_code == 1 and said in refused.stderr
    assert "[Errno" not in refused.stderr
