"""Real games of every kind, played once and kept as rows: for what must hold in all of them.

Both editions on both grounds, by bots and by players that wander back and forth in time; dice
from the hand, revealed by both, or fresh after an undo; and the golden games of the last release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from engine.bots import bots_for, play_out
from engine.game import Game
from engine.sequence import RULESETS, Ruleset
from engine.undo import UndoBarred, before, stands
from events.base import Event, Mark
from events.codec import decode_events
from events.game import Chosen, DiceRolled
from events.history import BranchTaken, Redone, UndoGranted, Undone
from events.ledger import Ledger
from events.steps import Step, decode_row
from events.values import Table
from projections.battle import Battle
from projections.history import History, Node
from projections.reducers import fold
from tests.golden.regenerate import FOLDER
from tests.golden.regenerate import rows_of as golden_rows
from tests.properties.kit import BROKEN, TABLE, clock, line_of, new_game, play_on

NAME = "g"
"""Every game's id in its ledger, golden ones excepted."""


def _bots(ruleset: str, table: Table) -> list[Step]:
    with Ledger.memory() as ledger:
        game = new_game(ledger, "bots", 3, ruleset=ruleset, table=table)
        play_out(game, *bots_for(game))
        return ledger.read(NAME)


def wander(game: Game, random: Random) -> Game:
    """Play to the end, going back, forward and to other branches on the way."""
    while game.battle.outcome is None:
        play_on(game, random, 10)
        head, path = game.history.head, line_of(game)
        game.undo(to=path[-random.randint(2, min(8, len(path)))].step)
        play_on(game, random, 2)
        if random.random() < 0.5 and game.history.head is not head and stands(head):
            game.take_branch(head.step)
        else:
            game.undo()
            with suppress(UndoBarred):  # nothing lies ahead but a link that is known
                game.redo()
    game.note("well played", by="blue")
    return game


def _wandered(seed: int, units: int = 3, **agreed: Any) -> list[Step]:
    with Ledger.memory() as ledger:
        wander(new_game(ledger, f"wander {seed}", units, **agreed), Random(seed))
        return ledger.read(NAME)


def _golden(path: Path) -> list[Step]:
    rows = [decode_row(n, row) for n, row in enumerate(golden_rows(path), 1)]
    return [row for row in rows if isinstance(row, Step)]


def _number(folder: Path) -> list[int]:
    return [int(part) for part in folder.name.split(".")]


RELEASES = sorted({path.parent for path in FOLDER.glob("*/*.jsonl")}, key=_number)
"""The folders of golden games, the newest release last."""

GROUNDS = {"open": TABLE, "broken": BROKEN}

KINDS: dict[str, Callable[[], list[Step]]] = {
    **{
        f"bots {ruleset} {ground}": lambda r=ruleset, t=table: _bots(r, t)  # type: ignore[misc]
        for ruleset in sorted(RULESETS)
        for ground, table in GROUNDS.items()
    },
    **{
        f"people {ruleset} {ground}": lambda r=ruleset, t=table: _wandered(5, ruleset=r, table=t)  # type: ignore[misc]
        for ruleset in sorted(RULESETS)
        for ground, table in GROUNDS.items()
    },
    "dice from the hand": lambda: _wandered(6, 2, dice="entered", table=BROKEN),
    "fresh dice after an undo": lambda: _wandered(7, 2, dice_after_undo="fresh"),
    "dice revealed by both": lambda: _wandered(8, 2, dice="revealed"),
    **{
        f"golden {path.parent.name} {path.stem}": lambda p=path: _golden(p)  # type: ignore[misc]
        for path in sorted(RELEASES[-1].glob("*.jsonl"))
    },
}
"""How each kind of game comes about, by name; of golden games those of the last release."""

every_kind = pytest.mark.parametrize("kind", KINDS)


@cache
def rows(kind: str) -> tuple[Step, ...]:
    """Return the rows of the game of a kind."""
    return tuple(KINDS[kind]())


def id_of(kind: str) -> str:
    """Return the game's id in its ledger."""
    return kind.split()[-1] if kind.startswith("golden") else NAME


@contextmanager
def opened(kind: str, path: Path | None = None) -> Iterator[tuple[Ledger, Game]]:
    """Give a ledger of its own with the game of a kind in it, in memory or in a file."""
    with Ledger.memory() if path is None else Ledger.sqlite(path) as ledger:
        yield ledger, open_in(ledger, kind)


def open_in(ledger: Ledger, kind: str) -> Game:
    """Put the game of a kind into a ledger and open it."""
    ledger.adopt(id_of(kind), rows(kind))
    return Game.open(ledger, id_of(kind), clock())


MOVES = (Undone, Redone, BranchTaken, UndoGranted)


def by_hand(steps: Sequence[Step]) -> Iterator[tuple[int, Battle]]:
    """Fold a stream by these few lines alone: yield the head and its battle after each row."""
    battles: dict[int, Battle] = {}
    head = 0
    for step in steps:
        events = decode_events(step.events)
        if isinstance(events[0], MOVES):
            head = events[0].to
        elif not isinstance(events[0], Mark):
            battles[step.n] = fold(battles.get(head), events)
            head = step.n
        yield head, battles[head]


def go_back(game: Game, to: int | None = None) -> Node:
    """Undo, with the other player's consent where it is needed."""
    head = game.history.head
    try:
        return game.undo(to=to)
    except UndoBarred:
        game.ask_undo(before(head).step if to is None else to, by=head.by or "red")
        return game.grant_undo()


def answer_again(game: Game, node: Node) -> Node | None:
    """Give the answer that a step gave: a choice, or dice from the hand. None for other inputs."""
    first = node.events[0]
    if isinstance(first, Chosen):
        return game.play(first.choice, by=first.by)
    return game.enter(first.faces) if isinstance(first, DiceRolled) else None


def shape(history: History) -> dict[int, tuple[int, list[int], int]]:
    """Return the tree as numbers: each node's parent, children and where redo goes."""

    def number(node: Node | None) -> int:
        return node.step if node else 0

    return {
        step: (number(node.parent), [c.step for c in node.children], number(node.forward))
        for step, node in history.nodes.items()
    }


def dice_in(events: Sequence[Event]) -> list[DiceRolled]:
    """Return the rolls among events."""
    return [event for event in events if isinstance(event, DiceRolled)]


@contextmanager
def counted_reducers() -> Iterator[list[type[Event]]]:
    """Note every event that a reducer is called for."""
    from projections import reducers

    calls: list[type[Event]] = []

    def counting(reduce: Callable[[Battle, Any], Battle]) -> Callable[[Battle, Any], Battle]:
        def reducer(battle: Battle, event: Event) -> Battle:
            calls.append(type(event))
            return reduce(battle, event)

        return reducer

    real = dict(reducers.REDUCERS)
    reducers.REDUCERS.update({kind: counting(reduce) for kind, reduce in real.items()})
    try:
        yield calls
    finally:
        reducers.REDUCERS.update(real)


@cache
def _toy() -> tuple[ModuleType, Ruleset]:
    from tests.bench import toyrules  # registers its ruleset, which other tests must not meet

    return toyrules, RULESETS.pop("bench")


@contextmanager
def endless() -> Iterator[Any]:
    """Give the toy of the benchmarks, whose game never ends; its ruleset is known here alone."""
    toy, ruleset = _toy()
    RULESETS["bench"] = ruleset
    try:
        yield toy
    finally:
        del RULESETS["bench"]
