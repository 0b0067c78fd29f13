"""What holds in every game, whatever is played. [P1, P2, P4, P5, P9]"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from events.choices import Concede
from events.codec import decode_event, decode_events, encode_event, join_events
from events.game import ProcedureStarted
from events.ledger import Ledger
from events.steps import check_chain
from projections.digest import digest
from projections.reducers import fold
from replay.verify import Verdict, verify
from tests.properties.kit import (
    agreements,
    choices_of,
    events_of,
    new_game,
    play_on,
    red_army,
    rows_of,
    step_on,
    whole_games,
)

SEEDS = st.integers(0, 10**6)


@whole_games
@given(SEEDS, st.integers(1, 3), agreements)
def test_folding_the_stream_gives_the_live_battle_at_every_step(
    seed: int, units: int, agreed: Any
) -> None:
    with Ledger.memory() as ledger:
        # given a game played to its end
        game = play_on(new_game(ledger, str(seed), units, **agreed), Random(seed))
        assert game.battle.outcome is not None
        # when its rows are folded
        battle = None
        for step in ledger.read("g"):
            battle = fold(battle, decode_events(step.events))
            # then each gives the battle that was live, down to the digest stored with it
            assert battle == game.at(step.n)
            assert digest(battle) == step.state


@whole_games
@given(SEEDS, st.sampled_from(["free", "until_revealed", "none"]), agreements)
def test_a_played_game_verifies_exact(seed: int, policy: str, agreed: Any) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed), undo=policy, **agreed), Random(seed))
        report = verify(ledger, "g", head=game.chain)
        assert report.verdict is Verdict.EXACT, report
        assert report.steps == game.version
        assert report.events == sum(len(decode_events(e)) for e in events_of(ledger))


@whole_games
@given(SEEDS)
def test_every_event_comes_back_from_its_bytes_as_it_was(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed))
        for node in game.history.nodes.values():
            encoded = [encode_event(event) for event in node.events]
            assert [decode_event(data) for data in encoded] == node.events
            stored = next(s.events for s in ledger.read("g", node.step - 1))
            assert join_events(encoded) == stored


@whole_games
@given(SEEDS, agreements)
def test_loading_in_mid_action_at_every_step_changes_no_byte(seed: int, agreed: Any) -> None:
    with Ledger.memory() as live, Ledger.memory() as loaded:
        # given one game that runs through, and another that is loaded anew before each choice
        game = new_game(live, str(seed), **agreed)
        new_game(loaded, str(seed), **agreed)
        random, again = Random(seed), Random(seed)
        while game.battle.outcome is None:
            step_on(random, game)
            reopened = Game.open(loaded, "g", now=lambda: 0)
            step_on(again, reopened)
            assert reopened.battle == game.battle
        # then both streams hold the same bytes
        assert events_of(loaded) == events_of(live)
        assert [s.chain for s in loaded.read("g")] == [s.chain for s in live.read("g")]


@whole_games
@given(SEEDS)
def test_a_loaded_history_is_the_live_one_node_for_node(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed), 40)
        loaded = Game.open(ledger, "g").history
        assert loaded.nodes.keys() == game.history.nodes.keys()
        for step, node in game.history.nodes.items():
            twin = loaded.nodes[step]
            assert (twin.events, twin.battle, twin.began, twin.began_at, twin.by, twin.rolled) == (
                (node.events, node.battle, node.began, node.began_at, node.by, node.rolled)
            )
            began = [i for i, e in enumerate(node.events, 1) if type(e) is ProcedureStarted]
            assert node.began is None or node.began_at == began[-1]


@whole_games
@given(SEEDS)
def test_the_same_seed_and_choices_give_the_same_game_whatever_runs_beside_it(seed: int) -> None:
    with Ledger.memory() as ledger:
        # given a game, and its choices
        first = play_on(new_game(ledger, str(seed), game="first"), Random(seed))
        # when they are played again, with a move in an unrelated game between any two
        again = new_game(ledger, str(seed), game="again")
        beside = new_game(ledger, "unrelated", game="beside")
        random = Random(seed + 1)
        for choice in choices_of(first):
            again.play(choice)
            if beside.battle.outcome is None:
                step_on(random, beside)
        # then nothing differs
        assert events_of(ledger, "again") == events_of(ledger, "first")


@whole_games
@given(SEEDS)
def test_dice_from_the_hand_play_and_verify(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, "", dice="entered"), Random(seed))
        assert game.battle.outcome is not None
        report = verify(ledger, "g")
        assert report.verdict is Verdict.EXACT, report
        assert Game.open(ledger, "g").battle == game.battle


@whole_games
@given(SEEDS, st.integers(0, 60), st.sampled_from(["red", "blue"]), st.booleans())
def test_either_side_may_concede_at_any_time(seed: int, steps: int, by: str, entered: bool) -> None:
    with Ledger.memory() as ledger:
        # given a game at any point, an open roll among them
        dice = "entered" if entered else "seeded"
        game = play_on(new_game(ledger, str(seed), dice=dice), Random(seed), steps)
        if game.battle.outcome is not None:
            return
        # when one side gives up, on its turn or not
        game.concede(by)  # type: ignore[arg-type]
        # then the other has won, nothing is open, and the record holds
        assert game.battle.outcome is not None
        assert game.battle.outcome.winner == ("blue" if by == "red" else "red")
        assert game.pending is None and game.legal() == []
        assert choices_of_last(game) == Concede()
        assert verify(ledger, "g").verdict is Verdict.EXACT
        # and it can be taken back
        before = game.history.head.parent
        assert before is not None
        assert game.undo() is before
        step_on(Random(seed), game)
        assert verify(ledger, "g").verdict is Verdict.EXACT


def choices_of_last(game: Game) -> object:
    return game.history.head.events[0].choice  # type: ignore[attr-defined]


@whole_games
@given(SEEDS)
def test_every_stored_row_vouches_for_the_one_before(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed), 30)
        assert check_chain("g", ledger.read("g"), game.chain) is None
        assert len(rows_of(ledger)) == game.version


def test_the_bytes_of_a_step_do_not_grow_with_the_game() -> None:
    for seed in range(20):  # the first game that is long enough to tell
        with Ledger.memory() as ledger:
            game = play_on(new_game(ledger, str(seed), 3), Random(seed))
            rows = [len(row) for row in rows_of(ledger)]
        if len(rows) < 60:
            continue
        assert game.battle.outcome is not None
        third = len(rows) // 3
        early, late = rows[2 : 2 + third], rows[-third:]
        assert sum(late) < 2 * sum(early)
        return
    raise AssertionError("no game was long enough")


def test_armies_stand_in_the_stream_in_full() -> None:
    with Ledger.memory() as ledger:
        new_game(ledger)
        first = decode_events(ledger.read("g")[0].events)
        mustered = [event.army for event in first if hasattr(event, "army")]
        assert mustered[0] == red_army()
