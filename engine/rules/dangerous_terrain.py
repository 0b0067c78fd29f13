"""Dangerous terrain, a test for each model and piece once a phase, and lethal terrain.

[TERR-3, DANG, LETH]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.ask import Roll
from engine.board import disc_of, discs_of
from engine.geometry import Disc, Move, Path
from engine.geometry.polygons import stands_in, sweeps
from engine.rules.allocation import take_wound
from engine.rules.special_rules import MOVE_THROUGH_COVER, model_has
from engine.runner import Action
from events.attacks import ModelRemoved, UnitDestroyed
from events.base import ModelId, UnitId
from events.terrain import DangerousTerrainTested
from events.values import Terrain
from projections.battle import Battle, Unit
from projections.queries import model_id, model_of, number_of, setup_of, unit_of, unit_of_model

PASSED = 2
"""A dangerous terrain test fails on a 1. [DANG-3]"""

PACES = 16
"""Parts of a leg by which is told what a model meets first on it. [CONV-9]"""


class Ahead(NamedTuple):
    """A test that a model has before it: for which piece."""

    model: ModelId
    terrain: str


def hazards_of(battle: Battle, unit: Unit, moves: Sequence[Move]) -> list[Ahead]:
    """Return the tests that moves call for, in the order of the models and of what they meet.

    A model tests for each piece that it enters, leaves or moves within, unless it has tested for
    it this phase. [DANG-2, DANG-4, DANG-5, CONV-9] `moves` are those of the unit as it stands.
    """
    pieces = [piece for piece in battle.table.terrain if piece.kind == "dangerous"]
    if not pieces:
        return []
    tested = battle.phase.hazards
    here = discs_of(battle, unit)
    found: list[Ahead] = []
    for i, path in moves:
        name = model_id(unit.id, unit.models[i].n)
        known = [hazard.terrain for hazard in tested if hazard.model == name]
        met = [
            (when, k)
            for k, piece in enumerate(pieces)
            if piece.id not in known
            and (when := next(_meetings(here[i], path, piece), None)) is not None
        ]
        found += [Ahead(name, pieces[k].id) for _, k in sorted(met)]
    return found


def _meetings(disc: Disc, path: Path, piece: Terrain) -> Iterator[int]:
    """Yield when a moving model is in a piece, counted in paces of its way; 0 is its start."""
    reach = 500 * disc[2]
    parts = [part.corners for part in piece.parts]
    if path and any(stands_in(disc, corners) for corners in parts):
        yield 0
    x, y = disc[0], disc[1]
    for leg, point in enumerate(path):
        for corners in parts:
            if sweeps(x, y, point.x, point.y, reach * reach, corners):
                dx, dy = point.x - x, point.y - y
                for k in range(1, PACES + 1):
                    to = x + dx * k // PACES, y + dy * k // PACES
                    if k == PACES or sweeps(x, y, *to, reach * reach, corners):
                        yield leg * PACES + k
                        break
        x, y = point.x, point.y


async def face(action: Action, hazards: Sequence[Ahead]) -> None:
    """Take dangerous terrain tests; a 1 is a Wound against which cover is no save. [DANG-3, COVR-4]

    A model that has died in one takes no other. Chargers test as they cross it. [DANG-6, CDIF-5]
    """
    for model, terrain in hazards:
        unit, n = unit_of_model(model), number_of(model)
        if model_of(unit_of(action.battle, unit), n) is None:
            continue
        if model_has(setup_of(action.battle, unit), n, MOVE_THROUGH_COVER):
            action.emit(DangerousTerrainTested(model, terrain, True))  # [DIFF-12]
            continue
        (face,) = await Roll("dangerous terrain", need=PASSED, subject=unit)
        action.emit(DangerousTerrainTested(model, terrain, face >= PASSED))
        if face < PASSED:
            await take_wound(
                action,
                model,
                strength=0,
                ap=None,
                attacker="",
                weapon="",
                cause="dangerous terrain",
            )


def swallow(action: Action, unit: UnitId) -> None:
    """Remove the models of a unit that a forced move has ended in lethal terrain. [LETH-2]"""
    lethal = [piece for piece in action.battle.table.terrain if piece.kind == "lethal"]
    if not lethal:
        return
    standing = unit_of(action.battle, unit)
    for model in standing.models:
        disc = disc_of(action.battle, standing, model)
        if any(stands_in(disc, part.corners) for piece in lethal for part in piece.parts):
            action.emit(ModelRemoved(model_id(unit, model.n), "lethal terrain"))
    if not unit_of(action.battle, unit).models:
        action.emit(UnitDestroyed(unit, "lethal terrain"))
