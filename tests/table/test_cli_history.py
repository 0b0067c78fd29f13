"""``warledger undo`` and ``redo`` on a stored game. [P8]"""

from __future__ import annotations

import pytest

from engine.game import Game
from events.history import UndoAsked, UndoRefused
from events.ledger import Ledger

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
    assert "blue refuses; the game stands at step 16" in refused.stdout
    granted = deployed("undo", "g", "--to", 4, keys="y\n")
    assert granted.exit_code == 0
    assert "the game stands at step 4" in granted.stdout
    said = deployed("log", "g").stdout
    assert "red asks to go to step 4" in said
    assert "blue refuses" in said and "blue grants it" in said


def test_without_an_answer_nothing_is_written(deployed):
    result = deployed("undo", "g", "--to", 4)
    assert result.exit_code == 1
    assert result.stderr.count("must agree") == 1, "the reason is said once"
    assert "refused undo: blue has not answered, so nothing is written" in result.stderr
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


def marks() -> list[object]:
    """Return the marks of game g as stored."""
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        return list(Game.open(ledger, "g").history.marks.values())


@pytest.mark.parametrize("verdict", ["--grant", "--refuse"])
def test_only_who_was_asked_answers_a_request(deployed, verdict):
    # given that red has asked
    asked = deployed("undo", "g", "--to", 4, "--by", "red", "--ask")
    assert "red asks to go back to step 4; blue answers by" in asked.stdout
    # when red would answer himself
    own = deployed("undo", "g", verdict, "--by", "red")
    # then he is refused, and who answers is named
    assert own.exit_code == 1 and "refused undo: red asked; blue answers" in own.stderr
    assert marks() == [UndoAsked("red", 4)]
    # and blue's answer is told as his
    told = deployed("undo", "g", verdict, "--by", "blue").stdout
    word, step = {"--grant": ("grants it", 4), "--refuse": ("refuses", 16)}[verdict]
    assert told.startswith(f"blue {word}; the game stands at step {step}: ")
    assert deployed("verify", "g").exit_code == 0


def test_an_open_request_is_answered_before_the_other_asks(deployed):
    deployed("undo", "g", "--to", 4, "--by", "red", "--ask")
    for how in ("--ask", "--agreed", "--by"):
        words = ("undo", "g", "--to", 5, "--by", "blue", *((how,) if how != "--by" else ()))
        barred = deployed(*words, keys="y\n")
        assert barred.exit_code == 1 and "y/n" not in barred.stdout
        reason = "red asks to go to step 4: blue grants or refuses that first"
        assert f"refused undo: {reason}" in barred.stderr
    # so blue can't refuse a request of his own that took the other's place
    refused = deployed("undo", "g", "--refuse")
    assert "blue refuses; the game stands at step 16" in refused.stdout
    assert marks() == [UndoAsked("red", 4), UndoRefused("blue", 4)]


def test_the_same_request_is_written_once_and_another_takes_its_place(deployed):
    for to in (4, 4, 5):
        deployed("undo", "g", "--to", to, "--by", "red", "--ask")
    assert marks() == [UndoAsked("red", 4), UndoAsked("red", 5)]


def test_a_move_that_lets_a_request_lapse_says_so(deployed):
    deployed("undo", "g", "--to", 4, "--by", "red", "--ask")
    moved = deployed("undo", "g", "--by", "red").stdout
    assert "what red asked, to go to step 4, has lapsed\nthe game stands at step 15" in moved


@pytest.mark.parametrize(
    "words", [("--ask", "--agreed"), ("--grant", "--agreed"), ("--refuse", "--ask")]
)
def test_words_that_exclude_each_other_are_refused(deployed, words):
    refused = deployed("undo", "g", *words)
    assert refused.exit_code == 1 and "name one of --agreed, --ask, --grant" in refused.stderr
    assert marks() == []
