"""Where games and armies come from: the ledger, roster files, bundled armies."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from platformdirs import user_data_dir

from engine.armies import BUNDLED, Imported, bundled, distinct, read_army, read_army_bytes
from engine.armies.names import slug
from engine.game import Game
from events.base import Side
from events.errors import LedgerError, RosterError, WarledgerError
from events.ledger import Ledger
from events.values import Army
from replay.exchange import sound_steps


def default_ledger() -> Path:
    """Return the one file in the user's data folder that holds his games."""
    return Path(user_data_dir("warledger")) / "warledger.sqlite"


def open_ledger(target: str, *, create: bool = False) -> Ledger:
    """Open the ledger that `target` names: a PostgreSQL URL, an SQLite path, "" for the default.

    A missing file is made, with the default's folder, only when `create`. Raises LedgerError.
    """
    if target in ("memory:", ":memory:"):
        raise LedgerError(target, "a ledger in memory is gone when the command ends; name a file")
    if target:
        return Ledger.open(target, create=create)
    path = default_ledger()
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        elif not path.exists():
            raise LedgerError(str(path), "there are no games yet; `warledger play` starts one")
    except OSError as error:
        reason = f"this folder can't be used: {error.strerror}; name a file with --ledger"
        raise LedgerError(str(path.parent), reason) from error
    return Ledger.sqlite(path, create=create)


_NEW_ID = re.compile(r"\w[\w.-]*")


def new_id(word: str) -> str:
    """Return the id of a new game, if the command line can say it. Raises LedgerError.

    `@` stands before a step there, and ids name files. Games that have other ids can be opened.

    >>> new_id("club-night.3")
    'club-night.3'
    """
    if word and not _NEW_ID.fullmatch(word):
        reason = "an id is letters, digits and . - _ between them, such as club-night-3"
        raise LedgerError(f"game id {word!r}", reason)
    return word


def game_id(ledger: Ledger, word: str) -> str:
    """Return the id of the game that `word` is, or begins. Raises LedgerError if not just one.

    A whole id is looked for in the games themselves: no fault of their index is in its way.
    """
    if ledger.has(word):
        return word
    found = _beginning(word, ledger.games()) or _beginning(word, ledger.survey().games)
    if len(found) > 1:
        raise LedgerError(word, f"this may be {', '.join(found)}; write more of it")
    if not found:
        raise LedgerError(word, "there is no such game; `warledger games` lists them")
    return found[0]


def _beginning(word: str, games: Iterable[str]) -> list[str]:
    return [name for name in games if word and name.startswith(word)]


def open_game(ledger: Ledger, word: str, command: str = "warledger") -> Game:
    """Open a game by its id or the beginning of it. Raises LedgerError.

    Where only a later part of it is damaged, the error says how the rest is saved; `command` is how
    a command on this ledger begins.
    """
    name = game_id(ledger, word)
    with rescue_named(ledger, name, command):
        return Game.open(ledger, name)


@contextmanager
def rescue_named(ledger: Ledger, name: str, command: str) -> Iterator[None]:
    """Add to the error about a damaged game how its sound steps are saved, if there are any."""
    try:
        yield
    except LedgerError as error:
        held = len(sound_steps(ledger, name)[0])
        if not 0 < held < len(ledger.read_lenient(name)):
            raise
        hold = "step 1 holds" if held == 1 else f"steps 1 to {held} hold"
        way = f"{hold}: `{command} export {shlex.quote(name)} FILE --sound` saves them"
        raise LedgerError(error.where, f"{error.reason}; {way}") from error


def bases_of(words: Sequence[str]) -> dict[str, int]:
    """Read ``NAME=MM`` words as base diameters by unit or profile. Raises WarledgerError.

    >>> bases_of(["boyz=32", "warboss=40"])
    {'boyz': 32, 'warboss': 40}
    """
    bases: dict[str, int] = {}
    for word in words:
        name, equals, size = word.rpartition("=")
        if not equals or not name or not size.isascii() or not size.isdecimal():
            raise WarledgerError("--base", f"{word!r} is not NAME=MM, such as boyz=32")
        bases[slug(name, name)] = int(size)
    return bases


def check_bases(bases: Mapping[str, int], *imports: Imported) -> None:
    """Raise WarledgerError where a base is of no unit and no profile of these armies."""
    named: dict[str, None] = {}
    for unit in (unit for imported in imports for unit in imported.army.units):
        named |= dict.fromkeys((unit.id, *(profile.name for profile in unit.profiles)))
    for name in bases:
        if name not in named:
            meant = get_close_matches(name, named, 3) or named
            reason = f"{name!r} is no unit and no profile here; there is {', '.join(meant)}"
            raise WarledgerError("--base", reason)


def army_of(word: str, side: Side, bases: Mapping[str, int] | None = None) -> Imported:
    """Read a roster file, or a bundled army by its name. Raises RosterError.

    >>> army_of("ratskar", "blue").army.name
    'Ratskar'
    """
    path = Path(word)
    if word in BUNDLED and not path.exists():
        return read_army_bytes(bundled(word), f"{word}.ros", side, bases)
    if not path.suffix and not path.exists():
        raise RosterError(
            word, f"no such file and no bundled army; bundled are {', '.join(BUNDLED)}"
        )
    return read_army(path, side, bases)


def armies_of(
    red: str, blue: str, bases: Mapping[str, int] | None = None
) -> tuple[Army, Army, tuple[Imported, Imported]]:
    """Read both armies, ready to play, with unit ids told apart; and what the imports said.

    Raises RosterError for a file that is no roster and for an army that isn't playable.
    """
    imports = army_of(red, "red", bases), army_of(blue, "blue", bases)
    check_bases(bases or {}, *imports)
    one, two = distinct(imports[0].ready(), imports[1].ready())
    for army in (one, two):
        if not army.units:
            raise RosterError(army.source.file, "no unit of this army can take the field")
    return one, two, imports
