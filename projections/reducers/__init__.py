"""One pure reducer for every event type: ``(battle, event) -> battle``. They never decide. [P7]"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from events.base import Event
from projections.battle import Battle
from projections.reducers import assault, attacks, game, morale, movement, rulings, terrain

REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    **game.REDUCERS,
    **movement.REDUCERS,
    **attacks.REDUCERS,
    **assault.REDUCERS,
    **morale.REDUCERS,
    **terrain.REDUCERS,
    **rulings.REDUCERS,
}
"""Every battle reducer by event type. Marks have none: they change the history, not the battle."""


def fold(battle: Battle | None, events: Iterable[Event]) -> Battle:
    """Fold events onto a battle; the first of a stream (`GameCreated`) starts from None.

    About 1 microsecond an event.
    """
    reducers = REDUCERS
    for event in events:
        battle = reducers[type(event)](battle, event)  # type: ignore[arg-type]  # a creation's None
    assert battle is not None
    return battle
