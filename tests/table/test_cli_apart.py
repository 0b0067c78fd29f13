"""One person at this table, the other elsewhere: in one ledger, or by a file sent to and fro."""

from __future__ import annotations

import pytest

from engine.game import Game
from events.ledger import Ledger

KEYS = "zone south\n" + "auto\n" * 7
"""Blue takes a zone and deploys all his units; then red is asked, at step 9."""


def history(ledger: str = "games.sqlite"):
    """Return the history of game g as stored."""
    with Ledger.sqlite(ledger, create=False) as opened:
        return Game.open(opened, "g").history


@pytest.fixture
def blue(call):
    """Start game g at blue's table and type at it."""

    def run(keys: str):
        return call("play", "--game", "g", "--seed", "1", "--side", "blue", keys=keys)

    return run


def test_nobody_answers_for_who_is_elsewhere(blue):
    said = blue(KEYS + "auto\n1\nlist\nquit\n")
    assert history().head.step == 9
    assert said.stdout.count("refused play: red is asked and plays elsewhere") == 2
    assert "warledger export g FILE" in said.stdout
    assert "deploy ash-warden" not in said.stdout, "red's choices are not offered"
    assert "go on with: warledger resume g --side blue" in said.stdout


def test_each_player_goes_on_at_his_own_table_by_a_file(blue, call, monkeypatch):
    blue(KEYS)
    call("export", "g", "to-red.wl")
    monkeypatch.setenv("WARLEDGER_LEDGER", "red.sqlite")
    assert "adopted" in call("open", "to-red.wl").stdout
    call("resume", "g", "--side", "red", keys="auto\n" * 9)
    call("export", "g", "to-blue.wl")
    monkeypatch.setenv("WARLEDGER_LEDGER", "games.sqlite")
    assert "taken up: game g, 7 further steps from step 10" in call("open", "to-blue.wl").stdout
    assert history().head.battle.question.player == "blue"
    assert call("verify", "g").exit_code == 0


def test_a_request_for_an_undo_waits_for_the_player_elsewhere(blue, call):
    blue(KEYS)
    call("resume", "g", "--side", "red", keys="auto\nquit\n")
    # given that blue would have his last unit elsewhere, though red has deployed since
    asked = call("resume", "g", "--side", "blue", keys="undo 8\ngrant\nquit\n").stdout
    assert "blue asks to go back to step 8; red answers by warledger undo g --grant" in asked
    assert "y/n" not in asked and "refused undo: blue asks" in asked
    assert history().head.step == 10 and history().request.by == "blue"
    # when red looks at the game he is told, and grants it
    told = call("resume", "g", "--side", "red", keys="grant\nquit\n").stdout
    assert "blue asks to go back to step 8; red answers: `grant` or `refuse`" in told
    assert history().head.step == 8
    assert call("verify", "g").exit_code == 0


def test_what_the_other_answered_in_the_same_ledger_is_taken_up(call, monkeypatch):
    call("play", "--game", "g", "--seed", "1", "--side", "blue", keys=KEYS)
    # red answers at his table while blue waits at his
    lines = iter(["", "quit"])

    def typed(prompt: str) -> str:
        line = next(lines)
        if line == "":
            with Ledger.sqlite("games.sqlite", create=False) as theirs:
                game = Game.open(theirs, "g")
                game.play(game.legal()[0])
        return line

    monkeypatch.setattr("builtins.input", typed)
    said = call("resume", "g", "--side", "blue").stdout
    assert "before the battle, step 10" in said and "blue is asked and plays elsewhere" not in said


def test_the_seat_of_a_bot_is_not_taken_twice(call):
    both = call("play", "--game", "g", "--bots", "red", "--side", "red")
    assert both.exit_code == 1 and "a bot was named for that side" in both.stderr
    call("play", "--game", "g", "--seed", "1", "--bots", "blue", keys="quit\n")
    taken = call("resume", "g", "--side", "blue", keys="quit\n")
    assert taken.exit_code == 0 and "played by the" not in taken.stderr
    assert "red is asked and plays elsewhere" in taken.stdout


def test_who_is_asked_answers_before_he_asks_himself(blue, call):
    # given red's request, made at his table, past blue's last unit
    blue(KEYS)
    call("resume", "g", "--side", "red", keys="auto\nundo 8\nundo 8\nquit\n")
    assert history().request.by == "red" and len(history().marks) == 1
    # when blue types undo at his, it is no request of his own
    said = call("resume", "g", "--side", "blue", keys="undo 7\nrefuse\nundo 7\nquit\n").stdout
    assert "refused undo: red asks to go to step 8: blue grants or refuses that first" in said
    # then he answers, and may ask
    assert "blue refuses; the game stands at step 10" in said
    assert [type(mark).__name__ for mark in history().marks.values()] == [
        "UndoAsked",
        "UndoRefused",
        "UndoAsked",
    ]
    assert history().request.by == "blue"


def test_a_step_that_the_other_took_back_is_not_put_back_in_his_name(blue, call):
    # given that blue took his last step back, at his table
    blue(KEYS)
    step = history().head.step
    call("resume", "g", "--side", "blue", keys="undo\nquit\n")
    assert history().head.step < step
    # when red types redo at his, then blue is asked, and nothing is put back
    said = call("resume", "g", "--side", "red", keys="redo\nquit\n").stdout
    assert "blue's answer; blue must agree" in said and "blue answers by" in said
    assert history().request.by == "red" and history().head.step < step
    assert [type(mark).__name__ for mark in history().marks.values()] == ["Undone", "UndoAsked"]
