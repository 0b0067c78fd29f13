"""Facts of Morale: checks, falling back, regrouping."""

from __future__ import annotations

from typing import Literal

from events.base import Fact, UnitId

MoraleReason = Literal["casualties", "lost combat", "regroup", "regroup when assaulted", "pinning"]


class MoraleChecked(Fact, frozen=True, gc=False, tag="morale_checked/1"):
    """A unit took a Leadership test: 2D6 against Leadership with its modifier. [LDT-1, MCHK-1]

    `total` is 0 where the test was not rolled. [AUTO-1]
    """

    unit: UnitId
    reason: MoraleReason
    leadership: int
    modifier: int
    total: int
    passed: bool


class FallBackStarted(Fact, frozen=True, gc=False, tag="fall_back_started/1"):
    """A unit falls back, and goes on doing so until it Regroups. [FALL-1, FALL-4]"""

    unit: UnitId


class FellBack(Fact, frozen=True, gc=False, tag="fell_back/1"):
    """A unit's fall back move for this phase is made: `distance` mils. [FALL-1]"""

    unit: UnitId
    distance: int


class UnitRegrouped(Fact, frozen=True, gc=False, tag="unit_regrouped/1"):
    """A unit Regrouped: no other move, Run or charge this turn, Snap Shots only. [RGRP-2]"""

    unit: UnitId
