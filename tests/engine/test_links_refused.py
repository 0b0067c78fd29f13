"""A side that won't reveal leaves a plain state and ways out; requests and forks of such games."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import Game
from engine.undo import UndoBarred
from events.base import Side, other
from events.choices import AnswerRealDice, EndPhase, OfferRealDice, TakeZone
from events.errors import IllegalChoice, LedgerError
from events.game import DiceRolled
from events.ledger import Ledger, RequestReused
from events.questions import LinksNeeded, RealDiceOffered, RollNeeded, WhoMoves
from replay.fork import ancestry, fork
from replay.verify import Verdict, verify
from tests.engine.test_links import SIDES, dice_in, revealed_game, to_the_choice
from tests.properties.kit import (
    CHAINS,
    COMMITTED,
    clock,
    line_of,
    new_game,
    play_on,
    reveal,
    step_on,
)

# --- who won't reveal


def test_a_roll_that_waits_says_for_whom_and_takes_nothing_else() -> None:
    with Ledger.memory() as ledger:
        game = revealed_game(ledger)
        reveal(game, "red")
        for by in SIDES:
            with pytest.raises(IllegalChoice, match="waits for the next link of blue"):
                game.play(EndPhase(), by=by)
        with pytest.raises(IllegalChoice):
            game.enter([3])
        assert game.legal() == [] and game.version == 2


@pytest.mark.parametrize("shown", [(), ("red",), ("blue",)])
@pytest.mark.parametrize("by", SIDES)
def test_both_may_agree_to_roll_real_dice_from_there_on(shown: tuple[Side, ...], by: Side) -> None:
    with Ledger.memory() as ledger:
        game = revealed_game(ledger)
        for side in shown:
            reveal(game, side)
        due = game.pending
        assert isinstance(due, LinksNeeded)
        # when one offers and the other declines, the roll waits as before
        game.play(OfferRealDice(), by=by)
        assert game.pending == RealDiceOffered(other(by), due)
        with pytest.raises(IllegalChoice, match="decides now"):
            game.play(AnswerRealDice(True), by=by)
        assert game.legal() == [AnswerRealDice(True), AnswerRealDice(False)]
        game = Game.open(ledger, "g", clock())
        game.play(AnswerRealDice(False))
        assert game.pending == due
        # when he agrees, that roll and all after it are rolled and entered
        game.play(OfferRealDice(), by=by)
        game.play(AnswerRealDice(True))
        assert isinstance(game.pending, RollNeeded)
        agreed = game.step
        game = play_on(Game.open(ledger, "g", clock()), Random(5))
        sources = {e.source for _, e in game.history.facts() if isinstance(e, DiceRolled)}
        assert sources == {"entered"}
        assert verify(ledger, "g").verdict is Verdict.EXACT
        # and before the agreement links are due again, of both: what was shown is spent
        asked = [n for n in line_of(game) if isinstance(n.battle.question, LinksNeeded)]
        game.undo(to=asked[-1].step)
        due = game.pending
        assert isinstance(due, LinksNeeded) and due.waiting == SIDES
        assert game.step < agreed
        for side in due.waiting:
            reveal(game, side)
        assert dice_in(game.history.head)[0].source == "revealed"
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_an_offer_in_the_middle_of_an_action_is_kept_through_load_and_undo() -> None:
    with Ledger.memory() as ledger:
        game, random = revealed_game(ledger), Random(8)
        while game.battle.clock.phase != "shooting" or not isinstance(game.pending, LinksNeeded):
            play_on(game, random, 1)
        game.play(OfferRealDice(), by="blue")
        game.play(AnswerRealDice(False), by="red")
        game.undo()
        assert isinstance(game.pending, RealDiceOffered)
        game.redo()
        reveal(game, "blue")
        game = Game.open(ledger, "g", clock())
        game.play(OfferRealDice(), by="red")
        game.play(AnswerRealDice(False), by="blue")
        reveal(game, "red")
        play_on(game, random, 20)
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_the_game_is_never_put_back_to_where_a_link_is_known() -> None:
    """Who reveals last could otherwise compute the die that he would meet again."""
    with Ledger.memory() as ledger:
        game = revealed_game(ledger)
        waits = game.history.head
        reveal(game, "red")
        half = game.step
        game.play(OfferRealDice(), by="red")
        offered = game.step
        game.play(AnswerRealDice(False))
        reveal(game, "blue")
        fell = game.history.head
        for step in (half, offered, offered + 1):
            with pytest.raises(UndoBarred, match="a roll waits for links"):
                game.undo(to=step)
            with pytest.raises(UndoBarred, match="a roll waits for links"):
                game.ask_undo(step, by="red")
        # one step back is where both are due, one forward where the dice had fallen
        assert game.undo() is waits and game.redo() is fell
        game.undo()
        with pytest.raises(UndoBarred, match="a roll waits for links"):
            game.take_branch(half)
        # and a link alone that was taken back is not put in again by anybody
        reveal(game, "red")
        assert game.undo() is waits
        with pytest.raises(UndoBarred, match="nothing to redo"):
            game.redo(by="blue")
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_who_is_left_waiting_may_see_the_other_concede() -> None:
    with Ledger.memory() as ledger:
        game = revealed_game(ledger)
        reveal(game, "blue")
        game.concede("red")
        assert game.battle.outcome is not None and game.battle.outcome.winner == "blue"
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_real_dice_are_offered_only_where_a_link_is_due() -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger)
        with pytest.raises(IllegalChoice, match="no link is due"):
            game.play(OfferRealDice())
        with pytest.raises(IllegalChoice):
            game.play(AnswerRealDice(True))


def test_the_other_side_can_not_take_back_what_was_revealed_against_it() -> None:
    """Under the default policy a link is an answer: only its own side may leave it alone."""
    with Ledger.memory() as ledger:
        game = to_the_choice(revealed_game(ledger, undo="until_revealed"), Random(2))
        while not isinstance(game.pending, LinksNeeded):
            by = game.pending.player  # type: ignore[union-attr]
            step_on(Random(3), game)
        reveal(game, other(by))
        with pytest.raises(Exception, match="must agree"):
            game.undo(by=by, to=game.step - 2)


# --- requests, forks


def test_a_repeated_request_reveals_once() -> None:
    with Ledger.memory() as ledger:
        game = revealed_game(ledger)
        link = CHAINS["red"].next(COMMITTED.red)
        node = game.reveal(link, by="red", request="r1")
        assert game.reveal(link, by="red", request="r1") is node
        assert game.version == 2
        with pytest.raises(RequestReused):
            game.reveal(CHAINS["blue"].next(COMMITTED.blue), by="blue", request="r1")


def test_a_fork_has_a_seed_of_its_own_and_verifies() -> None:
    with Ledger.memory() as ledger:
        game, random = revealed_game(ledger), Random(6)
        play_on(game, random, 30)
        game.undo(to=line_of(game)[-8].step)  # links stay behind on another branch
        play_on(game, random, 12)
        while not isinstance(game.pending, WhoMoves | TakeZone) and isinstance(
            game.pending, LinksNeeded
        ):
            play_on(game, random, 1)
        with pytest.raises(LedgerError, match="seed"):
            fork(ledger, game, game="f")
        forked = fork(ledger, game, game="f", seed="what if", now=clock())
        assert forked.battle == game.battle
        play_on(forked, Random(7), 60)
        later = list(forked.history.facts())
        dice = [e.source for step, e in later if isinstance(e, DiceRolled)]
        assert set(dice) == {"revealed", "seeded"} and dice[-1] == "seeded"
        assert verify(ledger, "f").verdict is Verdict.EXACT
        # back before its start it can't go: the links there are its origin's players'
        start = forked.history.nodes[ancestry(ledger, forked)[0].own]
        forked.undo(to=start.step)
        for move in (
            lambda: forked.undo(),
            lambda: forked.undo(to=3),
            lambda: forked.take_branch(1),
        ):
            with pytest.raises(UndoBarred, match=r"origin's players|nothing to undo"):
                move()
        play_on(forked, Random(9), 10)
        assert verify(ledger, "f").verdict is Verdict.EXACT
        # a fork of the fork, too, from before its start only with a seed again
        play_on(fork(ledger, forked, game="ff", now=clock()), Random(8), 5)
        early = next(
            n for n in forked.history.path() if not isinstance(n.battle.question, LinksNeeded)
        )
        with pytest.raises(LedgerError, match="seed"):
            fork(ledger, forked, early.step, game="fff")
        play_on(fork(ledger, forked, early.step, game="fff", seed="a", now=clock()), Random(8), 5)
        assert verify(ledger, "ff").verdict is verify(ledger, "fff").verdict is Verdict.EXACT


def test_a_fork_is_not_made_where_links_are_due() -> None:
    with Ledger.memory() as ledger:
        game = revealed_game(ledger)
        with pytest.raises(LedgerError, match="waits for links"):
            fork(ledger, game, game="f", seed="x")
        assert not ledger.has("f")
