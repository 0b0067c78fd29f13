"""Invariants hold in every game, and each is broken by what it names. [P2, P4, P7]"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.errors import WarledgerError
from events.game import PhaseClosing
from events.ledger import Ledger
from events.movement import UnitMoved
from events.values import Point
from projections.battle import Battle, Model, Unit
from projections.change import swap
from replay.invariants import INVARIANTS, Moment, broken, known
from tests.properties.kit import new_game, play_on, whole_games


@whole_games
@given(st.integers(0, 10**6), st.sampled_from(["seeded", "entered"]))
def test_they_hold_after_every_step_of_every_game(seed: int, dice: str) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed), 3, dice=dice), Random(seed))
        for node in game.history.path():
            before = node.parent.battle if node.parent is not None else None
            fault = broken(Moment(before, node.events, node.battle))
            assert fault is None, (node.step, fault)


@pytest.fixture(scope="module")
def battle() -> Battle:
    """A battle in its first Movement phase, everyone deployed."""
    with Ledger.memory() as ledger:
        return play_on(new_game(ledger, "1", 2), Random(1), 6).battle


def first(change: Callable[[Unit], Unit]) -> Callable[[Battle], Battle]:
    return lambda b: replace(b, units=(change(b.units[0]), *b.units[1:]))


def model(**changes: object) -> Callable[[Battle], Battle]:
    return first(lambda u: replace(u, models=(replace(u.models[0], **changes), *u.models[1:])))


def onto_the_enemy(b: Battle) -> Battle:
    at = b.units[-1].models[0].at
    assert at is not None
    return model(at=Point(at.x + 985, at.y))(b)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("models stand on the table", model(at=Point(100, 5000))),
        ("models stand on the table", model(at=None)),
        ("bases do not overlap", lambda b: model(at=b.units[1].models[0].at)(b)),
        ("wounds are within the profile", model(lost=2)),
        ("wounds are within the profile", model(lost=-1)),
        ("contact locks", onto_the_enemy),
        ("contact locks", first(lambda u: replace(u, locked=True))),
        ("counts agree", first(lambda u: replace(u, models=(*u.models, Model(99, Point(9, 9)))))),
        ("counts agree", first(lambda u: replace(u, models=u.models[::-1]))),
        ("counts agree", first(lambda u: replace(u, phase_started=0))),
        ("counts agree", lambda b: replace(b, units=b.units[:-1])),
        ("a given battle is whole", lambda b: replace(b, score=replace(b.score, red=True))),
    ],
    ids=range(12),
)
def test_each_is_broken_by_what_it_names(
    battle: Battle, name: str, change: Callable[[Battle], Battle]
) -> None:
    assert broken(Moment(None, (), battle)) is None
    fault = broken(Moment(None, (), change(battle)), (name,))
    assert fault is not None and fault.invariant == name and fault.words


def test_a_move_of_its_own_will_keeps_a_unit_together(battle: Battle) -> None:
    """[UNIT-3]"""
    unit = battle.units[0]
    moved = UnitMoved(unit.id, "move", Point(0, 0))
    far = model(at=Point(15000, 12000))(battle)
    assert broken(Moment(battle, [moved], far), ("moves keep coherency",)) is not None
    fled = UnitMoved(unit.id, "fall_back", Point(0, 0))
    assert broken(Moment(battle, [fled], far), ("moves keep coherency",)) is None
    assert broken(Moment(far, [moved], far), ("moves keep coherency",)) is None


def test_what_events_do_not_say_does_not_happen(battle: Battle) -> None:
    after = replace(battle, units=swap(battle.units, 0, replace(battle.units[0], locked=True)))
    closing = [PhaseClosing()]
    fault = broken(Moment(battle, closing, after), ("events fold to the battle",))
    assert fault is not None and "units" in fault.words and "phase" in fault.words


def test_names_are_known() -> None:
    assert all(known(name) == name for name in INVARIANTS)
    with pytest.raises(WarledgerError, match="contact locks"):
        known("contact")
