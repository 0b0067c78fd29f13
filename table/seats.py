"""Who plays which side: bots in their seats, people at the keyboard, and the loop over both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from engine.bots import AggressiveBot, Bot, RandomBot
from engine.game import Game
from events.base import Side
from events.errors import DiceError, WarledgerError
from events.game import Chosen, DiceMode
from events.questions import RollNeeded
from projections.history import Node
from replay.words import brief
from table.logging import logger

BotSeats = Literal["both", "red", "blue", "none"]
BotKind = Literal["aggressive", "random"]

Bots = dict[Side, Bot]


class People(Protocol):
    """Whoever answers what no bot does."""

    def answer(self, game: Game) -> bool:
        """Do one thing about the open question; False to stop playing."""
        ...


def check_seats(seats: BotSeats, dice: DiceMode) -> None:
    """Raise DiceError where bots alone would have to roll dice that people must enter."""
    if seats == "both" and dice == "entered":
        raise DiceError(
            "--bots both", "this game's dice are rolled and entered by people; seat one or no bot"
        )


def seat(game: Game, seats: BotSeats, kind: BotKind) -> Bots:
    """Return the bots of a game, keyed by side. They draw from the game's own seed. [P10]

    Raises DiceError as `check_seats` does.
    """
    check_seats(seats, game.created.dice)
    made = AggressiveBot if kind == "aggressive" else RandomBot
    sides: tuple[Side, ...] = ("red", "blue")
    return {side: made(game.created.seed) for side in sides if seats in ("both", side)}


def play_on(
    game: Game,
    bots: Bots,
    people: People | None = None,
    progress: Callable[[Game], None] | None = None,
) -> bool:
    """Play until the game is over or the people stop; return whether it is over.

    Every step is stored before the next is asked for.
    """
    log = logger(game=game.id)
    while game.battle.outcome is None:
        question = game.pending
        assert question is not None
        bot = bots.get(question.player)
        if bot is not None and not isinstance(question, RollNeeded):
            log_step(log, game.play(bot.choose(game)), "bot")
        elif people is None:
            raise WarledgerError("play", f"nobody sits at the table for {question.player}")
        elif not people.answer(game):
            return False
        if progress is not None:
            progress(game)
    return True


def log_step(log: object, node: Node, actor: str) -> None:
    """Log one line about a step just played."""
    first = node.events[0]
    what = brief(first.choice) if isinstance(first, Chosen) else "dice"
    log.info(  # type: ignore[attr-defined]
        "step", n=node.step, by=node.by, actor=actor, choice=what, events=len(node.events)
    )
