"""``warledger rules``: which rules are implemented where, and which tests name them."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from events.wording import counted
from table.coverage import coverage
from table.setting import out, print_json


def rules(
    missing: Annotated[
        bool, typer.Option("--missing", help="Only rules without code or without a test.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the rule ids that the code cites, where, and the tests and scenarios naming each.

    Tests are found in a source checkout only; an installed package brings none.
    """
    found = coverage()
    shown = [rule for rule in found if not missing or not (rule.code and rule.tests)]
    if as_json:
        print_json(shown)
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in ("Rule", "Implemented in", "Tested in"):
        table.add_column(column)
    for rule in shown:
        tests = ", ".join(name.rpartition("/")[2] for name in rule.tests[:3])
        if len(rule.tests) > 3:
            tests += f" and {len(rule.tests) - 3} more"
        table.add_row(
            rule.id,
            escape(", ".join(rule.code)) or "[red]nowhere[/]",
            escape(tests) or "[yellow]no test names it[/]",
        )
    console = out()
    console.print(table)
    tested = sum(bool(rule.code and rule.tests) for rule in found)
    console.print(f"{counted(len(found), 'rule')} cited, {tested} implemented and named by a test")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(rules)
