"""Reproduce a bug report: play its rows again, then the attempt, and say whether it fails alike.

Needs the file alone, no ledger; works on another machine and under other versions, and names both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import msgspec

from engine.answers import legal
from engine.play import Play, leading, mark_of
from engine.undo import check_mark
from events.base import Event, Input
from events.codec import decode_events
from events.errors import WarledgerError
from events.game import GameCreated
from events.wording import counted
from projections.battle import STATE_SCHEMA, Battle
from projections.digest import Digester
from projections.history import Node
from replay.failures import (
    STATE,
    Difference,
    Differs,
    Failure,
    Raised,
    attempted_in,
    difference,
    failed,
    raised,
    same,
    told,
)
from replay.invariants import Moment, broken
from replay.known_dice import KnownDice
from replay.leaves import Leaves, applied, changes, leaves
from replay.report_file import BugReport, Row, Versions, versions

Progress = Callable[[int, int], None]


@dataclass
class Executed:
    """How far a report's game went when it was played again, and what stopped it."""

    play: Play
    """Stands at the last step that went as recorded."""
    before: Node | None = None
    """Where the game stood before the row that failed."""
    row: int = 0
    """The row that failed, one more than the last for the attempt; or the last one played."""
    failure: Failure | None = None
    event: Input | None = None
    """What the failing step began with; None for the creation, a mark or a question."""
    recorded: list[Event] = field(default_factory=list)
    """The failing step as recorded."""
    made: list[Event] = field(default_factory=list)
    """The failing step as far as it went now."""
    state: Leaves = field(default_factory=dict)
    """The recorded battle after the failing row."""
    listing: bool = False
    """Whether it failed when the choices on offer were listed."""


class Reproduction(msgspec.Struct, frozen=True):
    """Whether a report's failure is met again."""

    reproduced: bool
    row: int
    """Where it fails now; the last row if it doesn't."""
    expected: Failure | None
    expected_at: int
    found: Failure | None
    theirs: Versions
    ours: Versions

    @property
    def words(self) -> str:
        """The verdict in one line."""
        if self.reproduced and self.found is None:
            return f"REPRODUCED: all {counted(self.row, 'step')} go as recorded"
        if self.reproduced:
            return f"REPRODUCED at step {self.row}: {told(self.found)}"
        if self.found is None:
            return (
                f"NOT REPRODUCED: all {counted(self.row, 'step')} go as recorded and {told(None)}"
            )
        wanted = "" if self.expected is None else f", not {told(self.expected)}"
        where = "" if self.expected_at in (0, self.row) else f" at step {self.expected_at}"
        return f"NOT REPRODUCED: step {self.row} came to {told(self.found)}{wanted}{where}"


def reproduce(report: BugReport, progress: Progress | None = None) -> Reproduction:
    """Play a report again and compare how it fails: same kind, same place, same step.

    A report of no failure is reproduced when every step gives the same events and the same
    battle. `progress(done, of)` is called after each row. About 60 microseconds an event.
    """
    expected, at = report.ending.failure, report.ending.failed_at
    done = execute(report, watched(expected), progress)
    alike = same(expected, done.failure) and (expected is None or at == done.row)
    return Reproduction(
        alike, done.row, expected, at, done.failure, report.header.versions, versions()
    )


def watched(failure: Failure | None) -> tuple[str, ...]:
    """Return the invariants to watch for a failure."""
    invariant = getattr(failure, "invariant", None)
    return () if invariant is None else (invariant,)


def execute(
    report: BugReport, watch: Collection[str] = (), progress: Progress | None = None
) -> Executed:
    """Play the rows of a report again until one fails, then its attempt.

    `watch` names the invariants that are checked after each step. Raises WarledgerError where the
    first row is no creation or asks for a ruleset that is not known here.
    """
    rows = report.rows
    created = _first(rows)
    known = KnownDice() if report.header.dice == "recorded" else None
    done = Executed(Play.of(created, known))
    digester = Digester()
    comparable = report.header.versions.schema == STATE_SCHEMA
    for row in rows:
        done.row, done.recorded, done.made = row.n, decode_events(bytes(row.events)), []
        applied(done.state, row.changes, row.gone)
        done.before = done.play.history.head if row.n > 1 else None
        done.failure = _play_row(done, row.n, known)
        if done.failure is None and comparable and row.state:
            battle = done.play.battle
            if digester.digest(battle) != row.state:
                done.failure = state_difference(done.state, battle)
        if done.failure is None and watch and mark_of(done.recorded) is None:
            before = done.before.battle if done.before is not None else None
            done.failure = broken(Moment(before, done.made, done.play.battle), watch)
        if progress is not None:
            progress(row.n, len(rows))
        if done.failure is not None:
            return done
    _try(done, report, known)
    return done


def _first(rows: Sequence[Row]) -> GameCreated:
    first = next(iter(decode_events(bytes(rows[0].events))), None)
    if not isinstance(first, GameCreated):
        raise WarledgerError("row 1", "the report does not start with GameCreated")
    return first


def _play_row(done: Executed, n: int, known: KnownDice | None) -> Failure | None:
    """Execute one row and compare its events; stand after it where they are equal."""
    play = done.play
    mark, first = mark_of(done.recorded), done.recorded[0]
    done.event = None
    try:
        if mark is not None:
            check_mark(play.history, play.battle.settings.undo, mark)
            play.mark(n, mark)
            return None
        if known is not None:
            known.learn(play.battle if n > 1 else None, done.recorded)
        if n == 1:
            made = play.create(leading(done.recorded))
        else:
            assert isinstance(first, Input)
            done.event = first
            made = play.answer(first)
    except Exception as error:
        play.drop()
        done.made = attempted_in(error)[1]
        return raised(error)
    done.made = made.events
    differs = difference(done.recorded, made.events)
    if differs is None:
        play.adopt(n, made)
    else:
        play.drop()
    return differs


def state_difference(recorded: Leaves, battle: Battle, gone_too: bool = True) -> Differs:
    """Return how a battle's leaves differ from those recorded; `gone_too`: also those it lacks."""
    executed = leaves(battle)
    new, gone = changes(recorded, executed)
    fields = tuple(
        Difference(path, repr(recorded.get(path, "nothing")), repr(executed.get(path, "nothing")))
        for path in (*new, *(gone if gone_too else ()))
    )
    return Differs(STATE, STATE, fields)


def _try(done: Executed, report: BugReport, known: KnownDice | None) -> None:
    """Try what the reporter tried after the last row, or list the choices where that failed."""
    attempt = report.ending.attempt
    done.before = done.play.history.head
    if attempt is None:
        if isinstance(report.ending.failure, Raised):
            try:
                legal(done.play.ruleset.answers, done.play.battle)
            except Exception as error:
                done.row, done.event, done.recorded, done.made = done.row + 1, None, [], []
                done.failure, done.listing = raised(error), True
        return
    (event,) = decode_events(b"[" + bytes(attempt.event) + b"]")
    assert isinstance(event, Input)
    done.row, done.event = done.row + 1, event
    done.recorded = decode_events(bytes(attempt.facts))
    if known is not None:
        known.learn(done.play.battle, done.recorded)
    done.made, done.failure = try_out(done.play, event)


def try_out(play: Play, event: Input) -> tuple[list[Event], Failure | None]:
    """Answer the open question and take it back: the events, and how it failed if it did."""
    try:
        return play.answer(event).events, None
    except Exception as error:
        return attempted_in(error)[1], failed(error)
    finally:
        play.drop()
