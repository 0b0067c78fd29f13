"""Facts of moving: by choice, by Running, charging, piling in, consolidating or falling back."""

from __future__ import annotations

from typing import Literal

import msgspec

from events.base import Fact, UnitId
from events.values import Point

MoveKind = Literal[
    "move", "run", "charge", "pile_in", "end_pile_in", "consolidate", "fall_back", "regroup"
]


class Spot(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Where a model stands now: ``[number, x, y]``."""

    model: int
    x: int
    y: int


class UnitMoved(Fact, frozen=True, gc=False, tag="unit_moved/1"):
    """Every model of a unit moved by one vector. [MOVE-2]"""

    unit: UnitId
    kind: MoveKind
    by: Point


class ModelsMoved(Fact, frozen=True, gc=False, tag="models_moved/1"):
    """Models of a unit moved, each to its own place; models not named stayed. [MOVE-4]"""

    unit: UnitId
    kind: MoveKind
    to: tuple[Spot, ...]


class UnitRan(Fact, frozen=True, gc=False, tag="unit_ran/1"):
    """A unit Runs: up to `distance` mils, and no charge this turn. [SHPH-2]"""

    unit: UnitId
    distance: int
