"""The state digest: equal battles have equal ones, others don't, whatever is remembered. [P4]"""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.ledger import Ledger
from events.values import Point
from projections.battle import Battle, Outcome, OverPhase, Score, Tally, TurnRecord, UnitTurn
from projections.digest import Digester, digest
from projections.reducers.game import given as given_event
from projections.reducers.game import scenario_given
from tests.properties.kit import new_game, play_on, whole_games


def battle_at(seed: int, steps: int) -> Battle:
    with Ledger.memory() as ledger:
        return play_on(new_game(ledger, str(seed)), Random(seed), steps).battle


BATTLE = battle_at(1, 14)


def copied(battle: Battle) -> Battle:
    """Return an equal battle that shares nothing with it."""
    data = msgspec.json.encode(battle)
    return msgspec.json.decode(data, type=Battle)


def test_equal_battles_have_equal_digests_though_they_share_nothing() -> None:
    assert copied(BATTLE) == BATTLE
    assert digest(copied(BATTLE)) == digest(BATTLE)
    assert len(digest(BATTLE)) == 32


def first_model(battle: Battle, **changed: object) -> Battle:
    unit = battle.units[0]
    model = replace(unit.models[0], **changed)
    unit = replace(unit, models=(model, *unit.models[1:]))
    return replace(battle, units=(unit, *battle.units[1:]))


CHANGED = {
    "a model a mil away": first_model(BATTLE, at=Point(1, 2)),
    "a wound lost": first_model(BATTLE, lost=1),
    "a unit locked": replace(
        BATTLE,
        units=(*BATTLE.units[:-1], replace(BATTLE.units[-1], locked=not BATTLE.units[-1].locked)),
    ),
    "units in another order": replace(BATTLE, units=BATTLE.units[::-1]),
    "a point scored": replace(BATTLE, score=Score(1, 0)),
    "no question": replace(BATTLE, question=None),
    "a turn later": replace(BATTLE, clock=replace(BATTLE.clock, game_turn=5)),
    "dice counted": replace(BATTLE, phase=replace(BATTLE.phase, dice=(Tally("x", 1),))),
    "another table": replace(BATTLE, table=replace(BATTLE.table, width=1)),
    "another policy": replace(BATTLE, settings=replace(BATTLE.settings, undo="none")),
    "another name": replace(BATTLE, armies=(replace(BATTLE.armies[0], name="x"), BATTLE.armies[1])),
    "no armies": replace(BATTLE, armies=()),
    "better armour": replace(
        BATTLE,
        setups=(
            replace(BATTLE.setups[0], profiles=(replace(BATTLE.setups[0].profiles[0], save=2),)),
            *BATTLE.setups[1:],
        ),
    ),
}


@pytest.mark.parametrize("other", CHANGED.values(), ids=CHANGED.keys())
def test_any_difference_changes_the_digest(other: Battle) -> None:
    assert other != BATTLE
    assert digest(other) != digest(BATTLE)


def test_no_two_changes_give_one_digest() -> None:
    digests = {digest(other) for other in CHANGED.values()}
    assert len(digests) == len(CHANGED)


@pytest.mark.parametrize("field", Battle.__struct_fields__)
def test_every_field_of_a_battle_is_in_the_digest(field: str) -> None:
    changed: dict[str, object] = {
        "settings": replace(BATTLE.settings, ruleset="x"),
        "table": replace(BATTLE.table, height=9),
        "clock": replace(BATTLE.clock, game_turn=9),
        "phase": OverPhase(),
        "turn": TurnRecord((UnitTurn("x"),)),
        "question": None,
        "score": Score(9, 9),
        "outcome": Outcome("red", ""),
    }
    other = replace(BATTLE, **{field: changed.get(field, ())})
    assert other != BATTLE and digest(other) != digest(BATTLE)


@whole_games
@given(st.integers(0, 10**6))
def test_what_is_remembered_changes_no_digest(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed)), Random(seed), 30)
        battles = [node.battle for node in game.history.nodes.values()]
        # given a digester that sees the battles of a game in any order, and twice
        digester, random = Digester(), Random(seed)
        order = battles + battles
        random.shuffle(order)
        for battle in order:
            assert digester.digest(battle) == digest(battle)


@whole_games
@given(st.integers(0, 10**6), st.integers(0, 60))
def test_a_battle_given_as_an_event_has_the_same_digest(seed: int, steps: int) -> None:
    battle = battle_at(seed, steps)
    again = scenario_given(BATTLE, given_event(battle))
    assert again == battle and digest(again) == digest(battle)
