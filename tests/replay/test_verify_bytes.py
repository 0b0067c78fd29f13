"""A stream holds the bytes that an engine wrote, not only equal values. [P4, P11]"""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from events.ledger import Ledger
from events.steps import Step
from replay.verify import Verdict, verify_steps
from tests.properties.kit import forged, new_game, play_on


@cache
def played() -> tuple[Step, ...]:
    with Ledger.memory() as ledger:
        game = new_game(ledger, "13", 1)
        game.note("a slip", by="red")
        play_on(game, Random(13))
        return tuple(ledger.read("g"))


@pytest.mark.parametrize(
    ("old", "new", "n", "event"),
    [
        (b'{"type":"game_created/2",', b'{"note":"","type":"game_created/2",', 1, 0),
        (b'{"type":"game_created/2",', b'{"type":"game_created/2", ', 1, 0),
        (b'"ruleset"', b'"commitments":null,"ruleset"', 1, 0),
        (b'[{"type":"noted/1",', b'[{"type":"noted/1","more":[],', 2, 0),
        (b'"text":"a slip"', b'"text":"\\u0061 slip"', 2, 0),
        (b"},{", b"}, {", 1, 0),
    ],
    ids=["key more", "space", "default written out", "mark", "letter", "between events"],
)
def test_a_value_written_another_way_is_named(old: bytes, new: bytes, n: int, event: int) -> None:
    # given a whole game, in which one value is written another way
    steps = list(played())
    written = steps[n - 1].events
    assert verify_steps("g", steps).verdict is Verdict.EXACT and old in written
    steps[n - 1] = replace(steps[n - 1], events=written.replace(old, new, 1))
    # when a forger computes every chain anew
    report = verify_steps("g", forged(steps))
    # then step and event are named
    assert report.verdict is Verdict.DIVERGED
    assert (report.step, report.event) == (n, event)
    assert "another way" in report.reason


def test_a_point_as_a_list_of_three_is_named() -> None:
    """msgspec reads longer arrays, too."""
    steps = list(played())
    for step in steps[1:]:
        at = step.events.find(b'"at":[')
        if at > 0:
            end = step.events.index(b"]", at)
            changed = step.events[:end] + b",7" + step.events[end:]
            steps[step.n - 1] = replace(step, events=changed)
            break
    else:
        pytest.fail("no point in the game")
    report = verify_steps("g", forged(steps))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, step.n)
    assert report.reason.endswith("has a value written another way")
