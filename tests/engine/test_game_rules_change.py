"""A game that was begun under another rules number is played on. [P5, P12]"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from engine.game import Game
from engine.sequence import RULES
from engine.undo import UndoBarred
from events.base import Event
from events.codec import decode_events, encode_event, join_events
from events.errors import Divergence, IllegalChoice
from events.game import DiceRolled, GameCreated
from events.history import RulesChanged, Undone
from events.ledger import Ledger
from events.steps import Step
from replay.verify import Verdict, verify
from tests.properties.kit import forged, new_game, play_on, rows_of, step_on

OLDER = RULES - 1


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def under_older_rules(ledger: Ledger, steps: list[Step]) -> Game:
    """Store these steps as if older rules had written them, and open the game."""
    first = decode_events(steps[0].events)
    assert isinstance(first[0], GameCreated)
    first[0] = replace(first[0], rules=OLDER)
    begun = replace(steps[0], events=join_events(map(encode_event, first)))
    ledger.adopt("g", forged([begun, *steps[1:]]))
    return Game.open(ledger, "g", now=lambda: 0)


def played(until: int, **agreed: object) -> list[Step]:
    with Ledger.memory() as ledger:
        play_on(new_game(ledger, "3", 3, **agreed), Random(3), until)
        return ledger.read("g")


def last_events(ledger: Ledger, back: int = 1) -> list[Event]:
    return decode_events(ledger.read("g")[-back].events)


def test_play_goes_on_under_a_mark_that_says_so_once(ledger: Ledger) -> None:
    game = under_older_rules(ledger, played(12))
    assert game.history.rules == OLDER
    rows = game.version
    node = game.play(game.legal()[0])
    assert game.version == rows + 2 and node.step == rows + 2
    assert last_events(ledger, 2) == [RulesChanged(OLDER, RULES)]
    game.play(game.legal()[0])
    assert game.version == rows + 3
    assert verify(ledger, "g").verdict is Verdict.EXACT
    assert Game.open(ledger, "g").history.rules == RULES


def test_a_refused_choice_changes_no_rules(ledger: Ledger) -> None:
    game = under_older_rules(ledger, played(12))
    rows = rows_of(ledger)
    with pytest.raises(IllegalChoice):
        game.play(game.legal()[0], by="red" if game.pending.player == "blue" else "blue")  # type: ignore[union-attr]
    assert rows_of(ledger) == rows


def test_looking_and_undoing_changes_no_rules(ledger: Ledger) -> None:
    game = under_older_rules(ledger, played(12))
    game.undo()
    game.redo()
    game.note("old times", by="red")
    assert game.history.rules == OLDER


def led_elsewhere() -> list[Step]:
    """Return a game in the middle of an action whose dice fell for another purpose once."""
    with Ledger.memory() as ledger:
        game, random = new_game(ledger, "3", 3, undo="until_revealed"), Random(3)
        while not (game.history.head.began is None and game.history.head.rolled):
            step_on(random, game)
        *before, last = ledger.read("g")
        changed = [
            DiceRolled("an older word", e.faces) if isinstance(e, DiceRolled) else e
            for e in game.history.head.events
        ]
        return [*before, replace(last, events=join_events(map(encode_event, changed)))]


def test_an_action_our_rules_lead_elsewhere_is_read_only_until_gone_on(ledger: Ledger) -> None:
    # given a game that stands in the middle of such an action
    game = under_older_rules(ledger, led_elsewhere())
    rows, head = rows_of(ledger), game.history.head
    with pytest.raises(Divergence):
        game.play(game.legal()[0])
    with pytest.raises(UndoBarred):
        game.undo()
    assert rows_of(ledger) == rows
    # when it is gone on with
    node = game.go_on()
    # then it stands at the action's start, past dice that the policy would not have let it pass
    assert node.depth < head.depth
    assert last_events(ledger, 2) == [RulesChanged(OLDER, RULES)]
    (undone,) = last_events(ledger)
    assert isinstance(undone, Undone) and undone.to == node.step
    # and is played on; what older rules led to is not verified, but nothing is false
    play_on(game, Random(4), 10)
    report = verify(ledger, "g")
    assert report.verdict is Verdict.UNVERIFIED
    assert (report.rules_recorded, report.rules_now) == (OLDER, RULES)
    assert report.step == head.step


def test_a_game_under_our_rules_can_only_be_played_on(ledger: Ledger) -> None:
    game = play_on(new_game(ledger), Random(1), 5)
    with pytest.raises(UndoBarred, match="play on"):
        game.go_on()
    assert game.version == 6


@pytest.mark.parametrize(
    "mark", [RulesChanged(RULES, RULES), RulesChanged(OLDER - 1, RULES)], ids=["same", "false"]
)
def test_a_change_of_rules_that_is_none_is_forged(ledger: Ledger, mark: RulesChanged) -> None:
    play_on(new_game(ledger, undo="none"), Random(1), 5)
    steps = ledger.read("g")
    added = replace(steps[-1], n=7, events=join_events([encode_event(mark)]))
    with Ledger.memory() as copy:
        copy.adopt("g", forged([*steps, added]))
        report = verify(copy, "g")
        assert report.step == 7 and "stands under rules" in report.reason
        assert report.verdict is Verdict.DIVERGED
