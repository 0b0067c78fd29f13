"""Repeated requests, stale versions, several processes at one game. [P3]"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import Game
from events.choices import AnyChoice, Deploy, EndPhase, MoveUnit, TakeZone
from events.errors import IllegalChoice, LedgerError
from events.ledger import Conflict, Ledger, RequestReused
from events.steps import Step, read_meta
from events.values import Point
from replay.verify import Verdict, verify
from tests.properties.kit import new_game, play_on, rows_of, step_on


@pytest.fixture
def ledger() -> Any:
    with Ledger.memory() as ledger:
        yield ledger


def opened(ledger: Ledger) -> Game:
    """Return the game as another process would hold it."""
    return Game.open(ledger, "g", now=lambda: 0)


def exact(ledger: Ledger) -> bool:
    return verify(ledger, "g").verdict is Verdict.EXACT


# A request id twice


def test_a_choice_requested_twice_is_appended_once(ledger: Ledger) -> None:
    game = new_game(ledger)
    choice = game.legal()[0]
    first = game.play(choice, request="r1")
    rows = rows_of(ledger)
    # when the same request comes again, also after more was played and at the end of the game
    assert game.play(choice, request="r1") is first
    play_on(game, Random(1), 3)
    assert game.play(choice, request="r1") is first
    play_on(game, Random(1))
    assert game.play(choice, request="r1") is first
    # then it was appended once
    assert rows_of(ledger)[: len(rows)] == rows
    assert [read_meta(s).request for s in ledger.read("g")].count("r1") == 1
    assert exact(ledger)


def test_a_repeated_request_may_name_its_player_or_not(ledger: Ledger) -> None:
    game = new_game(ledger)
    assert game.pending is not None
    player = game.pending.player
    node = game.play(TakeZone("north"), by=player, request="r")
    # the open question is another player's by now, perhaps
    assert game.play(TakeZone("north"), request="r") is node
    assert game.play(TakeZone("north"), by=player, request="r") is node
    with pytest.raises(RequestReused):
        game.play(TakeZone("north"), by="red" if player == "blue" else "blue", request="r")


def test_a_request_id_with_another_choice_is_an_error(ledger: Ledger) -> None:
    game = new_game(ledger)
    node = game.play(TakeZone("north"), request="r")
    rows = rows_of(ledger)
    for wrong in (TakeZone("south"), EndPhase()):
        with pytest.raises(RequestReused) as reused:
            game.play(wrong, request="r")
        assert reused.value.step.n == node.step
    with pytest.raises(RequestReused):
        game.undo(request="r")
    assert rows_of(ledger) == rows


def test_requests_are_known_again_after_a_load(ledger: Ledger) -> None:
    game = new_game(ledger)
    node = game.play(TakeZone("north"), request="r")
    play_on(game, Random(1), 4)
    loaded = opened(ledger)
    assert loaded.play(TakeZone("north"), request="r").step == node.step
    assert loaded.version == game.version


def test_entered_dice_requested_twice_fall_once(ledger: Ledger) -> None:
    game = new_game(ledger, dice="entered")
    node = game.enter([4], request="d")
    rows = game.version
    assert game.enter([4], request="d") is node
    assert game.version == rows
    with pytest.raises(RequestReused):
        game.enter([5], request="d")


HEAD_MOVES: list[tuple[str, Callable[[Game, str], Any]]] = [
    ("undo", lambda game, r: game.undo(request=r)),
    ("undo to", lambda game, r: game.undo(to=3, request=r)),
    ("redo", lambda game, r: game.redo(request=r)),
    ("branch", lambda game, r: game.take_branch(4, request=r)),
    ("note", lambda game, r: game.note("well played", by="red", request=r)),
    ("ask", lambda game, r: game.ask_undo(4, by="blue", request=r)),
    ("grant", lambda game, r: game.grant_undo(request=r)),
    ("refuse", lambda game, r: game.refuse_undo(request=r)),
]


@pytest.mark.parametrize(("move", "do"), HEAD_MOVES, ids=[name for name, _ in HEAD_MOVES])
def test_a_mark_requested_twice_is_made_once(ledger: Ledger, move: str, do: Any) -> None:
    # given a game in which the move is possible
    game = play_on(new_game(ledger), Random(1), 8)
    if move == "redo":
        game.undo()
    if move in ("grant", "refuse"):
        game.ask_undo(4, by="red")
    first = do(game, "r")
    at, rows = game.step, rows_of(ledger)
    # when the request is repeated, here and by another process
    again = do(game, "r")
    elsewhere = opened(ledger)
    do(elsewhere, "r")
    # then it leads to where it led, and nothing happened a second time
    assert again is first or again == first
    assert game.step == elsewhere.step == at
    assert rows_of(ledger) == rows


def test_a_mark_repeated_later_says_where_it_led(ledger: Ledger) -> None:
    game = play_on(new_game(ledger), Random(1), 8)
    node = game.undo(to=5, request="r")
    play_on(game, Random(2), 2)
    assert game.undo(to=5, request="r") is node
    with pytest.raises(RequestReused):
        game.undo(to=4, request="r")


# Another process at the same game


def test_a_stale_game_gets_a_conflict_with_what_it_missed(ledger: Ledger) -> None:
    # given two processes at one game, one of which plays three steps
    ours = play_on(new_game(ledger), Random(1), 6)
    theirs, seen = opened(ledger), ours.version
    play_on(theirs, Random(2), 3)
    rows = rows_of(ledger)
    # when the other one plays on from what it knows
    with pytest.raises(Conflict) as conflict:
        ours.play(ours.legal()[0])
    # then nothing of its own is stored, and it has what it missed
    assert (conflict.value.expected, conflict.value.actual) == (seen, seen + 3)
    assert [step.n for step in conflict.value.missed] == [seen + 1, seen + 2, seen + 3]
    assert rows_of(ledger) == rows
    # which is taken up already, as the message says: no refresh returns it any more
    assert "what you missed is in `missed`: choose again" in str(conflict.value)
    assert ours.battle == theirs.battle and ours.version == theirs.version
    assert ours.refresh() == []
    # and can play on
    play_on(ours, Random(3))
    assert exact(ledger)
    theirs.refresh()
    assert theirs.battle == ours.battle


@pytest.mark.parametrize(
    "do",
    [
        lambda game: game.undo(),
        lambda game: game.note("hm", by="red"),
        lambda game: game.concede("red"),
    ],
    ids=["undo", "note", "concede"],
)
def test_every_kind_of_row_meets_the_conflict(ledger: Ledger, do: Callable[[Game], Any]) -> None:
    ours = play_on(new_game(ledger), Random(1), 6)
    theirs = opened(ledger)
    step_on(Random(2), theirs)
    with pytest.raises(Conflict):
        do(ours)
    assert ours.battle == theirs.battle
    do(ours)
    assert ours.version == theirs.version + 1
    assert exact(ledger)


def test_an_undo_elsewhere_is_taken_up_too(ledger: Ledger) -> None:
    ours = play_on(new_game(ledger), Random(1), 10)
    theirs = opened(ledger)
    theirs.undo(to=5)
    missed: list[Step] = ours.refresh()
    assert len(missed) == 1 and ours.step == 5
    play_on(ours, Random(2))
    assert exact(ledger)


def test_an_expected_version_that_is_past_is_a_conflict(ledger: Ledger) -> None:
    game = play_on(new_game(ledger), Random(1), 6)
    rows = rows_of(ledger)
    for expected in (0, 3, game.version - 1, game.version + 1):
        with pytest.raises(Conflict) as conflict:
            game.play(game.legal()[0], expected=expected)
        missed = [step.n for step in conflict.value.missed]
        assert missed == list(range(expected + 1, game.version + 1))
    with pytest.raises(Conflict, match="not at -1; read it again"):
        game.play(game.legal()[0], expected=-1)
    assert rows_of(ledger) == rows
    node = game.play(game.legal()[0], expected=game.version)
    assert node.step == len(rows) + 1


def test_an_expected_version_that_only_others_have_seen_is_caught_up_with(ledger: Ledger) -> None:
    # given a process that is behind, and a player who has seen the newest version elsewhere
    behind = play_on(new_game(ledger), Random(1), 6)
    front = opened(ledger)
    step_on(Random(2), front)
    choice: AnyChoice = front.legal()[0]
    # when he answers through the process that is behind
    node = behind.play(choice, expected=front.version)
    # then it catches up and plays
    assert node.step == front.version + 1
    assert exact(ledger)


def test_a_request_granted_elsewhere_is_known_though_others_went_on(ledger: Ledger) -> None:
    # given a request that another process was granted before more was played
    ours, theirs = new_game(ledger), opened(ledger)
    done = theirs.play(TakeZone("north"), request="r")
    play_on(theirs, Random(2), 5)
    # when it is repeated here, where neither is known
    node = ours.play(TakeZone("north"), request="r")
    # then it is that step, and this process stands where the other one does
    assert node.step == done.step
    assert (ours.battle, ours.version) == (theirs.battle, theirs.version)
    play_on(ours, Random(3))
    assert exact(ledger)


def test_a_race_for_one_request_is_won_once(ledger: Ledger, monkeypatch: Any) -> None:
    # given two processes that were asked for the same at the same time
    ours, theirs = new_game(ledger), opened(ledger)
    answer = ours._play.answer

    def overtaken(event: Any) -> Any:
        made = answer(event)
        theirs.play(TakeZone("north"), request="r")
        step_on(Random(2), theirs)
        return made

    monkeypatch.setattr(ours._play, "answer", overtaken)
    # when the other one is first
    node = ours.play(TakeZone("north"), request="r")
    # then there is one such step, and both stand at the same place
    assert node.step == 2
    assert (ours.battle, ours.version) == (theirs.battle, theirs.version)
    monkeypatch.undo()
    play_on(ours, Random(3), 5)
    assert exact(ledger)


def test_two_processes_take_turns_on_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as one, Ledger.sqlite(path) as two:
        left = new_game(one)
        right = Game.open(two, "g", now=lambda: 0)
        for turn in range(30):
            mine, yours = (left, right) if turn % 2 else (right, left)
            if mine.battle.outcome is None:
                step_on(Random(turn), mine)
                yours.refresh()
            assert left.battle == right.battle
        assert verify(one, "g", head=right.chain).verdict is Verdict.EXACT


# The game itself


def test_a_new_game_needs_an_id_of_its_own(ledger: Ledger) -> None:
    new_game(ledger)
    with pytest.raises(LedgerError, match="a game with this id is in the ledger already"):
        new_game(ledger)


def test_an_unknown_game_is_one_error(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="there is no game with this id"):
        Game.open(ledger, "nothing")


def test_an_unknown_ruleset_names_those_that_are_known(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match=r"'chess' is not known; known are .*40k-7e"):
        new_game(ledger, ruleset="chess")
    assert ledger.games() == {}


def test_seeds_and_ids_are_drawn_where_not_given(ledger: Ledger) -> None:
    one, two = new_game(ledger, None, game=None), new_game(ledger, None, game=None)  # type: ignore[arg-type]
    assert one.id != two.id and one.created.seed != two.created.seed


def test_a_step_that_is_none_is_named(ledger: Ledger) -> None:
    game = play_on(new_game(ledger), Random(1), 4)
    game.note("here", by="blue")
    for step in (0, game.version, 99):
        with pytest.raises(LedgerError, match=f"step {step}"):
            game.at(step)


def test_dice_nobody_asked_for_are_refused(ledger: Ledger) -> None:
    game = new_game(ledger)
    with pytest.raises(IllegalChoice, match="no dice are asked for"):
        game.enter([6])


def test_a_choice_while_dice_are_open_is_refused(ledger: Ledger) -> None:
    game = new_game(ledger, dice="entered")
    assert game.legal() == []
    for choice in (TakeZone("north"), MoveUnit("ferrymen", Point(1, 1)), Deploy("gnawers", ())):
        with pytest.raises(IllegalChoice, match="enter the dice first"):
            game.play(choice)
    assert game.version == 1


def test_metadata_says_who_asked_and_when(ledger: Ledger) -> None:
    game = new_game(ledger, now=lambda: 1234)
    assert game.pending is not None
    player = game.pending.player
    game.play(TakeZone("north"), request="r")
    meta = read_meta(ledger.read("g")[-1])
    assert (meta.at, meta.actor, meta.request) == (1234, player, "r")
