"""``warledger play`` and ``resume``: bots, people at the keyboard, or one of each."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer
from rich.markup import escape

from engine.editions import EDITIONS
from engine.game import Game
from engine.tables import TABLES, table_named
from events.game import DiceAfterUndo, DiceMode, UndoPolicy
from events.ledger import Ledger
from replay.report import battle_report
from table.cli_import import BaseOption
from table.keyboard import Keyboard
from table.progress import TurnProgress
from table.seats import (
    BotKind,
    BotSeats,
    Seated,
    check_seats,
    last_seated,
    play_on,
    seat,
    seated,
)
from table.setting import Setting, aside, out
from table.show import clock_text, report_text
from table.storage import armies_of, bases_of

RedOption = Annotated[
    str, typer.Option(metavar="ROSTER", help="Red's army: a roster file or a bundled army.")
]
BlueOption = Annotated[
    str, typer.Option(metavar="ROSTER", help="Blue's army: a roster file or a bundled army.")
]
BotsOption = Annotated[BotSeats, typer.Option(help="Which sides bots play.")]
BotOption = Annotated[
    BotKind, typer.Option(help="The bots: one that goes for the nearest enemy, or any legal move.")
]


def play(
    ctx: typer.Context,
    red: RedOption = "emberguard",
    blue: BlueOption = "ratskar",
    seed: Annotated[
        str | None, typer.Option(help="The same seed gives the same dice. Drawn if not given.")
    ] = None,
    bots: BotsOption = "none",
    bot: BotOption = "aggressive",
    undo_policy: Annotated[
        UndoPolicy,
        typer.Option(
            help="How far a player may go back alone: until dice or an answer, or freely."
        ),
    ] = "until_revealed",
    dice: Annotated[
        DiceMode, typer.Option(help="Dice from the seed, or rolled by you and typed in.")
    ] = "seeded",
    dice_after_undo: Annotated[
        DiceAfterUndo, typer.Option(help="Whether the same choice meets the same dice again.")
    ] = "same",
    table: Annotated[
        str, typer.Option(metavar="NAME", help=f"The table: {' or '.join(TABLES)}.")
    ] = "open",
    ruleset: Annotated[
        str, typer.Option(metavar="NAME", help=f"The edition: {' or '.join(EDITIONS)}.")
    ] = "40k-7e",
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="The game's id. Drawn if not given.")
    ] = None,
    base: BaseOption = None,
) -> None:
    """Start a game. With bots on both sides it is played to the end.

    People answer at the keyboard in the notation (`help` there lists the words). Every step is
    stored before the next question, so a game can be left at any time and taken up by `resume`.
    """
    setting: Setting = ctx.obj
    seats = seated(bots, bot)
    check_seats(seats, dice)
    army_red, army_blue, imports = armies_of(red, blue, bases_of(base or []))
    with setting.ledger(create=True) as ledger:
        started = Game.create(
            ledger,
            red=army_red,
            blue=army_blue,
            ruleset=ruleset,
            seed=seed,
            table=table_named(table),
            dice=dice,
            undo=undo_policy,
            dice_after_undo=dice_after_undo,
            game=game,
        )
        names = f"{army_red.name} (red) against {army_blue.name} (blue)"
        out().print(f"game [bold]{escape(started.id)}[/]: {escape(names)}")
        for roster, imported in zip((red, blue), imports, strict=True):
            noted = len(imported.report.entries)
            if noted:
                name = escape(imported.army.source.file)
                see = escape(f"warledger import {shlex.quote(roster)}")
                aside().print(f"[dim]{name}: {noted} remarks, see `{see}`[/]")
        _go_on(setting, ledger, started, seats)


def resume(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME")],
    bots: Annotated[
        BotSeats | None,
        typer.Option(
            help="Which sides bots play; by default those that they played.", show_default=False
        ),
    ] = None,
    bot: Annotated[
        BotKind | None, typer.Option(help="The bots; by default those there were.")
    ] = None,
) -> None:
    """Go on with a game where it was left. A side that a bot played last is played by it again."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        battle = opened.battle
        out().print(f"game [bold]{escape(opened.id)}[/], step {opened.step}: {clock_text(battle)}")
        aside().print("[dim]UNVERIFIED: the chain holds; `warledger verify` plays it again[/]")
        seats = last_seated(ledger, opened) if bots is None else seated(bots, bot or "aggressive")
        if bots is None:
            seats = {side: bot or kind for side, kind in seats.items()}
            for side, kind in seats.items():
                aside().print(f"[dim]{side} is played by the {kind} bot: --bots none to take over")
        _go_on(setting, ledger, opened, seats)


def _go_on(setting: Setting, ledger: Ledger, game: Game, seats: Seated) -> None:
    """Play on from where a game stands, and say how it stands when that ends."""
    bots = seat(game, seats)
    people = None if len(bots) == 2 else Keyboard(out(), bots)
    with TurnProgress(game, shown=people is None) as progress, setting.guarding(game):
        over = play_on(game, bots, people, progress)
    console = out()
    if over:
        for line in report_text(battle_report(game.history)):
            console.print(line)
        console.print(f"verify it with: warledger verify {escape(game.id)}")
    else:
        again = f"warledger resume {game.id}"
        if last_seated(ledger, game) != seats:  # a bot that has not answered yet is on no row
            side, kind = next(iter(seats.items()), ("none", ""))
            again += f" --bots {side}" + (f" --bot {kind}" if kind == "random" else "")
        console.print(f"saved at step {game.step}; go on with: {escape(again)}")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(play)
    app.command()(resume)
