"""``warledger catalogue`` and ``muster``: armies chosen from catalogues; armies as files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from engine.armies import army_to_yaml, to_battlescribe
from engine.armies.catalogues import (
    Catalogue,
    Choice,
    Option,
    muster_choices,
    open_catalogue,
    read_choice,
)
from engine.armies.catalogues.taken import least_cost
from engine.armies.field_text import points_text
from engine.armies.opening import why_unread
from engine.armies.rosters import Line
from events.errors import WarledgerError
from events.values import Army
from events.wording import counted
from table.setting import out, print_json
from table.show import army_lines, import_lines
from table.storage import bases_of, check_bases

NOT_PLAYABLE = 3


class ArmyFormat(StrEnum):
    """Files that an army can be written as."""

    yaml = "yaml"
    battlescribe = "battlescribe"


CatalogueArgument = Annotated[
    Path, typer.Argument(metavar="CATALOGUE", help="A .cat file.", show_default=False)
]
SystemOption = Annotated[
    Path | None,
    typer.Option(
        "--system",
        metavar="FILE",
        help="Its .gst file; without this the one beside it.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

catalogues = typer.Typer(
    help="Look into catalogues (.cat) of an army builder.", no_args_is_help=True
)


@catalogues.command("list")
def list_units(
    catalogue: CatalogueArgument, system: SystemOption = None, as_json: JsonOption = False
) -> None:
    """List what a catalogue offers: units, the points of the smallest, and their limits."""
    read = open_catalogue(catalogue, system)
    if as_json:
        print_json([_summary(option) for option in read.options])
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in ("Unit", "From", "Limits"):
        table.add_column(title, justify="right" if title == "From" else "left")
    for option in sorted(read.options, key=lambda option: not option.is_unit):
        limits = ", ".join(map(str, option.limits))
        name = option.name if option.is_unit else f"{option.name} (no unit)"
        table.add_row(escape(name), points_text(least_cost(option)), limits)
    console = out()
    console.print(f"[bold]{escape(read.name)}[/], {escape(read.source.game_system or 'no system')}")
    console.print(table)
    _print_notes(read)


@catalogues.command("show")
def show_unit(
    catalogue: CatalogueArgument,
    unit: Annotated[str, typer.Argument(metavar="UNIT", help="A name from `catalogue list`.")],
    system: SystemOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a unit: profiles, rules, options with their points and limits.

    Modifiers that always hold are in the values; those with a condition are listed as not applied.
    """
    read = open_catalogue(catalogue, system)
    option = read.option(unit)
    if as_json:
        print_json(option)
        return
    out().print(_branch(option, None))
    _print_notes(read)


def muster(
    catalogue: CatalogueArgument,
    choices: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CHOICE...",
            help='Units and what is chosen under them: "Squad [Sergeant, 9 Trooper [Rifle]]".',
            show_default=False,
        ),
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option(
            "--list", metavar="FILE", help="A file with a choice on each line; # remarks."
        ),
    ] = None,
    points: Annotated[
        int | None, typer.Option("--points", min=0, help="The most that the army may cost.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What the army is called.")] = "",
    system: SystemOption = None,
    base: Annotated[
        list[str] | None, typer.Option("--base", metavar="NAME=MM", help="As for `import`.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the army: .yaml, or .rosz for builders."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Build an army from a catalogue, with every limit checked.

    What must be there and wasn't chosen is taken and told. Each limit that isn't kept is an error:
    the command exits with 3, and writes nothing.
    """
    bases = bases_of(base or [])
    chosen = [*(choices or []), *(_lines(listed) if listed else [])]
    if not chosen:
        raise WarledgerError("muster", "nothing chosen; name units, or a file with --list")
    read = [read_choice(text) for text in chosen]
    imported = muster_choices(
        open_catalogue(catalogue, system),
        read,
        "red",
        name=name,
        points=points,
        bases=bases,
    )
    check_bases(bases, imported)
    if as_json:
        entries = imported.report.entries
        print_json({"playable": imported.playable, "army": imported.army, "report": entries})
    else:
        for part in (*army_lines(imported.army), *import_lines(imported)):
            out().print(part)
    if not imported.playable:
        raise typer.Exit(NOT_PLAYABLE)
    if file:
        write_army(imported.army, file, format_of(file))


def format_of(file: Path) -> ArmyFormat:
    """Return the format that a file's name asks for. Raises WarledgerError for another name."""
    suffixes = {".yaml": ArmyFormat.yaml, ".yml": ArmyFormat.yaml, ".rosz": ArmyFormat.battlescribe}
    if (suffix := file.suffix.lower()) not in suffixes:
        raise WarledgerError(file.name, f"{suffix or 'no suffix'}; an army is .yaml or .rosz")
    return suffixes[suffix]


def army_bytes(army: Army, form: ArmyFormat) -> bytes:
    """Return an army as a file of one format. Raises RosterError if the format can't hold it."""
    if form is ArmyFormat.battlescribe:
        return to_battlescribe(army)
    return army_to_yaml(army).encode()


def write_army(army: Army, file: Path, form: ArmyFormat) -> None:
    """Write an army to a file, and say so. Raises WarledgerError where that can't be done."""
    data = army_bytes(army, form)
    try:
        file.write_bytes(data)
    except OSError as error:
        raise WarledgerError(str(file), f"can't be written: {error.strerror}") from error
    out().print(f"written: {escape(str(file))}, {form.value}, {counted(len(army.units), 'unit')}")


def _lines(file: Path) -> list[str]:
    """Return the choices of a list file."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise WarledgerError(file.name, f"can't be read: {why_unread(error)}") from error
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def _summary(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "kind": option.kind,
        "is_unit": option.is_unit,
        "points_from": points_text(least_cost(option)),
        "limits": [str(limit) for limit in option.limits],
        "choice": str(Choice(option.name)),
    }


def _branch(option: Option, above: Tree | None) -> Tree:
    """Add an option and all under it to a tree; returns its branch."""
    points = f", {points_text(option.cost)} points" if option.cost else ""
    limits = f" [dim]({', '.join(map(str, option.limits))})[/]" if option.limits else ""
    label = f"[bold]{escape(option.name)}[/] {option.kind}{points}{limits}"
    branch = Tree(label) if above is None else above.add(label)
    for line in option.lines:
        branch.add(f"{escape(line.name)}: {escape(_line_text(line))}", style="cyan")
    if option.rules:
        branch.add(f"rules: {escape(', '.join(option.rules))}", style="dim")
    for sentence in option.not_applied:
        branch.add(f"not applied: {escape(sentence)}", style="yellow")
    for below in option.options:
        if not below.hidden:
            _branch(below, branch)
    return branch


def _line_text(line: Line) -> str:
    """Return a profile's characteristics on one line; long words are left to the builder."""
    cells = (f"{name} {text or '-'}" for name, text in line.values if len(text) <= 60)
    return " ".join(cells) or line.kind


def _print_notes(catalogue: Catalogue) -> None:
    for note in catalogue.notes:
        out().print(f"warning: {note}", style="yellow", markup=False)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(catalogues, name="catalogue")
    app.command()(muster)
