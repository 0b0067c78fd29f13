"""``warledger analyse`` and ``odds``: what games came to, what a choice may come to."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape

from engine.answers import legal
from engine.dice_agreed import DICE_DUE
from engine.notation import resolve, write
from engine.sequence import RULESETS
from events.errors import WarledgerError
from events.wording import counted
from replay.analysis import analyse
from replay.analysis.many import season
from replay.analysis.parquet import Analysed, write_parquet
from replay.odds import SAMPLES, Odds, Until, odds
from replay.page import page_html
from table.cli_look import AtOption, GameArgument, JsonOption, write_file
from table.cli_verify import progress_bar
from table.setting import Setting, aside, out, print_json
from table.show_analysis import analysis_text, season_text
from table.show_odds import odds_table, odds_text

MOST_CHOICES = 12
"""How many of the choices on offer are weighed where none is named."""

GamesArgument = Annotated[
    list[str], typer.Argument(metavar="GAME...", help="Games' ids, or the beginnings of them.")
]


def analyse_games(
    ctx: typer.Context,
    game: GamesArgument,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.html", help="Write one game as a page."),
    ] = None,
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
    if output is not None and len(games) > 1:
        raise WarledgerError("--output", f"a page shows one game; here are {len(games)}")
    written = write_parquet(games, parquet) if parquet is not None else []
    if output is not None:
        write_file(output, page_html(*games[0]))
        written.append(output)
    for path in written:
        out().print(f"written: {escape(str(path))}")
    if written:
        return
    analyses = [one.analysis for one in games]
    if as_json:
        print_json(plain(analyses[0] if len(analyses) == 1 else season(analyses)))
        return
    text = analysis_text(analyses[0]) if len(analyses) == 1 else season_text(season(analyses))
    for part in text:
        out().print(part)


def odds_of_choices(
    ctx: typer.Context,
    game: GameArgument,
    choice: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CHOICE]...", help="Choices in the notation; by default those on offer."
        ),
    ] = None,
    at: AtOption = None,
    until: Annotated[Until, typer.Option("--until", help="Follow a choice this far.")] = "action",
    samples: Annotated[
        int, typer.Option("--samples", min=2, help="How often, where not every way is walked.")
    ] = SAMPLES,
    as_json: JsonOption = False,
) -> None:
    """Say what choices may come to: exact odds or sampled ones. The game is left as it is.

    To follow choices to the end of a phase or a turn can take minutes. Ctrl-C ends it with what
    there is: the samples so far, with the interval that they allow.
    """
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    battle = opened.battle if at is None else opened.at(at)
    if isinstance(battle.question, DICE_DUE):
        choices = []  # a choice was made, and its dice are due
    elif choice:
        choices = [resolve(line, battle) for line in choice]
    else:
        answers = RULESETS[opened.created.ruleset].answers
        choices = legal(answers, battle)[:MOST_CHOICES]
    if not choices:
        raise WarledgerError(opened.id, "nothing is to be decided there")
    found: list[Odds] = []
    for one in choices:
        try:
            with progress_bar(write(one)) as moved:
                found.append(odds(opened, one, at=at, until=until, samples=samples, progress=moved))
        except KeyboardInterrupt:
            if not found:
                raise
            break
        if found[-1].runs < found[-1].wanted:
            break
    if len(found) < len(choices):
        aside().print(f"stopped: {len(found)} of {counted(len(choices), 'choice')} followed")
    if as_json:
        print_json(plain(found))
        return
    if len(found) == 1:
        for part in odds_text(found[0]):
            out().print(part)
    else:
        out().print(odds_table(found))


def plain(value: Any) -> Any:
    """Return a value as JSON holds it; exact fractions become decimals of six places."""
    return msgspec.to_builtins(value, enc_hook=_decimal)


def _decimal(value: Any) -> float:
    assert isinstance(value, Fraction)
    return round(float(value), 6)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("analyse")(analyse_games)
    app.command("odds")(odds_of_choices)
