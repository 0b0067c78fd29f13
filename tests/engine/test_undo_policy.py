"""Who may take back what: the policy agreed at creation. [P8]"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.game import Game
from engine.undo import UndoBarred, action_start, left_by
from events.base import other
from events.choices import Deploy
from events.codec import decode_events
from events.history import BranchTaken, Redone
from events.ledger import Ledger
from projections.history import Node
from replay.verify import Verdict, verify
from tests.properties.kit import new_game, play_on, rows_of, step_on


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def deployed(ledger: Ledger, undo: str = "until_revealed", **agreed: object) -> Game:
    """Return a game in which the first player has deployed two units, and the other none.

    Step 1 rolled off, step 2 took a zone, 3 and 4 deployed: since step 1 no die has fallen.
    """
    game = new_game(ledger, undo=undo, **agreed)
    for _ in range(3):
        game.play(game.legal()[0])
    first = game.battle.clock.first
    assert [node.by for node in game.history.path()[1:]] == [first] * 3
    assert game.pending is not None and game.pending.player == other(first)
    return game


def to_dice(game: Game) -> Node:
    """Play until dice fell in the last step, and in none of the active player's before it."""
    random = Random(7)
    while True:
        step_on(random, game)
        head = game.history.head
        if head.rolled and head.parent is not None and head.parent.by == head.by:
            return head


def refused_by(game: Game, ledger: Ledger, step: int, **how: object) -> str:
    """Try an undo that is barred at `step`; return the reason. Nothing may be appended."""
    rows, head = rows_of(ledger), game.history.head
    with pytest.raises(UndoBarred) as barred:
        game.undo(**how)  # type: ignore[arg-type]
    assert barred.value.step == step
    assert rows_of(ledger) == rows and game.history.head is head
    return barred.value.reason


# free


def test_free_undo_goes_past_dice_and_answers_of_either_side(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, undo="free"), Random(1))
    assert game.undo(by="red", to=1).step == 1
    assert verify(ledger, "g").verdict is Verdict.EXACT


# until_revealed


def test_ones_own_steps_are_undone_without_asking(ledger: Ledger) -> None:
    game = deployed(ledger)
    assert game.undo().step == 3
    assert game.undo().step == 2
    assert game.undo().step == 1
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_several_of_ones_own_steps_are_undone_at_once(ledger: Ledger) -> None:
    assert deployed(ledger).undo(to=1).step == 1


def test_the_opponents_answer_is_a_barrier(ledger: Ledger) -> None:
    # given that the second player deployed once, in step 5
    game = deployed(ledger)
    game.play(game.legal()[0])
    second = game.history.head.by
    assert second is not None
    # when the first would take his own step 4 back, then step 5 bars him
    reason = refused_by(game, ledger, 5, by=other(second), to=3)
    assert reason == f"step 5 is {second}'s answer; {second} must agree"
    # and the second may take back his own step, but not the one before it
    assert refused_by(game, ledger, 4, by=second, to=3).startswith("step 4 is")
    assert game.undo(by=second).step == 4


def test_dice_are_a_barrier_that_the_refusal_shows(ledger: Ledger) -> None:
    game = new_game(ledger, undo="until_revealed")
    head = to_dice(game)
    (roll, *_) = [event for event in head.events if hasattr(event, "faces")]
    faces = ", ".join(map(str, roll.faces))
    reason = refused_by(game, ledger, head.step)
    assert f"dice fell in step {head.step} ({roll.purpose}: {faces})" in reason
    assert head.by is not None and f"{other(head.by)} must agree" in reason


def test_dice_from_the_hand_are_a_barrier_too(ledger: Ledger) -> None:
    game = new_game(ledger, undo="until_revealed", dice="entered")
    game.enter([6])
    for by in ("red", "blue"):
        assert "dice fell in step 2" in refused_by(game, ledger, 2, by=by)


def test_the_barrier_named_is_the_one_met_first(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, undo="until_revealed"), Random(3))
    head = game.history.head
    barriers = [n.step for n in game.history.path()[1:] if n.rolled or n.by != head.by]
    refused_by(game, ledger, barriers[-1], by=head.by, to=1)


def test_the_policy_holds_on_after_the_end(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, undo="until_revealed"), Random(3))
    assert game.battle.outcome is not None
    refused_by(game, ledger, game.step, by=other(game.history.head.by or "red"))


# none


def test_without_undo_there_is_none_of_any_kind(ledger: Ledger) -> None:
    game = deployed(ledger, "none")
    assert "agreed to have no undo" in refused_by(game, ledger, 4)
    rows = rows_of(ledger)
    with pytest.raises(UndoBarred, match="agreed to have no undo"):
        game.ask_undo(3, by=game.battle.clock.first)
    with pytest.raises(UndoBarred):
        game.take_branch(3)
    assert rows_of(ledger) == rows


# What holds under every policy


@pytest.mark.parametrize("policy", ["free", "until_revealed", "none"])
def test_the_creation_cant_be_undone(ledger: Ledger, policy: str) -> None:
    refused_by(new_game(ledger, undo=policy), ledger, 1)


@pytest.mark.parametrize("to", [0, -1, 4, 5, 99])
def test_a_target_that_is_no_step_behind_is_refused(ledger: Ledger, to: int) -> None:
    game = deployed(ledger, "free")
    game.note("a mark is no step", by="red")
    refused_by(game, ledger, to, to=to)


def test_a_move_that_is_barred_is_named_by_the_word_for_it_and_a_mark_by_its_name(
    ledger: Ledger,
) -> None:
    # given a game with a note at step 5 and an undo at step 6
    game = deployed(ledger, "free")
    game.note("a mark is no step", by="red")
    game.undo(to=2)
    # when each kind of move goes to what is no step
    said: list[str] = []
    for move in (
        lambda: game.undo(to=5),
        lambda: game.take_branch(6),
        lambda: game.ask_undo(99, by="red"),
        lambda: game.take_branch(2),
    ):
        with pytest.raises(UndoBarred) as barred:
            move()
        said.append(str(barred.value))
    # then the error begins with its own word, and says what the number is
    assert said == [
        "undo: step 5 is a mark (noted), not a game step",
        "@6: step 6 is a mark (undone), not a game step",
        "undo: step 99 is no game step (last is 4)",
        "@2: the game stands at step 2 already",
    ]


def test_another_branch_is_not_behind(ledger: Ledger) -> None:
    game = deployed(ledger, "free")
    game.undo(to=2)
    game.play(game.legal()[-1])
    with pytest.raises(UndoBarred, match="another branch: take @4"):
        game.undo(to=4)


def test_there_is_no_redo_without_an_undo(ledger: Ledger) -> None:
    game = deployed(ledger)
    with pytest.raises(UndoBarred, match="redo: nothing was undone"):
        game.redo()
    game.undo()
    game.redo()
    with pytest.raises(UndoBarred, match="nothing was undone"):
        game.redo()


def test_an_undone_step_stays_in_reach_though_another_was_played(ledger: Ledger) -> None:
    game = deployed(ledger)
    left = game.history.head
    game.undo()
    game.play(game.legal()[-1])
    # redo is over, but the branch is there, and one's own dice-free steps may be left for it
    with pytest.raises(UndoBarred):
        game.redo()
    assert game.take_branch(left.step) is left
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_a_branch_cant_be_taken_past_a_barrier(ledger: Ledger) -> None:
    game = deployed(ledger)
    left = game.history.head
    game.undo()
    game.play(game.legal()[-1])
    game.play(game.legal()[0])
    assert game.history.head.by != left.by
    with pytest.raises(UndoBarred) as barred:
        game.take_branch(left.step, by=left.by)
    assert barred.value.step == game.step


def test_redo_asks_nothing_and_rolls_nothing(ledger: Ledger) -> None:
    game = new_game(ledger, undo="free")
    head = to_dice(game)
    game.undo()
    assert game.redo() is head
    (mark,) = decode_events(ledger.read("g")[-1].events)
    assert mark == Redone(head.by, head.step)  # type: ignore[arg-type]


# The tree


def test_the_steps_left_are_those_up_to_where_the_ways_part(ledger: Ledger) -> None:
    game = deployed(ledger, "free")
    old = game.history.head
    game.undo(to=2)
    new = [game.play(choice) for choice in (game.legal()[-1],)]
    new.append(game.play(game.legal()[0]))
    history = game.history
    assert list(left_by(history, old)) == new[::-1]
    assert list(left_by(history, history.nodes[2])) == new[::-1]
    assert list(left_by(history, history.head)) == []
    game.take_branch(old.step)
    assert list(left_by(game.history, new[-1])) == [old, history.nodes[3]]


def test_a_branch_behind_the_head_can_be_redone_the_way_it_was_left(ledger: Ledger) -> None:
    # given two branches, the newer one taken last
    game = deployed(ledger, "free")
    old = game.history.head
    game.undo(to=2)
    game.play(game.legal()[-1])
    # when the older is taken, and then the step both stand on is taken like a branch
    game.take_branch(old.step)
    game.take_branch(2)
    # then redo follows the branch that was left most recently
    assert game.redo() is old.parent
    (mark,) = decode_events(ledger.read("g")[-2].events)
    assert isinstance(mark, BranchTaken)


def test_an_action_starts_at_the_question_the_active_player_answered(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, "5", 3), Random(5))
    for node in game.history.path()[1:]:
        start = action_start(node)
        assert start.depth < node.depth
        first = game.history.path(node)[start.depth + 1].events[0]
        after = start.battle.clock
        assert after.phase == "setup" or first.by == after.active  # type: ignore[attr-defined]


def test_a_deployment_taken_back_can_be_made_elsewhere(ledger: Ledger) -> None:
    game = deployed(ledger)
    before = game.history.head.parent
    assert before is not None
    game.undo()
    offered = [c for c in game.legal() if isinstance(c, Deploy)]
    node = game.play(offered[-1])
    assert node.parent is before and len(before.children) == 2


def test_what_a_player_took_back_the_other_does_not_put_back_alone() -> None:
    """He would be bound by it again: an answer to it is the next barrier."""
    with Ledger.memory() as ledger:
        # given a step of red's that red took back, under the default policy
        game = new_game(ledger, undo="until_revealed")
        game.play(game.legal()[0])
        while game.history.head.by != "red" or game.history.head.rolled:
            step_on(Random(1), game)
        taken = game.history.head
        game.undo(by="red")
        # when blue would put it back, by redo or as a branch, then red must agree
        for move in (lambda: game.redo(by="blue"), lambda: game.take_branch(taken.step, by="blue")):
            with pytest.raises(UndoBarred, match="red must agree") as barred:
                move()
            assert barred.value.consent
        game.ask_undo(taken.step, by="blue")
        assert game.grant_undo() is taken
        # and red himself may, as may anybody whose game agreed on free undo
        game.undo(by="red")
        assert game.redo(by="red") is taken
        assert verify(ledger, "g").verdict is Verdict.EXACT
