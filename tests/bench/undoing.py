"""Undo, redo and seek in an open game; they should not care how long it is. [P8]

The endless toy of `toyrules`, in memory, at 1,000 and at 100,000 events. The battle after an undo
must be the parent's and the one after a redo the child's, by digest, before anything is timed.
"""

from __future__ import annotations

from collections.abc import Callable

from measure import Row, Times, at_most, in_turns, ratio, seconds
from toyrules import new_toy, script

from engine.game import Game
from events.ledger import Ledger
from projections.digest import digest
from replay.timeline import Timeline

BATCH = 200


def grown(ledger: Ledger, name: str, events: int) -> Game:
    """Return a toy game of at least that many events."""
    game = new_toy(ledger, name)
    made = 0
    for choice in script(events):
        made += len(game.play(choice).events)
        if made >= events:
            break
    return game


def check(game: Game) -> None:
    """Undo and redo once and compare digests."""
    child, parent = game.history.head, game.history.head.parent
    assert parent is not None
    last, before = digest(child.battle), digest(parent.battle)
    assert digest(game.undo().battle) == before
    assert digest(game.redo().battle) == last


def undo_and_redo(game: Game) -> Callable[[], None]:
    def work() -> None:
        for _ in range(BATCH // 2):
            game.undo()
            game.redo()

    return work


def seek(game: Game) -> Callable[[], None]:
    line = Timeline(game.history)
    steps = line.steps
    places = [steps[k * 7919 % len(steps)] for k in range(BATCH)]

    def work() -> None:
        for place in places:
            line.seek(place)

    return work


def measure(quick: bool) -> list[Row]:
    """Grow both games, check them, then time undo, redo and seek in turns."""
    sizes = (1_000, 10_000 if quick else 100_000)
    with Ledger.memory() as ledger:
        short, long = (grown(ledger, f"toy-{size}", size) for size in sizes)
        check(short)
        check(long)
        rounds = 5 if quick else 25
        marks: list[Times] = in_turns(rounds, undo_and_redo(short), undo_and_redo(long))
        seeks = in_turns(rounds, seek(short), seek(long))
    each = [mark.median / BATCH for mark in marks]
    found = seeks[1].median / BATCH
    return [
        Row(
            f"one undo or redo in memory, at {sizes[1]:,} events",
            marks[1].show(BATCH),
            "at most 50 µs",
            each[1] <= 50e-6,
        ),
        at_most(
            f"the same, {sizes[1]:,} events against {sizes[0]:,}",
            ratio(marks[1], marks[0]),
            1.5,
            f"{seconds(each[1])} against {seconds(each[0])}",
        ),
        Row(
            f"seek to any step of an open game, {sizes[1]:,} events",
            seeks[1].show(BATCH),
            "at most 100 µs",
            found <= 100e-6,
        ),
    ]
