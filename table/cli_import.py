"""``warledger import``: read a roster, print the army and what was made of the file."""

from __future__ import annotations

from typing import Annotated

import typer

from table.setting import out, print_json
from table.show import army_lines, import_lines
from table.storage import army_of, bases_of

NOT_PLAYABLE = 3

RosterArgument = Annotated[
    str, typer.Argument(metavar="ROSTER", help="A .ros, .rosz or .json file, or a bundled army.")
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
) -> None:
    """Read a roster and print the army, and all that was inferred, not applied or wrong.

    Exits with 0 when a game can start with the army, 1 when the file is no roster, 3 when it was
    read but a game would refuse it (the report names unit, profile and field).
    """
    imported = army_of(roster, "red", bases_of(base or []))
    if as_json:
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
        raise typer.Exit(NOT_PLAYABLE)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_roster)
