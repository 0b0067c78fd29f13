"""What is offered is accepted, and what is refused leaves no trace. [P6]"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game import Game
from engine.sequence import RULESETS
from events.base import other
from events.choices import (
    AnyChoice,
    Concede,
    Deploy,
    EndPhase,
    MoveUnit,
    PlaceModels,
    Shoot,
    Stay,
    TakeZone,
)
from events.codec import canonical
from events.errors import IllegalChoice
from events.ledger import Ledger
from events.questions import HowToCharge, WhoMoves
from events.values import Point
from projections.battle import Battle
from replay.verify import Verdict, verify
from tests.properties.kit import (
    BROKEN,
    agreements,
    new_game,
    play_on,
    rows_of,
    step_on,
    whole_games,
)

SEEDS = st.integers(0, 10**6)


@whole_games
@given(SEEDS, st.integers(1, 3), agreements)
def test_whatever_is_offered_passes_its_check(seed: int, units: int, agreed: Any) -> None:
    with Ledger.memory() as ledger:
        game, random = new_game(ledger, str(seed), units, **agreed), Random(seed)
        while game.battle.outcome is None:
            # given any open question
            offered = game.legal()
            # then something can be answered, nothing is offered twice, and all of it is legal
            assert offered, game.pending
            assert all(a != b for i, a in enumerate(offered) for b in offered[:i])
            for choice in offered:
                assert game.refusal(choice) is None, (choice, game.pending)
                assert canonical(choice) == choice
            step_on(random, game)


@whole_games
@given(SEEDS, st.integers(0, 50), agreements)
def test_whatever_is_offered_can_be_played_and_taken_back(
    seed: int, steps: int, agreed: Any
) -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed), **agreed), Random(seed), steps)
        before = game.battle
        loaded = Game.open(ledger, "g", now=lambda: 0)
        assert loaded.legal() == game.legal()
        for choice in game.legal():
            node = game.play(choice)
            assert game.pending is not None or game.battle.outcome is not None
            assert node.events[0].choice == choice  # type: ignore[attr-defined]
            game.undo()
            assert game.battle == before
        assert verify(ledger, "g").verdict is Verdict.EXACT


UNITS = st.sampled_from(["ferrymen", "lamplighters", "gnawers", "hauliers", "nobody", ""])
WEAPONS = st.sampled_from(["carbine", "lance", "mortar", "bellows", "cleaver", "spoon", ""])
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 4, 5, 99])
LENGTHS = st.one_of(st.integers(-32000, 32000), st.sampled_from([0, 10**9, -(10**15), 2**63]))
MODELS = st.tuples(UNITS, NUMBERS).map(lambda m: f"{m[0]}.{m[1]}") | st.just("nonsense")
NAMED: dict[tuple[object, str], st.SearchStrategy[Any]] = {
    (str, "weapon"): WEAPONS,
    (str, "model"): MODELS,
    (str, "models"): MODELS,
    (int, "x"): LENGTHS,
    (int, "y"): LENGTHS,
}


def any_of(hint: Any, field: str = "") -> st.SearchStrategy[Any]:
    """Return values of a type: plausible ones, most of them wrong."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return st.sampled_from(parts)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(any_of(part, field) for part in parts))
    if origin is tuple:
        return st.lists(any_of(parts[0], field), max_size=4).map(tuple)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        fields = typing.get_type_hints(hint)
        return st.builds(hint, *(any_of(fields[name], name) for name in hint.__struct_fields__))
    plain = {int: NUMBERS, str: UNITS, bool: st.booleans(), types.NoneType: st.none()}
    return NAMED.get((hint, field), plain.get(hint))


CHOICES = any_of(AnyChoice)


def try_all(game: Game, ledger: Ledger, choices: list[AnyChoice]) -> None:
    """Play each choice where the rules allow it, and see that a refusal leaves no trace."""
    for choice in choices:
        if game.battle.outcome is not None:
            return
        refused = game.refusal(choice)
        rows, battle, node = rows_of(ledger), game.battle, game.history.head
        if refused is None:
            game.play(choice)
            continue
        # then playing it is refused for the same reason, which names a rule and says why
        with pytest.raises(IllegalChoice) as raised:
            game.play(choice)
        assert (raised.value.where, raised.value.reason) == (refused.where, refused.reason)
        assert refused.where and len(refused.reason) > 5
        # nothing is appended, and the question stays open
        assert rows_of(ledger) == rows
        assert game.battle is battle and game.history.head is node


@whole_games
@given(st.data(), SEEDS, st.integers(0, 50), agreements)
def test_a_refused_choice_names_its_rule_and_appends_nothing(
    data: st.DataObject, seed: int, steps: int, agreed: Any
) -> None:
    with Ledger.memory() as ledger:
        # given a game at any question, and choices out of the blue
        game = play_on(new_game(ledger, str(seed), **agreed), Random(seed), steps)
        try_all(game, ledger, data.draw(st.lists(CHOICES, min_size=5, max_size=30)))
        # then play goes on, and nothing of the refused ones is in the record
        play_on(game, Random(seed), 3)
        assert verify(ledger, "g").verdict is Verdict.EXACT


def bent(random: Random, choice: AnyChoice, offered: list[AnyChoice]) -> Iterator[AnyChoice]:
    """Yield choices a little off a legal one: one field changed, or taken from another."""
    for field in choice.__struct_fields__:
        value: Any = getattr(choice, field)
        if isinstance(value, str):
            others = ["nobody", "", "ferrymen", "gnawers", "hauliers", value + "x"]
        elif isinstance(value, Point):
            others = [Point(value.x * 3, value.y), Point(-value.x, value.y + 1), Point(0, 0)]
        elif isinstance(value, tuple):
            others = [(), value[1:], value + value[:1], value[::-1]]
        else:
            others = []
        for changed in others:
            yield replace(choice, **{field: changed})
    if isinstance(choice, PlaceModels) and choice.places and choice.places[0].path:
        first = choice.places[0]
        for path in ((), first.path * 40, (Point(first.path[-1].x + 25000, first.path[-1].y),)):
            yield replace(choice, places=(replace(first, path=path), *choice.places[1:]))
    yield random.choice(offered)


@whole_games
@given(SEEDS)
def test_choices_a_little_off_are_refused_or_played_but_never_break(seed: int) -> None:
    with Ledger.memory() as ledger:
        game, random = new_game(ledger, str(seed)), Random(seed)
        for _ in range(25):
            if game.battle.outcome is not None:
                break
            offered = game.legal()
            choice = random.choice(offered)
            for off in bent(random, choice, offered):
                rows = game.version
                try:
                    game.play(off)
                except IllegalChoice as refused:
                    assert refused.where
                    assert game.version == rows
                else:
                    game.undo()
            play_on(game, random, 1)
        assert verify(ledger, "g").verdict is Verdict.EXACT


@pytest.mark.parametrize(
    "choice",
    [
        MoveUnit("ferrymen", Point(1.5, 0)),  # type: ignore[arg-type]
        MoveUnit("ferrymen", Point("1", 0)),  # type: ignore[arg-type]
        MoveUnit("ferrymen", (1, 0)),  # type: ignore[arg-type]
        MoveUnit("ferrymen", Point(10**40, 0)),
        MoveUnit(None, Point(0, 0)),  # type: ignore[arg-type]
        MoveUnit("\ud800", Point(0, 0)),
        TakeZone("east"),  # type: ignore[arg-type]
        Shoot("ferrymen", "gnawers", "carbine", (True,)),
        Shoot("ferrymen", "gnawers", ...),  # type: ignore[arg-type]
        "end phase",
        Point(0, 0),
        None,
    ],
    ids=repr,
)
def test_a_malformed_choice_is_refused_like_an_illegal_one(choice: Any) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger)
        rows = rows_of(ledger)
        with pytest.raises(IllegalChoice):
            game.play(choice)
        assert isinstance(game.refusal(choice), IllegalChoice)
        assert rows_of(ledger) == rows
        step_on(Random(1), game)


def test_a_list_in_the_place_of_a_tuple_is_played_as_it_is_stored() -> None:
    with Ledger.memory() as ledger:
        # given a deployment with its places in a list
        game = play_on(new_game(ledger), Random(1), 1)
        offered = game.legal()[0]
        assert isinstance(offered, Deploy)
        node = game.play(replace(offered, at=list(offered.at)))
        # then what stands in the game is what the stream gives back
        assert node.events[0].choice == offered  # type: ignore[attr-defined]
        assert Game.open(ledger, "g").battle == game.battle


def test_the_wrong_player_is_refused() -> None:
    with Ledger.memory() as ledger:
        game, random = new_game(ledger), Random(3)
        while game.battle.outcome is None:
            question, choice = game.pending, game.legal()[0]
            assert question is not None
            with pytest.raises(IllegalChoice) as refused:
                game.play(choice, by=other(question.player))
            assert refused.value.where == "PLYR-3"
            step_on(random, game)


def test_nothing_is_played_after_the_end() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3))
        for choice in (EndPhase(), Stay(), Concede(), TakeZone("south")):
            with pytest.raises(IllegalChoice, match="the game is over"):
                game.play(choice)
        assert game.legal() == [] and game.pending is None


@whole_games
@given(SEEDS, agreements)
@example(42, {"ruleset": "40k-6e", "table": BROKEN})
@example(20, {})
def test_a_question_with_one_answer_is_not_asked(seed: int, agreed: Any) -> None:
    with Ledger.memory() as ledger:
        game, random = new_game(ledger, str(seed), **agreed), Random(seed)
        while game.battle.outcome is None:
            # a choice of units or weapons that leaves no choice; where to stand always does
            assert len(game.legal()) > 1 or isinstance(game.pending, GEOMETRIC), game.pending
            step_on(random, game)


def holds_places(hint: Any) -> bool:
    """Whether a type holds a place on the table."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint is Point or any(map(holds_places, typing.get_type_hints(hint).values()))
    return any(map(holds_places, typing.get_args(hint)))


def geometric() -> tuple[type, ...]:
    """Return the questions whose answers are places: `legal()` proposes only some of them."""
    answers = RULESETS["40k-7e"].answers
    found = [q for q, answer in answers.items() if any(map(holds_places, answer.kinds))]
    assert {WhoMoves, HowToCharge} <= {*found} < {*answers}
    return tuple(found)


GEOMETRIC = geometric()


def test_offers_depend_on_battle_and_question_alone() -> None:
    with Ledger.memory() as ledger, Ledger.memory() as elsewhere:
        # given two battles that are equal but were reached by different ways
        left = play_on(new_game(ledger), Random(8), 14)
        right = play_on(new_game(elsewhere), Random(8), 14)
        right.undo(to=4)
        right.take_branch(left.step)
        assert isinstance(left.battle, Battle) and left.battle == right.battle
        assert left.legal() == right.legal()
