"""One game in memory: its rules, its history and its dice, without a store.

`Game` adds the ledger; `verify`, forks and scenarios use this directly.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.answers import check
from engine.dice import DiceFrom
from engine.dice_agreed import check_reveal, dice_agreed, dice_at_head
from engine.runner import Advance, Runner
from engine.sequence import RULES, RULESETS, Ruleset
from engine.tables import check_table
from engine.undo import UndoBarred, check_mark, excused
from events.base import Event, Input, Mark
from events.codec import first_event
from events.errors import IllegalChoice, LedgerError
from events.game import (
    ArmyMustered,
    Chosen,
    DiceRolled,
    GameCreated,
    LinkRevealed,
    ScenarioGiven,
)
from events.history import RulesChanged
from events.questions import RollNeeded
from events.steps import Step
from projections.battle import STATE_SCHEMA, Battle
from projections.history import History, Node


class Play:
    """Advances a game step by step and keeps its history.

    A step is computed first (`create`, `answer`) and taken up after it was stored (`adopt`), so a
    fault in a rule or in the store leaves the game at the last whole step.
    """

    def __init__(self, ruleset: Ruleset, dice: DiceFrom, fresh: bool) -> None:
        self.ruleset = ruleset
        self.history = History()
        self.runner = Runner(ruleset.next_procedure, dice)
        self._dice = dice
        self._fresh = fresh
        self._live: Node | None = None
        """The node whose open procedure the runner holds."""

    @classmethod
    def of(cls, created: GameCreated, dice: DiceFrom | None = None) -> Play:
        """Return the play that a creation asks for.

        Raises LedgerError for a ruleset or a dice algorithm that is not known here or an agreement
        that doesn't fit together, and WarledgerError for a table that can't be played on.
        """
        ruleset = RULESETS.get(created.ruleset)
        if ruleset is None:
            known = ", ".join(sorted(RULESETS))
            raise LedgerError("ruleset", f"{created.ruleset!r} is not known; known are {known}")
        agreed = dice_agreed(created, dice)
        check_table(created.table)
        return cls(ruleset, agreed, created.dice_after_undo == "fresh")

    @property
    def battle(self) -> Battle:
        """The battle at the head."""
        return self.history.battle

    def create(self, inputs: Sequence[Input]) -> Advance:
        """Compute the first step."""
        return self.runner.create(inputs)

    def answer(self, event: Input) -> Advance:
        """Compute the step that an input makes from the head.

        Refuses an illegal choice [P6]; raises Divergence if the open procedure can't be made
        again [P5] and whatever a rule raises. Nothing is adopted in either case.
        """
        head = self.history.head
        if isinstance(event, Chosen):
            check(self.ruleset.answers, head.battle, event.by, event.choice)
        else:
            self._check_dice(event)
        if self._live is not head:
            self.runner.resume(*since_began(head))
            self._live = head
        dice = self.runner.dice = dice_at_head(self._dice, self.history, event)
        if self._fresh:
            dice.salt = self.history.salt
        self._live = None
        return self.runner.advance(event)

    def leads_elsewhere(self) -> bool:
        """Whether the open procedure, made again by our rules, is not what was recorded. [P5]"""
        if self.battle.outcome is not None:
            return False
        try:
            self.runner.resume(*since_began(self.history.head))
        except Exception:  # whatever a rule raises that was fed what it didn't ask for
            self.drop()
            return True
        except BaseException:
            self.drop()
            raise
        self._live = self.history.head
        return False

    def check(self, mark: Mark) -> RulesChanged | None:
        """Check a mark against the policy agreed at creation. Raises UndoBarred. [P8]

        Returns the change to other rules than ours without which it would be barred: whether those
        do call for it can't be told here.
        """
        policy = self.battle.settings.undo
        check_mark(self.history, policy, mark)
        changed = excused(self.history, policy, mark)
        if changed is None or changed.after != RULES:
            return changed
        if not self.leads_elsewhere():
            reason = f"rules {RULES} lead to what was recorded, and lift no policy: play on"
            raise UndoBarred(self.history.head.step, reason)
        return None

    def _check_dice(self, event: Input) -> None:
        """Refuse any other input than entered dice or a link that fit the open roll."""
        if isinstance(event, LinkRevealed):
            check_reveal(self.history, event)
            return
        question = self.battle.question
        if not isinstance(event, DiceRolled) or not isinstance(question, RollNeeded):
            raise IllegalChoice("DMOD-1", f"{type(event).__name__} does not answer the question")
        if event != self.runner.entered(self.battle, event.faces):
            raise IllegalChoice("DMOD-1", "the entered dice are not those of the open roll")

    def adopt(self, step: int, made: Advance) -> Node:
        """Take up a computed step under its stream number."""
        node = self.history.add(step, made.events, made.battle, made.began, made.began_at)
        self._live = node
        return node

    def drop(self) -> None:
        """Forget a computed step that was not stored; play goes on from the head."""
        self.runner.forget()
        self._live = None

    def mark(self, step: int, mark: Mark) -> None:
        """Take up a mark under its stream number."""
        self.history.mark(step, mark)

    def load(self, step: int, events: list[Event]) -> None:
        """Take up a stored row without running any rule: fold it, or move the head."""
        mark = mark_of(events)
        if mark is not None:
            self.history.mark(step, mark)
            return
        self.history.fold(step, events)


def creation(game: str, step: Step) -> GameCreated:
    """Return what was agreed at a game's creation. Raises LedgerError if `step` doesn't say it."""
    try:
        first = first_event(step.events)
    except LedgerError as error:
        raise unreadable(game, step, error.reason) from error
    if not isinstance(first, GameCreated):
        raise LedgerError(f"{game} step 1", "the stream does not start with GameCreated")
    return first


def leading(recorded: Sequence[Event]) -> list[Input]:
    """Return what a first step was made from: its creation, then armies or a scenario.

    Raises LedgerError where another creation follows: a game has one agreement.
    """
    if any(isinstance(event, GameCreated) for event in recorded[1:]):
        raise LedgerError("GameCreated", "a game is created once, by its first event")
    inputs: list[Input] = []
    for event in recorded:
        if not isinstance(event, GameCreated | ArmyMustered | ScenarioGiven):
            break
        inputs.append(event)
    return inputs


def unreadable(game: str, step: Step, reason: str, rules: int = RULES) -> LedgerError:
    """Return the error for a row that can't be taken up; names both versions if another wrote it.

    `rules` is the number of the rules it was played under, where that is known.
    """
    if (rules, step.schema) != (RULES, STATE_SCHEMA):
        ours = f"here are rules {RULES}, state schema {STATE_SCHEMA}"
        reason += f" (written under rules {rules}, state schema {step.schema}; {ours})"
    return LedgerError(f"{game} step {step.n}", reason)


def mark_of(events: Sequence[Event]) -> Mark | None:
    """Return the mark that a stored row is, or None for a game step.

    Raises LedgerError for a row without events and for a mark that doesn't stand alone.
    """
    if not events:
        raise LedgerError("events", "the row holds no event")
    if not isinstance(events[0], Mark):
        return None
    if len(events) > 1:
        raise LedgerError("events", f"a mark stands alone in its row, here are {len(events)}")
    return events[0]


def since_began(node: Node) -> tuple[Battle, list[Event]]:
    """Return where the procedure open after `node` began and what was recorded since. [P5]"""
    later: list[Event] = []
    at = node
    while at.began is None:
        later[:0] = at.events
        assert at.parent is not None
        at = at.parent
    return at.began, at.events[at.began_at :] + later
