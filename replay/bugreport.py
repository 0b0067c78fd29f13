"""Bug reports: one readable file that holds a whole game and how it went wrong.

    try:
        game.play(choice)
    except KeyError as error:                # the game stands where it stood
        write_report(report(game, error=error), Path("boyz.jsonl"))

`replay.reproduce` runs such a file on another machine or under another version, and
`replay.minimise` shrinks it to a scenario. What its lines are: `replay.report_file`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from engine.notation import write
from engine.play import Play
from engine.undo import MOVES
from events.base import Event, Input, Mark, Side
from events.choices import AnyChoice
from events.codec import canonical, encode_event, join_events, tag_of
from events.errors import WarledgerError
from events.game import Chosen, DiceRolled, LinkRevealed
from projections.battle import Battle
from projections.digest import Digester
from projections.history import History
from replay.failures import Failure, attempted_in, failed
from replay.invariants import INVARIANTS
from replay.leaves import Leafer, Leaves, changes
from replay.redact import Renaming
from replay.report_file import (
    FORMAT,
    Attempt,
    BugReport,
    Ending,
    Header,
    Row,
    decode_report,
    encode_report,
    read_report,
    versions,
    write_report,
)
from replay.reproduce import Progress, execute, try_out

if TYPE_CHECKING:
    from engine.game import Game

__all__ = ["BugReport", "decode_report", "encode_report", "read_report", "report", "write_report"]


def report(
    game: Game,
    *,
    at: int | None = None,
    note: str = "",
    attempted: AnyChoice | None = None,
    by: Side | None = None,
    error: BaseException | None = None,
    redacted: bool = False,
    progress: Progress | None = None,
) -> BugReport:
    """Return the bug report of a game: all its rows up to `at` (by default all), and the failure.

    `error` is what the game raised: what was attempted and how far it came are read from it.
    `attempted` without it is tried on a copy: is it refused, does it fail? With neither, the game
    is executed again and every invariant checked, and the first failure found is reported. `by`
    is whose choice it is, by default the player's who is asked. `redacted` renames ids and names,
    leaves notes out and the seed, whose dice are then those recorded. Never changes the game.
    Raises WarledgerError for a step that isn't in it. About 100 microseconds a step, and an
    execution where it is one.
    """
    last = game.version
    upto = last if at is None else at
    if not 1 <= upto <= last:
        raise WarledgerError(f"{game.id} step {upto}", f"no step of the game (1 to {last})")
    tried = error is not None or attempted is not None
    if tried and upto != last:
        raise WarledgerError(f"{game.id} step {upto}", f"an attempt comes after the last, {last}")
    history = game.history
    attempt: _Attempt | None = None
    if tried:
        question = game.pending
        side = by or (question.player if question is not None else game.battle.clock.active)
        choice = None if attempted is None else Chosen(side, canonical(attempted))
        attempt = _attempt(game, choice, error)
    names = Renaming(history) if redacted else None
    rows = tuple(_rows(history, upto, names))
    header = Header(
        FORMAT,
        versions(),
        game.created.ruleset,
        "game" if redacted else game.id,
        upto,
        game.chain if upto == last and not redacted else "",
        "recorded" if redacted and game.created.dice != "entered" else game.created.dice,
        redacted,
        note if names is None else names.text(note),
    )
    if attempt is not None:
        ending = _ending(attempt, upto, names)
    else:
        done = execute(BugReport(header, rows, Ending()), tuple(INVARIANTS), progress)
        ending = Ending(done.failure, done.row if done.failure is not None else 0)
    return BugReport(header, rows, ending)


class _Attempt(NamedTuple):
    """What was tried, how far it came and how it failed."""

    event: Input | None
    made: list[Event]
    failure: Failure | None


def _attempt(game: Game, choice: Chosen | None, error: BaseException | None) -> _Attempt:
    if error is not None:
        event, made = attempted_in(error)
        return _Attempt(choice or event, made, failed(error))
    assert choice is not None
    copy = Play.of(game.created)
    for n in range(1, game.version + 1):
        node = game.history.nodes.get(n)
        copy.load(n, [game.history.marks[n]] if node is None else node.events)
    made, failure = try_out(copy, choice)
    return _Attempt(choice, made, failure)


def _ending(attempt: _Attempt, upto: int, names: Renaming | None) -> Ending:
    event, made, failure = attempt.event, attempt.made, attempt.failure
    if names is not None:
        event = None if event is None else names.renamed(event)
        made = [names.renamed(fact) for fact in made]
        failure = None if failure is None else names.failure(failure)
    tried = None
    if event is not None:
        facts = join_events(map(encode_event, made))
        tried = Attempt(says(event), msgspec.Raw(encode_event(event)), msgspec.Raw(facts))
    return Ending(failure, upto + 1 if failure is not None else 0, tried)


def _rows(history: History, upto: int, names: Renaming | None) -> Iterator[Row]:
    """Yield the rows of a game, each with what changed in the battle."""
    digester, leafer = Digester(), Leafer()
    before: Leaves = {}
    battle: Battle | None = None
    for n in range(1, upto + 1):
        node = history.nodes.get(n)
        events: Sequence[Event]
        if node is not None:
            events, battle = node.events, node.battle
        else:
            mark = history.marks[n]
            events, battle = [mark], _battle_after(history, mark, battle)
        shown = battle
        if names is not None:
            events, shown = [names.renamed(event) for event in events], names.renamed(battle)
        after = leafer.leaves(shown)
        new, gone = changes(before, after)
        before = after
        encoded = join_events(map(encode_event, events))
        yield Row(n, says(events[0]), msgspec.Raw(encoded), digester.digest(shown), new, gone)


def _battle_after(history: History, mark: Mark, battle: Battle | None) -> Battle:
    """Return the battle at the head after a mark, which was `battle` before it."""
    to = history.nodes.get(getattr(mark, "to", 0)) if isinstance(mark, MOVES) else None
    if to is not None:
        return to.battle
    assert battle is not None  # the first row is a step
    return battle


def says(event: Event) -> str:
    """Return what a row begins with, for people: a choice in the notation.

    >>> from events.choices import EndPhase
    >>> says(Chosen("red", EndPhase()))
    'red: end phase'
    """
    if isinstance(event, Chosen):
        return f"{event.by}: {write(event.choice)}"
    if isinstance(event, LinkRevealed):
        return f"{event.by} reveals a link"
    if isinstance(event, DiceRolled):
        return f"dice {' '.join(map(str, event.faces))}"
    return tag_of(type(event)).partition("/")[0].replace("_", " ")
