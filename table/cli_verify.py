"""``warledger verify``: play a stored game again and compare."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from events.ledger import Ledger
from events.wording import counted
from replay.verify import Report, Verdict, verify
from table.cli_look import GameArgument
from table.setting import Setting, aside, out, print_json
from table.storage import game_id

CODES = {Verdict.EXACT: 0, Verdict.UNVERIFIED: 4, Verdict.DIVERGED: 5}
STYLES = {Verdict.EXACT: "bold green", Verdict.UNVERIFIED: "bold yellow"}


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error, where that is a terminal, and give what moves it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=aside(), transient=True, disable=not sys.stderr.isatty()) as p:
        task = p.add_task(what, total=None)
        yield lambda done, of: p.update(task, completed=done, total=of)


def checked(ledger: Ledger, game: str, head: str = "") -> Report:
    """Verify a game with a progress bar. Raises LedgerError for an unknown game."""
    with progress_bar(f"verifying {game}") as moved:
        return verify(ledger, game, head=head, progress=moved)


def verdict_text(report: Report) -> str:
    """Return a verdict as markup: the first line for all, then where and how a game differs."""
    style = STYLES.get(report.verdict, "bold red")
    lines = [f"[{style}]{report.verdict.value}[/] {escape(report.game)}: {escape(report.reason)}"]
    if report.step:
        where = f"step {report.step}"
        if report.event >= 0:
            where += f", event {report.event + 1}"
        if report.event_type:
            where += f" ({report.event_type})"
        lines.append(f"  first difference at {escape(where)}")
        for difference in report.differences:
            lines.append(
                f"  {escape(difference.field)}: recorded {escape(difference.recorded)},"
                f" executed {escape(difference.executed)}"
            )
        hold = f"steps 1 to {report.step - 1} hold" if report.step > 1 else "no step holds"
        lines.append(f"  {hold}; nothing after that is fact")
    else:
        steps, events = counted(report.steps, "step"), counted(report.events, "event")
        lines.append(f"  {steps}, {events}, rules {report.rules_now}")
        lines.append(f"  head {report.chain}")
    return "\n".join(lines)


def verify_game(
    ctx: typer.Context,
    game: GameArgument,
    head: Annotated[
        str,
        typer.Option(
            metavar="DIGEST", help="The chain digest the game must end in: finds a cut tail."
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Play a stored game again from its inputs and compare every event and state.

    Exits with 0 for EXACT, 4 for UNVERIFIED (other rules wrote it), 5 for DIVERGED; says the first
    step, event and fields that differ.
    """
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        name = game_id(ledger, game)
        report = checked(ledger, name, head)
    if as_json:
        print_json(report)
    else:
        out().print(verdict_text(report))
        cut = report.reason.startswith("head: ")  # then all that is here holds
        if report.verdict is Verdict.DIVERGED and report.step > 1 and not cut:
            saving = f"{setting.command} export {shlex.quote(name)} FILE --sound"
            out().print(f"  save the steps that hold: {escape(saving)}")
    raise typer.Exit(CODES[report.verdict])


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify_game)
