"""``warledger play`` and ``resume``: bots, people at the keyboard, or one of each."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from engine.editions import EDITIONS
from engine.game import Game
from engine.notation import describe
from engine.tables import TABLES, table_named
from events.base import Side, other
from events.errors import DiceError, LedgerError, WarledgerError
from events.game import DiceAfterUndo, DiceMode, LinkRevealed, UndoPolicy
from events.ledger import Ledger
from events.wording import counted
from replay.report import battle_report
from replay.words import lines_of
from table.cli_import import BaseOption
from table.cli_look import GameArgument
from table.consent import later
from table.keyboard import Keyboard
from table.progress import TurnProgress
from table.seats import (
    BotKind,
    BotSeats,
    Seated,
    check_seats,
    due,
    last_seated,
    play_on,
    reveal_due,
    seat,
    seated,
    why_not,
)
from table.secrets import at_hand, committed, draw
from table.setting import Setting, aside, out
from table.show import clock_text, report_text
from table.storage import armies_of, bases_of, new_id

RedOption = Annotated[
    str, typer.Option(metavar="ROSTER", help="Red's army: a roster file or a bundled army.")
]
BlueOption = Annotated[
    str, typer.Option(metavar="ROSTER", help="Blue's army: a roster file or a bundled army.")
]
BotsOption = Annotated[BotSeats, typer.Option(help="Which sides bots play.")]
SecretOption = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE", help="A secret of this game that `warledger commit` drew."),
]
SideOption = Annotated[
    Side | None,
    typer.Option(
        help="The side you play here, where the other's player is elsewhere.", show_default=False
    ),
]
BotOption = Annotated[
    BotKind | None,
    typer.Option(
        help="The bots: one that goes for the nearest enemy, or any legal move; by default the"
        " first.",
        show_default=False,
    ),
]


def play(
    ctx: typer.Context,
    red: RedOption = "emberguard",
    blue: BlueOption = "ratskar",
    seed: Annotated[
        str | None, typer.Option(help="The same seed gives the same dice. Drawn if not given.")
    ] = None,
    bots: BotsOption = "none",
    bot: BotOption = None,
    side: SideOption = None,
    undo_policy: Annotated[
        UndoPolicy,
        typer.Option(
            help="How far a player may go back alone: until dice or an answer, or freely."
        ),
    ] = "until_revealed",
    dice: Annotated[
        DiceMode,
        typer.Option(
            help="Dice from the seed; rolled by you and typed in; or revealed by both players,"
            " link by link, so that nobody can know one ahead."
        ),
    ] = "seeded",
    commit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SIDE=FILE|DIGITS",
            help="For revealed dice: a side's secret (see `warledger commit`), or the 64 digits the"
            " other player sent (with --side they are needed). A secret is drawn for a side that"
            " isn't named.",
        ),
    ] = None,
    dice_after_undo: Annotated[
        DiceAfterUndo | None,
        typer.Option(
            help="Whether the same choice meets the same dice again: same, but fresh where dice are"
            " revealed.",
            show_default=False,
        ),
    ] = None,
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
    seats = seated(bots, bot or "aggressive")
    check_seats(seats, dice, side)
    _check_kind(bot, seats)
    army_red, army_blue, imports = armies_of(red, blue, bases_of(base or []))
    if commit and dice != "revealed":
        raise DiceError("--commit", "is for --dice revealed")
    name = secrets.token_hex(4) if game is None else new_id(game)
    if seed is not None and dice != "seeded":
        aside().print(f"[dim]--seed is for the bots alone: the dice are {dice}[/]")
    with setting.ledger(create=True) as ledger:
        if ledger.has(name):
            raise LedgerError(name, "a game with this id is in the ledger already")
        revealed = dice == "revealed"
        alone = side if side is not None and other(side) not in seats else None
        bound_by = committed(
            setting.target, name, commit or [], alone, begun=lambda: ledger.has(name)
        )
        with bound_by if revealed else nullcontext() as bound:
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
                commitments=bound[0] if bound else None,
                game=name,
            )
        names = f"{army_red.name} (red) against {army_blue.name} (blue)"
        out().print(f"game [bold]{escape(started.id)}[/]: {escape(names)}")
        for path in bound[1] if bound else ():
            aside().print(f"[dim]kept: {escape(str(path))}, without it its links can't be revealed")
        for roster, imported in zip((red, blue), imports, strict=True):
            noted = len(imported.report.entries)
            if noted:
                name = escape(imported.army.source.file)
                see = escape(f"warledger import {shlex.quote(roster)}")
                aside().print(f"[dim]{name}: {counted(noted, 'remark')}, see `{see}`[/]")
        _go_on(setting, ledger, started, seats, side)


def resume(
    ctx: typer.Context,
    game: GameArgument,
    bots: Annotated[
        BotSeats | None,
        typer.Option(
            help="Which sides bots play; by default those that they played.", show_default=False
        ),
    ] = None,
    bot: Annotated[
        BotKind | None,
        typer.Option(help="The bots; by default those there were.", show_default=False),
    ] = None,
    side: SideOption = None,
    secret: SecretOption = None,
) -> None:
    """Go on with a game where it was left. A side that a bot played last is played by it again."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        battle = opened.battle
        out().print(f"game [bold]{escape(opened.id)}[/], step {opened.step}: {clock_text(battle)}")
        check = escape(f"{setting.command} verify {shlex.quote(opened.id)}")
        aside().print(f"[dim]not verified yet: `{check}` plays it again[/]")
        seats = last_seated(ledger, opened) if bots is None else seated(bots, bot or "aggressive")
        if bots is None:
            seats = {one: bot or kind for one, kind in seats.items() if one != side}
            for one, kind in seats.items() if battle.outcome is None else ():
                aside().print(f"[dim]{one} is played by the {kind} bot: --bots none to take over")
        check_seats(seats, opened.created.dice, side)
        _check_kind(bot, seats)
        _go_on(setting, ledger, opened, seats, side, secret or [])


def _check_kind(bot: BotKind | None, seats: Seated) -> None:
    if bot is not None and not seats:
        raise WarledgerError(f"--bot {bot}", "no bot is seated; say which side by --bots")


def commit_to(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to keep the secret.")],
) -> None:
    """Draw a secret for one game with revealed dice, and print what to send the other player.

    The secret stays with you, in FILE. The 64 digits bind you to it and tell nobody a die.
    """
    out().print(draw(file).commitment)
    aside().print(
        f"[dim]the secret is in {escape(str(file))}; the digits go to the other player[/]"
    )


def reveal(
    ctx: typer.Context,
    game: GameArgument,
    secret: SecretOption = None,
    side: SideOption = None,
) -> None:
    """Reveal the links that a game waits for, as far as their secrets are here."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        agreed = opened.created.commitments
        if agreed is None:
            raise DiceError(
                "reveal", f"the dice of {opened.id} are {opened.created.dice}: no links"
            )
        hand = at_hand(setting.target, opened.id, agreed, secret or [], side)
        request = opened.history.request
        if request is not None:
            raise WarledgerError("reveal", later(opened, request.by, request.to))
        before, shown = opened.history.head, False
        while hand is not None and reveal_due(opened, hand) is not None:
            shown = True
        for node in opened.history.path():
            if node.depth > before.depth:
                if isinstance(node.events[0], LinkRevealed):
                    out().print(f"{node.by} has revealed its link")
                for words in lines_of(node.events[1:]):
                    out().print(f"  {escape(words)}", style="dim")
        reasons = [] if hand is None else why_not(opened, hand, side)
        if hand is not None and not shown and any(side in hand.secrets for side in due(opened)):
            raise DiceError("reveal", "; ".join(reasons))
        for reason in reasons:
            aside().print(f"[dim]{escape(reason)}[/]")
        question = opened.pending
        if question is None:
            out().print("the game is over")
        else:
            out().print(escape(describe(question, opened.battle)))


def _go_on(
    setting: Setting,
    ledger: Ledger,
    game: Game,
    seats: Seated,
    here: Side | None,
    secret: Sequence[str] = (),
) -> None:
    """Play on from where a game stands, and say how it stands when that ends."""
    bots = seat(game, seats)
    alone = here if here is not None and other(here) not in seats else None
    hand = at_hand(setting.target, game.id, game.created.commitments, secret, alone)
    people = None if len(bots) == 2 else Keyboard(out(), bots, hand, here)
    options = f" --side {here}" if here is not None else ""
    options += "".join(f" --secret {shlex.quote(file)}" for file in secret)
    with TurnProgress(game, shown=people is None) as progress, setting.guarding(game, options):
        over = play_on(game, bots, people, progress, hand)
    console = out()
    if over:
        for line in report_text(battle_report(game.history)):
            console.print(line)
        console.print(
            f"verify it with: {escape(f'{setting.command} verify {shlex.quote(game.id)}')}"
        )
    else:
        again = f"{setting.command} resume {shlex.quote(game.id)}"
        if last_seated(ledger, game) != seats:  # a bot that has not answered yet is on no row
            side, kind = next(iter(seats.items()), ("none", ""))
            again += f" --bots {side}" + (f" --bot {kind}" if kind == "random" else "")
        console.print(f"saved at step {game.step}; go on with: {escape(again + options)}")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(play)
    app.command()(resume)
    app.command("commit")(commit_to)
    app.command()(reveal)
