"""People at the keyboard, with scripted input: questions, choices, undo, leaving and coming back.

Seed 3 lets red win the roll-off and seed 1 lets blue; every unit then stands on the table by
``auto``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.game import Game
from engine.notation import VERBS
from events.history import UndoAsked, UndoGranted, UndoRefused
from events.ledger import Ledger
from events.steps import read_meta
from table.keyboard_words import HELP, WORDS
from table.seats import last_seated
from table.secrets import Secret


def history(game: str = "g"):
    """Return a game's history as stored."""
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        return Game.open(ledger, game).history


@pytest.fixture
def start(call):
    """Start game g with seed 1 and type at it."""

    def run(*keys: str, options: tuple[str, ...] = ()):
        lines = "".join(f"{key}\n" for key in keys)
        return call("play", "--game", "g", "--seed", "1", *options, keys=lines)

    return run


def test_the_question_and_its_numbered_choices_are_shown_and_a_number_answers(start):
    result = start("2", "quit")
    assert "blue: take which deployment zone?" in result.stdout
    assert "1  zone south" in result.stdout and "2  zone north" in result.stdout
    assert "blue takes the northern zone" in result.stdout
    assert history().head.step == 2


def test_a_line_in_the_notation_answers(start):
    start("zone south", "deploy scrap-king 20,6", "quit")
    assert history().head.step == 3
    king = next(unit for unit in history().battle.units if unit.id == "scrap-king")
    assert king.models[0].at is not None
    assert (king.models[0].at.x, king.models[0].at.y) == (20000, 6000)


def test_auto_takes_the_first_choice(start):
    start("auto", "quit")
    assert history().battle.zones[0].rect.y0 == 0


def test_a_word_that_cannot_be_read_is_pointed_at_and_the_question_stays_open(start):
    result = start("zone upward", "zone south", "quit")
    assert "zone upward\n     ^ " in result.stdout
    assert history().head.step == 2


def test_an_illegal_choice_names_its_rule_and_appends_nothing(start):
    result = start("zone south", "deploy scrap-king 20,40", "quit")
    refused = "refused deploy.at: scrap-king.1 stands outside its deployment zone"
    assert refused in result.stdout
    assert history().last == 2


def test_end_of_input_saves_and_resume_goes_on(start, call):
    first = start("zone south")
    assert first.exit_code == 0
    assert "saved at step 2; go on with: warledger resume g" in first.stdout
    second = call("resume", "g", keys="auto\nsave and quit\n")
    assert second.exit_code == 0
    assert history().head.step == 3


def test_a_game_with_a_bot_is_resumed_with_it(start, call):
    saved = start(*["auto"] * 2, "quit", options=("--bots", "blue", "--bot", "random"))
    assert saved.stdout.rstrip().endswith("go on with: warledger resume g")
    before = history().last
    again = call("resume", "g", keys="auto\n" * 9)
    assert "blue is played by the random bot: --bots none to take over" in again.stderr
    answered = [node.by for node in history().nodes.values() if node.step > before]
    assert "blue" in answered and answered.count("red") <= 9
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        bots = {(node.by, read_meta(ledger.read("g")[node.step - 1]).bot)
                for node in history().path() if node.by}  # fmt: skip
    assert bots == {("red", ""), ("blue", "random")}
    assert call("verify", "g").exit_code == 0


def test_a_fork_knows_its_bots_too(start, call):
    start("auto", "quit", options=("--bots", "blue"))
    call("fork", "g", "--game", "f")
    assert "blue is played by the aggressive bot" in call("resume", "f", keys="quit\n").stderr


def test_a_bots_side_is_taken_over_and_stays_with_the_person(start, call):
    # Blue's bot takes the zone and deploys, then red is asked; step 8 is blue's last unit.
    start("quit", options=("--bots", "blue", "--undo-policy", "free"))
    taken = call("resume", "g", "--bots", "none", keys="undo 8\nauto\nquit\n")
    assert "bot" not in taken.stderr
    assert taken.stdout.rstrip().endswith("go on with: warledger resume g")
    assert "bot" not in call("resume", "g", keys="quit\n").stderr


def test_links_that_were_revealed_for_a_bot_do_not_unseat_it(start, call):
    start(*["auto"] * 3, "quit", options=("--bots", "both", "--dice", "revealed"))
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        assert last_seated(ledger, Game.open(ledger, "g")) == {
            "red": "aggressive",
            "blue": "aggressive",
        }


def test_a_bot_that_has_not_answered_is_named_where_the_game_is_left(start):
    result = start("quit", options=("--bots", "red", "--bot", "random"))
    assert "go on with: warledger resume g --bots red --bot random" in result.stdout


def test_undo_and_redo_of_ones_own_steps(start):
    result = start("zone south", "auto", "undo", "redo", "undo", "undo", "zone north", "quit")
    assert "the game stands at step 2" in result.stdout
    head = history().head
    assert head.battle.zones[0].rect.y0 > 0
    assert head.parent is not None and head.parent.step == 1


def test_undo_to_a_step_and_over_to_another_branch(start):
    start("zone south", "auto", "undo 1", "zone north", "@3", "quit")
    assert history().head.step == 3


def through_deployment() -> list[str]:
    """Return the keys that deploy both armies: fourteen units after the zone."""
    return ["zone south", *["auto"] * 14]


def test_undo_past_the_barrier_asks_the_other_player_who_grants(start):
    # Red's last unit stands (step 16); undoing blue's is for red to ask and blue to grant.
    result = start(*through_deployment(), "undo 8", "y", "quit")
    assert "blue, grant red to go back to step 8? y/n" in result.stdout
    marks = list(history().marks.values())
    assert [type(mark) for mark in marks] == [UndoAsked, UndoGranted]
    assert history().head.step == 8


def test_undo_past_the_barrier_refused_stays_where_it_was(start):
    result = start(*through_deployment(), "undo 8", "n", "quit")
    assert "blue refuses; the game stands at step 16" in result.stdout
    assert [type(mark) for mark in history().marks.values()] == [UndoAsked, UndoRefused]
    assert history().head.step == 16


def test_only_yes_or_no_answers_a_request(start):
    result = start(*through_deployment(), "undo 8", "auto", "", "Yes", "quit")
    assert "'auto' is neither; blue, grant red to go back to step 8? y/n" in result.stdout
    assert history().head.step == 8


def test_a_request_without_an_answer_stands_and_is_answered_later(start, call):
    result = start(*through_deployment(), "undo 8")
    assert "blue answers by warledger undo g --grant (or --refuse)" in result.stdout
    assert history().request == UndoAsked("red", 8)
    again = call("resume", "g", keys="refuse\nundo 7\n")
    assert "red asks to go back to step 8; blue answers: `grant` or `refuse`" in again.stdout
    assert "blue refuses; the game stands at step 16" in again.stdout
    assert "the game stands at step 7" in call("resume", "g", keys="grant\nquit\n").stdout
    assert call("verify", "g").exit_code == 0


def test_nobody_speaks_for_a_bot_that_was_asked(call):
    """A link that is out may be known: the bot lets nobody go back from it, asked now or later."""
    call("commit", "red.secret")
    agreed = ("--dice", "revealed", "--commit", f"red={Secret(Path('red.secret')).commitment}")
    call("play", "--game", "g", *agreed, "--bots", "blue", keys="quit\n")
    # given red's request, left open from the command line
    assert call("undo", "g", "--by", "red", "--ask").exit_code == 0
    # when red types `grant` at a table where a bot plays blue
    said = call("resume", "g", "--bots", "blue", keys="grant\nquit\n").stdout
    # then the bot has answered
    assert "blue's bot refuses; the game stands at step 2" in said
    assert history().head.step == 2


def test_an_action_and_a_phase_are_taken_back_as_a_whole(start):
    result = start(*through_deployment(), "undo action", "undo phase", "y", "undo turn", "quit")
    assert "the game stands at step 15" in result.stdout
    assert "blue, grant red to go back to step 1? y/n" in result.stdout
    assert "'turn' is neither a step, `action` nor `phase`" in result.stdout
    assert history().head.step == 1


def test_an_action_taken_back_against_a_bot_leads_to_a_question_of_ones_own(start):
    start(*["auto"] * 7, "undo action", "quit", options=("--bots", "blue"))
    assert history().head.step == 15
    assert history().battle.question.player == "red"


def test_a_jump_past_an_answer_is_granted_by_the_other_player(start, call):
    # Blue's last unit goes elsewhere and red's first after it; red asks for it as it was.
    start(*through_deployment(), "undo 8", "y", "2", "2", "@16", "y", "quit")
    assert history().head.step == 16
    asked, granted = list(history().marks.values())[-2:]
    assert asked.to == granted.to == 16 and asked.by != granted.by
    assert call("verify", "g").exit_code == 0


def test_without_undo_the_reason_is_given_and_nobody_is_asked(start):
    result = start("zone south", "undo", "quit", options=("--undo-policy", "none"))
    assert "agreed to have no undo" in result.stdout
    assert history().last == 2


def test_undo_against_a_bot_goes_back_to_ones_own_question_and_the_bot_grants(start):
    # Blue's bot takes its zone and deploys seven units before red is asked, at step 9.
    keys = (*["auto"] * 7, "undo", "quit")
    result = start(*keys, options=("--bots", "blue"))
    assert "blue's bot grants it; the game stands at step 15" in result.stdout
    path = history().path()
    assert path[-1].battle.question is not None
    assert path[-1].battle.question.player == "red"
    assert any(type(mark) is UndoGranted for mark in history().marks.values())


def test_log_map_show_list_help_and_note(start):
    result = start("zone south", "log", "map", "show", "list", "help", "note well met", "quit")
    assert "blue zone south" in result.stdout
    assert result.stdout.count("+" + "-" * 72 + "+") == 2
    assert "scrap-king" in result.stdout and "not deployed" in result.stdout
    assert "save and quit (every step is saved anyway)" in result.stdout
    assert [mark.text for mark in history().marks.values()] == ["well met"]
    assert "> note well met\nnoted\n" in result.stdout


def test_a_picture_is_written_from_the_keyboard(start, tmp_path):
    start("map here.svg", "map no/where.svg", "quit")
    drawn = (tmp_path / "here.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg ") and "<title>Emberguard - Ratskar, step 1</title>" in drawn


def test_entered_dice_are_asked_for_checked_and_taken(start):
    keys = ("auto", "dice 7", "dice 1 2", "dice 5", "3", "zone south", "quit")
    result = start(*keys, options=("--dice", "entered"))
    assert "roll 1D6 roll-off red" in result.stdout
    nothing = "refused DMOD-1: dice are due, and there is nothing to choose: roll them, type the"
    assert nothing in result.stdout
    assert "a D6 shows 1 to 6, not 7" in result.stdout
    assert "1 die to roll, 2 faces given" in result.stdout
    assert history().battle.clock.first == "red"
    assert len(history().battle.zones) == 2


def test_log_of_entered_dice(start, call):
    start("dice 5", "dice 3", "quit", options=("--dice", "entered"))
    steps = json.loads(call("log", "g", "--json").stdout)
    assert [step["choice"] for step in steps[1:]] == ["dice 5", "dice 3"]


def test_conceding_asks_again_and_ends_the_session_with_the_report(start):
    result = start("zone south", "concede", "no", "concede", "yes")
    assert result.stdout.count("blue, give the game up? y/n") == 2
    assert "Result: red wins, blue conceded" in result.stdout
    assert history().head.step == 3


def test_a_script_concedes_in_one_line_and_no_end_of_input_does(start):
    assert "Result" not in start("zone south", "concede").stdout
    result = start("zone south", "concede yes", options=("--game", "h"))
    assert "Result: red wins, blue conceded" in result.stdout


def test_who_plays_a_bot_concedes_for_himself(start):
    start("auto", "concede yes", options=("--bots", "blue"))
    assert history().battle.outcome.winner == "blue"


def test_an_unknown_word_gets_the_closest_ones(start):
    result = start("depoly scrap-king 20,6", "xyzzy", "list all", "quit")
    assert "^ no such word; did you mean deploy? `help` lists them all" in result.stdout
    assert "^ no such word; `help` lists them all" in result.stdout
    assert "^ `list` is not used like this; `help` shows how" in result.stdout


def test_a_misspelt_id_gets_the_closest_one(start):
    keys = ("deploy scrapking 20,6", "deploy slinger-pak-2 3,3", "deploy zebra 1,1", "quit")
    said = start("zone south", *keys).stdout
    assert "there is no unit 'scrapking'; did you mean scrap-king?" in said
    assert "did you mean slinger-pack-2?" in said
    assert "there is no unit 'zebra'\n" in said
    # a line whose ids are right is refused for another reason, and nothing else was meant
    king = start("zone south", "deploy scrap-king 20,40", "quit", options=("--game", "h")).stdout
    assert "refused deploy.at" in king and "did you mean" not in king


def test_help_lists_every_word():
    said = set(re.findall(r"[a-z]+", HELP))
    assert set(VERBS) <= said
    assert set(WORDS) - {"exit", "save"} <= said
    assert max(map(len, HELP.splitlines())) <= 100


def test_a_jump_to_a_branch_is_made_by_who_leaves_not_by_who_played_there(start):
    """[P8] Blue's own steps may be left by blue; red at the keyboard can't leave blue's."""
    start("auto", "auto", "undo", "@2", "quit", options=("--bots", "red"))
    taken = [mark for mark in history().marks.values() if hasattr(mark, "left")]
    assert taken and all(mark.by == "blue" for mark in taken)


def test_a_game_taken_up_again_is_unverified_until_it_is_verified(start, call):
    """[P12] Opening checks the chain and folds; it executes nothing again."""
    start("auto", "quit")
    said = call("resume", "g", keys="quit\n").stderr
    assert "not verified yet: `warledger verify g` plays it again" in said
    assert "UNVERIFIED" not in said, "a verdict, of games that other rules wrote"
    assert "EXACT" in call("verify", "g").stdout
