"""Overwatch. [OVWT]"""

from __future__ import annotations

from typing import Any

from events.assault import ChargeRolled, OverwatchFinished
from events.attacks import WeaponFired
from events.choices import Charge, EndPhase, FireOverwatch
from events.morale import MoraleChecked
from events.questions import HowToCharge, OverwatchOffered, WhoCharges
from events.values import Weapon
from projections.battle import AssaultPhase, UnitTurn
from projections.queries import turn_of

BOLTGUN = Weapon("boltgun", 24000, 4, 5, "rapid_fire")
PISTOL = Weapon("pistol", 6000, 4, 5, "pistol")
SWORD = Weapon("sword", 0, 0, None, "melee", strength_from="user+")


def test_weapon_group_by_weapon_group(squad: Any, skirmish: Any) -> None:
    """[OVWT-1, OVWT-2, OVWT-3, OVWT-7, ASPH-2] All before the charge roll, as Snap Shots."""
    game = skirmish(
        squad("reds", [(10, 10)]),
        squad(
            "guns",
            [(10, 15), (12, 15)],
            [BOLTGUN, PISTOL, SWORD],
            side="blue",
            carry={1: ("boltgun",), 2: ("pistol", "sword")},
        ),
        phase=AssaultPhase(),
        dice=[5, 4, 6, 3, 6, 6],
    )
    game.play(Charge("reds", ("guns",)))
    assert game.battle.question == OverwatchOffered("blue", "guns", "reds")
    assert game.legal() == [FireOverwatch("boltgun"), FireOverwatch("pistol"), FireOverwatch()]
    assert game.refused(FireOverwatch("sword")) == "OVWT-2"
    game.play(FireOverwatch("boltgun"))
    assert game.refused(FireOverwatch("boltgun")) == "OVWT-2"
    assert game.legal() == [FireOverwatch("pistol"), FireOverwatch()]
    assert not game.said(ChargeRolled)
    game.play(FireOverwatch("pistol"))
    assert [(f.weapon, f.shots, f.snap, f.overwatch) for f in game.said(WeaponFired)] == [
        ("boltgun", 2, True, True),
        ("pistol", 1, True, True),
    ]
    assert game.said(OverwatchFinished) == [OverwatchFinished("guns", True)]
    assert game.said(ChargeRolled)
    assert isinstance(game.battle.question, HowToCharge)


def test_not_offered_to_a_unit_that_cannot_fire(squad: Any, skirmish: Any) -> None:
    """[OVWT-5, OVWT-6] Locked, already fired, out of range or without a gun: nobody is asked."""
    game = skirmish(
        squad("a", [(10, 10)]),
        squad("b", [(20, 10)]),
        squad("c", [(30, 10)]),
        squad("d", [(40, 10)]),
        squad("fighter", [(10, 20)], locked=True),
        squad("locked", [(10, 19.01)], [BOLTGUN], side="blue", locked=True),
        squad("used", [(20, 19)], [BOLTGUN], side="blue"),
        squad("short", [(30, 19)], [PISTOL], side="blue"),
        squad("swords", [(40, 19)], [SWORD], side="blue"),
        phase=AssaultPhase(),
        turn=[UnitTurn("used", overwatch=True)],
        dice=[1, 1] * 4 + [1, 1],  # four failed charges, one blow each in the old combat
    )
    for unit, target in (("a", "locked"), ("b", "used"), ("c", "short")):
        game.play(Charge(unit, (target,)))
        assert game.battle.question == WhoCharges("red")
    game.play(Charge("d", ("swords",)))
    assert not game.said(OverwatchFinished, WeaponFired)


def test_declining_does_not_use_it_up(squad: Any, skirmish: Any) -> None:
    """[OVWT-6, AMB-20] Only firing does."""
    game = skirmish(
        squad("a", [(10, 10)]),
        squad("b", [(12, 10)]),
        squad("c", [(14, 10)]),
        squad("guns", [(10, 19)], [BOLTGUN], side="blue"),
        phase=AssaultPhase(),
        dice=[1, 1, *(1, 1), 1, 1, 1, 1],
    )
    game.play(Charge("a", ("guns",)), FireOverwatch())
    assert not turn_of(game.battle, "guns").overwatch
    game.play(Charge("b", ("guns",)), FireOverwatch("boltgun"))
    assert turn_of(game.battle, "guns").overwatch
    game.play(Charge("c", ("guns",)))  # nobody is asked any more
    assert game.said(OverwatchFinished) == [
        OverwatchFinished("guns", False),
        OverwatchFinished("guns", True),
    ]
    assert game.battle.clock.active == "blue"


def test_its_losses_call_for_no_morale_check(squad: Any, skirmish: Any) -> None:
    """[OVWT-4, WHEN-4, RSLT-4] Half the chargers die; nobody tests and no combat counts them."""
    game = skirmish(
        squad("reds", [(10, 10), (11.5, 10)]),
        squad("guns", [(10, 16)], [Weapon("blaster", 12000, 8, 2, "assault", 1)], side="blue"),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        dice=[6, 2, 1, 1],
    )
    game.play(Charge("reds", ("guns",)), FireOverwatch("blaster"))
    assert game.numbers("reds") == [2]
    assert not game.said(MoraleChecked)
    assert game.battle.clock.active == "blue" and not game.battle.phase.tested


def test_nothing_else_answers_the_offer(squad: Any, skirmish: Any) -> None:
    """[ASPH-3] A second charge can't be declared before the first is finished."""
    game = skirmish(
        squad("a", [(10, 10)]),
        squad("b", [(12, 10)]),
        squad("guns", [(10, 19)], [BOLTGUN], side="blue"),
        phase=AssaultPhase(),
    )
    game.play(Charge("a", ("guns",)))
    assert game.refused(Charge("b", ("guns",))) == "TURN-2"
    assert game.refused(EndPhase()) == "TURN-2"
