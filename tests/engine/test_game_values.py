"""Values from outside that can't be stored or be agreed on: one typed error, nothing kept. [P6]"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import Game
from events.errors import IllegalChoice, LedgerError, WarledgerError
from events.ledger import Ledger
from events.values import Army
from replay import exchange
from tests.properties.kit import blue_army, new_game, play_on, rows_of

SURROGATE = "a\udcff"
NO_IDS = [
    "",
    "*games",
    "*",
    "a\nb",
    "a\x00",
    "\x1b[31m",
    "a\u2028b",
    SURROGATE,
    "x" * 101,
    " a",
    " ",
]
IDS = ["g", "x" * 100, "Gr\u00fcn 3", "a*", "a/b", "-g", "g@12"]


@pytest.fixture(params=["memory", "sqlite"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.memory() if request.param == "memory" else Ledger.sqlite(tmp_path / "g.db") as made:
        yield made


@pytest.mark.parametrize("name", NO_IDS)
def test_an_id_that_cant_be_one_is_refused_wherever_it_comes_in(
    ledger: Ledger, name: str, tmp_path: Path
) -> None:
    with pytest.raises(LedgerError, match="game id"):
        new_game(ledger, game=name)
    with pytest.raises(LedgerError, match="game id"):
        exchange.export(ledger, name, tmp_path / "g.wl")
    with pytest.raises(LedgerError, match="game id"):
        ledger.adopt(name, [])
    with pytest.raises(LedgerError):
        Game.open(ledger, name)
    assert ledger.games() == {} and not (tmp_path / "g.wl").exists()


@pytest.mark.parametrize("name", IDS)
def test_an_id_that_a_game_may_have_can_be_exported_and_opened(
    ledger: Ledger, name: str, tmp_path: Path
) -> None:
    new_game(ledger, game=name)
    exchange.export(ledger, name, tmp_path / "g.wl")
    with Ledger.memory() as other:
        _, admission, _ = exchange.admit(other, exchange.read(tmp_path / "g.wl"))
        assert admission is exchange.Admission.ADOPTED
        assert rows_of(other, name) == rows_of(ledger, name)


def test_an_id_that_is_not_given_is_drawn(ledger: Ledger) -> None:
    assert len(new_game(ledger, game=None).id) == 8


@pytest.mark.parametrize(
    ("field", "value", "right"),
    [
        ("undo", "x", "it must be 'free' or 'until_revealed' or 'none'"),
        ("undo", None, "it must be 'free' or"),
        ("dice", "loaded", "it must be 'seeded' or 'entered'"),
        ("dice_after_undo", "other", "it must be 'same' or 'fresh'"),
        ("ruleset", 7, "Expected `str`, got `int`"),
        ("ruleset", "40k-99e", "known are "),
        ("ruleset", ["40k-7e"], "Expected `str`, got `array`"),
        ("seed", 5, "Expected `str`, got `int`"),
        ("seed", SURROGATE, "can't be written as UTF-8: character 2 is '\\udcff'"),
        ("table", "open", "Expected `object`, got `str`"),
    ],
)
def test_a_wrong_term_of_the_game_is_named_with_what_would_be_right(
    ledger: Ledger, field: str, value: Any, right: str
) -> None:
    with pytest.raises(LedgerError) as refused:
        new_game(ledger, **{field: value})
    assert refused.value.where == field
    assert repr(value) in refused.value.reason and right in refused.value.reason
    assert ledger.games() == {}


@pytest.mark.parametrize("name", [SURROGATE, 5])
def test_an_army_that_cant_be_stored_starts_no_game(ledger: Ledger, name: Any) -> None:
    with pytest.raises(LedgerError, match=r"ArmyMustered: .*UTF-8|army\.name: Expected `str`"):
        Game.create(ledger, red=Army(name, ()), blue=Army("Blue", ()), game="g")
    assert ledger.games() == {}


@pytest.mark.parametrize(
    "call",
    [
        lambda game: game.note(SURROGATE, by="red"),
        lambda game: game.note(5, by="red"),
        lambda game: game.note("a slip", by="purple"),
        lambda game: game.note("a slip", by="red", request=SURROGATE),
        lambda game: game.note("a slip", by="red", request=5),
        lambda game: game.play(game.legal()[0], request=SURROGATE),
        lambda game: game.play(game.legal()[0], request=5),
        lambda game: game.play(game.legal()[0], by="purple"),
        lambda game: game.concede("purple"),
        lambda game: game.concede(SURROGATE),
        lambda game: game.undo(by="purple"),
        lambda game: game.undo(by=SURROGATE),
        lambda game: game.undo(to="2"),
        lambda game: game.take_branch("2"),
        lambda game: game.ask_undo(1, by="purple"),
        lambda game: game.ask_undo("1", by="red"),
        lambda game: game.ask_undo(1.0, by="red"),
        lambda game: game.enter(["six"]),
        lambda game: game.enter(6),
        lambda game: game.play(game.legal()[0], request=["r"]),
    ],
    ids=range(20),
)
def test_what_couldnt_be_read_again_is_not_stored_and_play_goes_on(
    ledger: Ledger, call: Callable[[Any], object]
) -> None:
    # given a game in play
    game = play_on(new_game(ledger), Random(1), 4)
    rows, question = rows_of(ledger), game.pending
    # when a value of the wrong kind comes in
    with pytest.raises(WarledgerError) as refused:
        call(game)
    assert refused.value.where
    # then nothing is stored, the question stays open, and the game can be played and opened
    assert rows_of(ledger) == rows and game.pending == question
    play_on(game, Random(2), 2)
    assert Game.open(ledger, "g").battle == game.battle


NO_STEPS = ["x", "2", 2.0, True, [2], {}]


@pytest.mark.parametrize("value", NO_STEPS, ids=repr)
@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("expected", lambda game, n: game.play(game.legal()[0], expected=n)),
        ("expected", lambda game, n: game.enter([4], expected=n)),
        ("to", lambda game, n: game.undo(to=n)),
        ("to", lambda game, n: game.undo(to=n, request="r")),
        ("to", lambda game, n: game.ask_undo(n, by="red")),
        ("step", lambda game, n: game.take_branch(n)),
        ("step", lambda game, n: game.at(n)),
    ],
    ids=["play", "enter", "undo", "undo at a request", "ask_undo", "take_branch", "at"],
)
def test_a_step_that_is_no_number_is_named_by_its_field(
    ledger: Ledger, field: str, call: Callable[[Any, Any], object], value: Any
) -> None:
    # given a game in play
    game = play_on(new_game(ledger), Random(1), 4)
    rows = rows_of(ledger)
    # when what should be a step's number is none, though it may equal one
    with pytest.raises(LedgerError, match="a step's number is whole") as refused:
        call(game, value)
    # then the field is named, with the value, and nothing is stored
    assert refused.value.where == field and repr(value) in refused.value.reason
    assert rows_of(ledger) == rows


def test_a_line_for_a_choice_and_a_name_for_an_army_say_what_reads_them() -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger)
        with pytest.raises(IllegalChoice, match=r"'zone south' is a line: `engine.notation.res"):
            game.play("zone south")  # type: ignore[arg-type]
        with pytest.raises(LedgerError, match=r"army: .*`engine.armies.read_army`"):
            Game.create(ledger, red="emberguard", blue=blue_army())  # type: ignore[arg-type]
        assert game.version == 1 and ledger.games() == {"g": 1}
