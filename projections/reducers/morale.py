"""Reducers of Morale: checks, falling back, regrouping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.base import Event
from events.morale import FallBackStarted, FellBack, MoraleChecked, UnitRegrouped
from projections.battle import AssaultPhase, Battle, MovementPhase
from projections.change import with_combat, with_turn, with_unit


def morale_checked(battle: Battle, event: MoraleChecked) -> Battle:
    """Note that the unit has taken this phase's check. [WHEN-5, MMOR-1]"""
    phase = battle.phase
    if event.reason == "casualties":
        return replace(battle, phase=replace(phase, tested=(*phase.tested, event.unit)))
    if event.reason == "lost combat" and type(phase) is AssaultPhase:
        fled = () if event.passed else (event.unit,)
        return with_combat(
            battle,
            lambda c: replace(c, tested=(*c.tested, event.unit), fled=c.fled + fled),
        )
    return battle


def fall_back_started(battle: Battle, event: FallBackStarted) -> Battle:
    """The unit falls back; it is neither locked nor Gone to Ground any more. [FALL-1, GTG-4]"""
    return with_unit(
        battle,
        event.unit,
        lambda u: replace(u, falling_back=True, locked=False, gone_to_ground=False, ground_until=0),
    )


def fell_back(battle: Battle, event: FellBack) -> Battle:
    """The unit has made its compulsory move. [FALL-4]"""
    phase = battle.phase
    if type(phase) is not MovementPhase:
        return battle
    return replace(battle, phase=replace(phase, moved=(*phase.moved, event.unit)))


def unit_regrouped(battle: Battle, event: UnitRegrouped) -> Battle:
    """The unit falls back no more; in its Movement phase it has had its move. [RGRP-2]"""
    battle = with_unit(battle, event.unit, lambda u: replace(u, falling_back=False))
    phase = battle.phase
    if type(phase) is MovementPhase:
        battle = replace(battle, phase=replace(phase, moved=(*phase.moved, event.unit)))
    return with_turn(battle, event.unit, lambda turn: replace(turn, regrouped=True))


REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    MoraleChecked: morale_checked,
    FallBackStarted: fall_back_started,
    FellBack: fell_back,
    UnitRegrouped: unit_regrouped,
}
