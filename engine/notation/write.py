"""From a choice to its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.notation.lengths import point_in_inches
from engine.notation.lines import Dice
from events.choices import (
    AnyChoice,
    CeaseFire,
    Charge,
    Concede,
    Deploy,
    EndPhase,
    FightCombat,
    FireOverwatch,
    MoveUnit,
    Place,
    PlaceModels,
    Run,
    Shoot,
    Stay,
    TakeWounds,
    TakeZone,
)


def _place(place: Place) -> str:
    path = ">".join(point_in_inches(point) for point in place.path) or "stay"
    return f"{place.model}:{path}"


def _shoot(choice: Shoot) -> str:
    line = f"shoot {choice.unit} > {choice.target} with {choice.weapon}"
    return f"{line} by {' '.join(map(str, choice.models))}" if choice.models else line


def _overwatch(choice: FireOverwatch) -> str:
    return f"overwatch with {choice.weapon}" if choice.weapon else "overwatch no"


_WRITERS: dict[type, Callable[[Any], str]] = {
    TakeZone: lambda c: f"zone {c.zone}",
    Deploy: lambda c: " ".join(["deploy", c.unit, *map(point_in_inches, c.at)]),
    MoveUnit: lambda c: f"move {c.unit} {point_in_inches(c.by)}",
    PlaceModels: lambda c: " ".join(["place", c.unit, *map(_place, c.places)]),
    Stay: lambda c: "stay",
    Run: lambda c: f"run {c.unit}",
    Shoot: _shoot,
    CeaseFire: lambda c: "cease fire",
    Charge: lambda c: f"charge {c.unit} > {' + '.join(c.targets)}",
    FireOverwatch: _overwatch,
    FightCombat: lambda c: f"fight {c.unit}",
    TakeWounds: lambda c: " ".join(["wound", *c.models]),
    EndPhase: lambda c: "end phase",
    Concede: lambda c: "concede",
    Dice: lambda c: " ".join(["dice", *map(str, c.faces)]),
}


def write(choice: AnyChoice | Dice) -> str:
    """Return a choice's line in canonical form; `read` gives the choice back.

    >>> write(Shoot("warriors", "boyz", "boltgun", (1, 2)))
    'shoot warriors > boyz with boltgun by 1 2'
    """
    return _WRITERS[type(choice)](choice)
