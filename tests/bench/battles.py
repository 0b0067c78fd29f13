"""Whole bot battles in memory: two aggressive bots, the bundled armies once and twice over. [P10]

Every round must end in the same chain digest: one seed gives one game.
"""

from __future__ import annotations

from armies import battle, events_in
from measure import Row, in_turns

from events.ledger import Ledger

REACH = 5.0


def measure(quick: bool) -> list[Row]:
    """Play whole battles and time them."""
    rows: list[Row] = []
    for times in (1,) if quick else (1, 2):
        ends: set[str] = set()
        count = 0

        def play(times: int = times, ends: set[str] = ends) -> None:
            nonlocal count
            with Ledger.memory() as ledger:
                game = battle(ledger, times)
                ends.add(game.chain)
                count = events_in(game)

        (taken,) = in_turns(1 if quick else 3, play)
        assert len(ends) == 1
        rows.append(
            Row(
                f"a bot battle of two armies of {750 * times:,} points, {count:,} events",
                taken.show(),
                f"under {REACH:g} s" if times == 2 else "under 2 s",
                taken.median < (REACH if times == 2 else 2.0),
            )
        )
    return rows
