"""A game that was begun under another rules number is played on. [P5, P12]"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from engine.game import Game
from engine.sequence import RULES
from engine.undo import UndoBarred, action_start
from events.base import Event
from events.codec import decode_events, encode_event, join_events
from events.errors import Divergence, IllegalChoice, LedgerError
from events.game import DiceRolled, GameCreated
from events.history import RulesChanged, Undone
from events.ledger import Ledger
from events.steps import Step
from replay.verify import Verdict, verify
from tests.properties.kit import clock, forged, new_game, play_on, rows_of, step_on

OLDER, NEWER = RULES - 1, RULES + 1


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


def led_elsewhere(undo: str = "until_revealed") -> list[Step]:
    """Return a game in the middle of an action whose dice fell for another purpose once."""
    with Ledger.memory() as ledger:
        game, random = new_game(ledger, "3", 3, undo=undo), Random(3)
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
    "mark",
    [RulesChanged(RULES, RULES), RulesChanged(OLDER - 1, RULES), RulesChanged(OLDER, NEWER)],
    ids=["same", "false", "false, to rules not here"],
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


# A change of rules lifts the undo policy only where they really call for it


def rolled_in_mid_action(begun: int = RULES, **agreed: object) -> list[Step]:
    """Return an honest game begun under a rules number, whose last step rolled in mid-action."""
    with Ledger.memory() as ledger:
        game, random = new_game(ledger, "3", 3, **agreed), Random(3)
        while not (game.history.head.began is None and game.history.head.rolled):
            step_on(random, game)
        steps = ledger.read("g")
    first = decode_events(steps[0].events)
    assert isinstance(first[0], GameCreated)
    first[0] = replace(first[0], rules=begun)
    return forged([replace(steps[0], events=join_events(map(encode_event, first))), *steps[1:]])


def undone_after(ledger: Ledger, steps: list[Step], changes: list[RulesChanged]) -> int:
    """Store the steps, the changes, and an undo to the action's start; return its number."""
    with Ledger.memory() as scratch:
        scratch.adopt("g", steps)
        head = Game.open(scratch, "g").history.head
    start = action_start(head)
    marks = [*changes, Undone("red", head.step, start.step)]
    rows = [*steps]
    for mark in marks:
        at = start if isinstance(mark, Undone) else head
        events = join_events([encode_event(mark)])
        rows.append(replace(steps[at.step - 1], n=len(rows) + 1, events=events))
    ledger.adopt("g", forged(rows))
    return len(rows)


@pytest.mark.parametrize("policy", ["none", "until_revealed"])
@pytest.mark.parametrize("dice", ["seeded", "revealed"])
@pytest.mark.parametrize("back", [False, True], ids=["there", "there and back"])
def test_an_undo_that_rules_not_here_are_said_to_call_for_is_never_exact(
    ledger: Ledger, policy: str, dice: str, back: bool
) -> None:
    # given an undo that the policy bars, right after a change to rules that nobody has here
    steps = rolled_in_mid_action(undo=policy, dice=dice)
    n = undone_after(ledger, steps, [RulesChanged(RULES, NEWER)])
    # when the game is played on under ours
    game = Game.open(ledger, "g", now=lambda: 0)
    if back:
        play_on(game, Random(4), 5)
        assert game.history.rules == RULES
    # then every step follows from the others, and the undo alone can't be judged
    report = verify(ledger, "g")
    assert (report.verdict, report.step) == (Verdict.UNVERIFIED, n)
    assert report.steps == game.version and report.rules_recorded == NEWER
    assert f"step {n} " in report.reason and f"rules {NEWER} " in report.reason


def test_an_undo_that_the_policy_allows_needs_no_excuse(ledger: Ledger) -> None:
    undone_after(ledger, rolled_in_mid_action(undo="free"), [RulesChanged(RULES, NEWER)])
    assert verify(ledger, "g").verdict is Verdict.EXACT


@pytest.mark.parametrize(
    ("begun", "changes", "why"),
    [
        (OLDER, [(OLDER, RULES)], f"rules {RULES} lead to what was recorded"),
        (RULES, [(RULES, OLDER), (OLDER, RULES)], f"rules {RULES} lead to what was recorded"),
        (RULES, [(RULES, NEWER), (NEWER, RULES)], "agreed to have no undo"),
        (NEWER, [(NEWER, RULES)], "agreed to have no undo"),
    ],
    ids=["newer that lead nowhere else", "back and there", "there and back", "older"],
)
def test_an_undo_that_our_rules_do_not_call_for_is_forged(
    ledger: Ledger, begun: int, changes: list[tuple[int, int]], why: str
) -> None:
    steps = rolled_in_mid_action(begun, undo="none")
    n = undone_after(ledger, steps, [RulesChanged(*change) for change in changes])
    report = verify(ledger, "g")
    assert (report.verdict, report.step) == (Verdict.DIVERGED, n)
    assert why in report.reason


def test_a_fact_that_differs_after_rules_not_here_is_not_called_forged(ledger: Ledger) -> None:
    # given a false fact under rules not here, and a change back to ours after it
    steps = led_elsewhere()
    last = steps[-1]
    change = join_events([encode_event(RulesChanged(RULES, NEWER))])
    back = join_events([encode_event(RulesChanged(NEWER, RULES))])
    rows = [*steps[:-1], replace(steps[-2], events=change), last, replace(last, events=back)]
    ledger.adopt("g", forged(replace(row, n=n) for n, row in enumerate(rows, 1)))
    # then it is those rules' and not ours that it is judged by
    report = verify(ledger, "g")
    assert (report.verdict, report.step) == (Verdict.UNVERIFIED, last.n + 1)
    assert report.rules_recorded == NEWER


@pytest.mark.parametrize("begun", [OLDER, RULES, NEWER])
@pytest.mark.parametrize("policy", ["none", "until_revealed", "free"])
def test_an_action_that_our_rules_lead_to_as_well_can_only_be_played_on(
    ledger: Ledger, begun: int, policy: str
) -> None:
    # given a game in mid-action whose facts are those of our rules, whatever its number
    ledger.adopt("g", rolled_in_mid_action(begun, undo=policy))
    game = Game.open(ledger, "g", now=lambda: 0)
    rows = rows_of(ledger)
    # when it is to be gone on with from the action's start
    with pytest.raises(UndoBarred, match="play on"):
        game.go_on()
    # then nothing is appended, and it can be played on
    assert rows_of(ledger) == rows
    play_on(game, Random(4), 3)
    assert verify(ledger, "g").verdict is Verdict.EXACT


def test_a_game_of_newer_rules_is_not_gone_on_with_under_older(ledger: Ledger) -> None:
    first = led_elsewhere()
    created = decode_events(first[0].events)
    assert isinstance(created[0], GameCreated)
    created[0] = replace(created[0], rules=NEWER)
    begun = replace(first[0], events=join_events(map(encode_event, created)))
    ledger.adopt("g", forged([begun, *first[1:]]))
    game, rows = Game.open(ledger, "g"), rows_of(ledger)
    with pytest.raises(UndoBarred):
        game.go_on()
    assert rows_of(ledger) == rows


def test_going_on_that_broke_off_between_its_two_rows_is_made_good(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a game whose rules were said to have changed, and the store that failed at the undo
    game, insert = under_older_rules(ledger, led_elsewhere()), ledger._insert

    def full_soon(name: str, steps: list[Step]) -> bool:
        if b'"undone/' in steps[0].events:
            raise LedgerError(name, "disk is full")
        return insert(name, steps)

    monkeypatch.setattr(ledger, "_insert", full_soon)
    with pytest.raises(LedgerError, match="disk is full"):
        game.go_on()
    monkeypatch.undo()
    assert last_events(ledger) == [RulesChanged(OLDER, RULES)]
    # when it is tried again, after a load as well
    game = Game.open(ledger, "g", now=lambda: 0)
    game.go_on()
    # then it stands at the action's start
    assert isinstance(last_events(ledger)[0], Undone)
    play_on(game, Random(4), 3)


@pytest.mark.parametrize("policy", ["none", "until_revealed", "free"])
def test_going_on_is_possible_again_after_a_redo_or_a_note(ledger: Ledger, policy: str) -> None:
    # given a game that went back for newer rules, and forward again to where they don't lead
    game = under_older_rules(ledger, led_elsewhere(undo=policy))
    game.go_on()
    start = game.step
    game.redo()
    game.note("forward by mistake", by="blue")
    with pytest.raises(Divergence):
        game.play(game.legal()[0])
    # when it goes on once more, here or after a load, then it stands where it can be played on
    loaded = Game.open(ledger, "g", now=clock())
    assert loaded.go_on().step == start
    game.refresh()
    assert game.step == start
    step_on(Random(1), game)
    assert game.history.rules == RULES
