"""Yes or no from a person, and moves of the head that the other player must agree to. [P8]"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from engine.game import Game
from engine.undo import asked_already, target_of
from events.base import Side, other
from events.history import UndoAsked
from events.questions import LinksNeeded
from projections.history import Node

Reader = Callable[[str], str | None]
"""Shows a prompt and returns the line typed; None at the end of input."""


def yes_or_no(read: Reader, question: str) -> bool | None:
    """Ask until the answer is y, yes, n or no; None at the end of input."""
    prompt = f"{question} y/n "
    while (line := read(prompt)) is not None:
        word = line.strip().lower()
        if word in ("y", "yes", "n", "no"):
            return word[0] == "y"
        prompt = f"{word!r} is neither; {question} y/n " if word else f"{question} y/n "
    return None


def consent(read: Reader, game: Game, asker: Side, step: int) -> bool | None:
    """Ask the other player to let the game go to a step; None at the end of input."""
    words = f"{other(asker)}, grant {asker} to go {way(game, step)}{known(game, asker)}?"
    return yes_or_no(read, words)


def known(game: Game, asker: Side) -> str:
    """Say where who asks to go elsewhere may know the dice he leaves: the other's link is out."""
    due = game.pending
    if not isinstance(due, LinksNeeded) or not due.link or asker not in due.waiting:
        return ""
    return f" ({other(asker)}'s link is shown: {asker} may know the dice)"


def way(game: Game, step: int) -> str:
    """Return where a step lies from here: ``back to step 8``, ``over to @12``."""
    target = target_of(game.history, step)
    behind = target in game.history.path()
    return f"back to step {step}" if behind else f"over to @{step}"


def check_answered(game: Game, asker: Side, step: int) -> None:
    """Raise UndoBarred where the other player's request waits for `asker`, who answers it first."""
    asked_already(game.history, UndoAsked(asker, step))


def answered(game: Game, side: Side, granted: bool, bot: bool = False) -> str:
    """Say who answered a request, and where the game stands then."""
    who = f"{side}'s bot" if bot else side
    return f"{who} {'grants it' if granted else 'refuses'}; the game stands at step {game.step}"


def lapsed(game: Game, request: UndoAsked | None) -> str:
    """Say of a request that was open before a move of the head that it is open no more, or ""."""
    if request is None or game.history.request is not None:
        return ""
    return f"what {request.by} asked, to go to step {request.to}, has lapsed"


def later(game: Game, asker: Side, step: int) -> str:
    """Say how the other player answers a request that was left open."""
    return (
        f"{asker} asks to go {way(game, step)}{known(game, asker)}; {other(asker)} answers by"
        f" warledger undo {shlex.quote(game.id)} --grant (or --refuse)"
    )


def waiting(game: Game, side: Side) -> str:
    """Say how to wait for a player who is elsewhere."""
    return (
        f"{side} is asked and plays elsewhere: Enter looks whether he has answered in this ledger;"
        f" to send him the game: warledger export {shlex.quote(game.id)} FILE, and his back:"
        f" warledger open FILE --side {other(side)}"
    )


def mover(game: Game, by: Side | None) -> Side:
    """Return who moves the head: the one named, else who took the last step."""
    return by or game.history.head.by or game.battle.clock.active


def behind(node: Node, start: Callable[[Node], Node], passed: Callable[[Node], bool]) -> Node:
    """Return where `start` (of an action, of a phase) leads, on past nodes that are `passed`.

    Raises UndoBarred at the first step.
    """
    node = start(node)
    while node.parent is not None and passed(node):
        node = start(node)
    return node
