"""Games as Parquet: events, rolls and steps, for pandas, polars, DuckDB or a spreadsheet.

Every file has one row a thing and a `game` column, so several games stand in the same files.
Only the line of play to the head is in them. polars writes them; it comes with the extra.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from events.codec import encode_event, tag_of
from events.errors import WarledgerError
from events.game import Chosen
from projections.history import History
from projections.readmodels import staged
from replay.analysis import Analysis
from replay.timeline import units_of
from replay.words import answer_of, in_words

EXTRA = 'pip install "warledger[analysis]"'
"""What brings the libraries that plots and Parquet need."""

Row = dict[str, Any]


class Analysed(NamedTuple):
    """A game and its analysis."""

    history: History
    analysis: Analysis


def step_rows(history: History, analysis: Analysis) -> Iterator[Row]:
    """Yield a row a step: when, who, the answer, how long it took, how the sides stood after."""
    times = {one.step: one for one in analysis.times}
    for node, lead in zip(history.path(), analysis.leads, strict=True):
        time = times.get(node.step)
        yield {
            "game": analysis.game,
            "step": node.step,
            "turn": lead.turn,
            "active": lead.active,
            "phase": lead.phase,
            "by": node.by,
            "answer": answer_of(node),
            "kind": type(first.choice).__name__
            if isinstance(first := node.events[0], Chosen)
            else type(first).__name__,
            "events": len(node.events),
            "at_ms": time.at if time else None,
            "spent_ms": time.spent if time else None,
            "red_points": lead.red_models / 10,
            "blue_points": lead.blue_models / 10,
            "red_score": lead.red_score,
            "blue_score": lead.blue_score,
            "lead": lead.lead / 10,
        }


def roll_rows(history: History, analysis: Analysis) -> Iterator[Row]:
    """Yield a row a roll, with its exact probability both as a number and as a fraction."""
    for one in analysis.rolls:
        roll = one.roll
        yield {
            "game": analysis.game,
            "step": roll.step,
            "turn": roll.turn,
            "active": roll.active,
            "phase": roll.phase,
            "player": roll.player or None,
            "purpose": roll.purpose,
            "unit": roll.subject or None,
            "opponent": roll.opponent or None,
            "weapon": roll.weapon or None,
            "sides": roll.sides,
            "need": roll.need or None,
            "faces": list(roll.faces),
            "passed": roll.passed if roll.need else None,
            "total": sum(roll.faces),
            "chance": float(one.exactly),
            "chance_exact": str(one.exactly),
            "chance_as_many": float(one.as_many),
            "source": roll.source,
        }


def event_rows(history: History, analysis: Analysis) -> Iterator[Row]:
    """Yield a row an event: its clock, the units it speaks of, its words, itself as JSON."""
    n, at = 0, -1
    for step, event, turn, active, phase in staged(history.facts()):
        n, at = (n + 1 if step == at else 0), step
        name, _, version = tag_of(type(event)).partition("/")
        yield {
            "game": analysis.game,
            "step": step,
            "n": n,
            "turn": turn,
            "active": active,
            "phase": phase,
            "event": name,
            "version": int(version),
            "units": list(units_of(event)),
            "words": in_words(event, True),
            "json": encode_event(event).decode(),
        }


class Table(NamedTuple):
    """What makes a file's rows, and its columns."""

    rows: Callable[[History, Analysis], Iterator[Row]]
    columns: dict[str, Any]


_WHEN = {"game": str, "step": int, "turn": int, "active": str, "phase": str}
TABLES = {
    "events": Table(
        event_rows,
        _WHEN
        | {"n": int, "event": str, "version": int}
        | {"units": list[str], "words": str, "json": str},
    ),
    "rolls": Table(
        roll_rows,
        _WHEN
        | {"player": str, "purpose": str, "unit": str, "opponent": str, "weapon": str}
        | {"sides": int, "need": int, "faces": list[int], "passed": int, "total": int}
        | {"chance": float, "chance_exact": str, "chance_as_many": float, "source": str},
    ),
    "steps": Table(
        step_rows,
        _WHEN
        | {"by": str, "kind": str, "answer": str, "events": int, "at_ms": int, "spent_ms": int}
        | {"red_points": float, "blue_points": float, "red_score": int, "blue_score": int}
        | {"lead": float},
    ),
}
"""The files by name."""


def write_parquet(games: Sequence[Analysed], folder: Path) -> list[Path]:
    """Write the games to ``events``, ``rolls`` and ``steps.parquet`` in a folder; return them.

    Raises WarledgerError where polars isn't installed or the folder can't be written.
    """
    try:
        import polars
    except ImportError:
        raise WarledgerError("--parquet", f"polars writes Parquet; {EXTRA} installs it") from None
    written: list[Path] = []
    for name, table in TABLES.items():
        rows = [row for history, analysis in games for row in table.rows(history, analysis)]
        path = folder / f"{name}.parquet"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            polars.DataFrame(rows, schema=table.columns, orient="row").write_parquet(path)
        except OSError as error:
            raise WarledgerError(str(path), f"can't be written: {error.strerror}") from error
        written.append(path)
    return written
