"""The units of a game as read models need them: side, points, models at the start."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from events.base import Event, Side, UnitId, Value
from events.game import ArmyMustered, ScenarioGiven
from events.values import Point, UnitSetup
from projections.battle import Battle

Facts = Iterable[tuple[int, Event]]
"""(step, event) pairs in order of play, as `History.facts` gives them."""

_read_battle = msgspec.json.Decoder(Battle).decode


class Enrolled(Value, frozen=True, gc=False):
    """A unit as its game began with it."""

    unit: UnitId
    side: Side
    army: str
    """Display name of its army; the side's name in a scenario without armies."""
    points: int
    models: int

    def worth(self, models: int) -> int:
        """Return the points of some of its models, in tenths, rounded down.

        >>> Enrolled("boyz", "red", "Horde", 100, 30).worth(7)
        233
        """
        return 10 * self.points * models // self.models if self.models else 0


def enrolled(facts: Facts) -> dict[UnitId, Enrolled]:
    """Return the units that a game began with, in muster order."""
    found: dict[UnitId, Enrolled] = {}
    for _, event in facts:
        if isinstance(event, ArmyMustered):
            for setup in event.army.units:
                found[setup.id] = _enrolled(setup, event.army.name, len(setup.models))
        elif isinstance(event, ScenarioGiven):
            battle = given(event)
            names: dict[Side, str] = {"red": "red", "blue": "blue"}
            if len(battle.armies) == len(names):
                names = dict(zip(names, (army.name for army in battle.armies), strict=True))
            for setup, unit in zip(battle.setups, battle.units, strict=True):
                found[setup.id] = _enrolled(setup, names[setup.side], len(unit.models))
    return found


def _enrolled(setup: UnitSetup, army: str, models: int) -> Enrolled:
    points = setup.points * models // len(setup.models) if setup.models else 0
    return Enrolled(setup.id, setup.side, army, points, models)


def given(event: ScenarioGiven) -> Battle:
    """Return the battle that a scenario starts from."""
    return _read_battle(bytes(event.battle))


Places = dict[UnitId, dict[int, Point]]
"""Where each model of a unit stands, by its number."""


def places(battle: Battle) -> Places:
    """Return where the models on the table stand."""
    return {
        unit.id: {model.n: model.at for model in unit.models if model.at is not None}
        for unit in battle.units
    }
