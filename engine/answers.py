"""What may be answered: `check` is the truth, `legal` what is offered.

Each rules module brings, for each question it asks, a pure check that raises `IllegalChoice` with
the rule id, and a listing: complete for discrete questions, a finite list of checked proposals
for geometric ones. Both read the battle and the question only. [P6]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.rules.rulings import check_proposal
from events.base import Side
from events.choices import AnyChoice, Concede, OfferRealDice, ProposeRuling
from events.errors import IllegalChoice
from events.questions import LinksNeeded, Question, RollNeeded
from projections.battle import Battle

Check = Callable[[Battle, Any, Any], None]
"""``check(battle, question, choice)``; raises IllegalChoice."""

Legal = Callable[[Battle, Any], list[Any]]
"""``legal(battle, question)``: choices that the check accepts."""


class Answers(NamedTuple):
    """How one kind of question is checked and listed."""

    kinds: tuple[type, ...]
    """Kinds of choice that can answer it."""
    check: Check
    legal: Legal


AnswerTable = dict[type[Question], Answers]


def check(answers: AnswerTable, battle: Battle, by: Side, choice: AnyChoice) -> None:
    """Check a choice against the open question. Raises IllegalChoice naming the rule. [P6]"""
    if battle.outcome is not None:
        raise IllegalChoice("TURN-2", "the game is over")
    if isinstance(choice, Concede):
        return
    question = battle.question
    if question is None:
        raise IllegalChoice("TURN-2", "no question is open")
    if isinstance(choice, ProposeRuling):
        check_proposal(battle, question, choice)
        return
    if isinstance(question, LinksNeeded) or isinstance(choice, OfferRealDice):
        _check_offer(question, choice)
        return
    if by != question.player:
        raise IllegalChoice("PLYR-3", f"{question.player} decides now, not {by}")
    if isinstance(question, RollNeeded):
        raise IllegalChoice("DMOD-1", f"enter the dice first: {question.purpose}")
    answer = answers[type(question)]
    if not isinstance(choice, answer.kinds):
        wanted = ", ".join(kind.__name__ for kind in answer.kinds)
        raise IllegalChoice(
            "TURN-2", f"the open question takes {wanted}, not {type(choice).__name__}"
        )
    answer.check(battle, question, choice)


def _check_offer(question: Question, choice: AnyChoice) -> None:
    """Refuse all but an offer where links are due, and an offer where none is."""
    if not isinstance(choice, OfferRealDice):
        assert isinstance(question, LinksNeeded)
        raise IllegalChoice(
            "DMOD-1",
            f"the roll {question.roll.purpose} waits for the next link of"
            f" {' and '.join(question.waiting)}: reveal it, offer real dice or concede",
        )
    if not isinstance(question, LinksNeeded):
        raise IllegalChoice("DMOD-1", "no link is due: there is nothing to offer real dice for")


def legal(answers: AnswerTable, battle: Battle) -> list[AnyChoice]:
    """Return the choices offered for the open question; empty for dice and after the end."""
    question = battle.question
    if question is None or isinstance(question, RollNeeded | LinksNeeded):
        return []
    return answers[type(question)].legal(battle, question)
