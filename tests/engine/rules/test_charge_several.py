"""Charges on several units: Overwatch, the move, disorder, who is told what. [MDEC, MOVW, MMOV]"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.assault import (
    ChargeDeclared,
    ChargeEnded,
    ChargeFailed,
    OverwatchFinished,
    UnitCharged,
    UnitsLocked,
)
from events.attacks import BlowsStruck, UnitDestroyed, WeaponFired
from events.choices import Charge, EndPhase, FireOverwatch, OverwatchBy, Place, PlaceModels
from events.morale import MoraleChecked
from events.questions import HowToCharge, OverwatchOffered, WhoCharges, WhoFiresOverwatch
from events.values import Point, Profile, Weapon
from projections.battle import AssaultPhase, UnitTurn
from projections.queries import turn_of

GUN = Weapon("gun", 24000, 4, 5, "rapid_fire")
LINE = Profile("line", 4, 4, 4, 4, 1, 4, 1, 8)
IDLE = Profile("idle", 4, 4, 4, 4, 1, 1, 0, 8)


def at(x: float, y: float) -> tuple[Point, ...]:
    return (Point(round(x * 1000), round(y * 1000)),)


def test_every_target_may_fire_in_the_order_its_player_chooses(squad: Any, skirmish: Any) -> None:
    """[MOVW-1, MOVW-2, OVWT-6] One after the other, each within its own limits."""
    game = skirmish(
        squad("reds", [(10, 10), (11.5, 10)], profile=LINE),
        squad("a", [(10, 15)], [GUN], side="blue"),
        squad("b", [(11.5, 15)], [GUN], side="blue"),
        squad("c", [(13, 15)], [GUN], side="blue"),
        squad("spare", [(60, 40)], [GUN], side="blue"),
        phase=AssaultPhase(),
        turn=[UnitTurn("c", overwatch=True)],
        dice=[*(1, 2), *(1, 2), 1, 1],
    )
    game.play(Charge("reds", ("a", "b", "c")))
    assert game.battle.question == WhoFiresOverwatch("blue", ("a", "b"), "reds")
    assert game.legal() == [OverwatchBy("a"), OverwatchBy("b"), FireOverwatch()]
    assert game.refused(OverwatchBy("c")) == "MOVW-1"
    assert game.refused(FireOverwatch("gun")) == "MOVW-2"
    game.play(OverwatchBy("b"))
    assert game.battle.question == OverwatchOffered("blue", "b", "reds")
    game.play(FireOverwatch("gun"))
    # the last of several isn't asked about its turn
    assert game.battle.question == OverwatchOffered("blue", "a", "reds")
    game.play(FireOverwatch("gun"))
    assert [fired.unit for fired in game.said(WeaponFired)] == ["b", "a"]
    assert game.said(OverwatchFinished) == [
        OverwatchFinished("b", True),
        OverwatchFinished("a", True),
    ]


def test_all_targets_may_hold_their_fire(squad: Any, skirmish: Any) -> None:
    """[MOVW-2, AMB-20] One answer for all; it uses nothing up."""
    game = skirmish(
        squad("reds", [(10, 10), (11.5, 10)], profile=LINE),
        squad("others", [(13, 10)], profile=LINE),
        squad("a", [(10, 17)], [GUN], side="blue"),
        squad("b", [(11.5, 17)], [GUN], side="blue"),
        phase=AssaultPhase(),
        dice=[1, 1],
    )
    game.play(Charge("reds", ("a", "b")), FireOverwatch())
    assert game.said(OverwatchFinished) == [
        OverwatchFinished("a", False),
        OverwatchFinished("b", False),
    ]
    assert game.battle.question == WhoCharges("red")
    assert not turn_of(game.battle, "a").overwatch


def test_the_initial_charger_goes_for_the_primary_target(squad: Any, skirmish: Any) -> None:
    """[MMOV-1, MMOV-2, MDEC-5, NATK-2] Others go where they like; nobody gets the attack."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=LINE),
        squad("near", [(10, 13)], side="blue", profile=IDLE),
        squad("primary", [(12, 15)], side="blue", profile=IDLE),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(),
        dice=[3, 3, 1, 1],
    )
    game.play(Charge("reds", ("primary", "near")))
    assert game.said(ChargeDeclared) == [ChargeDeclared("reds", ("primary", "near"))]
    assert game.battle.question == HowToCharge("red", "reds", ("primary", "near"), 6000)
    first, second = Place(2, at(12, 14.012)), Place(1, at(10, 12.012))
    assert game.refused(PlaceModels("reds", (second, first))) == "CMOV-3"
    assert game.refused(PlaceModels("reds", (first,))) == "CMOV-5"
    game.play(PlaceModels("reds", (first, replace(second, path=at(10.1, 12.012)))))
    assert game.said(UnitCharged) == [UnitCharged("reds")]
    assert game.said(UnitsLocked) == [UnitsLocked(("reds", "near", "primary"))]
    assert [(b.target, b.attacks) for b in game.said(BlowsStruck)] == [("near", 1), ("primary", 1)]


def test_a_secondary_target_in_reach_is_of_no_use(squad: Any, skirmish: Any) -> None:
    """[MMOV-1, MDEC-4, CMOV-8] V-52: 7 inches, the primary target is at 8, the secondary at 4."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=LINE),
        squad("mates", [(14, 10)], profile=LINE),
        squad("primary", [(10, 18.984)], side="blue"),
        squad("near", [(12, 14.984)], side="blue"),
        phase=AssaultPhase(),
        dice=[3, 4],
    )
    game.play(Charge("reds", ("primary", "near")))
    assert game.said(ChargeFailed) == [ChargeFailed("reds", 8000)]
    assert not game.unit("reds").locked
    assert turn_of(game.battle, "reds").disordered  # from the declaration on [AMB-36]


def test_falling_back_targets_regroup_or_are_gone(squad: Any, skirmish: Any) -> None:
    """[RGRP-4, RGRP-5, RGRP-6] Each that is in reach; without the primary the charge is over."""

    def charge(*dice: int) -> Any:
        game = skirmish(
            squad("reds", [(10, 10), (12, 10)], profile=LINE),
            squad("mates", [(14, 10)], profile=LINE),
            squad("a", [(10, 15)], side="blue", profile=LINE, falling_back=True),
            squad("b", [(12, 15)], side="blue", profile=LINE, falling_back=True),
            squad("spare", [(60, 40)], side="blue"),
            phase=AssaultPhase(),
            dice=[3, 4, *dice],
        )
        return game.play(Charge("reds", ("a", "b")))

    game = charge(3, 3, 6, 6)
    checks = [(check.unit, check.passed) for check in game.said(MoraleChecked)]
    assert checks == [("a", True), ("b", False)]
    assert game.battle.question == HowToCharge("red", "reds", ("a",), 7000)
    game = charge(6, 6, 3, 3)
    assert game.said(UnitDestroyed) == [UnitDestroyed("a", "caught falling back")]
    assert game.said(ChargeEnded) == [ChargeEnded("reds")]
    assert not game.unit("b").falling_back


def test_defensive_grenades_deny_the_attack_for_charging(squad: Any, skirmish: Any) -> None:
    """[NATK-4, NATK-2] Not if their bearers were locked before this turn, or Went to Ground."""

    def attacks(before: Any = (), **status: bool) -> Any:
        game = skirmish(
            squad("reds", [(10, 10)], profile=LINE),
            squad("mates", [(10, 16.984)], profile=IDLE, locked=status.get("locked", False)),
            squad(
                "mob",
                [(10, 16)],
                side="blue",
                profile=IDLE,
                rules=("Defensive Grenades",),
                **status,
            ),
            squad("spare", [(60, 40)], side="blue"),
            phase=AssaultPhase(),
            turn=before,
            dice=[6, 2, *(1,) * (1 if not before and not status else 2 if not before else 1)],
        )
        game.play(Charge("reds", ("mob",)))
        game.play(game.legal()[0])
        if isinstance(game.battle.question, WhoCharges):
            game.play(EndPhase())
        return [b.attacks for b in game.said(BlowsStruck) if b.unit == "reds"]

    assert attacks() == [1]
    assert attacks(locked=True) == [2]
    assert attacks(gone_to_ground=True) == [2]
    # the charge of another unit has locked them only this turn
    assert attacks([UnitTurn("mob", newly_locked=True)], locked=True) == [1]
