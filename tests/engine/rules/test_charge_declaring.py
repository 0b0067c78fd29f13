"""Declaring charges. [ASPH, CDEC, MDEC]"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.answers import check
from engine.rules.charge_move import way_to_charge
from engine.sequence import RULESETS
from events.assault import ChargeDeclared, ChargeFailed, ChargesFinished
from events.choices import Charge, EndPhase
from events.errors import IllegalChoice
from events.questions import WhoCharges
from events.values import Part, Point, Profile, Terrain
from projections.battle import AssaultPhase, UnitTurn
from projections.queries import turn_of

ORDINARY = Profile("ordinary", 4, 4, 4, 4, 1, 4, 1, 8)

BARRED = {
    "locked in combat": ("CDEC-4", {"locked": True}),
    "Ran": ("CDEC-4", UnitTurn("x", ran=True)),
    "Gone to Ground": ("CDEC-4", {"gone_to_ground": True}),
    "fired Rapid Fire": ("CDEC-5", UnitTurn("x", target="mob", fired=("rapid_fire",))),
    "fired Salvo": ("CDEC-5", UnitTurn("x", target="mob", fired=("salvo",))),
    "fired Heavy": ("CDEC-5", UnitTurn("x", target="mob", fired=("pistol", "heavy"))),
    "fired Ordnance": ("CDEC-5", UnitTurn("x", target="mob", fired=("ordnance",))),
    "falling back": ("CDEC-4", {"falling_back": True}),
    "changed its flight mode": ("CDEC-4", UnitTurn("x", changed_flight=True)),
    "Regrouped": ("CDEC-7", UnitTurn("x", regrouped=True)),
    "arrived": ("CDEC-7", UnitTurn("x", arrived=True)),
    "has declared": ("ASPH-5", UnitTurn("x", declared=True)),
}


@pytest.mark.parametrize("reason", BARRED)
def test_what_bars_a_unit_from_charging(squad: Any, skirmish: Any, reason: str) -> None:
    """[CDEC-4, CDEC-5, CDEC-7, ASPH-5, ORDN-2] EX-7, V-49: an enemy at 4 inches, a reason each."""
    rule, state = BARRED[reason]
    status = state if isinstance(state, dict) else {}
    game = skirmish(
        squad("x", [(10, 10)], **status),
        squad("free", [(14, 10)]),
        squad("mob", [(10, 15)], side="blue"),
        phase=AssaultPhase(),
        turn=[] if status else [state],
    )
    assert game.battle.question == WhoCharges("red")
    with pytest.raises(IllegalChoice, match=reason) as caught:
        check(RULESETS["40k-7e"].answers, game.battle, "red", Charge("x", ("mob",)))
    assert caught.value.where == rule
    assert game.legal() == [Charge("free", ("mob",)), EndPhase()]


def test_the_relentless_charge_whatever_they_fired(squad: Any, skirmish: Any) -> None:
    """[CDEC-7] If all of the unit's models are."""
    fired = {"target": "mob", "fired": ("heavy",)}
    game = skirmish(
        squad("steady", [(10, 10)], rules=("Relentless",)),
        squad("mixed", [(13, 10), (14.5, 10)], apart={1: ("Relentless",)}),
        squad("mob", [(10, 15)], side="blue"),
        phase=AssaultPhase(),
        turn=[UnitTurn("steady", **fired), UnitTurn("mixed", **fired)],  # type: ignore[arg-type]
    )
    assert game.legal() == [Charge("steady", ("mob",)), EndPhase()]
    assert game.refused(Charge("mixed", ("mob",))) == "CDEC-5"


def test_an_enemy_that_nobody_sees(squad: Any, skirmish: Any) -> None:
    """[CDEC-3] EX-6: at 5 inches behind a wall; the one beside it can't be harmed but charged."""
    wall = Part((Point(8000, 13000), Point(13000, 13000), Point(13000, 13500), Point(8000, 13500)))
    hard = replace(ORDINARY, toughness=9)
    game = skirmish(
        squad("reds", [(10, 10)]),
        squad("hidden", [(10, 16)], side="blue"),
        squad("hard", [(16, 10)], side="blue", profile=hard),
        phase=AssaultPhase(),
        terrain=[Terrain("wall", "open", (replace(wall, height=6000),))],
    )
    assert game.refused(Charge("reds", ("hidden",))) == "CDEC-3"
    assert game.legal() == [Charge("reds", ("hard",)), EndPhase()]


def test_a_unit_that_shot_charges_only_its_target(squad: Any, skirmish: Any) -> None:
    """[CDEC-6] EX-7: it fired pistols at one of two enemies 4 inches away."""
    game = skirmish(
        squad("tenth", [(10, 10)]),
        squad("mob", [(10, 15)], side="blue"),
        squad("others", [(15, 10)], side="blue"),
        phase=AssaultPhase(),
        turn=[UnitTurn("tenth", target="others", fired=("pistol",))],
    )
    assert game.refused(Charge("tenth", ("mob",))) == "CDEC-6"
    assert game.legal() == [Charge("tenth", ("others",)), EndPhase()]


def test_a_charge_names_enemy_units(squad: Any, skirmish: Any) -> None:
    """[CDEC-1, MDEC-1]"""
    game = skirmish(
        squad("reds", [(10, 10), (11.5, 10)]),
        squad("friends", [(14, 10)]),
        squad("mob", [(10, 15)], side="blue"),
        squad("others", [(12, 15)], side="blue"),
        phase=AssaultPhase(),
    )
    for targets in ((), ("friends",), ("nobody",), ("mob", "friends")):
        assert game.refused(Charge("reds", targets)) == "CDEC-1"
    assert game.refused(Charge("nobody", ("mob",))) == "CDEC-1"
    assert game.refused(Charge("mob", ("reds",))) == "CDEC-1"
    assert game.refused(Charge("reds", ("mob", "others", "mob"))) == "MDEC-1"
    assert game.legal()[:4] == [
        Charge("reds", ("mob",)),
        Charge("reds", ("others",)),
        Charge("reds", ("mob", "others")),
        Charge("reds", ("others", "mob")),
    ]


def test_several_targets_must_be_in_reach_together(squad: Any, skirmish: Any) -> None:
    """[MDEC-2, CDEC-2] Two models reach over 2 inches and their bases; three over 5 and theirs."""
    game = skirmish(
        squad("pair", [(10, 10), (11.5, 10)]),
        squad("trio", [(13, 9), (14.5, 9), (16, 9)]),
        squad("left", [(10, 15)], side="blue"),
        squad("right", [(16, 15)], side="blue"),
        squad("far", [(10, 23.2)], side="blue"),
        phase=AssaultPhase(),
    )
    assert game.refused(Charge("pair", ("left", "right"))) == "MDEC-2"
    assert Charge("trio", ("left", "right")) in game.legal()
    assert game.refused(Charge("pair", ("left", "far"))) == "CDEC-2"


def test_the_unit_shot_at_is_the_primary_target(squad: Any, skirmish: Any) -> None:
    """[MDEC-3, CDEC-6, CDEC-5] V-25: others only beside it, and none after a Heavy Snap Shot."""
    blues = [
        squad("a", [(10, 15)], side="blue"),
        squad("b", [(11.5, 15)], side="blue"),
    ]
    reds = squad("reds", [(10, 10), (11.5, 10)])

    def after(*fired: str) -> Any:
        turn = [UnitTurn("reds", target="a", fired=fired)]
        return skirmish(reds, squad("mates", [(15, 10)]), *blues, phase=AssaultPhase(), turn=turn)

    game = after("assault")
    offered = [charge for charge in game.legal() if getattr(charge, "unit", "") == "reds"]
    assert offered == [Charge("reds", ("a",)), Charge("reds", ("a", "b"))]
    assert game.refused(Charge("reds", ("b",))) == "CDEC-6"
    assert game.refused(Charge("reds", ("b", "a"))) == "MDEC-3"
    game = after("assault", "heavy")
    for targets in (("a",), ("b",), ("a", "b")):
        assert game.refused(Charge("reds", targets)) == "CDEC-5"


def test_legal_is_what_the_check_accepts(squad: Any, skirmish: Any) -> None:
    """[CDEC-1, CDEC-2] Every unit against every target, near and far."""
    reds = [squad(f"r{i}", [(6 + 9 * i, 10)]) for i in range(4)]
    blues = [squad(f"b{i}", [(4 + 9 * i, 20)], side="blue") for i in range(4)]
    game = skirmish(*reds, *blues, phase=AssaultPhase())
    accepted = []
    for unit in game.battle.units:
        for target in game.battle.units:
            choice = Charge(unit.id, (target.id,))
            try:
                check(RULESETS["40k-7e"].answers, game.battle, "red", choice)
            except IllegalChoice:
                continue
            accepted.append(choice)
    assert 4 < len(accepted) < 16
    single = [o for o in game.legal() if isinstance(o, Charge) and len(o.targets) == 1]
    assert single == accepted


def test_no_room_to_reach_the_target(squad: Any, skirmish: Any) -> None:
    """[CDEC-8] A model in a ring of its friends' bases, shoulder to shoulder."""
    ring = [
        (0.99, 0),
        (0.495, 0.858),
        (-0.495, 0.858),
        (-0.99, 0),
        (-0.495, -0.858),
        (0.495, -0.858),
    ]
    game = skirmish(
        squad("reds", [(10, 14)]),
        squad("shielded", [(10, 20)], side="blue"),
        squad("shields", [(10 + x, 20 + y) for x, y in ring], side="blue"),
        phase=AssaultPhase(),
    )
    assert game.refused(Charge("reds", ("shielded",))) == "CDEC-8"
    assert game.legal() == [Charge("reds", ("shields",)), EndPhase()]


def test_the_way_around_counts(squad: Any, skirmish: Any) -> None:
    """[CDEC-2, AMB-16] Nearly 12 inches as the crow flies, more around a line of friends."""
    game = skirmish(
        squad("reds", [(20, 10)]),
        squad("wall", [(12 + x, 12) for x in range(17)]),
        squad("mob", [(20, 22.5)], side="blue"),
        squad("near", [(16, 22)], side="blue"),
        phase=AssaultPhase(),
    )
    around = way_to_charge(game.battle, "reds", ("mob",), 30_000)
    assert around is not None and around > 12_000
    assert game.refused(Charge("reds", ("mob",))) == "CDEC-2"
    assert Charge("wall", ("mob",)) in game.legal()


def test_nobody_is_asked_where_nobody_can_charge(squad: Any, skirmish: Any) -> None:
    """[ASPH-4] The Charge sub-phase ends by itself, and with no combat the phase."""
    game = skirmish(
        squad("reds", [(10, 10)]), squad("mob", [(10, 40)], side="blue"), phase=AssaultPhase()
    )
    assert game.said(ChargesFinished)
    assert game.battle.clock.active == "blue"


def test_charges_are_made_one_by_one_and_once(squad: Any, skirmish: Any) -> None:
    """[ASPH-3, ASPH-5, CMOV-8] A failed charge is the unit's charge of the turn."""
    game = skirmish(
        squad("first", [(10, 10)]),
        squad("second", [(14, 10)]),
        squad("mob", [(10, 20)], side="blue"),
        phase=AssaultPhase(),
        dice=[1, 2],
    )
    game.play(Charge("first", ("mob",)))
    assert game.said(ChargeDeclared, ChargeFailed) == [
        ChargeDeclared("first", ("mob",)),
        ChargeFailed("first", 9016),
    ]
    assert game.unit("first").models[0].at == Point(10000, 10000)
    assert turn_of(game.battle, "first").declared
    assert game.legal() == [Charge("second", ("mob",)), EndPhase()]
    assert game.refused(Charge("first", ("mob",))) == "ASPH-5"
    game.play(EndPhase())
    assert game.said(ChargesFinished)
