"""Values of the wrong kind are named by their field, and nothing is appended. [P6]"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.game import Game
from events.errors import DiceError, LedgerError
from events.ledger import Ledger
from events.questions import RollNeeded
from replay.exchange import export, export_sound, read
from replay.fork import fork
from tests.properties.kit import new_game

Call = Callable[[Game, Any], object]


@pytest.mark.parametrize("by", [[], {}, "", "purple", 0, ["red"]])
@pytest.mark.parametrize(
    "call",
    [
        lambda game, by: game.play(game.legal()[0], by=by),
        lambda game, by: game.refusal(game.legal()[0], by=by),
        lambda game, by: game.undo(by=by),
        lambda game, by: game.take_branch(1, by=by),
        lambda game, by: game.note("a slip", by=by),
    ],
    ids=["play", "refusal", "undo", "take_branch", "note"],
)
def test_a_side_is_red_or_blue(call: Call, by: object) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, "1", 1)
        game.play(game.legal()[0])
        version = game.version
        with pytest.raises(LedgerError, match=r"^by: .*'red' or 'blue'|^by: .*Expected"):
            call(game, by)
        assert game.version == version == len(ledger.read(game.id))


@pytest.mark.parametrize("request_id", [[], 0, None, b"", ["r1"]])
def test_a_requests_id_is_text(request_id: Any) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, "1", 1)
        with pytest.raises(LedgerError, match=r"^request: "):
            game.play(game.legal()[0], request=request_id)
        assert game.version == 1


@pytest.mark.parametrize("faces", [["6"], [None], "6", [6.0], [True], 6, None, [[6]]])
def test_faces_are_whole_numbers(faces: Any) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, "1", 1, dice="entered")
        assert isinstance(game.pending, RollNeeded)
        with pytest.raises(DiceError, match=r"^faces: give the faces in order"):
            game.enter(faces)
        assert game.version == 1


def test_a_fork_needs_words_that_can_be_written_and_a_game_of_the_ledger() -> None:
    with Ledger.memory() as ledger, Ledger.memory() as elsewhere:
        game = new_game(ledger, "1", 1)
        for named, field in (
            ({"seed": "a\ud800"}, "seed"),
            ({"game": "a\ud800"}, "game id"),
            ({"game": ""}, "game id"),
            ({"at": "2"}, "at"),
            ({"at": []}, "at"),
        ):
            with pytest.raises(LedgerError, match=f"^{field}"):
                fork(ledger, game, **named)  # type: ignore[arg-type]
        with pytest.raises(LedgerError, match="not in this ledger"):
            fork(elsewhere, game)
        new_game(elsewhere, "2", 1)  # another game of this id
        with pytest.raises(LedgerError, match="or another is"):
            fork(elsewhere, game)
        assert set(ledger.games()) == {game.id} == set(elsewhere.games())


def test_files_are_named_by_text_or_path(tmp_path: Path) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, "1", 1)
        path = tmp_path / "game.wl"
        trailer = export(ledger, game.id, str(path))
        assert read(str(path)) == read(path)
        assert export_sound(ledger, game.id, str(path)) == (trailer, 1)
        for odd in (None, 5, b"game.wl", [], "\0", "a\ud800", "y" * 300):
            with pytest.raises(LedgerError):
                export(ledger, game.id, odd)  # type: ignore[arg-type]
            with pytest.raises(LedgerError):
                read(odd)  # type: ignore[arg-type]
