"""People at one keyboard: the open question, the legal choices, a line in the notation."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from engine.game import Game
from engine.notation import Dice, LineError, Reveal, describe, read_line, resolve
from engine.undo import UndoBarred, action_start, ahead, before, open_request, phase_start
from events.base import SIDES, Side, other
from events.errors import IllegalChoice, WarledgerError
from events.game import Chosen
from events.questions import LinksNeeded, RollNeeded
from projections.history import History, Node
from replay.words import brief, lines_of
from table.cli_history import step_number
from table.consent import (
    answered,
    behind,
    check_answered,
    consent,
    known,
    lapsed,
    later,
    waiting,
    way,
    yes_or_no,
)
from table.game_log import log_lines
from table.keyboard_words import HELP, check_word, meant
from table.logging import logger
from table.seats import Bots, log_step, why_not
from table.secrets import Hand
from table.setting import aside
from table.show import clock_text, picture, said, units_table
from table.text_map import text_map

SHOWN = 12
"""Choices listed before the rest is only counted."""
_NO_CHOICE = ", and there is nothing to choose:"
RECENT = 8
"""Steps that `log` shows; `log all` shows every one."""


class Keyboard:
    """Answers for every side that no bot plays. Errors are shown and the question stays open."""

    def __init__(
        self,
        console: Console,
        bots: Bots,
        hand: Hand | None = None,
        here: Side | None = None,
    ) -> None:
        """`here` is the side of the one person at this table, where the other's is elsewhere."""
        self._console = console
        self._bots = bots
        self._hand = hand or Hand({}, {})
        self._here = here
        self._asked: Node | None = None
        self._told: set[str] = set()

    def answer(self, game: Game) -> bool:
        """Ask once and do what the line says; False to stop playing (also at end of input)."""
        if self._asked is not game.history.head:
            self._tell(game.history)
            self._list(game, SHOWN)
            self._remind(game)
            self._say_why_not(game)
            self._asked = game.history.head
        line = self._read("> ")
        if line is None:
            return False
        try:
            return self._do(game, line)
        except LineError as error:
            self._console.print(escape(error.caret()), style="yellow")
        except WarledgerError as error:
            hint = meant(line, game.battle)
            self._console.print(f"[yellow]refused[/] {escape(f'{error}{hint}')}")
        return True

    def _read(self, prompt: str) -> str | None:
        try:
            line = input(prompt).strip()
        except EOFError:
            self._console.print()
            return None
        if not sys.stdin.isatty():
            self._console.print(escape(line))  # so that a scripted session reads like a typed one
        return line

    def _tell(self, history: History) -> None:
        """Say what happened since this keyboard was last asked; of a resumed game the last step."""
        head = history.head
        new = [head] if self._asked is None else self._new_since(head, self._asked)
        for node in new:
            first = node.events[0]
            if isinstance(first, Chosen) and first.by in self._bots:
                self._console.print(f"{said(first.by)} {escape(brief(first.choice))}")
            for words in lines_of(node.events[1:]):
                self._console.print(f"  {escape(words)}", style="dim")

    @staticmethod
    def _new_since(head: Node, asked: Node) -> list[Node]:
        """Return the steps played from `asked` to `head`; none where the head moved elsewhere."""
        new: list[Node] = []
        node: Node | None = head
        while node is not None and node is not asked:
            new.append(node)
            node = node.parent
        return new[::-1] if node is not None else []

    def _list(self, game: Game, most: int | None) -> None:
        question = game.pending
        assert question is not None
        where = f"{clock_text(game.battle)}, step {game.step}"
        player, _, words = describe(question, game.battle).partition(" ")
        self._console.print(f"\n[dim]{where}[/]")
        self._console.print(f"{said(question.player, player)} {escape(words)}")
        if self._elsewhere(question.player):
            self._console.print(f"  {escape(waiting(game, question.player))}", style="dim")
            return
        choices = game.legal()
        for number, choice in enumerate(choices[:most], 1):
            self._console.print(f"  {number:>3}  {escape(brief(choice))}")
        if most is not None and len(choices) > most:
            self._console.print(f"       and {len(choices) - most} more: `list`", style="dim")

    def _do(self, game: Game, line: str) -> bool:
        """Carry out one line; raises WarledgerError where it can't be."""
        words = line.lower().split()
        match words:
            case []:
                game.refresh()  # a player elsewhere may have answered
                if self._asked is game.history.head:
                    self._list(game, SHOWN)
                    self._remind(game)
            case ["quit" | "q" | "exit" | "save"] | ["save", "and", "quit"]:
                return False
            case ["help" | "?"]:
                self._console.print(escape(HELP))
            case ["list"]:
                self._list(game, None)
            case ["show"]:
                self._console.print(units_table(game.battle))
            case ["map"]:
                self._console.print(text_map(game.battle))
            case ["map", _]:
                self._draw(game, Path(line.split()[1]))
            case ["log", *more]:
                lines = list(log_lines(game.history))
                for text in lines if more else lines[-RECENT:]:
                    self._console.print(text)
            case ["undo", *to] if len(to) < 2:
                self._undo(game, to[0] if to else "")
            case ["redo"]:
                self._redo(game)
            case [branch] if branch.startswith("@"):
                tip = step_number(branch)
                self._move(game, tip, lambda by: game.take_branch(tip, by=by))
            case ["grant" | "refuse" as verdict]:
                self._settle(game, granted=verdict == "grant")
            case ["concede", *more] if more in ([], ["yes"]):
                self._concede(game, sure=bool(more))
            case ["note", *_]:
                game.note(line[4:].strip(), by=self._player(game))
                self._console.print("noted")
            case _:
                check_word(line)
                self._play(game, line)
        return True

    def _elsewhere(self, side: Side) -> bool:
        return self._here not in (None, side) and side not in self._bots

    def _play(self, game: Game, line: str) -> None:
        question = game.pending
        assert question is not None
        if self._elsewhere(question.player) and not isinstance(question, LinksNeeded):
            raise WarledgerError("play", waiting(game, question.player))
        log = logger(game=game.id)
        links = isinstance(question, LinksNeeded)
        if line.lower() == "auto" or (links and line.isdecimal()):
            if links:
                raise IllegalChoice("DMOD-1", f"links are due{_NO_CHOICE} `reveal SIDE LINK`")
            if isinstance(question, RollNeeded):
                raise IllegalChoice("DMOD-1", f"dice are due{_NO_CHOICE} roll them, type the faces")
        if isinstance(game.pending, RollNeeded):
            bare = all(word.isdecimal() for word in line.split())
            said = read_line(f"dice {line}" if bare else line)
            if isinstance(said, Dice):
                log_step(log, game.enter(said.faces), "keyboard")
                return
        if isinstance(game.pending, LinksNeeded):
            said = read_line(line)
            if isinstance(said, Dice):
                raise IllegalChoice(
                    "DMOD-1", "the dice follow from links, which are due: none fall"
                )
            if isinstance(said, Reveal):
                log_step(log, game.reveal(said.link, by=said.by), "keyboard")
            else:
                log_step(log, game.play(said, by=self._player(game)), "keyboard")
            return
        log_step(log, game.play(resolve(line, game.battle)), "keyboard")

    def _draw(self, game: Game, path: Path) -> None:
        try:
            path.write_text(picture(game, game.step), encoding="utf-8")
        except OSError as error:
            raise WarledgerError(str(path), f"can't be written: {error.strerror}") from error
        self._console.print(f"written: {escape(str(path))}")

    def _player(self, game: Game) -> Side:
        """Return whose line this is: the one asked, or the one person at the table."""
        if self._here is not None:
            return self._here
        people = [side for side in SIDES if side not in self._bots]
        if len(people) > 1 and len(self._hand.secrets) == 1:
            people = list(self._hand.secrets)  # the other one's secret is elsewhere, and so is he
        question = game.pending
        return people[0] if len(people) == 1 or question is None else question.player

    def _is_bots(self, node: Node) -> bool:
        """Whether nobody here is asked after a node: a bot is, or a link that is at hand is due."""
        question = node.battle.question
        if isinstance(question, LinksNeeded):
            return any(side in self._hand.secrets for side in question.waiting)
        return (
            question is not None
            and question.player in self._bots
            and not isinstance(question, RollNeeded)
        )

    def _mover(self, game: Game) -> Side:
        """Return who moves the head: the one who took the last step, or the person here. [P8]"""
        by = game.history.head.by
        if by is None or by in self._bots or self._elsewhere(by):
            return self._player(game)
        return by

    def _concede(self, game: Game, sure: bool) -> None:
        """Give the game up for the person here, who is asked once more unless he is sure."""
        by = self._player(game)
        if sure or yes_or_no(self._read, f"{by}, give the game up?"):
            log_step(logger(game=game.id), game.concede(by), "keyboard")

    def _undo(self, game: Game, to: str) -> None:
        """Go back a step, an action, a phase or to a step: always to a question of a person's."""
        starts = {"": before, "action": action_start, "phase": phase_start}
        if to in starts:
            step = behind(game.history.head, starts[to], self._is_bots).step
        elif (number := _number(to)) is not None:
            step = number
        else:
            raise WarledgerError("undo", f"{to!r} is neither a step, `action` nor `phase`")
        self._move(game, step, lambda by: game.undo(by=by, to=step))

    def _move(self, game: Game, to: int, move: Callable[[Side], Node]) -> None:
        """Move the head by `move`; where the policy bars it, ask the other player. [P8]"""
        by, open_before = self._mover(game), game.history.request
        try:
            move(by)
        except UndoBarred as barred:
            if not barred.consent:
                raise
            check_answered(game, by, to)
            self._console.print(f"[yellow]{escape(barred.reason)}[/]")
            game.ask_undo(to, by=by)
            granted = self._consent(game, by, to)
            if granted is None:
                self._console.print(escape(later(game, by, to)))
                return
            self._settle(game, granted)
            return
        if words := lapsed(game, open_before):
            self._console.print(words)
        self._console.print(f"the game stands at step {game.step}")

    def _consent(self, game: Game, by: Side, to: int) -> bool | None:
        """Return what the other player says to a request; None where he doesn't answer now."""
        bot = self._bots.get(other(by))
        if bot is not None:
            return not known(game, by) and bot.consents(game)  # it lets nobody dodge a die
        return None if self._elsewhere(other(by)) else consent(self._read, game, by, to)

    def _settle(self, game: Game, granted: bool) -> None:
        """Answer the open request for the player who was asked. [P8]"""
        request = open_request(game.history)
        asked = other(request.by)
        if self._elsewhere(asked):
            raise WarledgerError("undo", later(game, request.by, request.to))
        if asked in self._bots:  # whose word nobody here speaks
            granted = bool(self._consent(game, request.by, request.to))
        if granted:
            game.grant_undo()
        else:
            game.refuse_undo()
        self._console.print(answered(game, asked, granted, bot=asked in self._bots))

    def _remind(self, game: Game) -> None:
        """Show a request that was left open, to be answered or to lapse at the next step."""
        request = game.history.request
        if request is not None:
            asks = f"{request.by} asks to go {way(game, request.to)}"
            words = f"{asks}{known(game, request.by)}"
            how = "elsewhere" if self._elsewhere(other(request.by)) else "`grant` or `refuse`"
            self._console.print(f"[yellow]{words}; {other(request.by)} answers: {how}[/]")

    def _say_why_not(self, game: Game) -> None:
        """Say once, aside, why a link that is due is not revealed from here."""
        alone = self._here if self._here and other(self._here) not in self._bots else None
        for reason in why_not(game, self._hand, alone) if game.history.request is None else ():
            if reason not in self._told:
                self._told.add(reason)
                aside().print(escape(reason), style="dim")

    def _redo(self, game: Game) -> None:
        """Go forward, past a bot's answers to the next question of a person's.

        What a player who is elsewhere took back is put back if he agrees, never in his name.
        """
        target = ahead(game.history.head)
        if target.by is not None and self._elsewhere(target.by):
            self._move(game, target.step, lambda by: game.redo(by=by))
            return
        game.redo()
        while self._is_bots(game.history.head) and game.history.head.forward is not None:
            game.redo()
        self._console.print(f"the game stands at step {game.step}")


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else None
