"""Seek, step back and forward along a line of play. [P9]"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from events.errors import LedgerError
from events.game import DiceRolled, PhaseStarted
from events.ledger import Ledger
from projections.battle import Battle
from projections.reducers import fold
from replay.timeline import Timeline
from tests.properties.kit import new_game, play_on, rows_of


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    """Return a game with a branch that was left, a note and steps undone at the end."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, "5", 2), Random(5), 16)
        game.undo(to=9)
        game.note("again", by="red")
        play_on(game, Random(6), 12)
        game.undo()
        yield game


def test_it_starts_at_the_head_and_holds_the_line_of_play(game: Game) -> None:
    timeline = Timeline(game.history)
    assert timeline.battle is game.battle and timeline.step == game.step
    assert timeline.steps == [node.step for node in game.history.path()]
    assert len(timeline) == len(timeline.steps)
    assert timeline.events == game.history.head.events


def test_any_step_is_the_fold_up_to_it(game: Game) -> None:
    timeline, battle = Timeline(game.history), None
    for node in game.history.path():
        battle = fold(battle, node.events)
        assert timeline.seek(node.step) == battle


@given(st.lists(st.tuples(st.sampled_from(["seek", "back", "forward"]), st.integers(0, 40))))
def test_seeking_about_is_looking_at_a_list(moves: list[tuple[str, int]]) -> None:
    history, battles = _line()
    timeline = Timeline(history)
    at, last = len(battles) - 1, len(battles) - 1
    for move, n in moves:
        if move == "seek":
            at = n % len(battles)
            seen = timeline.seek(timeline.steps[at])
        elif move == "back":
            at = max(0, at - n)
            seen = timeline.back(n)
        else:
            at = min(last, at + n)
            seen = timeline.forward(n)
        assert seen is battles[at] and timeline.battle is seen


_kept: list[tuple[object, list[Battle]]] = []


def _line() -> tuple[object, list[Battle]]:
    if not _kept:
        with Ledger.memory() as ledger:
            history = play_on(new_game(ledger, "5"), Random(5), 25).history
            _kept.append((history, [node.battle for node in history.path()]))
    return _kept[0]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (0, "no game step"),
        (10, "it is on another branch"),
        (17, "it is on another branch"),
        (18, "a mark .undone., not a game step"),
        (19, "a mark .noted., not a game step"),
        (99, "no game step"),
    ],
)
def test_a_step_off_the_line_is_one_error(game: Game, step: int, reason: str) -> None:
    timeline = Timeline(game.history)
    assert step not in timeline.steps
    at = timeline.step
    with pytest.raises(LedgerError, match=f"step {step}: {reason}"):
        timeline.seek(step)
    assert timeline.step == at


def test_a_branch_that_was_left_has_a_line_of_its_own(game: Game) -> None:
    left = next(node for node in game.history.tips() if node.step < 18)
    timeline = Timeline(game.history, left.step)
    assert timeline.battle is left.battle
    assert timeline.steps == [node.step for node in game.history.path(left)]
    with pytest.raises(LedgerError, match=r"a mark \(undone\), not a game step"):
        Timeline(game.history, 18)


def test_events_are_found_in_both_directions(game: Game) -> None:
    def rolls(event: object) -> bool:
        return isinstance(event, DiceRolled)

    timeline = Timeline(game.history)
    timeline.back(1000)
    wanted = [n.step for n in game.history.path()[1:] if any(map(rolls, n.events))]
    found = []
    while (node := timeline.find(rolls)) is not None:
        found.append(node.step)
        assert timeline.node is node
    assert found == wanted
    while (node := timeline.find(rolls, backwards=True)) is not None:
        found.append(node.step)
    assert found[len(wanted) :] == [game.history.path()[0].step, *wanted][-2::-1]
    at = timeline.step
    assert timeline.find(lambda e: isinstance(e, PhaseStarted) and e.phase == "over") is None
    assert timeline.step == at


def test_looking_changes_nothing() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, "5"), Random(5), 10)
        rows, step = rows_of(ledger), game.step
        timeline = Timeline(game.history)
        timeline.back(4)
        timeline.find(lambda event: True)
        assert rows_of(ledger) == rows and game.step == step
