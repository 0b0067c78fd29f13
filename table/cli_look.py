"""``warledger games``, ``log``, ``show``, ``map``, ``battle-report``: look, and change nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.text import Text

from engine.game import Game
from engine.notation import describe
from events.errors import WarledgerError
from replay.report import battle_report
from table.game_log import log_entries, log_lines
from table.setting import Setting, out, print_json
from table.show import (
    armies_text,
    clock_text,
    games_table,
    origin_text,
    picture,
    report_text,
    said,
    unit_facts,
    units_table,
)
from table.storage import default_ledger, open_game
from table.text_map import text_map

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's id, or the beginning of it.")
]
AtOption = Annotated[
    int | None, typer.Option("--at", metavar="STEP", help="At this step; by default now.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def games(ctx: typer.Context, as_json: JsonOption = False) -> None:
    """List the games of the ledger. Exits with 1 where one, or their index, can't be read."""
    setting: Setting = ctx.obj
    found: dict[str, tuple[int, Game]] = {}
    broken: dict[str, str] = {}
    faults: tuple[str, ...] = ()
    if setting.target or default_ledger().exists():
        with setting.ledger() as ledger:
            held, faults = ledger.survey()
            for name, steps in held.items():
                try:
                    found[name] = steps, open_game(ledger, name, setting.command)
                except WarledgerError as error:
                    broken[name] = str(error)
    if as_json:
        listed: list[dict[str, object]] = [
            {
                "game": name,
                "steps": steps,
                "armies": [army.name for army in opened.battle.armies],
                "turn": opened.battle.clock.game_turn,
                "active": opened.battle.clock.active,
                "phase": opened.battle.clock.phase,
                "winner": opened.battle.outcome.winner if opened.battle.outcome else None,
                "over": opened.battle.outcome is not None,
                "forked_from": origin_text(opened) or None,
            }
            for name, (steps, opened) in found.items()
        ]
        listed += [{"game": name, "error": reason} for name, reason in broken.items()]
        listed += [{"game": None, "error": f"index of games: {fault}"} for fault in faults]
        print_json(listed)
    else:
        console = out()
        if found:
            console.print(games_table(found))
        elif not broken and not faults:
            console.print("no games yet; `warledger play` starts one")
        for name, reason in broken.items():
            console.print(f"[red]{escape(name)}: {escape(reason)}[/]")
        for fault in faults:
            console.print(f"[red]index of games: {escape(fault)}[/]")
    if broken or faults:
        raise typer.Exit(1)


def log(
    ctx: typer.Context,
    game: GameArgument,
    as_json: JsonOption = False,
    everything: Annotated[
        bool, typer.Option("--all", help="With bookkeeping, and the facts of undone steps.")
    ] = False,
) -> None:
    """Print every step: when, who, the choice, what followed; undone steps and undo marks too."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    if as_json:
        print_json(list(log_entries(opened.history, everything)))
        return
    console = out()
    for line in log_lines(opened.history, everything):
        console.print(line)


def show(
    ctx: typer.Context, game: GameArgument, at: AtOption = None, as_json: JsonOption = False
) -> None:
    """Show the battle at a step: units, models left, places, what hinders them, question, score."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    step = opened.step if at is None else at
    battle = opened.at(step)
    question = describe(battle.question, battle) if battle.question is not None else ""
    if as_json:
        print_json(
            {
                "game": opened.id,
                "step": step,
                "clock": battle.clock,
                "score": battle.score,
                "outcome": battle.outcome,
                "question": battle.question,
                "asks": question,
                "units": [unit_facts(battle, unit) for unit in battle.units],
            }
        )
        return
    console = out()
    score = f"{said('red')} {battle.score.red} : {battle.score.blue} {said('blue')}"
    console.print(
        f"[bold]{escape(opened.id)}[/] {escape(armies_text(battle))}, step {step}:"
        f" {clock_text(battle)}, points {score}"
    )
    console.print(units_table(battle))
    if question:
        console.print(escape(question))


def map_table(
    ctx: typer.Context,
    game: GameArgument,
    at: AtOption = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE.svg", help='Write a picture; "-" prints it.'),
    ] = "",
    plain: Annotated[
        bool, typer.Option("--plain", help="Characters without colour, also in a terminal.")
    ] = False,
) -> None:
    """Draw the table at a step, as characters or with -o as a picture (SVG).

    Red's units are capitals, blue's small letters; what the signs of the ground mean stands below.
    The picture shows where the models of that step came from.
    """
    setting: Setting = ctx.obj
    if output not in ("", "-") and Path(output).suffix.lower() != ".svg":
        raise WarledgerError(output, "a picture is written as SVG; name the file .svg")
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    step = opened.step if at is None else at
    battle = opened.at(step)
    if not output:
        drawn = f"{escape(opened.id)}, step {step}: {clock_text(battle)}\n{text_map(battle)}"
        out().print(Text.from_markup(drawn).plain if plain else drawn, markup=not plain)
        return
    svg = picture(opened, step)
    if output == "-":
        sys.stdout.write(svg)
    else:
        write_file(Path(output), svg)
        out().print(f"written: {escape(output)}")


def report(ctx: typer.Context, game: GameArgument, as_json: JsonOption = False) -> None:
    """Print the battle report: turn by turn casualties, charges, Morale; result and dice luck."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    made = battle_report(opened.history)
    if as_json:
        print_json(made)
        return
    console = out()
    for line in report_text(made):
        console.print(line)


def write_file(path: Path, text: str) -> None:
    """Write a text file. Raises WarledgerError where that fails."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise WarledgerError(str(path), f"can't be written: {error.strerror}") from error


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(games)
    app.command()(log)
    app.command()(show)
    app.command("map")(map_table)
    app.command("battle-report")(report)
