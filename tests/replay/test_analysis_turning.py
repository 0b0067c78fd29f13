"""Turning points: the steps at which points of models left and score moved most."""

from __future__ import annotations

import itertools

import pytest

from engine.armies import bundled, read_army_bytes
from engine.bots import bots_for, play_out
from engine.game import Game
from events.ledger import Ledger
from replay.analysis.turning import (
    MOST,
    VICTORY_POINT,
    happened,
    leads,
    score_now,
    turning_points,
)
from replay.analysis.units import enrolled


@pytest.fixture(scope="module")
def game():
    """A finished bot battle."""
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="report", undo="free")
        play_out(game, *bots_for(game))
        yield game


@pytest.fixture(scope="module")
def stood(game):
    """How the sides stood after each step."""
    return leads(game.history.path(), enrolled(game.history.facts()))


def test_a_standing_is_the_points_of_models_left_and_fifty_a_victory_point(game, stood):
    assert VICTORY_POINT == 50
    setups = {setup.id: setup for setup in game.battle.setups}
    for node, lead in zip(game.history.path(), stood, strict=True):
        red = blue = 0
        for unit in node.battle.units:
            worth = 10 * setups[unit.id].points * len(unit.models) // unit.started
            red, blue = (red + worth, blue) if unit.side == "red" else (red, blue + worth)
        assert (lead.red_models, lead.blue_models) == (red, blue)
        assert lead.lead == red - blue + 500 * (lead.red_score - lead.blue_score)


def test_nothing_is_scored_before_the_first_turn_and_the_rules_score_the_rest(game, stood):
    for node, lead in zip(game.history.path(), stood, strict=True):
        if not node.battle.clock.game_turn:
            assert (lead.red_score, lead.blue_score) == (0, 0)
    last = game.battle.score
    assert (stood[-1].red_score, stood[-1].blue_score) == (last.red, last.blue)
    before = game.history.head.parent.battle
    gone = sum(not unit.models for unit in before.units if unit.side == "blue")
    assert score_now(before).red >= gone > 0
    assert before.score.red == 0, "scoring ahead changes no battle"


def test_turning_points_are_the_largest_swings_in_order_of_play(game, stood):
    found = turning_points(game.history.path(), stood)
    swings = [abs(b.lead - a.lead) for a, b in itertools.pairwise(stood)]
    assert len(found) == MOST
    assert [one.step for one in found] == sorted(one.step for one in found)
    assert sorted((one.swing for one in found), reverse=True) == sorted(swings, reverse=True)[:MOST]
    steps = [lead.step for lead in stood]
    for one in found:
        at = steps.index(one.step)
        assert (one.gained == "red") == (stood[at].lead > stood[at - 1].lead)
        assert (one.turn, one.phase) == (stood[at - 1].turn, stood[at - 1].phase)


def test_a_turning_point_says_what_happened(game, stood):
    for one in turning_points(game.history.path(), stood):
        assert one.answer and one.happened
        node = game.history.nodes[one.step]
        for was, unit in zip(node.parent.battle.units, node.battle.units, strict=True):
            if was.models and not unit.models:
                assert f"{unit.id} is destroyed (" in one.happened
            elif len(was.models) > len(unit.models):
                assert f"{unit.id} loses {len(was.models) - len(unit.models)} model" in one.happened


def test_a_step_without_losses_says_only_what_the_score_would_be(game, stood):
    path = game.history.path()
    quiet = next(n for n in range(1, len(path)) if stood[n].lead == stood[n - 1].lead)
    assert happened(path[quiet], stood[quiet - 1], stood[quiet]) == ""


def test_a_game_that_has_not_moved_has_no_turning_points(game, stood):
    assert turning_points(game.history.path()[:3], stood[:3]) == ()
