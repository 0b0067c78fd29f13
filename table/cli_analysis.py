"""``warledger analyse`` and ``odds``: what games came to, what a choice may come to."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from replay.analysis import analyse
from replay.analysis.many import season
from replay.analysis.parquet import Analysed, write_parquet
from table.cli_look import JsonOption
from table.setting import Setting, out, print_json
from table.show_analysis import analysis_text, season_text

GamesArgument = Annotated[
    list[str], typer.Argument(metavar="GAME...", help="Games' ids, or the beginnings of them.")
]


def analyse_games(
    ctx: typer.Context,
    game: GamesArgument,
    parquet: Annotated[
        Path | None,
        typer.Option("--parquet", metavar="DIR", help="Write events, rolls and steps as Parquet."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a game came to: damage, points, luck, turning points, time; or several together."""
    setting: Setting = ctx.obj
    games: list[Analysed] = []
    with setting.ledger() as ledger:
        opened = {found.id: found for name in game for found in (setting.game(ledger, name),)}
        for one in opened.values():
            analysed = analyse(one.history, ledger.read(one.id), one.id)
            games.append(Analysed(one.history, analysed))
    if parquet is not None:
        for path in write_parquet(games, parquet):
            out().print(f"written: {path}")
        return
    analyses = [one.analysis for one in games]
    if as_json:
        print_json(plain(analyses[0] if len(analyses) == 1 else season(analyses)))
        return
    text = analysis_text(analyses[0]) if len(analyses) == 1 else season_text(season(analyses))
    for part in text:
        out().print(part)


def plain(value: Any) -> Any:
    """Return a value as JSON holds it; exact fractions become decimals of six places."""
    return msgspec.to_builtins(value, enc_hook=_decimal)


def _decimal(value: Any) -> float:
    assert isinstance(value, Fraction)
    return round(float(value), 6)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("analyse")(analyse_games)
