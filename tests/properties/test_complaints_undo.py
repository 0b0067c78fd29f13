"""What players of other engines ran into with undo and redo: one property each. [P8, P9]

The numbers are those of COMPLAINTS.md; the threads named are where it was reported.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answers import legal
from engine.dice import SeededDice
from engine.game import Game
from engine.runner import Runner
from engine.sequence import RULESETS
from engine.undo import OPENINGS, UndoBarred, action_start, stands
from events.codec import decode_events
from events.history import Redone
from events.ledger import Ledger
from projections.battle import STATE_SCHEMA, Battle
from projections.digest import digest
from projections.reducers import fold
from tests.properties.games import (
    answer_again,
    by_hand,
    dice_in,
    every_kind,
    go_back,
    id_of,
    open_in,
    opened,
    rows,
    shape,
)
from tests.properties.kit import agreements, line_of, new_game, play_on, step_on, whole_games

SEEDS = st.integers(0, 10**6)
CANONICAL = msgspec.json.Encoder(order="deterministic")


@every_kind
def test_folding_the_whole_stream_undo_marks_included_gives_the_live_state(kind: str) -> None:
    """1. Undo left no trace in the log, so a replay was another game. boardgame.io #820

    Given a game with undos, redos and branches, when every row of its stream is folded by a few
    lines that know nothing of `Game`, then each row has the state that was live after it.
    """
    steps = rows(kind)
    folded = list(by_hand(steps))
    for step, (_, battle) in zip(steps, folded, strict=True):
        assert step.schema == STATE_SCHEMA
        assert digest(battle) == step.state, step.n
    with opened(kind) as (_, game):
        assert (game.step, game.battle) == folded[-1]


@every_kind
def test_undoing_any_step_gives_the_fold_of_what_came_before_dice_included(kind: str) -> None:
    """3. Undo after a roll spoilt the game. JCloisterZone #263

    Given a game, when it is undone step by step to its start, then each state is the fold of the
    events before it, counters of dice included; and the same answer meets the same dice.
    """
    with opened(kind) as (_, game):
        path = game.history.path()
        folded: list[Battle] = []
        for node in path:
            folded.append(fold(folded[-1] if folded else None, node.events))
        assert any(battle.phase.dice for battle in folded)
        same = game.created.dice_after_undo == "same"
        for k in range(len(path) - 1, 0, -1):
            if not stands(path[k - 1]):
                continue  # a link is known there: it is passed over
            assert go_back(game) is path[k - 1]
            assert digest(game.battle) == digest(folded[k - 1])
            if same and k % 5 == 0:
                again = answer_again(game, path[k])
                if again is not None:
                    assert again.events == path[k].events
                    go_back(game)


@whole_games
@given(SEEDS, agreements, st.sampled_from(["until_revealed", "none"]))
def test_undo_past_a_roll_is_refused_by_type_where_agreed_and_appends_nothing(
    seed: int, agreed: Any, policy: str
) -> None:
    """4. Undo of a random draw was used to peek. terraforming-mars #5569, #4317, #728

    Given a game whose first event says how far undo goes, when either player would undo any step
    in which dice fell, then it is a typed refusal that names the step, and no row is added.
    """
    with Ledger.memory() as ledger:
        game = new_game(ledger, str(seed), undo=policy, **agreed)
        (first, *_) = decode_events(ledger.read("g")[0].events)
        assert first.undo == policy  # type: ignore[attr-defined]
        random, rolled = Random(seed), 0
        while game.battle.outcome is None:
            step_on(random, game)
            head = game.history.head
            if not dice_in(head.events):
                continue
            rolled += 1
            stored = game.version
            for by in ("red", "blue"):
                with pytest.raises(UndoBarred) as barred:
                    game.undo(by=by)  # type: ignore[arg-type]
                assert barred.value.step == head.step
            assert game.version == stored and game.history.head is head
        assert rolled


@whole_games
@given(SEEDS, agreements, st.integers(5, 80))
def test_undo_goes_back_as_far_as_the_barrier_and_the_refusal_names_it(
    seed: int, agreed: Any, steps: int
) -> None:
    """5. Only the last action could be undone, learned or not. terraforming-mars #7119, #2872

    Given a game under `until_revealed`, when a player undoes his own steps one by one, then he
    comes back to the last roll or answer of the other, whatever the depth, and that is named.
    """
    with Ledger.memory() as ledger:
        game = new_game(ledger, str(seed), undo="until_revealed", **agreed)
        play_on(game, Random(seed), steps)
        by = game.history.head.by
        assert by is not None
        depth = 0
        while (head := game.history.head).by == by and not dice_in(head.events):
            assert game.undo(by=by) is head.parent
            depth += 1
        with pytest.raises(UndoBarred) as barred:
            game.undo(by=by)
        # then the step named is the barrier, and it says whose answer or which dice
        assert barred.value.step == head.step
        said = f"step {head.step}"
        assert said in barred.value.reason or head.parent is None
        faces = [", ".join(map(str, roll.faces)) for roll in dice_in(head.events)]
        assert head.parent is None or head.by != by or faces[0] in barred.value.reason
        # and all of it can be redone at once or again one by one
        for _ in range(depth):
            game.redo(by=by)
        assert game.history.head.forward is None


@every_kind
def test_every_field_of_state_is_in_the_fold_and_survives_its_bytes(kind: str) -> None:
    """6. Undo gave back the move, not the turn's budget: it wasn't saved. terraforming-mars #7633

    Given any step, when its battle is written and read again, then it is equal as a whole, has
    the same digest, and the same question with the same legal answers.
    """
    with opened(kind) as (_, game):
        answers = RULESETS[game.created.ruleset].answers
        for n, node in enumerate(game.history.nodes.values()):
            again = msgspec.json.decode(CANONICAL.encode(node.battle), type=Battle)
            assert again == node.battle and digest(again) == digest(node.battle)
            if n % 7 == 0:
                assert legal(answers, again) == legal(answers, node.battle)


@whole_games
@given(SEEDS, agreements, st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40))
def test_undo_is_derived_from_the_stream_and_no_second_stack_can_disagree(
    seed: int, agreed: Any, moves: list[tuple[bool, int]]
) -> None:
    """7. The undo stack and the replay stack of two clients fell out of step. wesnoth #9561

    Given one game held by two processes that play, undo and redo in turns, when each takes up the
    other's rows, then both have the same tree, and so has a third that only reads the stream.
    """
    with Ledger.memory() as ledger:
        one = play_on(new_game(ledger, str(seed), **agreed), Random(seed), 12)
        two = Game.open(ledger, "g", now=lambda: 0)
        for first, move in moves:
            game, beside = (one, two) if first else (two, one)
            history = game.history
            if move < 3 and game.battle.outcome is None:
                step_on(Random(move), game)
            elif move < 5 and history.head.parent is not None:
                game.undo()
            elif history.head.forward is not None:
                game.redo()
            beside.refresh()
            assert (one.step, one.battle) == (two.step, two.battle)
        third = Game.open(ledger, "g")
        assert shape(one.history) == shape(two.history) == shape(third.history)
        assert one.step == two.step == third.step


@every_kind
def test_undo_after_a_save_and_a_load_is_undo_without_them(kind: str, tmp_path: Path) -> None:
    """8. After a reload, moves were undone again. wesnoth #1453

    Given a game in memory and the same in a file, when both are undone six times, the one in the
    file loaded anew before each, then their rows and states are the same.
    """
    name = id_of(kind)
    with opened(kind) as (ledger, kept), Ledger.sqlite(tmp_path / "g.db") as saved:
        open_in(saved, kind)
        for _ in range(6):
            go_back(kept)
            go_back(Game.open(saved, name))
            loaded = Game.open(saved, name)
            assert (loaded.step, loaded.version) == (kept.step, kept.version)
            assert digest(loaded.battle) == digest(kept.battle)
        assert [s.chain for s in saved.read(name)] == [s.chain for s in ledger.read(name)]


@every_kind
def test_redo_consumes_recorded_decisions_and_never_prompts(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """9. Redo asked again for a choice already made. wesnoth #1623

    Given a game undone to its start, when it is redone with no rule and no die in reach, then
    each redo is one mark and every decision and die is the recorded one.
    """
    with opened(kind) as (ledger, game):
        path = line_of(game)
        go_back(game, path[0].step)

        def asked(*given: object) -> None:
            raise AssertionError("something was asked, decided or rolled")

        monkeypatch.setattr(Runner, "advance", asked)
        monkeypatch.setattr(Runner, "resume", asked)
        monkeypatch.setattr(SeededDice, "faces", asked)
        for node in path[1:]:
            before = game.version
            assert game.redo() is node and game.battle is node.battle
            assert game.version == before + 1
            (mark,) = decode_events(ledger.read(game.id, before)[0].events)
            assert isinstance(mark, Redone) and mark.to == node.step


@whole_games
@given(SEEDS, agreements, st.integers(8, 90), st.sampled_from(["free", "until_revealed"]))
def test_an_action_is_undone_with_all_that_it_triggered_or_not_at_all(
    seed: int, agreed: Any, steps: int, policy: str
) -> None:
    """10. Undo took back only part of a triggered move. VASSAL #8621, #2523

    Given a game anywhere in an action, when that is undone, then its answer, the answers to it,
    the dice and the casualties are all gone; or, where a part may not be undone, none of it is.
    """
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed), undo=policy, **agreed), Random(seed), steps)
        path = game.history.path()
        start = action_start(game.history.head)
        group = path[start.depth + 1 :]
        assert isinstance(start.battle.question, OPENINGS) or start.parent is None
        assert not any(isinstance(node.battle.question, OPENINGS) for node in group[:-1])
        whole, chain = game.battle, game.chain
        try:
            game.undo(to=start.step)
        except UndoBarred as barred:
            assert policy != "free" and barred.step in [node.step for node in group]
            assert game.battle is whole and game.chain == chain
            assert Game.open(ledger, "g").battle == whole
            return
        before = fold(None, (event for node in path[: start.depth + 1] for event in node.events))
        assert game.battle == before == Game.open(ledger, "g").battle
        assert [event for _, event in game.history.facts()] == [
            event for node in path[: start.depth + 1] for event in node.events
        ]
