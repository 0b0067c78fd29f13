"""Who can fight, when and whom: Initiative, engaged models, their enemies. [ISTP, ENGA, MDIR]"""

from __future__ import annotations

from engine.board import discs_of
from engine.geometry import COHERENCY, in_contact, within
from events.base import UnitId
from events.values import UnitSetup
from projections.battle import Battle, Unit
from projections.queries import profile_of

ENGAGED = COHERENCY
"""A model fights through a friend in base contact within this many mils. [ENGA-1]"""


def initiative_of(setup: UnitSetup, n: int) -> int:
    """Return the step at which a model strikes; 0 for one without Initiative. [ISTP-2, AMB-2]"""
    return profile_of(setup, n).initiative or 0


def contacts(battle: Battle, unit: Unit, enemies: list[Unit]) -> list[tuple[UnitId, ...]]:
    """Return for each living model the enemy units it is in base contact with, in their order."""
    theirs = [(enemy.id, discs_of(battle, enemy)) for enemy in enemies]
    return [
        tuple(foe for foe, discs in theirs if any(in_contact(disc, d) for d in discs))
        for disc in discs_of(battle, unit)
    ]


def foes_of(battle: Battle, unit: Unit, enemies: list[Unit]) -> list[tuple[int, UnitId]]:
    """Return (number, enemy unit that it strikes) of each engaged model, in unit order.

    A model in base contact strikes that enemy [MDIR-1]; one engaged through friends strikes an
    enemy that such a friend touches [MDIR-3]. Of several units all its attacks go to the first
    in muster order.
    """
    touched = contacts(battle, unit, enemies)
    discs = discs_of(battle, unit)
    muster = [enemy.id for enemy in enemies]
    found: list[tuple[int, UnitId]] = []
    for i, model in enumerate(unit.models):
        open_to = touched[i] or tuple(
            foe
            for j, foes in enumerate(touched)
            if foes and within(discs[i], discs[j], ENGAGED)
            for foe in foes
        )
        if open_to:
            found.append((model.n, min(open_to, key=muster.index)))
    return found
