"""The `Game`: what players and programs hold. Play, undo, redo, look at any step.

>>> from engine.armies import bundled, read_army_bytes
>>> from events.ledger import Ledger
>>> red = read_army_bytes(bundled("emberguard"), "emberguard.ros", "red").army
>>> blue = read_army_bytes(bundled("ratskar"), "ratskar.ros", "blue").army
>>> ledger = Ledger.memory()
>>> game = Game.create(ledger, red=red, blue=blue, seed="doc", undo="free")
>>> game.pending.player, [type(c).__name__ for c in game.legal()]
('red', ['TakeZone', 'TakeZone'])
>>> game.play(game.legal()[0]).step
2
>>> game.undo().step, game.battle == game.at(1)
(1, True)
>>> ledger.close()
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence

from engine.answers import check, legal
from engine.copied import check_copied
from engine.dice_agreed import after_undo, algorithm_of
from engine.play import Play, creation, unreadable
from engine.requests import done_before, listed, named, sound_rows, whole
from engine.sequence import RULES
from engine.undo import MOVES, UndoBarred, action_start, ahead, asked_already, before, open_request
from events.base import Event, Input, Mark, Side, other
from events.choices import AnyChoice, Concede
from events.codec import canonical, decode_event, decode_events, join_events, written
from events.errors import IllegalChoice, LedgerError
from events.game import (
    ArmyMustered,
    Chosen,
    Commitments,
    DiceAfterUndo,
    DiceMode,
    DiceRolled,
    GameCreated,
    LinkRevealed,
    UndoPolicy,
)
from events.history import (
    BranchTaken,
    Noted,
    Redone,
    RulesChanged,
    UndoAsked,
    UndoGranted,
    Undone,
    UndoRefused,
)
from events.ledger import Appended, Conflict, Ledger, Stream
from events.questions import AnyQuestion, RollNeeded
from events.steps import Meta, Step
from events.values import Army, Table
from projections.battle import STATE_SCHEMA, Battle
from projections.digest import Digester
from projections.history import History, Node


def wall_clock() -> int:
    """Return now in milliseconds: for a row's metadata only, never for an event."""
    return time.time_ns() // 1_000_000


class Game:
    """One game in a ledger. Not for several threads; any number of processes may hold one.

    Every call that changes something appends one step, whole or not at all. [P3]
    """

    def __init__(
        self, stream: Stream, play: Play, now: Callable[[], int], created: GameCreated
    ) -> None:
        self._stream = stream
        self._play = play
        self._now = now
        self._digester = Digester()
        self.created = created
        """What was agreed at creation."""

    @classmethod
    def create(
        cls,
        ledger: Ledger,
        *,
        red: Army,
        blue: Army,
        ruleset: str = "40k-7e",
        seed: str | None = None,
        table: Table | None = None,
        dice: DiceMode = "seeded",
        undo: UndoPolicy = "until_revealed",
        dice_after_undo: DiceAfterUndo | None = None,
        commitments: Commitments | None = None,
        game: str | None = None,
        now: Callable[[], int] = wall_clock,
    ) -> Game:
        """Set up a game between two armies and run to the first question.

        `seed` and `game` (the id) are drawn where not given. Dice after an undo are the same; fresh
        where they are revealed, to which both sides commit (`engine.links`). Raises LedgerError
        naming the field.
        """
        if seed is None:
            seed = secrets.token_hex(16)
        dice_terms = (dice, algorithm_of(dice), undo, dice_after_undo or after_undo(dice))
        created = GameCreated(ruleset, RULES, seed, *dice_terms, table or Table(), commitments)
        inputs = [created, ArmyMustered("red", red), ArmyMustered("blue", blue)]
        return cls.begin(ledger, inputs, secrets.token_hex(4) if game is None else game, now)

    @classmethod
    def begin(
        cls,
        ledger: Ledger,
        inputs: Sequence[Input],
        game: str,
        now: Callable[[], int] = wall_clock,
    ) -> Game:
        """Start a game from its creation's inputs: `GameCreated`, then armies or a scenario."""
        encoded = [written(event) for event in inputs]
        created = decode_event(encoded[0])
        assert isinstance(created, GameCreated)
        stream = ledger.stream(game)
        if stream.head:
            raise LedgerError(game, "a game with this id is in the ledger already")
        self = cls(stream, Play.of(created), now, created)
        made = self._play.create([created, *inputs[1:]])
        self._append(made.encoded, made.battle, Meta(self._now()))
        self._play.adopt(stream.head, made)
        return self

    @classmethod
    def open(cls, ledger: Ledger, game: str, now: Callable[[], int] = wall_clock) -> Game:
        """Load a game and stand where it was left.

        The chain is checked, the events folded, nothing re-executed: UNVERIFIED until
        `replay.verify` says more. [P12] About 3 microseconds an event. Raises LedgerError for an
        unknown game, or naming the bad step: `replay.exchange.export_sound` saves those before.
        """
        steps = sound_rows(ledger, game)
        created = creation(game, steps[0])
        self = cls(ledger.stream(game, steps), Play.of(created), now, created)
        self._take(steps)
        return self

    @property
    def id(self) -> str:
        """The game's id in the ledger."""
        return self._stream.game

    @property
    def history(self) -> History:
        """The tree of steps; to be read, not changed."""
        return self._play.history

    @property
    def battle(self) -> Battle:
        """The battle now."""
        return self._play.battle

    @property
    def step(self) -> int:
        """The step the game stands at."""
        return self._play.history.head.step

    @property
    def version(self) -> int:
        """Number of the last row of the stream, undo and redo included: the expected version."""
        return self._play.history.last

    @property
    def chain(self) -> str:
        """The chain digest of the last row: two copies with the same one are the same. [P4]"""
        last = self._stream.last
        return last.chain if last else ""

    @property
    def pending(self) -> AnyQuestion | None:
        """The open question, or None once the game is over."""
        return self._play.battle.question

    def legal(self) -> list[AnyChoice]:
        """Return the choices offered now: complete for discrete questions, else proposals."""
        return legal(self._play.ruleset.answers, self._play.battle)

    def refusal(self, choice: AnyChoice, *, by: Side | None = None) -> IllegalChoice | None:
        """Return why `play` would refuse a choice now, or None; appends nothing. [P6]"""
        try:
            check(self._play.ruleset.answers, self.battle, self._side(by), canonical(choice))
        except IllegalChoice as refused:
            return refused
        return None

    def at(self, step: int) -> Battle:
        """Return the battle at any step, on any branch; a look-up. Raises LedgerError."""
        whole("step", step)
        node = self._play.history.nodes.get(step)
        if node is None:
            raise LedgerError(f"{self.id} step {step}", self.history.no_step(step))
        return node.battle

    def play(
        self,
        choice: AnyChoice,
        *,
        by: Side | None = None,
        request: str = "",
        expected: int | None = None,
        bot: str = "",
    ) -> Node:
        """Answer the open question and run to the next. Returns the new node.

        `by` defaults to the player whose question it is. `request` makes the call safe to repeat:
        the same id with the same choice returns its step [P3]. `expected` is the version you saw;
        Conflict if others went on: their steps are in its `missed`, and taken up here already.
        `bot` is the name of the one that answers, for the row's metadata. IllegalChoice where the
        rules refuse; nothing is appended. [P6]
        """
        choice = canonical(choice)
        done = self._done(request, Chosen, by=by, choice=choice)
        if done is not None:
            return done
        self._expect(expected)
        side = self._side(by)
        return self._step(Chosen(side, choice), side, request, bot)

    def concede(self, by: Side, *, request: str = "") -> Node:
        """Give up for a side; legal at any time."""
        return self.play(Concede(), by=by, request=request)

    def enter(
        self, faces: Sequence[int], *, request: str = "", expected: int | None = None
    ) -> Node:
        """Type in the dice that the open roll needs. Raises DiceError if they don't fit it."""
        faces = listed(faces)
        done = self._done(request, DiceRolled, faces=faces)
        if done is not None:
            return done
        self._expect(expected)
        question = self.pending
        if not isinstance(question, RollNeeded):
            raise IllegalChoice("DMOD-1", "no dice are asked for now")
        event = self._play.runner.entered(self.battle, faces)
        return self._step(event, question.player, request)

    def reveal(self, link: str, *, by: Side, request: str = "") -> Node:
        """Reveal a side's next link, for the roll that waits for it.

        The dice fall, and the rules go on, once both have. Raises IllegalChoice where none is due
        from `by`, or where it is not the next of the chain that `by` committed to.
        """
        done = self._done(request, LinkRevealed, by=by, link=link)
        if done is not None:
            return done
        return self._step(LinkRevealed(by, link), by, request)

    def undo(self, *, by: Side | None = None, to: int | None = None, request: str = "") -> Node:
        """Go back one step, or to step `to`. Returns the node the game stands at then.

        `by` defaults to the player who took the last step. Raises UndoBarred naming the barrier
        where the policy doesn't allow it to him alone. [P8] Constant time for one step.
        """
        whole("to", to)
        done = self._done(request, Undone, by=by, to=to)
        if done is not None:
            return done
        head = self._play.history.head
        target = before(head).step if to is None else to
        side = named(by) or head.by or self.battle.clock.active
        return self._mark(Undone(side, head.step, target), request)

    def redo(self, *, by: Side | None = None, request: str = "") -> Node:
        """Go forward to the step most recently undone. Raises UndoBarred if there is none."""
        done = self._done(request, Redone, by=by)
        if done is not None:
            return done
        forward = ahead(self._play.history.head)
        side = named(by) or forward.by or self.battle.clock.active
        return self._mark(Redone(side, forward.step), request)

    def take_branch(self, step: int, *, by: Side | None = None, request: str = "") -> Node:
        """Go to a step on another branch (``@412``); `by` and UndoBarred as in `undo`."""
        whole("step", step)
        done = self._done(request, BranchTaken, by=by, to=step)
        if done is not None:
            return done
        side = named(by) or self._play.history.head.by or self.battle.clock.active
        return self._mark(BranchTaken(side, self.step, step), request)

    def ask_undo(self, to: int, *, by: Side, request: str = "") -> None:
        """Ask to go to step `to`, once; UndoBarred while the opponent's request is open."""
        whole("to", to)
        done = self._done(request, UndoAsked, by=by, to=to)
        if done is None and not asked_already(self.history, asks := UndoAsked(by, to)):
            self._mark(asks, request)

    def grant_undo(self, *, by: Side | None = None, request: str = "") -> Node:
        """Grant the open request; `by` can only be who was asked. Raises UndoBarred if none is."""
        done = self._done(request, UndoGranted, by=by)
        if done is not None:
            return done
        asked = open_request(self.history)
        return self._mark(UndoGranted(named(by) or other(asked.by), self.step, asked.to), request)

    def refuse_undo(self, *, by: Side | None = None, request: str = "") -> None:
        """Refuse the open request; `by` can only be who was asked. Raises UndoBarred if none is."""
        if self._done(request, UndoRefused, by=by) is None:
            asked = open_request(self.history)
            self._mark(UndoRefused(named(by) or other(asked.by), asked.to), request)

    def note(self, text: str, *, by: Side, request: str = "") -> None:
        """Write something in the margin."""
        if self._done(request, Noted, by=by, text=text) is None:
            self._mark(Noted(by, text), request)

    def go_on(self) -> Node:
        """Go back to the start of an open action that our newer rules lead elsewhere. [P5]

        Appends `RulesChanged` and an undo, which no policy bars. UndoBarred where our rules lead
        to what was recorded, or are older than the game's.
        """
        start = action_start(self._play.history.head)
        if self._play.history.rules > RULES or not self._play.leads_elsewhere():
            raise UndoBarred(self.step, f"rules {RULES} don't call for it: play on")
        self._adopt_rules()
        return self._mark(Undone(self._side(None), self.step, start.step))

    def _adopt_rules(self) -> None:
        """Say that play goes on under our rules number, where it was another's. [P5]"""
        if self.history.rules != RULES:
            self._mark(RulesChanged(self.history.rules, RULES))

    def refresh(self) -> list[Step]:
        """Take up what other processes have appended since, and return those steps.

        Not those that another call met and took up, such as a Conflict's `missed`: to see every
        step, keep the `version` you have seen and read `history` on from there.
        """
        self._stream.catch_up()
        return self._take_up()

    def _side(self, by: Side | None) -> Side:
        question = self.pending
        return named(by) or (question.player if question else self.battle.clock.active)

    def _take_up(self) -> list[Step]:
        """Fold what the stream knows beyond the last row folded: never more, never a row twice."""
        missed = self._stream.since(self.version)
        check_copied(self.id, missed, self.version)
        self._take(missed)
        return missed

    def _take(self, steps: Sequence[Step]) -> None:
        for step in steps:
            try:
                self._play.load(step.n, decode_events(step.events))
            except Exception as error:  # events that no engine wrote, or a later one
                reason, rules = f"it can't be folded: {error}", self._play.history.rules
                raise unreadable(self.id, step, reason, rules) from error

    def _done(self, request: str, kind: type[Event], **asked: object) -> Node | None:
        """Return where a request led before; None if it is new. [P3]

        It must have made the same kind of event with the fields given; RequestReused if not.
        """
        if isinstance(request, str) and not request:
            return None
        return done_before(self._stream, self.history, self.refresh, request, kind, asked)

    def _step(self, event: Input, actor: Side, request: str, bot: str = "") -> Node:
        try:
            if type(event) is not Chosen or event.by not in ("red", "blue"):
                written(event)  # a choice has been written and read already
            made = self._play.answer(event)
            self._adopt_rules()
            meta = Meta(self._now(), actor, request, bot)
            done = self._append(made.encoded, made.battle, meta)
        except BaseException:
            self._play.drop()
            raise
        if done.new:
            return self._play.adopt(done.step.n, made)
        self._play.drop()  # another process was granted the same request just now
        return self._play.history.nodes[done.step.n]

    def _mark(self, mark: Mark, request: str = "") -> Node:
        changed = self._play.check(mark)
        if changed is not None:
            raise UndoBarred(self.step, f"here are rules {RULES}, not {changed.after}: play on")
        battle = self.at(mark.to) if isinstance(mark, MOVES) else self.battle
        meta = Meta(self._now(), getattr(mark, "by", ""), request)
        done = self._append([written(mark)], battle, meta)
        if done.new:
            self._play.mark(done.step.n, mark)
        return self._play.history.head

    def _expect(self, expected: int | None) -> None:
        whole("expected", expected)
        if expected is not None and expected != self.version:
            self.refresh()
            if expected != self.version:
                raise Conflict(self.id, expected, self.version, self._stream.since(expected))

    def _append(self, encoded: list[bytes], battle: Battle, meta: Meta) -> Appended:
        """Store a row after the last one folded; take up what others stored where that fails."""
        folded = self._play.history.last
        try:
            state = self._digester.digest(battle)
            done = self._stream.append(folded, join_events(encoded), state, STATE_SCHEMA, meta)
        except LedgerError:
            self._take_up()
            raise
        if not done.new:
            self._take_up()
        return done
