"""What the global options say, handed to each command."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
from rich.console import Console

from engine.game import Game
from events.errors import WarledgerError
from events.ledger import Ledger
from table.fault_report import fault_report
from table.storage import open_game, open_ledger

WIDE = 120
"""Columns of tables that are not printed to a terminal."""


@dataclass
class Setting:
    """The global options, and what a fault message should say about the game at hand."""

    target: str = ""
    """The ledger as named by the user, "" for the default."""
    verbose: bool = False
    named: bool = False
    """Whether the ledger was named on the command line, where the next command needs it, too."""
    whole: str = ""
    """Up to where the game at hand is whole, for the message about a fault in a rule."""

    @property
    def command(self) -> str:
        """How a command on the same ledger begins."""
        return f"warledger --ledger {shlex.quote(self.target)}" if self.named else "warledger"

    def ledger(self, *, create: bool = False) -> Ledger:
        """Open the ledger. Raises LedgerError."""
        return open_ledger(self.target, create=create)

    def game(self, ledger: Ledger, name: str) -> Game:
        """Open a game, by its id or the beginning of it. Raises LedgerError."""
        return open_game(ledger, name, self.command)

    @contextmanager
    def guarding(self, game: Game, options: str = "") -> Iterator[None]:
        """While a game is played: if a rule fails, the message says up to where it is whole.

        `options` are those that `resume` needs besides the game. The bug report of it is written
        into the current folder.
        """
        try:
            yield
        except Exception as error:
            self.whole = (
                f"Game {game.id} is whole up to step {game.step};"
                f" `{self.command} resume {shlex.quote(game.id)}{options}` goes on from there."
            )
            if not isinstance(error, WarledgerError):
                self.whole += f" {fault_report(game, error)}"
            raise


def setting_of(ctx: Any) -> Setting:
    """Return the setting of a command's context (a bare one where usage was wrong)."""
    return ctx.obj if isinstance(ctx.obj, Setting) else Setting()


def out() -> Console:
    """Return a console for standard output as it is now."""
    return _console()


def aside() -> Console:
    """Return a console for standard error as it is now: progress and remarks."""
    return _console(stderr=True)


def _console(stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = WIDE  # a file or pipe has no width of its own
    return console


def print_json(value: Any, also: Sequence[type] = ()) -> None:
    """Print a value (Structs included) as indented JSON on standard output."""
    plain = msgspec.to_builtins(value, builtin_types=tuple(also))
    print(msgspec.json.format(msgspec.json.encode(plain), indent=2).decode())
