"""Jumps along a line of play."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.assault import ChargeDeclared
from events.attacks import ModelRemoved, UnitDestroyed
from events.choices import TakeWounds
from events.errors import WarledgerError
from events.game import Asked, Chosen, TurnStarted
from events.ledger import Ledger
from events.morale import MoraleChecked
from events.questions import WhichWeapon
from replay.timeline import LANDMARKS, Timeline, units_of
from tests.properties.kit import new_game, play_on, whole_games

SEEDS = st.integers(0, 10**6)


def of_kind(what: str, event: object) -> bool:
    """Say apart from the timeline's own table whether an event is such a landmark."""
    return {
        "turn": isinstance(event, TurnStarted),
        "charge": isinstance(event, ChargeDeclared),
        "casualty": isinstance(event, ModelRemoved | UnitDestroyed),
        "failed test": isinstance(event, MoraleChecked) and event.passed is False,
        "gnawers": getattr(event, "unit", "") == "gnawers",
    }[what]


@whole_games
@given(SEEDS)
def test_jumping_visits_each_landmark_once_forward_and_once_back(seed: int) -> None:
    with Ledger.memory() as ledger:
        history = play_on(new_game(ledger, str(seed)), Random(seed)).history
        timeline = Timeline(history)
        for what in ("turn", "charge", "casualty", "failed test"):
            wanted = [
                node.step
                for node in history.path()
                if any(of_kind(what, event) for event in node.events)
            ]
            timeline.seek(1)
            ahead = [] if wanted[:1] != [1] else [1]
            while (node := timeline.jump(what)) is not None:
                assert timeline.node is node
                ahead.append(node.step)
            assert ahead == wanted
            timeline.seek(history.head.step)
            back = [history.head.step] if wanted[-1:] == [history.head.step] else []
            while (node := timeline.jump(what, backwards=True)) is not None:
                back.append(node.step)
            assert back == wanted[::-1]
            assert [n.step for n, _ in timeline.every(what)] == sorted(
                n.step for n in history.path() for e in n.events if of_kind(what, e)
            )


def test_a_unit_s_next_event_is_one_that_speaks_of_it() -> None:
    with Ledger.memory() as ledger:
        history = play_on(new_game(ledger), Random(3)).history
        timeline = Timeline(history)
        timeline.seek(1)
        visited = [1]
        while (node := timeline.jump("gnawers")) is not None:
            visited.append(node.step)
            assert any("gnawers" in units_of(event) for event in node.events)
        # no step with a fact of the unit's own is passed over
        own = {n.step for n in history.path() for e in n.events if of_kind("gnawers", e)}
        assert own and own <= set(visited)


def test_the_units_an_event_speaks_of() -> None:
    assert units_of(Chosen("red", TakeWounds(("boyz.3", "boyz.1")))) == ("boyz",)
    assert units_of(ChargeDeclared("boyz", ("a", "b"))) == ("boyz", "a", "b")
    assert units_of(TurnStarted(1, "red")) == ()
    # a question is no event of the unit
    assert units_of(Asked(WhichWeapon("red", "boyz", "a"))) == ()


def test_an_unknown_landmark_is_refused_with_the_known_ones() -> None:
    with Ledger.memory() as ledger:
        timeline = Timeline(new_game(ledger).history)
        with pytest.raises(WarledgerError, match="one of turn, phase, charge, casualty"):
            timeline.jump("miracle")
        assert timeline.jump("charge") is None and timeline.step == 1
        assert set(LANDMARKS) == {"turn", "phase", "charge", "casualty", "failed test"}
