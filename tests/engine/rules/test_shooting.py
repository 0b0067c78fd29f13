"""The Shooting phase: who shoots at whom with what, to hit, to wound. [SHPH, SHSQ, THIT, TWND]"""

from __future__ import annotations

from typing import Any

import pytest

from events.attacks import (
    HitsScored,
    ShootingFinished,
    TargetChosen,
    WeaponFired,
    WoundsLost,
    WoundsScored,
)
from events.choices import CeaseFire, EndPhase, GoToGround, Run, Shoot
from events.game import DiceRolled
from events.questions import WhichWeapon, WhoShoots
from events.values import Profile, Weapon
from projections.battle import AssaultPhase, UnitTurn
from projections.queries import turn_of

RIFLE = Weapon("rifle", 24000, 4, 5, "rapid_fire")
CARBINE = Weapon("carbine", 18000, 4, None, "assault", 2)
CANNON = Weapon("cannon", 36000, 4, 4, "heavy", 3)
MELTER = Weapon("melter", 12000, 8, 1, "assault", 1)
PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")
SWORD = Weapon("sword", 0, 0, None, "melee", strength_from="user+")
ODDITY = Weapon("oddity", 24000, 4, None, "other")
DAGGER = Weapon("dagger", 8000, 1, None, "assault", 1, "user+")
STAND = GoToGround(False)

SOFT = Profile("soft", 3, 3, 3, 3, 1, 3, 1, 7)
DEADEYE = Profile("deadeye", 4, 7, 4, 4, 1, 4, 1, 8, save=3)
BASE = 0.984
"""Two 25 mm bases touch at this distance of their centres in inches, to within a mil."""


def at(gap: float) -> tuple[float, float]:
    """Return the place whose base is `gap` inches east of one at 10,20, a hair less."""
    return 10 + BASE + gap, 20.0


def test_a_weapon_group_hits_and_wounds(squad: Any, skirmish: Any) -> None:
    """[SHPH-1, SHSQ-1, THIT-1, TWND-1] Two of four hit on 3+, one of two wounds on 3+."""
    game = skirmish(
        squad("rifles", [(10, 20), (10, 22)], [RIFLE]),
        squad("mob", [at(8), (19, 22), (19, 24), (19, 26), (19, 28)], side="blue", profile=SOFT),
        dice=[1, 3, 6, 2, 2, 3],
    )
    game.play(Shoot("rifles", "mob", "rifle"), STAND)
    assert game.said(TargetChosen) == [TargetChosen("rifles", "mob")]
    assert game.said(WeaponFired) == [
        WeaponFired("rifles", "mob", "rifle", "rapid_fire", (1, 2), 4)
    ]
    assert game.said(HitsScored) == [HitsScored("rifles", "mob", "rifle", 2)]
    assert game.said(WoundsScored) == [WoundsScored("rifles", "mob", "rifle", 1, 4, 5)]
    assert game.numbers("mob") == [2, 3, 4, 5]
    assert game.said(ShootingFinished) == [ShootingFinished("rifles")]


def test_dice_carry_what_they_are_rolled_for(squad: Any, skirmish: Any) -> None:
    """[THIT-1, TWND-1] Subject, opponent, weapon and score stand in every roll."""
    game = skirmish(
        squad("rifles", [(10, 20)], [PISTOL]),
        squad("mob", [at(8), at(9.5), at(11), at(13), at(15)], side="blue"),
        dice=[3, 4, 2],
    )
    game.play(Shoot("rifles", "mob", "pistol"))
    assert [
        (r.purpose, r.subject, r.opponent, r.weapon, r.need, r.passed)
        for r in game.said(DiceRolled)
    ] == [
        ("to hit", "rifles", "mob", "pistol", 3, 1),
        ("to wound", "rifles", "mob", "pistol", 4, 1),
        ("armour save", "mob", "rifles", "pistol", 3, 0),
    ]


@pytest.mark.parametrize(("gap", "shots"), [(11.99, 2), (12.0, 2), (12.1, 1), (24.0, 1)])
def test_rapid_fire_shoots_twice_within_half_range(
    squad: Any, skirmish: Any, gap: float, shots: int
) -> None:
    """[RPFR-1, RPFR-2, WRNG-2, THIT-2, AMB-15]"""
    game = skirmish(
        squad("idle", [(60, 5)]),
        squad("rifles", [(10, 20)], [RIFLE]),
        squad("mob", [at(gap)], side="blue"),
        dice=[1] * shots,
    )
    game.play(Shoot("rifles", "mob", "rifle"))
    assert game.said(WeaponFired)[0].shots == shots
    assert turn_of(game.battle, "rifles").fired == ("rapid_fire",)


def test_out_of_range_is_refused(squad: Any, skirmish: Any) -> None:
    """[SHRG-1, WRNG-1, SHNM-1] Refused, not wasted. [SHTG-3, MEAS-1, AMB-12]"""
    game = skirmish(squad("rifles", [(10, 20)], [RIFLE]), squad("mob", [at(24.1)], side="blue"))
    assert game.refused(Shoot("rifles", "mob", "rifle")) == "SHRG-1"
    assert game.legal() == [Run("rifles"), EndPhase()]


def test_nobody_is_in_the_way_on_open_ground(squad: Any, skirmish: Any) -> None:
    """[LOS-1, LOSU-1] The rear model fires past its own unit and past another."""
    game = skirmish(
        squad("rifles", [(10, 20), (8, 20)], [CARBINE]),
        squad("friends", [(12, 20)]),
        squad("mob", [at(8)], side="blue"),
        dice=[1, 1, 1, 1],
    )
    game.play(Shoot("rifles", "mob", "carbine"))
    assert game.said(WeaponFired)[0].models == (1, 2)


def test_ballistic_skill_seven_rolls_misses_again(squad: Any, skirmish: Any) -> None:
    """[BSIX-1, RERL-1] 1 2 5 1, and 4 5 for the two misses: three hits."""
    game = skirmish(
        squad("deadeyes", [(10, 20), (10, 22)], [CARBINE], profile=DEADEYE),
        squad("mob", [at(8)], side="blue", profile=Profile("hull", 4, 4, 8, 8, 1, 1, 1, 9)),
        dice=[1, 2, 5, 1, 4, 5],
    )
    game.play(Shoot("deadeyes", "mob", "carbine"))
    assert game.said(HitsScored)[0].hits == 3
    assert [r.purpose for r in game.said(DiceRolled)] == ["to hit", "to hit re-roll"]


def test_what_cannot_be_wounded_is_not_rolled_for(squad: Any, skirmish: Any) -> None:
    """[TWND-2] Strength 4 against Toughness 8: no dice, no Wounds."""
    game = skirmish(
        squad("rifles", [(10, 20)], [PISTOL]),
        squad("hulk", [at(8)], side="blue", profile=Profile("hull", 4, 4, 8, 8, 1, 1, 1, 9)),
        dice=[6],
    )
    game.play(Shoot("rifles", "hulk", "pistol"))
    assert game.said(WoundsScored) == [WoundsScored("rifles", "hulk", "pistol", 0, 4, 5)]
    assert game.said(WoundsLost) == []


def test_a_moved_model_snap_fires_a_heavy_weapon(squad: Any, skirmish: Any) -> None:
    """[HEVY-2, MVSH-1, SNAP-1] Moved: 6, 5, 6 are two hits at BS 1; the unit fired "heavy"."""
    game = skirmish(
        squad("idle", [(60, 5)]),
        squad("guns", [(10, 20)], [CANNON]),
        squad("mob", [at(30)], side="blue", profile=Profile("hull", 4, 4, 8, 8, 1, 1, 1, 9)),
        dice=[6, 5, 6],
        turn=[UnitTurn("guns", moved=(1,))],
    )
    game.play(Shoot("guns", "mob", "cannon"))
    assert game.said(HitsScored)[0].hits == 2
    assert game.said(WeaponFired)[0].snap
    assert turn_of(game.battle, "guns").fired == ("heavy",)


def test_moved_and_unmoved_models_roll_separately_in_one_group(squad: Any, skirmish: Any) -> None:
    """[HEVY-1, HEVY-2, THIT-3, THIT-4] In unit order: models 1 and 3 stood, 2 moved."""
    game = skirmish(
        squad("guns", [(10, 20), (10, 22), (10, 24)], [CANNON]),
        squad("mob", [at(30)], side="blue", profile=Profile("hull", 4, 4, 8, 8, 1, 1, 1, 9)),
        dice=[3, 3, 3, 1, 2, 3, 5, 6, 3],
        turn=[UnitTurn("guns", moved=(2,))],
    )
    game.play(Shoot("guns", "mob", "cannon"))
    assert [(r.need, r.passed, len(r.faces)) for r in game.said(DiceRolled)] == [
        (3, 4, 6),
        (6, 1, 3),
    ]
    fired = game.said(WeaponFired)
    assert [(f.models, f.shots, f.snap) for f in fired] == [((1, 2, 3), 9, False)]


@pytest.mark.parametrize("moved", [(), (1,)])
def test_assault_weapons_and_pistols_do_not_mind_moving(
    squad: Any, skirmish: Any, moved: tuple[int, ...]
) -> None:
    """[ASLT-1, PIST-1]"""
    game = skirmish(
        squad("rifles", [(10, 20), (10, 22)], [CARBINE, PISTOL], carry={1: ("carbine",),
              2: ("pistol",)}),
        squad("mob", [at(8)], side="blue"),
        dice=[1, 2, 2],
        turn=[UnitTurn("rifles", moved=moved)],
    )  # fmt: skip
    game.play(Shoot("rifles", "mob", "carbine"), Shoot("rifles", "mob", "pistol"))
    assert [(f.weapon, f.shots, f.snap) for f in game.said(WeaponFired)] == [
        ("carbine", 2, False),
        ("pistol", 1, False),
    ]


@pytest.mark.parametrize("status", ["falling back", "regrouped"])
def test_falling_back_and_regrouped_units_only_snap_fire(
    squad: Any, skirmish: Any, status: str
) -> None:
    """[SHNM-2, FALL-5, RGRP-2]"""
    game = skirmish(
        squad("rifles", [(10, 20)], [PISTOL], falling_back=status == "falling back"),
        squad("mob", [at(8)], side="blue"),
        dice=[5],
        turn=[UnitTurn("rifles", regrouped=status == "regrouped")],
    )
    assert game.refused(Run("rifles")) == {"falling back": "FALL-5", "regrouped": "RGRP-2"}[status]
    game.play(Shoot("rifles", "mob", "pistol"))
    assert game.said(WeaponFired)[0].snap
    assert game.said(HitsScored)[0].hits == 0


def test_mixed_toughness_is_counted_again_for_each_group(squad: Any, skirmish: Any) -> None:
    """[MTGH-1, MTGH-2] 3 of T4, 3 of T5: 5+ at first, 4+ once a T5 model died."""
    tough = Profile("tough", 3, 3, 3, 5, 1, 3, 1, 7)
    plain = Profile("plain", 3, 3, 3, 4, 1, 3, 1, 7)
    game = skirmish(
        squad("rifles", [(10, 20), (10, 22)], [PISTOL, CARBINE],
              carry={1: ("pistol",), 2: ("carbine",)}),
        squad("mob", [at(6), (19, 20), (19, 21.5), (19, 23), (19, 24.5), (19, 26)], side="blue",
              profile=plain, others={1: tough, 2: tough, 3: tough}),
        dice=[3, 5, 3, 3, 3, 3],
    )  # fmt: skip
    game.play(Shoot("rifles", "mob", "pistol"), STAND)
    game.play(Shoot("rifles", "mob", "carbine"))
    assert [r.need for r in game.said(DiceRolled) if r.purpose == "to wound"] == [5, 4]
    assert game.numbers("mob") == [2, 3, 4, 5, 6]


def test_bearers_of_different_strength_make_pools_of_their_own(squad: Any, skirmish: Any) -> None:
    """[WPOL-2, WPRF-2]"""
    strong = Profile("strong", 4, 4, 5, 4, 1, 4, 1, 8)
    game = skirmish(
        squad("knives", [(10, 20), (10, 22)], [DAGGER], others={2: strong}),
        squad("mob", [at(5)], side="blue"),
        dice=[3, 3, 1, 1],
    )
    game.play(Shoot("knives", "mob", "dagger"))
    assert game.said(HitsScored)[0].hits == 2
    assert [(w.strength, w.wounds) for w in game.said(WoundsScored)] == [(5, 0), (6, 0)]


def test_the_order_of_weapons_decides_what_is_in_range(squad: Any, skirmish: Any) -> None:
    """[SHSQ-2, SHRG-2] Rifles first kill the near model, and the melter reaches nobody."""
    squads = (
        squad("idle", [(60, 5)]),
        squad("rifles", [(10, 20), (10, 22)], [RIFLE, MELTER],
              carry={1: ("melter",), 2: ("rifle",)}),
        squad("mob", [at(11), at(14), at(15.5)], side="blue", profile=SOFT),
    )  # fmt: skip
    game = skirmish(*squads, dice=[3, 1, 3])
    game.play(Shoot("rifles", "mob", "rifle"), STAND)
    assert game.numbers("mob") == [2, 3]
    assert isinstance(game.battle.question, WhoShoots)
    game = skirmish(*squads, dice=[1])
    game.play(Shoot("rifles", "mob", "melter"))
    assert isinstance(game.battle.question, WhichWeapon)
    assert game.legal() == [Shoot("rifles", "mob", "rifle"), CeaseFire()]


def test_the_target_is_chosen_once(squad: Any, skirmish: Any) -> None:
    """[SHSQ-3, SHTG-4, SHPH-1, SHPH-4]"""
    game = skirmish(
        squad("rifles", [(10, 20), (10, 22)], [PISTOL, CARBINE],
              carry={1: ("pistol",), 2: ("carbine",)}),
        squad("others", [(10, 30)], [CARBINE]),
        squad("mob", [at(8)], side="blue"),
        squad("gang", [(18, 28)], side="blue"),
        dice=[1],
    )  # fmt: skip
    game.play(Shoot("rifles", "mob", "pistol"))
    assert game.refused(Shoot("rifles", "gang", "carbine")) == "SHTG-4"
    assert game.refused(Shoot("others", "mob", "carbine")) == "SHPH-1"
    assert game.refused(Shoot("rifles", "mob", "pistol")) == "SHWP-3"
    game.play(CeaseFire())
    assert game.refused(Shoot("rifles", "mob", "carbine")) == "SHPH-1"
    assert turn_of(game.battle, "rifles").target == "mob"


def test_a_model_fires_one_weapon(squad: Any, skirmish: Any) -> None:
    """[SHWP-2, SHWP-3, SHMD-2] Model 2 lets the pistols pass and fires its carbine."""
    game = skirmish(
        squad("rifles", [(10, 20), (10, 22)], [PISTOL, CARBINE]),
        squad("mob", [at(8)], side="blue"),
        dice=[1, 1, 1],
    )
    assert game.refused(Shoot("rifles", "mob", "pistol", (3,))) == "SHMD-1"
    assert game.refused(Shoot("rifles", "mob", "pistol", (1, 1))) == "SHWP-2"
    game.play(Shoot("rifles", "mob", "pistol", (1,)))
    assert game.refused(Shoot("rifles", "mob", "carbine", (1,))) == "SHMD-1"
    game.play(Shoot("rifles", "mob", "carbine"))
    assert [(f.weapon, f.models) for f in game.said(WeaponFired)] == [
        ("pistol", (1,)),
        ("carbine", (2,)),
    ]


def test_all_bearers_have_fired(squad: Any, skirmish: Any) -> None:
    """[SHWP-2] Nobody is left for the second weapon: it isn't asked about, nor allowed."""
    game = skirmish(
        squad("rifles", [(10, 20), (10, 22)], [PISTOL, CARBINE, MELTER],
              carry={1: ("pistol", "carbine"), 2: ("melter",)}),
        squad("mob", [at(8)], side="blue"),
        dice=[1],
    )  # fmt: skip
    game.play(Shoot("rifles", "mob", "pistol"))
    assert game.refused(Shoot("rifles", "mob", "carbine")) == "SHWP-2"


@pytest.mark.parametrize(
    ("weapon", "rule"),
    [("sword", "MELE-1"), ("oddity", "WPRF-1"), ("trebuchet", "SHWP-1")],
)
def test_what_cannot_be_fired(squad: Any, skirmish: Any, weapon: str, rule: str) -> None:
    """[MELE-1, SHWP-1]"""
    game = skirmish(
        squad("rifles", [(10, 20)], [SWORD, ODDITY]), squad("mob", [at(8)], side="blue")
    )
    assert game.refused(Shoot("rifles", "mob", weapon)) == rule
    assert game.legal() == [Run("rifles"), EndPhase()]


def test_no_ballistic_skill_no_shot(squad: Any, skirmish: Any) -> None:
    """[ZERO-2]"""
    blind = Profile("blind", 4, None, 4, 4, 1, 4, 1, 8)
    game = skirmish(
        squad("rifles", [(10, 20)], [PISTOL], profile=blind), squad("mob", [at(8)], side="blue")
    )
    assert game.refused(Shoot("rifles", "mob", "pistol")) == "ZERO-2"


def test_who_may_shoot_at_whom(squad: Any, skirmish: Any) -> None:
    """[SHPH-3, SHTG-1, SHTG-2, SHPH-1, RMV-1, LOCK-4, LOCK-5]"""
    game = skirmish(
        squad("rifles", [(10, 20)], [PISTOL]),
        squad("fighters", [(18, 24)], [PISTOL], locked=True),
        squad("gone", [], [PISTOL]),
        squad("mob", [at(8)], [PISTOL], side="blue"),
        squad("brawlers", [(19, 24)], side="blue", locked=True),
        squad("dead", [], side="blue"),
    )
    assert game.refused(Shoot("fighters", "mob", "pistol")) == "SHPH-3"
    assert game.refused(Run("fighters")) == "SHPH-3"
    assert game.refused(Shoot("rifles", "brawlers", "pistol")) == "SHTG-2"
    assert game.refused(Shoot("rifles", "fighters", "pistol")) == "SHTG-1"
    assert game.refused(Shoot("mob", "rifles", "pistol")) == "SHPH-1"
    assert game.refused(Shoot("rifles", "dead", "pistol")) == "RMV-1"
    assert game.refused(Shoot("gone", "mob", "pistol")) == "RMV-1"
    assert game.refused(Shoot("nobody", "mob", "pistol")) == "UNIT-1"
    assert game.refused(Shoot("rifles", "nobody", "pistol")) == "UNIT-1"
    assert game.legal() == [Shoot("rifles", "mob", "pistol"), Run("rifles"), EndPhase()]


def test_the_phase_ends_when_nobody_can_act(squad: Any, skirmish: Any) -> None:
    """[SHPH-1, TURN-2] The last unit has shot: there is nothing left to ask in this phase."""
    game = skirmish(
        squad("rifles", [(10, 20)], [PISTOL]), squad("mob", [at(8)], side="blue"), dice=[1]
    )
    game.play(Shoot("rifles", "mob", "pistol"))
    assert isinstance(game.battle.phase, AssaultPhase) or game.battle.clock.active == "blue"
