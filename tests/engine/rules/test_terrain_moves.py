"""Difficult, dangerous and lethal terrain as the rules meet it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.choices import Deploy, EndPhase, MoveUnit, Place, PlaceModels, Run, Stay, TryDifficult
from events.terrain import DangerousTerrainTested, DifficultTerrainRolled
from events.values import Part, Point, Terrain, TerrainKind
from projections.battle import Clock, MovementPhase, SetupPhase


def piece(name: str, kind: TerrainKind, x0: int, y0: int, x1: int, y1: int) -> Terrain:
    """An upright rectangle of bare ground; inches."""
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    return Terrain(name, kind, (Part(tuple(Point(x * 1000, y * 1000) for x, y in corners)),))


MARSH = piece("marsh", "difficult", 14, 10, 20, 30)
BRIARS = piece("briars", "dangerous", 8, 18, 12, 22)


def test_a_test_is_offered_where_difficult_terrain_is_near(squad: Any, skirmish: Any) -> None:
    """[TERR-2, DIFF-2] No other offer enters it; one that stands in it must test. [DIFF-5]"""
    game = skirmish(
        squad("near", [(12, 20)]),
        squad("far", [(40, 5)]),
        squad("inside", [(16, 20)]),
        squad("foes", [(60, 40)], side="blue"),
        phase=MovementPhase(),
        terrain=[MARSH],
    )
    tests = [offer for offer in game.legal() if isinstance(offer, TryDifficult)]
    assert tests == [TryDifficult("near"), TryDifficult("inside")]
    assert game.refused(MoveUnit("near", Point(3000, 0))) == "TERR-2"
    assert game.refused(MoveUnit("inside", Point(6000, 0))) == "DIFF-5"
    assert {offer.unit for offer in game.legal()[:-1]} == {"near", "far", "inside"}


def test_no_test_without_difficult_terrain(squad: Any, skirmish: Any) -> None:
    """[TERR-2, OPEN-2]"""
    game = skirmish(
        squad("walkers", [(12, 20)]),
        squad("foes", [(60, 40)], side="blue"),
        phase=MovementPhase(),
        terrain=[piece("hill", "open", 14, 10, 20, 30)],
    )
    assert game.refused(TryDifficult("walkers")) == "TERR-2"
    game.play(MoveUnit("walkers", Point(6000, 0)))


def test_who_stays_is_named_before_the_dice(squad: Any, skirmish: Any) -> None:
    """[DIFF-7] Not everybody, nobody twice, and nobody who isn't there. Offers move the others."""
    game = skirmish(
        squad("walkers", [(12, 20), (12, 21.5)]),
        squad("foes", [(60, 40)], side="blue"),
        phase=MovementPhase(),
        terrain=[MARSH],
        dice=[2, 1],
    )
    for still in ((1, 2), (1, 1), (3,)):
        assert game.refused(TryDifficult("walkers", still)) == "DIFF-7"
    game.play(TryDifficult("walkers", (2,)))
    assert game.said(DifficultTerrainRolled) == [DifficultTerrainRolled("walkers", 2000, (1,))]
    *moves, last = game.legal()
    assert moves
    assert last == Stay()
    assert all([place.model for place in move.places] == [1] for move in moves)
    assert game.refused(MoveUnit("walkers", Point(1000, 0))) == "DIFF-7"


def test_move_through_cover_is_a_third_die_and_no_dangerous_test(squad: Any, skirmish: Any) -> None:
    """[DIFF-12] 1 1 5 allows 5 inches; the briars are passed without a die."""
    setup, unit = squad("scouts", [(10, 20)])
    game = skirmish(
        (replace(setup, not_applied=("Move Through Cover",)), unit),
        squad("foes", [(60, 40)], side="blue"),
        phase=MovementPhase(),
        terrain=[BRIARS],
        dice=[1, 1, 5],
    )
    game.play(TryDifficult("scouts"), MoveUnit("scouts", Point(5000, 0)))
    assert game.said(DangerousTerrainTested) == [DangerousTerrainTested("scouts.1", "briars", True)]


def test_a_new_phase_asks_for_a_new_dangerous_test(squad: Any, skirmish: Any) -> None:
    """[DANG-4] Once in the Movement phase, once more in a Run."""
    game = skirmish(
        squad("scouts", [(10, 20)]),
        squad("more", [(60, 5)]),
        squad("foes", [(60, 40)], side="blue"),
        phase=MovementPhase(),
        terrain=[BRIARS],
        dice=[3, 2, 4, 1, 5],
    )
    game.play(TryDifficult("scouts"), MoveUnit("scouts", Point(1000, 0)), EndPhase())
    assert [hazard.terrain for hazard in game.battle.phase.hazards] == []
    game.play(Run("scouts"), PlaceModels("scouts", (Place(1, (Point(11500, 20000),)),)))
    assert [test.passed for test in game.said(DangerousTerrainTested)] == [True, True]


def test_nobody_deploys_on_impassable_ground(squad: Any, skirmish: Any) -> None:
    """[TERR-1, IMP-1] Offers keep off it, whatever is free of it is legal."""
    setup, unit = squad("scouts", [(10, 5)])
    waiting = replace(unit, models=tuple(replace(m, at=None) for m in unit.models))
    game = skirmish(
        (setup, waiting),
        squad("foes", [(60, 40)], side="blue"),
        phase=SetupPhase(winner="red"),
        clock=Clock(0, "red", "red", "setup"),
        terrain=[piece("rock", "impassable", 8, 2, 12, 12)],
    )
    assert game.refused(Deploy("scouts", (Point(10000, 5000),))) == "TERR-1"
    assert game.legal()
    game.play(Deploy("scouts", (Point(7500, 5000),)))
