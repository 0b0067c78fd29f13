"""Facts of terrain: the tests it calls for."""

from __future__ import annotations

from events.base import Fact, ModelId, UnitId


class DifficultTerrainRolled(Fact, frozen=True, gc=False, tag="difficult_terrain_rolled/1"):
    """A unit took a difficult terrain test: no model moves farther than `distance`. [TERR-2]

    `models` are those that were to move; they count as moved even if they stay. [DIFF-8, MVSH-2]
    """

    unit: UnitId
    distance: int
    models: tuple[int, ...]


class DangerousTerrainTested(Fact, frozen=True, gc=False, tag="dangerous_terrain_tested/1"):
    """A model took its one test of this phase for a terrain piece. [TERR-3, DANG-4]"""

    model: ModelId
    terrain: str
    passed: bool
