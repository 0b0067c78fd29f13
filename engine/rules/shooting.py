"""The Shooting phase: who shoots at what with which weapon, or Runs. [SHPH, SHSQ, SHTG, SHWP]

A weapon that no model of the unit could fire at the target is refused rather than wasted. Any
distance may be measured first, so nothing that matters is lost. [MEAS-1, SHTG-3, AMB-12]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.board import discs_of
from engine.editions import edition_of
from engine.geometry import units_within
from engine.rules import going_to_ground, markers, rerolls, running
from engine.rules.firing import declare, fire_group, resolve
from engine.rules.line_of_sight import Sightlines, sightlines
from engine.rules.pinning import pinning_tests
from engine.rules.shooting_range import (
    armed,
    can_fire,
    in_range,
    spent,
)
from engine.rules.weapon_types import (
    FIRED,
    moved_models,
    only_snap_shots,
    reach_of,
    snap_fires,
)
from engine.runner import Action, Procedure
from events.attacks import ShootingFinished, TargetChosen
from events.base import UnitId, other
from events.choices import CeaseFire, EndPhase, Run, Shoot
from events.errors import IllegalChoice
from events.game import PhaseClosing
from events.questions import WhichWeapon, WhoShoots
from projections.battle import Battle, ShootingPhase, Unit
from projections.queries import (
    bearers,
    has_unit,
    on_table,
    profile_of,
    setup_of,
    turn_of,
    unit_of,
    units_on_table,
    weapon_of,
)

__all__ = ["ANSWERS", "can_fire", "fire_group", "next_shooting", "shoot_next", "shoot_or_run"]


async def shoot_or_run(action: Action) -> None:
    """Let the active player shoot or Run with one unit, or end the phase. [SHPH-1, SHSQ-1]"""
    if not _may_go_on(action.battle):
        action.emit(PhaseClosing())
        return
    question = WhoShoots(action.battle.clock.active)
    choice: Shoot | Run | EndPhase = await Ask(question, Shoot, Run, EndPhase)
    if isinstance(choice, EndPhase):
        action.emit(PhaseClosing())
    elif isinstance(choice, Run):
        await running.run(action, choice.unit)
    else:
        action.emit(TargetChosen(choice.unit, choice.target))
        if edition_of(action.battle).all_weapons_at_once:
            await fire_together(action, choice)
        else:
            await fire_group(
                action, choice.unit, choice.target, choice.weapon, models=choice.models
            )


async def fire_together(action: Action, shot: Shoot) -> None:
    """Name all the weapons that a unit fires, then fire them at once. [SHSQ-4, WPOL-4]"""
    unit, target = shot.unit, shot.target
    groups = [await declare(action, unit, target, shot.weapon, shot.models)]
    while next(_shots(action.battle, unit, target), None) is not None:
        question = WhichWeapon(action.battle.clock.active, unit, target)
        choice: Shoot | CeaseFire = await Ask(question, Shoot, CeaseFire)
        if isinstance(choice, CeaseFire):
            break
        groups.append(await declare(action, unit, target, choice.weapon, choice.models))
    await resolve(action, groups)
    await finish(action, unit)


async def finish(action: Action, unit: UnitId) -> None:
    """End a unit's shooting: whom it pinned tests now. [SHPH-1, LDT-5]"""
    await pinning_tests(action)
    action.emit(ShootingFinished(unit))


async def shoot_next(action: Action) -> None:
    """Let the shooting unit fire a further weapon group at its target, or stop. [SHSQ-1 to 3]"""
    phase = action.battle.phase
    assert isinstance(phase, ShootingPhase)
    unit, target = phase.shooter, phase.target
    if next(_shots(action.battle, unit, target), None) is None:
        await finish(action, unit)
        return
    question = WhichWeapon(action.battle.clock.active, unit, target)
    choice: Shoot | CeaseFire = await Ask(question, Shoot, CeaseFire)
    if isinstance(choice, CeaseFire):
        await finish(action, unit)
    else:
        await fire_group(action, unit, target, choice.weapon, models=choice.models)


def next_shooting(battle: Battle) -> Procedure:
    """Return the rule that comes next in the Shooting phase."""
    assert isinstance(battle.phase, ShootingPhase)
    return shoot_next if battle.phase.shooter else shoot_or_run


def may_act(battle: Battle, unit: UnitId) -> IllegalChoice | None:
    """Return why a unit may neither shoot nor Run now, or None. [SHPH-1, SHPH-3, SHNM-1]"""
    phase = battle.phase
    assert isinstance(phase, ShootingPhase)
    if not has_unit(battle, unit):
        return IllegalChoice("UNIT-1", f"there is no unit {unit!r}")
    found = unit_of(battle, unit)
    if found.side != battle.clock.active:
        return IllegalChoice("SHPH-1", f"{unit} is not {battle.clock.active}'s")
    if not on_table(found):
        return IllegalChoice("RMV-1", f"{unit} is not on the table")
    if unit in phase.done:
        return IllegalChoice("SHPH-1", f"{unit} has shot or Run this phase")
    if found.locked:
        return IllegalChoice("SHPH-3", f"{unit} is locked in combat")
    return None


def may_run(battle: Battle, unit: UnitId) -> IllegalChoice | None:
    """Return why a unit may not Run now, or None. [SHPH-2, FALL-5, RGRP-2, GTG-3]"""
    barred = may_act(battle, unit)
    if barred is not None:
        return barred
    if unit_of(battle, unit).falling_back:
        return IllegalChoice("FALL-5", f"{unit} is falling back: it can't Run")
    if unit_of(battle, unit).gone_to_ground:
        return IllegalChoice("GTG-3", f"{unit} has Gone to Ground: it can't Run")
    if turn_of(battle, unit).regrouped:
        return IllegalChoice("RGRP-2", f"{unit} Regrouped this turn: it can't Run")
    return None


def check_shot(battle: Battle, shot: Shoot) -> None:
    """Refuse a weapon group that can't fire. [SHTG-1, SHTG-2, SHWP-1 to SHWP-3, SHMD-1]"""
    unit, target, weapon = shot.unit, shot.target, shot.weapon
    if not has_unit(battle, target):
        raise IllegalChoice("UNIT-1", f"there is no unit {target!r}")
    enemy = unit_of(battle, target)
    if enemy.side == unit_of(battle, unit).side:
        raise IllegalChoice("SHTG-1", f"{target} is not an enemy of {unit}")
    if not on_table(enemy):
        raise IllegalChoice("RMV-1", f"{target} is not on the table")
    if enemy.locked:
        raise IllegalChoice("SHTG-2", f"{target} is locked in combat and can't be shot at")
    firing = can_fire(battle, unit, target, weapon)
    if not firing:
        raise _why_not(battle, unit, target, weapon)
    gun = weapon_of(setup_of(battle, unit), weapon)
    if gun is not None and gun.grenade and len(shot.models) > 1:
        raise IllegalChoice("SHWP-4", f"one model throws {weapon}, not {len(shot.models)}")
    if len(set(shot.models)) != len(shot.models):
        raise IllegalChoice("SHWP-2", "a model is named twice; each fires once")
    for n in shot.models:
        if n not in firing:
            raise IllegalChoice("SHMD-1", f"{unit}.{n} can't fire {weapon} at {target} now")


def _why_not(battle: Battle, unit: UnitId, target: UnitId, weapon: str) -> IllegalChoice:
    """Return why no model can fire a weapon."""
    setup = setup_of(battle, unit)
    gun = weapon_of(setup, weapon)
    carried = bearers(unit_of(battle, unit), setup, weapon)
    if gun is None or not carried:
        return IllegalChoice("SHWP-1", f"no model of {unit} carries {weapon!r}")
    if gun.type == "melee":
        return IllegalChoice("MELE-1", f"{weapon} is a melee weapon")
    if gun.type == "bomb":
        return IllegalChoice("BOMB-1", f"{weapon} is dropped by a flying model as it moves")
    if gun.type not in FIRED:
        return IllegalChoice("WPRF-1", f"{weapon} is of a type that is not played yet")
    if weapon in spent(battle, unit)[0]:
        return IllegalChoice("SHWP-3", f"{unit} has fired {weapon} this phase")
    if gun.grenade and any(w.grenade for w in setup.weapons if w.id in spent(battle, unit)[0]):
        return IllegalChoice("SHWP-4", f"{unit} has thrown its one grenade this phase")
    if not any(profile_of(setup, n).bs for n in carried):
        return IllegalChoice("ZERO-2", f"no bearer of {weapon} has Ballistic Skill")
    if not armed(battle, unit, weapon):
        fired = spent(battle, unit)[1]
        if snap_fires(gun) or all(n in fired for n in carried):
            return IllegalChoice("SHWP-2", f"every bearer of {weapon} has fired another weapon")
        if gun.type == "ordnance" and not only_snap_shots(battle, unit):
            return IllegalChoice("ORDN-2", f"every bearer of {weapon} moved: it can't be fired")
        return IllegalChoice("SNAP-2", f"{weapon} can't be fired as Snap Shots")
    moved = moved_models(battle, unit)
    reach = max(reach_of(gun, n in moved) for n in carried)
    if units_within(discs_of(battle, unit), discs_of(battle, target), reach):
        return IllegalChoice("SHTG-1", f"no model with {weapon} in range sees a model of {target}")
    return IllegalChoice("SHRG-1", f"{target} is out of range: {weapon} reaches {reach} mils")


def _shots(battle: Battle, unit: UnitId, target: UnitId) -> Iterator[Shoot]:
    """Yield every weapon group that the unit can fire at the target now."""
    fired = spent(battle, unit)[1]
    if fired and all(model.n in fired for model in unit_of(battle, unit).models):
        return  # [SHWP-2]
    lines: Sightlines | None = None
    for weapon in setup_of(battle, unit).weapons:
        if in_range(battle, unit, target, weapon.id)[1]:
            if lines is None:
                lines = sightlines(battle, unit, target)
            if can_fire(battle, unit, target, weapon.id, lines):
                yield Shoot(unit, target, weapon.id)


def _targets(battle: Battle, unit: Unit) -> list[UnitId]:
    return [enemy.id for enemy in units_on_table(battle, other(unit.side)) if not enemy.locked]


def _may_go_on(battle: Battle) -> bool:
    """Whether any of the active player's units can still do something. [SHPH-1]"""
    waiting = [
        unit
        for unit in units_on_table(battle, battle.clock.active)
        if may_act(battle, unit.id) is None
    ]
    # Running is asked first: it needs no look at ranges and lines of sight.
    return any(may_run(battle, unit.id) is None for unit in waiting) or any(
        next(_shots(battle, unit.id, target), None) is not None
        for unit in waiting
        for target in _targets(battle, unit)
    )


def _acts(battle: Battle) -> list[Shoot | Run]:
    """Return all that the active player's units can do now."""
    found: list[Shoot | Run] = []
    for unit in units_on_table(battle, battle.clock.active):
        if may_act(battle, unit.id) is None:
            for target in _targets(battle, unit):
                found.extend(_shots(battle, unit.id, target))
            if may_run(battle, unit.id) is None:
                found.append(Run(unit.id))
    return found


def _check_act(battle: Battle, question: WhoShoots, choice: Shoot | Run | EndPhase) -> None:
    if isinstance(choice, EndPhase):
        return
    barred = (may_run if isinstance(choice, Run) else may_act)(battle, choice.unit)
    if barred is not None:
        raise barred
    if isinstance(choice, Shoot):
        check_shot(battle, choice)


def _legal_acts(battle: Battle, question: WhoShoots) -> list[Shoot | Run | EndPhase]:
    return [*_acts(battle), EndPhase()]


def _check_next(battle: Battle, question: WhichWeapon, choice: Shoot | CeaseFire) -> None:
    if isinstance(choice, CeaseFire):
        return
    if choice.unit != question.unit:
        raise IllegalChoice("SHPH-1", f"{question.unit} is shooting; it finishes first")
    if choice.target != question.target:
        raise IllegalChoice("SHTG-4", f"{question.unit} shoots at {question.target} only")
    check_shot(battle, choice)


def _legal_next(battle: Battle, question: WhichWeapon) -> list[Shoot | CeaseFire]:
    return [*_shots(battle, question.unit, question.target), CeaseFire()]


ANSWERS: AnswerTable = {
    WhoShoots: Answers((Shoot, Run, EndPhase), _check_act, _legal_acts),
    WhichWeapon: Answers((Shoot, CeaseFire), _check_next, _legal_next),
    **running.ANSWERS,
    **going_to_ground.ANSWERS,
    **markers.ANSWERS,
    **rerolls.ANSWERS,
}
