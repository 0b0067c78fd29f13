"""Games of one stream at once: what is folded is what the stream has taken up, once. [P3]"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import Game
from engine.undo import UndoBarred
from events.errors import IllegalChoice
from events.ledger import Conflict, Ledger
from events.steps import Step
from replay.verify import Verdict, verify
from tests.properties.kit import new_game, play_on, step_on

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def opened(ledger: Ledger) -> Game:
    """Return the game as another process would hold it."""
    return Game.open(ledger, "g", now=lambda: 0)


class Crowd:
    """Another holder of the game, who appends just before each time that ours reads the ledger."""

    def __init__(self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
        self.game = game
        self.random = Random(5)
        self.left = 4
        self._read = ledger.read
        monkeypatch.setattr(ledger, "read", self.read)

    def read(self, game: str, after: int = 0) -> list[Step]:
        if self.left and self.game.battle.outcome is None:
            self.left -= 1
            step_on(self.random, self.game)
        return self._read(game, after)


def numbers(game: Game) -> list[int]:
    return [node.step for node in game.history.path()]


def agree(ours: Game, theirs: Game, ledger: Ledger) -> None:
    """Check that both stand at the same place, by a tree in which each row is once."""
    truth = opened(ledger)
    for game in (ours, theirs):
        assert game.version == truth.version and game.chain == truth.chain
        assert numbers(game) == numbers(truth)
        assert game.battle == truth.battle


WAYS: dict[str, Callable[[Game], Any]] = {
    "play": lambda game: step_on(Random(1), game),
    "play what was seen": lambda game: game.play(game.legal()[0], expected=game.version + 1),
    "play at a request": lambda game: game.play(game.legal()[0], request="r"),
    "undo": lambda game: game.undo(),
    "note": lambda game: game.note("hm", by="red", request="n"),
    "concede": lambda game: game.concede("red"),
    "refresh": lambda game: game.refresh(),
}


@pytest.mark.parametrize("ahead", [0, 1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_a_row_that_comes_in_between_is_folded_once(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, way: str, ahead: int
) -> None:
    # given a holder that is behind, and another that appends before each read of the first
    ours = play_on(new_game(ledger, units=3), Random(1), 8)
    crowd = Crowd(ledger, monkeypatch, opened(ledger))
    play_on(crowd.game, Random(2), ahead)
    # when ours acts, it may be told what it missed: every row to where it then stands
    try:
        WAYS[way](ours)
    except Conflict as conflict:
        missed = [step.n for step in conflict.missed]
        assert missed == list(range(conflict.expected + 1, conflict.actual + 1))
        assert ours.version == conflict.actual
    except IllegalChoice:  # ours has caught up before it chose, and another had chosen
        assert way == "play what was seen"
    assert len(numbers(ours)) == len(set(numbers(ours)))
    # then it stands where both do once it has caught up, and both can play on
    crowd.left = 0
    ours.refresh()
    crowd.game.refresh()
    agree(ours, crowd.game, ledger)
    play_on(ours, Random(3), 5)
    crowd.game.refresh()
    agree(ours, crowd.game, ledger)
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_a_request_granted_to_another_just_now_is_taken_up_once(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a request that another holder is granted while ours computes it, who then plays on
    ours = play_on(new_game(ledger, units=3), Random(1), 8)
    theirs = opened(ledger)
    choice, answer = ours.legal()[0], ours._play.answer

    def overtaken(event: Any) -> Any:
        made = answer(event)
        theirs.play(choice, request="r")
        Crowd(ledger, monkeypatch, theirs)
        return made

    monkeypatch.setattr(ours._play, "answer", overtaken)
    node = ours.play(choice, request="r")
    monkeypatch.undo()
    # then it is that step, and no row is folded twice
    assert node.step == 10
    ours.refresh()
    theirs.refresh()
    agree(ours, theirs, ledger)
    play_on(ours, Random(3), 5)
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_a_row_stored_by_a_call_that_was_broken_off_is_not_lost(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a call that is broken off after its row was stored and before it was folded
    ours = play_on(new_game(ledger), Random(1), 8)
    theirs = opened(ledger)
    choice = ours.legal()[0]

    def broken_off(*args: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(ours._play, "adopt", broken_off)
    with pytest.raises(KeyboardInterrupt):
        ours.play(choice, request="r")
    monkeypatch.undo()
    # when another plays on, ours catches up with both rows
    theirs.refresh()
    step_on(Random(2), theirs)
    assert [step.n for step in ours.refresh()] == [10, 11]
    agree(ours, theirs, ledger)
    # and the request, repeated, is that row
    assert ours.play(choice, request="r").step == 10


def test_a_request_repeated_after_a_call_was_broken_off_leads_to_its_step(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = play_on(new_game(ledger), Random(1), 8)
    choice = ours.legal()[0]

    def broken_off(*args: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(ours._play, "adopt", broken_off)
    with pytest.raises(KeyboardInterrupt):
        ours.play(choice, request="r")
    monkeypatch.undo()
    assert ours.play(choice, request="r").step == ours.step == 10


def take_part(path: str, seed: int, rows: int) -> None:
    """Play at a game with whoever else does, undoing now and then, until it has so many rows."""
    random = Random(seed)
    with Ledger.sqlite(path) as ledger:
        game = Game.open(ledger, "g")
        print("ready", flush=True)
        sys.stdin.readline()
        while game.version < rows:
            what = random.random()
            try:
                if what < 0.1 or game.battle.outcome is not None:
                    game.undo()
                elif what < 0.2:
                    game.redo()
                elif what < 0.25:
                    game.note("hm", by="red", request=f"{seed} {game.version}")
                elif what < 0.4:
                    game.refresh()
                else:
                    step_on(random, game)
            except (Conflict, UndoBarred):
                pass
            path_now = numbers(game)
            assert len(path_now) == len(set(path_now)), path_now
        game.refresh()
        print(game.chain if game.battle == Game.open(ledger, "g").battle else "another battle")


def test_two_processes_at_one_file_at_once_play_one_game(tmp_path: Path) -> None:
    # given two processes that play at one game as fast as they can, neither waiting for a turn
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as ledger:
        new_game(ledger, units=3)
    command = "import sys; from tests.engine.test_game_races import take_part as play;"
    players = [
        subprocess.Popen(
            [sys.executable, "-c", f"{command} play({str(path)!r}, {seed}, 150)"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in (1, 2)
    ]
    for player in players:
        assert player.stdout is not None and player.stdout.readline() == "ready\n"
    # when both have played
    for player in players:
        assert player.stdin is not None
        player.stdin.write("go\n")
        player.stdin.flush()
    ends = [player.communicate()[0].strip() for player in players]
    # then neither failed, and what they stored is one honest game
    assert [player.returncode for player in players] == [0, 0]
    with Ledger.sqlite(path) as ledger:
        report = verify(ledger, "g")
        assert report.verdict is Verdict.EXACT and report.steps >= 150
        assert report.chain in ends
