"""``warledger play`` and ``demo`` with bots; refusals before anything is written; faults."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.armies import bundled
from events.ledger import Ledger
from projections.battle import Battle


def test_the_demo_plays_reports_stores_verifies_and_draws(fought):
    said = (fought / "demo.out").read_text(encoding="utf-8")
    assert "Turn 1, " in said and "Result: " in said
    assert said.count("with a stated need") == 2
    assert "\nEXACT demo: all " in said
    assert (fought / "demo.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_bots_play_to_the_end_and_the_same_seed_gives_the_same_game(call):
    for name in ("one", "two"):
        result = call("play", "--bots", "both", "--seed", "s", "--game", name)
        assert result.exit_code == 0
        assert "turn 1 " in result.stderr and "the end" in result.stderr
        assert "Result: " in result.stdout
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        one, two = ledger.read("one"), ledger.read("two")
    assert [step.events for step in one] == [step.events for step in two]
    assert len(one) > 30


def test_another_kind_of_bot_plays_another_game(call):
    for kind in ("random", "aggressive"):
        arguments = ("--bots", "both", "--bot", kind, "--seed", "s", "--game", kind)
        assert call("play", *arguments).exit_code == 0
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        assert ledger.read("random")[-1].events != ledger.read("aggressive")[-1].events


def test_units_of_two_equal_armies_are_told_apart(call):
    result = call("play", "--red", "ratskar", "--blue", "ratskar", "--game", "twins", keys="quit\n")
    assert result.exit_code == 0
    units = json.loads(call("show", "twins", "--json").stdout)["units"]
    ids = [unit["unit"] for unit in units]
    assert len(set(ids)) == len(ids) == 14
    assert "red-brutes" in ids and "blue-brutes" in ids


def test_an_unplayable_army_is_refused_by_unit_profile_and_field_and_nothing_is_written(call):
    broken = bundled("ratskar").replace(b'name="T" typeId="c-t">4<', b'name="T" typeId="c-t"><')
    Path("broken.ros").write_bytes(broken)
    result = call("play", "--blue", "broken.ros", "--bots", "both")
    assert result.exit_code == 1
    assert "broken.ros" in result.stderr
    assert "ratskar-pack" in result.stderr and "has no T" in result.stderr
    assert not Path("games.sqlite").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--bots", "both", "--dice", "entered"),
        ("--bots", "nobody"),
        ("--red", "missing.ros"),
        ("--base", "x=1"),
    ],
)
def test_what_cannot_start_writes_nothing(call, words):
    result = call("play", *words)
    assert result.exit_code in (1, 2)
    assert not Path("games.sqlite").exists()


def test_a_game_id_that_is_taken_is_refused(call):
    assert call("play", "--game", "g", keys="quit\n").exit_code == 0
    result = call("play", "--game", "g", keys="quit\n")
    assert result.exit_code == 1
    assert "already" in result.stderr


def test_a_ledger_in_memory_is_refused_kindly(call):
    result = call("--ledger", "memory:", "play", "--bots", "both")
    assert result.exit_code == 1
    assert "name a file" in result.stderr


def test_a_fault_in_a_rule_says_up_to_where_the_game_is_whole(call, monkeypatch):
    assert call("play", "--game", "g", "--seed", "s", keys="quit\n").exit_code == 0

    def failing(battle: Battle) -> None:
        raise ZeroDivisionError("a rule failed")

    monkeypatch.setattr("engine.rules.setup.next_to_deploy", failing)
    result = call("resume", "g", keys="zone south\n")
    assert result.exit_code == 70
    assert "Game g is whole up to step 1" in result.stderr
    assert "ZeroDivisionError" in result.stderr and "Traceback" not in result.stderr
    monkeypatch.undo()
    verbose = call("games")
    assert verbose.exit_code == 0


def test_the_traceback_is_shown_when_verbose(call, monkeypatch):
    def failing(battle: Battle) -> None:
        raise ZeroDivisionError("a rule failed")

    monkeypatch.setattr("engine.rules.setup.next_to_deploy", failing)
    result = call("--verbose", "play", "--game", "g", keys="zone south\n")
    assert result.exit_code == 70
    assert "Traceback" in result.stderr


def test_log_lines_are_json_objects_when_asked_one_a_step(call):
    result = call("--log-json", "play", "--game", "g", keys="zone south\nquit\n")
    lines = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    assert [(line["event"], line["game"], line["choice"]) for line in lines] == [
        ("step", "g", "zone south")
    ]


def test_quiet_by_default_and_key_value_lines_when_verbose(call):
    assert "event=" not in call("play", "--game", "a", keys="zone south\nquit\n").stderr
    loud = call("-v", "play", "--game", "b", keys="zone south\nquit\n").stderr
    assert "event='step'" in loud and "choice='zone south'" in loud


def test_the_installed_command_runs_in_a_process_of_its_own(tmp_path):
    command = Path(sys.executable).parent / "warledger"
    ledger = ("--ledger", str(tmp_path / "own.sqlite"))

    def run(*words: str, keys: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [command, *ledger, *words], input=keys, capture_output=True, text=True, check=False
        )

    assert run("play", "--game", "own", keys="auto\nauto\n").returncode == 0
    verified = run("verify", "own")
    assert verified.returncode == 0
    assert verified.stdout.startswith("EXACT own: ")
    assert run("dance").returncode == 2


def test_version(call):
    assert call("--version").stdout.startswith("warledger ")


def test_the_edition_is_chosen_and_recorded_and_an_unknown_one_writes_nothing(call):
    """[TURN-3] The 6th edition has no Psychic phase."""
    played = call("play", "--bots", "both", "--seed", "s", "--ruleset", "40k-6e", "--game", "old")
    assert played.exit_code == 0
    log = call("log", "old").stdout
    assert "psychic" not in log.lower()
    assert call("verify", "old").exit_code == 0
    refused = call("play", "--ruleset", "40k-9e", "--game", "new")
    assert refused.exit_code == 1
    assert "40k-9e" in refused.stderr and "40k-6e, 40k-7e" in refused.stderr
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        assert set(ledger.games()) == {"old"}


def test_a_kind_of_bot_without_a_seat_is_refused(call):
    for words in (("play", "--game", "g"), ("resume", "g")):
        refused = call(*words, "--bot", "random", keys="quit\n")
        assert refused.exit_code == 1
        assert "refused --bot random: no bot is seated; say which side by --bots" in refused.stderr
        call("play", "--game", "g", keys="quit\n")
