"""A redacted report: other names, no notes, no seed, and the same game. [P1, P10]"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from events import choices, questions, rulings, values
from events.codec import EVENT_TYPES, decode_events
from events.ledger import Ledger
from events.values import Objective, Part, Point, Table, Terrain
from projections import battle as battles
from replay.bugreport import decode_report, encode_report, report
from replay.failures import Raised
from replay.redact import FIELDS, OF_CLASS, Renaming
from replay.reproduce import reproduce
from tests.properties.kit import TABLE, line_of, new_game, play_on
from tests.replay.planted import exception
from tests.replay.test_bugreport import failing_game, with_history

NAMES = [
    "ferrymen",
    "lamplighters",
    "tollkeepers",
    "gnawers",
    "hauliers",
    "stilts",
    "river",
    "watch",
    "undercroft",
    "carbine",
    "lance",
    "spitter",
    "sprayer",
    "cleaver",
    "mob",
    "brute",
    "high",
]


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


@pytest.mark.parametrize("dice", ["seeded", "entered"])
@pytest.mark.parametrize("fresh", ["same", "fresh"])
def test_it_is_reproduced_and_names_nothing(ledger: Ledger, dice: str, fresh: str) -> None:
    # given a game with a note, branches and a seed
    game = with_history(ledger, dice=dice, dice_after_undo=fresh)
    # when it is reported under other names
    made = report(game, redacted=True)
    text = encode_report(made).decode().lower()
    # then no name is left, and it is the same game
    for name in NAMES:
        assert re.search(rf"\b{name}\b", text) is None, name
    assert '"seed":""' in text and made.header.chain == ""
    assert made.header.dice == ("entered" if dice == "entered" else "recorded")
    assert reproduce(made).reproduced, reproduce(made).words
    plain = report(game)
    assert [len(decode_events(bytes(row.events))) for row in made.rows] == [
        len(decode_events(bytes(row.events))) for row in plain.rows
    ]


def test_new_names_keep_muster_order_and_the_order_of_ids(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, "1", 3), Random(1), 30)
    names = Renaming(game.history)
    old = [unit.id for unit in game.battle.units]
    new = [unit.id for unit in names.renamed(game.battle).units]
    pairs = sorted(zip(old, new, strict=True))
    assert [b for _, b in pairs] == sorted(new)
    assert new != sorted(new)  # muster order is another one, and stays


def test_terrain_and_objectives_are_renamed(ledger: Ledger) -> None:
    square = tuple(Point(x, y) for x, y in ((14000, 11000), (16000, 11000), (16000, 13000)))
    table = Table(
        TABLE.width,
        TABLE.height,
        (Objective("wellspring", Point(5000, 5000)),),
        (Terrain("millhouse", "impassable", (Part(square, 3000),)),),
    )
    game = play_on(new_game(ledger, "1", 3, table=table), Random(1))
    made = report(game, redacted=True, note="by the Millhouse, wellspring; Ferrymen's turn")
    assert b"millhouse" not in encode_report(made) and b"wellspring" not in encode_report(made)
    assert made.header.note == "by the place-1, place-2; unit-1's turn"
    assert reproduce(made).reproduced


def test_a_fault_is_met_again_without_its_message(ledger: Ledger) -> None:
    with exception():
        game, error = failing_game(ledger)
        made = report(game, error=error, redacted=True)
        failure = made.ending.failure
        assert isinstance(failure, Raised) and failure.message == ""
        assert reproduce(made).reproduced
    assert not reproduce(made).reproduced


def test_every_word_in_an_event_or_a_battle_has_its_kind() -> None:
    """A new field of text says in `replay.redact` what its words are."""
    modules = (choices, questions, rulings, values, battles)
    found = [thing for module in modules for thing in vars(module).values()]
    structs = [t for t in found if isinstance(t, type) and issubclass(t, msgspec.Struct)]
    unknown = [
        f"{cls.__name__}.{field.name}"
        for cls in (*EVENT_TYPES, *structs)
        for field in msgspec.structs.fields(cls)
        if _holds_text(field.type)
        and field.name not in FIELDS
        and (cls.__name__, field.name) not in OF_CLASS
    ]
    assert unknown == []


def _holds_text(kind: Any) -> bool:
    return kind in (str, tuple[str, ...], str | None)


@pytest.mark.parametrize("redacted", [False, True])
def test_a_game_with_revealed_dice_is_reported_and_reproduced(redacted: bool) -> None:
    """Links stay as they are; under other names the dice are those that fell."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, dice="revealed"), Random(2), 120)
        game.undo(to=line_of(game)[-9].step)
        play_on(game, Random(3), 60)
        made = decode_report(encode_report(report(game, redacted=redacted)), "r")
    assert made.header.dice == ("recorded" if redacted else "revealed")
    done = reproduce(made)
    assert done.reproduced and done.found is None, done.words
