"""Sweeping advances: do the fleeing get away? [SWEP]"""

from __future__ import annotations

from engine.ask import Roll
from engine.rules.combats import combat_now, standing
from engine.rules.engaged import initiative_of
from engine.rules.falling_back import fall_back
from engine.rules.locked import touching
from engine.rules.special_rules import SLOW_AND_PURPOSEFUL, model_has
from engine.rules.to_wound import majority
from engine.runner import Action
from events.assault import SweepingAdvanceRolled
from events.attacks import UnitDestroyed
from events.base import UnitId, other
from projections.battle import Battle
from projections.queries import owner, setup_of, unit_of


async def sweeping_advances(action: Action) -> None:
    """Roll for every fleeing unit and every unit that sweeps, then see who is caught. [SWEP-1]

    The caught are destroyed without saves, the others fall back; so does at once, and with no
    dice, whoever nobody may pursue. [SWEP-2, SWEP-4]
    """
    flights = {unit: pursuers_of(action.battle, unit) for unit in fleeing(action.battle)}
    totals: dict[UnitId, int] = {}
    for unit, pursuers in flights.items():
        if pursuers:
            totals[unit] = await roll_advance(action, unit)
    for pursuers in flights.values():
        for pursuer in pursuers:
            if pursuer not in totals:  # each rolls once [SWEP-5]
                totals[pursuer] = await roll_advance(action, pursuer)
    for unit, pursuers in flights.items():
        if pursuers:
            best = max(pursuers, key=totals.__getitem__)
            flight, pursuit = totals[unit], totals[best]
            caught = pursuit >= flight
            action.emit(SweepingAdvanceRolled(unit, best, flight, pursuit, caught))
            if caught:
                action.emit(UnitDestroyed(unit, "swept"))
                continue
        enemy = other(owner(action.battle, unit))
        fought = tuple(foe.id for foe in standing(action.battle, enemy))
        await fall_back(action, unit, fought=fought)


async def roll_advance(action: Action, unit: UnitId) -> int:
    """Roll a D6 and add the unit's unmodified Initiative, the majority's. [SWEP-1, SWEP-3]"""
    (face,) = await Roll("sweeping advance", subject=unit)
    setup = setup_of(action.battle, unit)
    models = unit_of(action.battle, unit).models
    return face + majority([initiative_of(setup, model.n) for model in models])


def fleeing(battle: Battle) -> tuple[UnitId, ...]:
    """Return the units that failed their check and have neither been caught nor fallen back."""
    combat = combat_now(battle)
    if not combat.winner:
        return ()
    losers = standing(battle, other(combat.winner))
    return tuple(unit.id for unit in losers if unit.id in combat.fled)


def pursuers_of(battle: Battle, unit: UnitId) -> tuple[UnitId, ...]:
    """Return the winning units that may sweep a fleeing one, in muster order. [SWEP-4, SWEP-5]

    Not those that touch an enemy that stays. [AMB-42] Of the others those that touch the fleeing
    unit, or all of them where casualties have parted it from everybody.
    """
    running = fleeing(battle)
    touched = {
        winner.id: touching(battle, winner)
        for winner in standing(battle, other(owner(battle, unit)))
    }
    free = [
        w
        for w, foes in touched.items()
        if all(foe in running for foe in foes) and may_sweep(battle, w)
    ]
    parted = not any(unit in foes for foes in touched.values())
    return tuple(w for w in free if parted or unit in touched[w])


def may_sweep(battle: Battle, unit: UnitId) -> bool:
    """Whether no model's rules forbid the unit to make sweeping advances. [SWEP-4]"""
    setup = setup_of(battle, unit)
    slow = (model_has(setup, m.n, SLOW_AND_PURPOSEFUL) for m in unit_of(battle, unit).models)
    return not any(slow)
