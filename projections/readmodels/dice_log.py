"""The dice log: every roll with its clock, its roller, what it needed and what it made."""

from __future__ import annotations

from typing import Literal

from events.base import Side, UnitId, Value
from events.game import DiceRolled, DiceSource, PhaseName
from projections.readmodels.stage import Enlisted, Facts, enlisted, staged


class Rolled(Value, frozen=True, gc=False):
    """One roll. `player` is the owner of the unit it was for, "" where it was nobody's."""

    step: int
    turn: int
    active: Side
    phase: PhaseName
    player: Literal["red", "blue", ""]
    purpose: str
    faces: tuple[int, ...]
    need: int
    """The face that succeeds; 0 where no success is counted."""
    passed: int
    subject: UnitId
    opponent: UnitId
    weapon: str
    sides: int
    source: DiceSource


def dice_log(facts: Facts) -> tuple[Rolled, ...]:
    """Return every roll on the path, in order. About a microsecond an event."""
    units: dict[UnitId, Enlisted] = {}
    log: list[Rolled] = []
    for step, event, turn, active, phase in staged(facts):
        units.update(enlisted(event))
        if isinstance(event, DiceRolled):
            unit = units.get(event.subject)
            log.append(
                Rolled(
                    step,
                    turn,
                    active,
                    phase,
                    unit.side if unit else "",
                    event.purpose,
                    event.faces,
                    event.need,
                    event.passed,
                    event.subject,
                    event.opponent,
                    event.weapon,
                    event.sides,
                    event.source,
                )
            )
    return tuple(log)
