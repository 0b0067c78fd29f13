"""The Movement phase: voluntary moves, and compulsory ones before them. [MOVE, RGRP]"""

from __future__ import annotations

from typing import Any

import pytest

from events.choices import EndPhase, MoveUnit, Place, PlaceModels, Run, Shoot, Stay
from events.game import DiceRolled
from events.morale import FellBack, MoraleChecked, UnitRegrouped
from events.movement import UnitMoved
from events.questions import WhereToRegroup, WhoMoves, WhoShoots
from events.values import Point, Profile, Weapon
from projections.battle import MovementPhase
from projections.queries import turn_of

GUN = Weapon("gun", 24000, 4, 2, "heavy", 1)
BRAVE = Profile("brave", 4, 4, 4, 4, 1, 4, 1, 10)


def line(n: int, y: float = 20.0) -> list[tuple[float, float]]:
    """Return `n` places in a line along the table, an inch and a half apart."""
    return [(20 + 1.5 * k, y) for k in range(n)]


def test_a_unit_moves_once_up_to_six_inches(squad: Any, skirmish: Any) -> None:
    """[MOVE-1, MOVE-2, MOVE-8]"""
    game = skirmish(
        squad("walkers", line(2)),
        squad("idle", [(60, 5)]),
        squad("mob", [(40, 40)], side="blue"),
        phase=MovementPhase(),
    )
    assert game.refused(MoveUnit("walkers", Point(0, 6001))) == "MOVE-2"
    assert game.refused(MoveUnit("mob", Point(0, 1000))) == "MOVE-1"
    assert game.refused(MoveUnit("nobody", Point(0, 1000))) == "UNIT-1"
    game.play(MoveUnit("walkers", Point(0, 6000)))
    assert game.refused(MoveUnit("walkers", Point(0, 1000))) == "MOVE-1"
    assert turn_of(game.battle, "walkers").moved == (1, 2)
    assert turn_of(game.battle, "idle").moved == ()


def test_models_may_move_apart_but_not_too_far(squad: Any, skirmish: Any) -> None:
    """[MOVE-4, UNIT-3, MOVE-8] Only the model that moved counts as moved."""
    game = skirmish(
        squad("walkers", line(2)),
        squad("idle", [(60, 5)]),
        squad("mob", [(40, 40)], side="blue"),
        phase=MovementPhase(),
    )
    apart = PlaceModels("walkers", (Place(2, (Point(25000, 20000),)),))
    assert game.refused(apart) == "UNIT-3"
    game.play(PlaceModels("walkers", (Place(2, (Point(22500, 20000),)),)))
    assert turn_of(game.battle, "walkers").moved == (2,)


@pytest.mark.parametrize("status", ["locked", "falling_back"])
def test_who_may_not_move(squad: Any, skirmish: Any, status: str) -> None:
    """[MOVE-6, MOVE-7] A locked unit stays; a falling back one has made its compulsory move."""
    game = skirmish(
        squad("stuck", line(2), **{status: True}),
        squad("idle", [(60, 5)]),
        squad("mob", [(40, 40)], side="blue"),
        phase=MovementPhase(moved=("stuck",) if status == "falling_back" else ()),
    )
    rule = {"locked": "MOVE-6", "falling_back": "MOVE-1"}[status]
    assert game.refused(MoveUnit("stuck", Point(0, -1000))) == rule


def test_falling_back_units_come_first_in_muster_order(squad: Any, skirmish: Any) -> None:
    """[RGRP-1, FALL-4, MOVE-7] Both fail on 8 and fall back; the enemy's waits for its turn."""
    game = skirmish(
        squad("idle", [(60, 5)]),
        squad("r1", line(3, 20), falling_back=True),
        squad("b1", [(40, 40)], side="blue", falling_back=True),
        squad("r2", line(3, 30), falling_back=True),
        phase=MovementPhase(),
        dice=[5, 4, 1, 1, 6, 6, 1, 2],
    )
    assert [fact.unit for fact in game.said(MoraleChecked)] == ["r1", "r2"]
    assert game.said(FellBack) == [FellBack("r1", 2000), FellBack("r2", 3000)]
    assert isinstance(game.battle.question, WhoMoves)
    assert game.refused(MoveUnit("r1", Point(0, 1000))) == "MOVE-1"
    assert turn_of(game.battle, "r1").moved == (1, 2, 3)


def test_too_few_regroup_on_double_one_only(squad: Any, skirmish: Any) -> None:
    """[RGRP-3] 2 of 10 left, Leadership 10: 1 + 2 fails, and the unit falls back again."""
    game = skirmish(
        squad("rest", line(2), profile=BRAVE, started=10, falling_back=True),
        squad("idle", [(60, 5)]),
        squad("mob", [(40, 40)], side="blue"),
        phase=MovementPhase(),
        dice=[1, 2, 3, 3],
    )
    assert game.said(UnitRegrouped) == []
    assert game.said(FellBack) == [FellBack("rest", 6000)]


def test_too_few_regroup_on_double_one(squad: Any, skirmish: Any) -> None:
    """[RGRP-3, HERO-2]"""
    game = skirmish(
        squad("rest", line(2), started=10, falling_back=True),
        squad("mob", [(40, 40)], side="blue"),
        phase=MovementPhase(),
        dice=[1, 1],
    )
    assert game.said(UnitRegrouped) == [UnitRegrouped("rest")]


def test_a_unit_that_regroups_moves_three_inches(squad: Any, skirmish: Any) -> None:
    """[RGRP-1, RGRP-2] 3 of 10 left, Leadership 8, 5 + 3: no Run afterwards, Snap Shots only."""
    game = skirmish(
        squad("rest", line(3), [GUN], started=10, falling_back=True),
        squad("idle", [(60, 5)]),
        squad("mob", [(22, 30), (22, 32)], side="blue"),
        phase=MovementPhase(),
        dice=[5, 3, 6, 5, 6, 1, 1],
    )
    assert game.battle.question == WhereToRegroup("red", "rest", 3000)
    assert [r.purpose for r in game.said(DiceRolled)] == ["regroup"]
    assert game.refused(MoveUnit("rest", Point(0, 3001))) == "MOVE-2"
    assert game.refused(MoveUnit("idle", Point(0, 1000))) == "MOVE-1"
    assert Stay() in game.legal()
    game.play(MoveUnit("rest", Point(0, 3000)))
    assert game.said(UnitMoved) == [UnitMoved("rest", "regroup", Point(0, 3000))]
    assert game.refused(MoveUnit("rest", Point(0, 1000))) == "MOVE-1"
    game.play(EndPhase())
    assert isinstance(game.battle.question, WhoShoots)
    assert game.refused(Run("rest")) == "RGRP-2"
    game.play(Shoot("rest", "mob", "gun"))
    assert [(r.need, r.passed) for r in game.said(DiceRolled) if r.purpose == "to hit"] == [(6, 2)]
    assert not game.unit("rest").falling_back


def test_a_unit_that_regroups_may_stay(squad: Any, skirmish: Any) -> None:
    """[RGRP-2] It makes no other move all the same."""
    game = skirmish(
        squad("rest", line(3), falling_back=True),
        squad("idle", [(60, 5)]),
        squad("mob", [(40, 40)], side="blue"),
        phase=MovementPhase(),
        dice=[1, 3],
    )
    game.play(Stay())
    assert game.said(UnitMoved) == []
    assert game.refused(MoveUnit("rest", Point(0, 1000))) == "MOVE-1"
    assert turn_of(game.battle, "rest").regrouped
