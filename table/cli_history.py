"""``warledger undo``, ``redo``, ``branches``, ``branch``, ``fork``: nothing is ever deleted."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated

import typer
from rich.markup import escape

from engine.game import Game
from engine.undo import UndoBarred, action_start, before, open_request, phase_start
from events.base import Side, other
from events.errors import WarledgerError
from projections.history import Node
from replay.branches import lines_of_play
from replay.fork import ancestry
from replay.fork import fork as forked_from
from table.cli_look import AtOption, GameArgument, JsonOption
from table.consent import answered, check_answered, consent, lapsed, later, mover
from table.setting import Setting, aside, out, print_json
from table.show import branches_table, clock_text
from table.storage import new_id

ByOption = Annotated[
    Side | None, typer.Option(help="Who does it; by default who took the step.", show_default=False)
]
ByOrAskedOption = Annotated[
    Side | None,
    typer.Option(
        help="Who does it; by default who took the step, or who was asked.", show_default=False
    ),
]

AgreedOption = Annotated[
    bool, typer.Option("--agreed", help="The other player has agreed; don't ask.")
]
AskOption = Annotated[
    bool,
    typer.Option("--ask", help="Leave the request in the game for the other player to answer."),
]


def undo(
    ctx: typer.Context,
    game: GameArgument,
    to: Annotated[int | None, typer.Option(metavar="STEP", help="Back to this step.")] = None,
    action: Annotated[
        bool, typer.Option("--action", help="The whole of the last action: a charge, a volley.")
    ] = False,
    phase: Annotated[
        bool, typer.Option("--phase", help="All answers in the phase of the last one.")
    ] = False,
    by: ByOrAskedOption = None,
    agreed: AgreedOption = False,
    ask: AskOption = False,
    grant: Annotated[bool, typer.Option("--grant", help="Grant the open request.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse the open request.")] = False,
) -> None:
    """Take back the last step, or all after STEP; an action or a phase as a whole.

    Where the game's undo policy needs the other player's consent he is asked here; the question,
    and his answer, are in the log. Without an answer nothing is written. With --ask only the
    question is, and he answers it later by --grant or --refuse; the next step lets it lapse.
    """
    if sum((to is not None, action, phase, grant, refuse)) > 1:
        raise WarledgerError("undo", "name one of --to, --action, --phase, --grant, --refuse")
    if sum((agreed, ask, grant, refuse)) > 1:
        raise WarledgerError("undo", "name one of --agreed, --ask, --grant, --refuse")
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        if grant or refuse:
            asked = other(open_request(opened.history).by)
            if grant:
                opened.grant_undo(by=by)
            else:
                opened.refuse_undo(by=by)
            out().print(f"{answered(opened, asked, grant)}: {clock_text(opened.battle)}")
            return
        head = opened.history.head
        if action:
            to = action_start(head).step
        elif phase:
            to = phase_start(head).step
        elif to is None:
            to = before(head).step
        if _moved(opened, lambda: opened.undo(by=by, to=to), to, by, agreed, ask):
            _say_where(opened)


def _moved(
    game: Game, move: Callable[[], Node], to: int, by: Side | None, agreed: bool, ask: bool
) -> bool:
    """Move the head, or ask for it where the policy bars it; False if it is only asked for now."""
    open_before = game.history.request
    try:
        move()
    except UndoBarred as barred:
        if not barred.consent:
            raise
        asker = mover(game, by)
        check_answered(game, asker, to)
        if not agreed:
            aside().print(escape(barred.reason))
        if ask:
            game.ask_undo(to, by=asker)
            out().print(escape(later(game, asker, to)))
            return False
        granted = agreed or consent(_read, game, asker, to)
        if granted is None:
            reason = f"{other(asker)} has not answered, so nothing is written; to leave the request"
            raise WarledgerError("undo", f"{reason} in the game: --ask") from None
        game.ask_undo(to, by=asker)
        if not granted:
            game.refuse_undo()
            out().print(answered(game, other(asker), granted=False))
            raise typer.Exit(1) from None
        game.grant_undo()
    else:
        if words := lapsed(game, open_before):
            out().print(words)
    return True


def _read(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None


def _say_where(game: Game) -> None:
    out().print(f"the game stands at step {game.step}: {clock_text(game.battle)}")


def redo(ctx: typer.Context, game: GameArgument, by: ByOption = None) -> None:
    """Go forward to the step most recently undone."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        opened.redo(by=by)
        _say_where(opened)


def branches(ctx: typer.Context, game: GameArgument, as_json: JsonOption = False) -> None:
    """List every line of play by its last step, undone ones too; and what the game was forked from.

    Look at one with `show GAME --at 412`, set it beside another with `compare GAME@412 @500`, take
    it up again with `branch GAME @412`.
    """
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        origins = ancestry(ledger, opened)
    lines = lines_of_play(opened.history)
    if as_json:
        print_json(
            {
                "game": opened.id,
                "step": opened.step,
                "branches": lines,
                "ancestry": [origin._asdict() for origin in origins],
            }
        )
        return
    console = out()
    console.print(f"[bold]{escape(opened.id)}[/] stands at step {opened.step}")
    console.print(branches_table(opened, lines))
    for origin in origins:
        console.print(
            f"forked from {escape(origin.game)} at its step {origin.step}:"
            f" steps 1 to {origin.own} here; {_STANDINGS[origin.standing]}"
        )


_STANDINGS = {
    "holds": "they are the same there",
    "not here": "that game is not in this ledger",
    "differs": "[bold red]that game has other steps[/]",
}


def branch(
    ctx: typer.Context,
    game: GameArgument,
    step: Annotated[str, typer.Argument(metavar="STEP", help="Its step: @412 or 412.")],
    by: ByOption = None,
    agreed: AgreedOption = False,
    ask: AskOption = False,
) -> None:
    """Take up another branch where it was left.

    The undo policy holds for what that leaves; where it bars it, the other player is asked as by
    `undo`, and a request left by --ask is answered by `undo GAME --grant` or --refuse.
    """
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
        to = step_number(step)
        if _moved(opened, lambda: opened.take_branch(to, by=by), to, by, agreed, ask):
            _say_where(opened)


def step_number(word: str) -> int:
    """Read a step such as ``@412``. Raises WarledgerError.

    >>> step_number("@412"), step_number("7")
    (412, 7)
    """
    digits = word.removeprefix("@")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 9:
        raise WarledgerError("step", f"{word!r} is not a step such as @412")
    return int(digits)


def fork(
    ctx: typer.Context,
    game: GameArgument,
    at: AtOption = None,
    new: Annotated[
        str | None, typer.Option("--game", metavar="ID", help="The new game's id, or drawn.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="A seed for the dice ahead; by default they stay the same.")
    ] = None,
    new_seed: Annotated[
        bool, typer.Option("--new-seed", help="Draw a seed for the dice ahead.")
    ] = False,
) -> None:
    """Start a new game from any step of another, on any branch. The other is left as it is."""
    setting: Setting = ctx.obj
    if new_seed and seed is not None:
        raise WarledgerError("fork", "name one of --seed, --new-seed: the second draws one")
    if new is not None:
        new_id(new)
    if new_seed:
        seed = secrets.token_hex(16)
    with setting.ledger() as ledger:
        source = setting.game(ledger, game)
        made = forked_from(ledger, source, at, game=new, seed=seed)
    step = source.step if at is None else at
    dice = "the same dice" if seed is None else "new dice"
    out().print(
        f"game [bold]{escape(made.id)}[/]: forked from {escape(source.id)} at step {step},"
        f" {dice} ahead; it stands at step {made.step}: {clock_text(made.battle)}"
    )


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (undo, redo, branches, branch, fork):
        app.command()(command)
