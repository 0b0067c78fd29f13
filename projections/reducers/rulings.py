"""Reducers of rulings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.base import Event
from events.rulings import (
    CoverRuling,
    PositionRuling,
    RulingMade,
    RulingRefused,
    ScoreRuling,
    SightRuling,
    WoundsRuling,
)
from projections.battle import Battle, Ruled
from projections.change import with_model, with_models, with_unit
from projections.queries import number_of, unit_of_model


def ruling_made(battle: Battle, event: RulingMade) -> Battle:
    """Put a ruling into effect. [SPRT-2]"""
    ruling = event.ruling
    battle = replace(battle, proposal=None)
    if isinstance(ruling, SightRuling):
        return _ruled(battle, Ruled("sight", ruling.unit, ruling.target, sees=ruling.sees))
    if isinstance(ruling, CoverRuling):
        return _ruled(battle, Ruled("cover", ruling.unit, ruling.target, save=ruling.save))
    if isinstance(ruling, PositionRuling):
        return with_unit(battle, ruling.unit, lambda unit: with_models(unit, ruling.to))
    if isinstance(ruling, WoundsRuling):
        n, lost = number_of(ruling.model), ruling.lost
        return with_unit(
            battle,
            unit_of_model(ruling.model),
            lambda unit: with_model(unit, n, lambda model: replace(model, lost=lost)),
        )
    assert isinstance(ruling, ScoreRuling)
    return replace(battle, score=replace(battle.score, **{ruling.side: ruling.points}))


def _ruled(battle: Battle, ruled: Ruled) -> Battle:
    """Note what holds to the end of the phase, in place of what held before."""
    pair = ruled.about, ruled.unit, ruled.target
    kept = tuple(r for r in battle.phase.ruled if (r.about, r.unit, r.target) != pair)
    return replace(battle, phase=replace(battle.phase, ruled=(*kept, ruled)))


def ruling_refused(battle: Battle, event: RulingRefused) -> Battle:
    """The proposal is off the table."""
    return replace(battle, proposal=None)


REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    RulingMade: ruling_made,
    RulingRefused: ruling_refused,
}
