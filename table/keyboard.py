"""People at one keyboard: the open question, the legal choices, a line in the notation."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from engine.game import Game
from engine.notation import Dice, LineError, describe, read_line, resolve
from engine.undo import UndoBarred
from events.base import Side, other
from events.errors import WarledgerError
from events.game import Chosen
from events.questions import RollNeeded
from projections.history import History, Node
from replay.picture import table_svg
from replay.words import brief, lines_of
from table.game_log import log_lines
from table.logging import logger
from table.seats import Bots, log_step
from table.show import clock_text, said, units_table
from table.text_map import text_map

SHOWN = 12
"""Choices listed before the rest is only counted."""
RECENT = 8
"""Steps that `log` shows; `log all` shows every one."""

HELP = """\
Answer with a number from the list, `auto` for the first, or a line:
  move U 6,0 | move U toward V 6 | place U 1:12.5,30 2:13.5,30 | stay | run U
  shoot U > V with W | cease fire | charge U > V | overwatch with W | overwatch no
  fight U | wound U.3 U.5 | end phase | concede | zone south | deploy U 10,3 11.2,3
  dice 3 5 1        the faces you rolled, when dice are asked for
Lengths are inches from the south-west corner. Besides:
  list              every choice on offer
  show              units, places, status
  map [FILE.svg]    the table, here or as a picture
  log [all]         what happened
  undo [STEP]       take back a step; past dice or an answer the other player is asked
  redo, @STEP       forward again; over to another branch
  note TEXT         write in the margin
  quit              save and quit (every step is saved anyway)"""


class Keyboard:
    """Answers for every side that no bot plays. Errors are shown and the question stays open."""

    def __init__(self, console: Console, bots: Bots) -> None:
        self._console = console
        self._bots = bots
        self._asked: Node | None = None

    def answer(self, game: Game) -> bool:
        """Ask once and do what the line says; False to stop playing (also at end of input)."""
        if self._asked is not game.history.head:
            self._tell(game.history)
            self._list(game, SHOWN)
            self._asked = game.history.head
        line = self._read("> ")
        if line is None:
            return False
        try:
            return self._do(game, line)
        except LineError as error:
            self._console.print(escape(error.caret()), style="yellow")
        except WarledgerError as error:
            self._console.print(f"[yellow]refused[/] {escape(str(error))}")
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
                self._list(game, SHOWN)
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
            case ["undo"]:
                self._undo(game, self._last_question(game))
            case ["undo", step] if _number(step) is not None:
                self._undo(game, _number(step))
            case ["redo"]:
                self._redo(game)
            case [branch] if branch.startswith("@") and _number(branch[1:]) is not None:
                game.take_branch(int(branch[1:]), by=self._mover(game))
            case ["note", *_]:
                game.note(line[4:].strip(), by=self._player(game))
            case _:
                self._play(game, line)
        return True

    def _play(self, game: Game, line: str) -> None:
        log = logger(game=game.id)
        if isinstance(game.pending, RollNeeded):
            bare = all(word.isdecimal() for word in line.split())
            said = read_line(f"dice {line}" if bare else line)
            if isinstance(said, Dice):
                log_step(log, game.enter(said.faces), "keyboard")
                return
            log_step(log, game.play(said), "keyboard")
            return
        log_step(log, game.play(resolve(line, game.battle)), "keyboard")

    def _draw(self, game: Game, path: Path) -> None:
        try:
            path.write_text(table_svg(game.battle, title=game.id), encoding="utf-8")
        except OSError as error:
            raise WarledgerError(str(path), f"can't be written: {error.strerror}") from error
        self._console.print(f"written: {escape(str(path))}")

    def _player(self, game: Game) -> Side:
        """Return whose line this is: the one asked, or the one person at the table."""
        sides: tuple[Side, ...] = ("red", "blue")
        people = [side for side in sides if side not in self._bots]
        question = game.pending
        return people[0] if len(people) == 1 or question is None else question.player

    def _last_question(self, game: Game) -> int:
        """Return the step to go back to: the last at which a person was asked."""
        node = game.history.head.parent
        if node is None:
            raise UndoBarred(game.step, "the game is at its first step: nothing to undo")
        while node.parent is not None and self._is_bots(node):
            node = node.parent
        return node.step

    def _is_bots(self, node: Node) -> bool:
        question = node.battle.question
        return (
            question is not None
            and question.player in self._bots
            and not isinstance(question, RollNeeded)
        )

    def _mover(self, game: Game) -> Side:
        """Return who moves the head: the one who took the last step, or the person here. [P8]"""
        by = game.history.head.by
        return self._player(game) if by is None or by in self._bots else by

    def _undo(self, game: Game, to: int | None) -> None:
        """Go back; where the policy bars it, ask the other player. [P8]"""
        by = self._mover(game)
        try:
            game.undo(by=by, to=to)
        except UndoBarred as barred:
            if game.created.undo == "none":
                raise
            assert to is not None
            asked = other(by)
            self._console.print(f"[yellow]{escape(barred.reason)}[/]")
            game.ask_undo(to, by=by)
            if asked in self._bots:
                granted = self._bots[asked].consents(game)
            else:
                question = f"{asked}, grant {by} to go back to step {to}? y/n "
                granted = (self._read(question) or "n").lower().startswith("y")
            if not granted:
                game.refuse_undo()
                self._console.print(f"{asked} refuses; the game stands at step {game.step}")
                return
            game.grant_undo()
        self._console.print(f"the game stands at step {game.step}")

    def _redo(self, game: Game) -> None:
        """Go forward, past a bot's answers to the next question of a person's."""
        game.redo()
        while self._is_bots(game.history.head) and game.history.head.forward is not None:
            game.redo()
        self._console.print(f"the game stands at step {game.step}")


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else None
