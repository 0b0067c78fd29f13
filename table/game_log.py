"""The log of a game: every row of its stream in order, undone steps and undo marks among them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rich.markup import escape

from engine.notation import Dice, Reveal, write
from events.base import Side
from events.codec import tag_of
from events.game import Chosen, DiceRolled, LinkRevealed
from projections.battle import Battle
from projections.history import History, Node
from replay.words import answer_of, brief, in_words, lines_of
from table.show import clock_text, said


class LogEntry(msgspec.Struct, frozen=True):
    """One row of the stream: a game step or a mark."""

    step: int
    kind: str
    """``"step"``, or the mark's tag without its version (``"undone"``)."""
    when: str
    """Where the game stood when it was played: ``turn 2, red, shooting``."""
    by: Side | None
    choice: str
    """In the notation; entered dice as ``dice 3 5 1``; the words of a mark."""
    brief: str
    """The same with long lists of places cut."""
    facts: tuple[str, ...]
    undone: bool
    """Whether the line of play to the head leaves it out."""
    parent: int
    """The step it was played from; 0 for the first and for marks."""


def log_entries(history: History, everything: bool = False) -> Iterator[LogEntry]:
    """Yield every row in stream order. Bookkeeping facts are in it if `everything` is wanted."""
    kept = {node.step for node in history.path()}
    for n in range(1, history.last + 1):
        node = history.nodes.get(n)
        if node is not None:
            yield _entry(node, n not in kept, everything)
        elif n in history.marks:
            mark = history.marks[n]
            kind = tag_of(type(mark)).partition("/")[0]
            by: Side | None = getattr(mark, "by", None)
            yield LogEntry(n, kind, "", by, in_words(mark), in_words(mark), (), False, 0)


def _entry(node: Node, undone: bool, everything: bool) -> LogEntry:
    first = node.events[0]
    if isinstance(first, Chosen):
        choice, short = write(first.choice), brief(first.choice)
    elif isinstance(first, DiceRolled):
        choice = short = write(Dice(first.faces))
    elif isinstance(first, LinkRevealed):
        choice, short = write(Reveal(first.by, first.link)), answer_of(node)
    else:
        choice = short = "the game is set up"
    asked: Battle = node.parent.battle if node.parent else node.battle
    by = node.by
    if by is None and node.parent is not None and asked.question is not None:
        by = asked.question.player
    when = clock_text(asked) if node.parent else ""
    shown = node.events if node.parent is None else node.events[1:]
    facts = tuple(lines_of(shown, everything))
    parent = node.parent.step if node.parent else 0
    return LogEntry(node.step, "step", when, by, choice, short, facts, undone, parent)


def log_lines(history: History, everything: bool = False) -> Iterator[str]:
    """Yield the log as markup, one string a row: its heading, then its facts.

    Undone steps are one faint line each and long choices are cut, unless `everything` is wanted.
    """
    when = ""
    for entry in log_entries(history, everything):
        if entry.when and entry.when != when and not entry.undone:
            when = entry.when
            yield f"[bold]{when}[/]"
        yield "\n".join(_lines(entry, everything))


def _lines(entry: LogEntry, everything: bool) -> Iterator[str]:
    number = f"{entry.step:>5}"
    if entry.kind != "step":
        yield f"{number}  [yellow]{escape(entry.choice)}[/]"
        return
    who = f"{said(entry.by)} " if entry.by else ""
    choice = escape(entry.choice if everything else entry.brief)
    if entry.undone:
        yield f"[dim]{number}  (undone, after step {entry.parent}) {who}{choice}[/]"
        facts = entry.facts if everything else ()
    else:
        yield f"{number}  {who}[bold]{choice}[/]"
        facts = entry.facts
    for fact in facts:
        yield f"         [dim]{escape(fact)}[/]" if entry.undone else f"         {escape(fact)}"
