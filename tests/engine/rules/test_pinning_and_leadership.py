"""Pinning, Fearless and Stubborn units, whose Leadership counts. [LDT, MMOD, AUTO, GTG-4]"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest

from engine.rules.leadership import leadership_of, leadership_test
from engine.runner import Action
from events.attacks import PinningCaused, ShootingFinished, WentToGround
from events.choices import CeaseFire, GoToGround, Shoot
from events.game import DiceRolled
from events.morale import FallBackStarted, MoraleChecked
from events.questions import WhichWeapon
from events.values import Profile, Weapon

LONG = Weapon("long", 36000, 4, 5, "assault", 1, rules=("Pinning",))
PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")
SPRAY = Weapon("spray", 36000, 4, 5, "assault", 4)
SOFT = Profile("soft", 3, 3, 3, 3, 1, 3, 1, 7)
SERGEANT = Profile("sergeant", 3, 3, 3, 3, 1, 3, 1, 8)
CHIEF = Profile("chief", 4, 4, 4, 4, 2, 4, 2, 9)
BS4 = Profile("bs4", 4, 4, 4, 4, 1, 4, 1, 8, save=3)
MOB = [(20, 20), (20, 22), (20, 24), (20, 26), (20, 28)]


def battle(squad: Any, skirmish: Any, dice: list[int], gun: Weapon = LONG, **mob: Any) -> Any:
    """One model with a gun against five of blue's."""
    more = {"profile": SOFT} | mob
    return skirmish(
        squad("guns", [(20, 10)], [gun], profile=BS4),
        squad("spare", [(60, 5)]),
        squad("mob", MOB, side="blue", **more),
        dice=dice,
    )


@pytest.mark.parametrize(("test", "down"), [([4, 4], True), ([3, 4], False)])
def test_a_failed_pinning_test_puts_a_unit_down(
    squad: Any, skirmish: Any, test: list[int], down: bool
) -> None:
    """[GTG-4, LDT-1, LDT-5, CTST-5] Two dice, once the shooting of the unit is over."""
    game = battle(squad, skirmish, [3, 3, *test])
    game.play(Shoot("guns", "mob", "long"), GoToGround(False))
    assert game.said(PinningCaused) == [PinningCaused("mob")]
    assert game.said(MoraleChecked) == [MoraleChecked("mob", "pinning", 7, 0, sum(test), not down)]
    assert game.unit("mob").gone_to_ground == down
    assert game.said(WentToGround) == ([WentToGround("mob", 2)] if down else [])


def test_a_double_one_is_nothing_special_to_pinning(squad: Any, skirmish: Any) -> None:
    """[LDT-4, HERO-1] Leadership 1 fails on it."""
    game = battle(squad, skirmish, [3, 3, 1, 1], profile=Profile("meek", 3, 3, 3, 3, 1, 3, 1, 1))
    game.play(Shoot("guns", "mob", "long"), GoToGround(False))
    assert game.unit("mob").gone_to_ground


def test_pinning_waits_for_the_last_weapon(squad: Any, skirmish: Any) -> None:
    """[SHSQ-1, LDT-5] One test, and none for a unit that is down by then."""
    game = skirmish(
        squad("guns", [(20, 10), (20, 12)], [LONG, PISTOL], profile=BS4,
              carry={1: ("long",), 2: ("pistol",)}),
        squad("spare", [(60, 5)]),
        squad("mob", MOB, side="blue", profile=SOFT),
        dice=[3, 3, 6, 6],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "long"), GoToGround(False))
    assert isinstance(game.battle.question, WhichWeapon) and not game.said(MoraleChecked)
    game.play(CeaseFire())
    assert len(game.said(MoraleChecked)) == 1
    kinds = [type(e) for e in game.events if isinstance(e, MoraleChecked | ShootingFinished)]
    assert kinds == [MoraleChecked, ShootingFinished]


def test_who_falls_back_passes_pinning_unrolled(squad: Any, skirmish: Any) -> None:
    """[FALL-5, AUTO-1]"""
    game = battle(squad, skirmish, [3, 3], falling_back=True)
    game.play(Shoot("guns", "mob", "long"))
    assert game.said(MoraleChecked) == [MoraleChecked("mob", "pinning", 7, 0, 0, True)]


def test_a_saved_wound_pins_nobody(squad: Any, skirmish: Any) -> None:
    """[LDT-5]"""
    game = battle(squad, skirmish, [3, 4, 3], profile=BS4)
    game.play(Shoot("guns", "mob", "long"))
    assert not game.said(PinningCaused)


@pytest.mark.parametrize("status", [{}, {"falling_back": True}])
def test_the_fearless_pass_unrolled(squad: Any, skirmish: Any, status: dict[str, bool]) -> None:
    """[AUTO-1, AUTO-2, AMB-4] One model is enough; told both to pass and to fail, they fail."""
    game = skirmish(
        squad("guns", [(20, 10)], [SPRAY], profile=BS4),
        squad("mob", MOB, side="blue", profile=SOFT, apart={5: ("Fearless",)}, **status),
        squad("far", [(60, 40)], side="blue"),
        dice=[3, 3, 1, 1, 3, 3, *([1, 1] if status else [])],
    )
    game.play(Shoot("guns", "mob", "spray"))
    (check, *_) = game.said(MoraleChecked)
    assert (check.reason, check.total, check.passed) == ("casualties", 0, not status)
    assert not game.said(FallBackStarted)
    assert [r.purpose for r in game.said(DiceRolled)][:2] == ["to hit", "to wound"]


def test_the_highest_leadership_counts_until_its_owner_is_gone(squad: Any, skirmish: Any) -> None:
    """[V-5, LDT-2, CTST-3, CH-3] 9 with the chief, 8 with the sergeant."""
    game = skirmish(
        squad("mob", MOB, profile=SOFT, others={4: SERGEANT, 5: CHIEF}),
        squad("rest", MOB[:4], profile=SOFT, others={4: SERGEANT}),
        squad("foe", [(60, 40)], side="blue"),
    )
    assert leadership_of(game.battle, "mob") == 9
    assert leadership_of(game.battle, "rest") == 8


@pytest.mark.parametrize(("rules", "passed"), [((), False), (("Stubborn",), True)])
def test_the_stubborn_ignore_what_lowers_their_leadership(
    squad: Any, skirmish: Any, rules: tuple[str, ...], passed: bool
) -> None:
    """[MMOD-1, MMOD-2, LDT-3] 7 against 7 less 2."""
    game = skirmish(
        squad("mob", MOB, profile=SOFT, rules=rules), squad("foe", [(60, 40)], side="blue")
    )
    action = Action(game.battle)
    test: Coroutine[Any, Any, bool] = leadership_test(action, "mob", "lost combat", modifier=-2)
    test.send(None)
    with pytest.raises(StopIteration) as over:
        test.send((3, 4))
    assert over.value.value is passed
