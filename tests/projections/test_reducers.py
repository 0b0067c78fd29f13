"""Exactly one battle reducer for each event type; marks have none. [P7]"""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from events.base import Mark
from events.codec import EVENT_TYPES, UPCASTERS, decode_events
from events.game import Asked, Chosen, DiceRolled, GameEnded
from events.ledger import Ledger
from projections import reducers
from projections.reducers import REDUCERS, fold
from tests.properties.kit import events_of, new_game, play_on

FOLDER = Path(inspect.getfile(reducers)).parent
MODULES: list[ModuleType] = [
    import_module(f"projections.reducers.{path.stem}")
    for path in sorted(FOLDER.glob("*.py"))
    if path.stem != "__init__"
]


def test_every_event_type_has_exactly_one_reducer_or_is_a_mark() -> None:
    for event in EVENT_TYPES:
        found = [m.__name__ for m in MODULES if event in m.REDUCERS]
        assert len(found) == (0 if issubclass(event, Mark) else 1), (event, found)


def test_there_is_no_reducer_for_anything_else() -> None:
    assert set(REDUCERS) == {event for event in EVENT_TYPES if not issubclass(event, Mark)}
    assert sum(len(m.REDUCERS) for m in MODULES) == len(REDUCERS)
    assert not any(issubclass(event, Mark) for event in REDUCERS)
    assert not set(REDUCERS) & set(UPCASTERS)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_reducers_reach_for_no_dice_clock_or_rule(module: ModuleType) -> None:
    # given what a reducers' module imports
    tree = ast.parse(inspect.getsource(module))
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    # then it is events, projections and nothing that could give another answer tomorrow
    for name in imported:
        assert name is not None
        assert name.partition(".")[0] in {
            "__future__",
            "collections",
            "typing",
            "msgspec",
            "events",
            "projections",
        }, name


@pytest.mark.parametrize("dice", ["seeded", "entered"])
def test_an_answer_closes_its_question_and_nothing_else_does(dice: str) -> None:
    with Ledger.memory() as ledger:
        play_on(new_game(ledger, dice=dice), Random(1))
        question = battle = None
        for row in events_of(ledger):
            for event in decode_events(row):
                battle = fold(battle, [event])
                if isinstance(event, Asked):
                    question = event.question
                elif isinstance(event, Chosen | GameEnded) or (
                    isinstance(event, DiceRolled) and event.source == "entered"
                ):
                    question = None
                assert battle.question == question


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_a_fold_is_the_same_in_any_portions(at_once: int) -> None:
    with Ledger.memory() as ledger:
        live = play_on(new_game(ledger), Random(1))
        events = [event for row in events_of(ledger) for event in decode_events(row)]
        battle = None
        for start in range(0, len(events), at_once):
            battle = fold(battle, events[start : start + at_once])
        assert battle == live.battle
