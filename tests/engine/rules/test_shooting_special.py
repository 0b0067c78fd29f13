"""Precision Shots, twin-linked weapons, several kinds of Wounds, all weapons at once."""

from __future__ import annotations

from typing import Any

import pytest

from events.attacks import (
    HitsScored,
    ModelRemoved,
    ShootingFinished,
    WeaponFired,
    WoundAllocated,
    WoundsScored,
    WoundSuffered,
)
from events.choices import AllocateWounds, CeaseFire, GoToGround, Shoot, TakeWounds
from events.game import DiceRolled
from events.questions import WhichWeapon, WhichWounds, WhoTakesWounds, WoundGroup
from events.values import Profile, Weapon
from projections.battle import UnitTurn

CARBINE = Weapon("carbine", 18000, 4, None, "assault", 2)
PAIR = Weapon("pair", 24000, 4, None, "heavy", 3, rules=("Twin-linked",))
LONG = Weapon("long", 36000, 4, None, "assault", 3, rules=("Precision Shots",))
MELTER = Weapon("melter", 12000, 8, 1, "assault", 1)
SCORCHER = Weapon("scorcher", 24000, 4, None, "assault", 1, rules=("Ignores Cover",))
DAGGER = Weapon("dagger", 12000, 1, None, "assault", 1, "user+")
SOFT = Profile("soft", 3, 3, 3, 3, 1, 3, 1, 7)
BS4 = Profile("bs4", 4, 4, 4, 4, 1, 4, 1, 8, save=3)
MOB = [(20, 22), (20, 24), (20, 26), (20, 28), (20, 30)]


def mob(squad: Any, profile: Profile = SOFT, **more: Any) -> Any:
    """Five models of blue's, the first the nearest."""
    return squad("mob", MOB, side="blue", profile=profile, **more)


def removed(game: Any) -> list[str]:
    """Return the casualties in order."""
    return [event.model for event in game.said(ModelRemoved)]


def test_the_shooter_says_who_takes_the_wounds_of_precision_shots(
    squad: Any, skirmish: Any
) -> None:
    """[ALLO-5, WPOL-2, WPOL-3] The 6 is wounded with apart; he chooses which group comes first."""
    game = skirmish(
        squad("guns", [(20, 10)], [LONG], profile=BS4),
        squad("spare", [(60, 5)]),
        mob(squad),
        dice=[6, 3, 3, 4, 4, 4],
    )
    game.play(Shoot("guns", "mob", "long"))
    assert game.said(HitsScored)[0].hits == 3
    assert [(w.wounds, w.strength) for w in game.said(WoundsScored)] == [(2, 4), (1, 4)]
    game.play(GoToGround(False))
    groups = (WoundGroup(4, None, 2), WoundGroup(4, None, 1, precise=True))
    assert game.battle.question == WhichWounds("red", "mob", groups)
    assert game.legal() == [AllocateWounds(4), AllocateWounds(4, None, precise=True)]
    assert game.refused(AllocateWounds(4, 2)) == "WPOL-3"
    game.play(AllocateWounds(4, None, precise=True))
    everybody = tuple(f"mob.{n}" for n in range(1, 6))
    assert game.battle.question == WhoTakesWounds("red", "mob", everybody, 1)
    assert game.refused(TakeWounds(("mob.9",))) == "ALLO-5"
    game.play(TakeWounds(("mob.4",)))
    assert removed(game)[:3] == ["mob.4", "mob.1", "mob.2"]


def test_precision_reaches_only_whom_a_model_sees_and_reaches(squad: Any, skirmish: Any) -> None:
    """[ALLO-3, ALLO-5] The last is beyond 18 inches."""
    near = Weapon("near", 18000, 4, None, "assault", 1, rules=("Precision Shots",))
    game = skirmish(squad("guns", [(20, 10)], [near], profile=BS4), mob(squad), dice=[6, 4])
    game.play(Shoot("guns", "mob", "near"), GoToGround(False))
    assert game.battle.question.eligible == ("mob.1", "mob.2", "mob.3", "mob.4")


@pytest.mark.parametrize("ruleset", ["40k-6e", "40k-7e"])
def test_every_character_shoots_precisely_in_the_6th_edition(
    squad: Any, skirmish: Any, ruleset: str
) -> None:
    """[ALLO-5] In the 7th it takes the rule."""
    game = skirmish(
        squad("chief", [(20, 10)], [CARBINE], profile=BS4, rules=("Character",)),
        mob(squad),
        dice=[6, 1, 4],
        ruleset=ruleset,
    )
    game.play(Shoot("chief", "mob", "carbine"), GoToGround(False))
    asked = isinstance(game.battle.question, WhoTakesWounds)
    assert asked == (ruleset == "40k-6e")
    assert removed(game) == ([] if asked else ["mob.1"])


def test_snap_shots_are_never_precise(squad: Any, skirmish: Any) -> None:
    """[SNAP-4]"""
    game = skirmish(
        squad("guns", [(20, 10)], [LONG], profile=BS4), mob(squad), dice=[6, 1, 1, 4],
        turn=[UnitTurn("guns", regrouped=True)],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "long"), GoToGround(False))
    assert removed(game) == ["mob.1"]


@pytest.mark.parametrize(
    ("bs", "dice", "again", "hits"),
    [
        (4, [1, 3, 2, 2, 3], 3, 2),
        (7, [1, 2, 1, 2, 1], 2, 2),  # the better of the two re-rolls
        (3, [3, 3, 3, 4, 1, 1], 4, 1),
    ],
)
def test_a_twin_linked_weapon_rolls_its_misses_again_once(
    squad: Any, skirmish: Any, bs: int, dice: list[int], again: int, hits: int
) -> None:
    """[BSIX-2, RERL-1, RERL-2, RERL-4]"""
    shooter = Profile("shooter", 4, bs, 4, 4, 1, 4, 1, 8)
    game = skirmish(
        squad("guns", [(20, 10)], [PAIR], profile=shooter), mob(squad), dice=[*dice, *[1] * hits]
    )
    game.play(Shoot("guns", "mob", "pair"))
    rolls = [r for r in game.said(DiceRolled) if r.purpose == "to hit re-roll"]
    assert [(r.need, len(r.faces)) for r in rolls] == [(again, len(dice) - 3)]
    assert game.said(HitsScored)[0].hits == hits


def test_twin_linked_snap_shots_are_rolled_again(squad: Any, skirmish: Any) -> None:
    """[SNAP-1, SNAP-3, HEVY-2] On 6s."""
    game = skirmish(
        squad("guns", [(20, 10)], [PAIR], profile=BS4), mob(squad), dice=[6, 5, 4, 6, 1, 1, 1],
        turn=[UnitTurn("guns", moved=(1,))],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "pair"))
    assert game.said(HitsScored)[0].hits == 2


@pytest.mark.parametrize(("die", "shots"), [(6, 9), (3, 5)])
def test_each_model_rolls_for_its_number_of_shots(
    squad: Any, skirmish: Any, die: int, shots: int
) -> None:
    """[THIT-2, DMOD-1] 4 and 5 with a D6, 2 and 3 with a D3."""
    storm = Weapon("storm", 24000, 4, None, "assault", 1, shots_die=die)
    game = skirmish(
        squad("guns", [(20, 10), (21.5, 10)], [storm], profile=BS4),
        mob(squad),
        dice=[4, 5, *[1] * shots],
    )
    game.play(Shoot("guns", "mob", "storm"))
    assert game.said(WeaponFired)[0].shots == shots


def test_the_strong_and_the_weak_throw_daggers(squad: Any, skirmish: Any) -> None:
    """[WPOL-2, WPOL-3, WPRF-2] One group of the pool is allocated before the next."""
    strong = Profile("strong", 4, 4, 5, 4, 1, 4, 1, 8)
    brute = Profile("brute", 4, 3, 5, 3, 2, 2, 3, 7)
    game = skirmish(
        squad("knives", [(20, 10), (21.5, 10)], [DAGGER], profile=BS4, others={2: strong}),
        squad("brutes", [(20, 20), (20, 22)], side="blue", profile=brute),
        squad("spare", [(60, 5)]),
        dice=[3, 3, 3, 3],
    )
    game.play(Shoot("knives", "brutes", "dagger"), GoToGround(False))
    assert game.battle.question.groups == (WoundGroup(5, None, 1), WoundGroup(6, None, 1))
    game.play(AllocateWounds(6))
    assert game.said(WoundSuffered) == [
        WoundSuffered("brutes.1", 2, 2, "shooting", True),
        WoundSuffered("brutes.2", 1, 1, "shooting"),
    ]


def test_all_weapons_are_fired_at_once_in_the_6th_edition(squad: Any, skirmish: Any) -> None:
    """[SHSQ-4, WPOL-4, V-20] The melter reaches the near model, though the carbine kills it."""
    squads = (
        squad("guns", [(20, 11), (21.5, 11)], [CARBINE, MELTER], profile=BS4,
              carry={1: ("carbine",), 2: ("melter",)}),
        squad("spare", [(60, 5)]),
        squad("mob", [(20, 22), (20, 25)], side="blue", profile=SOFT),
    )  # fmt: skip
    game = skirmish(*squads, dice=[3, 1, 3, 3, 3], ruleset="40k-6e")
    game.play(Shoot("guns", "mob", "carbine"))
    assert isinstance(game.battle.question, WhichWeapon) and not game.said(DiceRolled)
    assert game.refused(Shoot("guns", "mob", "carbine")) == "SHWP-3"
    game.play(Shoot("guns", "mob", "melter"))
    assert [f.weapon for f in game.said(WeaponFired)] == ["carbine", "melter"]
    assert [r.weapon for r in game.said(DiceRolled)] == ["carbine", "melter", "carbine", "melter"]
    # one pool, sorted by kind; the melter's Wound may go on to whom only the carbine reaches
    game.play(GoToGround(False), AllocateWounds(4))
    assert [w.model for w in game.said(WoundAllocated)] == ["mob.1", "mob.2"]
    assert game.said(ShootingFinished) == [ShootingFinished("guns")]


def test_a_unit_may_hold_some_weapons_back_in_the_6th_edition(squad: Any, skirmish: Any) -> None:
    """[SHSQ-4, SHMD-2]"""
    game = skirmish(
        squad("guns", [(20, 11), (21.5, 11)], [CARBINE, MELTER], profile=BS4,
              carry={1: ("carbine",), 2: ("melter",)}),
        squad("spare", [(60, 5)]),
        squad("mob", [(20, 22), (20, 25)], side="blue", profile=SOFT),
        dice=[1, 1],
        ruleset="40k-6e",
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "carbine"), CeaseFire())
    assert [f.weapon for f in game.said(WeaponFired)] == ["carbine"]
    assert game.said(ShootingFinished) == [ShootingFinished("guns")]


def test_wounds_without_cover_are_a_group_apart(squad: Any, skirmish: Any) -> None:
    """[WPOL-2, WPOL-4, COVR-4] In one pool of the 6th edition: down, 6+ against some only."""
    game = skirmish(
        squad("guns", [(20, 11), (21.5, 11)], [CARBINE, SCORCHER], profile=BS4,
              carry={1: ("carbine",), 2: ("scorcher",)}),
        squad("spare", [(60, 5)]),
        mob(squad),
        dice=[3, 1, 3, 3, 3, 6],
        ruleset="40k-6e",
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "carbine"), Shoot("guns", "mob", "scorcher"), GoToGround(True))
    assert game.battle.question.groups == (
        WoundGroup(4, None, 1),
        WoundGroup(4, None, 1, coverless=True),
    )
    game.play(AllocateWounds(4, None, coverless=True))
    assert [(w.model, w.save) for w in game.said(WoundAllocated)] == [
        ("mob.1", None),
        ("mob.2", "cover"),
    ]
