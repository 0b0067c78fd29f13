"""What a game may be begun with: one agreement, and a battle between procedures. [P12]"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.game import Game
from engine.sequence import RULES
from events.base import Event, Input
from events.choices import OfferRealDice
from events.codec import decode_events, encode_event, join_events
from events.errors import LedgerError, WarledgerError
from events.game import ArmyMustered, GameCreated
from events.ledger import Ledger
from events.questions import LinksNeeded, RealDiceOffered, RollNeeded
from events.steps import Step
from events.values import Table, Terrain
from projections.battle import Battle, Outcome
from projections.digest import digest
from projections.reducers.game import given
from replay.bugreport import report as bug_report
from replay.fork import fork
from replay.reproduce import reproduce
from replay.verify import Verdict, verify, verify_steps
from tests.properties.kit import blue_army, forged, new_game, play_on, red_army, reveal, step_on


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def agreed(**terms: Any) -> GameCreated:
    with Ledger.memory() as ledger:
        return new_game(ledger, **terms).created


# One agreement


def twice(first: GameCreated, second: GameCreated, at: int) -> list[Input]:
    """Return a creation's inputs with another creation among them."""
    inputs: list[Input] = [ArmyMustered("red", red_army()), ArmyMustered("blue", blue_army())]
    inputs.insert(at, second)
    return [first, *inputs]


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("policy", ["free", "none"])
def test_a_game_is_not_begun_by_two_agreements(ledger: Ledger, at: int, policy: str) -> None:
    first = agreed(undo="none")
    with pytest.raises(LedgerError, match="a game is created once"):
        Game.begin(ledger, twice(first, replace(first, undo=policy), at), "g")
    assert ledger.games() == {}


Place = Callable[[list[Event], Event], list[Event]]

PLACES: dict[str, Place] = {
    "right after the first": lambda events, extra: [events[0], extra, *events[1:]],
    "after the armies": lambda events, extra: [*events[:3], extra, *events[3:]],
    "at the end": lambda events, extra: [*events, extra],
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("rules", [RULES, RULES + 1])
@pytest.mark.parametrize("n", [1, 4])
def test_a_second_agreement_in_a_stream_is_forged(
    ledger: Ledger, place: str, rules: int, n: int
) -> None:
    # given a stream with a second creation, of a freer policy, in one of its steps
    game = play_on(new_game(ledger, undo="none"), Random(1), 6)
    steps = ledger.read("g")
    first = decode_events(steps[0].events)
    first[0] = replace(game.created, rules=rules)
    steps[0] = replace(steps[0], events=join_events(map(encode_event, first)))
    events = PLACES[place](decode_events(steps[n - 1].events), replace(game.created, undo="free"))
    steps[n - 1] = replace(steps[n - 1], events=join_events(map(encode_event, events)))
    with Ledger.memory() as copy:
        copy.adopt("g", forged(steps))
        # then verify names the step, in the first whatever rules it claims
        report = verify(copy, "g")
        ours = rules == RULES or n == 1
        assert report.verdict is (Verdict.DIVERGED if ours else Verdict.UNVERIFIED)
        assert report.step == n
        # and it isn't opened
        with pytest.raises(LedgerError, match="a game is created once") as refused:
            Game.open(copy, "g")
        assert refused.value.where == f"g step {n}"


def test_a_report_with_two_agreements_does_not_go_as_recorded(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, undo="none"), Random(1), 6)
    whole = bug_report(game)
    first = decode_events(bytes(whole.rows[0].events))
    first.insert(1, replace(game.created, undo="free"))
    events = msgspec.Raw(join_events(map(encode_event, first)))
    rows = (replace(whole.rows[0], events=events), *whole.rows[1:])
    changed = replace(whole, rows=rows)
    assert reproduce(whole).reproduced
    found = reproduce(changed)
    assert not found.reproduced and found.row == 1
    assert "a game is created once" in found.words


def test_the_policy_that_a_game_obeys_is_the_one_it_was_created_with(ledger: Ledger) -> None:
    for undo in ("free", "until_revealed", "none"):
        game = new_game(ledger, game=undo, undo=undo)
        scenario = Game.begin(ledger, [game.created, given(agreed_battle())], f"{undo} given")
        for one in (game, scenario, fork(ledger, game, game=f"{undo} fork")):
            assert one.battle.settings.undo == one.created.undo == undo


def agreed_battle() -> Battle:
    """Return a battle that other terms were agreed for, between two procedures."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, undo="free", dice="entered"), Random(1), 20)
        while game.history.head.began is None:
            step_on(Random(1), game)
        return game.history.head.began


# Agreements that can't fit


def begun_under(created: GameCreated) -> list[Step]:
    with Ledger.memory() as ledger:
        new_game(ledger)
        (step,) = ledger.read("g")
    events = [created, *decode_events(step.events)[1:]]
    return forged([replace(step, events=join_events(map(encode_event, events)))])


SEEDED, REVEALED = agreed(), agreed(dice="revealed")


@pytest.mark.parametrize(
    ("created", "field"),
    [
        (replace(REVEALED, commitments=None), "commitments"),
        (replace(SEEDED, commitments=REVEALED.commitments), "commitments"),
        (replace(REVEALED, dice_after_undo="same"), "dice_after_undo"),
        (replace(REVEALED, dice="seeded"), "algorithm"),
        (replace(SEEDED, dice="revealed"), "algorithm"),
        (replace(SEEDED, table=Table(terrain=(Terrain("Ruin", "open", ()),))), "terrain"),
    ],
    ids=["none", "too many", "same dice", "links seeded", "no links", "table"],
)
def test_terms_that_cant_fit_are_no_later_engines(created: GameCreated, field: str) -> None:
    report = verify_steps("g", begun_under(created))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, 1)
    assert report.reason.startswith(field)


# A battle that is given


ROLLS = (RollNeeded, LinksNeeded, RealDiceOffered)


def asking(kind: type) -> Battle:
    """Return a battle in the middle of a procedure, in which a question of this kind is open."""
    dice = "entered" if kind is RollNeeded else "revealed"
    with Ledger.memory() as ledger:
        game, random = new_game(ledger, dice=dice), Random(4)
        play_on(game, random, 30)
        while not isinstance(game.pending, kind):
            if isinstance(game.pending, LinksNeeded) and kind is RealDiceOffered:
                game.play(OfferRealDice(), by="red")
            else:
                step_on(random, game)
        return game.battle


@pytest.mark.parametrize("over", [False, True], ids=["under way", "over"])
@pytest.mark.parametrize("created", [SEEDED, REVEALED], ids=["seeded", "revealed"])
@pytest.mark.parametrize("kind", ROLLS)
def test_a_battle_with_an_open_question_is_not_given(
    ledger: Ledger, kind: type, created: GameCreated, over: bool
) -> None:
    # given a battle in which something is asked, by a procedure that can't be made again
    battle = asking(kind)
    if over:
        battle = replace(battle, outcome=Outcome("red", "a scenario"))
    # then no game begins with it
    with pytest.raises(LedgerError, match=f"{kind.__name__} is open") as refused:
        Game.begin(ledger, [created, given(battle)], "s")
    assert refused.value.where == "ScenarioGiven"
    assert ledger.games() == {}
    # and a stream that does is forged
    step = begun_under(created)[0]
    events = join_events(map(encode_event, [created, given(battle)]))
    report = verify_steps("g", forged([replace(step, events=events, state=digest(battle))]))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, 1)
    assert "ScenarioGiven" in report.reason


@pytest.mark.parametrize("created", [SEEDED, REVEALED], ids=["seeded", "revealed"])
def test_a_battle_that_is_over_is_given_and_nothing_can_be_done(
    ledger: Ledger, created: GameCreated
) -> None:
    battle = replace(agreed_battle(), outcome=Outcome("red", "a scenario"), question=None)
    game = Game.begin(ledger, [created, given(battle)], "s")
    assert game.pending is None and game.legal() == []
    for act in (
        lambda: game.reveal("0" * 64, by="red"),
        lambda: game.enter([4]),
        lambda: game.concede("red"),
        lambda: game.play(OfferRealDice(), by="red"),
    ):
        with pytest.raises(WarledgerError):
            act()
    assert verify(ledger, "s").verdict is Verdict.EXACT


@pytest.mark.parametrize("dice", ["seeded", "revealed", "entered"])
def test_a_battle_between_procedures_is_given_and_played_on(ledger: Ledger, dice: str) -> None:
    game = Game.begin(ledger, [agreed(dice=dice), given(agreed_battle())], "s")
    random = Random(2)
    for _ in range(20):
        question = game.pending
        if isinstance(question, LinksNeeded):
            reveal(game, question.waiting[0])
        elif game.battle.outcome is None:
            step_on(random, game)
    assert verify(ledger, "s").verdict is Verdict.EXACT
