"""The command line ``warledger``: global options, errors as one line, commands by theme.

Exit codes, for scripts: 0 done; 1 refused, with one line on standard error; 2 wrong usage;
3 a roster that was read but can't be played; 4 UNVERIFIED; 5 DIVERGED; 6 imported with warnings,
if asked for; 7 NOT REPRODUCED; 70 a fault in the program.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

from events.errors import WarledgerError
from table import (
    cli_analysis,
    cli_armies,
    cli_bugs,
    cli_demo,
    cli_exchange,
    cli_history,
    cli_import,
    cli_look,
    cli_play,
    cli_rules,
    cli_scenario,
    cli_timeline,
    cli_verify,
    logging,
)
from table.setting import Setting, setting_of

EXIT_CODES = (
    "Exit codes: 0 done; 1 refused, with one line on standard error; 2 wrong usage; "
    "3 a roster that was read but can't be played; 4 UNVERIFIED; 5 DIVERGED; "
    "6 imported with warnings, if asked for; 7 NOT REPRODUCED; 70 a fault in the program."
)
FAULT = 70


class Commands(TyperGroup):
    """A group of commands in which an error of ours is one clear line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Errors become exit codes; a traceback is shown only when verbose."""
        try:
            return super().invoke(ctx)
        except WarledgerError as error:
            _say(f"[bold red]refused[/] {escape(str(error))}")
            raise typer.Exit(1) from error
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - nobody reads on
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            _say("stopped; every step played is stored")
            raise typer.Exit(130) from None
        except Exception as error:
            if isinstance(error, typer.Exit | typer.Abort) or _is_usage(error):
                _reword(error)
                raise
            setting = setting_of(ctx)
            whole = f" {setting.whole}" if setting.whole else ""
            _say(
                f"[bold red]fault[/] {escape(f'{type(error).__name__}: {error}')}.{escape(whole)}"
                + ("" if setting.verbose else " (--verbose shows where)")
            )
            if setting.verbose:
                Console(stderr=True).print_exception()
            raise typer.Exit(FAULT) from error


def _is_usage(error: Exception) -> bool:
    """Whether typer itself will show this error (wrong usage)."""
    return hasattr(error, "exit_code") and hasattr(error, "show")


def _reword(error: Any) -> None:
    """Say in words of ours what is wrong with an option's value, and name it."""
    checked = getattr(error.__cause__, "errors", None)
    if not callable(checked):
        return
    wrong = checked()[0]
    value, limits = wrong["input"], wrong.get("ctx", {})
    if wrong["type"].startswith("int_"):
        error.message = f"{value!r} is no whole number."
    elif "ge" in limits:
        error.message = f"{value!r} is too small; {limits['ge']} or more is needed."
    else:
        error.message = wrong["msg"].removeprefix("Value error, ")


def _say(line: str) -> None:
    Console(stderr=True, soft_wrap=True, highlight=False).print(line)


app = typer.Typer(
    cls=Commands,
    name="warledger",
    help="Play, undo, replay and verify battles of miniatures.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"warledger {version('warledger')}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    ledger: Annotated[
        str,
        typer.Option(
            envvar="WARLEDGER_LEDGER",
            help="Where games are stored: an SQLite file or a postgresql:// URL. "
            "By default one file in your data folder.",
            show_default=False,
        ),
    ] = "",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log each step; show tracebacks.")
    ] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log lines as JSON.")] = False,
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Play, undo, replay and verify battles of miniatures."""
    logging.set_up(verbose or log_json, log_json)
    named = ctx.get_parameter_source("ledger")
    ctx.obj = Setting(ledger, verbose, named is not None and named.name == "COMMANDLINE")


for module in (
    cli_analysis,
    cli_demo,
    cli_play,
    cli_history,
    cli_look,
    cli_timeline,
    cli_verify,
    cli_bugs,
    cli_exchange,
    cli_import,
    cli_armies,
    cli_scenario,
    cli_rules,
):
    module.add_to(app)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Unicode still gets its lines
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="surrogateescape")  # what is no text is refused, line by line
    app()
