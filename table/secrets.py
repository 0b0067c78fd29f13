"""Secrets for games whose dice both sides reveal: drawn, kept in files, found again.

A secret is a small JSON file that only its owner can read. Whoever has it knows its side's links,
and one secret is good for one game: its file says for which, and how far it was revealed. The file
is believed before any ledger, which may be an older copy or another game under the same digits.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, NamedTuple, NoReturn
from urllib.parse import quote

import msgspec
from msgspec.structs import replace
from platformdirs import user_data_dir

from engine.game import Game
from engine.links import LINKS, LinkChain
from events.base import SIDES, Side, other
from events.codec import encode_event
from events.errors import DiceError, LedgerError
from events.game import Commitments
from projections.history import Node

MOST_BYTES = 1000
FORMAT = 2
"""Of a secret's file. Format 1 had no state: its secrets are read as unused."""
LONGEST_NAME = 100
"""Bytes of a file's name that are a game's id; a longer id is cut, with a hash for the rest."""
_DIGITS = re.compile(r"[0-9a-f]{64}")
_CUT = re.compile(r"[0-9a-fA-F]{8,}")
"""Digits that were copied in part, or twice."""


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a secret's file holds."""

    warledger_secret: int
    secret: str
    links: int
    game: str = ""
    """Whose dice it is for; "" until it is known."""
    shown: Annotated[int, msgspec.Meta(ge=0)] = 0
    """How many of its links were revealed."""
    at: str = ""
    """The `place` of the last reveal: the same link may go there once more."""


class Secret:
    """A secret in its file, through which links are revealed. About 20 milliseconds to read."""

    def __init__(self, path: Path) -> None:
        """Raises DiceError where the file is no secret or can't be read."""
        self.path = path
        self._chain = LinkChain(_read(path).secret, LINKS)
        self.commitment = self._chain.commitment
        """What binds its owner: the last of its links, given to the other side."""
        self._number = {self.commitment: 0}
        link = self.commitment
        while link in self._chain:
            link = self._chain.next(link)
            self._number[link] = len(self._number)

    @property
    def game(self) -> str:
        """The game that it is for, as its file says now; "" where none is yet."""
        return _read(self.path).game

    def next(self, last: str) -> str:
        """Return the link after `last`, without any check of where it goes: see `reveal`."""
        return self._chain.next(last)

    def refusal(self, game: Game, side: Side) -> str:
        """Return why a side's next link may not be revealed where a game stands, "" if it may.

        A link that is out counts for one place only: there it may go again, after a crash.
        """
        number = self._number.get(game.history.links[side])
        if number is None:
            return f"what {side} revealed last is no link of this secret; {_REAL_DICE}"
        if number == LINKS:
            return f"all {LINKS} links of this secret are used up; {_REAL_DICE}"
        kept = _read(self.path)
        if kept.game not in ("", game.id):
            return (
                f"this secret is for game {kept.game}, where its links are known: none goes to"
                f" {game.id}; {_REAL_DICE}"
            )
        if number + 1 > kept.shown or (number + 1 == kept.shown and kept.at == place(game)):
            return ""
        return (
            f"link {number + 1} of {kept.shown} that are known already is asked for at another"
            f" place: this is an older copy of {game.id}; `warledger open` the newer one that the"
            f" other player has; else {_REAL_DICE}"
        )

    def reveal(self, game: Game, side: Side) -> Node:
        """Reveal a side's next link; the file says so before it goes out.

        Raises DiceError where that is refused, and LedgerError where it could not be stored (a
        Conflict where another row came in between).
        """
        reason = self.refusal(game, side)
        if reason:
            raise DiceError(str(self.path), reason)
        last, before = game.history.links[side], _read(self.path)
        shown = self._number[last] + 1
        _replace(self.path, replace(before, game=game.id, shown=shown, at=place(game)))
        try:
            return game.reveal(self._chain.next(last), by=side)
        except LedgerError:
            if game.history.links[side] == last:
                _replace(self.path, before)  # it did not go out, and may be due elsewhere
            raise


_REAL_DICE = "`offer real dice` in its place"


def place(game: Game) -> str:
    """Return what tells where a game stands, for its dice: the way there and their salt.

    Marks don't change it, so a link whose row was not stored may go where it was meant to go.
    About a microsecond an event.
    """
    way = b"".join(encode_event(event) for _, event in game.history.facts())
    return blake2b(b"%d " % game.history.salt + way, digest_size=20).hexdigest()


class Hand(NamedTuple):
    """The secrets at hand for a game, by side, and where one that isn't was looked for."""

    secrets: dict[Side, Secret]
    missed: dict[Side, Path]


def draw(path: Path) -> Secret:
    """Draw a secret into a new file that only its owner can read.

    Raises DiceError where the file is there already or can't be written; no folder is made for it.
    """
    _create(path, _Kept(FORMAT, secrets.token_hex(32), LINKS))
    return Secret(path)


def _create(path: Path, kept: _Kept) -> None:
    try:
        _write(path, kept)
    except FileExistsError as error:
        raise DiceError(str(path), "is there already; a secret is never written over") from error
    except OSError as error:
        raise DiceError(str(path), f"can't be written: {error.strerror}") from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiceError(str(folder), f"can't be made: {error.strerror}") from error


def _replace(path: Path, kept: _Kept) -> None:
    """Put another state in a secret's file: all of it or nothing, and on the disk."""
    path = path.resolve()
    beside = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        _write(beside, kept)
        try:
            beside.replace(path)
        except OSError:
            beside.unlink()
            raise
        with suppress(OSError):  # not every system lets a folder be synced
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        raise DiceError(str(path), f"can't be written: {error.strerror}") from error


def _write(path: Path, kept: _Kept) -> None:
    data = msgspec.json.encode(replace(kept, warledger_secret=FORMAT))
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        try:
            file.write(data + b"\n")
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink()
            raise


def _read(path: Path) -> _Kept:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise DiceError(str(path), f"can't be read: {error.strerror}") from error
    try:
        found = msgspec.json.decode(data, type=_Kept)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        reason = "it is no secret; `warledger commit FILE` draws one"
        raise DiceError(str(path), reason) from error
    if not 1 <= found.warledger_secret <= FORMAT or found.links != LINKS:
        raise DiceError(str(path), "it is a secret of another version of warledger")
    return found


def folder_of(ledger: str) -> Path:
    """Return where the secrets of a ledger's games are kept: beside its file, or in your data.

    >>> folder_of("games/club.sqlite").as_posix()
    'games/club.sqlite.secrets'
    """
    if ledger and "://" not in ledger:
        return Path(f"{ledger}.secrets")
    return Path(user_data_dir("warledger")) / "secrets"


def _path(ledger: str, game: str, side: Side) -> Path:
    name = quote(game, safe="")
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 13]}-{blake2b(game.encode(), digest_size=6).hexdigest()}"
    return folder_of(ledger) / f"{name}.{side}.secret"


@contextmanager
def committed(
    ledger: str,
    game: str,
    words: Sequence[str],
    alone: Side | None = None,
    begun: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[Commitments, list[Path]]]:
    """Yield what both sides of a new game commit to, and where the secrets at hand are found.

    `words` are ``SIDE=FILE`` for a secret that is here, or ``SIDE=DIGITS`` for the commitment that
    the other player sent; for a side that isn't named a secret is drawn. A FILE stays where it is.
    `alone` is the one side that plays here: no secret of the other's may be here, nor is one drawn.
    Where the block raises and the game is not `begun`, no file is left that this has made. Raises
    DiceError naming the word that is wrong, and for a secret that is a game's already.
    """
    said = _said(words)
    files: dict[Side, Secret] = {}
    for side, value in said.items():
        if not _DIGITS.fullmatch(value.lower()):
            _check_word(side, value, alone)
            files[side] = secret = Secret(Path(value))
            if secret.game:
                reason = f"this secret is in use for game {secret.game}; draw another"
                raise DiceError(value, reason)
    if alone is not None and other(alone) not in said:
        _refuse_secret_of(other(alone))
    _check_apart([files[s].commitment if s in files else said[s].lower() for s in said])
    with ExitStack() as back:
        ends: dict[Side, str] = {}
        kept: list[Path] = []
        for side in SIDES:
            path = _path(ledger, game, side)
            if side in files:
                _take(files[side], path, game, back)
                kept.append(files[side].path)
            elif side not in said:
                _make_folder(path.parent)
                _create(path, _Kept(FORMAT, secrets.token_hex(32), LINKS, game))
                back.callback(path.unlink, missing_ok=True)
                files[side] = Secret(path)
                kept.append(path)
            ends[side] = files[side].commitment if side in files else said[side].lower()
        try:
            yield Commitments(ends["red"], ends["blue"]), kept
        except BaseException:
            if begun():
                back.pop_all()
            raise
        back.pop_all()


def _said(words: Sequence[str]) -> dict[Side, str]:
    said: dict[Side, str] = {}
    for word in words:
        side, equals, value = word.partition("=")
        if side not in SIDES or not equals or not value or side in said:
            reason = "is not red=FILE or blue=DIGITS, each side once"
            raise DiceError("--commit", f"{word!r} {reason}")
        said["red" if side == "red" else "blue"] = value
    return said


def _check_word(side: Side, value: str, alone: Side | None) -> None:
    """Refuse what is meant as digits but is not 64 of them, and a secret of who is elsewhere."""
    if _CUT.fullmatch(value) and not Path(value).exists():
        reason = f"{side}={value}: 64 digits are needed, here are {len(value)}"
        raise DiceError("--commit", reason)
    if alone is not None and side != alone:
        _refuse_secret_of(side)


def _refuse_secret_of(side: Side) -> NoReturn:
    raise DiceError(
        "--commit",
        f"{side} plays elsewhere and keeps the secret there, else this table knows every die ahead;"
        f" let {side} run `warledger commit FILE` and send its 64 digits: --commit {side}=DIGITS",
    )


def _check_apart(ends: Sequence[str]) -> None:
    if len(set(ends)) < len(ends):
        raise DiceError("--commit", "both sides commit to the same secret; each draws its own")


def _take(secret: Secret, path: Path, game: str, back: ExitStack) -> None:
    """Let a secret be a game's, and be found at `path`; `back` takes both back."""
    before = _read(secret.path)
    _replace(secret.path, replace(before, game=game))
    back.callback(_replace, secret.path, before)
    if path.exists() and path.samefile(secret.path):
        return
    _make_folder(path.parent)
    try:
        path.symlink_to(secret.path.resolve())  # a copy would have a state of its own
    except FileExistsError as error:
        raise DiceError(str(path), "is there already; a secret is never written over") from error
    except OSError as error:
        raise DiceError(str(path), f"can't be written: {error.strerror}") from error
    back.callback(path.unlink, missing_ok=True)


def at_hand(
    ledger: str,
    game: str,
    agreed: Commitments | None,
    files: Sequence[str] = (),
    alone: Side | None = None,
) -> Hand | None:
    """Return the secrets at hand for a game: `files`, used where they are, and those kept for it.

    None for a game whose dice nobody reveals. Raises DiceError for a file whose secret is not what
    a side of the game committed to, or not `alone`'s, the one side that plays here: no other's
    secret is used then, even if it is kept here.
    """
    if agreed is None:
        if files:
            raise DiceError("--secret", "the dice of this game are not revealed; it has no secrets")
        return None
    ends: dict[str, Side] = {agreed.red: "red", agreed.blue: "blue"}
    hand = Hand({}, {})
    named = list(map(Path, files))
    sides = SIDES if alone is None else (alone,)
    kept = {path: side for side in sides if (path := _path(ledger, game, side)).exists()}
    for path in (*named, *kept):
        if path in kept and kept[path] in hand.secrets:
            continue  # a file that was named comes first
        secret = Secret(path)
        if secret.commitment not in ends:
            whose = f"; it is for game {secret.game}" if secret.game not in ("", game) else ""
            raise DiceError(str(path), f"neither side of {game} committed to this secret{whose}")
        side = ends[secret.commitment]
        if alone not in (None, side) and path in named:
            reason = f"this is {side}'s secret, and {alone} plays here: {side} reveals elsewhere"
            raise DiceError(str(path), reason)
        hand.secrets[side] = secret
    for side in SIDES:
        if side not in hand.secrets:
            hand.missed[side] = _path(ledger, game, side)
    return hand
