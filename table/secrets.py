"""Secrets for games whose dice both sides reveal: drawn, kept in files, found again.

A secret is a small JSON file that only its owner can read. Whoever has it knows its side's links,
and one secret is good for one game.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec
from platformdirs import user_data_dir

from engine.links import LINKS, LinkChain
from events.base import Side
from events.errors import DiceError
from events.game import Commitments

SIDES: tuple[Side, ...] = ("red", "blue")
MOST_BYTES = 1000
_DIGITS = re.compile(r"[0-9a-f]{64}")

Chains = Mapping[Side, LinkChain]
"""The chains of the sides whose secrets are at hand."""


class _Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    warledger_secret: int
    secret: str
    links: int


def draw(path: Path) -> LinkChain:
    """Draw a secret into a new file that only its owner can read; return its chain.

    Raises DiceError where the file is there already or can't be written.
    """
    return _keep(path, LinkChain(secrets.token_hex(32)))


def _keep(path: Path, chain: LinkChain) -> LinkChain:
    data = msgspec.json.encode(_Secret(1, chain.secret, LINKS))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data + b"\n")
    except FileExistsError as error:
        raise DiceError(str(path), "is there already; a secret is never written over") from error
    except OSError as error:
        raise DiceError(str(path), f"can't be written: {error.strerror}") from error
    return chain


def read_secret(path: Path) -> LinkChain:
    """Return the chain of a secret's file. Raises DiceError where it is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise DiceError(str(path), f"can't be read: {error.strerror}") from error
    try:
        found = msgspec.json.decode(data, type=_Secret)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        reason = "it is no secret; `warledger commit FILE` draws one"
        raise DiceError(str(path), reason) from error
    if found.warledger_secret != 1 or found.links != LINKS:
        raise DiceError(str(path), "it is a secret of another version of warledger")
    return LinkChain(found.secret)


def folder_of(ledger: str) -> Path:
    """Return where the secrets of a ledger's games are kept: beside its file, or in your data.

    >>> folder_of("games/club.sqlite").as_posix()
    'games/club.sqlite.secrets'
    """
    if ledger and "://" not in ledger:
        return Path(f"{ledger}.secrets")
    return Path(user_data_dir("warledger")) / "secrets"


def _path(ledger: str, game: str, side: Side) -> Path:
    return folder_of(ledger) / f"{quote(game, safe='')}.{side}.secret"


def commit(ledger: str, game: str, words: Sequence[str]) -> tuple[Commitments, list[Path]]:
    """Return what both sides of a new game commit to, and the files of the secrets kept here.

    `words` are ``SIDE=FILE`` for a secret that is here, or ``SIDE=DIGITS`` for the commitment that
    the other player sent; for a side that isn't named a secret is drawn. Raises DiceError naming
    the word that is wrong, and for a secret that was kept for a game before.
    """
    said: dict[Side, str] = {}
    for word in words:
        side, equals, value = word.partition("=")
        if side not in SIDES or not equals or not value or side in said:
            reason = "is not red=FILE or blue=DIGITS, each side once"
            raise DiceError("--commit", f"{word!r} {reason}")
        said["red" if side == "red" else "blue"] = value
    ends: dict[Side, str] = {}
    here: dict[Side, LinkChain] = {}
    for side in SIDES:
        value = said.get(side, "")
        if _DIGITS.fullmatch(value):
            ends[side] = value
            continue
        chain = read_secret(Path(value)) if value else LinkChain(secrets.token_hex(32))
        _check_unused(ledger, chain, value)
        here[side], ends[side] = chain, chain.commitment
    if len(set(ends.values())) < len(ends):
        raise DiceError("--commit", "both sides commit to the same secret; each draws its own")
    kept = [_path(ledger, game, side) for side in here]
    for path, chain in zip(kept, here.values(), strict=True):
        _keep(path, chain)
    return Commitments(ends["red"], ends["blue"]), kept


def _check_unused(ledger: str, chain: LinkChain, word: str) -> None:
    """Refuse a secret that was kept for a game: what was revealed there would be known here."""
    for path in sorted(folder_of(ledger).glob("*.secret")):
        if read_secret(path).secret == chain.secret:
            raise DiceError(word, f"this secret is in use ({path.name}); draw another")


def chains_of(
    ledger: str, game: str, agreed: Commitments | None, files: Sequence[str] = ()
) -> dict[Side, LinkChain]:
    """Return the chains at hand for a game: of the secrets kept for it and of `files`.

    Raises DiceError for a file whose secret is not what a side of the game committed to.
    """
    if agreed is None:
        if files:
            raise DiceError("--secret", "the dice of this game are not revealed; it has no secrets")
        return {}
    ends: dict[str, Side] = {agreed.red: "red", agreed.blue: "blue"}
    kept = [path for side in SIDES if (path := _path(ledger, game, side)).exists()]
    found: dict[Side, LinkChain] = {}
    for path in (*kept, *map(Path, files)):
        chain = read_secret(path)
        if chain.commitment not in ends:
            raise DiceError(str(path), f"neither side of {game} committed to this secret")
        found[ends[chain.commitment]] = chain
    return found
