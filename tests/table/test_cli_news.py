"""What `open` says of steps from elsewhere: who answered, what was agreed to, whose dice fall."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import Game
from events.base import Mark
from events.choices import AnswerRealDice, AnswerRuling, OfferRealDice, ProposeRuling
from events.history import ForkedFrom, LinkKept, SaltKept, SeedChanged
from events.ledger import Ledger
from events.questions import LinksNeeded, RollNeeded, WhoMoves
from events.rulings import ScoreRuling
from replay.exchange import export
from replay.fork import fork
from tests.properties.kit import CHAINS, new_game, reveal, step_on
from tests.table.conftest import Call


def both_due(game: Game, random: Random | None = None) -> Game:
    """Play past the roll-off to a roll for which both sides' links are due."""
    random = random or Random(3)
    while game.step < 12 or not (isinstance(game.pending, LinksNeeded) and not game.pending.link):
        step_on(random, game)
    return game


@pytest.fixture
def red() -> Iterator[Ledger]:
    """Red's ledger; he writes files of its games g and what came of it."""
    with Ledger.memory() as ledger:
        yield ledger


def sent(call: Call, ledger: Ledger, *words: str, game: str = "g") -> Any:
    """Open at blue's table what red sends."""
    export(ledger, game, Path("sent.wl"))
    return call("open", "sent.wl", *words)


def test_a_consent_that_was_never_given_is_seen(call: Call, red: Ledger) -> None:
    # given a game that blue has as far as a roll
    game = both_due(new_game(red, dice="revealed", undo="until_revealed"))
    reveal(game, "red")
    assert sent(call, red).exit_code == 0
    at = game.step
    # when red writes blue's answers himself: real dice, an undo, the end
    game.play(OfferRealDice(), by="red")
    game.play(AnswerRealDice(True), by="blue")
    roll = game.pending
    assert isinstance(roll, RollNeeded) and roll.player == "blue"
    game.enter([6] * roll.count)
    game.ask_undo(at + 2, by="red")
    game.grant_undo()
    game.concede("blue")
    # then blue is told what he is said to have agreed to
    said = sent(call, red, "--side", "blue").stdout
    assert f"taken up: game g, 6 further steps from step {at + 1}" in said
    assert "answered in these steps: 2 by red, 4 by blue" in said
    blues = f"{at + 2}, {at + 3}, {at + 5}, {at + 6}"
    assert f"4 of them are blue's, whose table this is: {blues}\n" in said
    assert (
        f"agreed in these steps: {at + 2} blue real dice yes; {at + 3} blue entered dice;"
        f" {at + 5} blue to go from step {at + 3} to {at + 2}; {at + 6} blue concede\n"
    ) in said


def test_rulings_that_were_answered_are_agreements(call: Call, red: Ledger) -> None:
    game, random = new_game(red), Random(3)
    while not isinstance(game.pending, WhoMoves):
        step_on(random, game)
    assert sent(call, red).exit_code == 0
    at = game.step
    for answer in ("accept", "refuse"):
        game.play(ProposeRuling(ScoreRuling("red", 3)), by="red")
        game.play(AnswerRuling(answer), by="blue")
    said = sent(call, red).stdout
    assert "whose table" not in said and "answered in these steps: 2 by red, 2 by blue" in said
    agreed = f"{at + 2} blue ruling accept; {at + 4} blue ruling refuse"
    assert f"agreed in these steps: {agreed}\n" in said


def test_the_same_is_in_json(call: Call, red: Ledger) -> None:
    game = both_due(new_game(red, dice="revealed"))
    first = json.loads(sent(call, red, "--json").stdout)
    assert first["done"] == "adopted" and first["answered"]["red"] and first["answered"]["blue"]
    at = game.step
    game.play(OfferRealDice(), by="red")
    game.play(AnswerRealDice(True), by="blue")
    told = json.loads(sent(call, red, "--json").stdout)
    assert told["answered"] == {"red": [at + 1], "blue": [at + 2]}
    assert told["agreed"] == [{"step": at + 2, "by": "blue", "what": "real dice yes"}]
    assert told["forked_from"] == []
    again = json.loads(sent(call, red, "--json").stdout)
    assert (again["done"], again["answered"], again["agreed"]) == ("already here", {}, [])


def test_nothing_is_said_of_a_whole_game_but_to_its_player(call: Call, red: Ledger) -> None:
    both_due(new_game(red, dice="revealed"))
    said = sent(call, red, "--side", "red").stdout
    assert "of them are red's, whose table this is: " in said and "agreed" not in said
    both_due(new_game(red, dice="revealed", game="h"))
    assert "answered" not in sent(call, red, game="h").stdout


def link_ahead(game: Game) -> LinkKept:
    """Return a mark by which red picks among the links of his own chain."""
    return LinkKept("red", CHAINS["red"].next(game.history.links["red"]))


MARKS: dict[str, Callable[[Game], Mark]] = {
    "forked_from/1": lambda game: ForkedFrom("g", game.version, game.chain),
    "salt_kept/1": lambda game: SaltKept(99),
    "link_kept/1": link_ahead,
}


@pytest.mark.parametrize("mark", list(MARKS))
def test_a_game_that_is_here_gets_no_marks_of_a_copy(call: Call, red: Ledger, mark: str) -> None:
    # given that blue has revealed, when red gives the game other dice in mid-play
    game = both_due(new_game(red, dice="revealed", undo="none"))
    reveal(game, "blue")
    assert sent(call, red).exit_code == 0
    at = game.version
    game._mark(MARKS[mark](game))
    if mark == "forked_from/1":
        game._mark(SeedChanged("red's lucky one"))
    else:
        reveal(game, "red")
    # then it is refused, though a game with a fork's mark in it might be EXACT
    taken = sent(call, red)
    assert taken.exit_code == (1 if mark == "forked_from/1" else 5)
    assert f"{mark} is a mark of a copied game" in taken.output
    assert "a fork comes whole, under an id of its own" in taken.output
    assert f"step {at + 1}" in taken.output
    assert json.loads(call("show", "g", "--json").stdout)["step"] == at


@pytest.mark.parametrize("mark", ["salt_kept/1", "link_kept/1"])
def test_a_whole_game_holds_none_that_no_fork_left(call: Call, red: Ledger, mark: str) -> None:
    game = both_due(new_game(red, dice="revealed"))
    reveal(game, "blue")
    game._mark(MARKS[mark](game))
    taken = sent(call, red)
    assert taken.exit_code == 5 and f"{mark} is a mark of a copied game" in taken.output
    assert f"step {game.version}" in taken.output


def test_a_fork_says_so_and_is_played_on(call: Call, red: Ledger) -> None:
    # given a fork of a game with undone steps, so that links and salts are kept
    game = both_due(new_game(red, dice="revealed"))
    reveal(game, "blue")
    reveal(game, "red")
    game.undo(to=game.history.path()[-4].step)
    both_due(game, Random(9))
    for side in ("red", "blue"):
        reveal(game, side)
    made = fork(red, game, seed="new", game="f")
    assert {type(m) for m in made.history.marks.values()} >= {LinkKept, SaltKept, ForkedFrom}
    copied = len(made.history.nodes)
    words = f"a fork of g at its step {game.step}: {copied} steps copied"
    assert words in sent(call, red, "--read-only", game="f").stdout
    assert words in sent(call, red, game="f").stdout
    step_on(Random(1), made)
    assert "taken up: game f, 1 further step" in sent(call, red, game="f").stdout
