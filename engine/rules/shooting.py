"""The Shooting phase. [SHPH, SHSQ]"""

from __future__ import annotations

from engine.answers import AnswerTable
from engine.runner import Action, Procedure
from events.game import PhaseClosing
from projections.battle import Battle


async def shoot(action: Action) -> None:
    """End the phase."""
    action.emit(PhaseClosing())


def next_shooting(battle: Battle) -> Procedure:
    """Return the rule that comes next in the Shooting phase."""
    return shoot


ANSWERS: AnswerTable = {}
