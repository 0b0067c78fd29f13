"""``warledger scenario run`` and ``warledger rules``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.coverage import cited, coverage

SCENARIO = """\
name: A short walk
rules: [MOVE-2]
given:
  units:
    boyz: {side: red, models: "10,10"}
    warriors: {side: blue, models: "10,40"}
play: ["move boyz 0,6"]
expect: {battle: {units: {boyz: {at: "10,16"}}}}
"""


@pytest.fixture
def files(call):
    """Three scenarios: one that passes, one that fails, one that can't be read."""
    Path("some").mkdir()
    Path("some/a.yaml").write_text(SCENARIO)
    Path("some/b.yaml").write_text(SCENARIO.replace("10,16", "10,17"))
    Path("some/c.yaml").write_text(SCENARIO.replace("given:", "givven:"))
    return call


def test_a_scenario_that_passes(files):
    result = files("scenario", "run", "some/a.yaml")
    assert result.exit_code == 0
    assert "A short walk: passed" in result.stdout


def test_a_failure_says_the_difference_and_how_to_run_it_again(files):
    result = files("scenario", "run", "some/b.yaml")
    assert result.exit_code == 1
    assert "A short walk: failed" in result.stdout
    assert "warledger scenario run some/b.yaml" in result.stdout


def test_a_folder_runs_all_in_it_and_an_unreadable_one_stops_no_other(files):
    result = files("scenario", "run", "some")
    assert result.exit_code == 1
    assert "3 scenarios, 2 failed" in result.stdout
    assert "some/c.yaml:3" in result.stderr
    said = json.loads(files("scenario", "run", "some", "--json").stdout)
    assert [one["verdict"] for one in said] == ["passed", "failed", "unreadable"]


def test_a_scenario_that_expects_nothing_prints_what_happened(files):
    Path("q.yaml").write_text(SCENARIO.rpartition("expect")[0])
    result = files("scenario", "run", "q.yaml")
    assert result.exit_code == 0
    assert "A short walk: played" in result.stdout and "move boyz 0,6" in result.stdout


def test_rules_name_code_and_tests(call):
    said = {rule["id"]: rule for rule in json.loads(call("rules", "--json").stdout)}
    assert "engine/rules/movement.py" in said["MOVE-1"]["code"]
    assert said["MOVE-1"]["tests"]
    assert "rules cited" in call("rules", "--missing").stdout


def test_coverage_reads_citations_ranges_refusals_and_scenarios(tmp_path):
    (tmp_path / "engine").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "engine" / "walk.py").write_text(
        '"""Walking. [WALK-1 to WALK-3]"""\nraise IllegalChoice("WALK-9", "no")  # [P6]\n'
    )
    (tmp_path / "tests" / "test_walk.py").write_text('"""[WALK-2]"""\n')
    (tmp_path / "tests" / "walk.yaml").write_text("rules: [WALK-3]\nrefused: WALK-9\n")
    found = {rule.id: (rule.code, rule.tests) for rule in coverage(tmp_path)}
    code = ("engine/walk.py",)
    assert found == {
        "WALK-1": (code, ()),
        "WALK-2": (code, ("tests/test_walk.py",)),
        "WALK-3": (code, ("tests/walk.yaml",)),
        "WALK-9": (code, ("tests/walk.yaml",)),
    }


def test_properties_and_types_are_no_rules():
    assert list(cited("tuple[X, Y] [P3] [CDEC] [MOVE-2]")) == ["MOVE-2"]
