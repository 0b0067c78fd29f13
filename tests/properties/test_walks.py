"""Play, undo, redo, branch and load, in any order. [P5, P8, P9]"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game import Game
from engine.undo import UndoBarred, ahead, before, stands
from events.codec import decode_events
from events.ledger import Ledger
from projections.digest import digest
from projections.history import Node
from projections.queries import units_on_table
from projections.reducers import fold
from replay.verify import Verdict, verify
from tests.properties.games import shape
from tests.properties.kit import (
    agreements,
    events_of,
    new_game,
    pick,
    play_on,
    rows_of,
    step_on,
    whole_games,
)

SEEDS = st.integers(0, 10**6)
DICE = [
    {"dice_after_undo": "same"},
    {"dice_after_undo": "fresh"},
    {"dice": "revealed"},
    {"dice": "entered"},
]
MOVES = st.lists(
    st.tuples(
        st.sampled_from(
            ["play", "play", "play", "undo", "undo", "redo", "branch", "back far", "load", "note"]
        ),
        st.integers(0, 10**6),
    ),
    max_size=40,
)


def take(game: Game, ledger: Ledger, move: str, n: int) -> Game:
    """Make one move of a walk; what isn't possible now is left out. Returns the game to go on."""
    history = game.history
    if move == "play" and game.battle.outcome is None:
        step_on(Random(n), game)
    elif move == "undo" and history.head.parent is not None:
        parent = before(history.head)
        assert game.undo() is parent
        assert game.battle == parent.battle and game.battle is parent.battle
    elif move == "redo" and history.head.forward is not None:
        try:
            forward = ahead(history.head)
        except UndoBarred:
            return game  # but for a step at which a link is known nothing lies ahead
        assert game.redo() is forward
    elif move == "branch" and len(history.nodes) > 1:
        others = [n for n, node in history.nodes.items() if n != game.step and stands(node)]
        step = others[n % len(others)]
        assert game.take_branch(step).step == step
    elif move == "back far" and history.head.parent is not None:
        behind = [node for node in history.path()[:-1] if stands(node)]
        target = behind[n % len(behind)]
        assert game.undo(to=target.step) is target
    elif move == "load":
        loaded = Game.open(ledger, "g", now=lambda: 0)
        assert loaded.battle == game.battle and loaded.step == game.step
        assert shape(loaded.history) == shape(history)
        return loaded
    elif move == "note":
        game.note("hm", by="red")
    return game


@whole_games
@given(SEEDS, MOVES, st.sampled_from(DICE), agreements)
def test_after_any_walk_live_loaded_and_executed_games_agree(
    seed: int, moves: list[tuple[str, int]], dice: dict[str, Any], agreed: Any
) -> None:
    with Ledger.memory() as ledger:
        # given a game, and any mix of playing, undoing, redoing, branching and loading
        game = new_game(ledger, str(seed), **dice, **agreed)
        play_on(game, Random(seed), 12)
        for move, n in moves:
            game = take(game, ledger, move, n)
        # then what is live is what a fresh copy loads
        loaded = Game.open(ledger, "g")
        assert loaded.battle == game.battle
        assert shape(loaded.history) == shape(game.history)
        # the state stored with the last row is the live one, and so is the fold of its line
        assert ledger.read("g")[-1].state == digest(game.battle)
        line = fold(None, (event for _, event in game.history.facts()))
        assert line == game.battle
        # nothing that was ever played is gone
        stored = [decode_events(events) for events in events_of(ledger)]
        assert len(stored) == game.version
        assert all(stored[step - 1] == node.events for step, node in game.history.nodes.items())
        # and the rules, run again, make all of it
        report = verify(ledger, "g", head=game.chain)
        assert report.verdict is Verdict.EXACT, report


@whole_games
@given(SEEDS)
def test_all_the_way_back_and_forward_again_is_where_it_was(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed))
        end, line = game.history.head, game.history.path()
        # when every step is undone one by one, each is the one before
        for node in reversed(line[:-1]):
            assert game.undo() is node
        # and the first can't be undone
        with pytest.raises(UndoBarred, match="nothing to undo"):
            game.undo()
        # when they are redone, nothing is asked or rolled again, and the end is the same object
        rows = game.version
        for node in line[1:]:
            assert game.redo() is node
        assert game.history.head is end
        assert game.version == rows + len(line) - 1
        assert verify(ledger, "g").verdict is Verdict.EXACT


@whole_games
@given(SEEDS, st.integers(1, 30), st.integers(1, 10))
def test_n_undos_are_one_undo_of_n_steps(seed: int, steps: int, back: int) -> None:
    with Ledger.memory() as one, Ledger.memory() as many:
        left = play_on(new_game(one, str(seed)), Random(seed), steps)
        right = play_on(new_game(many, str(seed)), Random(seed), steps)
        line = left.history.path()
        target = line[max(0, len(line) - 1 - back)]
        left.undo(to=target.step)
        while right.step != target.step:
            right.undo()
        assert left.battle == right.battle and left.step == right.step
        assert shape(left.history) == shape(right.history)


@whole_games
@given(SEEDS, st.integers(1, 40), st.integers(1, 12))
def test_the_same_choice_after_an_undo_meets_the_same_dice(
    seed: int, steps: int, back: int
) -> None:
    with Ledger.memory() as ledger:
        # given a game in which some steps were undone
        game = play_on(new_game(ledger, str(seed)), Random(seed), steps)
        undone = game.history.path()[1:][-back:]
        for _ in undone:
            game.undo()
        # when the same choices are made again, on a new branch
        for node in undone:
            choice = node.events[0].choice  # type: ignore[attr-defined]
            again = game.play(choice)
            # then every event is the same, dice among them
            assert again is not node
            assert (again.events, again.battle) == (node.events, node.battle)


@whole_games
@given(SEEDS, st.integers(1, 40))
def test_undone_and_played_on_is_as_if_nothing_had_happened(seed: int, steps: int) -> None:
    with Ledger.memory() as straight, Ledger.memory() as crooked:
        # given two games with the same choices, one of them with a detour before every choice
        left, right = new_game(straight, str(seed)), new_game(crooked, str(seed))
        random, detour = Random(seed), Random(seed + 1)
        for _ in range(steps):
            if left.battle.outcome is not None:
                break
            at = right.step
            play_on(right, detour, 1 + detour.randrange(3))
            right.undo(to=at)
            choice = pick(random, left)
            assert left.legal() == right.legal()
            left.play(choice)
            right.play(choice)
            # then the battles stay the same
            assert left.battle == right.battle
        assert verify(crooked, "g").verdict is Verdict.EXACT


def with_dice(game: Game) -> Node:
    """Play until the last step rolled dice for an attack; return it."""
    random = Random(5)
    while game.battle.outcome is None:
        step_on(random, game)
        if game.history.head.depth > 6 and game.history.head.rolled:
            return game.history.head
    raise AssertionError("nobody rolled")


def test_fresh_dice_differ_after_an_undo_and_verify_exact() -> None:
    with Ledger.memory() as ledger:
        # given an agreement on fresh dice, and one choice made over and over
        game = new_game(ledger, "fresh", dice_after_undo="fresh")
        node = with_dice(game)
        choice = node.events[0].choice  # type: ignore[attr-defined]
        seen = {rolls(node)}
        for _ in range(6):
            game.undo()
            last = game.version
            again = game.play(choice)
            seen.add(rolls(again))
            # then the dice are salted with the row of the undo
            assert {e.salt for e in again.events if hasattr(e, "salt")} == {last}
        # and are not the same every time
        assert len(seen) > 1
        play_on(game, Random(2), 10)
        assert verify(ledger, "g").verdict is Verdict.EXACT
        assert Game.open(ledger, "g").battle == game.battle


def test_the_same_dice_carry_no_salt() -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, "fresh")
        node = with_dice(game)
        choice = node.events[0].choice  # type: ignore[attr-defined]
        game.undo()
        again = game.play(choice)
        assert rolls(again) == rolls(node)
        assert {e.salt for e in again.events if hasattr(e, "salt")} == {0}


def rolls(node: Node) -> tuple[tuple[int, ...], ...]:
    """Return the faces of a step."""
    return tuple(event.faces for event in node.events if hasattr(event, "faces"))


def test_a_branch_left_behind_can_be_taken_up_by_its_number() -> None:
    with Ledger.memory() as ledger:
        # given a line that was undone and another played in its place
        game = play_on(new_game(ledger), Random(1), 20)
        left = game.history.head
        game.undo(to=game.history.path()[8].step)
        play_on(game, Random(2), 4)
        assert left.step not in {node.step for node in game.history.path()}
        # when the first is taken up again
        assert game.take_branch(left.step) is left
        # then play goes on from there, also after a load
        step_on(Random(3), game)
        loaded = Game.open(ledger, "g")
        assert loaded.history.head.parent is not None
        assert loaded.history.head.parent.step == left.step
        assert len(loaded.history.tips()) == 2


def test_rows_are_only_ever_added() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(4), 15)
        before = rows_of(ledger)
        game.undo(to=5)
        game.redo()
        game.take_branch(9)
        play_on(game, Random(5), 3)
        assert rows_of(ledger)[: len(before)] == before


def test_a_battle_is_left_alone_by_what_is_played_after_it() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(4), 15)
        kept = game.battle
        twin = replace(kept)
        before = digest(kept)
        play_on(game, Random(5))
        assert kept == twin and digest(kept) == before
        assert list(units_on_table(kept))
