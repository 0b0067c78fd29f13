"""Initiative steps, blows and who takes the Wounds. [ISTP, PILE, ENGA, NATK, MHIT, MWND, MALC]"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.rules.melee_weapons import blow_with, melee_weapons, options, weapon_used
from engine.rules.to_hit import melee_needed
from events.assault import BlowsFinished, CombatResolved, InitiativeStepStarted
from events.attacks import (
    BlowsStruck,
    HitsScored,
    ModelRemoved,
    WoundAllocated,
    WoundsLost,
    WoundsScored,
)
from events.choices import Aim, DirectBlows, Place, PlaceModels, TakeWounds
from events.game import DiceRolled
from events.questions import HowToPileIn, WhereToConsolidate, WhoTakesWounds
from events.values import Part, Point, Profile, Terrain, Weapon
from projections.battle import AssaultPhase, Battle, Combat, TurnRecord, UnitTurn

FIGHT = AssaultPhase(fighting=True)
SWORD = Weapon("sword", 0, 0, None, "melee", strength_from="user+")
PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")
FIST = Weapon("fist", 0, 2, 2, "melee", strength_from="user*")
AXE = Weapon("axe", 0, 1, 2, "melee", strength_from="user+")
GUN = Weapon("gun", 24000, 10, 1, "heavy")

QUICK = Profile("quick", 4, 4, 4, 4, 1, 5, 1, 8)
SLOW = Profile("slow", 4, 4, 4, 4, 1, 1, 1, 8)


def attacks_of(battle: Battle, unit: str, weapon: str = "") -> int:
    """Return how often a unit's first model strikes with a weapon, or with its best."""
    weapons = options(battle, unit, 1)
    return blow_with(battle, unit, 1, weapons[weapon or next(iter(weapons))]).attacks


def test_the_score_a_blow_needs() -> None:
    """[MHIT-1, MHIT-3, ZERO-2] V-32."""
    assert [melee_needed(4, ws) for ws in (3, 4, 8, 9)] == [3, 4, 4, 5]
    assert (melee_needed(2, 5), melee_needed(5, 0)) == (5, 0)


def test_number_of_attacks(squad: Any, skirmish: Any) -> None:
    """[NATK-1, NATK-2, NATK-3, MWPN-1, MWPN-3, MDEC-5] V-33, A 1."""
    game = skirmish(
        squad("two", [(10, 10)], [PISTOL, SWORD]),
        squad("one", [(20, 10)], [GUN, SWORD]),
        squad("four", [(30, 10)], [PISTOL, SWORD, AXE, FIST]),
        squad("mob", [(40, 40)], side="blue"),
    )

    def attacks(unit: str, **turn: bool) -> int:
        record = TurnRecord((UnitTurn(unit, **turn),))
        return attacks_of(replace(game.battle, turn=record), unit)

    assert attacks("two", charged=True) == 3
    assert attacks("two", charged=True, disordered=True) == 2
    assert attacks("two") == 2
    assert attacks("one", charged=True) == 2
    assert attacks("four") == 2


def test_no_blows_without_attacks_or_weapon_skill(squad: Any, skirmish: Any) -> None:
    """[ZERO-2, AMB-2] A 0, WS 0 and "-" strike nothing, not even in a charge."""
    game = skirmish(
        squad("idle", [(10, 10)], profile=replace(QUICK, attacks=0)),
        squad("mute", [(20, 10)], profile=replace(QUICK, ws=None)),
        squad("still", [(30, 10)], profile=replace(QUICK, initiative=None), locked=True),
        squad("foe", [(30, 10.99)], side="blue", profile=SLOW, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        turn=[UnitTurn("idle", charged=True), UnitTurn("mute", charged=True)],
        dice=[1],
    )
    assert attacks_of(game.battle, "idle") == attacks_of(game.battle, "mute") == 0
    assert [b.unit for b in game.said(BlowsStruck)] == ["foe"]
    assert game.said(InitiativeStepStarted) == [InitiativeStepStarted(1)]


def test_the_weapon_a_model_strikes_with(squad: Any, skirmish: Any) -> None:
    """[MELE-2, MELE-3, NOML-1, PCCW-1] Best AP, then Strength; pistols fight as S User, AP -."""
    game = skirmish(
        squad("all", [(1, 1)], [GUN, PISTOL, SWORD, AXE, FIST]),
        squad("gunner", [(5, 1)], [GUN, PISTOL]),
        squad("bare", [(9, 1)], [GUN]),
        squad("mob", [(40, 40)], side="blue"),
    )
    setup = game.battle.setups[0]
    assert [w.id for w in melee_weapons(setup, 1)] == ["sword", "axe", "fist", "pistol"]
    # of the sword and the pistol, which strike alike, the first
    assert list(options(game.battle, "all", 1)) == ["fist", "axe", "sword"]
    assert weapon_used(game.battle, "all", 1).id == "fist"
    used = weapon_used(game.battle, "gunner", 1)
    assert (used.id, used.strength, used.strength_from, used.ap) == ("pistol", 0, "user+", None)
    assert weapon_used(game.battle, "bare", 1).id == "close-combat"


def test_unlike_models_roll_apart_and_models_alike_together(squad: Any, skirmish: Any) -> None:
    """[MHIT-2, MHIT-4, MWND-2] The majority of the engaged sets WS and Toughness."""
    skilled = replace(QUICK, name="skilled", ws=5)
    tough = replace(SLOW, name="tough", ws=3, toughness=6)
    game = skirmish(
        squad(
            "reds",
            [(10, 10), (12, 10), (9.1, 11.4)],
            profile=QUICK,
            others={2: skilled},
            locked=True,
        ),
        # Two of five engaged: the tough ones out of reach don't count, and of a tie the highest
        squad(
            "mob",
            [(10, 10.99), (12, 10.99), (10, 16), (11, 16), (12, 16)],
            side="blue",
            profile=tough,
            others={1: SLOW},
            locked=True,
        ),
        phase=FIGHT,
        dice=[4, 3, 4, 6, 2],
    )
    said = game.said(BlowsStruck, HitsScored, WoundsScored)
    assert [(b.models, b.attacks) for b in said if isinstance(b, BlowsStruck)] == [
        ((1, 3), 2),
        ((2,), 1),
    ]
    rolls = [(r.purpose, r.faces, r.need) for r in game.said(DiceRolled)]
    assert rolls[0] == ("to hit", (4, 3), 4)
    assert rolls[1] == ("to wound", (4,), 6)  # T 6 on the tie of one and one
    assert rolls[2] == ("to hit", (6,), 3)


def test_what_needs_no_dice_rolls_none(squad: Any, skirmish: Any) -> None:
    """[MHIT-3, ZERO-2, TWND-2] WS 0 is hit automatically; S 4 can't hurt T 8."""
    game = skirmish(
        squad("reds", [(10, 10)], profile=QUICK, locked=True),
        squad(
            "post",
            [(10, 10.99)],
            side="blue",
            profile=replace(SLOW, ws=0, toughness=8),
            locked=True,
        ),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
    )
    assert game.said(HitsScored) == [HitsScored("reds", "post", "close-combat", 1)]
    assert game.said(WoundsScored) == [WoundsScored("reds", "post", "close-combat", 0, 4)]
    assert not game.said(DiceRolled)


def test_a_step_runs_from_pile_in_to_removal(squad: Any, skirmish: Any) -> None:
    """[ISTP-5, FITE-1, MWND-1, MALC-4] An axe, S +1 AP 2: through armour, not through a field."""
    shielded = replace(SLOW, name="shielded", save=2, invulnerable=5)
    game = skirmish(
        squad("reds", [(10, 13)], [AXE], profile=replace(QUICK, attacks=2), locked=True),
        squad("mob", [(10, 10)], side="blue", profile=shielded, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(fighting=True, combat=Combat(("reds", "mob"))),
        dice=[4, 4, 3, 3, 5, 4, 2],
    )
    game.play(game.legal()[0])
    rolls = [(r.purpose, r.faces, r.need, r.step) for r in game.said(DiceRolled)][:4]
    assert rolls == [
        ("to hit", (4, 4), 4, 5),
        ("to wound", (3, 3), 3, 5),
        ("invulnerable save", (5,), 5, 5),
        ("invulnerable save", (4,), 5, 5),
    ]
    assert game.said(ModelRemoved) == [ModelRemoved("mob.1", "combat")]


def test_a_friend_of_another_unit_gives_a_place_but_no_blow(squad: Any, skirmish: Any) -> None:
    """[AMB-31, ENGA-1, PILE-3] Within 2 inches of him, and not engaged: he is of another unit."""
    game = skirmish(
        squad("reds", [(10.99, 10), (4, 10)], profile=QUICK, others={1: SLOW}, locked=True),
        squad("friends", [(9.01, 10)], profile=SLOW, locked=True),
        squad("mob", [(10, 10)], side="blue", profile=replace(SLOW, toughness=8), locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        dice=[6, 6, 1],
    )
    assert game.battle.question == HowToPileIn("red", "reds", (2,), 3000)

    def to(x: int, y: int) -> PlaceModels:
        return PlaceModels("reds", (Place(2, (Point(x, y),)),))

    assert game.refused(to(5900, 10000)) == "PILE-3"  # 2.1 inches from him
    game.play(to(6200, 10500), DirectBlows("mob", (Aim("friends"),)))
    assert [(b.unit, b.models, b.step) for b in game.said(BlowsStruck)] == [
        ("reds", (1,), 1),
        ("friends", (1,), 1),
        ("mob", (1,), 1),
    ]


def test_a_model_loses_its_blow_when_the_friend_in_contact_dies(squad: Any, skirmish: Any) -> None:
    """[ENGA-3, MALC-5, ISTP-2, PILE-8] Judged at the step, after its pile-ins."""
    game = skirmish(
        squad("reds", [(10, 10)], profile=replace(QUICK, attacks=2), locked=True),
        squad("mob", [(10, 10.99), (10, 16.9)], side="blue", profile=SLOW, locked=True),
        phase=FIGHT,
        dice=[4, 1, 4],
    )
    assert game.said(ModelRemoved) == [ModelRemoved("mob.1", "combat")]
    assert game.battle.question == HowToPileIn("blue", "mob", (2,), 3000)
    game.dice.left = [1, 1]  # its Morale check
    game.play(game.legal()[0])
    assert game.said(BlowsFinished)
    assert [blow.unit for blow in game.said(BlowsStruck)] == ["reds"]


def test_wounds_go_in_the_order_named_and_are_asked_again(squad: Any, skirmish: Any) -> None:
    """[MALC-1, MALC-3, MALC-6] A list is used in order; used up, the question comes again."""
    strong = replace(QUICK, attacks=4)
    game = skirmish(
        squad("reds", [(10, 10)], profile=strong, locked=True),
        squad("mob", [(10, 10.99), (10, 9.01), (9.01, 10)], side="blue", profile=SLOW, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        dice=[4] * 8,
    )
    eligible = ("mob.1", "mob.2", "mob.3")
    assert game.battle.question == WhoTakesWounds("blue", "mob", eligible, 4)
    assert game.legal() == [
        TakeWounds(("mob.1", "mob.2", "mob.3")),
        TakeWounds(("mob.2", "mob.1", "mob.3")),
        TakeWounds(("mob.3", "mob.1", "mob.2")),
    ]
    assert game.refused(TakeWounds(())) == "MALC-1"
    assert game.refused(TakeWounds(("reds.1",))) == "MALC-1"
    assert game.refused(TakeWounds(("mob.2", "mob.9"))) == "MALC-1"
    assert game.refused(TakeWounds(("mob.2", "mob.2"))) == "MALC-3"
    game.play(TakeWounds(("mob.2",)))
    assert game.battle.question == WhoTakesWounds("blue", "mob", ("mob.1", "mob.3"), 3)
    game.dice.left = [3]  # consolidation
    game.play(TakeWounds(("mob.3", "mob.1")))
    assert [r.model for r in game.said(ModelRemoved)] == ["mob.2", "mob.3", "mob.1"]
    assert game.said(WoundsLost) == [WoundsLost("mob", 1)]


def test_who_piles_in(squad: Any, skirmish: Any) -> None:
    """[PILE-1, PILE-3, PILE-5, PILE-6] Models of the step, out of contact; active side first."""
    game = skirmish(
        squad("reds", [(10, 10), (10, 7), (13, 9.5)], profile=QUICK, others={3: SLOW}, locked=True),
        squad("mob", [(10, 10.99), (10, 14)], side="blue", profile=QUICK, locked=True),
        squad("others", [(7, 8)], side="blue", profile=QUICK),
        phase=FIGHT,
    )
    assert game.battle.question == HowToPileIn("red", "reds", (2,), 3000)

    def refused(*places: Place, unit: str = "reds") -> str:
        rule: str = game.refused(PlaceModels(unit, places))
        return rule

    assert refused(Place(1, (Point(9500, 9500),))) == "PILE-1"
    assert refused(Place(3, (Point(12000, 9500),))) == "PILE-1"
    assert refused(Place(2, (Point(10000, 8500),)), unit="mob") == "PILE-1"
    assert refused(Place(2, (Point(7990, 8000),))) == "PILE-5"
    assert refused(Place(2, ())) == "PILE-3"  # it can reach contact and must
    (proposal,) = game.legal()
    game.play(proposal)
    assert game.battle.question == HowToPileIn("blue", "mob", (2,), 3000)


def test_characters_pile_in_first_in_the_sixth_edition(squad: Any, skirmish: Any) -> None:
    """[PILE-7] In the 7th they go in any order within the group."""

    def order(ruleset: str) -> list[int]:
        game = skirmish(
            squad(
                "reds",
                [(9, 9), (11.3, 9), (10.1, 8.6), (10.99, 12)],
                profile=QUICK,
                apart={3: ("Character",)},
                locked=True,
            ),
            squad("mob", [(10, 12)], side="blue", profile=SLOW, locked=True),
            phase=FIGHT,
            ruleset=ruleset,
        )
        (proposal,) = game.legal()
        assert isinstance(proposal, PlaceModels)
        if ruleset == "40k-6e":
            assert game.refused(PlaceModels("reds", proposal.places[::-1])) == "PILE-7"
        return [place.model for place in proposal.places]

    assert order("40k-6e") == [3, 1, 2]
    assert order("40k-7e") == [1, 2, 3]


def test_a_pile_in_is_not_slowed_but_tested_for(squad: Any, skirmish: Any) -> None:
    """[PILE-4] 3 inches through briars; who dies there strikes no more and counts for nobody."""
    corners = (Point(5000, 7500), Point(15000, 7500), Point(15000, 8500), Point(5000, 8500))
    game = skirmish(
        squad("reds", [(10, 10), (10, 7), (12, 7)], profile=QUICK, locked=True),
        squad("mob", [(10, 10.99)], side="blue", profile=replace(SLOW, attacks=0), locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        terrain=[Terrain("briars", "dangerous", (Part(corners),))],
        dice=[1, 5, *(1, 1)],
    )
    game.play(game.legal()[0])
    assert [m.model for m in game.said(ModelRemoved)] == ["reds.2"]
    assert [(b.models, b.attacks) for b in game.said(BlowsStruck)] == [((1, 3), 2)]
    assert [(r.red, r.blue) for r in game.said(CombatResolved)] == [(0, 0)]


def test_no_cover_in_a_combat(squad: Any, skirmish: Any) -> None:
    """[FITE-4, MALC-4] In ruins, and no save against AP 2 but the invulnerable one."""
    corners = (Point(5000, 5000), Point(15000, 5000), Point(15000, 15000), Point(5000, 15000))
    ruins = Terrain("ruins", "difficult", (Part(corners, 3000, dense=False),), cover=4, area=True)
    game = skirmish(
        squad("reds", [(10, 10)], [AXE], profile=QUICK, locked=True),
        squad("mob", [(10, 10.99)], side="blue", profile=replace(SLOW, save=3), locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        terrain=[ruins],
        dice=[4, 4, 1],
    )
    assert [(w.save, w.need) for w in game.said(WoundAllocated)] == [(None, 0)]
    assert game.battle.question == WhereToConsolidate("red", "reds", 1000)
