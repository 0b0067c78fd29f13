"""Going to Ground: when it is offered, what it gives, what it costs, when it ends. [GTG]"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rules.going_to_ground import go_to_ground, units_to_get_up
from engine.runner import Action
from events.attacks import UnitsGotUp, WentToGround, WoundAllocated
from events.choices import EndPhase, GoToGround, MoveUnit, Run, Shoot
from events.game import DiceRolled
from events.questions import GroundOffered, WhoShoots
from events.values import Point, Profile, Weapon
from projections.battle import Clock, MovementPhase

GUN = Weapon("gun", 24000, 4, 5, "assault", 2)
CANNON = Weapon("cannon", 24000, 8, 2, "assault", 2)
SCORCHER = Weapon("scorcher", 24000, 4, 5, "assault", 2, rules=("Ignores Cover",))
MOB = Profile("mob", 4, 2, 3, 4, 1, 2, 2, 7, save=6)
GUARD = Profile("guard", 4, 4, 4, 4, 1, 4, 1, 8, save=3)
FARM = [(20, 40), (22, 40), (24, 40), (26, 40), (28, 40)]


def armed(squad: Any, gun: Weapon = GUN) -> Any:
    """One model of red's with a gun."""
    return squad("guns", [(20, 30)], [gun])


def test_it_is_offered_between_to_wound_and_the_first_save(squad: Any, skirmish: Any) -> None:
    """[GTG-1, GTG-2] AP 5 against 6+ in the open: down, the first Wound meets a 6+ cover save."""
    game = skirmish(
        armed(squad), squad("mob", FARM, side="blue", profile=MOB), dice=[3, 3, 4, 4, 6, 5]
    )
    game.play(Shoot("guns", "mob", "gun"))
    assert game.battle.question == GroundOffered("blue", "mob", "guns", 2)
    assert [roll.purpose for roll in game.said(DiceRolled)] == ["to hit", "to wound"]
    assert game.legal() == [GoToGround(False), GoToGround(True)]
    game.play(GoToGround(True))
    assert game.said(WentToGround) == [WentToGround("mob", 2)]
    assert game.said(WoundAllocated) == [
        WoundAllocated("mob.1", "cover", 6),
        WoundAllocated("mob.1", "cover", 6),
    ]
    assert game.numbers("mob") == [2, 3, 4, 5]


def test_who_stays_up_has_no_save(squad: Any, skirmish: Any) -> None:
    """[GTG-1, APEN-1]"""
    game = skirmish(armed(squad), squad("mob", FARM, side="blue", profile=MOB), dice=[3, 1, 4])
    game.play(Shoot("guns", "mob", "gun"), GoToGround(False))
    assert game.said(WoundAllocated) == [WoundAllocated("mob.1")]
    assert not game.unit("mob").gone_to_ground


@pytest.mark.parametrize(
    ("gun", "profile", "status"),
    [
        (GUN, GUARD, {}),  # their armour is better than any cover there
        (SCORCHER, MOB, {}),
        (GUN, MOB, {"falling_back": True}),
        (GUN, MOB, {"gone_to_ground": True}),
    ],
)
def test_it_is_not_offered_where_it_may_not_or_does_not_help(
    squad: Any, skirmish: Any, gun: Weapon, profile: Profile, status: dict[str, bool]
) -> None:
    """[GTG-4, FALL-5, COVR-4] Twice, while falling back, or for nothing."""
    saves = profile is GUARD or "gone_to_ground" in status
    game = skirmish(
        armed(squad, gun),
        squad("spare", [(60, 5)]),
        squad("mob", FARM, side="blue", profile=profile, **status),
        dice=[3, 1, 4, 6][: 3 + saves],
    )
    game.play(Shoot("guns", "mob", gun.id))
    assert isinstance(game.battle.question, WhoShoots)
    assert not game.said(WentToGround)


def test_the_fearless_never_go_to_ground(squad: Any, skirmish: Any) -> None:
    """[GTG-4] One such model is enough."""
    game = skirmish(
        armed(squad),
        squad("mob", FARM, side="blue", profile=MOB, apart={5: ("Fearless",)}),
        dice=[3, 1, 4],
    )
    game.play(Shoot("guns", "mob", "gun"))
    assert game.numbers("mob") == [2, 3, 4, 5]


def test_it_is_offered_again_for_the_next_weapon_group(squad: Any, skirmish: Any) -> None:
    """[GTG-1] It doesn't act back on Wounds already taken."""
    game = skirmish(
        squad("guns", [(20, 30), (18, 30)], [GUN, CANNON], carry={1: ("gun",), 2: ("cannon",)}),
        squad("mob", FARM, side="blue", profile=MOB),
        dice=[3, 1, 4, 3, 1, 2, 6],
    )
    game.play(Shoot("guns", "mob", "gun"), GoToGround(False), Shoot("guns", "mob", "cannon"))
    assert isinstance(game.battle.question, GroundOffered)
    game.play(GoToGround(True))
    assert [a.save for a in game.said(WoundAllocated)] == [None, "cover"]


@pytest.mark.parametrize(
    ("active", "side", "first", "until"),
    [("red", "blue", "red", 2), ("red", "blue", "blue", 3), ("red", "red", "red", 3)],
)
def test_it_lasts_to_the_end_of_the_own_next_turn(
    squad: Any, skirmish: Any, active: Any, side: Any, first: Any, until: int
) -> None:
    """[GTG-3] That of this game turn if it is still to come."""
    game = skirmish(armed(squad), squad("mob", FARM, side=side, profile=MOB),
                    squad("foe", [(60, 40)], side="blue"))  # fmt: skip
    clock = Clock(2, active, first, "shooting", in_phase=True, in_turn=True)
    action = Action(replace(game.battle, clock=clock))
    go_to_ground(action, "mob")
    assert action.events == [WentToGround("mob", until)]
    for turn, who, up in ((2, "red", False), (until, side, True), (until, "red", side == "red")):
        now = replace(action.battle, clock=Clock(turn, who, first))
        assert (units_to_get_up(now) == ("mob",)) == up, (turn, who)


def test_a_unit_on_the_ground_stays_there_for_its_whole_turn(squad: Any, skirmish: Any) -> None:
    """[GTG-3, SHNM-2, MOVE-7] No move, no Run, Snap Shots; up at the end of the turn."""
    game = skirmish(
        squad("mob", FARM[:1], [GUN], profile=MOB, gone_to_ground=True),
        squad("spare", [(60, 5)]),
        squad("foe", [(20, 45)], side="blue"),
        phase=MovementPhase(),
        dice=[5, 5],
    )
    assert game.refused(MoveUnit("mob", Point(1000, 0))) == "GTG-3"
    game.play(EndPhase())
    assert isinstance(game.battle.question, WhoShoots)
    assert game.refused(Run("mob")) == "GTG-3"
    game.play(Shoot("mob", "foe", "gun"))
    assert [r.need for r in game.said(DiceRolled) if r.purpose == "to hit"] == [6]
    game.play(EndPhase())
    assert game.said(UnitsGotUp) == [UnitsGotUp(("mob",))]
    assert not game.unit("mob").gone_to_ground
