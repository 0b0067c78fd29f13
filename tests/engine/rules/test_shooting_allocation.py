"""Allocation, saves and casualties of shooting; Overwatch's group. [ALRC, ALLO, SAVE, MSAV]"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.ask import Roll
from engine.rules.saves import best_save
from engine.rules.shooting import can_fire, fire_group
from engine.runner import Action
from events.attacks import (
    ModelRemoved,
    UnitDestroyed,
    WeaponFired,
    WoundAllocated,
    WoundSaved,
    WoundsLost,
    WoundSuffered,
)
from events.base import Event
from events.choices import GoToGround, Shoot
from events.game import DiceRolled
from events.morale import MoraleChecked
from events.values import Profile, Weapon
from projections.battle import AssaultPhase, Battle

CARBINE = Weapon("carbine", 24000, 4, 5, "assault", 2)
BLASTER = Weapon("blaster", 24000, 8, 2, "assault", 4)
RIFLE = Weapon("rifle", 24000, 4, 5, "rapid_fire")
PELLETS = Weapon("pellets", 24000, 4, None, "assault", 4)
STAND = GoToGround(False)

GUARD = Profile("guard", 3, 3, 3, 3, 1, 3, 1, 7, save=5)
BRUTE = Profile("brute", 4, 3, 5, 4, 3, 2, 3, 7, save=6)
KNIGHT = Profile("knight", 5, 4, 4, 4, 1, 5, 2, 9, save=3, invulnerable=4)


def removed(game: Any) -> list[str]:
    """Return the casualties in order."""
    return [event.model for event in game.said(ModelRemoved)]


def test_the_closest_eligible_models_die_and_the_rest_is_lost(squad: Any, skirmish: Any) -> None:
    """[ALLO-1, ALLO-3, ALLO-4, SHRG-3, ALRC-3, APEN-1, WHEN-1]

    At 8, 12, 20 and 26 inches; four Wounds.
    """
    game = skirmish(
        squad("guns", [(10, 20)], [Weapon("autogun", 24000, 4, 5, "assault", 4)]),
        squad(
            "guards",
            [(18.98, 20), (22.98, 20), (30.98, 20), (36.98, 20)],
            side="blue",
            profile=GUARD,
        ),
        dice=[3, 3, 3, 3, 3, 3, 3, 3, 3, 3],
    )
    game.play(Shoot("guns", "guards", "autogun"), STAND)
    assert removed(game) == ["guards.1", "guards.2", "guards.3"]
    assert game.said(WoundsLost) == [WoundsLost("guards", 1)]
    assert game.said(WoundAllocated)[0] == WoundAllocated("guards.1")
    assert [check.unit for check in game.said(MoraleChecked)] == ["guards"]


def test_saves_go_one_at_a_time(squad: Any, skirmish: Any) -> None:
    """[FAST-1 to FAST-3, ALRC-1, SAVE-2] Saves 3+, 3+, 6+; 2, 1, 5 fail: all die, no fourth die."""
    sturdy = Profile("sturdy", 3, 3, 3, 4, 1, 3, 1, 7, save=3)
    frail = Profile("frail", 3, 3, 3, 4, 1, 3, 1, 7, save=6)
    game = skirmish(
        squad("guns", [(10, 20)], [PELLETS]),
        squad("mob", [(18, 20), (20, 20), (22, 20)], side="blue", profile=sturdy,
              others={3: frail}),
        dice=[3, 3, 3, 3, 4, 4, 4, 4, 2, 1, 5],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "pellets"))
    assert removed(game) == ["mob.1", "mob.2", "mob.3"]
    assert [a.need for a in game.said(WoundAllocated)] == [3, 3, 6]
    assert game.said(WoundsLost) == [WoundsLost("mob", 1)]
    assert game.said(UnitDestroyed) == [UnitDestroyed("mob", "shooting")]


def test_a_save_is_made_on_its_score_and_fails_on_a_one(squad: Any, skirmish: Any) -> None:
    """[SAVE-1, MSAV-1]"""
    game = skirmish(
        squad("guns", [(10, 20)], [PELLETS]),
        squad("mob", [(18, 20), (20, 20), (22, 20), (24, 20), (26, 20)], side="blue"),
        dice=[3, 3, 1, 1, 4, 4, 3, 1],
    )
    game.play(Shoot("guns", "mob", "pellets"))
    assert game.said(WoundSaved) == [WoundSaved("mob.1", "armour")]
    assert removed(game) == ["mob.1"]


def test_equally_close_models_are_drawn_at_random(squad: Any, skirmish: Any) -> None:
    """[ALLO-2, DMOD-5, MALC-2] Two at the same distance: a die with two sides, in unit order."""
    game = skirmish(
        squad("guns", [(10, 20)], [CARBINE]),
        squad("mob", [(18, 21), (18, 19), (20, 20), (22, 20), (24, 20)], side="blue",
              profile=GUARD),
        dice=[3, 1, 3, 2],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "carbine"), STAND)
    (tie,) = [roll for roll in game.said(DiceRolled) if roll.purpose == "allocation tie"]
    assert (tie.sides, tie.subject, tie.opponent) == (2, "mob", "guns")
    assert removed(game) == ["mob.2"]


def test_closeness_is_to_the_nearest_model_of_the_firing_unit(squad: Any, skirmish: Any) -> None:
    """[ALLO-1] The far end of the mob stands by a model that carries no gun."""
    game = skirmish(
        squad("guns", [(10, 20), (10, 21.5), (26, 24)], [CARBINE], carry={1: ("carbine",),
              2: ("carbine",), 3: ()}),
        squad("mob", [(18, 20), (20, 20), (22, 20), (24, 20), (25.5, 21)], side="blue",
              profile=GUARD),
        dice=[3, 1, 1, 1, 3],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "carbine"), STAND)
    assert removed(game) == ["mob.5"]


def test_wounds_stick_to_a_model_until_it_is_gone(squad: Any, skirmish: Any) -> None:
    """[ALRC-2, PROF-4] Two brutes as close: once drawn, one takes its three Wounds, then dies."""
    game = skirmish(
        squad("guns", [(10, 20)], [Weapon("spray", 24000, 4, 4, "assault", 5)]),
        squad("brutes", [(18, 21), (18, 19), (20, 20), (22, 20), (24, 20)], side="blue",
              profile=BRUTE),
        dice=[3, 3, 3, 3, 1, 4, 4, 4, 4, 2],
    )  # fmt: skip
    game.play(Shoot("guns", "brutes", "spray"), STAND)
    assert [(s.model, s.wounds, s.lost) for s in game.said(WoundSuffered)] == [
        ("brutes.2", 1, 1),
        ("brutes.2", 1, 2),
        ("brutes.2", 1, 3),
        ("brutes.1", 1, 1),
    ]
    assert [model.lost for model in game.unit("brutes").models] == [1, 0, 0, 0]


def test_twice_the_own_toughness_is_instant_death(squad: Any, skirmish: Any) -> None:
    """[ALRC-5, MTGH-3] S8 on a unit that is T5 by majority: the T4 model dies at once."""
    tough = Profile("tough", 4, 3, 5, 5, 3, 2, 3, 7, save=6)
    game = skirmish(
        squad("guns", [(10, 20)], [BLASTER]),
        squad("brutes", [(18, 20), (20, 20), (22, 20), (24, 20), (26, 20)], side="blue",
              profile=tough, others={1: BRUTE}),
        dice=[3, 3, 1, 1, 2, 2],
    )  # fmt: skip
    game.play(Shoot("guns", "brutes", "blaster"), STAND)
    assert game.said(WoundSuffered) == [
        WoundSuffered("brutes.1", 3, 3, "shooting", True),
        WoundSuffered("brutes.2", 1, 1, "shooting"),
    ]


@pytest.mark.parametrize(
    ("ap", "cover", "save"),
    [
        (3, 5, ("invulnerable", 4)),
        (4, 5, ("armour", 3)),
        (3, None, ("invulnerable", 4)),
        (None, None, ("armour", 3)),
        (1, 3, ("cover", 3)),
        (6, 3, ("armour", 3)),
        (1, 4, ("invulnerable", 4)),
        (1, 1, ("cover", 2)),
    ],
)
def test_the_best_save_is_used(ap: int | None, cover: int | None, save: tuple[str, int]) -> None:
    """[MSAV-2, APEN-1, APEN-2, COVR-4, INVU-1, XSAV-1, AMB-14]"""
    assert best_save(KNIGHT, ap, cover) == save


def test_no_save_at_all() -> None:
    """[APEN-1, WAP-1]"""
    assert best_save(GUARD, 5) == (None, 0)
    assert best_save(GUARD, 6) == ("armour", 5)


def test_an_invulnerable_save_is_rolled_as_such(squad: Any, skirmish: Any) -> None:
    """[INVU-1]"""
    game = skirmish(
        squad("guns", [(10, 20)], [BLASTER]),
        squad("knights", [(18, 20)], side="blue", profile=KNIGHT),
        dice=[3, 1, 1, 1, 2, 4],
    )
    game.play(Shoot("guns", "knights", "blaster"))
    assert game.said(DiceRolled)[-1].purpose == "invulnerable save"
    assert game.said(WoundSaved) == [WoundSaved("knights.1", "invulnerable")]


def test_a_destroyed_target_ends_the_units_shooting(squad: Any, skirmish: Any) -> None:
    """[RMV-3, SHSQ-1] The second weapon has nothing to fire at and isn't asked about."""
    game = skirmish(
        squad("guns", [(10, 20), (10, 22)], [CARBINE, RIFLE], carry={1: ("carbine",),
              2: ("rifle",)}),
        squad("mob", [(18, 20)], side="blue", profile=GUARD),
        squad("far", [(60, 40)], side="blue"),
        dice=[3, 1, 3],
    )  # fmt: skip
    game.play(Shoot("guns", "mob", "carbine"), STAND)
    assert game.said(UnitDestroyed) == [UnitDestroyed("mob", "shooting")]
    assert not game.unit("mob").models


def drive(battle: Battle, faces: list[int], **fire: Any) -> list[Event]:
    """Run one weapon group on its own, as a charge does for Overwatch."""
    action = Action(battle)
    running = fire_group(action, **fire)
    try:
        roll: Roll = running.send(None)
        while True:
            rolled, faces = tuple(faces[: roll.count]), faces[roll.count :]
            roll = running.send(rolled)
    except StopIteration:
        assert not faces
    return action.events


def test_overwatch_is_the_same_group_as_snap_shots(squad: Any, skirmish: Any) -> None:
    """[OVWT-2, OVWT-3] Rapid Fire within half range: two Snap Shots each, cause "overwatch"."""
    game = skirmish(
        squad("chargers", [(10, 20)], profile=GUARD),
        squad("guards", [(18, 20), (18, 22)], [RIFLE], side="blue"),
    )
    at_charge = replace(game.battle, phase=AssaultPhase(charger="chargers", targets=("guards",)))
    assert can_fire(at_charge, "guards", "chargers", "rifle") == (1, 2)
    events = drive(
        at_charge, [5, 6, 3, 4, 3], unit="guards", target="chargers", weapon="rifle",
        overwatch=True,
    )  # fmt: skip
    assert events[0] == WeaponFired(
        "guards", "chargers", "rifle", "rapid_fire", (1, 2), 4, True, True
    )
    assert [e.cause for e in events if isinstance(e, UnitDestroyed)] == ["overwatch"]
