"""Directing attacks: whom a model strikes that could strike several units. [MDIR]"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.rules.combats import standing, turn_order
from engine.rules.engaged import engaged, steps_of
from engine.rules.melee_weapons import attacks_with, weapon_used
from engine.runner import Action
from events.base import Side, UnitId, other
from events.choices import Aim, DirectBlows
from events.errors import IllegalChoice
from events.questions import WhomToStrike
from events.values import Weapon
from projections.battle import Battle, Unit
from projections.queries import setup_of, turn_of, unit_of

Aims = dict[tuple[UnitId, int], tuple[Aim, ...]]
"""Whom a model strikes, by unit and number, where that was a choice."""


class Striker(NamedTuple):
    """A model that strikes at a step: with what, how often, and whom it may strike. [ENGA-4]"""

    unit: UnitId
    n: int
    weapon: Weapon
    attacks: int
    foes: tuple[UnitId, ...]
    touching: bool


def strikers_at(battle: Battle, side: Side, step: int) -> Iterator[Striker]:
    """Yield a side's models that strike at a step, in muster order. [ENGA-3, ENGA-4, MALC-5]

    Engaged models must strike; one without Attacks or Weapon Skill can't. [ZERO-2]
    """
    foes = standing(battle, other(side))
    for unit in standing(battle, side):
        yield from unit_strikers(battle, unit, foes, step)


def unit_strikers(battle: Battle, unit: Unit, foes: list[Unit], step: int) -> Iterator[Striker]:
    """Yield a unit's models that strike at a step."""
    steps = steps_of(battle, unit)
    if step not in steps:
        return
    due = {model.n for model, at in zip(unit.models, steps, strict=True) if at == step}
    setup, turn = setup_of(battle, unit.id), turn_of(battle, unit.id)
    for one in engaged(battle, unit, foes):
        if one.n in due:
            weapon = weapon_used(battle, unit.id, one.n)
            attacks = attacks_with(setup, one.n, weapon, turn)
            if attacks:
                yield Striker(unit.id, one.n, weapon, attacks, one.foes, one.touching)


async def direct_blows(action: Action, step: int) -> Aims:
    """Let each side direct the blows that could go to several units. [MDIR-2, MDIR-3]

    Before any roll, the active side first. [AMB-27] Contact is judged now, at the start of the
    step. [MDIR-4]
    """
    aims: Aims = {}
    for side in turn_order(action.battle):
        several = [s for s in strikers_at(action.battle, side, step) if len(s.foes) > 1]
        for unit in dict.fromkeys(striker.unit for striker in several):
            models = tuple(striker.n for striker in several if striker.unit == unit)
            while models:
                question = WhomToStrike(side, unit, models, step)
                choice = await Ask(question, DirectBlows)
                directed = directs(action.battle, question, choice)
                aims |= {(unit, n): choice.at for n in directed}
                models = tuple(n for n in models if n not in directed)
    return aims


def asked_about(battle: Battle, question: WhomToStrike) -> list[Striker]:
    """Return the strikers that a question is about, in unit order."""
    unit = unit_of(battle, question.unit)
    foes = standing(battle, other(unit.side))
    found = unit_strikers(battle, unit, foes, question.step)
    return [striker for striker in found if striker.n in question.models]


def fault(striker: Striker, at: tuple[Aim, ...]) -> IllegalChoice | None:
    """Return why a model can't direct its blows so, or None. [MDIR-1 to MDIR-3]"""
    who = f"{striker.unit}.{striker.n}"
    may = " or ".join(striker.foes)
    for aim in at:
        if aim.target not in striker.foes:
            rule = "MDIR-1" if striker.touching else "MDIR-3"
            return IllegalChoice(rule, f"{who} can't strike {aim.target!r}; it may strike {may}")
    if len(at) > 1 and not striker.touching:
        why = "is engaged through a friend and strikes one unit"
        return IllegalChoice("MDIR-3", f"{who} {why}: {may}")
    said = sum(aim.attacks for aim in at)
    if said != striker.attacks and (len(at) > 1 or said):
        why = f"{who} has {striker.attacks} attacks to direct, not {said}"
        return IllegalChoice("MDIR-2", why)
    return None


def directs(battle: Battle, question: WhomToStrike, choice: DirectBlows) -> tuple[int, ...]:
    """Return the models that a choice directs, in unit order."""
    strikers = asked_about(battle, question)
    if choice.models:
        return tuple(s.n for s in strikers if s.n in choice.models)
    return tuple(s.n for s in strikers if fault(s, choice.at) is None)


def _check(battle: Battle, question: WhomToStrike, choice: DirectBlows) -> None:
    if choice.unit != question.unit:
        raise IllegalChoice("MDIR-2", f"{question.unit} strikes now, not {choice.unit}")
    targets = [aim.target for aim in choice.at]
    if not targets or len(set(targets)) != len(targets):
        raise IllegalChoice("MDIR-2", "name each unit to strike once, at least one")
    if any(aim.attacks < (len(targets) > 1) for aim in choice.at):
        raise IllegalChoice("MDIR-2", "a split says how many attacks go to each unit, from 1")
    for i, n in enumerate(choice.models):
        if n not in question.models:
            raise IllegalChoice("MDIR-1", f"{question.unit}.{n} has no blows to direct now")
        if n in choice.models[:i]:
            raise IllegalChoice("MDIR-2", f"{question.unit}.{n} is named twice")
    strikers = asked_about(battle, question)
    if choice.models:
        strikers = [striker for striker in strikers if striker.n in choice.models]
    faults = [fault(striker, choice.at) for striker in strikers]
    found = next((found for found in faults if found is not None), None)
    if found is not None and (choice.models or None not in faults):
        raise found


def _legal(battle: Battle, question: WhomToStrike) -> list[DirectBlows]:
    """Offer each unit to all that can strike it, then to each model all its ways."""
    strikers = asked_about(battle, question)
    targets = dict.fromkeys(foe for striker in strikers for foe in striker.foes)
    found = [DirectBlows(question.unit, (Aim(target),)) for target in targets]
    for striker in strikers:
        if striker.touching:
            splits = list(_splits(striker.foes, striker.attacks))
        else:
            splits = [(Aim(foe),) for foe in striker.foes]
        if len(strikers) == 1:
            splits = [split for split in splits if len(split) > 1]
        found += [DirectBlows(question.unit, split, (striker.n,)) for split in splits]
    return found


def _splits(foes: tuple[UnitId, ...], attacks: int) -> Iterator[tuple[Aim, ...]]:
    """Yield every way to share attacks among units, each getting one or more or none."""
    if len(foes) == 1 or attacks == 0:
        yield (Aim(foes[0], attacks),) if attacks else ()
        return
    for n in range(attacks, -1, -1):
        for rest in _splits(foes[1:], attacks - n):
            yield (Aim(foes[0], n), *rest) if n else rest


ANSWERS: AnswerTable = {WhomToStrike: Answers((DirectBlows,), _check, _legal)}
