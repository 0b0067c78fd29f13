"""Who plays which side: bots in their seats, people at the keyboard, and the loop over both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from engine.bots import AggressiveBot, Bot, RandomBot
from engine.game import Game
from events.base import Side
from events.errors import DiceError, WarledgerError
from events.game import Chosen, DiceMode
from events.ledger import Ledger
from events.questions import RollNeeded
from events.steps import read_meta
from projections.history import Node
from replay.words import brief
from table.logging import logger

BotSeats = Literal["both", "red", "blue", "none"]
BotKind = Literal["aggressive", "random"]

SIDES: tuple[Side, ...] = ("red", "blue")

Bots = dict[Side, Bot]

Seated = dict[Side, BotKind]
"""Which sides bots play, and of which kind."""

_MADE: dict[BotKind, type[AggressiveBot | RandomBot]] = {
    "aggressive": AggressiveBot,
    "random": RandomBot,
}


class People(Protocol):
    """Whoever answers what no bot does."""

    def answer(self, game: Game) -> bool:
        """Do one thing about the open question; False to stop playing."""
        ...


def seated(seats: BotSeats, kind: BotKind) -> Seated:
    """Return which sides `--bots` and `--bot` name.

    >>> seated("blue", "random")
    {'blue': 'random'}
    """
    return {side: kind for side in SIDES if seats in ("both", side)}


def last_seated(ledger: Ledger, game: Game) -> Seated:
    """Return which sides a bot played last, by what the rows' metadata say. Reads the rows once.

    What was answered on an undone branch counts, too. A bot that isn't known here sits nowhere.
    """
    last: dict[Side, str] = {}
    for row in ledger.read(game.id):
        node = game.history.nodes.get(row.n)
        if node is not None and node.by is not None:
            last[node.by] = read_meta(row).bot
    return {side: kind for side in SIDES for kind in _MADE if last.get(side) == kind}


def check_seats(seats: Seated, dice: DiceMode) -> None:
    """Raise DiceError where bots alone would have to roll dice that people must enter."""
    if len(seats) == 2 and dice == "entered":
        raise DiceError(
            "--bots both", "this game's dice are rolled and entered by people; seat one or no bot"
        )


def seat(game: Game, seats: Seated) -> Bots:
    """Return the bots of a game, keyed by side. They draw from the game's own seed. [P10]

    Raises DiceError as `check_seats` does.
    """
    check_seats(seats, game.created.dice)
    return {side: _MADE[kind](game.created.seed) for side, kind in seats.items()}


def _kind(bot: Bot) -> str:
    return next((kind for kind, made in _MADE.items() if isinstance(bot, made)), "")


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
            log_step(log, game.play(bot.choose(game), bot=_kind(bot)), "bot")
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
