"""The charge move and what it makes of the units. [CRNG, CMOV, LOCK]"""

from __future__ import annotations

from typing import Any

from events.assault import ChargeRolled, UnitCharged, UnitsLocked
from events.choices import Aim, Charge, DirectBlows, Place, PlaceModels
from events.movement import ModelsMoved
from events.questions import HowToCharge
from events.values import Point
from projections.battle import AssaultPhase
from projections.queries import turn_of


def at(x: float, y: float) -> tuple[Point, ...]:
    return (Point(round(x * 1000), round(y * 1000)),)


def test_the_roll_is_the_range_and_the_proposal_is_legal(squad: Any, skirmish: Any) -> None:
    """[CRNG-1, CRNG-2, CMOV-9, LOCK-1]"""
    game = skirmish(
        squad("reds", [(10, 10), (11.5, 10), (13, 10)]),
        squad("mob", [(10, 16), (11.5, 16)], side="blue"),
        squad("bystanders", [(40, 40)], side="blue"),
        phase=AssaultPhase(),
        dice=[6, 2, *(1, 1, 1, 1, 1, 1), *(1, 1)],
    )
    game.play(Charge("reds", ("mob",)))
    assert game.said(ChargeRolled) == [ChargeRolled("reds", 8000)]
    assert game.battle.question == HowToCharge("red", "reds", ("mob",), 8000)
    (proposal,) = game.legal()
    game.play(proposal)
    assert game.said(UnitCharged) == [UnitCharged("reds")]
    assert game.said(UnitsLocked) == [UnitsLocked(("reds", "mob"))]
    assert turn_of(game.battle, "reds").charged is False  # the next turn has begun
    assert game.unit("reds").locked and game.unit("mob").locked
    assert not game.unit("bystanders").locked
    (move,) = [m for m in game.said(ModelsMoved) if m.kind == "charge"]
    assert [spot.model for spot in move.to] == [1, 2, 3]


def test_the_closest_model_goes_first_into_contact(squad: Any, skirmish: Any) -> None:
    """[CMOV-1, CMOV-3, CMOV-4, CMOV-5]"""
    game = skirmish(
        squad("reds", [(8.7, 9), (10, 10)]),
        squad("idle", [(60, 5)]),
        squad("mob", [(10, 16)], side="blue"),
        phase=AssaultPhase(),
        dice=[6, 2],
    )
    game.play(Charge("reds", ("mob",)))
    lead, back = Place(2, at(10, 15.01)), Place(1, at(9.11, 15.56))

    def refused(*places: Place, unit: str = "reds") -> str:
        rule: str = game.refused(PlaceModels(unit, places))
        return rule

    assert refused(lead, back, unit="idle") == "CMOV-1"
    assert refused(back, lead) == "CMOV-3"
    assert refused(Place(2, at(10, 14.5)), back) == "CMOV-4"
    assert refused(Place(2, at(9.11, 15.56)), Place(1, at(10, 15.01))) == "CMOV-4"
    assert refused(lead) == "CMOV-5"  # a model that isn't named stays
    assert refused(lead, Place(1, at(10, 13.8))) == "CMOV-6"
    assert refused(lead, Place(3, at(10, 14))) == "RMV-1"
    assert refused(lead, Place(1, at(10, 20))) == "CMOV-2"


def test_a_unit_joins_a_combat(squad: Any, skirmish: Any) -> None:
    """[MULC-1, MULC-2] A second charger on a locked enemy; only he is newly locked."""
    game = skirmish(
        squad("old", [(10, 15.01)], locked=True),
        squad("fresh", [(13, 10)]),
        squad("mob", [(10, 16)], side="blue", locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        dice=[6, 3, *(1, 1, 1), 1],
    )
    game.play(Charge("fresh", ("mob",)))
    game.play(game.legal()[0])
    game.play(DirectBlows("mob", (Aim("old"),)))
    assert game.said(UnitsLocked) == [UnitsLocked(("fresh",))]
