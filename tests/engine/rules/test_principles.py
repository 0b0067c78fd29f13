"""Principles that every rule keeps to: a 1 fails, the special rule holds, whose a model is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.board import disc_of
from engine.rules.saves import best_save
from engine.rules.to_hit import melee_needed, shooting_needed
from engine.rules.to_wound import majority, wound_needed
from events.attacks import HitsScored, WeaponFired, WoundAllocated
from events.choices import Shoot
from events.game import DiceRolled
from events.questions import WhichWeapon, WhoShoots
from events.values import Profile, Weapon
from projections.battle import UnitTurn
from projections.queries import owner

CANNON = Weapon("cannon", 36000, 4, 5, "heavy", 2)
SMALL = Weapon("small", 24000, 4, 5, "assault", 1)
TOUGH = Profile("tough", 4, 4, 4, 8, 2, 4, 1, 8)
KNIGHT = Profile("knight", 4, 4, 4, 4, 1, 4, 1, 8, save=2, invulnerable=2)


def test_a_one_never_succeeds() -> None:
    """[DMOD-3, TWND-3, XSAV-1, THIT-1] Whatever is better than 2+ needs a 2."""
    assert all(shooting_needed(bs)[0] >= 2 for bs in range(1, 11))
    assert all((shooting_needed(bs)[1] or 2) >= 2 for bs in range(1, 11))
    scores = [wound_needed(s, t) for s in range(1, 11) for t in range(1, 11)]
    assert {score for score in scores if score is not None} == {2, 3, 4, 5, 6}
    assert {melee_needed(ws, foe) for ws in range(1, 11) for foe in range(1, 11)} == {3, 4, 5}
    assert best_save(KNIGHT, None, cover=1)[1] == 2


def test_what_is_not_wounded_takes_no_dice(squad: Any, skirmish: Any) -> None:
    """[TWND-4, TWND-1, V-15] Strength 4 does nothing to Toughness 8."""
    game = skirmish(
        squad("guns", [(20, 10)], [SMALL]),
        squad("hulk", [(20, 20)], side="blue", profile=TOUGH),
        dice=[3],
    )
    game.play(Shoot("guns", "hulk", "small"))
    assert [roll.purpose for roll in game.said(DiceRolled)] == ["to hit"]


def test_the_wound_table_as_printed() -> None:
    """[TWND-2, V-15] Strength down, Toughness across; N where nothing happens."""
    table = """
        4 5 6 6 N N N N N N
        3 4 5 6 6 N N N N N
        2 3 4 5 6 6 N N N N
        2 2 3 4 5 6 6 N N N
        2 2 2 3 4 5 6 6 N N
        2 2 2 2 3 4 5 6 6 N
        2 2 2 2 2 3 4 5 6 6
        2 2 2 2 2 2 3 4 5 6
        2 2 2 2 2 2 2 3 4 5
        2 2 2 2 2 2 2 2 3 4
    """
    for strength, row in enumerate(table.split("\n")[1:-1], 1):
        said = [wound_needed(strength, toughness) or "N" for toughness in range(1, 11)]
        assert " ".join(map(str, said)) == row.strip()


@pytest.mark.parametrize(
    ("values", "wanted"), [((4, 4, 4, 5, 5, 5), 5), ((4, 4, 4, 5, 5), 4), ((3,), 3)]
)
def test_the_majority_counts_and_the_highest_on_a_tie(values: tuple[int, ...], wanted: int) -> None:
    """[V-16, MTGH-1]"""
    assert majority(values) == wanted


def test_saves_know_no_difference_between_a_shot_a_blow_and_a_fall() -> None:
    """[APEN-3, INVU-1, INVU-2, WAP-1, SAVE-3] Without cover, as in a combat: AP as in shooting."""
    guard = Profile("guard", 4, 4, 4, 4, 1, 4, 1, 8, save=4, invulnerable=5)
    saves = [best_save(guard, ap)[0] for ap in (None, 6, 5, 4, 3, 1)]
    assert saves == ["armour", "armour", "armour", *["invulnerable"] * 3]


@pytest.mark.parametrize(("rules", "snap"), [((), True), (("Relentless",), False)])
def test_a_special_rule_holds_before_the_basic_one(
    squad: Any, skirmish: Any, rules: tuple[str, ...], snap: bool
) -> None:
    """[BVA-1, BVA-2, BVA-3, HEVY-2] A Heavy weapon that moved, in the hands of the Relentless."""
    game = skirmish(
        squad("guns", [(20, 10)], [CANNON], rules=rules),
        squad("mob", [(20, 20)], side="blue"),
        dice=[5, 5, *([] if snap else [1, 1])],
        turn=[UnitTurn("guns", moved=(1,))],
    )
    game.play(Shoot("guns", "mob", "cannon"))
    assert game.said(WeaponFired)[0].snap == snap
    assert game.said(HitsScored)[0].hits == (0 if snap else 2)


def test_one_save_and_no_second(squad: Any, skirmish: Any) -> None:
    """[SAVE-2, MSAV-1] A failed armour save is not followed by the invulnerable one."""
    guard = Profile("guard", 4, 4, 4, 4, 1, 4, 1, 8, save=4, invulnerable=5)
    game = skirmish(
        squad("guns", [(20, 10)], [SMALL]),
        squad("mob", [(20, 20), (20, 22), (20, 24), (20, 26), (20, 28)], side="blue",
              profile=guard),
        dice=[3, 4, 1],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "small"))
    assert game.said(WoundAllocated) == [WoundAllocated("mob.1", "armour", 4)]
    assert game.numbers("mob") == [2, 3, 4, 5]


def test_a_stat_line_has_nine_characteristics() -> None:
    """[PROF-1, PROF-2] And an invulnerable save where a model has one."""
    names = [field.name for field in msgspec.structs.fields(Profile)]
    line = "ws bs strength toughness wounds initiative attacks leadership save invulnerable"
    assert names == ["name", *line.split()]


def test_a_model_is_its_owners_and_takes_the_room_of_its_base(squad: Any, skirmish: Any) -> None:
    """[PLYR-1, UNIT-1, UNIT-2, UNIT-6] One unit a model, one side a unit."""
    game = skirmish(squad("guns", [(20, 10)], [SMALL]), squad("mob", [(20, 20)], side="blue"))
    assert (owner(game.battle, "guns"), owner(game.battle, "mob")) == ("red", "blue")
    unit = game.unit("guns")
    assert disc_of(game.battle, unit, unit.models[0]) == (20000, 10000, 125)
    models = [model.id for setup in game.battle.setups for model in setup.models]
    assert models == ["guns.1", "mob.1"]


def test_a_weapon_with_several_profiles_is_fired_with_one(squad: Any, skirmish: Any) -> None:
    """[WPRF-3, SHWP-2] Each profile is a weapon to choose; its bearer has fired then."""
    rifle = Weapon("twin-rifle", 24000, 4, 5, "rapid_fire")
    torch = Weapon("twin-torch", 8000, 4, 5, "assault", 1, template=True)
    game = skirmish(
        squad("guns", [(20, 10), (22, 10)], [rifle, torch]),
        squad("spare", [(60, 5)]),
        squad("mob", [(21, 15)], side="blue", profile=TOUGH),
        dice=[1, 1],
    )
    game.play(Shoot("guns", "mob", "twin-rifle", (1,)))
    assert isinstance(game.battle.question, WhichWeapon)
    assert game.refused(Shoot("guns", "mob", "twin-torch", (1,))) == "SHMD-1"
    game.play(Shoot("guns", "mob", "twin-torch", (2,)))
    game.play(game.legal()[0])
    assert isinstance(game.battle.question, WhoShoots)
