"""Verified re-execution: every step executed again and compared. [P12]

Events a second of `verify` on whole bot battles (on open ground: there is no terrain yet) and on
the toy, whose rules cost nothing: there it shows what the frame around the rules costs. The verdict
must be EXACT.
"""

from __future__ import annotations

from armies import battle, events_in
from measure import Row, in_turns
from toyrules import new_toy, script

from engine.game import Game
from events.ledger import Ledger
from replay.verify import Verdict, verify

REACH = 20_000


def speed(ledger: Ledger, game: Game, rounds: int, work: str) -> Row:
    """Verify once for the verdict, then for the time."""
    assert verify(ledger, game.id).verdict is Verdict.EXACT
    (taken,) = in_turns(rounds, lambda: verify(ledger, game.id))
    count = events_in(game)
    each = count / taken.median
    return Row(
        f"verified re-execution, {work}, {count:,} events",
        f"{each:,.0f} events a second, {taken.show(count)} an event",
        f"at least {REACH:,}",
        each >= REACH,
    )


def measure(quick: bool) -> list[Row]:
    """Measure a bundled battle, a larger one and the toy."""
    rounds = 3 if quick else 5
    with Ledger.memory() as ledger:
        rows = [speed(ledger, battle(ledger, 1, "small"), rounds, "two armies of 750 points")]
        if not quick:
            large = battle(ledger, 2, "large")
            rows.append(speed(ledger, large, rounds, "two armies of 1,500 points"))
        toy = new_toy(ledger)
        for choice in script(1000):
            toy.play(choice)
        rows.append(speed(ledger, toy, rounds, "the toy"))
    return rows
