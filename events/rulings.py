"""Rulings: what two players agree where they overrule the engine, from a closed list. [SPRT]

One proposes, the other answers; both are choices like any other, so undo, replay and `verify` know
them. The engine takes sight and cover from its own geometry until a ruling says otherwise.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from events.base import Fact, ModelId, Side, UnitId
from events.movement import Spot


class Ruling(msgspec.Struct, frozen=True, gc=False, tag_field="about"):
    """A correction that both players have to agree on. [SPRT-1]"""


class SightRuling(Ruling, frozen=True, gc=False, tag="sight"):
    """To the end of the phase all of `unit` sees all of `target`, or none any. [LOS-1, LOS-4]"""

    unit: UnitId
    target: UnitId
    sees: bool


class CoverRuling(Ruling, frozen=True, gc=False, tag="cover"):
    """To the end of the phase all of `target` has this cover from `unit`: 4 is 4+. [COVR-1]"""

    unit: UnitId
    target: UnitId
    save: int | None


class PositionRuling(Ruling, frozen=True, gc=False, tag="position"):
    """Models stand here: one was jostled, or placed where it can't balance. [WOBL-1]"""

    unit: UnitId
    to: tuple[Spot, ...]


class WoundsRuling(Ruling, frozen=True, gc=False, tag="wounds"):
    """A model has lost so many Wounds in all. [PROF-4]"""

    model: ModelId
    lost: int


class ScoreRuling(Ruling, frozen=True, gc=False, tag="score"):
    """A side's victory points are so many."""

    side: Side
    points: int


AnyRuling = SightRuling | CoverRuling | PositionRuling | WoundsRuling | ScoreRuling

Verdict = Literal["accept", "refuse", "roll"]
"""The other player's answer: players who can't agree may roll for it. [SPRT-1]"""


class RulingMade(Fact, frozen=True, gc=False, tag="ruling_made/1"):
    """A ruling that `by` proposed holds: the other player agreed, or a die decided. [SPRT-2]"""

    by: Side
    ruling: AnyRuling
    rolled: bool = False


class RulingRefused(Fact, frozen=True, gc=False, tag="ruling_refused/1"):
    """A ruling that `by` proposed doesn't hold: the other refused, or the die did. [SPRT-1]"""

    by: Side
    ruling: AnyRuling
    rolled: bool = False
