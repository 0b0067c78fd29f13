"""What may be ruled, and when. [SPRT, WOBL]

Only where a player decides who acts next: then no action is in flight that the ruling could cut
in two. Either player may propose.
"""

from __future__ import annotations

from engine.board import discs_of, table_rect
from engine.geometry import Disc, inside, overlaps
from events.choices import ProposeRuling
from events.errors import IllegalChoice
from events.questions import (
    Question,
    WhereToDeploy,
    WhichCombat,
    WhoCharges,
    WhoMoves,
    WhoShoots,
)
from events.rulings import (
    AnyRuling,
    CoverRuling,
    PositionRuling,
    ScoreRuling,
    SightRuling,
    WoundsRuling,
)
from projections.battle import Battle, Unit
from projections.queries import (
    has_unit,
    model_of,
    number_of,
    on_table,
    profile_of,
    setup_of,
    unit_of,
    unit_of_model,
    units_on_table,
)

BETWEEN_ACTIONS = (WhereToDeploy, WhoMoves, WhoShoots, WhoCharges, WhichCombat)
"""Questions that are open only while no action is in flight."""

MOST_POINTS = 999
"""More victory points than any game has."""


def check_proposal(battle: Battle, question: Question, choice: ProposeRuling) -> None:
    """Refuse a ruling that can't be made now. [SPRT-1, SPRT-2]"""
    if not isinstance(question, BETWEEN_ACTIONS):
        raise IllegalChoice("SPRT-2", "an action is in flight: rule when it is over")
    _check(battle, choice.ruling)


def _check(battle: Battle, ruling: AnyRuling) -> None:
    if isinstance(ruling, SightRuling | CoverRuling):
        unit, target = _unit(battle, ruling.unit), _unit(battle, ruling.target)
        if unit.side == target.side:
            raise IllegalChoice("SPRT-2", f"{unit.id} and {target.id} are of one side")
        save = ruling.save if isinstance(ruling, CoverRuling) else None
        if save is not None and not 2 <= save <= 6:
            raise IllegalChoice("SPRT-2", f"a cover save is 2+ to 6+ or none, not {save}+")
    elif isinstance(ruling, PositionRuling):
        _check_places(battle, ruling)
    elif isinstance(ruling, WoundsRuling):
        unit, n = _unit(battle, unit_of_model(ruling.model)), number_of(ruling.model)
        if model_of(unit, n) is None:
            raise IllegalChoice("SPRT-2", f"{ruling.model} is not there")
        wounds = profile_of(setup_of(battle, unit.id), n).wounds or 1
        if not 0 <= ruling.lost < wounds:
            raise IllegalChoice(
                "SPRT-2", f"{ruling.model} has {wounds}, it can have lost 0 to {wounds - 1}"
            )
    elif isinstance(ruling, ScoreRuling) and not 0 <= ruling.points <= MOST_POINTS:
        raise IllegalChoice("SPRT-2", f"points are 0 to {MOST_POINTS}, not {ruling.points}")


def _check_places(battle: Battle, ruling: PositionRuling) -> None:
    """Models of the unit, on the table and on no other model. Everything else is agreed."""
    unit = _unit(battle, ruling.unit)
    places = {spot.model: spot for spot in ruling.to}
    if not ruling.to or len(places) < len(ruling.to):
        raise IllegalChoice("SPRT-2", "name each model that stands elsewhere once")
    models = setup_of(battle, unit.id).models
    for spot in ruling.to:
        if model_of(unit, spot.model) is None:
            raise IllegalChoice("SPRT-2", f"{unit.id}.{spot.model} is not there")
        disc = Disc(spot.x, spot.y, models[spot.model - 1].radius)
        if not inside(disc, table_rect(battle)):
            raise IllegalChoice("SPRT-2", f"{unit.id}.{spot.model} would stand off the table")
    moved = [
        Disc(places[m.n].x, places[m.n].y, disc.r) if m.n in places else disc
        for m, disc in zip(unit.models, discs_of(battle, unit), strict=True)
    ]
    others = [
        disc
        for other in units_on_table(battle)
        if other.id != unit.id
        for disc in discs_of(battle, other)
    ]
    for i, model in enumerate(unit.models):
        if any(overlaps(moved[i], disc) for disc in (*others, *moved[:i])):
            raise IllegalChoice("SPRT-2", f"{unit.id}.{model.n} would stand on another model")


def _unit(battle: Battle, name: str) -> Unit:
    if not has_unit(battle, name):
        raise IllegalChoice("UNIT-1", f"there is no unit {name!r}")
    unit = unit_of(battle, name)
    if not on_table(unit):
        raise IllegalChoice("RMV-1", f"{name} is not on the table")
    return unit
