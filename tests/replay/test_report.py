"""The battle report, and what happened in plain words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.armies import bundled, read_army_bytes
from engine.bots import bots_for, play_out
from engine.game import Game
from events.attacks import UnitDestroyed
from events.codec import EVENT_TYPES
from events.game import Asked, DiceRolled, GameEnded
from events.ledger import Ledger
from projections.readmodels import Luck
from replay.report import Scored, battle_report, luck_line, report_lines
from replay.words import _SAYS, BOOKKEEPING, in_words, lines_of


@pytest.fixture(scope="module")
def game():
    """A finished bot battle."""
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="report", undo="free")
        play_out(game, *bots_for(game))
        yield game


def test_the_report_names_armies_winner_and_what_the_points_were_for(game):
    report = battle_report(game.history)
    assert (report.red, report.blue) == ("Emberguard", "Ratskar")
    assert report.winner == game.battle.outcome.winner
    for side in ("red", "blue"):
        scored = sum(s.points for s in report.scored if s.side == side)
        assert scored == getattr(game.battle.score, side)


def test_every_player_turn_is_there_in_order_with_its_standing(game):
    report = battle_report(game.history)
    turns = [(turn.turn, turn.active) for turn in report.turns]
    assert turns[0][0] == 1 and len(turns) == len(set(turns))
    assert turns == sorted(turns, key=lambda at: at[0])
    assert all(turn.standing is not None for turn in report.turns)


def test_every_unit_destroyed_is_told_in_the_turn_it_happened(game):
    gone = {e.unit for _, e in game.history.facts() if isinstance(e, UnitDestroyed)}
    told = {
        loss.unit
        for turn in battle_report(game.history).turns
        for loss in turn.losses
        if not loss.left
    }
    assert gone and told == gone
    text = "\n".join(report_lines(battle_report(game.history)))
    assert text.count(", destroyed") == len(gone)


def test_points_are_told_with_what_they_are_for(game):
    report = battle_report(game.history)
    told = next(line for line in report_lines(report) if line.startswith("  red "))
    scored = [f"{one.points} for {one.what}" for one in report.scored if one.side == "red"]
    assert scored and told.partition(": ")[2] == ", ".join(scored)
    # one point is one point for units destroyed, not "1 units"
    one = replace(report, scored=(Scored("red", 1, "units destroyed"),))
    assert "  red 1: 1 for units destroyed" in list(report_lines(one))


def test_charges_made_and_failed_and_morale_tests_are_told(game):
    report = battle_report(game.history)
    text = "\n".join(report_lines(report))
    charges = [charge for turn in report.turns for charge in turn.charges]
    tests = [test for turn in report.turns for test in turn.tests]
    assert charges and tests
    assert text.count("charged home") == sum(charge.made for charge in charges)
    assert text.count("failed its charge") == sum(not charge.made for charge in charges)


def test_a_report_of_a_game_in_progress_says_so(game):
    report = battle_report(game.history, game.history.path()[40])
    assert report.winner == "nobody yet"
    assert "the game is not over" in "\n".join(report_lines(report))


def test_luck_in_one_line_and_silent_below_thirty_dice():
    assert luck_line(Luck("blue", 40, 25, 204, 930)) == (
        "Dice of blue: 40 with a stated need, 25 succeeded, 20.4 expected; luckier than 93.0 %"
    )
    assert "luckier" not in luck_line(Luck("blue", 12, 9, 60, None))
    assert luck_line(Luck("red", 0, 0, 0, None)).endswith("0 succeeded")


def test_every_event_type_has_words_or_is_bookkeeping():
    assert {kind for kind in EVENT_TYPES if kind not in _SAYS} <= BOOKKEEPING


def test_bookkeeping_has_words_only_when_everything_is_wanted(game):
    events = [event for _, event in game.history.facts()]
    short, full = list(lines_of(events)), list(lines_of(events, True))
    assert all(short) and all(full)
    assert len(short) < len(full) == len(events)
    asked = next(event for event in events if isinstance(event, Asked))
    assert in_words(asked) == "" and in_words(asked, True).startswith("asked ")


def test_dice_are_told_with_what_they_needed():
    rolled = DiceRolled("to hit", (5, 2), 3, 1, "boyz", "warriors", "slugga")
    assert in_words(rolled) == (
        "dice, to hit 3+ (boyz, slugga, against warriors): 5 2: 1 of 2 made it"
    )
    assert in_words(GameEnded("", "a draw, 2 points each")).startswith("the game ends: a draw")
