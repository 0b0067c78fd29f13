"""The runner: drives rules written as coroutines, one step at a time, without an event loop.

A step is one input from outside and everything the rules do until the next is needed. The
runner emits facts (encode, decode, fold the decoded one: P2), answers rolls from the dice it was
given and stops at a question. A running coroutine can't be copied; after a load, an undo or a
fork it is made again from where its procedure began and fed what was recorded. [P5]
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.ask import Roll
from engine.dice import DiceFrom, EnteredDice, RecordedDice, check_faces, rolled
from events.base import SIDES, Event, Input, Side, other
from events.choices import AnswerRealDice, Concede, OfferRealDice, ProposeRuling
from events.codec import decode_event, encode_event
from events.errors import Divergence, LedgerError, WarledgerError
from events.game import (
    Asked,
    Chosen,
    DiceRolled,
    GameCreated,
    GameEnded,
    LinkRevealed,
    ProcedureStarted,
)
from events.questions import LinksNeeded, RealDiceOffered, RollNeeded
from projections.battle import Battle
from projections.queries import owner
from projections.reducers import REDUCERS
from projections.reducers.game import created, dice_so_far

Procedure = Callable[["Action"], Coroutine[Any, Any, None]]
"""A rule: the stretch between two points where the battle alone says what comes next."""

NextProcedure = Callable[[Battle], Procedure | None]
"""Pure choice of the next rule by the battle alone; None when the game is over."""

REVEALING = (OfferRealDice, AnswerRealDice)
"""Choices about a roll that waits for links; the rule that rolls knows nothing of them."""

MAX_EVENTS = 100_000
"""A step with more events than this is a rule that never asks: a fault, not a game."""


class Action:
    """What a rule works with: the battle as it is now, and a way to say what happened."""

    __slots__ = ("battle", "encoded", "events")

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.events: list[Event] = []
        self.encoded: list[bytes] = []

    def emit(self, fact: Event) -> None:
        """Record a fact: what is stored is what is folded. [P2]"""
        data = encode_event(fact)
        event = decode_event(data)
        self.battle = REDUCERS[type(event)](self.battle, event)
        self.events.append(event)
        self.encoded.append(data)


@dataclass(slots=True)
class Advance:
    """What one step produced."""

    events: list[Event]
    encoded: list[bytes]
    battle: Battle
    began: Battle | None
    """The battle where the last procedure of the step began, if one began."""
    began_at: int
    """Index in `events` just after its `ProcedureStarted`; 0 if none began."""


@dataclass(slots=True)
class Runner:
    """Runs one game's rules from question to question. Knows no store and no history."""

    next_procedure: NextProcedure
    dice: DiceFrom
    action: Action | None = None
    _coroutine: Coroutine[Any, Any, None] | None = None
    _began: Battle | None = None
    _began_at: int = 0

    def create(self, inputs: Iterable[Input]) -> Advance:
        """Run the first step: the creation's inputs, then the rules until the first question.

        Raises LedgerError for a scenario that isn't given between procedures, and whatever the
        rules raise; the runner is then of no further use.
        """
        first, *rest = inputs
        assert isinstance(first, GameCreated)
        data = encode_event(first)
        decoded = decode_event(data)
        assert isinstance(decoded, GameCreated)
        action = Action(created(decoded))
        action.events.append(decoded)
        action.encoded.append(data)
        for event in rest:
            action.emit(event)
        if (asked := action.battle.question) is not None:
            # The rule that asked it can't be made again: where it began isn't given.
            kind, right = type(asked).__name__, "give the battle where its procedure begins"
            raise LedgerError("ScenarioGiven", f"{kind} is open, and nothing waits for it: {right}")
        self.action = action
        self._start(action)
        self._drive(action, None)
        return Advance(action.events, action.encoded, action.battle, self._began, self._began_at)

    def advance(self, event: Input) -> Advance:
        """Feed one answer (checked before) and run to the next question.

        Raises whatever the rules raise; drop the runner's action then (`forget`).
        """
        action = self.action
        assert action is not None
        action.events, action.encoded = [], []
        self._began, self._began_at = None, 0
        if isinstance(event, Chosen) and isinstance(event.choice, Concede):
            action.emit(event)
            self.forget()
            concede(action, event.by)
            return Advance(action.events, action.encoded, action.battle, None, 0)
        if isinstance(event, Chosen) and isinstance(event.choice, ProposeRuling):
            action.emit(event)
            # The rule that asked is begun again once the ruling is settled. [SPRT-2]
            if self._coroutine is not None:
                self._coroutine.close()
            self._start(action)
            self._drive(action, None)
        else:
            self._feed(action, event)
        return Advance(action.events, action.encoded, action.battle, self._began, self._began_at)

    def forget(self) -> None:
        """Drop the running procedure; `resume` makes it again."""
        if self._coroutine is not None:
            self._coroutine.close()
        self.action = self._coroutine = None

    def resume(self, began: Battle, recorded: list[Event]) -> None:
        """Make the open procedure again from the battle it began at and what was recorded since.

        Raises Divergence if the rules no longer say what the record says. [P5]
        """
        self.forget()
        live = self.dice
        self.dice = RecordedDice(_recorded_rolls(recorded))
        inputs = [event for event in recorded if isinstance(event, Input) and _from_outside(event)]
        action = self.action = Action(began)
        made: list[Event] = []
        try:
            self._start(action)
            del action.events[0], action.encoded[0]  # its ProcedureStarted is already in `began`
            self._drive(action, None)
            made += action.events
            for event in inputs:
                action.events, action.encoded = [], []
                self._feed(action, event)
                made += action.events
        finally:
            self.dice = live
        action.events, action.encoded = [], []
        if made != recorded:
            raise Divergence("resume", "the rules no longer lead to what was recorded")

    def _start(self, action: Action) -> bool:
        """Start the next procedure; False when the game is over."""
        procedure = self.next_procedure(action.battle)
        if procedure is None:
            self._coroutine = None
            return False
        _bound(action)
        self._began = action.battle
        action.emit(ProcedureStarted(name_of(procedure)))
        self._began_at = len(action.events)
        self._coroutine = procedure(action)
        return True

    def _feed(self, action: Action, event: Input) -> None:
        """Take an input: hand it to the rule that waits, or see who still has to reveal a link."""
        question = action.battle.question
        action.emit(event)
        if isinstance(event, LinkRevealed):
            assert isinstance(question, LinksNeeded)
            self._reveal(action, event, question)
        elif isinstance(event, DiceRolled):
            self._drive(action, event.faces)
        else:
            assert isinstance(event, Chosen)
            if isinstance(question, LinksNeeded) and isinstance(event.choice, OfferRealDice):
                action.emit(Asked(RealDiceOffered(other(event.by), question)))
            elif isinstance(question, RealDiceOffered):
                assert isinstance(event.choice, AnswerRealDice)
                due = question.due
                action.emit(Asked(due.roll if event.choice.agreed else due))
            else:
                self._drive(action, event.choice)

    def _reveal(self, action: Action, event: LinkRevealed, due: LinksNeeded) -> None:
        """Ask for the other side's link, or roll the dice that the two give and go on."""
        if len(due.waiting) > 1:
            left = other(event.by)
            action.emit(Asked(LinksNeeded(left, due.roll, (left,), event.link)))
            return
        roll = roll_of(due.roll)
        ordinal = dice_so_far(action.battle, roll)
        faces = self.dice.faces(action.battle, roll, ordinal)
        assert faces is not None  # whoever feeds the second link has the dice take both
        action.emit(rolled(roll, ordinal, self.dice, faces))
        self._drive(action, faces)

    def _drive(self, action: Action, answer: Any) -> None:
        """Send answers until a question is open or the game is over."""
        while self._coroutine is not None:
            try:
                asked = self._coroutine.send(answer)
            except StopIteration:
                answer = None
                if not self._start(action):
                    return
                continue
            if type(asked) is Roll:
                if asked.count == 0:
                    answer = ()
                    continue
                _bound(action)
                ordinal = dice_so_far(action.battle, asked)
                faces = self.dice.faces(action.battle, asked, ordinal)
                if faces is None:
                    needed = roll_question(action.battle, asked)
                    revealed = self.dice.source == "revealed"
                    action.emit(Asked(LinksNeeded("red", needed, SIDES) if revealed else needed))
                    return
                action.emit(rolled(asked, ordinal, self.dice, faces))
                answer = faces
            else:
                action.emit(Asked(asked.question))
                return

    def entered(self, battle: Battle, faces: tuple[int, ...]) -> DiceRolled:
        """Return the input of dice that people rolled for the open roll.

        Raises DiceError where the faces don't fit it.
        """
        question = battle.question
        assert isinstance(question, RollNeeded)
        roll = roll_of(question)
        check_faces(roll.describe(), faces, roll.count, roll.sides)
        return rolled(roll, dice_so_far(battle, roll), EnteredDice(), faces)


def _bound(action: Action) -> None:
    """Stop rules that go round without ever asking."""
    if len(action.events) > MAX_EVENTS:
        raise WarledgerError("runner", f"a step made more than {MAX_EVENTS} events")


def name_of(procedure: Procedure) -> str:
    """Return a rule's name; a rule with arguments bound is a `functools.partial`."""
    while isinstance(procedure, partial):
        procedure = procedure.func
    return str(procedure.__name__)


def _recorded_rolls(recorded: Iterable[Event]) -> Iterator[DiceRolled | Asked]:
    """Yield what each recorded roll met: its dice, or `Asked` where people were."""
    asking = True
    """Whether what is asked is asked by a roll, and not about one that waits already."""
    for event in recorded:
        if type(event) is DiceRolled and event.source != "entered":
            yield event
        elif type(event) is Asked:
            if asking and type(event.question) in (RollNeeded, LinksNeeded):
                yield event
        elif isinstance(event, Input):
            about = isinstance(event, Chosen) and isinstance(event.choice, REVEALING)
            asking = not (about or isinstance(event, LinkRevealed))


def _from_outside(event: Input) -> bool:
    """Whether re-execution feeds this event rather than deriving it."""
    if type(event) is DiceRolled:
        return event.source == "entered"
    return isinstance(event, Input)


def roll_of(question: RollNeeded) -> Roll:
    """Return the roll that a question is about."""
    return Roll(
        question.purpose,
        question.count,
        sides=question.sides,
        need=question.need,
        subject=question.subject,
        opponent=question.opponent,
        weapon=question.weapon,
        step=question.step,
    )


def roll_question(battle: Battle, roll: Roll) -> RollNeeded:
    """Return the open question of a roll that people make: its subject's owner rolls."""
    player: Side = owner(battle, roll.subject) if roll.subject else battle.clock.active
    return RollNeeded(
        player,
        roll.purpose,
        roll.count,
        roll.sides,
        roll.need,
        roll.subject,
        roll.opponent,
        roll.weapon,
        roll.step,
    )


def concede(action: Action, by: Side) -> None:
    """End the game in the other side's favour."""
    action.emit(GameEnded("blue" if by == "red" else "red", f"{by} conceded"))
