"""Structural questions about a battle: who is where, whose, alive. No rules."""

from __future__ import annotations

from collections.abc import Iterator

from events.base import ModelId, Side, UnitId
from events.values import ModelSetup, Point, Profile, UnitSetup, Weapon
from projections.battle import Battle, Model, Unit, UnitTurn

_places: tuple[tuple[UnitSetup, ...], dict[UnitId, int]] = ((), {})
"""The setups last asked about and the index of each unit in them; setups never change. Replaced
whole, so that a thread sees either pair."""


def places_of(battle: Battle) -> dict[UnitId, int]:
    """Return the index of every unit in `units` and `setups`. Constant time within one game."""
    global _places
    setups, places = _places
    if setups is not battle.setups:
        places = {setup.id: index for index, setup in enumerate(battle.setups)}
        _places = battle.setups, places
    return places


def index_of(battle: Battle, unit: UnitId) -> int:
    """Return a unit's index in `units` and `setups`. Raises KeyError for an unknown unit."""
    return places_of(battle)[unit]


def unit_of(battle: Battle, unit: UnitId) -> Unit:
    """Return a unit, destroyed or not. Raises KeyError for an unknown one."""
    return battle.units[places_of(battle)[unit]]


def setup_of(battle: Battle, unit: UnitId) -> UnitSetup:
    """Return what never changes of a unit. Raises KeyError for an unknown one."""
    return battle.setups[places_of(battle)[unit]]


def has_unit(battle: Battle, unit: UnitId) -> bool:
    """Whether the game knows a unit of that id, destroyed or not."""
    return unit in places_of(battle)


def owner(battle: Battle, unit: UnitId) -> Side:
    """Return the side a unit belongs to. [PLYR-1]"""
    return unit_of(battle, unit).side


def alive(unit: Unit) -> bool:
    """Whether any model of the unit is left. [RMV-3]"""
    return bool(unit.models)


def on_table(unit: Unit) -> bool:
    """Whether the unit is deployed and not destroyed."""
    return bool(unit.models) and unit.models[0].at is not None


def units_on_table(battle: Battle, side: Side | None = None) -> Iterator[Unit]:
    """Yield the units on the table, of one side or of both, in muster order."""
    for unit in battle.units:
        if unit.models and unit.models[0].at is not None and side in (None, unit.side):
            yield unit


def unit_of_model(model: ModelId) -> UnitId:
    """Return the unit part of a model's id.

    >>> unit_of_model("boyz.12")
    'boyz'
    """
    return model.rpartition(".")[0]


def number_of(model: ModelId) -> int:
    """Return the number part of a model's id.

    >>> number_of("boyz.12")
    12
    """
    return int(model.rpartition(".")[2])


def model_id(unit: UnitId, n: int) -> ModelId:
    """Return the id of a unit's model number `n`."""
    return f"{unit}.{n}"


def model_of(unit: Unit, n: int) -> Model | None:
    """Return a unit's model by number, or None once it is removed."""
    for model in unit.models:
        if model.n == n:
            return model
    return None


def place_of(model: Model) -> Point:
    """Return where a deployed model stands."""
    assert model.at is not None
    return model.at


def model_setup(setup: UnitSetup, n: int) -> ModelSetup:
    """Return the setup of a model by number."""
    return setup.models[n - 1]


def profile_of(setup: UnitSetup, n: int) -> Profile:
    """Return the stat line of a model by number. [PROF-4]"""
    name = setup.models[n - 1].profile
    for profile in setup.profiles:
        if profile.name == name:
            return profile
    raise KeyError(name)


def weapon_of(setup: UnitSetup, weapon: str) -> Weapon | None:
    """Return a unit's weapon by id, or None."""
    for candidate in setup.weapons:
        if candidate.id == weapon:
            return candidate
    return None


def bearers(unit: Unit, setup: UnitSetup, weapon: str) -> tuple[int, ...]:
    """Return the numbers of the living models that carry a weapon, in unit order."""
    return tuple(m.n for m in unit.models if weapon in setup.models[m.n - 1].weapons)


def turn_of(battle: Battle, unit: UnitId) -> UnitTurn:
    """Return what a unit did this player turn (an empty record if nothing)."""
    for record in battle.turn.units:
        if record.unit == unit:
            return record
    return UnitTurn(unit)
