"""Rows with values that SQLite lets into any column: numbers that are none, text for bytes. [P4]"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from engine.game import Game
from events.errors import LedgerError
from events.ledger import Ledger
from replay.verify import Report, Verdict, verify
from tests.properties.kit import new_game, play_on

Edit = Callable[..., Report]
LAST = 8


@pytest.fixture
def edited(tmp_path: Path) -> Edit:
    """Store a game of 8 steps, carry out a statement on it, and verify what is left."""
    path = tmp_path / "games.sqlite"
    with Ledger.sqlite(path) as ledger:
        play_on(new_game(ledger, game="g"), Random(1), LAST - 1)

    def verified(statement: str, *values: object) -> Report:
        with closing(sqlite3.connect(path)) as database:
            database.execute(statement, values)
            database.commit()
        with Ledger.sqlite(path) as ledger:
            report = verify(ledger, "g")
            with pytest.raises(LedgerError) as refused:
                Game.open(ledger, "g")
            assert refused.value.where == f"g step {report.step}"
            return report

    return verified


@pytest.mark.parametrize("value", ["abc", None, b"5", 5.5, -5, 0, "", 2**62])
@pytest.mark.parametrize("n", [1, 5, LAST])
def test_a_number_that_no_step_has_is_a_fault_at_the_step_that_lost_it(
    edited: Edit, n: int, value: object
) -> None:
    # when a row's number becomes something else
    report = edited(
        "update stored_events set originator_version = ?"
        " where originator_id = 'g' and originator_version = ?",
        value,
        n,
    )
    # then that step is named, and the steps before it were executed and hold
    assert (report.verdict, report.step, report.steps) == (Verdict.DIVERGED, n, n - 1)
    assert report.reason.startswith(f"number: step {n} is expected here, but ")


@pytest.mark.parametrize("value", ["abc", -5])
def test_a_row_too_many_is_named_after_the_steps_that_hold(edited: Edit, value: object) -> None:
    report = edited(
        "insert into stored_events select originator_id, ?, topic, state from stored_events"
        " where originator_id = 'g' and originator_version = 5",
        value,
    )
    assert (report.verdict, report.step, report.steps) == (Verdict.DIVERGED, LAST + 1, LAST)
    assert str(value) in report.reason


@pytest.mark.parametrize("value", ["text", None, 7, 1.5])
def test_a_row_that_is_not_bytes_is_said_to_be_that(edited: Edit, value: object) -> None:
    report = edited(
        "update stored_events set state = ? where originator_id = 'g' and originator_version = 5",
        value,
    )
    assert (report.verdict, report.step, report.steps) == (Verdict.DIVERGED, 5, 4)
    assert report.reason == f"decode: the row is not bytes but {type(value).__name__}"


def test_two_rows_that_swapped_numbers_are_found(edited: Edit) -> None:
    report = edited(
        "update stored_events set state = (select other.state from stored_events other"
        " where other.originator_id = 'g' and other.originator_version ="
        " 9 - stored_events.originator_version)"
        " where originator_id = 'g' and originator_version in (4, 5)"
    )
    assert (report.verdict, report.step, report.steps) == (Verdict.DIVERGED, 4, 3)
    assert report.reason.startswith("chain: ")
