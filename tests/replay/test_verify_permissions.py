"""Undo permissions are checked again by `verify`: a forged move of the head is named. [P8, P12]"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from engine.game import Game
from events.base import Mark, Side, other
from events.codec import decode_events, encode_event, join_events
from events.game import Chosen
from events.history import (
    BranchTaken,
    Noted,
    Redone,
    UndoAsked,
    UndoGranted,
    Undone,
    UndoRefused,
)
from events.ledger import Ledger
from events.steps import Step
from replay.verify import Report, Verdict, verify_steps
from tests.properties.kit import forged, new_game, step_on


def check(steps: Sequence[Step]) -> Report:
    return verify_steps("g", steps, head=steps[-1].chain)


def with_policy(policy: str, act: Callable[[Game], object] = lambda game: None) -> list[Step]:
    """Return an honest game under a policy, in which the last step rolled dice."""
    with Ledger.memory() as ledger:
        game = new_game(ledger, undo=policy)
        random = Random(7)
        while not (game.history.head.rolled and game.step > 5):
            step_on(random, game)
        act(game)
        return ledger.read("g")


def and_then(steps: Sequence[Step], *marks: Mark, to: int = 0) -> list[Step]:
    """Return the steps with forged marks after them; the states are those of step `to`."""
    at = steps[to - 1] if to else steps[-1]
    added = [
        replace(at, n=len(steps) + i, events=join_events([encode_event(mark)]))
        for i, mark in enumerate(marks, 1)
    ]
    return forged([*steps, *added])


def by_of(step: Step) -> Side:
    (chosen, *_) = decode_events(step.events)
    assert isinstance(chosen, Chosen)
    return chosen.by


@pytest.mark.parametrize("policy", ["until_revealed", "none"])
def test_a_forged_undo_that_the_policy_forbids_is_named(policy: str) -> None:
    steps = with_policy(policy)
    last = len(steps)
    report = check(and_then(steps, Undone(by_of(steps[-1]), last, last - 1), to=last - 1))
    assert (report.verdict, report.step, report.event) == (Verdict.DIVERGED, last + 1, 0)
    words = {"none": "agreed to have no undo", "until_revealed": f"dice fell in step {last}"}
    assert words[policy] in report.reason


def test_the_same_undo_is_exact_where_undo_is_free() -> None:
    steps = with_policy("free")
    last = len(steps)
    report = check(and_then(steps, Undone(by_of(steps[-1]), last, last - 1), to=last - 1))
    assert report.verdict is Verdict.EXACT


LAST = len(with_policy("until_revealed"))
BY = by_of(with_policy("until_revealed")[-1])


@pytest.mark.parametrize(
    ("marks", "at"),
    [
        # nobody asked
        ([UndoGranted(other(BY), LAST, LAST - 1)], 1),
        ([UndoRefused(other(BY), LAST - 1)], 1),
        # who asked may not answer
        ([UndoAsked(BY, LAST - 1), UndoGranted(BY, LAST, LAST - 1)], 2),
        # another step than the one asked for
        ([UndoAsked(BY, LAST - 1), UndoGranted(other(BY), LAST, 2)], 2),
        # not where the game stands
        ([UndoAsked(BY, LAST - 1), UndoGranted(other(BY), LAST - 1, LAST - 1)], 2),
        # after a refusal
        (
            [
                UndoAsked(BY, LAST - 1),
                UndoRefused(other(BY), LAST - 1),
                UndoGranted(other(BY), LAST, LAST - 1),
            ],
            3,
        ),
        # nothing was undone, or that is no step
        ([Redone(BY, LAST)], 1),
        ([Redone(BY, LAST + 7)], 1),
        ([Undone(BY, LAST, LAST)], 1),
        ([Undone(BY, LAST, LAST + 7)], 1),
        ([Undone(BY, LAST - 1, LAST - 2)], 1),
        ([BranchTaken(BY, LAST, 2)], 1),
        ([Noted(BY, "fine"), UndoAsked(BY, LAST + 1)], 2),
    ],
    ids=range(13),
)
def test_a_forged_move_of_the_head_is_named(marks: list[Mark], at: int) -> None:
    steps = with_policy("until_revealed")
    report = check(and_then(steps, *marks))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, LAST + at), report
    words = {Redone: "redo", BranchTaken: "@2"}
    assert report.reason.startswith(f"{words.get(type(marks[-1]), 'undo')}: ")


def test_a_grant_after_the_request_has_lapsed_is_named() -> None:
    def asked_and_played_on(game: Game) -> None:
        game.ask_undo(3, by="red")
        step_on(Random(1), game)

    steps = with_policy("until_revealed", asked_and_played_on)
    report = check(and_then(steps, UndoGranted("blue", len(steps), 3), to=3))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, len(steps) + 1)
    assert "nobody asked" in report.reason


def test_a_request_that_took_anothers_place_still_verifies() -> None:
    """Games are stored in which that was let in: only play refuses it."""
    steps = with_policy("until_revealed")
    report = check(and_then(steps, UndoAsked("red", 3), UndoAsked("blue", 2), UndoAsked("blue", 2)))
    assert report.verdict is Verdict.EXACT, report


def test_a_grant_of_another_branch_without_a_request_is_named() -> None:
    def branched(game: Game) -> None:
        game.ask_undo(2, by="red")
        game.grant_undo()
        game.play(game.legal()[-1])

    steps = with_policy("until_revealed", branched)
    last, tip = len(steps), len(steps) - 3
    report = check(and_then(steps, UndoGranted("blue", last, tip), to=tip))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, last + 1)
    assert "nobody asked" in report.reason
    asked = and_then(steps, UndoAsked("red", tip))
    honest = check(and_then(asked, UndoGranted("blue", last, tip), to=tip))
    assert honest.verdict is Verdict.EXACT


def test_an_honest_request_and_grant_are_exact() -> None:
    steps = with_policy("until_revealed")
    marks = [UndoAsked(BY, LAST - 1)]
    report = check(
        and_then(and_then(steps, *marks), UndoGranted(other(BY), LAST, LAST - 1), to=LAST - 1)
    )
    assert report.verdict is Verdict.EXACT
