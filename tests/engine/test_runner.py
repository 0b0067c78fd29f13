"""The runner, with rules of our own: questions, dice, procedures made again. [P2, P5]"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import engine.runner as runner_module
from engine.ask import Ask, Roll
from engine.dice import EnteredDice, ScriptedDice
from engine.runner import Action, Advance, Procedure, Runner, name_of
from events.base import Event
from events.choices import CeaseFire, EndPhase
from events.errors import DiceError, Divergence, WarledgerError
from events.game import Asked, Chosen, DiceRolled, GameCreated, PointsScored, ProcedureStarted
from events.questions import RollNeeded, WhoMoves
from events.values import Table
from projections.battle import Battle

CREATED = GameCreated("test", 1, "", "seeded", "", "free", "same", Table())
END = Chosen("red", EndPhase())


async def count(action: Action) -> None:
    """Roll a die, ask, roll what the die said, and score it."""
    (face,) = await Roll("first")
    await Ask(WhoMoves("red"), EndPhase)
    faces = await Roll("second", face)
    action.emit(PointsScored("red", sum(faces), "dice"))
    await Ask(WhoMoves("blue"), EndPhase)
    action.emit(PointsScored("blue", 1, "patience"))


def runner(faces: list[int] | None, rule: Procedure = count, rounds: int = 2) -> Runner:
    """Return a runner of one rule, so many times over; dice are entered if there are no faces."""

    def again(battle: Battle) -> Procedure | None:
        return rule if battle.score.blue < rounds else None

    return Runner(again, EnteredDice() if faces is None else ScriptedDice(faces))


def kinds(advance: Advance) -> list[str]:
    return [type(event).__name__ for event in advance.events]


def test_a_step_runs_from_an_answer_to_the_next_question() -> None:
    # given a rule and its dice
    run = runner([2, 5, 6, 1, 4])
    # when the game is created, it runs to the first question
    made = run.create([CREATED])
    assert kinds(made) == ["GameCreated", "ProcedureStarted", "DiceRolled", "Asked"]
    # when answers come, each runs to the next
    made = run.advance(END)
    assert kinds(made) == ["Chosen", "DiceRolled", "PointsScored", "Asked"]
    assert made.battle.score.red == 11 and made.began is None
    made = run.advance(END)
    assert kinds(made) == ["Chosen", "PointsScored", "ProcedureStarted", "DiceRolled", "Asked"]
    # and the battle is the one the second round began with
    assert made.began is not None and made.began.score.blue == 1 and made.began_at == 3


def test_after_the_last_procedure_nothing_is_asked() -> None:
    run = runner([1, 4], rounds=1)
    run.create([CREATED])
    run.advance(END)
    made = run.advance(END)
    assert kinds(made) == ["Chosen", "PointsScored"] and made.battle.question is None


def test_a_roll_of_no_dice_makes_no_event() -> None:
    async def none(action: Action) -> None:
        assert await Roll("nothing", 0) == ()
        await Ask(WhoMoves("red"), EndPhase)

    assert kinds(runner([], none).create([CREATED])) == ["GameCreated", "ProcedureStarted", "Asked"]
    assert kinds(runner(None, none).create([CREATED]))[-1] == "Asked"


def test_what_is_folded_is_what_is_stored() -> None:
    # given a fact with a list where a tuple belongs, as msgspec lets one be made
    async def careless(action: Action) -> None:
        action.emit(DiceRolled("careless", [3, 4]))  # type: ignore[arg-type]
        await Ask(WhoMoves("red"), EndPhase)

    made = runner([], careless).create([CREATED])
    assert made.events[2] == DiceRolled("careless", (3, 4))


def test_a_fact_of_the_wrong_type_is_never_stored() -> None:
    async def wrong(action: Action) -> None:
        action.emit(PointsScored("red", "three", "dice"))  # type: ignore[arg-type]

    with pytest.raises(Exception, match="Expected `int`, got `str`"):
        runner([], wrong).create([CREATED])


def recorded(faces: list[int] | None, answers: list[Event]) -> tuple[Battle, list[Event]]:
    """Return where the open procedure began and what happened in it since."""
    run = runner(faces)
    made = run.create([CREATED])
    since, began = made.events[made.began_at :], made.began
    for event in answers:
        made = run.advance(event)  # type: ignore[arg-type]
        if made.began is not None:
            since, began = made.events[made.began_at :], made.began
        else:
            since = since + made.events
    assert began is not None
    return began, since


DICE = [2, 5, 6, 1, 4, 3, 3]


@pytest.mark.parametrize("answers", range(4))
def test_a_procedure_made_again_goes_on_as_the_first_would_have(answers: int) -> None:
    # given a runner that played on, and another that was stopped before
    straight = runner(DICE)
    straight.create([CREATED])
    for _ in range(answers):
        straight.advance(END)
    began, since = recorded(DICE, [END] * answers)
    # when the other makes its procedure again from the record
    left = straight.dice.left  # type: ignore[attr-defined]
    again = runner(list(left))
    again.resume(began, since)
    # then both go on alike
    if answers < 3:
        assert again.advance(END) == straight.advance(END)


def test_entered_dice_become_questions_and_are_fed_again() -> None:
    run = runner(None)
    made = run.create([CREATED])
    assert made.battle.question == RollNeeded("red", "first", 1)
    rolled = run.entered(made.battle, (2,))
    made = run.advance(rolled)
    assert kinds(made) == ["DiceRolled", "Asked"] and rolled.source == "entered"
    began, since = recorded(None, [rolled, END])
    again = runner(None)
    again.resume(began, since)
    assert again.action is not None
    assert again.action.battle.question == RollNeeded("red", "second", 2)


@pytest.mark.parametrize("faces", [(), (1, 2), (0,), (7,)])
def test_entered_dice_must_fit_the_roll(faces: tuple[int, ...]) -> None:
    run = runner(None)
    made = run.create([CREATED])
    with pytest.raises(DiceError):
        run.entered(made.battle, faces)


def longer(since: list[Event]) -> list[Event]:
    return [*since, PointsScored("red", 1, "gift")]


def shorter(since: list[Event]) -> list[Event]:
    return since[:-1]


def other_die(since: list[Event]) -> list[Event]:
    assert isinstance(since[0], DiceRolled)
    return [DiceRolled(since[0].purpose, (5,), source="scripted"), *since[1:]]


def other_question(since: list[Event]) -> list[Event]:
    return [Asked(WhoMoves("blue")) if isinstance(e, Asked) else e for e in since]


@pytest.mark.parametrize("change", [longer, shorter, other_question], ids=lambda f: f.__name__)
def test_a_record_that_the_rules_do_not_lead_to_is_a_divergence(
    change: Callable[[list[Event]], list[Event]],
) -> None:
    began, since = recorded(DICE, [END])
    run = runner(DICE)
    with pytest.raises(Divergence):
        run.resume(began, change(since))


def test_recorded_faces_that_lead_to_more_dice_than_recorded_are_a_divergence() -> None:
    began, since = recorded(DICE, [END])
    with pytest.raises(WarledgerError):
        runner(DICE).resume(began, other_die(since))


def test_a_failed_resume_leaves_the_live_dice_in_place() -> None:
    began, since = recorded(DICE, [END])
    run = runner(DICE)
    dice = run.dice
    with pytest.raises(Divergence):
        run.resume(began, longer(since))
    assert run.dice is dice
    run.resume(began, since)
    assert run.dice is dice


def test_dropped_procedures_are_closed() -> None:
    closed: list[str] = []

    async def tidy(action: Action) -> None:
        try:
            await Ask(WhoMoves("red"), EndPhase)
        finally:
            closed.append("yes")

    run = runner([], tidy)
    run.create([CREATED])
    run.forget()
    assert closed == ["yes"]
    run.forget()


async def for_ever(action: Action) -> None:
    """Never ask."""
    while True:
        await Roll("again")


async def nothing(action: Action) -> None:
    """End at once, and be chosen again."""


async def same_score(action: Action) -> None:
    """Say the same without end."""
    action.emit(PointsScored("red", 0, "nothing"))


@pytest.mark.parametrize("rule", [for_ever, nothing, same_score], ids=lambda r: r.__name__)
def test_rules_that_never_ask_are_stopped(rule: Procedure, monkeypatch: Any) -> None:
    monkeypatch.setattr(runner_module, "MAX_EVENTS", 500)
    with pytest.raises(WarledgerError, match="a step made more than 500 events"):
        runner([1] * 600, rule).create([CREATED])


def test_a_procedure_is_named_by_its_function_whatever_is_bound() -> None:
    async def charge(unit: str, action: Action) -> None:
        """Charge."""

    assert name_of(partial(charge, "boyz")) == "charge"
    assert name_of(count) == "count"
    made = runner([1]).create([CREATED])
    assert made.events[1] == ProcedureStarted("count")


def test_an_answer_of_another_kind_is_not_for_the_runner_to_judge() -> None:
    # `check` refuses it before; the runner hands on what it is given
    run = runner([1, 1])
    run.create([CREATED])
    assert kinds(run.advance(Chosen("red", CeaseFire())))[0] == "Chosen"
