"""``warledger undo`` and ``redo`` on a stored game. [P8]"""

from __future__ import annotations

import pytest

KEYS = "zone south\n" + "auto\n" * 14 + "quit\n"


@pytest.fixture
def deployed(call):
    """A game at step 16: blue's zone and both armies deployed, red's last."""
    assert call("play", "--game", "g", "--seed", "1", keys=KEYS).exit_code == 0
    return call


def test_undo_of_the_last_step_and_redo(deployed):
    assert "the game stands at step 15" in deployed("undo", "g").stdout
    assert "the game stands at step 16" in deployed("redo", "g").stdout
    nothing = deployed("redo", "g")
    assert nothing.exit_code == 1
    assert "nothing to redo" in nothing.stderr


def test_undo_that_needs_consent_asks_and_does_what_the_answer_says(deployed):
    refused = deployed("undo", "g", "--to", 4, keys="n\n")
    assert refused.exit_code == 1
    assert "refused; the game stands at step 16" in refused.stdout
    granted = deployed("undo", "g", "--to", 4, keys="y\n")
    assert granted.exit_code == 0
    assert "the game stands at step 4" in granted.stdout
    said = deployed("log", "g").stdout
    assert "red asks to go to step 4" in said
    assert "blue refuses" in said and "blue grants it" in said


def test_without_an_answer_nothing_is_written(deployed):
    result = deployed("undo", "g", "--to", 4)
    assert result.exit_code == 1
    assert "must agree" in result.stderr
    assert "asks to go" not in deployed("log", "g").stdout


def test_agreed_beforehand(deployed):
    assert deployed("undo", "g", "--to", 4, "--agreed").exit_code == 0


def test_a_step_on_no_way_back_is_refused(deployed):
    result = deployed("undo", "g", "--to", 99)
    assert result.exit_code == 1
    assert "step 99" in result.stderr


def test_the_first_step_cannot_be_undone(call):
    call("play", "--game", "new", "--seed", "1", keys="quit\n")
    result = call("undo", "new")
    assert result.exit_code == 1
    assert "step 1 is where the game begins" in result.stderr
