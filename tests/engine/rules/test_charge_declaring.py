"""Declaring charges. [ASPH, CDEC, MDEC]"""

from __future__ import annotations

from typing import Any

import pytest

from engine.answers import check
from engine.rules.charge_move import way_to_charge
from engine.sequence import RULESETS
from events.assault import ChargeDeclared, ChargeFailed, ChargesFinished
from events.choices import Charge, EndPhase
from events.errors import IllegalChoice
from events.questions import WhoCharges
from events.values import Point, Weapon
from projections.battle import AssaultPhase, UnitTurn
from projections.queries import turn_of

PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")

BARRED = {
    "CDEC-4": [{"locked": True}, {"falling_back": True}, UnitTurn("x", ran=True)],
    "CDEC-5": [
        UnitTurn("x", target="mob", fired=("rapid_fire",)),
        UnitTurn("x", target="mob", fired=("pistol", "heavy")),
    ],
    "CDEC-7": [UnitTurn("x", regrouped=True)],
    "ASPH-5": [UnitTurn("x", declared=True)],
}


@pytest.mark.parametrize(
    ("rule", "state"), [(rule, state) for rule, states in BARRED.items() for state in states]
)
def test_what_bars_a_unit_from_charging(squad: Any, skirmish: Any, rule: str, state: Any) -> None:
    """[CDEC-4, CDEC-5, CDEC-7, ASPH-5] EX-7: an enemy at 4 inches, and a reason each."""
    status = state if isinstance(state, dict) else {}
    game = skirmish(
        squad("x", [(10, 10)], **status),
        squad("free", [(14, 10)]),
        squad("mob", [(10, 15)], side="blue"),
        phase=AssaultPhase(),
        turn=[] if status else [state],
    )
    assert game.battle.question == WhoCharges("red")
    assert game.refused(Charge("x", ("mob",))) == rule
    assert game.legal() == [Charge("free", ("mob",)), EndPhase()]


def test_a_unit_that_shot_charges_only_its_target(squad: Any, skirmish: Any) -> None:
    """[CDEC-6] EX-7: it fired pistols at one of two enemies 4 inches away."""
    game = skirmish(
        squad("tenth", [(10, 10)], [PISTOL]),
        squad("mob", [(10, 15)], side="blue"),
        squad("others", [(15, 10)], side="blue"),
        phase=AssaultPhase(),
        turn=[UnitTurn("tenth", target="others", fired=("pistol",))],
    )
    assert game.refused(Charge("tenth", ("mob",))) == "CDEC-6"
    assert game.legal() == [Charge("tenth", ("others",)), EndPhase()]


def test_a_charge_names_one_enemy_unit(squad: Any, skirmish: Any) -> None:
    """[CDEC-1, MDEC-1]"""
    game = skirmish(
        squad("reds", [(10, 10)]),
        squad("friends", [(14, 10)]),
        squad("mob", [(10, 15)], side="blue"),
        squad("others", [(12, 15)], side="blue"),
        phase=AssaultPhase(),
    )
    assert game.refused(Charge("reds", ())) == "CDEC-1"
    assert game.refused(Charge("reds", ("friends",))) == "CDEC-1"
    assert game.refused(Charge("reds", ("nobody",))) == "CDEC-1"
    assert game.refused(Charge("nobody", ("mob",))) == "CDEC-1"
    assert game.refused(Charge("mob", ("reds",))) == "CDEC-1"
    assert game.refused(Charge("reds", ("mob", "others"))) == "MDEC-1"


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
    assert game.legal() == [*accepted, EndPhase()]


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
