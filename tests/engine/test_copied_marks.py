"""Marks of a copied game change its dice: they are taken where a fork was made, nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from engine.game import Game
from events.base import Mark
from events.codec import encode_event, join_events
from events.errors import LedgerError
from events.history import ForkedFrom, LinkKept, SaltKept, SeedChanged
from events.ledger import Ledger
from events.steps import Meta, next_step
from projections.battle import STATE_SCHEMA
from projections.digest import digest
from replay.fork import fork
from replay.verify import Verdict, verify, verify_steps
from tests.properties.kit import CHAINS, clock, new_game, play_on

LUCKY: dict[str, Callable[[Game], list[Mark]]] = {
    "another salt": lambda game: [SaltKept(77)],
    "a later link": lambda game: [LinkKept("red", CHAINS["red"].next(game.history.links["red"]))],
    "a new seed": lambda game: [ForkedFrom("g", 1, "0" * 40), SeedChanged("lucky")],
    "a seed after a fork of it": lambda game: [ForkedFrom("f", 1, "0" * 40), SeedChanged("lucky")],
}


def slip_in(ledger: Ledger, game: Game, marks: list[Mark]) -> None:
    """Append rows as somebody does who has the store and our code, and no scruples."""
    for mark in marks:
        last = ledger.read(game.id)[-1]
        data = join_events([encode_event(mark)])
        state = digest(game.battle)
        made = next_step(game.id, last, data, state, STATE_SCHEMA, Meta(0))
        ledger.adopt(game.id, [*ledger.read(game.id), made], after=last.n)


@pytest.mark.parametrize("lucky", LUCKY)
def test_a_game_that_is_held_open_takes_none_from_another_process(lucky: str) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, dice="revealed"), Random(1), 20)
        version, head = game.version, game.history.head
        slip_in(ledger, game, LUCKY[lucky](game))
        with pytest.raises(LedgerError, match=rf"step {version + 1}: .* a mark of a copied game"):
            game.refresh()
        assert game.version == version and game.history.head is head


@pytest.mark.parametrize("lucky", ["another salt", "a later link"])
def test_verify_finds_them_where_no_fork_was_made(lucky: str) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, dice="revealed"), Random(1), 20)
        at = game.version + 1
        slip_in(ledger, game, LUCKY[lucky](game))
        report = verify(ledger, "g")
        assert (report.verdict, report.step) == (Verdict.DIVERGED, at)
        assert "a mark of a copied game" in report.reason


def test_a_real_fork_has_them_and_is_exact() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, dice_after_undo="fresh"), Random(1), 20)
        game.undo(to=game.history.path()[-5].step)
        play_on(game, Random(2), 8)
        forked = fork(ledger, game, game="f", seed="x", now=clock())
        kinds = set(map(type, forked.history.marks.values()))
        assert {SaltKept, ForkedFrom, SeedChanged} == kinds
        play_on(forked, Random(3), 8)
        assert verify(ledger, "f").verdict is Verdict.EXACT


def test_a_damaged_fork_is_told_by_its_damage() -> None:
    """What was copied is no forgery where the mark that ends it lies behind the damage."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, dice_after_undo="fresh"), Random(1), 20)
        game.undo(to=game.history.path()[-5].step)
        play_on(game, Random(2), 8)
        forked = fork(ledger, game, game="f", seed="x", now=clock())
        steps = ledger.read("f")
        (end,) = forked.history.origins
        for at in range(2, end):
            damaged = replace(steps[at - 1], state="0" * 32)
            report = verify_steps("f", [*steps[: at - 1], damaged, *steps[at:]])
            assert (report.verdict, report.step) == (Verdict.DIVERGED, at)
            assert "chain" in report.reason
