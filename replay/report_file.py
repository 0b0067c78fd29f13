"""The file of a bug report: its lines, how they are written and read.

JSON lines. The first names the versions and the game; then one line a stored row, with what was
said, the events exactly as stored (armies, choices, dice, facts), what changed in the battle and
its digest; the last is the failure, with the attempted choice and what its step had come to,
dice included.
"""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import msgspec

from engine.sequence import RULES
from events.errors import WarledgerError
from projections.battle import STATE_SCHEMA
from replay.failures import Failure
from replay.leaves import Leaves

T = TypeVar("T")

FORMAT = 1
"""Number of the file format."""

MAX_BYTES = 256 << 20
"""A file larger than this is no report."""


class Versions(msgspec.Struct, frozen=True):
    """What a game was played with."""

    engine: str
    rules: int
    schema: int
    """State schema of the digests."""
    python: str
    msgspec: str
    eventsourcing: str
    system: str
    """Operating system and machine, such as ``Linux x86_64``."""

    def __str__(self) -> str:
        return (
            f"engine {self.engine}, rules {self.rules}, state schema {self.schema},"
            f" Python {self.python}, msgspec {self.msgspec}, {self.system}"
        )


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    warledger_report: int
    """`FORMAT` of the writer."""
    versions: Versions
    ruleset: str
    game: str
    step: int
    """The last row in the file."""
    chain: str
    """Chain digest of the game's head; "" where the file goes less far or is redacted."""
    dice: str
    """Where faces come from: ``seeded``, ``revealed``, ``entered``, or ``recorded``."""
    redacted: bool = False
    note: str = ""


class Row(msgspec.Struct, frozen=True):
    """One stored row of the game: a step, or a mark of its history."""

    n: int
    says: str
    """The choice in the notation, for people."""
    events: msgspec.Raw
    """The JSON array exactly as stored."""
    state: str = ""
    """State digest after the row."""
    changes: Leaves = {}
    """Leaves of the battle (`replay.leaves`) that are other than a row before."""
    gone: list[str] = []


class Attempt(msgspec.Struct, frozen=True):
    """What was tried on top of the last row."""

    says: str
    event: msgspec.Raw
    """`Chosen`, or the dice that were entered."""
    facts: msgspec.Raw
    """The events up to where it failed, dice included; not stored in the game."""


class Ending(msgspec.Struct, frozen=True):
    """The last line."""

    failure: Failure | None = None
    failed_at: int = 0
    """The row that the failure is in; one more than the last for an attempt; 0 for none."""
    attempt: Attempt | None = None


class BugReport(msgspec.Struct, frozen=True):
    """A whole report."""

    header: Header
    rows: tuple[Row, ...]
    ending: Ending


def versions() -> Versions:
    """Return the versions that run here."""
    return Versions(
        version("warledger"),
        RULES,
        STATE_SCHEMA,
        platform.python_version(),
        version("msgspec"),
        version("eventsourcing"),
        f"{platform.system()} {platform.machine()}",
    )


_write = msgspec.json.Encoder().encode
_header = msgspec.json.Decoder(Header)
_row = msgspec.json.Decoder(Row)
_ending = msgspec.json.Decoder(Ending)


class _Format(msgspec.Struct):
    warledger_report: int


def encode_report(report: BugReport) -> bytes:
    """Return a report's file. The same report gives the same bytes."""
    lines = [_write(report.header), *map(_write, report.rows), _write(report.ending), b""]
    return b"\n".join(lines)


def write_report(report: BugReport, path: Path) -> None:
    """Write a report. Raises WarledgerError where the path can't be written."""
    try:
        path.write_bytes(encode_report(report))
    except OSError as error:
        raise WarledgerError(str(path), f"can't be written: {error.strerror}") from error


def read_report(path: Path) -> BugReport:
    """Read a report. Raises WarledgerError naming file and line where it isn't one."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise WarledgerError(str(path), f"can't be read: {error.strerror}") from error
    return decode_report(data, str(path))


def decode_report(data: bytes, name: str) -> BugReport:
    """Return the report in a file's bytes; `name` is what errors call it."""
    if len(data) > MAX_BYTES:
        raise WarledgerError(name, f"larger than {MAX_BYTES >> 20} MB: no report is")
    lines = data.splitlines()
    if len(lines) < 3:
        raise WarledgerError(name, "it is no bug report: it has no header, rows and ending")
    written = _read(msgspec.json.Decoder(_Format), lines, 0, name).warledger_report
    if written != FORMAT:
        raise WarledgerError(name, f"it is in format {written}; format {FORMAT} is read here")
    rows = tuple(_read(_row, lines, at, name) for at in range(1, len(lines) - 1))
    for at, row in enumerate(rows, 1):
        if row.n != at:
            raise WarledgerError(f"{name}:{at + 1}", f"row {at} belongs here, not row {row.n}")
    return BugReport(_read(_header, lines, 0, name), rows, _read(_ending, lines, -1, name))


def _read(decoder: msgspec.json.Decoder[T], lines: list[bytes], at: int, name: str) -> T:
    try:
        return decoder.decode(lines[at])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        where = f"{name}:{at % len(lines) + 1}"
        raise WarledgerError(where, f"not a line of a bug report: {error}") from error
