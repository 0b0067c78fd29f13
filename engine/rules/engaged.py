"""Who can fight, when and whom: steps, engaged models, their enemies. [ISTP, ENGA, MDIR]"""

from __future__ import annotations

from typing import NamedTuple

from engine.board import discs_of
from engine.geometry import COHERENCY, in_contact, within
from engine.rules.melee_weapons import options, step_with, strikes_in_turn, weapon_used
from events.base import UnitId
from events.values import UnitSetup
from projections.battle import Battle, Unit
from projections.queries import profile_of, setup_of, turn_of

ENGAGED = COHERENCY
"""A model fights through a friend in base contact within this many mils. [ENGA-1]"""


class Engaged(NamedTuple):
    """A model that can fight: whom it may strike, in muster order, and whether it touches them."""

    n: int
    foes: tuple[UnitId, ...]
    touching: bool


def initiative_of(setup: UnitSetup, n: int) -> int:
    """Return a model's unmodified Initiative; "-" is 0. [CMOD-4]"""
    return profile_of(setup, n).initiative or 0


def steps_of(battle: Battle, unit: Unit) -> list[int]:
    """Return the step at which each living model strikes and piles in. [ISTP-2, PILE-2]

    The weapon it uses decides. A model strikes at one step only, so that is its highest.
    """
    setup, turn = setup_of(battle, unit.id), turn_of(battle, unit.id)
    if strikes_in_turn(setup, turn):
        return [initiative_of(setup, model.n) for model in unit.models]
    return [
        step_with(setup, m.n, profile_of(setup, m.n), weapon_used(battle, unit.id, m.n), turn)
        for m in unit.models
    ]


def steps_open_to(battle: Battle, unit: UnitId, n: int) -> list[int]:
    """Return the steps at which a model's weapons would let it strike. [PILE-2, AMB-45]"""
    setup, turn = setup_of(battle, unit), turn_of(battle, unit)
    profile = profile_of(setup, n)
    if strikes_in_turn(setup, turn):
        return [profile.initiative or 0]
    return [step_with(setup, n, profile, w, turn) for w in options(battle, unit, n).values()]


def contacts(battle: Battle, unit: Unit, enemies: list[Unit]) -> list[tuple[UnitId, ...]]:
    """Return for each living model the enemy units it is in base contact with, in their order."""
    theirs = [(enemy.id, discs_of(battle, enemy)) for enemy in enemies]
    return [
        tuple(foe for foe, discs in theirs if any(in_contact(disc, d) for d in discs))
        for disc in discs_of(battle, unit)
    ]


def engaged(battle: Battle, unit: Unit, enemies: list[Unit]) -> list[Engaged]:
    """Return the unit's models that can fight, in unit order. [ENGA-1]

    A model in base contact strikes those enemies [MDIR-1]; one engaged through friends strikes
    the enemies that such friends touch [MDIR-3]. The others are locked and can't strike. [ENGA-2]
    """
    touched = contacts(battle, unit, enemies)
    if not any(touched):
        return []
    discs = discs_of(battle, unit)
    fronts = [(discs[j], foes) for j, foes in enumerate(touched) if foes]
    found: list[Engaged] = []
    for i, model in enumerate(unit.models):
        if touched[i]:
            found.append(Engaged(model.n, touched[i], True))
            continue
        through = {foe for disc, foes in fronts if within(discs[i], disc, ENGAGED) for foe in foes}
        if through:
            foes = tuple(enemy.id for enemy in enemies if enemy.id in through)
            found.append(Engaged(model.n, foes, False))
    return found
