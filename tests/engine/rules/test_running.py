"""Running in the Shooting phase. [SHPH-2]"""

from __future__ import annotations

from typing import Any

from events.choices import EndPhase, MoveUnit, Run, Shoot, Stay
from events.movement import UnitMoved, UnitRan
from events.questions import WhereToRun, WhoShoots
from events.values import Point, Weapon
from projections.queries import turn_of

PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")


def test_a_unit_runs_up_to_a_die_of_inches(squad: Any, skirmish: Any) -> None:
    """[SHPH-2] A 4: up to 4 inches, then it has had its go."""
    game = skirmish(
        squad("runners", [(10, 20), (10, 22)], [PISTOL]),
        squad("idle", [(60, 5)]),
        squad("mob", [(18, 20)], side="blue"),
        dice=[4],
    )
    game.play(Run("runners"))
    assert game.said(UnitRan) == [UnitRan("runners", 4000)]
    assert game.battle.question == WhereToRun("red", "runners", 4000)
    assert game.refused(MoveUnit("runners", Point(0, -4001))) == "MOVE-2"
    assert game.refused(MoveUnit("idle", Point(0, 1000))) == "MOVE-1"
    game.play(MoveUnit("runners", Point(0, -4000)))
    assert game.said(UnitMoved) == [UnitMoved("runners", "run", Point(0, -4000))]
    assert isinstance(game.battle.question, WhoShoots)
    assert game.refused(Shoot("runners", "mob", "pistol")) == "SHPH-1"
    assert game.refused(Run("runners")) == "SHPH-1"
    assert turn_of(game.battle, "runners").ran


def test_a_run_may_go_nowhere_but_is_made(squad: Any, skirmish: Any) -> None:
    """[SHPH-2] Staying still uses the unit's go and counts as having Run."""
    game = skirmish(
        squad("runners", [(10, 20)]),
        squad("idle", [(60, 5)]),
        squad("mob", [(18, 20)], side="blue"),
        dice=[6],
    )
    game.play(Run("runners"), Stay())
    assert game.said(UnitMoved) == []
    assert turn_of(game.battle, "runners").ran
    assert game.legal() == [Run("idle"), EndPhase()]


def test_a_run_is_no_move_of_the_movement_phase(squad: Any, skirmish: Any) -> None:
    """[MOVE-8, SHPH-2]"""
    game = skirmish(
        squad("runners", [(10, 20)]),
        squad("idle", [(60, 5)]),
        squad("mob", [(18, 20)], side="blue"),
        dice=[1],
    )
    game.play(Run("runners"), MoveUnit("runners", Point(-1000, 0)))
    assert turn_of(game.battle, "runners").moved == ()
