"""The Assault phase. [ASPH]"""

from __future__ import annotations

from engine.answers import AnswerTable
from engine.runner import Action, Procedure
from events.game import PhaseClosing
from projections.battle import Battle


async def charge(action: Action) -> None:
    """End the phase."""
    action.emit(PhaseClosing())


def next_assault(battle: Battle) -> Procedure:
    """Return the rule that comes next in the Assault phase."""
    return charge


ANSWERS: AnswerTable = {}
