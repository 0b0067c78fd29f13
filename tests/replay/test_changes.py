"""When did this change, and by which rules."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from events.attacks import ModelRemoved, UnitDestroyed, WoundSuffered
from events.base import Mark
from events.codec import EVENT_TYPES
from events.errors import WarledgerError
from events.game import GameCreated
from events.ledger import Ledger
from events.morale import MoraleChecked
from events.movement import UnitMoved
from projections.queries import has_unit, model_of, unit_of
from replay.changes import RULES_BEHIND, changes
from tests.properties.kit import new_game, play_on, whole_games

SEEDS = st.integers(0, 10**6)


def a_fight(ledger: Ledger) -> Game:
    """Return a game played to its end, with casualties."""
    return play_on(new_game(ledger), Random(3))


def test_the_rules_behind_an_event_are_those_its_docstrings_name() -> None:
    assert RULES_BEHIND[UnitMoved] == ("MOVE-2",)
    assert RULES_BEHIND[ModelRemoved] == ("RMV-1",)
    # an id in a longer bracket counts, one of the properties of this project doesn't
    assert "ALRC-5" in RULES_BEHIND[WoundSuffered]
    assert RULES_BEHIND[GameCreated] == ()
    # the event's own come first, then its reducer's
    assert RULES_BEHIND[MoraleChecked][:3] == ("LDT-1", "MCHK-1", "AUTO-1")
    assert set(RULES_BEHIND) == set(EVENT_TYPES)
    assert all(not rules for kind, rules in RULES_BEHIND.items() if issubclass(kind, Mark))


@whole_games
@given(SEEDS)
def test_a_model_s_changes_tell_its_whole_story(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed))
        path = game.history.path()
        for n in (1, 2, 3):
            found = list(changes(game.history, f"gnawers.{n}"))
            touched = {change.step for change in found}
            # then every step at which the model differs from the step before is named
            for before, after in pairwise(path):
                was, now = (model_of(unit_of(a.battle, "gnawers"), n) for a in (before, after))
                assert was == now or after.step in touched
            # and each names what it changed, and the event is of that step
            for change in found:
                assert change.event in game.history.nodes[change.step].events
                assert all(d.one != d.two for d in change.differences)
                assert change.ids == RULES_BEHIND[type(change.event)]


def test_a_removed_model_s_last_change_is_its_removal_with_the_rule() -> None:
    with Ledger.memory() as ledger:
        game = a_fight(ledger)
        removed = next(
            (step, event) for step, event in game.history.facts() if type(event) is ModelRemoved
        )
        last = list(changes(game.history, removed[1].model))[-1]
        assert (last.step, last.event) == removed
        assert last.ids == ("RMV-1",)
        assert last.rule in ("shoot_or_run", "shoot_next", "charge", "initiative_step")
        assert [(d.field, d.two) for d in last.differences] == [(removed[1].model, "-")]


def test_a_field_s_changes_are_only_its_own() -> None:
    with Ledger.memory() as ledger:
        game = a_fight(ledger)
        counts = list(changes(game.history, "gnawers.models"))
        # the muster, then every loss; values follow on each other down to the end
        values = [d.two for change in counts for d in change.differences][1:]
        assert values == sorted(values, key=int, reverse=True)
        assert int(values[-1]) == len(unit_of(game.battle, "gnawers").models)
        assert {type(c.event) for c in counts[1:]} <= {ModelRemoved, UnitDestroyed}
        turns = [d for c in changes(game.history, "clock.game_turn") for d in c.differences]
        assert all(d.field == "clock.game_turn" for d in turns)
        assert [int(d.two) for d in turns] == list(range(1, game.battle.clock.game_turn + 1))


def test_changes_up_to_a_step_and_on_another_branch() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 30)
        tip = game.history.head
        game.undo(to=game.history.path()[5].step)
        play_on(game, Random(4), 5)
        kept = {node.step for node in game.history.path()}
        assert {c.step for c in changes(game.history, "gnawers")} <= kept
        undone = {c.step for c in changes(game.history, "gnawers", tip)}
        assert undone <= {node.step for node in game.history.path(tip)}


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("orks", "no unit and no field; units are ferrymen, lamplighters, gnawers"),
        ("gnawers.7", "gnawers has the models 1 to 6"),
        ("gnawers.0", "the models 1 to 6"),
        ("gnawers.colour", "no field 'colour' here; there are side, started"),
        ("gnawers.2.colour", "no field 'colour' here; there are at, lost"),
        ("score.green", "there are red, blue"),
        ("", "no unit and no field"),
    ],
)
def test_an_unknown_name_is_refused_with_the_known_ones(what: str, reason: str) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger)
        assert has_unit(game.battle, "gnawers")
        with pytest.raises(WarledgerError, match=reason):
            changes(game.history, what)
