"""Exchange: a whole game as one portable file. [P4, P12]

JSON lines, compressed by gzip, so that ordinary tools read it (``zcat game.wl | head``): a header
with the versions, every row exactly as stored, a trailer with the number of steps and the chain
digest. The same game gives the same bytes. A file from elsewhere is a claim: it is executed again
before it is let into a ledger. What that shows and what it can't: ``replay/TRUST.md``.
"""

from __future__ import annotations

import enum
import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine.copied import check_copied
from engine.game import Game
from engine.requests import sound_rows
from engine.sequence import RULES
from events.codec import EVENT_TYPES, UPCASTERS, decode_events, tag_of
from events.errors import LedgerError
from events.game import GameCreated
from events.history import RulesChanged
from events.ledger import Ledger
from events.steps import BadRow, Step, check_game_id, decode_row, encode_row
from events.wording import counted
from projections.battle import STATE_SCHEMA
from replay.verify import Report, Verdict, verify_steps

FORMAT = 1
"""Number of the file format."""

MOST_BYTES = 256 << 20
"""A file that unpacks to more than this is no game: some two million events."""

KNOWN = frozenset(tag_of(kind) for kind in (*EVENT_TYPES, *UPCASTERS))
"""Tags of every event schema that this engine reads."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what wrote the game, and what one must know to read it."""

    warledger: int
    """`FORMAT` of the writer."""
    game: str
    engine: str
    """Version of the engine that wrote the file."""
    ruleset: str
    rules: int
    """Rules number under which the last step was played."""
    schema: int
    """State schema of the last step's digest."""
    events: tuple[str, ...]
    """Tags of the event schemas in the file, sorted."""


class Trailer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: shows a cut tail."""

    steps: int
    chain: str
    """Chain digest of the last step, 40 hex digits: compare it with the other player's."""


class Parcel(NamedTuple):
    """A file that was read and is not yet believed."""

    header: Header
    rows: list[Step | BadRow]
    trailer: Trailer


class _Format(msgspec.Struct):
    warledger: int
    engine: str = "of unknown version"


_header = msgspec.json.Decoder(Header).decode
_trailer = msgspec.json.Decoder(Trailer).decode
_format = msgspec.json.Decoder(_Format).decode
_write = msgspec.json.Encoder().encode


def export(ledger: Ledger, game: str, path: str | Path) -> Trailer:
    """Write a game to a file and return its trailer.

    Raises LedgerError for an unknown game, an id that `open` refuses, a broken chain or a path
    that can't be written.
    """
    check_game_id(game)
    steps = sound_rows(ledger, game)
    _store(path, pack(game, steps))
    return Trailer(len(steps), steps[-1].chain)


def export_sound(ledger: Ledger, game: str, path: str | Path) -> tuple[Trailer, int]:
    """Write the steps of a game that hold, whatever follows them; for a game that is damaged.

    Returns the file's trailer and how many rows the ledger has. Opened in another ledger, the game
    goes on from there. Raises LedgerError as `export`, and where no step holds.
    """
    check_game_id(game)
    steps, report = sound_steps(ledger, game)
    if not steps:
        raise LedgerError(f"{game} step {report.step}", f"no step holds: {report.reason}")
    _store(path, pack(game, steps))
    return Trailer(len(steps), steps[-1].chain), len(ledger.read_lenient(game))


def sound_steps(ledger: Ledger, game: str) -> tuple[list[Step], Report]:
    """Return the steps of a game before the first that `verify` names, and what it says of that.

    Raises LedgerError for an unknown game. Costs an execution of the game or two.
    """
    rows = ledger.read_lenient(game)
    if not rows:
        raise LedgerError(game, "there is no game with this id in the ledger")
    first = report = verify_steps(game, rows)
    while report.step and rows:  # cut in a fork's copied part, its beginning may not hold either
        rows = rows[: report.step - 1]
        report = verify_steps(game, rows)
    return [row for row in rows if isinstance(row, Step)], first


def _store(path: str | Path, data: bytes) -> None:
    with _usable(path, "written") as file:
        file.write_bytes(data)


@contextmanager
def _usable(path: str | Path, how: str) -> Iterator[Path]:
    """Yield a path; raises LedgerError naming it where it is none or the file can't be used."""
    if not isinstance(path, str | Path):
        raise LedgerError("path", f"{path!r:.60} is no path; write one, such as game.wl")
    try:
        yield Path(path)
    except (OSError, ValueError) as error:  # a zero byte or half a character in its name
        reason = getattr(error, "strerror", None) or error
        raise LedgerError(f"{str(path)!a}"[1:-1], f"can't be {how}: {reason}") from error


def pack(game: str, steps: Sequence[Step]) -> bytes:
    """Return a game's file. The same steps give the same bytes (under one zlib)."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
        file.write(_lines(game, version("warledger"), steps))
    return packed.getvalue()


def _lines(game: str, engine: str, steps: Sequence[Step]) -> bytes:
    created: GameCreated | None = None
    rules, tags = RULES, set()
    for step in steps:
        for event in msgspec.json.decode(step.events, type=list[_Tag]):
            tags.add(event.type)
        first = decode_events(step.events)[0]
        if isinstance(first, GameCreated):
            created, rules = first, first.rules
        elif isinstance(first, RulesChanged):
            rules = first.after
    ruleset = created.ruleset if created is not None else ""
    schemas = tuple(sorted(tags))
    head = Header(FORMAT, game, engine, ruleset, rules, steps[-1].schema, schemas)
    last = Trailer(len(steps), steps[-1].chain)
    return b"\n".join([_write(head), *map(encode_row, steps), _write(last), b""])


class _Tag(msgspec.Struct):
    type: str


def read(path: str | Path) -> Parcel:
    """Read a file. Raises LedgerError where it isn't an exported game, whole and readable here.

    Nothing in it is believed yet: see `admit` and `look`.
    """
    with _usable(path, "read") as file:
        data = file.read_bytes()
    return unpack(data, str(path))


def unpack(data: bytes, name: str) -> Parcel:
    """Return what a file holds; `name` is what errors call it. Raises LedgerError as `read`."""
    return parse(_unzipped(data, name), name)


def parse(text: bytes, name: str) -> Parcel:
    """Return what the lines of an unpacked file hold. Raises LedgerError as `read`."""
    lines = text.split(b"\n")
    if len(lines) < 4 or lines[-1]:
        raise LedgerError(name, "it is no exported game: it has no header, steps and trailer")
    header = _checked_header(lines[0], name)
    try:
        trailer = _trailer(lines[-2])
    except msgspec.MsgspecError as error:
        raise LedgerError(f"{name}:{len(lines) - 1}", f"this is no trailer: {error}") from error
    rows = [_row(n, line) for n, line in enumerate(lines[1:-2], 1)]
    if trailer.steps != len(rows):
        steps = counted(trailer.steps, "step")
        raise LedgerError(name, f"its trailer counts {steps}, here are {len(rows)}")
    return Parcel(header, rows, trailer)


def _unzipped(data: bytes, name: str) -> bytes:
    if data[:2] != b"\x1f\x8b":
        raise LedgerError(name, "it is no exported game: those are packed by gzip")
    unzip = zlib.decompressobj(wbits=31)
    try:
        text = unzip.decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise LedgerError(name, f"its bytes are not those that were written: {error}") from error
    if len(text) > MOST_BYTES:
        raise LedgerError(name, f"it unpacks to more than {MOST_BYTES >> 20} MB: no game does")
    if not unzip.eof:
        raise LedgerError(name, "it is cut short; get the file again")
    if unzip.unused_data:
        raise LedgerError(name, f"{len(unzip.unused_data)} bytes follow its end")
    return text


def _checked_header(line: bytes, name: str) -> Header:
    ours = f"this is engine {version('warledger')}"
    try:
        written = _format(line)
        if written.warledger != FORMAT:
            raise LedgerError(
                name,
                f"engine {written.engine} wrote it in format {written.warledger};"
                f" {ours} and reads format {FORMAT}",
            )
        header = _header(line)
    except msgspec.MsgspecError as error:
        raise LedgerError(f"{name}:1", f"no header of an exported game: {error}") from error
    unknown = [tag for tag in header.events if tag not in KNOWN]
    if unknown:
        raise LedgerError(
            name,
            f"engine {header.engine} wrote events that are not known here"
            f" ({', '.join(unknown[:3])}); {ours}",
        )
    if header.schema > STATE_SCHEMA:
        raise LedgerError(
            name,
            f"engine {header.engine} wrote state schema {header.schema};"
            f" {ours} and reads up to {STATE_SCHEMA}",
        )
    try:
        check_game_id(header.game)
    except LedgerError as error:
        raise LedgerError(name, str(error)) from error
    return header


def _row(n: int, line: bytes) -> Step | BadRow:
    try:
        return decode_row(n, line)
    except RecursionError:
        return BadRow(n, "the row is nested too deeply to be a step")


def check(parcel: Parcel, progress: Callable[[int, int], None] | None = None) -> Report:
    """Execute a file's game again and compare. Costs what `verify` does.

    The header must say what the rows hold, too; only the engine's version is taken on trust.
    """
    header, rows, trailer = parcel
    report = verify_steps(header.game, rows, head=trailer.chain, progress=progress)
    if report.verdict is Verdict.EXACT:
        steps = [row for row in rows if isinstance(row, Step)]
        said = _write(header), _write(trailer)
        lines = _lines(header.game, header.engine, steps).split(b"\n")
        if said != (lines[0], lines[-2]):
            return msgspec.structs.replace(
                report,
                verdict=Verdict.DIVERGED,
                reason="the header or the trailer is not that of these steps",
                step=1,
            )
    return report


class Admission(enum.Enum):
    """What became of a file."""

    ADOPTED = "adopted"
    """It passed and is in the ledger now, byte for byte."""
    TAKEN_UP = "taken up"
    """It passed and goes on from where the ledger's game ended: the steps after that are stored."""
    PRESENT = "already here"
    """It passed, and the ledger has all its steps, byte for byte; perhaps more."""
    REFUSED = "refused"
    """It did not pass; nothing was stored."""


class Admitted(NamedTuple):
    """What became of a file, and why."""

    report: Report
    admission: Admission
    here: int
    """How many steps of the game the ledger had before."""


def admit(
    ledger: Ledger, parcel: Parcel, progress: Callable[[int, int], None] | None = None
) -> Admitted:
    """Verify a file's game and, if it is EXACT, take into the ledger what that hasn't of it.

    Two players who are apart send each other the game so: each opens what the other has played.
    Raises LedgerError where the ledger's game of that id has other rows, naming the first, and
    where marks of a copy stand elsewhere than in a fork's beginning.
    """
    game = parcel.header.game
    report = check(parcel, progress)
    steps = [row for row in parcel.rows if isinstance(row, Step)]
    try:
        present = ledger.read(game)
    except LedgerError as error:
        raise LedgerError(
            error.where, f"{error.reason}; open the file in another ledger"
        ) from error
    if report.verdict is not Verdict.EXACT:
        return Admitted(report, Admission.REFUSED, len(present))
    for mine, its in zip(present, steps, strict=False):
        if mine != its:
            raise LedgerError(f"{game} step {its.n}", _clash(mine, its))
    if len(steps) <= len(present):
        return Admitted(report, Admission.PRESENT, len(present))
    check_copied(game, steps, len(present))
    ledger.adopt(game, steps, after=len(present))
    became = Admission.TAKEN_UP if present else Admission.ADOPTED
    return Admitted(report, became, len(present))


def _clash(mine: Step, its: Step) -> str:
    """Say how the first differing row of a game in the ledger differs from the file's."""
    if mine.n == 1:
        return "the ledger has another game of this id; open the file in another ledger"
    if mine.chain == its.chain:
        return "the game is the same here, but not who answered and when: one copy was changed"
    return (
        "the ledger's game and the file's part here: both were played on from"
        f" step {mine.n - 1}; open the file in another ledger"
    )


def look(ledger: Ledger, parcel: Parcel, report: Report) -> Game:
    """Open a checked file's game in a ledger of its own, for looking only.

    `ledger` is one in memory. After a divergence only the steps before it are in the game: what
    follows is no fact. Raises LedgerError where no step holds.
    """
    rows = parcel.rows
    if report.verdict is Verdict.DIVERGED and report.step:
        rows = rows[: report.step - 1]
    steps = [row for row in rows if isinstance(row, Step)]
    if not steps:
        raise LedgerError(parcel.header.game, f"no step of it holds: {report.reason}")
    ledger.adopt(parcel.header.game, steps)
    return Game.open(ledger, parcel.header.game)
