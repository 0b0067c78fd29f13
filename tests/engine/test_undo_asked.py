"""An undo that the other player is asked for: granted, refused, lapsed. [P8]"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.game import Game
from engine.undo import UndoBarred
from events.base import Side, other
from events.codec import decode_events
from events.history import UndoAsked, UndoGranted, UndoRefused
from events.ledger import Ledger
from replay.fork import fork
from replay.verify import Verdict, verify
from tests.engine.test_undo_policy import deployed, refused_by, to_dice
from tests.properties.kit import new_game, play_on, rows_of, step_on


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def barred_game(ledger: Ledger) -> tuple[Game, Side, int]:
    """Return a game whose last step rolled dice, who made it, and the step before it."""
    game = new_game(ledger, undo="until_revealed")
    head = to_dice(game)
    assert head.by is not None and head.parent is not None
    refused_by(game, ledger, head.step)
    return game, head.by, head.parent.step


def test_the_opponent_may_grant_what_the_policy_bars(ledger: Ledger) -> None:
    game, by, before = barred_game(ledger)
    left = game.step
    # when one side asks, the game stands where it was
    game.ask_undo(before, by=by)
    assert game.step == left and game.history.request is not None
    # and when the other grants, it goes back
    assert game.grant_undo().step == before
    assert game.history.request is None
    (mark,) = decode_events(ledger.read("g")[-1].events)
    assert mark == UndoGranted(other(by), left, before)
    step_on(Random(1), game)
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_one_request_is_open_at_a_time_and_only_who_was_asked_answers(ledger: Ledger) -> None:
    game, by, before = barred_game(ledger)
    game.ask_undo(before, by=by)
    asked = game.version
    # the same once more is not written, and the other answers before he asks
    game.ask_undo(before, by=by)
    with pytest.raises(UndoBarred, match=f"{by} asks to go to step {before}: {other(by)} grants"):
        game.ask_undo(1, by=other(by))
    # and nobody grants or refuses his own
    for answer in (game.grant_undo, game.refuse_undo):
        with pytest.raises(UndoBarred, match=f"{by} asked; {other(by)} answers"):
            answer(by=by)
    assert game.version == asked and game.history.request == UndoAsked(by, before)
    # who asked may ask for something else
    game.ask_undo(1, by=by)
    assert game.grant_undo(by=other(by)).step == 1


def test_the_opponent_may_refuse(ledger: Ledger) -> None:
    game, by, before = barred_game(ledger)
    left = game.step
    game.ask_undo(before, by=by)
    game.refuse_undo()
    (mark,) = decode_events(ledger.read("g")[-1].events)
    assert mark == UndoRefused(other(by), before)
    assert game.step == left and game.history.request is None
    # and then there is nothing left to grant
    with pytest.raises(UndoBarred, match="nobody asked"):
        game.grant_undo()
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_a_request_lapses_at_the_next_step_of_the_game(ledger: Ledger) -> None:
    game, by, before = barred_game(ledger)
    game.ask_undo(before, by=by)
    game.note("a note is no step", by=by)
    assert game.history.request is not None
    step_on(Random(1), game)
    assert game.history.request is None
    rows = rows_of(ledger)
    for answer in (game.grant_undo, game.refuse_undo):
        with pytest.raises(UndoBarred, match="nobody asked"):
            answer()
    assert rows_of(ledger) == rows


def test_an_open_request_is_still_open_after_a_load(ledger: Ledger) -> None:
    game, by, before = barred_game(ledger)
    game.ask_undo(before, by=by)
    loaded = Game.open(ledger, "g", now=lambda: 0)
    assert loaded.history.request == game.history.request
    assert loaded.grant_undo().step == before


def test_a_request_may_name_a_step_on_another_branch(ledger: Ledger) -> None:
    # given a branch that the opponent's answer bars
    game = deployed(ledger)
    left, by = game.history.head, game.history.head.by
    assert by is not None
    game.undo()
    game.play(game.legal()[-1])
    game.play(game.legal()[0])
    rows = len(rows_of(ledger))
    # when it is asked for and granted, the game goes over to it
    game.ask_undo(left.step, by=by)
    assert Game.open(ledger, "g", now=lambda: 0).history.request == game.history.request
    assert game.grant_undo() is left
    marks = [decode_events(step.events)[0] for step in ledger.read("g")[rows:]]
    assert marks == [
        UndoAsked(by, left.step),
        UndoGranted(other(by), rows, left.step),
    ]
    # then it can be played on, verified and forked like any other step
    step_on(Random(1), game)
    assert verify(ledger, "g").verdict is Verdict.EXACT
    forked = fork(ledger, game, game="f")
    assert forked.battle == game.battle and verify(ledger, "f").verdict is Verdict.EXACT


def test_a_request_names_another_step_of_the_game(ledger: Ledger) -> None:
    game = deployed(ledger)
    rows = rows_of(ledger)
    for to in (0, 4, 5):
        with pytest.raises(UndoBarred):
            game.ask_undo(to, by="red")
    assert rows_of(ledger) == rows


def test_granted_dice_are_the_same_or_fresh_as_agreed(ledger: Ledger) -> None:
    for agreed in ("same", "fresh"):
        with Ledger.memory() as own:
            game = new_game(own, undo="until_revealed", dice_after_undo=agreed)
            head = to_dice(game)
            assert head.by is not None and head.parent is not None
            game.ask_undo(head.parent.step, by=head.by)
            game.grant_undo()
            mark = game.version
            again = game.play(head.events[0].choice)  # type: ignore[attr-defined]
            salts = {event.salt for event in again.events if hasattr(event, "salt")}
            assert salts == ({0} if agreed == "same" else {mark})
            if agreed == "same":
                assert again.events == head.events
            assert verify(own, "g").verdict is Verdict.EXACT


def test_nobody_grants_what_has_come_about_already() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, dice_after_undo="fresh"), Random(3), 12)
        taken = game.history.head
        game.undo()
        game.ask_undo(taken.step, by="red")
        game.redo()
        salt = game.history.salt
        with pytest.raises(UndoBarred, match="stands at step"):
            game.grant_undo()
        assert game.history.salt == salt
