"""Who plays which side: bots in their seats, people at the keyboard, and the loop over both."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Protocol

from engine.bots import AggressiveBot, Bot, RandomBot
from engine.game import Game
from events.base import SIDES, Side
from events.errors import DiceError, WarledgerError
from events.game import Chosen, DiceMode, DiceRolled
from events.ledger import Conflict, Ledger
from events.questions import LinksNeeded, RollNeeded
from events.steps import read_meta
from projections.history import Node
from replay.words import brief
from table.consent import later
from table.logging import logger
from table.secrets import Hand

BotSeats = Literal["both", "red", "blue", "none"]
BotKind = Literal["aggressive", "random"]


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
        first = node.events[0] if node is not None else None
        if isinstance(first, Chosen):
            last[first.by] = read_meta(row).bot
    return {side: kind for side in SIDES for kind in _MADE if last.get(side) == kind}


def check_seats(seats: Seated, dice: DiceMode, here: Side | None = None) -> None:
    """Refuse bots that alone would have to roll dice that people must enter, and one in our seat.

    `here` is the side of the person at this table, where the other's is elsewhere. Raises
    DiceError and WarledgerError.
    """
    if here in seats:
        raise WarledgerError(f"--side {here}", "a bot was named for that side: one of them plays")
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
    hand: Hand | None = None,
) -> bool:
    """Play until the game is over or the people stop; return whether it is over.

    Every step is stored before the next is asked for. Links of `hand` are revealed when due.
    """
    log = logger(game=game.id)
    while game.battle.outcome is None:
        if hand is None or reveal_due(game, hand) is None:
            question = game.pending
            if question is None:
                break  # what another process stored was taken up
            bot = bots.get(question.player)
            if bot is not None and not isinstance(question, RollNeeded | LinksNeeded):
                log_step(log, game.play(bot.choose(game), bot=_kind(bot)), "bot")
            elif people is None:
                raise WarledgerError("play", _waits(game, hand))
            elif not people.answer(game):
                return False
        if progress is not None:
            progress(game)
    return True


def _waits(game: Game, hand: Hand | None) -> str:
    """Say what a game that bots alone play waits for."""
    question = game.pending
    assert question is not None
    if isinstance(question, LinksNeeded) and hand is not None:
        request = game.history.request
        if request is not None:
            return later(game, request.by, request.to)
        return "; ".join(why_not(game, hand))
    if isinstance(question, RollNeeded):
        again = f"warledger resume {shlex.quote(game.id)} --bots none"
        return f"real dice are due, which people enter: {again}"
    return f"nobody sits at the table for {question.player}"


def reveal_due(game: Game, hand: Hand) -> Side | None:
    """Reveal the link of a side that is due and at hand; return whose, None where none is.

    None, too, while a request for an undo is open: a step would end it before it was seen.
    """
    if not isinstance(game.pending, LinksNeeded):
        return None
    game.refresh()  # the files of secrets may be ahead of what was read
    for side in due(game):
        secret = hand.secrets.get(side)
        if game.history.request is None and secret is not None and not secret.refusal(game, side):
            with suppress(Conflict):  # the other side's came in between: now it is taken up
                log_step(logger(game=game.id), secret.reveal(game, side), "link")
            return side
    return None


def why_not(game: Game, hand: Hand, alone: Side | None = None) -> list[str]:
    """Say for each side whose link is due, but not revealed from here, why it isn't.

    Of a side that plays elsewhere, where `alone` plays here, that is no riddle: nothing is said.
    """
    reasons: list[str] = []
    for side in due(game):
        if alone not in (None, side):
            continue
        secret = hand.secrets.get(side)
        if secret is None:
            reasons.append(
                f"no secret of {side}'s is here (looked for {hand.missed[side]}); where it is:"
                f" warledger reveal {shlex.quote(game.id)} --secret FILE"
            )
        elif reason := secret.refusal(game, side):
            reasons.append(f"{secret.path}: {reason}")
    return reasons


def due(game: Game) -> tuple[Side, ...]:
    """Return whose links are due."""
    question = game.pending
    return question.waiting if isinstance(question, LinksNeeded) else ()


def log_step(log: object, node: Node, actor: str) -> None:
    """Log one line about a step just played."""
    first = node.events[0]
    what = "dice" if isinstance(first, DiceRolled) else "link"
    if isinstance(first, Chosen):
        what = brief(first.choice)
    log.info(  # type: ignore[attr-defined]
        "step", n=node.step, by=node.by, actor=actor, choice=what, events=len(node.events)
    )
