"""``warledger demo``: a whole battle of bots, stored, reopened, verified and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.game import Game
from events.errors import WarledgerError
from events.ledger import Ledger
from replay.picture import table_svg
from replay.report import battle_report
from replay.verify import Verdict
from table.cli_look import write_file
from table.cli_play import BlueOption, RedOption
from table.cli_verify import CODES, checked, verdict_text
from table.progress import TurnProgress
from table.seats import play_on, seat, seated
from table.setting import Setting, out
from table.show import report_text
from table.storage import armies_of

GAME = "demo"


def demo(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Option("--out", help="Where the files go.")] = Path("demo-out"),
    red: RedOption = "vigilants",
    blue: BlueOption = "thornkin",
    seed: Annotated[str, typer.Option(help="Another seed gives another battle.")] = "demo",
) -> None:
    """Let two bots fight a battle of two armies of 1,500 points, and check it.

    The game is stored in DIR/demo.sqlite, reopened from there, executed again and compared; the
    table at its end is drawn to DIR/demo.svg.
    """
    setting: Setting = ctx.obj
    army_red, army_blue, _ = armies_of(red, blue)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        store = folder / "demo.sqlite"
        for old in folder.glob("demo.sqlite*"):
            old.unlink()
    except OSError as error:
        raise WarledgerError(str(folder), f"can't be written: {error.strerror}") from error
    console = out()
    console.print(f"a battle of bots, seed {seed!r}", markup=False)
    with Ledger.sqlite(store) as ledger:
        game = Game.create(ledger, red=army_red, blue=army_blue, seed=seed, game=GAME)
        with TurnProgress(game) as progress, setting.guarding(game):
            play_on(game, seat(game, seated("both", "aggressive")), progress=progress)
    with Ledger.sqlite(store, create=False) as ledger:
        game = Game.open(ledger, GAME)
        report = checked(ledger, GAME)
    lines = list(report_text(battle_report(game.history)))
    for line in lines:
        console.print(line)
    console.print()
    console.print(verdict_text(report))
    svg = folder / "demo.svg"
    write_file(svg, table_svg(game.battle, title=f"{army_red.name} against {army_blue.name}"))
    console.print(f"stored in {store}, drawn to {svg}", markup=False)
    console.print(
        f"look at it: warledger --ledger {store} log {GAME}   (or show, map, verify)",
        markup=False,
    )
    if report.verdict is not Verdict.EXACT:
        raise typer.Exit(CODES[report.verdict])


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)
