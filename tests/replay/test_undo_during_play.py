"""Undo as people use it: how far alone, by consent, an action or a phase as a whole. [P8]

What users of other engines missed is in tests/properties/COMPLAINTS.md, with its tests.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from engine.undo import UndoBarred, action_start, phase_start
from events.history import Undone
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


def test_no_request_where_no_undo_was_agreed() -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, undo="none")
        head = until(game, with_attack_dice, Random(5))
        assert head.by is not None
        rows = rows_of(ledger)
        with pytest.raises(UndoBarred, match="agreed to have no undo"):
            game.ask_undo(1, by=head.by)
        assert rows_of(ledger) == rows


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
