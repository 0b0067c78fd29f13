"""``warledger timeline``, ``jump``, ``when``, ``compare``: look back, and change nothing."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from engine.game import Game
from events.errors import WarledgerError
from events.ledger import Ledger
from events.wording import counted
from projections.history import Node
from replay.changes import changes
from replay.compare import Branch, Comparison
from replay.compare import compare as compared
from replay.timeline import LANDMARKS, Timeline
from replay.words import answer_of, in_words, lines_of
from table.cli_history import step_number
from table.cli_look import AtOption, GameArgument, JsonOption
from table.setting import Setting, out, print_json
from table.show import clock_text

SHOWN = ("turn", "charge", "casualty", "failed test")
"""Landmarks that `timeline` lists when none is named."""
WIDEST = 100
"""Longest value of a field that is printed whole."""

_KINDS = f"{', '.join(LANDMARKS)}, or a unit's id"


def timeline(
    ctx: typer.Context,
    game: GameArgument,
    what: Annotated[list[str] | None, typer.Argument(metavar="[WHAT]...", help=_KINDS)] = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the landmarks on the way to a step: turns, charges, casualties, failed tests."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    line = Timeline(opened.history, at)
    found: dict[int, tuple[Node, list[str]]] = {}
    wanted = [_landmark(kind) for kind in what or SHOWN]
    rank = {id(event): n for n, (_, event) in enumerate(opened.history.facts(line.node))}
    marks = [pair for kind in wanted for pair in line.every(kind)]
    for node, event in sorted(marks, key=lambda pair: rank[id(pair[1])]):
        words = in_words(event)
        if words and words not in (said := found.setdefault(node.step, (node, []))[1]):
            said.append(words)
    if as_json:
        print_json([{"step": step, "facts": facts} for step, (_, facts) in found.items()])
        return
    console = out()
    for step, (node, facts) in found.items():
        console.print(f"{step:>5}  [bold]{clock_text(node.battle)}[/]")
        for fact in facts:
            console.print(f"       {escape(cut(fact))}")
    if not found:
        console.print(f"nothing of the kind: {escape(', '.join(wanted))}")


def _landmark(word: str) -> str:
    spaced = word.replace("-", " ")
    return spaced if spaced in LANDMARKS else word


def jump(
    ctx: typer.Context,
    game: GameArgument,
    what: Annotated[str, typer.Argument(metavar="WHAT", help=_KINDS)],
    start: Annotated[
        int | None,
        typer.Option("--from", metavar="STEP", help="Look from here; by default the first step."),
    ] = None,
    back: Annotated[
        bool, typer.Option("--back", help="The previous one; by default from where it stands.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Go to the next (or previous) landmark, and say what happened there."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    line = Timeline(opened.history)
    begin = start if start is not None else line.step if back else line.steps[0]
    line.seek(begin)
    node = line.jump(_landmark(what), backwards=back)
    if node is None:
        order = "before" if back else "after"
        raise WarledgerError(what, f"there is none {order} step {begin} on the line of play")
    if as_json:
        facts = list(lines_of(node.events[1:]))
        print_json({"step": node.step, "answer": answer_of(node), "facts": facts})
        return
    console = out()
    asked = node.parent.battle if node.parent is not None else node.battle
    who = f"{node.by} " if node.by else ""
    console.print(f"step {node.step}: {clock_text(asked)}, {who}{escape(answer_of(node))}")
    for words in lines_of(node.events[1:]):
        console.print(f"  {escape(words)}")
    console.print(f"[dim]show {escape(opened.id)} --at {node.step}; onward: --from {node.step}[/]")


def when(
    ctx: typer.Context,
    game: GameArgument,
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="A unit (boyz), a model (boyz.3) or a field (boyz.locked, score.red, clock).",
        ),
    ],
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say when a unit, a model or a field changed: the steps, the events, the rules behind."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        opened = setting.game(ledger, game)
    found = list(changes(opened.history, what, _node(opened, at)))
    if as_json:
        print_json(
            [{**change._asdict(), "event": in_words(change.event, True)} for change in found]
        )
        return
    console = out()
    step = 0
    for change in found:
        if change.step != step:
            step = change.step
            console.print(f"{step:>5}  [bold]{escape(change.answer)}[/]")
        ids = f" \\[{', '.join(change.ids)}]" if change.ids else ""
        console.print(
            f"       {escape(in_words(change.event, True)[:WIDEST])}"
            f"[cyan]{ids}[/] [dim]in {escape(change.rule or 'setup')}[/]"
        )
        for one in change.differences:
            console.print(f"         {escape(f'{one.field}: {cut(one.one)} -> {cut(one.two)}')}")
    if not found:
        console.print(f"{escape(what)} never changed")


def cut(text: str) -> str:
    """Return a value, cut where it is too long for a line."""
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 4]} ..."


def compare(
    ctx: typer.Context,
    one: Annotated[str, typer.Argument(metavar="GAME[@STEP]", help="By default where it stands.")],
    two: Annotated[
        str, typer.Argument(metavar="[GAME]@STEP", help="A step of the same game, or another game.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Compare two steps, two branches or two games: where they part, and how the battles differ."""
    setting: Setting = ctx.obj
    with setting.ledger() as ledger:
        first, left = _place(setting, ledger, one)
        second, right = (
            (first, _node(first, step_number(two)))
            if two.startswith("@")
            else _place(setting, ledger, two)
        )
    found = compared(first.history.path(left), second.history.path(right), (first.id, second.id))
    if as_json:
        print_json(found)
        return
    for line in _comparison(found):
        out().print(line)


def _place(setting: Setting, ledger: Ledger, word: str) -> tuple[Game, Node]:
    name, at, step = word.partition("@")
    if not name:
        raise WarledgerError("compare", f"{word!r} names no game: write GAME@STEP, such as demo@12")
    game = setting.game(ledger, name)
    return game, _node(game, step_number(step) if at else None)


def _node(game: Game, step: int | None) -> Node:
    if step is None:
        return game.history.head
    game.at(step)
    return game.history.nodes[step]


def _comparison(found: Comparison) -> list[str]:
    one, two = (escape(f"{branch.game}@{branch.step}") for branch in (found.one, found.two))
    if one == two:
        return [f"[bold]{one}[/] and [bold]{two}[/] are one and the same: nothing to compare"]
    lines = [f"[bold]{one}[/] and [bold]{two}[/] share {counted(found.shared, 'step')}"]
    lines += [f"  at creation, {escape(_text(d.field, d.one, d.two))}" for d in found.creation]
    if found.parting == "nowhere":
        lines.append("neither has a step that the other hasn't")
    else:
        lines.append(f"they part by: {found.parting}")
        if found.asked:
            lines.append(f"asked there: {escape(found.asked)}")
        for name, branch in ((one, found.one), (two, found.two)):
            lines += _branch(name, branch)
    if found.battle:
        lines.append(f"the battles differ in {counted(len(found.battle), 'field')} ({one} | {two})")
        lines += [f"  {escape(_text(d.field, d.one, d.two))}" for d in found.battle]
    else:
        lines.append("the battles are equal")
    return lines


def _branch(name: str, branch: Branch) -> list[str]:
    if not branch.choices:
        return [f"{name} ends there"]
    lines = [f"{name} goes on at step {branch.parts_at}, {counted(len(branch.choices), 'step')}:"]
    lines += [f"  {escape(cut(choice))}" for choice in branch.choices[:8]]
    if len(branch.choices) > 8:
        lines.append(f"  [dim]and {len(branch.choices) - 8} more[/]")
    if branch.facts:
        lines.append("  what followed the first:")
        lines += [f"    [dim]{escape(fact)}[/]" for fact in branch.facts[:12]]
    return lines


def _text(field: str, one: str, two: str) -> str:
    return f"{field}: {cut(one)} | {cut(two)}"


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (timeline, jump, when, compare):
        app.command()(command)
