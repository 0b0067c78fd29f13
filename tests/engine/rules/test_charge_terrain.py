"""Charges through difficult and dangerous terrain. [CDIF, CMOV-4]"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rules.charge_targets import reaches
from engine.rules.charge_terrain import REACH, is_slowed, reach_of
from events.assault import ChargeFailed, ChargeRolled, UnitCharged
from events.attacks import BlowsStruck, ModelRemoved, UnitDestroyed
from events.choices import Charge, EndPhase, Place, PlaceModels
from events.game import DiceRolled
from events.questions import HowToCharge, WhoCharges
from events.terrain import DangerousTerrainTested
from events.values import Part, Point, Profile, Terrain, TerrainKind
from projections.battle import AssaultPhase
from projections.queries import turn_of

LINE = Profile("line", 4, 4, 4, 4, 1, 4, 1, 8)
IDLE = Profile("idle", 4, 4, 4, 4, 1, None, 0, 8)
SLOW = Profile("slow", 4, 4, 4, 4, 1, 2, 1, 8)


def at(x: float, y: float) -> Point:
    return Point(round(x * 1000), round(y * 1000))


def ground(x0: float, y0: float, x1: float, y1: float, kind: TerrainKind = "difficult") -> Terrain:
    """Return a rectangle of terrain, named by its kind."""
    return Terrain(kind, kind, (Part((at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1))),))


def test_a_crossing_takes_2_off_and_sets_initiative_to_1(squad: Any, skirmish: Any) -> None:
    """[CDIF-1, CDIF-3, CDIF-7, CRNG-3] EX-2: two of four have to go through the crater."""
    game = skirmish(
        squad("dragons", [(10 + 2 * x, 10) for x in range(4)], profile=LINE),
        squad("marines", [(10 + 2 * x, 15) for x in range(4)], side="blue", profile=SLOW),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(13.4, 12, 17, 13)],
        dice=[5, 4, *(1,) * 4, *(1,) * 8],
    )
    game.play(Charge("dragons", ("marines",)))
    assert game.said(ChargeRolled) == [ChargeRolled("dragons", 7000)]
    game.play(game.legal()[0])
    assert game.said(UnitCharged) == [UnitCharged("dragons", at_step_one=True)]
    assert [(b.unit, b.step) for b in game.said(BlowsStruck)] == [("marines", 2), ("dragons", 1)]
    assert not turn_of(game.battle, "dragons").at_step_one  # the next turn has begun [CDIF-4]


def test_only_those_that_cross_it_matter(squad: Any, skirmish: Any) -> None:
    """[CDIF-1, AMB-28, MMOV-3] The briars lie beside the way; friends in the combat aren't slow."""
    game = skirmish(
        squad("old", [(10, 15.01)], profile=LINE, locked=True),
        squad("fresh", [(10, 20)], profile=LINE),
        squad("mob", [(10, 16)], side="blue", profile=IDLE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(9, 18, 11, 18.5), ground(11.4, 8, 13, 18, "dangerous")],
        dice=[5, 4, 1, *(1, 1)],
    )
    game.play(Charge("fresh", ("mob",)))
    game.play(game.legal()[0])
    assert game.said(ChargeRolled) == [ChargeRolled("fresh", 7000)]
    assert [(b.unit, b.step) for b in game.said(BlowsStruck)] == [("old", 4), ("fresh", 1)]


def test_a_double_1_less_2_moves_nobody(squad: Any, skirmish: Any) -> None:
    """[CDIF-2, CRNG-4, CMOV-8] EX-5: 1 + 1 - 2 = 0."""
    game = skirmish(
        squad("reds", [(10, 10)], profile=LINE),
        squad("mates", [(14, 10)], profile=LINE),
        squad("mob", [(10, 13)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(9, 11, 11, 12)],
        dice=[1, 1],
    )
    game.play(Charge("reds", ("mob",)))
    assert game.said(ChargeRolled, ChargeFailed) == [
        ChargeRolled("reds", 0),
        ChargeFailed("reds", 2016),
    ]
    assert game.unit("reds").models[0].at == at(10, 10)


def test_the_sixth_edition_drops_the_highest_of_three(squad: Any, skirmish: Any) -> None:
    """[CDIF-9, CDIF-3] 6, 3 and 4 make 7 inches; Initiative 1 is the same."""
    game = skirmish(
        squad("reds", [(10, 10)], profile=LINE),
        squad("mob", [(10, 17.9)], side="blue", profile=SLOW),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(9, 11, 11, 12)],
        ruleset="40k-6e",
        dice=[6, 3, 4, 1, *(1, 1)],
    )
    assert reach_of(game.battle, game.unit("reds"), ("mob",)) == REACH
    game.play(Charge("reds", ("mob",)))
    assert game.said(ChargeRolled) == [ChargeRolled("reds", 7000)]
    game.play(game.legal()[0])
    assert [(b.unit, b.step) for b in game.said(BlowsStruck)] == [("mob", 2), ("reds", 1)]


def test_a_slowed_unit_can_reach_10_inches_at_best(squad: Any, skirmish: Any) -> None:
    """[CDEC-2, AMB-16, AMB-44] 12 on open ground or for a model that isn't slowed."""
    game = skirmish(
        squad("reds", [(10, 10)], profile=LINE),
        squad("scouts", [(12, 10)], profile=LINE, rules=("Move Through Cover",)),
        squad("mob", [(10, 21.5)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(5, 15, 15, 16)],
    )
    assert game.refused(Charge("reds", ("mob",))) == "CDEC-2"
    assert game.legal() == [Charge("scouts", ("mob",)), EndPhase()]
    assert reaches(game.battle, game.unit("reds"), game.unit("mob"), ("mob",), REACH)


@pytest.mark.parametrize(("slow", "distance"), [((), 7000), ((2,), 5000)])
def test_not_slowed_but_at_step_1_all_the_same(
    squad: Any, skirmish: Any, slow: tuple[int, ...], distance: int
) -> None:
    """[CDIF-3, AMB-29, AMB-44] V-29: Move Through Cover; one slowed model slows the unit."""
    able = {n: ("Move Through Cover",) for n in (1, 2) if n not in slow}
    game = skirmish(
        squad("scouts", [(10, 10), (12, 10)], profile=replace(LINE, initiative=5), apart=able),
        squad("mob", [(10, 14), (12, 14)], side="blue", profile=SLOW),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(5, 11, 15, 12)],
        dice=[4, 3, *(1,) * 2, *(1,) * 4],
    )
    assert is_slowed(game.battle, game.unit("scouts"), ("mob",)) == bool(slow)
    game.play(Charge("scouts", ("mob",)))
    assert game.said(ChargeRolled) == [ChargeRolled("scouts", distance)]
    game.play(game.legal()[0])
    assert [(b.unit, b.step) for b in game.said(BlowsStruck)] == [("mob", 2), ("scouts", 1)]


def test_assault_grenades_keep_the_initiative_of_their_bearers(squad: Any, skirmish: Any) -> None:
    """[CDIF-8, AMB-30] Not the distance, and not their friends' Initiative."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=LINE, apart={1: ("Frag Grenades",)}),
        squad("mob", [(10, 14), (12, 14)], side="blue", profile=SLOW),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(5, 11, 15, 12)],
        dice=[4, 3, *(1,) * 6],
    )
    game.play(Charge("reds", ("mob",)))
    assert game.said(ChargeRolled) == [ChargeRolled("reds", 5000)]
    game.play(game.legal()[0])
    assert [(b.unit, b.models, b.step) for b in game.said(BlowsStruck)] == [
        ("reds", (1,), 4),
        ("mob", (1, 2), 2),
        ("reds", (2,), 1),
    ]


@pytest.mark.parametrize("down", [(), ("a",), ("a", "b")])
def test_enemies_gone_to_ground_spare_the_initiative(
    squad: Any, skirmish: Any, down: tuple[str, ...]
) -> None:
    """[CDIF-6, CDIF-1, GTG-6, GTG-8] V-28: if all have; the 2 inches are off all the same."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=LINE),
        squad("a", [(10, 14)], side="blue", profile=IDLE, gone_to_ground="a" in down),
        squad("b", [(12, 14)], side="blue", profile=IDLE, gone_to_ground="b" in down),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(5, 11, 15, 12)],
        dice=[6, 3, 1, 1],  # a disordered charge
    )
    game.play(Charge("reds", ("a", "b")))
    assert game.said(ChargeRolled) == [ChargeRolled("reds", 7000)]
    game.play(game.legal()[0])
    step = 4 if len(down) == 2 else 1
    assert [b.step for b in game.said(BlowsStruck)] == [step, step]


def test_dangerous_terrain_is_difficult_and_tested_for(squad: Any, skirmish: Any) -> None:
    """[CDIF-5, TERR-4] The first charger tests before the others move, they after; each for it."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=LINE),
        squad("mob", [(10, 14), (12, 14)], side="blue", profile=IDLE),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(5, 11, 15, 12, "dangerous")],
        dice=[4, 3, 2, 1, *(1, 1)],
    )
    game.play(Charge("reds", ("mob",)))
    assert game.battle.question == HowToCharge("red", "reds", ("mob",), 5000)
    game.play(game.legal()[0])
    assert game.said(DangerousTerrainTested) == [
        DangerousTerrainTested("reds.1", "dangerous", True),
        DangerousTerrainTested("reds.2", "dangerous", False),
    ]
    assert game.said(ModelRemoved) == [ModelRemoved("reds.2", "dangerous terrain")]
    assert [(b.models, b.step) for b in game.said(BlowsStruck)] == [((1,), 1)]


def test_another_takes_the_place_of_an_initial_charger_that_dies(squad: Any, skirmish: Any) -> None:
    """[CMOV-4, CDIF-5, AMB-25] With the same roll; the one that reaches it charges on."""
    game = skirmish(
        squad("reds", [(10, 10), (13, 10)], profile=LINE),
        squad("mates", [(20, 10)], profile=LINE),
        squad("mob", [(10, 15)], side="blue", profile=IDLE),
        phase=AssaultPhase(),
        terrain=[ground(9, 11, 10.9, 11.5, "dangerous")],
        dice=[6, 4, 1],
    )
    game.play(Charge("reds", ("mob",)))
    game.play(game.legal()[0])
    assert game.said(ModelRemoved) == [ModelRemoved("reds.1", "dangerous terrain")]
    assert game.battle.question == HowToCharge("red", "reds", ("mob",), 8000)
    game.play(game.legal()[0])
    # it did not cross anything, but the unit has
    assert game.said(UnitCharged) == [UnitCharged("reds", at_step_one=True)]
    assert len([r for r in game.said(DiceRolled) if r.purpose == "charge range"]) == 1


def test_the_last_charger_dies_on_the_way(squad: Any, skirmish: Any) -> None:
    """[CMOV-4, CDIF-5]"""
    game = skirmish(
        squad("reds", [(10, 10)], profile=LINE),
        squad("mates", [(20, 10)], profile=LINE),
        squad("mob", [(20, 18), (10, 15)], side="blue", profile=IDLE),
        phase=AssaultPhase(),
        terrain=[ground(9, 11, 10.9, 11.5, "dangerous")],
        dice=[6, 4, 1],
    )
    game.play(Charge("reds", ("mob",)))
    game.play(game.legal()[0])
    assert game.said(UnitDestroyed) == [UnitDestroyed("reds", "dangerous terrain")]
    assert game.battle.question == WhoCharges("red")


def test_nobody_dodges_the_terrain(squad: Any, skirmish: Any) -> None:
    """[CDIF-7, CMOV-1] A second charger that goes around the ruin to where it could go straight."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=LINE),
        squad("mob", [(10, 14), (12, 14)], side="blue", profile=IDLE),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(11.2, 11.4, 12.6, 12.4)],
        dice=[6, 4, *(1,) * 4],
    )
    game.play(Charge("reds", ("mob",)))
    first, end = Place(1, (at(10, 13.012),)), at(12, 13.012)
    around = PlaceModels("reds", (first, Place(2, (at(13.3, 11), at(13.3, 12.95), end))))
    assert game.refused(around) == "CDIF-7"
    game.play(PlaceModels("reds", (first, Place(2, (end,)))))
    assert game.said(UnitCharged) == [UnitCharged("reds", at_step_one=True)]


def test_a_cliff_is_walked_around(squad: Any, skirmish: Any) -> None:
    """[CMOV-3, TERR-1, CDEC-8, PILE-4] Impassable terrain is in the way of charges and pile-ins."""
    game = skirmish(
        squad("reds", [(10, 10)], profile=LINE),
        squad("mob", [(10, 14)], side="blue", profile=IDLE),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        terrain=[ground(9, 11.5, 11, 12.5, "impassable")],
        dice=[3, 3, *(1, 1)],
    )
    game.play(Charge("reds", ("mob",)))
    assert game.battle.question is not None
    straight = PlaceModels("reds", (Place(1, (at(10, 13.012),)),))
    assert game.refused(straight) == "TERR-1"
    (proposal,) = game.legal()
    assert isinstance(proposal, PlaceModels) and len(proposal.places[0].path) > 1
    game.play(proposal)
    assert game.said(UnitCharged) == [UnitCharged("reds")]
