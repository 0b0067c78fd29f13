"""``undo`` as a whole, by request; ``branches``, ``branch``, ``fork``. [P8]"""

from __future__ import annotations

import json
import re

import pytest

KEYS = "zone south\n" + "auto\n" * 14 + "quit\n"


@pytest.fixture
def deployed(call):
    """A game at step 16: blue's zone and both armies deployed, red's last."""
    assert call("play", "--game", "g", "--seed", "1", keys=KEYS).exit_code == 0
    return call


def step(call, game: str = "g") -> int:
    return json.loads(call("branches", game, "--json").stdout)["step"]


def test_undo_of_the_last_action_and_of_the_phase(deployed):
    # the last unit's deployment is an action; all of the deployment is one phase
    assert deployed("undo", "g", "--action").exit_code == 0
    assert step(deployed) == 15
    asked = deployed("undo", "g", "--phase", "--ask")
    assert asked.exit_code == 0
    assert "red asks to go back to step 1; blue answers by" in asked.stdout
    assert "is blue's answer; blue must agree" in asked.stderr
    assert step(deployed) == 15


def test_a_request_is_left_in_the_game_and_granted_or_refused_later(deployed):
    deployed("undo", "g", "--to", 4, "--ask")
    assert "blue refuses; the game stands at step 16" in deployed("undo", "g", "--refuse").stdout
    again = deployed("undo", "g", "--refuse")
    assert again.exit_code == 1 and "nobody asked" in again.stderr
    deployed("undo", "g", "--to", 4, "--ask")
    assert "the game stands at step 4" in deployed("undo", "g", "--grant").stdout
    said = deployed("log", "g").stdout
    assert said.count("red asks to go to step 4") == 2
    assert "blue refuses" in said and "blue grants it" in said
    assert deployed("verify", "g").exit_code == 0


def test_a_branch_is_not_asked_for_over_the_others_request(deployed):
    # given red's last unit on a branch that was left, and red's request to go back further
    deployed("undo", "g", "--to", 15, "--agreed")
    deployed("undo", "g", "--to", 4, "--by", "red", "--ask")
    # when blue would take up the branch, then he answers first
    barred = deployed("branch", "g", "@16", "--by", "blue", "--ask")
    assert barred.exit_code == 1
    assert "red asks to go to step 4: blue grants or refuses that first" in barred.stderr
    assert step(deployed) == 15


def test_what_the_policy_allows_is_done_though_asking_was_wanted(deployed):
    assert "the game stands at step 15" in deployed("undo", "g", "--ask").stdout


def test_two_targets_at_once_are_refused(deployed):
    result = deployed("undo", "g", "--to", 4, "--phase")
    assert result.exit_code == 1 and "name one of" in result.stderr


def test_an_undone_tip_is_listed_looked_at_compared_and_taken_up(deployed):
    deployed("undo", "g", "--to", 12, "--agreed")
    found = json.loads(deployed("branches", "g", "--json").stdout)
    assert [(line["step"], line["left_at"], line["own"]) for line in found["branches"]] == [
        (16, 12, 4)
    ]
    shown = deployed("branches", "g").stdout.splitlines()
    columns = [re.split(r" {2,}", line.strip())[:4] for line in (shown[1], shown[3])]
    assert columns == [
        ["Branch", "Left at", "Steps", "Stands at"],
        ["@16", "step 12", "4", "turn 1, blue, movement"],
    ]
    # looked at
    assert json.loads(deployed("show", "g", "--at", 16, "--json").stdout)["step"] == 16
    # compared
    said = deployed("compare", "g", "@16").stdout
    assert "share 12 steps" in said and "g@12 ends there" in said
    # taken up
    assert "the game stands at step 16" in deployed("branch", "g", "@16").stdout
    wrong = deployed("branch", "g", "sixteen")
    assert wrong.exit_code == 1 and "not a step such as @412" in wrong.stderr


def barred(call):
    """Leave a branch at step 16, and stand at step 20 after an answer of blue's and one of red's.

    The way over to @16 leaves blue's answer: red may not take it alone.
    """
    call("undo", "g", "--to", 8, "--agreed")
    call("resume", "g", keys="2\n2\nquit\n")
    assert step(call) == 20


def test_a_branch_that_the_policy_bars_is_asked_for_and_agreed_to(deployed):
    barred(deployed)
    alone = deployed("branch", "g", "@16", "--by", "red")
    assert alone.exit_code == 1 and "must agree" in alone.stderr
    assert step(deployed) == 20
    refused = deployed("branch", "g", "@16", "--by", "red", keys="what\nno\n")
    assert refused.exit_code == 1
    assert "blue, grant red to go over to @16? y/n" in refused.stdout
    assert "'what' is neither; blue, grant red" in refused.stdout
    later = deployed("branch", "g", "@16", "--by", "red", "--ask")
    assert "red asks to go over to @16; blue answers by" in later.stdout
    assert "the game stands at step 16" in deployed("undo", "g", "--grant").stdout
    assert "red asks to go to step 16" in deployed("log", "g").stdout
    assert deployed("verify", "g").exit_code == 0


def test_a_fork_is_a_game_of_its_own_and_says_where_it_is_from(deployed):
    rows = json.loads(deployed("games", "--json").stdout)
    made = deployed("fork", "g", "--at", 12, "--game", "what-if", "--seed", "other")
    assert "what-if: forked from g at step 12, new dice ahead" in made.stdout
    assert deployed("resume", "what-if", "--bots", "both").exit_code == 0
    assert deployed("verify", "what-if").exit_code == 0
    # the ancestry is in the list of games, in the log and beside the branches
    games = {game["game"]: game for game in json.loads(deployed("games", "--json").stdout)}
    assert games["what-if"]["forked_from"] == "g@12"
    assert "Forked from" in deployed("games").stdout
    assert "forked from g at its step 12" in deployed("log", "what-if").stdout
    assert "a new seed" in deployed("log", "what-if").stdout
    assert "they are the same there" in deployed("branches", "what-if").stdout
    # and the other game is as it was
    assert games["g"] == rows[0]


def test_what_can_not_be_forked_is_one_line(deployed):
    for words in (("--at", 99), ("--game", "g")):
        result = deployed("fork", "g", *words)
        assert result.exit_code == 1
        assert result.stderr.startswith("refused ") and result.stderr.count("\n") == 1
