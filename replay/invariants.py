"""Invariants: what holds of every battle whatever was played, each with a name.

A rule or reducer that breaks one is at fault even where nothing fails. Property tests check them
after every step, ``report`` looks for the first that is broken, and ``minimise`` shrinks a game to
the few choices that still break the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec

from engine.board import discs_of, table_rect
from engine.geometry import CONTACT, Disc, coherent, in_contact, inside, overlaps
from events.base import Event, UnitId
from events.errors import WarledgerError
from events.movement import ModelsMoved, UnitMoved
from events.wording import counted
from projections.battle import AssaultPhase, Battle, Model, Unit
from projections.digest import digest
from projections.queries import on_table, profile_of, setup_of, unit_of, units_on_table
from projections.reducers import fold
from projections.reducers.game import given, scenario_given
from replay.failures import Broken


class Moment(NamedTuple):
    """The end of a step: the battle before it, what happened, the battle after it.

    Without `before` it is a battle on its own: everything in it is checked, not only what changed.
    """

    before: Battle | None
    events: Sequence[Event]
    battle: Battle


KEEPING = frozenset(("move", "run", "regroup", "consolidate"))
"""Kinds of move that end in coherency. [UNIT-3]"""

Check = Callable[[Moment], str]
"""Returns in plain words what is wrong, or "" where the invariant holds."""


def broken(moment: Moment, names: Collection[str] | None = None) -> Broken | None:
    """Return the first invariant that doesn't hold, of those named or of all. [P2, P4]

    About 100 microseconds a step of a small game, a millisecond with two large armies.
    """
    for name, check in INVARIANTS.items():
        if names is None or name in names:
            words = check(moment)
            if words:
                return Broken(name, words)
    return None


def known(name: str) -> str:
    """Return the name of an invariant. Raises WarledgerError where there is none of that name."""
    if name not in INVARIANTS:
        raise WarledgerError("invariant", f"{name!r} is none of {', '.join(INVARIANTS)}")
    return name


def _touched(moment: Moment) -> Iterator[Unit]:
    """Yield the units on the table that the step changed."""
    before = moment.before
    for index, unit in enumerate(moment.battle.units):
        changed = before is None or index >= len(before.units) or before.units[index] is not unit
        if changed and on_table(unit):
            yield unit


def _on_the_table(moment: Moment) -> str:
    """Every base lies within the table edges; a unit stands on the table whole or not at all."""
    edges = table_rect(moment.battle)
    for unit in moment.battle.units:
        if len({model.at is None for model in unit.models}) > 1:
            return f"part of {unit.id} stands on the table, part does not"
    for unit in _touched(moment):
        for model, disc in zip(unit.models, discs_of(moment.battle, unit), strict=True):
            if not inside(disc, edges):
                return f"{unit.id}.{model.n} stands over the table edge"
    return ""


def _neighbours(battle: Battle) -> Iterator[tuple[Unit, Model, Disc, Unit, Model, Disc]]:
    """Yield every pair of models that stand no further apart, west to east, than wide bases."""
    everyone = [
        (disc, unit, model)
        for unit in units_on_table(battle)
        for model, disc in zip(unit.models, discs_of(battle, unit), strict=True)
    ]
    everyone.sort(key=lambda one: one[0].x)
    widest = 2 * max((disc.r for disc, *_ in everyone), default=0) * 500 // 127 + CONTACT + 1
    for index, (disc, unit, model) in enumerate(everyone):
        for its_disc, its_unit, its_model in islice(everyone, index + 1, None):
            if its_disc.x - disc.x > widest:
                break
            yield unit, model, disc, its_unit, its_model, its_disc


def _no_overlap(moment: Moment) -> str:
    """No two bases overlap."""
    moved = [unit.id for unit in _touched(moment)]
    if not moved:
        return ""
    for unit, model, disc, its_unit, its_model, its_disc in _neighbours(moment.battle):
        if (unit.id in moved or its_unit.id in moved) and overlaps(disc, its_disc):
            return f"the bases of {unit.id}.{model.n} and {its_unit.id}.{its_model.n} overlap"
    return ""


def _coherent(moment: Moment) -> str:
    """A unit that was in coherency and moves of its own will ends in it. [UNIT-3]

    Charges, pile-ins and flight keep it only where they can. [CMOV-5, PILE-4, FALL-2]
    """
    before = moment.before
    if before is None:
        return ""  # casualties may have torn any unit apart before
    kinds: dict[UnitId, set[str]] = {}
    for event in moment.events:
        if isinstance(event, UnitMoved | ModelsMoved):
            kinds.setdefault(event.unit, set()).add(event.kind)
    for name, ways in kinds.items():
        was, unit = unit_of(before, name), unit_of(moment.battle, name)
        if len(was.models) != len(unit.models) or not ways <= KEEPING:
            continue
        if coherent(discs_of(before, was)) and not coherent(discs_of(moment.battle, unit)):
            return f"{name} is out of coherency and lost nobody"
    return ""


def _wounds(moment: Moment) -> str:
    """A model in the game has lost no fewer Wounds than none and fewer than it has. [PROF-4]"""
    for unit in _touched(moment):
        setup = setup_of(moment.battle, unit.id)
        for model in unit.models:
            most = profile_of(setup, model.n).wounds or 1
            if not 0 <= model.lost < most:
                return f"{unit.id}.{model.n} has lost {model.lost} of its {most} Wounds"
    return ""


def _locked(moment: Moment) -> str:
    """Whoever is in base contact with the enemy is locked, and outside a fight nobody else is.

    Who falls back is free before his dice are rolled. Within the Assault phase the flag may stand
    although nobody touches any more. [LOCK-1, LOCK-3]
    """
    battle = moment.battle
    fighting = type(battle.phase) is AssaultPhase and battle.clock.in_phase
    touching = {
        name: foe
        for unit, _, disc, its_unit, _, its_disc in _neighbours(battle)
        if unit.side != its_unit.side and in_contact(disc, its_disc)
        for name, foe in ((unit.id, its_unit.id), (its_unit.id, unit.id))
    }
    for unit in units_on_table(battle):
        foe = touching.get(unit.id)
        if foe is not None and not unit.locked and not unit.falling_back:
            return f"{unit.id} is in base contact with {foe} and not locked in combat"
        if unit.locked and foe is None and not fighting:
            return f"{unit.id} is locked in combat and touches no enemy"
    return ""


def _counts(moment: Moment) -> str:
    """Counts and ids agree: models are numbered upwards, none is twice, none came from nowhere."""
    battle = moment.battle
    if [setup.id for setup in battle.setups] != [unit.id for unit in battle.units]:
        return "the units in play are not those that mustered"
    for unit, setup in zip(battle.units, battle.setups, strict=True):
        numbers = [model.n for model in unit.models]
        if numbers != sorted(set(numbers)) or (numbers and numbers[0] < 1):
            return f"the models of {unit.id} are numbered {numbers}"
        if numbers and numbers[-1] > len(setup.models):
            return f"{unit.id}.{numbers[-1]} never mustered"
        if not len(numbers) <= unit.phase_started <= unit.started <= len(setup.models):
            return (
                f"{unit.id} has {counted(len(numbers), 'model')},"
                f" {unit.phase_started} at the phase's start,"
                f" {unit.started} at the game's, {len(setup.models)} mustered"
            )
        if not numbers and (unit.locked or unit.falling_back):
            return f"{unit.id} is destroyed and still locked or falling back"
    return ""


def _folds(moment: Moment) -> str:
    """The step's events, folded onto the battle before it, give the battle after it. [P2, P7]"""
    if moment.before is None:
        return ""
    folded = fold(moment.before, moment.events)
    if folded != moment.battle:
        parts = [f for f in folded.__struct_fields__ if getattr(folded, f) != _of(moment, f)]
        return f"folding its events again gives another {', '.join(parts)}"
    return ""


def _of(moment: Moment, field: str) -> object:
    return getattr(moment.battle, field)


def _whole(moment: Moment) -> str:
    """The battle, written as a scenario's start and read back, has the same digest. [P4]"""
    battle = moment.battle
    try:
        again = scenario_given(battle, given(battle))
    except msgspec.ValidationError as error:
        return f"the battle can't be read back: {error}"
    return "" if digest(again) == digest(battle) else "the battle read back has another digest"


INVARIANTS: dict[str, Check] = {
    "models stand on the table": _on_the_table,
    "bases do not overlap": _no_overlap,
    "moves keep coherency": _coherent,
    "wounds are within the profile": _wounds,
    "contact locks": _locked,
    "counts agree": _counts,
    "events fold to the battle": _folds,
    "a given battle is whole": _whole,
}
"""Every invariant by its name, in the order checked."""
