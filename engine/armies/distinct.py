"""Two armies on one table: unit ids that both use are told apart by the side's name. [P1]"""

from __future__ import annotations

import msgspec

from engine.armies.names import numbered
from events.base import Side
from events.values import Army, UnitSetup


def distinct(red: Army, blue: Army) -> tuple[Army, Army]:
    """Return both armies with the unit ids they share prefixed "red-" and "blue-".

    Model ids follow their unit's, and so do the sentences in `Army.inferred`. Units that only one
    army has keep their ids, so armies without a shared id come back equal.
    """
    shared = {unit.id for unit in red.units} & {unit.id for unit in blue.units}
    taken = {unit.id for army in (red, blue) for unit in army.units}
    return _renamed(red, "red", shared, taken), _renamed(blue, "blue", shared, taken)


def _renamed(army: Army, side: Side, shared: set[str], taken: set[str]) -> Army:
    names: dict[str, str] = {}
    for unit in army.units:
        if unit.id in shared:
            names[unit.id] = next(n for n in numbered(f"{side}-{unit.id}") if n not in taken)
            taken.add(names[unit.id])
    return msgspec.structs.replace(
        army,
        units=tuple(_rename(unit, names.get(unit.id, unit.id)) for unit in army.units),
        inferred=tuple(_resaid(sentence, names) for sentence in army.inferred),
    )


def _rename(unit: UnitSetup, name: str) -> UnitSetup:
    models = tuple(
        msgspec.structs.replace(model, id=name + model.id[len(unit.id) :]) for model in unit.models
    )
    return msgspec.structs.replace(unit, id=name, models=models)


def _resaid(sentence: str, names: dict[str, str]) -> str:
    """Return a sentence about a unit under the unit's new name."""
    for old, new in names.items():
        if sentence.startswith((f"{old}:", f"{old} /")):
            sentence = new + sentence[len(old) :]
            return sentence.replace(f" {old}.", f" {new}.")
    return sentence
