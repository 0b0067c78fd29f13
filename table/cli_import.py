"""``warledger import``: read a roster, print the army and what was made of the file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from events.errors import WarledgerError
from table.cli_armies import ArmyFormat, army_bytes, write_army
from table.setting import out, print_json
from table.show import army_lines, import_lines
from table.storage import army_of, bases_of, check_bases

NOT_PLAYABLE = 3
WITH_WARNINGS = 6

RosterArgument = Annotated[
    str,
    typer.Argument(metavar="ROSTER", help="A .ros, .rosz, .json or .yaml file, or a bundled army."),
]
BaseOption = Annotated[
    list[str] | None,
    typer.Option(
        "--base",
        metavar="NAME=MM",
        help="Base diameter of a unit or profile in millimetres; give it as often as needed.",
        show_default=False,
    ),
]


def import_roster(
    roster: RosterArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Print army and report as JSON.")] = False,
    base: BaseOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 6 if there is a warning.")
    ] = False,
    form: Annotated[
        ArmyFormat | None,
        typer.Option("--as", help="Write the army itself instead, as a file that can be imported."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Where to, with --as; without it, to standard output."
        ),
    ] = None,
) -> None:
    """Read a roster and print the army, and all that was inferred, not applied or wrong.

    Exits with 0 when a game can start with the army, 1 when the file is no roster, 3 when it was
    read but a game would refuse it (the report names unit, profile and field), 6 with --strict
    when something was read with a warning.
    """
    if file is not None and form is None:
        raise WarledgerError("--out", "is for --as: say which kind of file, such as --as yaml")
    if as_json and form is not None:
        raise WarledgerError("import", "name one of --json, --as")
    bases = bases_of(base or [])
    imported = army_of(roster, "red", bases)
    check_bases(bases, imported)
    if form is not None:
        if file is not None:
            write_army(imported.army, file, form)
        else:
            sys.stdout.buffer.write(army_bytes(imported.army, form))
    elif as_json:
        print_json(
            {
                "playable": imported.playable,
                "army": imported.army,
                "report": imported.report.entries,
            }
        )
    else:
        console = out()
        for part in (*army_lines(imported.army), *import_lines(imported)):
            console.print(part)
        if not imported.playable:
            count = len(imported.report.of("error"))
            console.print(f"[bold red]not playable: {count} errors above; a game refuses it[/]")
    if not imported.playable:
        raise typer.Exit(NOT_PLAYABLE)
    if strict and imported.report.of("warning"):
        raise typer.Exit(WITH_WARNINGS)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_roster)
