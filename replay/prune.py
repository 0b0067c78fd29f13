"""Pruning: a battle with fewer units or models, told as if the others had never come.

What is left may be a battle that no game reaches; whether it still fails is for a trial to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import msgspec
from msgspec.structs import replace

from events.base import UnitId
from events.choices import AnyChoice, PlaceModels, Shoot, TakeWounds
from events.values import Terrain
from projections.battle import Battle, Score, TurnRecord, Unit
from projections.queries import has_unit, number_of, unit_of, unit_of_model
from replay.redact import FIELDS


def with_units(battle: Battle, kept: Collection[UnitId]) -> Battle | None:
    """Return the battle with these units alone; None where its phase turns on another one."""
    gone = [unit.id for unit in battle.units if unit.id not in kept]
    phase = _without(battle.phase, gone)
    if phase is None:
        return None
    records = [
        replace(record, target="" if record.target in gone else record.target)
        for record in battle.turn.units
        if record.unit in kept
    ]
    return replace(
        battle,
        setups=tuple(setup for setup in battle.setups if setup.id in kept),
        units=tuple(unit for unit in battle.units if unit.id in kept),
        phase=phase,
        turn=TurnRecord(tuple(records)),
    )


def _without(value: Any, gone: Collection[UnitId]) -> Any:
    """Return a phase (or part of one) that doesn't name these units; None where it must."""
    changed: dict[str, Any] = {}
    for field in value.__struct_fields__:
        old = getattr(value, field)
        if isinstance(old, tuple):
            changed[field] = tuple(item for item in old if not _names(item, field, gone))
        elif isinstance(old, msgspec.Struct):
            changed[field] = _without(old, gone)
            if changed[field] is None:
                return None
        elif _names(old, field, gone):
            return None
    return replace(value, **changed)


def _names(value: Any, field: str, units: Collection[UnitId]) -> bool:
    """Whether a value of that field names one of the units, or a model of theirs."""
    if isinstance(value, msgspec.Struct):
        return any(_names(getattr(value, f), f, units) for f in value.__struct_fields__)
    if not isinstance(value, str):
        return False
    match FIELDS.get(field):
        case "unit":
            return value in units
        case "model":
            return unit_of_model(value) in units
        case "address":
            return not set(value.split("|")).isdisjoint(units)
    return False


def with_models(battle: Battle, unit: UnitId, kept: Collection[int]) -> Battle:
    """Return the battle with these models of a unit alone; the others count as never there."""

    def thinned(unit: Unit) -> Unit:
        models = tuple(model for model in unit.models if model.n in kept)
        lost = len(unit.models) - len(models)
        return replace(unit, models=models, phase_started=unit.phase_started - lost)

    return _each(battle, lambda other: thinned(other) if other.id == unit else other)


def _each(battle: Battle, change: Callable[[Unit], Unit]) -> Battle:
    return replace(battle, units=tuple(change(unit) for unit in battle.units))


def with_terrain(battle: Battle, kept: Collection[Terrain]) -> Battle:
    """Return the battle with these pieces of terrain alone."""
    return replace(battle, table=replace(battle.table, terrain=tuple(kept)))


def _tailless(battle: Battle) -> Battle:
    """Take the numbers after a unit's last model off its muster."""
    last = {unit.id: max((m.n for m in unit.models), default=1) for unit in battle.units}
    setups = tuple(replace(s, models=s.models[: last[s.id]]) for s in battle.setups)

    def shortened(unit: Unit) -> Unit:
        return replace(
            unit, started=last[unit.id], phase_started=min(unit.phase_started, last[unit.id])
        )

    return replace(_each(battle, shortened), setups=setups)


PLAINER: tuple[Callable[[Battle], Battle], ...] = (
    _tailless,
    lambda battle: replace(battle, phase=replace(battle.phase, dice=())),
    lambda battle: replace(battle, turn=TurnRecord()),
    lambda battle: replace(battle, score=Score()),
    lambda battle: replace(battle, zones=()),
    lambda battle: replace(battle, table=replace(battle.table, objectives=())),
)
"""Ways to make a battle plainer, each tried on its own."""


def fitted(choice: AnyChoice, battle: Battle) -> AnyChoice:
    """Return a choice without the models that were pruned."""
    if isinstance(choice, PlaceModels | Shoot) and has_unit(battle, choice.unit):
        living = [model.n for model in unit_of(battle, choice.unit).models]
        if isinstance(choice, Shoot):
            firing = tuple(n for n in choice.models if n in living)
            return replace(choice, models=firing) if firing else choice
        places = tuple(place for place in choice.places if place.model in living)
        return replace(choice, places=places)
    if isinstance(choice, TakeWounds):
        kept = (m for m in choice.models if _is_there(battle, m))
        return replace(choice, models=tuple(kept))
    return choice


def _is_there(battle: Battle, model: str) -> bool:
    unit, n = unit_of_model(model), number_of(model)
    return has_unit(battle, unit) and any(m.n == n for m in unit_of(battle, unit).models)
