"""``warledger export`` and ``open``: a game as one file, out and in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from engine.game import Game
from events.base import Side
from events.errors import WarledgerError
from events.ledger import Ledger
from events.wording import counted
from replay import exchange
from replay.exchange import Admission
from replay.news import News, agreed_text, news
from replay.verify import Verdict
from table.cli_armies import ArmyFormat, write_army
from table.cli_look import GameArgument, JsonOption
from table.cli_verify import CODES, progress_bar, verdict_text
from table.setting import Setting, out, print_json
from table.show import armies_text, clock_text, units_table
from table.storage import army_of, game_id, rescue_named


def export(
    ctx: typer.Context,
    game: GameArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to, e.g. battle.wl.")],
    form: Annotated[
        ArmyFormat | None,
        typer.Option(
            "--as", help="Write an army instead: GAME is then a roster or a bundled army."
        ),
    ] = None,
    sound: Annotated[
        bool,
        typer.Option("--sound", help="Of a damaged game: only the steps before the first fault."),
    ] = False,
) -> None:
    """Write a game to one file: JSON lines, packed by gzip, with its chain digest at the end.

    A game that is damaged somewhere is refused; with --sound the steps before that are written,
    and the file, opened in another ledger, goes on from there.
    With --as battlescribe or --as yaml it writes an army, for the army builders or by hand.
    """
    if form is not None:
        if sound:
            raise WarledgerError("--sound", "it is for a game; an army is written by --as alone")
        write_army(army_of(game, "red").army, file, form)
        return
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        name = game_id(ledger, game)
        if sound:
            trailer, rows = exchange.export_sound(ledger, name, file)
        else:
            with rescue_named(ledger, name, setting.command):
                trailer = exchange.export(ledger, name, file)
            rows = trailer.steps
    out().print(
        f"written: {escape(str(file))}, {counted(trailer.steps, 'step')}, head {trailer.chain}"
    )
    if trailer.steps < rows:
        left = counted(rows - trailer.steps, "step")
        why = escape(f"`{setting.command} verify {shlex.quote(name)}` says why")
        onward = escape(f"warledger --ledger NEW.sqlite open {shlex.quote(str(file))}")
        out().print(f"{left} from step {trailer.steps + 1} on left out: {why}")
        out().print(f"go on in another ledger: {onward}")


def open_file(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `export` wrote.")],
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Verify it and look; store nothing.")
    ] = False,
    side: Annotated[
        Side | None,
        typer.Option(
            help="The side you play: what was answered for it in the file is pointed out.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Verify a game's file and take it into the ledger: the whole game, or the steps that are new.

    Its game is executed again first. Only if all is EXACT is it stored, under its own id; else it
    is refused with the verdict, and --read-only shows as much of it as holds. Exits like `verify`.
    Players who are apart play on in turn: each opens the file that the other exported.
    """
    setting: Setting = ctx.obj
    parcel = exchange.read(file)
    admission, here, game = None, 0, None
    with progress_bar(f"verifying {parcel.header.game}") as moved:
        if read_only:
            report = exchange.check(parcel, moved)
        else:
            with setting.ledger(create=True) as ledger:
                report, admission, here = exchange.admit(ledger, parcel, moved)
                if admission in (Admission.ADOPTED, Admission.TAKEN_UP):
                    game = setting.game(ledger, parcel.header.game)
    found = None if game is None else news(game.history, here)
    if as_json:
        done = admission.value if admission is not None else "looked at"
        forked = () if game is None else tuple(game.history.origins.values())
        print_json(
            {
                "header": parcel.header,
                "report": report,
                "done": done,
                "answered": found.answered if found else {},
                "agreed": found.agreed if found else (),
                "forked_from": forked,
            }
        )
        raise typer.Exit(CODES[report.verdict])
    console = out()
    console.print(verdict_text(report))
    if admission is Admission.REFUSED:
        console.print("refused: nothing was stored; look at it with --read-only")
    elif admission is not None:
        name, last = escape(parcel.header.game), parcel.trailer.steps
        more = {
            Admission.TAKEN_UP: f", {counted(last - here, 'further step')} from step {here + 1}",
            Admission.PRESENT: f", up to step {last} of {here}" if last < here else "",
        }
        console.print(f"{admission.value}: game [bold]{name}[/]{more.get(admission, '')}")
        if game is not None and found is not None:
            for line in (*_forks(game), *_news(found, side, further=here > 0)):
                console.print(f"  {escape(line)}")
            again = f"{setting.command} resume {shlex.quote(game.id)}" + (
                f" --side {side}" if side else ""
            )
            console.print(
                f"it stands at step {game.step}: {clock_text(game.battle)};"
                f" go on with: {escape(again)}"
            )
    else:
        with Ledger.memory() as apart:
            seen = exchange.look(apart, parcel, report)
        how = "" if report.verdict is Verdict.EXACT else "; what follows is no fact"
        console.print(
            f"{escape(armies_text(seen.battle))}, step {seen.step}: {clock_text(seen.battle)}{how}"
        )
        for line in _forks(seen):
            console.print(f"  {escape(line)}")
        console.print(units_table(seen.battle))
        console.print("nothing was stored")
    raise typer.Exit(CODES[report.verdict])


def _forks(game: Game) -> list[str]:
    """Say of a fork what it was copied from: its dice ahead may be known to who made it."""
    return [
        f"a fork of {mark.game} at its step {mark.step}:"
        f" {counted(sum(step < n for step in game.history.nodes), 'step')} copied"
        for n, mark in game.history.origins.items()
    ]


def _news(found: News, side: Side | None, further: bool) -> list[str]:
    """Say who answered in steps that are new here, and what was agreed to in them.

    Of a whole game this is said only to a player, who names his side.
    """
    if not further and side is None:
        return []
    counts = [f"{len(steps)} by {by}" for by, steps in found.answered.items() if steps]
    lines = [f"answered in these steps: {', '.join(counts)}"] if counts else []
    own = found.answered[side] if side is not None else ()
    if own:
        verb = "is" if len(own) == 1 else "are"
        lines.append(
            f"{len(own)} of them {verb} {side}'s, whose table this is: {', '.join(map(str, own))}"
        )
    if found.agreed:
        lines.append(f"agreed in these steps: {agreed_text(found.agreed)}")
    return lines


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(export)
    app.command("open")(open_file)
