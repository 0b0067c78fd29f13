"""What undo leaves as it was, whatever is done: one property each, by complaint. [P6, P8, P9]

The numbers are those of COMPLAINTS.md; the threads named are where it was reported.
"""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.answers import legal
from engine.game import Game
from engine.sequence import RULESETS
from engine.undo import UndoBarred, stands
from events.base import Side, other
from events.choices import MoveUnit, TakeZone
from events.choices import TakeWounds as Wounds
from events.codec import decode_events
from events.errors import WarledgerError
from events.game import Chosen, DiceMode, DiceRolled, UndoPolicy
from events.history import UndoAsked, UndoGranted, UndoRefused
from events.ledger import Ledger
from events.values import Point
from projections.digest import digest
from projections.history import Node
from projections.reducers import fold
from replay.fork import fork
from replay.timeline import Timeline
from replay.verify import Verdict, verify
from replay.words import in_words
from tests.properties.games import (
    dice_in,
    every_kind,
    go_back,
    opened,
    rows,
    shape,
)
from tests.properties.kit import (
    agreements,
    line_of,
    new_game,
    play_on,
    rows_of,
    step_on,
    whole_games,
)

SEEDS = st.integers(0, 10**6)

ANYTHING = st.sampled_from([None, -1, 0, 1, 2, 7, 10**9, 2**70, True, 2.0, "x", "", "\ud800"])
SIDES = st.sampled_from([None, "red", "blue", "red", "blue", "purple", "", 3])
WORDS = (
    st.sampled_from(["play", "undo"])
    | st.sampled_from(["redo", "branch", "ask", "grant", "refuse", "note", "concede", "go on"])
    | st.sampled_from(["offered", "odd", "enter", "at", "seek", "fork", "load", "verify"])
)
"""What is done to a game, moves forward and back most often."""


def do(game: Game, ledger: Ledger, word: str, by: Any, to: Any, n: int) -> Game:
    """Do one thing to a game, whether it makes sense now or not. Returns the game to go on."""
    steps = list(game.history.nodes)
    near = steps[n % len(steps)] if n % 3 else to
    seen = to if type(to) is int else None
    if word == "play" and game.battle.outcome is None:
        step_on(Random(n), game)
    elif word == "offered":
        for choice in game.legal()[:1]:
            game.play(choice, by=by, expected=seen)
    elif word == "enter":
        game.enter([n % 8] * (n % 4), expected=seen)
    elif word == "undo":
        game.undo(by=by, to=near)
    elif word == "redo":
        game.redo(by=by)
    elif word == "branch":
        game.take_branch(near, by=by)
    elif word == "ask":
        game.ask_undo(near, by=by)
    elif word in ("grant", "refuse", "go on"):
        {"grant": game.grant_undo, "refuse": game.refuse_undo, "go on": game.go_on}[word]()
    elif word == "note":
        game.note(to, by=by)
    elif word == "concede" and n % 10 == 0:
        game.concede(by)
    elif word == "at":
        game.at(near)
    elif word == "seek":
        line = Timeline(game.history, near if n % 2 else None)
        line.seek(near)
        line.back(n % 5)
        line.jump(["turn", "casualty", "gnawers", "nonsense"][n % 4], backwards=n % 2 == 0)
    elif word == "fork":
        fork(ledger, game, near, seed=str(n) if n % 2 else None, game=f"fork {n}")
    elif word == "load":
        return Game.open(ledger, "g", now=lambda: 0)
    elif word == "verify":
        assert verify(ledger, "g").verdict is Verdict.EXACT
    elif word == "odd":
        game.play([TakeZone(by), MoveUnit(to, Point(n, -n)), Wounds((to,)), to][n % 4], by=by)
    return game


@settings(max_examples=60)
@given(
    SEEDS,
    agreements,
    st.sampled_from(get_args(UndoPolicy)),
    st.sampled_from(get_args(DiceMode)),
    st.lists(st.tuples(WORDS, SIDES, ANYTHING, st.integers(0, 10**6)), min_size=5, max_size=80),
)
def test_a_walk_of_do_undo_redo_and_seek_raises_nothing_but_our_own_error(
    seed: int, agreed: Any, policy: str, dice: str, walk: list[tuple[str, Any, Any, int]]
) -> None:
    """11. An index was out of bounds while undoing. VASSAL #6405, #1613, #2558

    Given a game at any point, when anything at all is done to it, possible now or not, then it is
    done, or refused by an error of our family with nothing appended; and the game still verifies.
    """
    with Ledger.memory() as ledger:
        game = new_game(ledger, str(seed), undo=policy, dice=dice, **agreed)
        play_on(game, Random(seed), 20)
        for word, by, to, n in walk:
            stored, head = game.version, game.history.head
            try:
                game = do(game, ledger, word, by, to, n)
            except WarledgerError as error:
                assert str(error)
                assert game.version == stored and game.history.head is head
        assert Game.open(ledger, "g").battle == game.battle
        assert verify(ledger, "g").verdict is Verdict.EXACT


def reachable(thing: object) -> list[object]:
    """Return everything that can be reached from a value by fields and places, once each."""
    found: dict[int, object] = {}
    todo = [thing]
    while todo:
        at = todo.pop()
        if id(at) in found:
            continue
        found[id(at)] = at
        if isinstance(at, tuple):
            todo += at
        elif isinstance(at, msgspec.Struct):
            todo += [getattr(at, name) for name in at.__struct_fields__]
    return list(found.values())


@every_kind
def test_nothing_reachable_from_a_state_or_an_event_can_be_changed(kind: str) -> None:
    """12. Undo of mutable state restored half of it. forge #10534, #5051, #7844

    Given every battle and event of a game, when any field of anything in them is set, deleted or
    added to, then that raises, and all is as it was.
    """
    with opened(kind) as (_, game):
        nodes = list(game.history.nodes.values())
        for node in (nodes[0], nodes[len(nodes) // 2], nodes[-1], *nodes[2:-1:9]):
            before = digest(node.battle)
            things = reachable((node.battle, *node.events))
            assert len(things) > 50
            for thing in things:
                if isinstance(thing, msgspec.Struct):
                    for name in (*thing.__struct_fields__, "something"):
                        with pytest.raises(AttributeError):
                            setattr(thing, name, None)
                        with pytest.raises(AttributeError):
                            delattr(thing, name)
                else:
                    assert type(thing) in (tuple, str, int, bool, type(None), msgspec.Raw)
            assert digest(node.battle) == before
        # and what the game hands out are copies: to spoil them changes nothing
        at, line, offered = game.step, game.history.path(), game.legal()
        game.legal().clear()
        game.history.path().clear()
        game.history.tips().clear()
        assert (game.step, game.history.path(), game.legal()) == (at, line, offered)


@every_kind
def test_two_round_trips_of_undo_and_redo_give_the_same_objects(kind: str) -> None:
    """12. Later objects weren't removed, and restoring crashed. forge #10534, PR #11416

    Given a game, when it is undone to its start and redone to its end twice, then each battle on
    the way is the very object it was, at every step.
    """
    with opened(kind) as (_, game):
        path = line_of(game)
        battles = [node.battle for node in path]
        kept = [id(thing) for thing in reachable(tuple(battles))]
        for _ in range(2):
            for battle in reversed(battles[:-1]):
                go_back(game)
                assert game.battle is battle
            for battle in battles[1:]:
                game.redo()
                assert game.battle is battle
        again = reachable(tuple(node.battle for node in line_of(game)))
        assert kept[1:] == [id(thing) for thing in again][1:]


@every_kind
def test_after_undo_what_is_legal_is_that_of_a_fresh_fold_and_nothing_goes_on_by_itself(
    kind: str,
) -> None:
    """13. After a rollback, turns were skipped and stale settings played on. mage #2072, #4510

    Given any step of a game, open interrupts among them, when it is undone to, then one row is
    added and no step played; question and legal answers are those of a fold up to there.
    """
    with opened(kind) as (_, game):
        path = game.history.path()
        answers = RULESETS[game.created.ruleset].answers
        fresh = None
        folds = [fresh := fold(fresh, node.events) for node in path]
        interrupts = 0
        for k in range(len(path) - 2, 0, -3):
            if not stands(path[k]):
                continue
            steps = len(game.history.nodes)
            before, marks = game.version, len(game.history.marks)
            go_back(game, path[k].step)
            added = game.version - before
            assert added == len(game.history.marks) - marks <= 2  # asking for consent is the second
            assert len(game.history.nodes) == steps
            assert game.pending == folds[k].question and game.battle == folds[k]
            assert game.legal() == legal(answers, folds[k])
            question = game.pending
            interrupts += question is not None and question.player != game.battle.clock.active
        assert interrupts or len(path) < 40


@every_kind
def test_undo_of_n_steps_is_n_undos_of_one(kind: str) -> None:
    """14. "Undo all" undid in the wrong order. triplea PR #61

    Given two copies of a game, when one is undone by n steps at once and the other n times by
    one, then they stand at the same step of the same tree, and redo leads both the same way.
    """
    for most in (2, 5, 17):
        with opened(kind) as (_, once), opened(kind) as (_, often):
            line = line_of(once)
            n = min(most, len(line) - 1)
            target = line[-1 - n]
            go_back(once, target.step)
            for _ in range(n):
                go_back(often)
            assert (once.step, once.battle) == (often.step, often.battle)
            assert shape(once.history) == shape(often.history)
            for _ in range(n):
                assert once.redo().step == often.redo().step


@every_kind
def test_every_undone_tip_stays_in_the_store_and_can_be_taken_up_by_its_number(kind: str) -> None:
    """16. One mistaken undo put the redo out of reach. 18xx #5195

    Given a game with branches and one more by mistake, when any step ever played is taken by its
    number, then the game stands there, here and after a load, as it stood when it was played.
    """
    with opened(kind) as (ledger, game):
        go_back(game, line_of(game)[-4].step)
        step_on(Random(1), game)
        stored = {step.n: step.state for step in ledger.read(game.id)}
        history = game.history
        assert len(history.tips()) > 1
        for tip in history.tips():
            if tip is not history.head and game.created.undo == "free" and stands(tip):
                assert game.take_branch(tip.step) is tip
                assert digest(game.battle) == stored[tip.step]
                loaded = Game.open(ledger, game.id)
                assert loaded.step == tip.step and digest(loaded.battle) == stored[tip.step]
        # nothing that was ever played is gone
        for step in ledger.read(game.id):
            node = history.nodes.get(step.n)
            if node is not None:
                assert node.events == decode_events(step.events)
                assert digest(game.at(step.n)) == step.state
            else:
                assert step.n in history.marks


def rolled_by_one(game: Game, random: Random) -> tuple[Node, Side]:
    """Play until dice fell for a unit; return that step and who took it."""
    while True:
        step_on(random, game)
        head = game.history.head
        if head.by is not None and any(roll.subject for roll in dice_in(head.events)):
            return head, head.by


@whole_games
@given(
    SEEDS,
    agreements,
    st.lists(st.sampled_from(["granted", "declined", "lapsed"]), min_size=1, max_size=6),
)
def test_a_request_to_undo_names_its_step_and_is_granted_declined_or_lapses_by_events(
    seed: int, agreed: Any, fates: list[str]
) -> None:
    """15. Unclear what a takeback takes back, when it lapses, whether it is kept. lila #2414, #345

    Given a step that may not be undone alone, when its player asks to go back before it, then the
    request is answered or lapses with the next step played, and all of that is in the stream.
    """
    with Ledger.memory() as ledger:
        game = new_game(ledger, str(seed), undo="until_revealed", **agreed)
        random, told = Random(seed), []
        for fate in fates:
            if game.battle.outcome is not None:
                break
            head, by = rolled_by_one(game, random)
            if game.battle.outcome is not None:
                break
            assert head.parent is not None
            to = head.parent.step
            game.ask_undo(to, by=by)
            # an open request changes nothing, and a load doesn't close it
            assert game.history.head is head
            loaded = Game.open(ledger, "g", now=lambda: 0)
            assert loaded.history.request == game.history.request == UndoAsked(by, to)
            told.append(UndoAsked(by, to))
            if fate == "granted":
                assert game.grant_undo().step == to
                told.append(UndoGranted(other(by), head.step, to))
            elif fate == "declined":
                game.refuse_undo()
                assert game.history.head is head
                told.append(UndoRefused(other(by), to))
            else:
                step_on(random, game)
            assert game.history.request is None
            stored = rows_of(ledger)
            for late in (game.grant_undo, game.refuse_undo):
                with pytest.raises(UndoBarred, match="nobody asked"):
                    late()
            assert rows_of(ledger) == stored
        # then the stream tells it all, in order, in words as well, and it verifies
        assert list(game.history.marks.values()) == told
        assert all(in_words(mark) for mark in told)
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_the_kinds_of_games_have_what_these_properties_are_about() -> None:
    """Given all of them, then there are undos, redos, branches, consent, rolls and choices."""
    from tests.properties.games import KINDS

    seen = {
        type(event).__name__
        for kind in KINDS
        for step in rows(kind)
        for event in decode_events(step.events)
    }
    marks = {"Undone", "Redone", "BranchTaken", "UndoAsked", "UndoGranted", "UndoRefused"}
    assert marks | {Chosen.__name__, DiceRolled.__name__, "ScenarioGiven", "ForkedFrom"} <= seen
