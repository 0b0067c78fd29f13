"""Verified re-execution: every step executed again and compared. [P12]

Events a second of `verify` on whole bot battles, on open and on broken ground, and on the toy,
whose rules cost nothing: there it shows what the frame around the rules costs. The verdict must be
EXACT. Every `lru_cache` is emptied before each round, as if the game had just been read from a
file; what is remembered by an object's identity misses by itself: re-execution builds new ones.
"""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper
from time import process_time

from armies import battle, events_in
from measure import Row, Times
from toyrules import new_toy, script

from engine.game import Game
from events.ledger import Ledger
from replay.verify import Verdict, verify

REACH = 20_000
REACH_ON_BROKEN_GROUND = 5_000


def forget() -> None:
    """Empty every `lru_cache` there is: a round may not live on what the one before found."""
    for found in gc.get_objects():
        if isinstance(found, _lru_cache_wrapper):
            found.cache_clear()


def _cold(ledger: Ledger, game: Game) -> float:
    forget()
    gc.collect()
    began = process_time()
    verify(ledger, game.id)
    return process_time() - began


def speed(ledger: Ledger, game: Game, rounds: int, work: str, reach: int = REACH) -> Row:
    """Verify once for the verdict, then for the time."""
    assert verify(ledger, game.id).verdict is Verdict.EXACT
    taken = Times(tuple(_cold(ledger, game) for _ in range(rounds)))
    count = events_in(game)
    each = count / taken.median
    return Row(
        f"verified re-execution, {work}, {count:,} events",
        f"{each:,.0f} events a second, {taken.show(count)} an event",
        f"at least {reach:,}",
        each >= reach,
    )


def measure(quick: bool) -> list[Row]:
    """Measure a bundled battle, a larger one, one on broken ground and the toy."""
    rounds = 3 if quick else 5
    with Ledger.memory() as ledger:
        rows = [speed(ledger, battle(ledger, 1, "small"), rounds, "two armies of 750 points")]
        if not quick:
            large = battle(ledger, 2, "large")
            rows.append(speed(ledger, large, rounds, "two armies of 1,500 points"))
        ground = "ruined crossroads"
        mobs = battle(ledger, 1, "mobs", table=ground, models=20)
        work = f"seven units a side, of 20 models, {ground}"
        rows.append(speed(ledger, mobs, rounds, work, REACH_ON_BROKEN_GROUND))
        toy = new_toy(ledger)
        for choice in script(1000):
            toy.play(choice)
        rows.append(speed(ledger, toy, rounds, "the toy"))
    return rows
