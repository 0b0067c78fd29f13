"""Small helpers that make a changed copy: of a unit, a model, a turn record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from events.base import UnitId
from events.movement import Spot
from events.values import Point
from projections.battle import Battle, Combat, Model, TurnRecord, Unit, UnitTurn
from projections.queries import index_of

T = TypeVar("T")


def swap(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Return `items` with one replaced."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def with_unit(battle: Battle, unit: UnitId, change: Callable[[Unit], Unit]) -> Battle:
    """Return the battle with one unit changed."""
    index = index_of(battle, unit)
    return replace(battle, units=swap(battle.units, index, change(battle.units[index])))


def with_models(unit: Unit, spots: tuple[Spot, ...]) -> Unit:
    """Return the unit with models moved to their new spots."""
    places = {spot.model: Point(spot.x, spot.y) for spot in spots}
    find = places.get
    models = [
        model if (at := find(model.n)) is None else replace(model, at=at) for model in unit.models
    ]
    return replace(unit, models=tuple(models))


def index_of_model(models: Sequence[Model], n: int) -> int:
    """Return where the model of number `n` stands. Raises IndexError where it is removed."""
    index = min(n, len(models)) - 1
    while models[index].n != n:
        index -= 1  # models stand in the order of their numbers, some removed
    return index


def with_model(unit: Unit, n: int, change: Callable[[Model], Model | None]) -> Unit:
    """Return the unit with one model changed, or dropped where the change gives None."""
    models = unit.models
    index = index_of_model(models, n)
    kept = change(models[index])
    left = () if kept is None else (kept,)
    return replace(unit, models=models[:index] + left + models[index + 1 :])


def with_turn(battle: Battle, unit: UnitId, change: Callable[[UnitTurn], UnitTurn]) -> Battle:
    """Return the battle with one unit's turn record changed (made if it has none)."""
    records = battle.turn.units
    for index, record in enumerate(records):
        if record.unit == unit:
            return replace(battle, turn=TurnRecord(swap(records, index, change(record))))
    return replace(battle, turn=TurnRecord((*records, change(UnitTurn(unit)))))


def with_moved(battle: Battle, unit: UnitId, models: tuple[int, ...]) -> Battle:
    """Return the battle with models counted as moved this turn. [MOVE-8]"""
    if not models:
        return battle

    def note(turn: UnitTurn) -> UnitTurn:
        before = turn.moved
        fresh = tuple([n for n in models if n not in before]) if before else models
        return replace(turn, moved=before + fresh)

    return with_turn(battle, unit, note)


def with_combat(battle: Battle, change: Callable[[Combat], Combat]) -> Battle:
    """Return the battle with the combat being fought changed; unchanged where there is none."""
    combat = getattr(battle.phase, "combat", None)
    if combat is None:
        return battle
    return replace(battle, phase=replace(battle.phase, combat=change(combat)))
