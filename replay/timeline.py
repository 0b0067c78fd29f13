"""Look at any step of a game: seek, step back and forward along the line of play."""

from __future__ import annotations

from collections.abc import Callable

from events.base import Event
from events.errors import LedgerError
from projections.battle import Battle
from projections.history import History, Node


class Timeline:
    """A cursor over the steps from the first to the head (or another tip). Never changes a game.

    A seek is a look-up: a few microseconds at any length.
    """

    def __init__(self, history: History, tip: int | None = None) -> None:
        """Follow the line of play to the head, or to step `tip`. Raises LedgerError if unknown."""
        if tip is not None and tip not in history.nodes:
            raise LedgerError(f"step {tip}", "there is no such game step")
        self._path = history.path(history.nodes[tip] if tip is not None else None)
        self._index = {node.step: i for i, node in enumerate(self._path)}
        self._at = len(self._path) - 1

    def __len__(self) -> int:
        return len(self._path)

    @property
    def steps(self) -> list[int]:
        """The step numbers on this line, undone ones left out."""
        return [node.step for node in self._path]

    @property
    def node(self) -> Node:
        """The node at the cursor."""
        return self._path[self._at]

    @property
    def step(self) -> int:
        """The step at the cursor."""
        return self.node.step

    @property
    def battle(self) -> Battle:
        """The battle after the step at the cursor."""
        return self.node.battle

    @property
    def events(self) -> list[Event]:
        """The events of the step at the cursor."""
        return self.node.events

    def seek(self, step: int) -> Battle:
        """Go to a step and return its battle. Raises LedgerError if it isn't on this line."""
        at = self._index.get(step)
        if at is None:
            raise LedgerError(f"step {step}", "it is not on this line of play (undone, or a mark)")
        self._at = at
        return self.battle

    def back(self, steps: int = 1) -> Battle:
        """Step back; stays at the first step."""
        self._at = max(0, self._at - steps)
        return self.battle

    def forward(self, steps: int = 1) -> Battle:
        """Step forward; stays at the last step."""
        self._at = min(len(self._path) - 1, self._at + steps)
        return self.battle

    def find(self, wanted: Callable[[Event], bool], *, backwards: bool = False) -> Node | None:
        """Go to the next (or previous) step with an event that `wanted` accepts, if any."""
        steps = range(self._at - 1, -1, -1) if backwards else range(self._at + 1, len(self._path))
        for at in steps:
            if any(wanted(event) for event in self._path[at].events):
                self._at = at
                return self._path[at]
        return None
