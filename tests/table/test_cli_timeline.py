"""``timeline``, ``jump``, ``when``, ``compare`` on a finished battle."""

from __future__ import annotations

import json

import pytest


def test_the_timeline_lists_turns_and_casualties_in_order(demo):
    rows = json.loads(demo("timeline", "demo", "--json").stdout)
    steps = [row["step"] for row in rows]
    assert steps == sorted(set(steps))
    facts = [fact for row in rows for fact in row["facts"]]
    assert "turn 1 of red begins" in facts or "turn 1 of blue begins" in facts
    assert any(" is removed (" in fact for fact in facts)
    # and only what was named, if something was
    turns = json.loads(demo("timeline", "demo", "turn", "--json").stdout)
    assert all(" begins" in fact for row in turns for fact in row["facts"])
    assert 2 <= len(turns) < len(rows)
    assert "nothing of the kind" in demo("timeline", "demo", "charge", "--at", 1).stdout


def test_jumping_forward_and_back_meets_at_the_same_step(demo):
    first = json.loads(demo("jump", "demo", "casualty", "--json").stdout)
    assert any(" is removed (" in fact for fact in first["facts"])
    second = json.loads(demo("jump", "demo", "casualty", "--from", first["step"], "--json").stdout)
    assert second["step"] > first["step"]
    back = demo("jump", "demo", "casualty", "--from", second["step"], "--back")
    assert back.stdout.startswith(f"step {first['step']}: ")
    assert f"show demo --at {first['step']}" in back.stdout


def test_a_unit_is_jumped_to_by_its_id(demo):
    unit = json.loads(demo("show", "demo", "--json").stdout)["units"][0]["unit"]
    assert unit in demo("jump", "demo", unit, "--from", 1).stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("jump", "demo", "miracle"), "jump to one of turn, phase, charge"),
        (("jump", "demo", "turn", "--from", 1, "--back"), "there is none before step 1"),
        (("jump", "demo", "turn", "--from", 9999), "step 9999: no game step (last is"),
        (("timeline", "demo", "miracle"), "jump to one of"),
        (("when", "demo", "miracle"), "no unit and no field"),
        (("when", "demo", "score.green"), "there are red, blue"),
        (("when", "demo", "score", "--at", 9999), "no game step"),
        (("compare", "demo", "@9999"), "no game step"),
        (("compare", "demo@x", "@1"), "not a step such as"),
        (("compare", "@3", "@5"), "'@3' names no game: write GAME@STEP"),
        (("compare", "demo", ""), "'' names no game"),
    ],
)
def test_what_is_not_there_is_one_line(demo, words, reason):
    result = demo(*words)
    assert result.exit_code == 1
    assert result.stderr.startswith("refused ") and reason in result.stderr
    assert result.stderr.count("\n") == 1


def test_when_names_steps_events_rules_and_values(demo):
    found = json.loads(demo("when", "demo", "clock.game_turn", "--json").stdout)
    values = [(d["one"], d["two"]) for change in found for d in change["differences"]]
    assert values == [(str(n), str(n + 1)) for n in range(len(values))] and values
    assert all(change["ids"] == ["TURN-4", "GTPT-4"] for change in found)
    said = demo("when", "demo", "clock.game_turn").stdout
    assert "[TURN-4, GTPT-4] in next_turn" in said and "clock.game_turn: 0 -> 1" in said


def test_compare_two_steps_of_a_game(demo):
    said = demo("compare", "demo@20", "@30").stdout
    assert "demo@20 and demo@30 share 20 steps" in said
    assert "they part by: one goes on" in said and "demo@20 ends there" in said
    found = json.loads(demo("compare", "demo@20", "demo@20", "--json").stdout)
    assert (found["parting"], found["battle"]) == ("nowhere", [])
    # and of one step with itself there is nothing to say
    same = demo("compare", "demo@20", "@20").stdout
    assert same == "demo@20 and demo@20 are one and the same: nothing to compare\n"
