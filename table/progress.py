"""Progress of a bot battle: one line a player turn on standard error."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from engine.game import Game
from events.base import SIDES, Side
from projections.battle import Battle
from table.setting import aside


def models_left(battle: Battle, side: Side) -> int:
    """Return how many models a side has left."""
    return sum(len(unit.models) for unit in battle.units if unit.side == side)


class TurnProgress:
    """Called after each step; prints a line whenever a player turn begins, and one at the end."""

    def __init__(self, game: Game, *, shown: bool = True) -> None:
        self._shown = shown
        self._console = aside()
        self._seen = self._at(game)
        self._game = game

    @staticmethod
    def _at(game: Game) -> tuple[int, Side]:
        return game.battle.clock.game_turn, game.battle.clock.active

    def __call__(self, game: Game) -> None:
        """Look at the game after a step."""
        at = self._at(game)
        if self._shown and at != self._seen and at[0] > 0:
            self._line(f"turn {at[0]} {at[1]}")
        self._seen = at

    def _line(self, what: str) -> None:
        battle = self._game.battle
        left = "   ".join(f"{side} {_models(models_left(battle, side))}" for side in SIDES)
        self._console.print(f"[dim]{what:<12}[/] {left}   step {self._game.step}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown and error is None and self._game.battle.outcome is not None:
            self._line("the end")


def _models(left: int) -> str:
    """Return models left, as wide for one as for many.

    >>> _models(1), _models(60)
    ('  1 model ', ' 60 models')
    """
    return f"{left:>3} {'model ' if left == 1 else 'models'}"
