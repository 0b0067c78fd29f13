"""Which combats there are, their results, and what follows. [CHOC, MULC, RSLT, MMOR, SWEP, CONS]"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.rules.combat_result import winner_of
from engine.rules.combats import combats, unfought
from engine.rules.locked import units_to_unlock
from engine.rules.sweeping import pursuers_of
from events.assault import (
    CombatEnded,
    CombatResolved,
    CombatStarted,
    SweepingAdvanceRolled,
    UnitsUnlocked,
)
from events.attacks import UnitDestroyed, WoundSuffered
from events.choices import CheckMorale, EndPhase, FightCombat
from events.game import DiceRolled, PhaseEnded
from events.morale import FellBack, MoraleChecked
from events.questions import WhereToConsolidate, WhichCombat, WhoChecksMorale
from events.values import Profile, Weapon
from projections.battle import AssaultPhase, Combat
from projections.reducers.attacks import wound_suffered

PLAIN = Profile("plain", 4, 4, 4, 4, 1, 4, 1, 8)
NONE = Profile("none", 4, 4, 4, 4, 1, 3, 0, 8)


def aftermath(*units: str, **fields: Any) -> AssaultPhase:
    """Return the phase of a combat whose blows are struck."""
    return AssaultPhase(fighting=True, combat=Combat(units, step=1, stage="result", **fields))


def test_units_linked_by_contact_are_one_combat(squad: Any, skirmish: Any) -> None:
    """[MULC-1, MULC-2, LOCK-1] A chain r1-b1-r2, a pair, and one that is only near."""
    game = skirmish(
        squad("r1", [(10, 10)], locked=True),
        squad("r2", [(10, 11.98)], locked=True),
        squad("r3", [(40, 10)], locked=True),
        squad("r4", [(12, 10)]),
        squad("b1", [(10, 10.99)], side="blue", locked=True),
        squad("b2", [(40, 10.99)], side="blue", locked=True),
        squad("b3", [(50, 10)], side="blue", locked=True),
        phase=AssaultPhase(fighting=True),
    )
    assert combats(game.battle) == [("r1", "r2", "b1"), ("r3", "b2")]
    assert units_to_unlock(game.battle) == ("b3",)
    assert game.battle.question == WhichCombat("red")
    assert game.legal() == [FightCombat(unit) for unit in ("r1", "r2", "b1", "r3", "b2")]
    assert game.refused(FightCombat("r4")) == "CHOC-1"
    assert game.refused(FightCombat("b3")) == "CHOC-1"
    assert game.refused(EndPhase()) == "LOCK-2"


def test_a_fought_combat_is_not_fought_again(squad: Any, skirmish: Any) -> None:
    """[CHOC-1] And the last one left isn't asked about."""
    game = skirmish(
        squad("r1", [(10, 10)], profile=NONE, locked=True),
        squad("r2", [(40, 10)], profile=NONE, locked=True),
        squad("r3", [(50, 10)], profile=NONE, locked=True),
        squad("b1", [(10, 10.99)], side="blue", profile=NONE, locked=True),
        squad("b2", [(40, 10.99)], side="blue", profile=NONE, locked=True),
        squad("b3", [(50, 10.99)], side="blue", profile=NONE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=AssaultPhase(fighting=True, fought=("r1", "b1")),
    )
    assert unfought(game.battle) == [("r2", "b2"), ("r3", "b3")]
    assert game.refused(FightCombat("b1")) == "CHOC-1"
    game.play(FightCombat("b3"))
    assert [c.units for c in game.said(CombatStarted)] == [("r3", "b3"), ("r2", "b2")]
    assert len(game.said(CombatEnded)) == 2
    assert game.said(PhaseEnded) == [PhaseEnded("assault")]


def test_an_equal_total_is_a_draw(squad: Any, skirmish: Any) -> None:
    """[RSLT-1, MCHK-3] Nobody tests; both stay."""
    game = skirmish(
        squad("reds", [(10, 10)], locked=True),
        squad("blues", [(10, 10.99)], side="blue", locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=aftermath("reds", "blues", red=2, blue=2),
    )
    assert game.said(CombatResolved) == [CombatResolved(2, 2, "", 0)]
    assert not game.said(MoraleChecked, UnitsUnlocked)


def test_all_units_of_a_side_count_together(squad: Any, skirmish: Any) -> None:
    """[MRES-1, MRES-2, RSLT-5] One enemy unit gone of two is no wipe-out."""
    game = skirmish(
        squad("reds", [(10, 10)], profile=NONE, locked=True),
        squad("b1", [(10, 10.99)], side="blue", profile=NONE, locked=True),
        squad("b2", [(30, 30)], side="blue", profile=NONE, locked=True),
        phase=aftermath("reds", "b1", "b2", red=1, blue=3),
        dice=[1, 1],
    )
    game.play(CheckMorale("reds"))
    begun = game.battle
    assert game.said(CombatResolved) == [CombatResolved(1, 3, "blue", 2)]

    def without(*gone: str) -> str:
        units = tuple(replace(u, models=()) if u.id in gone else u for u in begun.units)
        phase = AssaultPhase(combat=Combat(("reds", "b1", "b2"), red=1, blue=3))
        return winner_of(replace(begun, units=units, phase=phase))

    assert without("b2") == "blue"
    assert without("b1", "b2") == "red"
    assert without("reds") == "blue"
    assert without("reds", "b1", "b2") == ""


def test_every_loser_tests_before_any_sweep_and_each_rolls_once(squad: Any, skirmish: Any) -> None:
    """[MMOR-1, SWEP-1, SWEP-3, SWEP-5, MCHK-1] Two losers flee from one winner of Initiative 4."""
    mixed = replace(PLAIN, name="mixed", initiative=2)
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=PLAIN, locked=True),
        squad(
            "b1",
            [(10, 10.99), (10, 13)],
            side="blue",
            profile=PLAIN,
            others={2: mixed},
            locked=True,
        ),
        squad("b2", [(12, 10.99)], side="blue", profile=mixed, locked=True),
        phase=aftermath("reds", "b1", "b2", red=3, blue=1),
        dice=[4, 4, 5, 5, 3, 2, 2, 1, 1, 6],
    )
    assert game.battle.question == WhoChecksMorale("blue", ("b1", "b2"))
    assert game.refused(CheckMorale("reds")) == "MMOR-1"
    game.play(CheckMorale("b1"))
    checks = [(m.unit, m.modifier, m.passed) for m in game.said(MoraleChecked)]
    assert checks == [("b1", -2, False), ("b2", -2, False)]
    rolls = [(r.subject, r.faces) for r in game.said(DiceRolled) if r.purpose == "sweeping advance"]
    assert rolls == [("b1", (3,)), ("b2", (2,)), ("reds", (2,))]
    # b1: the highest Initiative of a tie; 3 + 4 against 2 + 4. b2: 2 + 2 against the same 6
    assert game.said(SweepingAdvanceRolled) == [
        SweepingAdvanceRolled("b1", "reds", 7, 6, False),
        SweepingAdvanceRolled("b2", "reds", 4, 6, True),
    ]
    assert game.said(FellBack) == [FellBack("b1", 2000)]
    assert game.said(UnitDestroyed) == [UnitDestroyed("b2", "swept")]
    assert game.battle.question == WhereToConsolidate("red", "reds", 6000)


def test_the_losing_side_chooses_the_order_of_its_checks(squad: Any, skirmish: Any) -> None:
    """[MMOR-1, MMOR-2] The same penalty for each; those that pass stay and hold the winner."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=PLAIN, locked=True),
        squad("b1", [(10, 10.99)], side="blue", profile=PLAIN, locked=True),
        squad("b2", [(12, 10.99)], side="blue", profile=PLAIN, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=aftermath("reds", "b1", "b2", red=2, blue=0),
        dice=[3, 3, 1, 2],
    )
    game.play(CheckMorale("b2"))
    assert [(m.unit, m.modifier) for m in game.said(MoraleChecked)] == [("b2", -2), ("b1", -2)]
    assert not game.said(SweepingAdvanceRolled) and game.unit("reds").locked


def test_a_unit_whose_weapons_are_useless_may_fail(squad: Any, skirmish: Any) -> None:
    """[MCHK-4] S 4 against T 8 it may; with a fist, S 8, it may not, even if it holds a sword."""
    hard = replace(PLAIN, toughness=8)
    fist = Weapon("fist", 0, 2, 2, "melee", strength_from="user*")
    sword = Weapon("sword", 0, 0, None, "melee", strength_from="user+")

    def lost(*weapons: Weapon) -> Any:
        return skirmish(
            squad("reds", [(10, 10)], profile=hard, locked=True),
            squad("b1", [(10, 10.99)], weapons, side="blue", profile=PLAIN, locked=True),
            squad("b2", [(9.01, 10)], [sword], side="blue", profile=PLAIN, locked=True),
            squad("spare", [(60, 40)]),
            phase=aftermath("reds", "b1", "b2", red=1, blue=0),
            dice=[3, 3, 1, 1, 1, 1],  # the last two Regroup it in its own turn
        )

    game = lost(sword, fist)
    assert game.refused(CheckMorale("b1", fail=True)) == "MCHK-4"
    assert game.legal() == [CheckMorale("b1"), CheckMorale("b2"), CheckMorale("b2", fail=True)]
    game.play(CheckMorale("b2", fail=True))
    # b1 passes its check with the dice; b2 falls back, and nobody sweeps: b1 holds the winner
    assert game.said(MoraleChecked)[:2] == [
        MoraleChecked("b2", "lost combat", 8, -1, 0, False),
        MoraleChecked("b1", "lost combat", 8, -1, 6, True),
    ]
    assert game.said(FellBack) == [FellBack("b2", 2000)]


def test_some_rules_forbid_sweeping_advances(squad: Any, skirmish: Any) -> None:
    """[SWEP-4] One slow and purposeful model holds its unit back; the loser just falls back."""
    game = skirmish(
        squad("reds", [(10, 10)], rules=("Slow and Purposeful",), profile=PLAIN, locked=True),
        squad("blues", [(10, 10.99)], side="blue", profile=PLAIN, locked=True),
        phase=aftermath("reds", "blues", red=2, blue=0),
        dice=[5, 5, 1, 2, 4],
    )
    assert not game.said(SweepingAdvanceRolled)
    assert game.said(FellBack) == [FellBack("blues", 3000)]
    assert game.battle.question == WhereToConsolidate("red", "reds", 4000)


def test_wounds_of_ones_own_count_for_the_other_side(squad: Any, skirmish: Any) -> None:
    """[RSLT-2, RSLT-4] Whoever caused them; Instant Death counts all the model had left. Those of
    Overwatch, shooting and dangerous terrain don't count."""
    game = skirmish(
        squad("reds", [(10, 10), (12, 10)], profile=replace(PLAIN, wounds=3), locked=True),
        squad("blues", [(10, 10.99)], side="blue", profile=PLAIN, locked=True),
        phase=AssaultPhase(fighting=True, combat=Combat(("reds", "blues"))),
        dice=[1, 1],
    )
    battle = game.battle
    for cause, red, blue in (
        ("combat", 0, 3),
        ("overwatch", 0, 0),
        ("shooting", 0, 0),
        ("dangerous terrain", 0, 0),
    ):
        hurt = wound_suffered(battle, WoundSuffered("reds.1", 3, 3, cause, True))  # type: ignore[arg-type]
        assert isinstance(hurt.phase, AssaultPhase) and hurt.phase.combat is not None
        assert (hurt.phase.combat.red, hurt.phase.combat.blue) == (red, blue)
    game.dice.left = []


def test_who_may_sweep(squad: Any, skirmish: Any) -> None:
    """[SWEP-4, SWEP-5, AMB-42] Not a winner that touches an enemy that stays."""
    game = skirmish(
        squad("r1", [(10, 10)], locked=True),
        squad("r2", [(11.8, 10)], locked=True),
        squad("r3", [(20, 10)], locked=True),
        squad("b1", [(10.9, 10.41)], side="blue", locked=True),
        squad("b2", [(9.01, 10)], side="blue", locked=True),
        squad("b3", [(30, 10)], side="blue", locked=True),
        phase=aftermath("r1", "r2", "r3", "b1", "b2", "b3"),
    )

    def pursuers(unit: str, *fled: str) -> tuple[str, ...]:
        combat = Combat(
            ("r1", "r2", "r3", "b1", "b2", "b3"), stage="morale", winner="red", fled=fled
        )
        return pursuers_of(replace(game.battle, phase=AssaultPhase(combat=combat)), unit)

    assert pursuers("b1", "b1") == ("r2",)
    assert pursuers("b2", "b1", "b2") == ("r1",)
    # Casualties have parted b3 from everybody: any winner that holds nobody else may sweep
    assert pursuers("b3", "b3") == ("r3",)
