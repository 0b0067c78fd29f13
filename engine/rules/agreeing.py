"""What two players agree on: a ruling that one has proposed, and rolling real dice. [SPRT]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.runner import Action
from events.base import other
from events.choices import AnswerRealDice, AnswerRuling
from events.questions import Question, RealDiceOffered, RulingOffered
from events.rulings import RulingMade, RulingRefused
from projections.battle import Battle

PROPOSER = 3
"""Up to this score on the die the proposer's reading applies. [SPRT-1]"""


async def settle_ruling(action: Action) -> None:
    """Let the other player agree to the proposal, refuse it, or roll for it. [SPRT-1, SPRT-2]"""
    proposal = action.battle.proposal
    assert proposal is not None
    by, ruling = proposal.by, proposal.ruling
    answer = await Ask(RulingOffered(other(by), ruling), AnswerRuling)
    holds, rolled = answer.verdict == "accept", answer.verdict == "roll"
    if rolled:
        (face,) = await Roll("ruling")
        holds = face <= PROPOSER
    action.emit((RulingMade if holds else RulingRefused)(by, ruling, rolled))


def _check(battle: Battle, question: Question, choice: object) -> None:
    """Any answer will do."""


def _legal(battle: Battle, question: RulingOffered) -> list[AnswerRuling]:
    return [AnswerRuling("accept"), AnswerRuling("refuse"), AnswerRuling("roll")]


def _either(battle: Battle, question: RealDiceOffered) -> list[AnswerRealDice]:
    return [AnswerRealDice(True), AnswerRealDice(False)]


ANSWERS: AnswerTable = {
    RulingOffered: Answers((AnswerRuling,), _check, _legal),
    RealDiceOffered: Answers((AnswerRealDice,), _check, _either),
}
"""How a proposal is answered."""
