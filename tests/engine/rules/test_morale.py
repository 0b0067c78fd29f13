"""Leadership tests, casualty Morale checks, falling back. [LDT, HERO, WHEN, FALL]"""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.leadership import leadership_test
from engine.runner import Action
from events.attacks import UnitDestroyed
from events.choices import EndPhase, GoToGround, Shoot
from events.morale import FallBackStarted, FellBack, MoraleChecked, MoraleReason, UnitRegrouped
from events.movement import ModelsMoved
from events.questions import WhoShoots
from events.values import Profile, Weapon
from projections.battle import AssaultPhase, MovementPhase, ShootingPhase

GUN = Weapon("gun", 24000, 4, 2, "assault", 4)
LEADERLESS = Profile("leaderless", 3, 3, 3, 3, 1, 3, 1, None)
SERGEANT = Profile("sergeant", 4, 4, 4, 4, 1, 4, 2, 9)


def ranks(n: int, y: float = 30.0) -> list[tuple[float, float]]:
    """Return `n` places in ranks of five, from `y` northward."""
    return [(20 + 1.5 * (k % 5), y + 1.5 * (k // 5)) for k in range(n)]


def leadership(
    game: Any, unit: str, faces: tuple[int, ...], reason: MoraleReason = "casualties", **how: Any
) -> MoraleChecked:
    """Take one Leadership test with these faces and return its fact."""
    action = Action(game.battle)
    running = leadership_test(action, unit, reason, **how)
    try:
        running.send(None)
        running.send(faces)
    except StopIteration as done:
        (fact,) = action.events
        assert isinstance(fact, MoraleChecked)
        assert fact.passed is done.value
        return fact
    raise AssertionError("the test wants more dice")


@pytest.fixture
def game(squad: Any, skirmish: Any) -> Any:
    """Return a quiet battle with units of several kinds of Leadership."""
    return skirmish(
        squad("plain", ranks(4)),
        squad("led", ranks(4, 20), others={3: SERGEANT}),
        squad("lost", ranks(4, 15), profile=LEADERLESS),
        squad("routed", ranks(4, 10), falling_back=True),
        squad("enemy", [(60, 40)], side="blue"),
    )


def test_at_most_leadership_passes(game: Any) -> None:
    """[LDT-1, MMOD-3] Leadership 8."""
    assert leadership(game, "plain", (4, 4)) == MoraleChecked("plain", "casualties", 8, 0, 8, True)
    assert not leadership(game, "plain", (4, 5)).passed


def test_the_best_leadership_in_the_unit_counts(game: Any) -> None:
    """[LDT-2]"""
    assert leadership(game, "led", (4, 5)).passed


def test_modifiers_change_leadership_not_dice(game: Any) -> None:
    """[LDT-3, MMOD-1]"""
    wanted = MoraleChecked("plain", "lost combat", 8, -3, 6, False)
    assert leadership(game, "plain", (3, 3), "lost combat", modifier=-3) == wanted
    assert leadership(game, "plain", (3, 2), "lost combat", modifier=-3).passed


def test_double_one_passes_a_morale_check_whatever_the_modifier(game: Any) -> None:
    """[HERO-1]"""
    assert leadership(game, "plain", (1, 1), "lost combat", modifier=-9).passed
    assert not leadership(game, "plain", (1, 2), "lost combat", modifier=-9).passed


def test_double_one_is_nothing_special_when_regrouping(game: Any) -> None:
    """[LDT-4, LDT-5]"""
    assert not leadership(game, "plain", (1, 1), "regroup", modifier=-7).passed


def test_a_restricted_test_passes_on_double_one_alone(game: Any) -> None:
    """[HERO-2, RGRP-3]"""
    assert not leadership(game, "plain", (1, 2), "regroup", only_double_one=True).passed
    assert leadership(game, "plain", (1, 1), "regroup", only_double_one=True).passed


def rolled_nothing(game: Any, unit: str, reason: MoraleReason) -> MoraleChecked:
    """Take a test that needs no dice."""
    action = Action(game.battle)
    with pytest.raises(StopIteration) as done:
        leadership_test(action, unit, reason).send(None)
    assert done.value.value is False
    (fact,) = action.events
    assert isinstance(fact, MoraleChecked)
    return fact


def test_without_leadership_nobody_rolls(game: Any) -> None:
    """[LDT-4, ZERO-4, AUTO-1]"""
    wanted = MoraleChecked("lost", "casualties", 0, 0, 0, False)
    assert rolled_nothing(game, "lost", "casualties") == wanted


def test_a_unit_falling_back_fails_its_checks_unrolled_but_may_regroup(game: Any) -> None:
    """[FALL-5, AUTO-1, LDT-5]"""
    assert rolled_nothing(game, "routed", "casualties").total == 0
    assert leadership(game, "routed", (4, 4), "regroup").passed


@pytest.mark.parametrize(
    ("started", "left", "locked", "checks"),
    [(8, 6, False, 1), (9, 7, False, 0), (9, 6, False, 1), (4, 2, True, 0), (1, 1, False, 0)],
)
def test_a_quarter_lost_in_the_phase_calls_for_a_check(
    squad: Any, skirmish: Any, started: int, left: int, locked: bool, checks: int
) -> None:
    """[WHEN-1, WHEN-4, LOCK-8, DIV-3] 8 lose 2: check; 9 lose 2: none; locked: none."""
    game = skirmish(
        squad("mob", ranks(left), side="blue", phase_started=started, locked=locked),
        squad("red", [(10, 10)]),
        phase=ShootingPhase(closing=True),
        dice=[3, 3] * checks,
    )
    assert len(game.said(MoraleChecked)) == checks


def test_losses_of_earlier_phases_do_not_count(squad: Any, skirmish: Any) -> None:
    """[UNIT-5, WHEN-1] Half the unit fell before this phase."""
    game = skirmish(
        squad("mob", ranks(5), side="blue", started=10),
        squad("red", [(10, 10)]),
        phase=ShootingPhase(closing=True),
    )
    assert game.said(MoraleChecked) == []


def test_the_active_players_units_check_first_each_once(squad: Any, skirmish: Any) -> None:
    """[SEPH-3, WHEN-5, BVA-4] Then the other side's; within a side in muster order."""
    game = skirmish(
        squad("b1", ranks(2, 30), side="blue", phase_started=4),
        squad("r1", ranks(2, 5), phase_started=4),
        squad("b2", ranks(2, 35), side="blue", phase_started=4),
        squad("r2", ranks(2, 9), phase_started=4),
        phase=ShootingPhase(closing=True),
        dice=[3, 3] * 4,
    )
    assert [fact.unit for fact in game.said(MoraleChecked)] == ["r1", "r2", "b1", "b2"]


def test_shooting_drives_a_unit_back_at_once(squad: Any, skirmish: Any) -> None:
    """[WHEN-1, FALL-1, FALL-4] Two of four die, 6 + 5 fails on 8, 2 + 1: 3 inches northward.

    In its own turn it Regroups on a double 1.
    """
    game = skirmish(
        squad("guns", [(20, 20)], [GUN]),
        squad("mob", ranks(4), side="blue"),
        dice=[3, 3, 1, 1, 4, 4, 6, 5, 2, 1, 1, 1],
    )
    before = {m.n: m.at for m in game.unit("mob").models}
    game.play(Shoot("guns", "mob", "gun"), GoToGround(False))
    assert game.said(FallBackStarted) == [FallBackStarted("mob")]
    assert game.said(FellBack) == [FellBack("mob", 3000)]
    assert game.said(UnitRegrouped) == [UnitRegrouped("mob")]
    assert [(m.at.x, m.at.y) for m in game.unit("mob").models] == [
        (before[m.n].x, before[m.n].y + 3000) for m in game.unit("mob").models
    ]


def test_touching_the_edge_removes_the_unit(squad: Any, skirmish: Any) -> None:
    """[FALL-3, RMV-2] The nearest model stands 8 inches from its edge; 4 + 5 is enough."""
    game = skirmish(
        squad("mob", [(20, 39.508), (20, 38)], side="blue", phase_started=4),
        squad("red", [(10, 10)]),
        phase=MovementPhase(closing=True),
        dice=[6, 6, 4, 5],
    )
    assert game.said(UnitDestroyed) == [UnitDestroyed("mob", "fled the table")]
    assert game.unit("mob").models == ()


def test_short_of_the_edge_it_stays(squad: Any, skirmish: Any) -> None:
    """[FALL-3] 3 + 4 of the same 8 inches."""
    game = skirmish(
        squad("mob", [(20, 39.508), (20, 38)], side="blue", phase_started=4),
        squad("red", [(10, 10)]),
        phase=MovementPhase(closing=True),
        dice=[6, 6, 3, 4],
    )
    assert game.said(UnitDestroyed) == []
    assert game.unit("mob").models[0].at.y == 46508
    assert game.unit("mob").falling_back


def test_without_a_zone_the_nearest_edge_is_the_own(squad: Any, skirmish: Any) -> None:
    """[FALL-1] The unit stands 10 inches from the west edge."""
    game = skirmish(
        squad("mob", [(10, 20), (10, 22)], side="blue", phase_started=4),
        squad("red", [(60, 10)]),
        phase=MovementPhase(closing=True),
        zones=(),
        dice=[6, 6, 1, 1],
    )
    assert [m.at.x for m in game.unit("mob").models] == [8000, 8000]


def test_surrounded_it_is_trapped(squad: Any, skirmish: Any) -> None:
    """[FALL-6] A closed ring of enemies, none of them just fought."""
    ring = [(18, 18), (20, 18), (22, 18), (18, 20), (22, 20), (18, 22), (20, 22), (22, 22)]
    game = skirmish(
        squad("lone", [(20, 20)], side="blue", phase_started=2),
        squad("ring", ring),
        phase=MovementPhase(closing=True),
        dice=[6, 6, 3, 3],
    )
    assert game.said(UnitDestroyed) == [UnitDestroyed("lone", "trapped")]


def test_a_unit_already_falling_back_goes_further(squad: Any, skirmish: Any) -> None:
    """[FALL-5] The check fails unrolled and costs it another move; it has begun before."""
    game = skirmish(
        squad("mob", ranks(2), side="blue", phase_started=4, falling_back=True),
        squad("red", [(10, 10)]),
        phase=MovementPhase(closing=True),
        dice=[1, 1],
    )
    assert game.said(MoraleChecked) == [MoraleChecked("mob", "casualties", 8, 0, 0, False)]
    assert game.said(FallBackStarted) == []
    assert game.said(FellBack) == [FellBack("mob", 2000)]
    assert len(game.said(ModelsMoved)) == 1


def test_no_check_at_the_end_of_the_assault_phase(squad: Any, skirmish: Any) -> None:
    """[WHEN-1] Losses of close combat never cause this test; those of the Movement phase do."""
    units = (
        squad("mob", ranks(2), side="blue", phase_started=4),
        squad("red", [(10, 10)]),
    )
    assert skirmish(*units, phase=AssaultPhase(closing=True)).said(MoraleChecked) == []
    moving = skirmish(*units, phase=MovementPhase(closing=True), dice=[1, 1])
    assert len(moving.said(MoraleChecked)) == 1
    assert isinstance(moving.battle.question, WhoShoots)
    assert EndPhase() in moving.legal()
