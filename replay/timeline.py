"""Look at any step of a game: seek, step or jump along the line of play.

Jumps go to the next or previous charge, casualty, failed test, turn, phase, or event of a unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from events.assault import ChargeDeclared
from events.attacks import ModelRemoved, UnitDestroyed
from events.base import Event, UnitId
from events.errors import LedgerError, WarledgerError
from events.game import ArmyMustered, Asked, Chosen, PhaseStarted, TurnStarted
from events.morale import MoraleChecked
from projections.battle import Battle
from projections.history import History, Node
from projections.queries import has_unit, unit_of_model

LANDMARKS: dict[str, Callable[[Event], bool]] = {
    "turn": lambda event: type(event) is TurnStarted,
    "phase": lambda event: type(event) is PhaseStarted,
    "charge": lambda event: type(event) is ChargeDeclared,
    "casualty": lambda event: type(event) in (ModelRemoved, UnitDestroyed),
    "failed test": lambda event: isinstance(event, MoraleChecked) and not event.passed,
}
"""What a timeline can jump to, besides a unit by its id."""

_ONE = ("unit", "target", "subject", "opponent", "pursuer", "charger")
_SOME = ("units", "targets")


def units_of(event: Event) -> tuple[UnitId, ...]:
    """Return the units that an event speaks of, in the order of its fields.

    >>> units_of(ModelRemoved("boyz.3", "shooting"))
    ('boyz',)
    """
    about: Any = event.choice if isinstance(event, Chosen) else event
    if isinstance(event, ArmyMustered):
        return tuple(unit.id for unit in event.army.units)
    found: list[UnitId] = []
    if not isinstance(event, Asked):
        for field in about.__struct_fields__:
            if field in _ONE:
                found.append(getattr(about, field))
            elif field in _SOME:
                found += getattr(about, field)
            elif field == "model":
                found.append(unit_of_model(about.model))
            elif field == "models":  # ids in a choice of Wounds, bare numbers elsewhere
                found += [unit_of_model(m) for m in about.models if isinstance(m, str)]
    return tuple(unit for unit in dict.fromkeys(found) if unit)


class Timeline:
    """A cursor over the steps from the first to the head (or another tip). Never changes a game.

    A seek is a look-up: a few microseconds at any length.
    """

    def __init__(self, history: History, tip: int | None = None) -> None:
        """Follow the line of play to the head, or to step `tip`. Raises LedgerError if unknown."""
        if tip is not None and tip not in history.nodes:
            raise LedgerError(f"step {tip}", history.no_step(tip))
        self._history = history
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
            reason = "it is on another branch, not on this line of play"
            if step not in self._history.nodes:
                reason = self._history.no_step(step)
            raise LedgerError(f"step {step}", reason)
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

    def jump(self, what: str, *, backwards: bool = False) -> Node | None:
        """Go to the next (or previous) landmark, or the next event of a unit; None if none.

        `what` is one of `LANDMARKS` or a unit's id. Raises WarledgerError for any other.
        """
        return self.find(self._wanted(what), backwards=backwards)

    def every(self, what: str) -> Iterator[tuple[Node, Event]]:
        """Yield each landmark of a kind, or each event of a unit, with its node, in order."""
        wanted = self._wanted(what)
        for node in self._path:
            for event in node.events:
                if wanted(event):
                    yield node, event

    def _wanted(self, what: str) -> Callable[[Event], bool]:
        if what in LANDMARKS:
            return LANDMARKS[what]
        battle = self._path[-1].battle
        if has_unit(battle, what):
            return lambda event: what in units_of(event)
        units = ", ".join(unit.id for unit in battle.units)
        raise WarledgerError(what, f"jump to one of {', '.join(LANDMARKS)}, or a unit: {units}")
