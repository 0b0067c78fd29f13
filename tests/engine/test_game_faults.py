"""A fault in a rule or in the store leaves the game at its last whole step. [P3, P5, P7]"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import Game
from engine.runner import Action, Runner
from events.codec import encode_event
from events.errors import Divergence, LedgerError
from events.game import Chosen, DiceRolled, PhaseStarted
from events.ledger import Ledger
from events.steps import Meta, next_step
from projections.digest import digest
from replay.verify import Verdict, verify
from tests.properties.kit import new_game, play_on, rows_of, step_on


class Fault(Exception):
    """A fault planted in a rule."""


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def unchanged(game: Game, ledger: Ledger, steps: int = 1) -> Any:
    """Return a check that nothing was appended and the game stands where it stands now."""
    rows, node, chain, question = rows_of(ledger), game.history.head, game.chain, game.pending

    def check() -> None:
        assert rows_of(ledger) == rows
        assert game.history.head is node and game.chain == chain
        assert game.pending == question and game.version == len(rows)

    return check


@pytest.mark.parametrize("nth", [1, 2, 5, 9])
@pytest.mark.parametrize("at", [3, 15])
def test_a_rule_that_fails_appends_nothing_and_play_goes_on(
    ledger: Ledger, monkeypatch: Any, at: int, nth: int
) -> None:
    # given a game, and a rule that fails at its nth fact
    game = play_on(new_game(ledger), Random(2), at)
    check = unchanged(game, ledger)
    emit, facts = Action.emit, 0

    def failing(self: Action, fact: Any) -> None:
        nonlocal facts
        facts += 1
        if facts >= nth:
            raise Fault
        emit(self, fact)

    monkeypatch.setattr(Action, "emit", failing)
    with pytest.raises(Fault):
        play_on(game, Random(3))
    monkeypatch.undo()
    # then the game stands at the last step that was whole
    whole = rows_of(ledger)
    assert len(whole) == game.version
    assert Game.open(ledger, "g").battle == game.battle
    if nth < 3:
        check()
    # and goes on as if nothing had happened
    play_on(game, Random(4), 15)
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_play_after_a_fault_is_the_play_without_it(monkeypatch: Any) -> None:
    with Ledger.memory() as smooth, Ledger.memory() as rough:
        left, right = new_game(smooth), new_game(rough)
        random = Random(5)
        for _ in range(25):
            choice = random.choice(left.legal())
            left.play(choice)
            with monkeypatch.context() as patch:
                patch.setattr(Runner, "_drive", _fail)
                with pytest.raises(Fault):
                    right.play(choice)
            right.play(choice)
            assert left.battle == right.battle
        assert [s.events for s in smooth.read("g")] == [s.events for s in rough.read("g")]


def _fail(*args: Any) -> None:
    raise Fault


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.sqlite(tmp_path / "games.db") as ledger:
        yield ledger


@pytest.mark.parametrize("what", ["play", "undo", "redo", "note", "concede"])
def test_a_store_that_fails_appends_nothing_and_play_goes_on(
    on_disk: Ledger, monkeypatch: Any, what: str
) -> None:
    game = play_on(new_game(on_disk), Random(2), 9)
    game.undo()
    check = unchanged(game, on_disk)
    ways = {
        "play": lambda: step_on(Random(1), game),
        "undo": game.undo,
        "redo": game.redo,
        "note": lambda: game.note("hm", by="red"),
        "concede": lambda: game.concede("blue"),
    }

    def full(events: Any, **more: Any) -> Any:
        raise sqlite3.OperationalError("database or disk is full")

    # when the store fails in the middle of the call
    monkeypatch.setattr(on_disk._recorder, "insert_events", full)
    with pytest.raises(LedgerError, match="disk is full"):
        ways[what]()
    monkeypatch.undo()
    # then nothing happened, and the next try succeeds
    check()
    ways[what]()
    play_on(game, Random(3), 5)
    assert verify(on_disk, "g").verdict is Verdict.EXACT


def test_a_call_broken_off_after_it_was_stored_is_taken_up(
    ledger: Ledger, monkeypatch: Any
) -> None:
    # given a call that stores its step and is then interrupted
    game = play_on(new_game(ledger), Random(2), 9)
    insert = ledger._insert

    def interrupted(name: str, steps: Any) -> bool:
        insert(name, steps)
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger, "_insert", interrupted)
    choice = game.legal()[0]
    with pytest.raises(KeyboardInterrupt):
        game.play(choice, request="r")
    monkeypatch.undo()
    stored = len(rows_of(ledger))
    # when the request is repeated, it is found to be done
    node = game.play(choice, request="r")
    assert node.step == stored == game.version
    play_on(game, Random(3))
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_a_game_that_fails_to_begin_leaves_nothing(ledger: Ledger, monkeypatch: Any) -> None:
    monkeypatch.setattr(Action, "emit", _fail)
    with pytest.raises(Fault):
        new_game(ledger)
    monkeypatch.undo()
    assert ledger.games() == {}
    new_game(ledger)


def rewritten(ledger: Ledger, step: int, events: bytes, copy: Ledger) -> None:
    """Store a copy of the game up to `step`, that one with other events; the chain holds."""
    kept = ledger.read("g")
    stored = kept[: step - 1]
    last = stored[-1] if stored else None
    old = kept[step - 1]
    stored.append(next_step("g", last, events, old.state, old.schema, Meta(0)))
    copy.adopt("g", stored)


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        (b"[]", "the row holds no event"),
        (b"{}", "not the events of a step"),
        (b'[{"type":"unheard_of/1"}]', "not the events of a step"),
        (b'[{"type":"phase_started/1","phase":3}]', "not the events of a step"),
        (b'[{"type":"undone/1","by":"red","left":4,"to":99}]', "99"),
        (b'[{"type":"noted/1","by":"red","text":"a"},{"type":"turn_ended/1"}]', ""),
        (
            b'[{"type":"noted/1","by":"red","text":"a"},{"type":"noted/1","by":"red","text":"b"}]',
            "a mark stands alone",
        ),
        (b'[{"type":"unit_charged/1","unit":"nobody"},{"type":"unit_moved/1"}]', ""),
        (b'[{"type":"unit_moved/1","unit":"nobody","kind":"move","by":[0,0]}]', "nobody"),
    ],
    ids=range(9),
)
def test_a_row_that_no_engine_wrote_is_one_error_at_its_step(
    ledger: Ledger, events: bytes, reason: str
) -> None:
    play_on(new_game(ledger), Random(2), 5)
    with Ledger.memory() as copy:
        rewritten(ledger, 5, events, copy)
        with pytest.raises(LedgerError) as error:
            Game.open(copy, "g")
        assert error.value.where == "g step 5" and reason in error.value.reason
        report = verify(copy, "g")
        assert (report.verdict, report.step) == (Verdict.DIVERGED, 5)


@pytest.mark.parametrize("first", [b'[{"type":"noted/1","by":"red","text":"a"}]', b"[]"])
def test_a_stream_that_does_not_start_with_its_creation_is_refused(
    ledger: Ledger, first: bytes
) -> None:
    new_game(ledger)
    with Ledger.memory() as copy:
        rewritten(ledger, 1, first, copy)
        with pytest.raises(LedgerError) as error:
            Game.open(copy, "g")
        assert error.value.where == "g step 1"
        report = verify(copy, "g")
        assert (report.verdict, report.step) == (Verdict.DIVERGED, 1)


def test_an_action_that_our_rules_do_not_lead_to_is_not_played_on(ledger: Ledger) -> None:
    # given a stored step whose facts are not those of our rules, in the middle of an action
    game = new_game(ledger, "3", 3)
    random = Random(3)
    while not (game.history.head.began is None and game.history.head.rolled):
        step_on(random, game)
    head = game.history.head
    changed = [
        DiceRolled("another purpose", e.faces) if isinstance(e, DiceRolled) else e
        for e in head.events
    ]
    assert isinstance(changed[0], Chosen) and not any(isinstance(e, PhaseStarted) for e in changed)
    with Ledger.memory() as copy:
        rewritten(ledger, head.step, b"[" + b",".join(map(encode_event, changed)) + b"]", copy)
        # when it is opened, it can be looked at
        opened = Game.open(copy, "g")
        rows = rows_of(copy)
        # and when it is played on, that is refused and nothing is stored
        with pytest.raises(Divergence):
            opened.play(opened.legal()[0])
        assert rows_of(copy) == rows
        # but it can be taken back to where the rules agree
        opened.undo()
        play_on(opened, Random(4), 3)
        assert digest(opened.battle) == copy.read("g")[-1].state
