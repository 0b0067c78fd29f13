"""The turn: order of phases, their end step, records that end with it. [TURN, GTPT, SEPH]"""

from __future__ import annotations

from typing import Any

import pytest

from events.assault import UnitsUnlocked
from events.choices import EndPhase, MoveUnit
from events.game import (
    GameEnded,
    GameLengthRolled,
    PhaseEnded,
    PhaseStarted,
    TurnEnded,
    TurnStarted,
)
from events.morale import MoraleChecked
from events.questions import WhoMoves
from events.values import Point
from projections.battle import Clock, MovementPhase, ShootingPhase


def test_four_phases_in_order_then_the_other_player(squad: Any, skirmish: Any) -> None:
    """[TURN-1, TURN-2, TURN-4, GTPT-1, PSY-2] Nobody is near; the empty Psychic phase passes."""
    game = skirmish(
        squad("red", [(10, 10)]), squad("blue", [(60, 40)], side="blue"), phase=MovementPhase()
    )
    game.play(EndPhase(), EndPhase())
    assert [e.phase for e in game.said(PhaseStarted)] == [
        "psychic",
        "shooting",
        "assault",
        "movement",
    ]
    assert [e.phase for e in game.said(PhaseEnded)] == [
        "movement",
        "psychic",
        "shooting",
        "assault",
    ]
    assert game.said(TurnEnded, TurnStarted) == [TurnEnded(2, "red"), TurnStarted(2, "blue")]
    assert game.battle.question == WhoMoves("blue")


def test_the_turn_record_ends_with_the_turn(squad: Any, skirmish: Any) -> None:
    """[GTPT-4, MOVE-8]"""
    game = skirmish(
        squad("red", [(10, 10)]), squad("blue", [(60, 40)], side="blue"), phase=MovementPhase()
    )
    game.play(MoveUnit("red", Point(1000, 0)))
    assert game.battle.turn.units[0].moved == (1,)
    game.play(EndPhase())
    assert game.battle.turn.units == ()


def test_tests_come_before_unlocking(squad: Any, skirmish: Any) -> None:
    """[SEPH-3, LOCK-3, LOCK-8, AMB-6] Locked to the end of the phase: no check, then free."""
    game = skirmish(
        squad("red", [(10, 10)]),
        squad("mob", [(20, 20), (21.5, 20)], side="blue", locked=True, phase_started=4),
        squad("free", [(30, 20), (31.5, 20)], side="blue", phase_started=4),
        phase=ShootingPhase(closing=True),
        dice=[3, 4],
    )
    assert game.said(MoraleChecked, UnitsUnlocked) == [
        MoraleChecked("free", "casualties", 8, 0, 7, True),
        UnitsUnlocked(("mob",)),
    ]


def test_counts_for_the_casualty_test_start_with_the_phase(squad: Any, skirmish: Any) -> None:
    """[UNIT-5, WHEN-1, SEPH-1]"""
    game = skirmish(
        squad("red", [(10, 10)]),
        squad("mob", [(20, 20)] * 4, side="blue", started=10, phase_started=5),
        phase=MovementPhase(),
    )
    game.play(EndPhase())
    assert (game.unit("mob").phase_started, game.unit("mob").started) == (4, 10)


@pytest.mark.parametrize(
    ("turn", "face", "goes_on"),
    [(5, 2, False), (5, 3, True), (6, 3, False), (6, 4, True)],
)
def test_the_length_of_the_game(
    squad: Any, skirmish: Any, turn: int, face: int, goes_on: bool
) -> None:
    """[GTPT-1] After game turn 5 on a 3+, after 6 on a 4+."""
    game = skirmish(
        squad("red", [(10, 10)]),
        squad("blue", [(60, 40)], side="blue"),
        clock=Clock(turn, "blue", "red", "shooting", in_phase=True, in_turn=True),
        phase=ShootingPhase(closing=True),
        dice=[face],
    )
    assert game.said(GameLengthRolled) == [GameLengthRolled(turn, goes_on)]
    assert bool(game.said(GameEnded)) is not goes_on


def test_it_never_goes_on_after_the_seventh(squad: Any, skirmish: Any) -> None:
    """[GTPT-1]"""
    game = skirmish(
        squad("red", [(10, 10)]),
        squad("blue", [(60, 40)], side="blue"),
        clock=Clock(7, "blue", "red", "shooting", in_phase=True, in_turn=True),
        phase=ShootingPhase(closing=True),
    )
    assert game.said(GameLengthRolled) == []
    assert game.battle.outcome is not None
    assert game.legal() == []
