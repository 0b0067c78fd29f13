"""What comes next, by the battle alone; and every question's answers. Rulesets as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.answers import AnswerTable
from engine.editions import EDITIONS
from engine.rules import agreeing, assault, movement, setup, shooting
from engine.rules.turn import next_between, next_closing
from engine.runner import Action, NextProcedure, Procedure
from events.game import PhaseClosing, PhaseName
from projections.battle import Battle

RULES = 1
"""Number of the rules; raised whenever the same inputs may lead to other facts. [P12]"""


async def psychic_phase(action: Action) -> None:
    """Close the Psychic phase: nobody has psykers. [PSY-2]"""
    action.emit(PhaseClosing())


def _next_psychic(battle: Battle) -> Procedure:
    return psychic_phase


_IN_PHASE: dict[PhaseName, Callable[[Battle], Procedure]] = {
    "movement": movement.next_movement,
    "psychic": _next_psychic,
    "shooting": shooting.next_shooting,
    "assault": assault.next_assault,
}


def next_procedure(battle: Battle) -> Procedure | None:
    """Return the rule that comes next, or None when the game is over. [TURN-2]"""
    clock = battle.clock
    if battle.outcome is not None:
        return None
    if battle.proposal is not None:
        return agreeing.settle_ruling
    if clock.phase == "setup":
        return setup.next_setup(battle)
    if not clock.in_phase:
        return next_between(battle)
    if battle.phase.closing:
        return next_closing(battle)
    return _IN_PHASE[clock.phase](battle)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One edition as data: what comes next, and what may be answered."""

    id: str
    number: int
    next_procedure: NextProcedure
    answers: AnswerTable


_ANSWERS: AnswerTable = {
    **setup.ANSWERS,
    **movement.ANSWERS,
    **shooting.ANSWERS,
    **assault.ANSWERS,
    **agreeing.ANSWERS,
}

RULESETS: dict[str, Ruleset] = {
    edition: Ruleset(edition, RULES, next_procedure, _ANSWERS) for edition in EDITIONS
}
"""Every ruleset by the id that `GameCreated` records; how editions differ is in `Edition`."""
