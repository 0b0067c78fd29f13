"""Running scenarios: verdicts, differences in plain words, the transcript."""

from __future__ import annotations

import pytest

from engine.scenarios import Result, Verdict, parse, run

GIVEN = """
given:
  units:
    boyz: {side: red, base: 25.4, models: "10,10 11,10"}
    warriors: {side: blue, base: 25.4, models: "10,30"}
"""


def played(more: str) -> Result:
    return run(parse(GIVEN + more, "some/file.yaml"))


@pytest.mark.parametrize(
    "expect",
    [
        "facts: [unit_moved]",
        "facts: [{unit_moved: {unit: boyz, kind: move, by: '0,6.0'}}]",
        "facts: [{chosen: {by: red, choice: {do: move, unit: boyz}}}, unit_moved, asked]",
        "facts: [{asked: {question: {ask: shoot, player: red}}}]",
        "no_facts: [model_removed, {unit_moved: {unit: warriors}}]",
        "counts: {unit_moved: 1, model_removed: 0}",
        "battle: {units: {boyz: {models: 2, at: '10,16 11,16', lost: 0, locked: false}}}",
        "battle: {units: {boyz: {at: {2: '11,16'}, lost: {1: 0}, moved: 1 2}}}",
        "battle: {units: {boyz: {moved: [1, 2], ran: false}}}",
        "battle: {question: shoot, score: {red: 0}, outcome: none, clock: {phase: shooting}}",
        "battle: {question: {ask: shoot, player: red}, phase: {phase: shooting}}",
    ],
)
def test_expectations_that_are_met(expect: str) -> None:
    result = played(f"play: ['move boyz 0,6']\nexpect: {{{expect}}}")
    assert result.verdict is Verdict.PASSED, result.report()


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ("facts: [model_removed]", "expected model_removed; it did not happen"),
        ("facts: [{unit_moved: {by: '0,5'}}]", "it happened otherwise: {'unit': 'boyz'"),
        (
            "facts: [phase_started, unit_moved]",
            "expected unit_moved here; it happened, but earlier",
        ),
        ("no_facts: [unit_moved]", "unit_moved should not happen"),
        ("counts: {unit_moved: 2}", "unit_moved happened 1 times, expected 2"),
        ("battle: {units: {boyz: {models: 3}}}", "units boyz models is 2, expected 3"),
        ("battle: {units: {boyz: {at: '10,16'}}}", "expected 10,16"),
        ("battle: {units: {boyz: {locked: 0}}}", "units boyz locked is False, expected 0"),
        ("battle: {units: {boys: {models: 2}}}", "no unit of this game"),
        ("battle: {question: none}", "question is"),
        ("battle: {outcome: red}", "outcome is none"),
        ("battle: {score: {red: 1}}", "score is"),
    ],
)
def test_the_first_difference_in_plain_words(expect: str, says: str) -> None:
    result = played(f"play: ['move boyz 0,6']\nexpect: {{{expect}}}")
    assert result.verdict is Verdict.FAILED
    assert says in result.difference
    assert result.difference.startswith("some/file.yaml:7: ")


def test_a_refusal_that_is_expected() -> None:
    """[MOVE-2]"""
    result = played("play: ['move boyz 0,6.001']\nrefused: MOVE-2")
    assert result.verdict is Verdict.PASSED
    assert not [event for event in result.events if type(event).__name__ == "Chosen"]


@pytest.mark.parametrize(
    ("play", "says"),
    [
        ("['move boyz 0,6']", "is legal, expected: refused by MOVE-5"),
        ("['move boyz 1,18.5 ']", "expected: refused by MOVE-5"),
        ("['move boyz 0,60', 'end phase']", "MOVE-2"),
        ("['blue: end phase']", "PLYR-3"),
        ("['move boys toward warriors 6']", "a unit on the table is right here"),
    ],
)
def test_a_refusal_that_does_not_come(play: str, says: str) -> None:
    result = played(f"play: {play}\nrefused: MOVE-5")
    assert result.verdict is Verdict.FAILED
    assert says in result.difference


def test_an_illegal_line_fails_where_it_stands() -> None:
    result = played("play:\n  - move boyz 0,6\n  - move boyz 0,1\nexpect: {}")
    assert result.verdict is Verdict.FAILED
    assert result.difference.startswith("some/file.yaml:8: 'move boyz 0,1' is refused: ")


def test_dice_must_be_used_up() -> None:
    result = played("play: ['move boyz 0,6']\ndice: 3 4\nexpect: {facts: [unit_moved]}")
    assert result.verdict is Verdict.FAILED
    assert "2 scripted dice left over: [3, 4]" in result.difference


def test_dice_must_not_run_out() -> None:
    result = run(
        parse(
            """
given:
  clock: {phase: setup}
  units:
    boyz: {side: red, models: {count: 2}}
    warriors: {side: blue, models: {count: 2}}
dice: 3
expect: {facts: [roll_off_won]}
"""
        )
    )
    assert result.verdict is Verdict.FAILED
    assert "needs 1 scripted dice and 0 are left (after 1)" in result.difference


def test_a_file_without_expectations_is_played() -> None:
    result = played("play: ['move boyz 0,6']")
    assert result.verdict is Verdict.PLAYED
    assert result.difference == ""


def test_the_transcript_reads_like_a_game() -> None:
    result = played("play: ['move boyz toward warriors 6']\nexpect: {}")
    assert "red: move boyz 0,6" in result.transcript
    assert any(line.startswith("  unit_moved ") for line in result.transcript)
    assert result.transcript[-1].startswith("red: shoot with which unit?")


def test_the_report_says_how_to_run_it_again() -> None:
    result = played("play: ['end phase']\nexpect: {facts: [unit_moved]}")
    assert "warledger scenario run some/file.yaml" in result.report()
    assert result.report().startswith("file: failed\n    asked ")


def test_running_twice_shows_the_same() -> None:
    """[P10]"""
    scenario = parse(GIVEN + "play: ['move boyz toward warriors 6']\nexpect: {}")
    assert run(scenario).transcript == run(scenario).transcript
