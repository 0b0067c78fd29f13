"""Choosing melee weapons, and what their rules do. [MELE, MWPN, ISTP-4, NATK-3]"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rules.melee_weapons import blow_with, options
from events.assault import InitiativeStepStarted, MeleeWeaponChosen
from events.attacks import BlowsStruck, WoundsLost, WoundSuffered
from events.choices import AllocateWounds, StrikeWith, TakeWounds
from events.questions import HowToPileIn, WhichMeleeWeapon, WhichWounds, WhoTakesWounds, WoundGroup
from events.values import Profile, Weapon
from projections.battle import AssaultPhase, Battle, Combat, TurnRecord, UnitTurn

FIGHT = AssaultPhase(fighting=True)
SWORD = Weapon("sword", 0, 0, 3, "melee", strength_from="user+")
KNIFE = Weapon("knife", 0, 0, None, "melee", strength_from="user+")
PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")
FIST = Weapon("fist", 0, 2, 2, "melee", 1, "user*", ("Unwieldy", "Specialist Weapon"))
CLAW = Weapon("claw", 0, 0, 3, "melee", 1, "user+", ("specialist weapon",))
MAUL = Weapon("maul", 0, 2, 4, "melee", 1, "user+", ("Two-handed",))
GUN = Weapon("gun", 24000, 10, 1, "heavy")

LINE = Profile("line", 4, 4, 4, 4, 1, 4, 1, 8)
IDLE = Profile("idle", 4, 4, 4, 4, 5, None, 0, 8)


def attacks(battle: Battle, unit: str, weapon: str, **turn: bool) -> int:
    """Return how often a unit's first model strikes with a weapon."""
    battle = replace(battle, turn=TurnRecord((UnitTurn(unit, **turn),)))
    return blow_with(battle, unit, 1, options(battle, unit, 1)[weapon]).attacks


def test_attacks_with_each_weapon(squad: Any, skirmish: Any) -> None:
    """[NATK-1 to NATK-4, MWPN-1 to MWPN-3, PCCW-2, NOML-2, FITE-2, MDEC-5] V-33, V-58: A 1."""
    game = skirmish(
        squad("swords", [(10, 10)], [PISTOL, KNIFE, GUN]),
        squad("fists", [(20, 10)], [FIST, PISTOL]),
        squad("claws", [(30, 10)], [CLAW, FIST, KNIFE]),
        squad("mauls", [(40, 10)], [MAUL, PISTOL]),
        squad("bare", [(50, 10)], [GUN]),
        squad("mob", [(40, 40)], side="blue"),
    )
    battle = game.battle
    assert attacks(battle, "swords", "knife", charged=True) == 3
    assert attacks(battle, "swords", "knife", charged=True, disordered=True) == 2
    assert attacks(battle, "swords", "knife", charged=True, denied=True) == 2
    assert attacks(battle, "swords", "knife") == 2
    assert attacks(battle, "fists", "fist", charged=True) == 2
    assert attacks(battle, "fists", "fist") == 1
    assert attacks(battle, "fists", "pistol") == 2
    assert attacks(battle, "claws", "fist") == attacks(battle, "claws", "claw") == 2
    assert attacks(battle, "mauls", "maul") == 1
    assert attacks(battle, "mauls", "pistol") == 2
    assert attacks(battle, "bare", "close-combat") == 1


@pytest.mark.parametrize(("weapon", "step", "count"), [("fist", 1, 1), ("pistol", 4, 2)])
def test_a_weapon_that_changes_the_step_is_chosen_first(
    squad: Any, skirmish: Any, weapon: str, step: int, count: int
) -> None:
    """[MELE-2, AMB-45, ISTP-4, PILE-2, PCCW-1] V-58: before any step and any pile-in."""
    game = skirmish(
        squad("reds", [(10, 10)], [PISTOL], profile=LINE, locked=True),
        squad("sarge", [(10, 13.5)], [FIST, PISTOL], profile=LINE, locked=True),
        squad("mob", [(10, 10.99)], side="blue", profile=IDLE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=replace(FIGHT, combat=Combat(("reds", "sarge", "mob"))),
        dice=[1] * (1 + count),
    )
    assert game.battle.question == WhichMeleeWeapon("red", "sarge", (1,), 0)
    assert game.legal() == [StrikeWith("sarge", "fist"), StrikeWith("sarge", "pistol")]
    assert not game.said(InitiativeStepStarted)
    game.play(StrikeWith("sarge", weapon))
    assert game.battle.question == HowToPileIn("red", "sarge", (1,), 3000)
    assert game.said(InitiativeStepStarted)[-1] == InitiativeStepStarted(step)
    game.play(game.legal()[0])
    assert game.said(MeleeWeaponChosen) == [MeleeWeaponChosen("sarge", weapon, (1,))]
    blows = [(b.weapon, b.step, b.attacks) for b in game.said(BlowsStruck) if b.unit == "sarge"]
    assert blows == [(weapon, step, count)]


def test_what_is_refused_when_weapons_are_chosen(squad: Any, skirmish: Any) -> None:
    """[MELE-2, MELE-3, MELE-1]"""
    game = skirmish(
        squad(
            "reds",
            [(10, 10), (11, 10), (12, 10)],
            [FIST, PISTOL, GUN],
            profile=LINE,
            carry={1: ("fist", "pistol", "gun"), 2: ("fist", "pistol"), 3: ("pistol",)},
            locked=True,
        ),
        squad("mob", [(10, 10.99)], side="blue", profile=IDLE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        dice=[*(1, 1, 1), 1],
    )
    assert game.battle.question == WhichMeleeWeapon("red", "reds", (1, 2), 0)
    assert game.refused(StrikeWith("mob", "fist")) == "MELE-2"
    assert game.refused(StrikeWith("reds", "gun")) == "MELE-3"
    assert game.refused(StrikeWith("reds", "spoon")) == "MELE-2"
    assert game.refused(StrikeWith("reds", "fist", (3,))) == "MELE-2"
    assert game.refused(StrikeWith("reds", "fist", (1, 1))) == "MELE-2"
    assert game.legal()[:2] == [StrikeWith("reds", "fist"), StrikeWith("reds", "pistol")]
    game.play(StrikeWith("reds", "fist", (2,)))
    # who has chosen can't strike with both
    assert game.battle.question == WhichMeleeWeapon("red", "reds", (1,), 0)
    assert game.refused(StrikeWith("reds", "pistol", (2,))) == "MELE-2"
    game.play(StrikeWith("reds", "pistol"))
    while isinstance(game.battle.question, HowToPileIn):
        game.play(game.legal()[0])
    assert [(b.weapon, b.models, b.attacks, b.step) for b in game.said(BlowsStruck)] == [
        ("pistol", (1, 3), 3, 4),
        ("fist", (2,), 1, 1),
    ]


def test_weapons_of_one_step_are_chosen_at_it(squad: Any, skirmish: Any) -> None:
    """[MELE-2, MELE-1] Sword and maul differ; knife and pistol don't, so nobody is asked."""
    game = skirmish(
        squad("reds", [(10, 10)], [SWORD, MAUL], profile=LINE, locked=True),
        squad("knives", [(10, 11.98)], [KNIFE, PISTOL], profile=LINE, locked=True),
        squad("far", [(14, 10)], [SWORD, MAUL], profile=LINE, locked=True),
        squad("mob", [(10, 10.99)], side="blue", profile=IDLE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        dice=[1, 1, 1],
    )
    assert game.battle.question == WhichMeleeWeapon("red", "reds", (1,), 4)
    assert game.legal() == [StrikeWith("reds", "sword"), StrikeWith("reds", "maul")]
    game.play(StrikeWith("reds", "maul"))
    assert [(b.unit, b.weapon, b.attacks) for b in game.said(BlowsStruck)] == [
        ("reds", "maul", 1),
        ("knives", "knife", 2),
    ]


def test_the_choice_holds_for_one_combat(squad: Any, skirmish: Any) -> None:
    """[MELE-2] Another may be chosen in a later phase."""
    game = skirmish(
        squad("reds", [(10, 10)], [SWORD, MAUL], profile=LINE, locked=True),
        squad("mob", [(10, 10.99)], side="blue", profile=IDLE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        dice=[1],
    )
    game.play(StrikeWith("reds", "maul"))
    assert isinstance(game.battle.phase, AssaultPhase) is False
    assert getattr(game.battle.phase, "combat", None) is None


def test_wounds_of_several_kinds_go_in_the_order_the_striker_chooses(
    squad: Any, skirmish: Any
) -> None:
    """[MWND-3, WPOL-2, MALC-3, MALC-6, RSLT-2] One Strength and AP is one group."""
    game = skirmish(
        squad("a", [(10, 10)], [SWORD], profile=replace(LINE, attacks=2), locked=True),
        squad("b", [(10, 11.98)], [MAUL], profile=LINE, locked=True),
        squad("c", [(9.01, 10.99)], [SWORD], profile=LINE, locked=True),
        squad(
            "mob",
            [(10, 10.99), (10.99, 10.99)],
            side="blue",
            profile=replace(IDLE, wounds=2, save=4),
            locked=True,
        ),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        # hits and wounds: a two, b one, c one; then the maul at AP 4; two swords at AP 3
        dice=[*(4, 4), *(4, 4), 4, 4, 4, 4, 1],
    )
    groups = (WoundGroup(4, 3, 3), WoundGroup(6, 4, 1))
    assert game.battle.question == WhichWounds("red", "mob", groups)
    assert game.legal() == [AllocateWounds(4, 3), AllocateWounds(6, 4)]
    assert game.refused(AllocateWounds(6)) == "MWND-3"
    assert game.refused(AllocateWounds(8, 3)) == "MWND-3"
    game.play(AllocateWounds(6, 4))
    suffered = [(w.model, w.lost) for w in game.said(WoundSuffered)]
    assert suffered == [("mob.1", 1), ("mob.1", 2), ("mob.2", 1), ("mob.2", 2)]
    assert not game.said(WoundsLost)


def test_the_model_that_suffered_goes_on_suffering(squad: Any, skirmish: Any) -> None:
    """[MALC-3, ALRC-2] Over all the Wounds of a group, whoever struck them; then anew."""
    strong = replace(LINE, attacks=2)
    game = skirmish(
        squad("a", [(10, 10)], [SWORD], profile=strong, locked=True),
        squad("b", [(11.5, 10)], [SWORD], profile=strong, locked=True),
        squad("mob", [(10, 10.99), (11.5, 10.99)], side="blue", profile=IDLE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        dice=[*(4, 4), *(4, 4), *(4, 4), *(4, 4)],
    )
    assert game.battle.question == WhoTakesWounds("blue", "mob", ("mob.1", "mob.2"), 4)
    game.play(TakeWounds(("mob.2",)))
    assert [(w.model, w.lost) for w in game.said(WoundSuffered)] == [
        ("mob.2", 1),
        ("mob.2", 2),
        ("mob.2", 3),
        ("mob.2", 4),
    ]
