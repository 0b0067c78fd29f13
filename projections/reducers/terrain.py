"""Reducers of terrain tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.base import Event
from events.terrain import DangerousTerrainTested, DifficultTerrainRolled
from projections.battle import Battle, Hazard
from projections.change import with_moved


def difficult_terrain_rolled(battle: Battle, event: DifficultTerrainRolled) -> Battle:
    """All that were to move count as moved. [DIFF-8]"""
    return with_moved(battle, event.unit, event.models)


def dangerous_terrain_tested(battle: Battle, event: DangerousTerrainTested) -> Battle:
    """The model tests no more for this piece in this phase. [DANG-4]"""
    hazards = (*battle.phase.hazards, Hazard(event.model, event.terrain))
    return replace(battle, phase=replace(battle.phase, hazards=hazards))


REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    DifficultTerrainRolled: difficult_terrain_rolled,
    DangerousTerrainTested: dangerous_terrain_tested,
}
