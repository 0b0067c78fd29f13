"""Which combats there are, and which is fought next. [CHOC, MULC, LOCK-2]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.rules.locked import touching
from engine.runner import Action
from events.assault import CombatEnded, CombatStarted
from events.base import Side, UnitId, other
from events.choices import EndPhase, FightCombat
from events.errors import IllegalChoice
from events.game import PhaseClosing
from events.questions import WhichCombat
from projections.battle import AssaultPhase, Battle, Combat, Unit
from projections.queries import alive, unit_of, units_on_table


async def choose_combat(action: Action) -> None:
    """Start the combat that the active player chooses; one is not asked about. [CHOC-1]"""
    left = unfought(action.battle)
    if len(left) > 1:
        question = WhichCombat(action.battle.clock.active)
        choice = await Ask(question, FightCombat)
        left = [units for units in unfought(action.battle) if choice.unit in units]
    action.emit(CombatStarted(left[0]))


async def end_combat(action: Action) -> None:
    """End the combat for this phase. [FITE-3]"""
    action.emit(CombatEnded())


async def close_assault(action: Action) -> None:
    """Close the phase: every combat is fought. [ASPH-6, LOCK-2]"""
    action.emit(PhaseClosing())


_found: tuple[tuple[Unit, ...], list[tuple[UnitId, ...]]] = ((), [])
"""The units last looked over, and their combats. Replaced whole, so that a thread sees either."""


def combats(battle: Battle) -> list[tuple[UnitId, ...]]:
    """Return every combat: locked units of both sides linked by base contact. [MULC-1, MULC-2]

    Units in muster order, combats in the order of their first unit. Looked for once until a unit
    changes.
    """
    global _found
    units, found = _found
    if units is not battle.units:
        found = _combats(battle)
        _found = battle.units, found
    return found


def _combats(battle: Battle) -> list[tuple[UnitId, ...]]:
    left = [unit.id for unit in units_on_table(battle) if unit.locked]
    muster = {unit: n for n, unit in enumerate(left)}
    found: list[tuple[UnitId, ...]] = []
    while left:
        linked = [left.pop(0)]
        for unit in linked:  # grows as it is walked
            met = touching(battle, unit_of(battle, unit))
            linked += [u for u in met if u in left]
            left = [u for u in left if u not in met]
        if len(linked) > 1:  # alone: its enemies are gone, it is free when the phase ends
            found.append(tuple(sorted(linked, key=muster.__getitem__)))
    return found


def unfought(battle: Battle) -> list[tuple[UnitId, ...]]:
    """Return the combats still to fight this phase. [CHOC-1]"""
    phase = battle.phase
    assert isinstance(phase, AssaultPhase)
    return [units for units in combats(battle) if not any(u in phase.fought for u in units)]


def combat_now(battle: Battle) -> Combat:
    """Return the combat being fought."""
    assert isinstance(battle.phase, AssaultPhase) and battle.phase.combat is not None
    return battle.phase.combat


def standing(battle: Battle, side: Side) -> list[Unit]:
    """Return a side's units that are still in the combat: neither destroyed nor falling back."""
    units = (unit_of(battle, unit) for unit in combat_now(battle).units)
    return [u for u in units if u.side == side and alive(u) and not u.falling_back]


def both_stand(battle: Battle) -> bool:
    """Whether both sides still have units in the combat."""
    return all(standing(battle, side) for side in turn_order(battle))


def in_touch(battle: Battle) -> bool:
    """Whether any two enemies of the combat are in base contact. [PILE-8]"""
    theirs = {unit.id for unit in standing(battle, other(battle.clock.active))}
    return any(
        foe in theirs
        for unit in standing(battle, battle.clock.active)
        for foe in touching(battle, unit)
    )


def turn_order(battle: Battle) -> tuple[Side, Side]:
    """Return both sides, the active one first. [PILE-6, AMB-27]"""
    return battle.clock.active, other(battle.clock.active)


def _check(battle: Battle, question: WhichCombat, choice: FightCombat | EndPhase) -> None:
    if isinstance(choice, EndPhase):
        raise IllegalChoice("LOCK-2", "locked units must fight: a combat is still to be fought")
    phase = battle.phase
    assert isinstance(phase, AssaultPhase)
    if choice.unit in phase.fought:
        raise IllegalChoice("CHOC-1", f"{choice.unit}'s combat has been fought this phase")
    if not any(choice.unit in units for units in unfought(battle)):
        raise IllegalChoice("CHOC-1", f"{choice.unit!r} is in no combat")


def _legal(battle: Battle, question: WhichCombat) -> list[FightCombat]:
    return [FightCombat(unit) for units in unfought(battle) for unit in units]


ANSWERS: AnswerTable = {WhichCombat: Answers((FightCombat, EndPhase), _check, _legal)}
