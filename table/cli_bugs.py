"""``warledger report``, ``reproduce``, ``minimise``: a fault as a file, met again, made small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from engine.notation import LineError, resolve
from events.choices import AnyChoice
from events.wording import counted
from projections.battle import Battle
from replay import reproduce as reproducing
from replay.bug_scenario import scenario_of, shows
from replay.bugreport import read_report, report, write_report
from replay.failures import told
from replay.minimise import minimise
from replay.report_file import BugReport, Versions
from table.cli_look import GameArgument, JsonOption, write_file
from table.cli_verify import progress_bar
from table.setting import Setting, aside, out, print_json

NOT_REPRODUCED = 7
"""Exit code of ``reproduce`` where the file's game goes another way here."""

ReportArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file that `report` or a fault wrote.")
]


def report_bug(
    ctx: typer.Context,
    game: GameArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to.")],
    at: Annotated[
        int | None, typer.Option("--at", metavar="STEP", help="Up to this step; by default all.")
    ] = None,
    note: Annotated[str, typer.Option(help="What is wrong, in your words.")] = "",
    attempt: Annotated[
        str,
        typer.Option(metavar="LINE", help="A choice to try after the last step: it isn't stored."),
    ] = "",
    redact: Annotated[
        bool,
        typer.Option("--redact", help="Rename units, weapons and names; no notes, no seed."),
    ] = False,
) -> None:
    """Write a bug report: one file with the whole game, how it fails, and the versions.

    The game is executed again, and the first difference or broken invariant is named in the file.
    The file alone is enough for `reproduce` and `minimise`, on any machine.
    """
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        tried = _choice(attempt, opened.battle) if attempt else None
        with progress_bar(f"executing {opened.id}") as moved:
            made = report(
                opened, at=at, note=note, attempted=tried, redacted=redact, progress=moved
            )
    write_report(made, output)
    words = told(made.ending.failure)
    where = f" at step {made.ending.failed_at}" if made.ending.failure is not None else ""
    steps = counted(made.header.step, "step")
    out().print(f"written: {escape(str(output))}, {steps}; {escape(words)}{where}")


def _choice(line: str, battle: Battle) -> AnyChoice:
    try:
        return resolve(line, battle)
    except LineError as error:
        raise typer.BadParameter(error.caret(), param_hint="--attempt") from error


def reproduce(file: ReportArgument, as_json: JsonOption = False) -> None:
    """Play a bug report again: does it fail as it did, at which step, in which fields?

    Exits with 0 for REPRODUCED, 7 for NOT REPRODUCED. Needs no ledger.
    """
    read = read_report(file)
    with progress_bar(f"reproducing {file.name}") as moved:
        found = reproducing.reproduce(read, moved)
    if as_json:
        print_json(found)
    else:
        style = "bold green" if found.reproduced else "bold yellow"
        out().print(f"[{style}]{escape(found.words)}[/]")
        for difference in getattr(found.found, "fields", ()):
            recorded, executed = escape(difference.recorded), escape(difference.executed)
            out().print(f"  {escape(difference.field)}: recorded {recorded}, executed {executed}")
        for line in versions_text(read, found.theirs, found.ours):
            out().print(line)
    raise typer.Exit(0 if found.reproduced else NOT_REPRODUCED)


def versions_text(read: BugReport, theirs: Versions, ours: Versions) -> Iterator[str]:
    """Yield the note and the versions of the report and of this machine, as markup."""
    if read.header.note:
        yield f"  note: {escape(read.header.note)}"
    if theirs == ours:
        yield f"  there and here: {escape(str(ours))}"
    else:
        yield f"  there: {escape(str(theirs))}"
        yield f"  here:  {escape(str(ours))}"


def minimise_file(
    file: ReportArgument,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="SCENARIO", help="Where to, e.g. bug.yaml.")
    ],
) -> None:
    """Shrink a bug report to the few choices, units and models that still fail in the same way.

    Writes a scenario that fails until the bug is gone; `scenario run` shows it.
    """
    read = read_report(file)
    with progress_bar(f"executing {file.name}") as moved, shrinking() as tell:
        shrunk = minimise(read, tell, moved)
        text = scenario_of(shrunk, read.header)
        shown = shows(text, shrunk.failure)
    write_file(output, text)
    console = out()
    console.print(escape(told(shrunk.failure)))
    console.print(escape(shrunk.words))
    console.print(f"written: {escape(str(output))}; run it: warledger scenario run {output}")
    if not shown:
        aside().print(
            "[yellow]the scenario alone doesn't fail this way here: the choices in it do, played"
            " on the battle that it gives[/]"
        )


@contextmanager
def shrinking() -> Iterator[Callable[[str, int], None]]:
    """Show on standard error, where that is a terminal, what is being shrunk."""
    console = aside()
    with console.status("looking for the failure") as status:
        yield lambda what, trials: status.update(f"shrinking: {what}, {trials} trials")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("report")(report_bug)
    app.command("reproduce")(reproduce)
    app.command("minimise")(minimise_file)
