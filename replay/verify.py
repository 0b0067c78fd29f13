"""Verify a stored game: the chains, then every step executed again and compared. [P4, P12]

All equal is EXACT. A difference is DIVERGED under our rules number, UNVERIFIED under another.
Nothing after the first difference is shown as fact.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from engine.copied import stray_mark
from engine.dice import ALGORITHM
from engine.links import ALGORITHM as LINKS
from engine.play import Play, leading, mark_of, unreadable
from engine.sequence import RULES, RULESETS
from events.base import Event, Input
from events.codec import (
    FORMER,
    decode_events,
    encode_event,
    join_events,
    split_events,
    stored_tag,
    tag_of,
)
from events.errors import LedgerError, WarledgerError
from events.game import GameCreated
from events.history import RulesChanged
from events.ledger import Ledger
from events.steps import BadRow, Step, check_chain
from events.wording import counted
from projections.battle import STATE_SCHEMA
from projections.digest import Digester


class Verdict(enum.Enum):
    """What re-execution says of a stored game."""

    EXACT = "EXACT"
    """Every step, executed again, gave the same events and the same state."""
    UNVERIFIED = "UNVERIFIED"
    """The chain holds, but other rules or a later engine wrote what differs or can't be read."""
    DIVERGED = "DIVERGED"
    """The stream was changed, or the same rules lead elsewhere."""


class Difference(msgspec.Struct, frozen=True):
    """One field of one event: as recorded, as executed again."""

    field: str
    recorded: str
    executed: str


class Report(msgspec.Struct, frozen=True):
    """The verdict, and where and how a game differs."""

    game: str
    verdict: Verdict
    steps: int
    """Rows read; after a divergence those before it are the ones that hold."""
    events: int
    """Events that were equal."""
    reason: str = ""
    step: int = 0
    """First step that differs; 0 if none."""
    event: int = -1
    """Index of the first event in that step that differs; -1 where it is not about one."""
    event_type: str = ""
    differences: tuple[Difference, ...] = ()
    rules_recorded: int = RULES
    rules_now: int = RULES
    chain: str = ""
    """Chain digest of the last row read: compare it with the other player's copy."""


def verify(
    ledger: Ledger,
    game: str,
    *,
    head: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Read a game and verify it. `head` is a chain digest it must end in (finds a cut tail).

    `progress(done, of)` is called after each step. Raises LedgerError if there is no such game.
    """
    rows = ledger.read_lenient(game)
    if not rows:
        raise LedgerError(game, "there is no game with this id in the ledger")
    return verify_steps(game, rows, head=head, progress=progress)


def verify_steps(
    game: str,
    rows: Sequence[Step | BadRow],
    *,
    head: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Verify the rows of a game. About 50 microseconds an event."""
    fault = check_chain(game, rows, head)
    before = rows if fault is None else rows[: fault.n - 1]
    sound = [row for row in before if isinstance(row, Step)]
    report = _execute(game, sound, progress) if sound else _empty(game)
    if sound and report.verdict is Verdict.DIVERGED:
        return report
    if fault is None:
        return _copied(game, sound, report)
    # Another rules number excuses other facts, never a broken chain.
    return Report(
        game,
        Verdict.DIVERGED,
        report.steps,
        report.events,
        f"{fault.kind}: {fault.reason}",
        fault.n,
        rules_recorded=report.rules_recorded,
        chain=report.chain,
    )


def _copied(game: str, steps: Sequence[Step], report: Report) -> Report:
    """Return the report of a whole game; DIVERGED where marks of a copy stand in no fork."""
    stray = stray_mark(steps, 0)
    if stray is None:
        return report
    at, reason = stray
    chain = steps[at - 1].chain
    return Report(game, Verdict.DIVERGED, at - 1, report.events, reason, at, 0, chain=chain)


def _empty(game: str) -> Report:
    return Report(game, Verdict.DIVERGED, 0, 0, "the stream holds no step", 1)


def _execute(
    game: str, steps: Sequence[Step], progress: Callable[[int, int], None] | None
) -> Report:
    """Execute sound rows again and compare; the first difference ends it."""
    digester = Digester()
    play: Play | None = None
    same = unlike = 0
    rules = RULES
    untold: tuple[int, int] | None = None
    """The first undo that only rules which we don't have could call for, and their number."""

    def differs(
        step: Step,
        reason: str,
        event: int = -1,
        event_type: str = "",
        differences: tuple[Difference, ...] = (),
    ) -> Report:
        verdict = Verdict.DIVERGED if rules == RULES else Verdict.UNVERIFIED
        if rules != RULES:
            reason = f"recorded under rules {rules}, executed under rules {RULES}: {reason}"
        return Report(
            game,
            verdict,
            step.n - 1,
            same,
            reason,
            step.n,
            event,
            event_type,
            differences,
            rules,
            RULES,
            step.chain,
        )

    for step in steps:
        try:
            recorded = decode_events(step.events)
        except LedgerError as error:
            later = unreadable(game, step, error.reason, rules)
            found = differs(step, later.reason, 0)
            # A state that isn't of our schema is another engine's: what it wrote, we can't judge.
            if step.schema == STATE_SCHEMA:
                return found
            return replace(found, verdict=Verdict.UNVERIFIED)
        try:
            mark, first = mark_of(recorded), recorded[0]
            if play is None:
                if not isinstance(first, GameCreated):
                    return differs(step, "the stream does not start with GameCreated", 0)
                inputs = leading(recorded)
                rules = first.rules
                try:
                    play = Play.of(first)
                except LedgerError as error:
                    found = differs(step, str(error), 0)
                    return replace(found, verdict=Verdict.UNVERIFIED) if _lacked(first) else found
                made = play.create(inputs)
                difference = _compare(step, recorded, made.events, made.encoded)
                if difference is not None:
                    return differs(step, *difference)
                play.adopt(step.n, made)
            elif mark is not None:
                foreign = play.check(mark)
                if foreign is not None and untold is None:
                    untold = step.n, foreign.after
                if isinstance(mark, RulesChanged):
                    rules = mark.after
                difference = _compare(step, recorded, recorded, [encode_event(mark)])
                if difference is not None:
                    return differs(step, *difference)
                play.mark(step.n, mark)
            else:
                if not isinstance(first, Input):
                    return differs(step, "the step does not start with an input", 0)
                made = play.answer(first)
                difference = _compare(step, recorded, made.events, made.encoded)
                if difference is not None:
                    return differs(step, *difference)
                play.adopt(step.n, made)
        except WarledgerError as error:
            return differs(step, str(error), 0)
        except Exception as error:
            return differs(step, f"the rules failed: {type(error).__name__}: {error}", 0)
        if step.schema != STATE_SCHEMA:
            unlike += 1
        elif (state := digester.digest(play.battle)) != step.state:
            reason = f"the events are equal, the state digest is not: {step.state} != {state}"
            return differs(step, reason)
        same += len(recorded)
        if progress is not None:
            progress(step.n, len(steps))
    last = steps[-1]
    reason = f"all {counted(last.n, 'step')} executed again: same events, same states"
    if unlike:
        reason += f"; {unlike} states of another schema were not compared"
    report = Report(
        game, Verdict.EXACT, last.n, same, reason, rules_recorded=rules, chain=last.chain
    )
    if untold is None:
        return report
    n, number = untold
    reason += f"; but step {n} undoes what was agreed to stand, as rules {number} are said to call"
    reason += f" for: here are rules {RULES}, which can't tell"
    return replace(report, verdict=Verdict.UNVERIFIED, reason=reason, step=n, rules_recorded=number)


def _lacked(created: GameCreated) -> bool:
    """Whether a game's ruleset or dice are ones that we don't have."""
    return created.ruleset not in RULESETS or created.algorithm not in (ALGORITHM, LINKS)


def _compare(
    step: Step, recorded: Sequence[Event], made: Sequence[Event], encoded: Sequence[bytes]
) -> tuple[str, int, str, tuple[Difference, ...]] | None:
    """Compare a step with its record: bytes first, and as upcast objects where they differ."""
    if join_events(encoded) == step.events:
        return None
    if list(recorded) == list(made):
        return _written_otherwise(step, encoded)
    for index, (then, now) in enumerate(zip(recorded, made, strict=False)):
        if then != now:
            return _between(index, then, now)
    index = min(len(recorded), len(made))
    if len(recorded) > len(made):
        kind = tag_of(type(recorded[index]))
        return f"{kind} was recorded, the rules stop before it", index, kind, ()
    kind = tag_of(type(made[index]))
    return f"the rules go on with {kind}, the record does not", index, kind, ()


def _written_otherwise(
    step: Step, encoded: Sequence[bytes]
) -> tuple[str, int, str, tuple[Difference, ...]] | None:
    """Compare equal events byte for byte; one of a former version may be written in its own way.

    Else no engine wrote it: it has a key more, a default left out, a point as a list.
    """
    stored = split_events(step.events)
    for index, (then, now) in enumerate(zip(stored, encoded, strict=True)):
        if then != now and (kind := stored_tag(then)) not in FORMER:
            return f"{kind} has a value written another way", index, kind, ()
    if join_events(stored) != step.events:
        return "its events are joined another way", 0, stored_tag(stored[0]), ()
    return None


def _between(index: int, then: Event, now: Event) -> tuple[str, int, str, tuple[Difference, ...]]:
    was, is_now = tag_of(type(then)), tag_of(type(now))
    if was != is_now:
        return f"{was} was recorded, the rules say {is_now}", index, was, ()
    differences = tuple(
        Difference(field, repr(getattr(then, field)), repr(getattr(now, field)))
        for field in then.__struct_fields__
        if getattr(then, field) != getattr(now, field)
    )
    fields = ", ".join(d.field for d in differences)
    return f"{was} differs in {fields}", index, was, differences
