"""Reducers of shooting and striking: shots, wounds, casualties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.attacks import (
    BlowsStruck,
    HitsScored,
    MarkerPlaced,
    MarkerScattered,
    ModelRemoved,
    PinningCaused,
    ShootingFinished,
    TargetChosen,
    UnitDestroyed,
    UnitsGotUp,
    WeaponFired,
    WentToGround,
    WoundAllocated,
    WoundSaved,
    WoundsLost,
    WoundsScored,
    WoundSuffered,
)
from events.base import Event
from projections.battle import AssaultPhase, Battle, ShootingPhase, UnitTurn
from projections.change import index_of_model, with_combat, with_turn, with_unit
from projections.queries import index_of, owner


def target_chosen(battle: Battle, event: TargetChosen) -> Battle:
    """A unit starts shooting at its one target. [SHTG-4]"""
    phase = battle.phase
    if type(phase) is not ShootingPhase:
        return battle
    shooting = replace(phase, shooter=event.unit, target=event.target, weapons=(), fired=())
    return replace(battle, phase=shooting)


def weapon_fired(battle: Battle, event: WeaponFired) -> Battle:
    """Mark the weapon group and its models as fired; note what bars a charge. [SHWP-2, SHPH-4]"""
    phase = battle.phase
    if type(phase) is AssaultPhase:
        overwatch = replace(
            phase,
            overwatch_weapons=(*phase.overwatch_weapons, event.weapon),
            overwatch_fired=phase.overwatch_fired + event.models,
        )
        return replace(battle, phase=overwatch)
    if type(phase) is ShootingPhase:
        phase = replace(
            phase,
            weapons=(*phase.weapons, event.weapon),
            fired=phase.fired + event.models,
        )
        battle = replace(battle, phase=phase)

    def note(turn: UnitTurn) -> UnitTurn:
        kinds = turn.fired
        if event.weapon_type not in kinds:
            kinds = (*kinds, event.weapon_type)
        return replace(turn, target=event.target, fired=kinds)

    return with_turn(battle, event.unit, note)


def shooting_finished(battle: Battle, event: ShootingFinished) -> Battle:
    """The unit has had its go. [SHPH-1]"""
    phase = battle.phase
    if type(phase) is not ShootingPhase:
        return battle
    return replace(
        battle,
        phase=replace(
            phase,
            done=(*phase.done, event.unit),
            shooter="",
            target="",
            weapons=(),
            fired=(),
            pinned=(),
        ),
    )


def wound_suffered(battle: Battle, event: WoundSuffered) -> Battle:
    """Set the model's Wounds lost; in a combat they count for the other side. [RSLT-1, RSLT-4]"""
    unit, _, n = event.model.rpartition(".")
    at, units = index_of(battle, unit), list(battle.units)
    models = list(units[at].models)
    index = index_of_model(models, int(n))
    models[index] = replace(models[index], lost=event.lost)
    units[at] = replace(units[at], models=tuple(models))
    battle = replace(battle, units=tuple(units))
    if event.cause != "combat":
        return battle
    if owner(battle, unit) == "blue":
        return with_combat(battle, lambda c: replace(c, red=c.red + event.wounds))
    return with_combat(battle, lambda c: replace(c, blue=c.blue + event.wounds))


def model_removed(battle: Battle, event: ModelRemoved) -> Battle:
    """Drop the model. [RMV-1]"""
    unit, _, n = event.model.rpartition(".")
    at, units = index_of(battle, unit), list(battle.units)
    models = list(units[at].models)
    del models[index_of_model(models, int(n))]
    units[at] = replace(units[at], models=tuple(models))
    return replace(battle, units=tuple(units))


def unit_destroyed(battle: Battle, event: UnitDestroyed) -> Battle:
    """Drop what is left of the unit; whatever held it, locked or down, is over. [RMV-3]"""
    return with_unit(
        battle,
        event.unit,
        lambda u: replace(
            u, models=(), locked=False, falling_back=False, gone_to_ground=False, ground_until=0
        ),
    )


def went_to_ground(battle: Battle, event: WentToGround) -> Battle:
    """The unit is down until its own next turn ends. [GTG-3]"""
    return with_unit(
        battle,
        event.unit,
        lambda u: replace(u, gone_to_ground=True, ground_until=event.until),
    )


def pinning_caused(battle: Battle, event: PinningCaused) -> Battle:
    """Note that the unit tests once the shooting is over. [LDT-5]"""
    phase = battle.phase
    if type(phase) is not ShootingPhase or event.unit in phase.pinned:
        return battle
    return replace(battle, phase=replace(phase, pinned=(*phase.pinned, event.unit)))


def units_got_up(battle: Battle, event: UnitsGotUp) -> Battle:
    """The units are up again. [GTG-3]"""
    for unit in event.units:
        battle = with_unit(battle, unit, lambda u: replace(u, gone_to_ground=False, ground_until=0))
    return battle


def _shown_only(battle: Battle, event: Event) -> Battle:
    """Change nothing: the fact is there to be read, its effect follows in others."""
    return battle


REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    TargetChosen: target_chosen,
    WeaponFired: weapon_fired,
    ShootingFinished: shooting_finished,
    BlowsStruck: _shown_only,
    MarkerPlaced: _shown_only,
    MarkerScattered: _shown_only,
    HitsScored: _shown_only,
    PinningCaused: pinning_caused,
    WentToGround: went_to_ground,
    UnitsGotUp: units_got_up,
    WoundsScored: _shown_only,
    WoundAllocated: _shown_only,
    WoundSaved: _shown_only,
    WoundSuffered: wound_suffered,
    WoundsLost: _shown_only,
    ModelRemoved: model_removed,
    UnitDestroyed: unit_destroyed,
}
