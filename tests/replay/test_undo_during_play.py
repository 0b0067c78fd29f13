"""Undo as people use it: how far alone, by consent, an action or a phase as a whole. [P8]

Each property that users of other engines missed is named after what they missed.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from engine.undo import OPENINGS, UndoBarred, action_start, barrier, left_by, phase_start
from events.base import other
from events.history import UndoAsked, UndoGranted, Undone, UndoRefused
from events.ledger import Ledger
from projections.history import Node
from replay.branches import lines_of_play
from replay.verify import Verdict, verify
from replay.words import in_words
from tests.properties.kit import new_game, play_on, rows_of, step_on, whole_games

SEEDS = st.integers(0, 10**6)
POLICIES = ("free", "until_revealed", "none")


def until(game: Game, wanted: object, random: Random) -> Node:
    """Play until the last step is such a one; return it."""
    assert callable(wanted)
    while not wanted(game.history.head):
        assert game.battle.outcome is None, "it never came"
        step_on(random, game)
    return game.history.head


def with_attack_dice(node: Node) -> bool:
    return node.rolled and node.depth > 6


@pytest.mark.parametrize("dice_after_undo", ["same", "fresh"])
@pytest.mark.parametrize("policy", POLICIES)
def test_the_policy_agreed_at_the_start_is_in_the_stream_and_holds(
    policy: str, dice_after_undo: str
) -> None:
    """terraforming-mars #5569, #728: undo of a random draw is used to peek."""
    with Ledger.memory() as ledger:
        game = new_game(ledger, undo=policy, dice_after_undo=dice_after_undo)
        loaded = Game.open(ledger, "g")
        assert (loaded.created.undo, loaded.created.dice_after_undo) == (policy, dice_after_undo)
        # given a step in which dice fell
        node = until(game, with_attack_dice, Random(5))
        rows = rows_of(ledger)
        if policy == "free":
            assert game.undo() is node.parent
        else:
            # then undoing it is a typed refusal and appends nothing
            with pytest.raises(UndoBarred) as barred:
                game.undo(by=node.by)
            assert barred.value.step == node.step and rows_of(ledger) == rows
        assert verify(ledger, "g").verdict is Verdict.EXACT


@whole_games
@given(SEEDS, st.integers(8, 60))
def test_undo_goes_as_far_as_the_barrier_and_the_refusal_names_it(seed: int, steps: int) -> None:
    """terraforming-mars #7119, #2872: as far back as what is known allows."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed), undo="until_revealed"), Random(seed), steps)
        by = game.history.head.by
        assert by is not None
        # given the last step that `by` may not leave alone
        own = list(game.history.path())
        wall = next(
            n for n in reversed(own) if n.parent is None or barrier("until_revealed", by, n)
        )
        # then he may go back to it, at once, whatever the number of steps
        if wall is not game.history.head:
            assert game.undo(by=by, to=wall.step) is wall
        # and no further: the refusal names that step and what happened in it
        if wall.parent is not None:
            with pytest.raises(UndoBarred) as barred:
                game.undo(by=by)
            assert barred.value.step == wall.step
            assert f"step {wall.step}" in str(barred.value)
            dice = [in_words(e) for e in wall.events if type(e).__name__ == "DiceRolled"]
            assert wall.by != by or (dice and "dice fell" in str(barred.value))


@whole_games
@given(SEEDS, st.integers(8, 80))
def test_an_action_is_undone_as_a_whole_or_not_at_all(seed: int, steps: int) -> None:
    """VASSAL #8621, #2523: undo reverted only part of a triggered move."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed), steps)
        start = action_start(game.history.head)
        # then the game stands at a question that begins an action, or at the first step
        game.undo(to=start.step)
        assert game.battle is start.battle
        assert isinstance(game.pending, OPENINGS) or start.parent is None
        # and nothing in between was one: what was left is one answer and what followed it
        between = list(left_by(game.history, start))
        assert all(not isinstance(node.battle.question, OPENINGS) for node in between[1:])


@whole_games
@given(SEEDS, st.integers(8, 80))
def test_a_phase_is_undone_back_to_its_first_question(seed: int, steps: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed), steps)
        head = game.history.head
        assert head.parent is not None
        clock = head.parent.battle.clock
        start = phase_start(head)
        game.undo(to=start.step)
        # then the battle is in the phase of the last answer, and the step before was in another
        now = game.battle.clock
        assert (now.game_turn, now.active, now.phase) == (
            clock.game_turn,
            clock.active,
            clock.phase,
        )
        if start.parent is not None:
            before = start.parent.battle.clock
            assert (before.game_turn, before.active, before.phase) != (
                now.game_turn,
                now.active,
                now.phase,
            )


def test_at_the_first_step_there_is_no_action_and_no_phase_to_undo() -> None:
    with Ledger.memory() as ledger:
        root = new_game(ledger).history.head
        for start in (action_start, phase_start):
            with pytest.raises(UndoBarred, match="nothing to undo"):
                start(root)


def asked(ledger: Ledger) -> tuple[Game, Node, Node]:
    """Return a game in which an undo past dice was asked for: game, head, target."""
    game = new_game(ledger, undo="until_revealed")
    head = until(game, with_attack_dice, Random(5))
    target = head.parent
    assert target is not None and head.by is not None
    game.ask_undo(target.step, by=head.by)
    return game, head, target


def test_a_request_names_its_step_and_is_granted_refused_or_lapses_by_events() -> None:
    """lila #2414, #345: unclear what a takeback takes back, when it lapses, whether it is kept."""
    with Ledger.memory() as ledger:
        game, head, target = asked(ledger)
        assert head.by is not None
        # given an open request; it survives a load
        assert Game.open(ledger, "g").history.request == UndoAsked(head.by, target.step)
        # when it is refused, the game stands where it was
        game.refuse_undo()
        assert game.history.head is head and game.history.request is None
        # when it is asked again and a step is played, it has lapsed
        game.ask_undo(target.step, by=head.by)
        step_on(Random(1), game)
        with pytest.raises(UndoBarred, match="nobody asked"):
            game.grant_undo()
        # when it is asked once more and granted, the game goes back
        game.ask_undo(target.step, by=head.by)
        assert game.grant_undo() is target
        # then all of it stands in the stream, in order, by whom
        marks = [(type(mark), mark.by) for mark in game.history.marks.values()]  # type: ignore[attr-defined]
        assert marks == [
            (UndoAsked, head.by),
            (UndoRefused, other(head.by)),
            (UndoAsked, head.by),
            (UndoAsked, head.by),
            (UndoGranted, other(head.by)),
        ]
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_no_request_where_no_undo_was_agreed() -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, undo="none")
        head = until(game, with_attack_dice, Random(5))
        assert head.by is not None
        rows = rows_of(ledger)
        with pytest.raises(UndoBarred, match="agreed to have no undo"):
            game.ask_undo(1, by=head.by)
        assert rows_of(ledger) == rows


def test_undo_undoes_nothing_by_itself_and_asks_what_was_asked() -> None:
    """mage #2072, #4510: after a rollback a stale setting played on at once."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 20)
        target = game.history.path()[9]
        rows = game.version
        game.undo(to=target.step)
        # then exactly one row was written, and what is offered is what a fresh copy offers
        assert game.version == rows + 1
        fresh = Game.open(ledger, "g")
        assert (game.pending, game.legal()) == (target.battle.question, fresh.legal())


def test_redo_never_asks_again_for_a_choice_already_made() -> None:
    """wesnoth #1623."""
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="entered")
        play_on(game, Random(3), 30)
        head, target = game.history.head, game.history.path()[12]
        game.undo(to=target.step)
        while game.history.head.forward is not None:
            game.redo()
        # then choices and dice that people gave are those of before
        assert game.history.head is head


def test_save_load_and_undo_is_undo_without_the_save() -> None:
    """wesnoth #1453: after a reload, moves were undone again."""
    with Ledger.memory() as ledger, Ledger.memory() as saved:
        games = [play_on(new_game(kept), Random(3), 15) for kept in (ledger, saved)]
        games[1] = Game.open(saved, "g", now=lambda: 0)
        for game in games:
            game.undo()
            game.undo()
        assert games[0].battle == games[1].battle
        again = Game.open(saved, "g", now=lambda: 0)
        assert again.step == games[1].step and again.battle == games[1].battle


def test_one_mistaken_undo_makes_nothing_unreachable() -> None:
    """18xx #5195: undone events stay, and any undone tip is found by its number."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 15)
        tips = [game.step]
        for n in (9, 6, 3):
            game.undo(to=game.history.path()[n].step)
            play_on(game, Random(n), 4)
            tips.append(game.step)
        # then every tip is listed, with where it left the line and its last answer
        lines = lines_of_play(game.history)
        assert [line.step for line in lines] == tips
        assert [line.current for line in lines] == [False, False, False, True]
        for line in lines:
            tip = game.history.nodes[line.step]
            way = [node.step for node in game.history.path(tip)]
            assert way[len(way) - 1 - line.own] == line.left_at
            assert (line.by, line.clock) == (tip.by, tip.battle.clock)
        # and can be taken up again
        for tip_step in tips:
            if tip_step != game.step:
                assert game.take_branch(tip_step).step == tip_step
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_undo_stands_in_the_stream_as_one_mark_that_names_both_steps() -> None:
    """boardgame.io #820: undo and redo left no trace in the log."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 6)
        left = game.step
        game.undo(by="red")
        assert game.history.marks == {left + 1: Undone("red", left, game.step)}
        assert in_words(game.history.marks[left + 1]) == (
            f"red takes back step {left}: the game stands at step {game.step}"
        )
