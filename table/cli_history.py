"""``warledger undo`` and ``redo``: move a stored game's head. Nothing is ever deleted."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from engine.undo import UndoBarred
from events.base import Side, other
from table.cli_look import GameArgument
from table.setting import Setting, aside, out
from table.show import clock_text

ByOption = Annotated[
    Side | None, typer.Option(help="Who does it; by default who took the step.", show_default=False)
]


def undo(
    ctx: typer.Context,
    game: GameArgument,
    to: Annotated[int | None, typer.Option(metavar="STEP", help="Back to this step.")] = None,
    by: ByOption = None,
    agreed: Annotated[
        bool, typer.Option("--agreed", help="The other player has agreed; don't ask.")
    ] = False,
) -> None:
    """Take back the last step, or all after STEP.

    Where the game's undo policy needs the other player's consent he is asked here; the question,
    and his answer, are in the log. Without an answer nothing is written.
    """
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        try:
            opened.undo(by=by, to=to)
        except UndoBarred as barred:
            head = opened.history.head
            if opened.created.undo == "none" or head.parent is None:
                raise
            target = head.parent.step if to is None else to
            asker = by or head.by or opened.battle.clock.active
            if target not in {node.step for node in opened.history.path()[:-1]}:
                raise
            if not agreed:
                aside().print(escape(barred.reason))
            granted = agreed or _ask(other(asker), asker, target)
            if granted is None:
                raise
            opened.ask_undo(target, by=asker)
            if not granted:
                opened.refuse_undo()
                out().print(f"refused; the game stands at step {opened.step}")
                raise typer.Exit(1) from None
            opened.grant_undo()
        out().print(f"the game stands at step {opened.step}: {clock_text(opened.battle)}")


def _ask(asked: Side, asker: Side, step: int) -> bool | None:
    """Ask the other player; None at end of input."""
    try:
        answer = input(f"{asked}, grant {asker} to go back to step {step}? y/n ")
    except EOFError:
        return None
    return answer.strip().lower().startswith("y")


def redo(ctx: typer.Context, game: GameArgument, by: ByOption = None) -> None:
    """Go forward to the step most recently undone."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        opened.redo(by=by)
        out().print(f"the game stands at step {opened.step}: {clock_text(opened.battle)}")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(undo)
    app.command()(redo)
