"""A changed, dropped, inserted or swapped row of a played game is found and named. [P4, P12]"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine.game import Game
from events.codec import decode_events
from events.errors import LedgerError
from events.ledger import Ledger
from events.steps import Step, check_chain, decode_row
from events.values import Army
from replay.verify import Report, Verdict, verify, verify_steps
from tests.properties.kit import (
    CARBINE,
    CLEAVER,
    LINE,
    MOB,
    TABLE,
    clock,
    forged,
    new_game,
    play_on,
    rows_of,
    unit,
)


@cache
def stored() -> tuple[bytes, ...]:
    """Return the rows of a small game in which steps were undone, redone, asked for and noted."""
    with Ledger.memory() as ledger:
        game = Game.create(
            ledger,
            red=Army("The River Watch", (unit("red", "ferrymen", 2, LINE, CARBINE),)),
            blue=Army("The Undercroft", (unit("blue", "gnawers", 2, MOB, CLEAVER),)),
            seed="small",
            table=TABLE,
            undo="free",
            game="g",
            now=clock(),
        )
        play_on(game, Random(3), 4)
        game.note("a slip", by="red")
        game.undo()
        game.redo(request="r")
        play_on(game, Random(4), 1)
        game.ask_undo(2, by="blue")
        game.grant_undo()
        play_on(game, Random(5), 2)
        return tuple(rows_of(ledger))


def verified(rows: Sequence[bytes], head: str = "") -> Report:
    """Verify rows as they would be read."""
    return verify_steps("g", [decode_row(n, row) for n, row in enumerate(rows, 1)], head=head)


def steps_of(rows: Sequence[bytes]) -> list[Step]:
    steps = [decode_row(n, row) for n, row in enumerate(rows, 1)]
    return [step for step in steps if isinstance(step, Step)]


def events_before(n: int) -> int:
    return sum(len(decode_events(step.events)) for step in steps_of(stored())[: n - 1])


N = len(stored())


def test_the_small_game_is_exact() -> None:
    report = verified(stored(), steps_of(stored())[-1].chain)
    assert report.verdict is Verdict.EXACT and report.steps == N > 10
    assert report.events == events_before(N + 1)
    assert report.reason == f"all {N} steps executed again: same events, same states"


@pytest.mark.parametrize("n", range(1, N + 1))
def test_a_byte_changed_anywhere_is_found_and_its_step_named(n: int) -> None:
    rows = stored()
    for place in range(len(rows[n - 1])):
        changed = bytearray(rows[n - 1])
        changed[place] ^= 1
        tampered = [*rows[: n - 1], bytes(changed), *rows[n:]]
        fault = check_chain("g", [decode_row(i, row) for i, row in enumerate(tampered, 1)])
        assert fault is not None and fault.n == n, (place, bytes(changed))
        if place % 8 == 0:  # the whole of it, which executes what stands before
            report = verified(tampered)
            assert (report.verdict, report.step) == (Verdict.DIVERGED, n), (place, report)
            # what stands before it holds, and nothing after it is shown
            assert (report.steps, report.events) == (n - 1, events_before(n))
            assert report.reason == f"{fault.kind}: {fault.reason}"


@pytest.mark.parametrize("n", range(1, N))
def test_a_dropped_row_is_named(n: int) -> None:
    rows = stored()
    report = verified(rows[: n - 1] + rows[n:])
    assert (report.verdict, report.step, report.steps) == (Verdict.DIVERGED, n, n - 1)


@pytest.mark.parametrize("n", range(1, N + 1))
def test_an_inserted_row_is_named(n: int) -> None:
    rows = stored()
    for guest in {1, 3, N}:
        put = [*rows[: n - 1], rows[guest - 1], *rows[n - 1 :]]
        report = verified(put)
        # a copy of the row itself can't be told from it: the one after is wrong
        assert report.step == (n + 1 if guest == n else n)
        assert report.verdict is Verdict.DIVERGED


@pytest.mark.parametrize("n", range(1, N))
def test_the_first_of_two_swapped_rows_is_named(n: int) -> None:
    rows = stored()
    report = verified([*rows[: n - 1], rows[n], rows[n - 1], *rows[n + 1 :]])
    assert (report.verdict, report.step, report.steps) == (Verdict.DIVERGED, n, n - 1)


@pytest.mark.parametrize("n", range(1, N))
def test_a_cut_tail_is_found_by_the_head_of_another_copy(n: int) -> None:
    rows = stored()[:n]
    # alone it can't be seen: the game might have ended here
    assert verified(rows).verdict is Verdict.EXACT
    report = verified(rows, steps_of(stored())[-1].chain)
    assert (report.verdict, report.step) == (Verdict.DIVERGED, n)
    assert report.reason.startswith("head: ") and "cut short" in report.reason


def test_a_row_of_another_game_is_no_row_of_this_one() -> None:
    with Ledger.memory() as ledger:
        play_on(new_game(ledger, "small", 1, game="other"), Random(3), N)
        rows = rows_of(ledger, "other")
    for n in range(1, N + 1):
        put = [*stored()[: n - 1], rows[min(n, len(rows)) - 1], *stored()[n:]]
        assert verified(put).step == n


def test_rows_cut_in_the_middle_are_named() -> None:
    rows = stored()
    for n in range(1, N + 1):
        for cut in (0, 1, len(rows[n - 1]) // 2, len(rows[n - 1]) - 1):
            report = verified([*rows[: n - 1], rows[n - 1][:cut]])
            assert (report.verdict, report.step) == (Verdict.DIVERGED, n)
            assert report.reason.startswith("decode: ")


@pytest.mark.parametrize("n", [1, 2, 7, N])
def test_a_changed_row_is_found_in_a_file_and_the_game_does_not_open(
    tmp_path: Path, n: int
) -> None:
    # given the game in an SQLite file
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as ledger:
        ledger.adopt("g", steps_of(stored()))
        assert verify(ledger, "g").verdict is Verdict.EXACT
    # when one byte of a row is changed by hand
    with sqlite3.connect(path) as db:
        where = "WHERE originator_id = 'g' AND originator_version = ?"
        (state,) = db.execute(f"SELECT state FROM stored_events {where}", (n,)).fetchone()
        changed = bytearray(state)
        changed[len(state) // 2] ^= 1
        db.execute(f"UPDATE stored_events SET state = ? {where}", (bytes(changed), n))
    db.close()
    # then it is named by verify, and by opening it
    with Ledger.sqlite(path) as ledger:
        report = verify(ledger, "g")
        assert (report.verdict, report.step) == (Verdict.DIVERGED, n)
        with pytest.raises(LedgerError) as refused:
            Game.open(ledger, "g")
        assert refused.value.where == f"g step {n}"


def test_two_faults_are_named_by_the_first() -> None:
    rows = list(stored())
    rows[8] = rows[8][:-1]
    rows[4], rows[5] = rows[5], rows[4]
    assert verified(rows).step == 5


def test_an_earlier_false_fact_goes_before_a_later_broken_chain() -> None:
    # given a forged fact at step 3 with chains that fit, and a byte changed after it
    steps = steps_of(stored())
    step = steps[2]
    changed = step.events.replace(b'"unit":"ferrymen"', b'"unit":"gnawers"', 1)
    changed = changed if changed != step.events else step.events.replace(b"gnawers", b"ferrymen", 1)
    assert changed != step.events
    steps[2] = Step(3, changed, step.state, 1, "", step.meta, "")
    made = forged(steps)
    broken = Step(9, made[8].events, made[8].state, 1, "0" * 40, made[8].meta, made[8].seal)
    report = verify_steps("g", [*made[:8], broken, *made[9:]])
    assert (report.verdict, report.step) == (Verdict.DIVERGED, 3)


def test_nothing_at_all_is_no_game() -> None:
    report = verify_steps("g", [])
    assert (report.verdict, report.reason) == (Verdict.DIVERGED, "the stream holds no step")
    with Ledger.memory() as ledger, pytest.raises(LedgerError, match="there is no game"):
        verify(ledger, "nothing")
