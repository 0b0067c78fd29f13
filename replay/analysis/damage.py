"""Damage: who did what to whom with which weapon, from shots and blows down to models removed.

An unsaved Wound doesn't name who dealt it. Its save does, as every roll names its opponent and
weapon; a Wound without a save is the next one of the pool that was scored on its unit. [WPOL-1]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from events.assault import ChargeDeclared, InitiativeStepStarted, SweepingAdvanceRolled
from events.attacks import (
    BlowsStruck,
    HitsScored,
    ModelRemoved,
    TargetChosen,
    UnitDestroyed,
    WeaponFired,
    WoundAllocated,
    WoundsLost,
    WoundsScored,
    WoundSuffered,
)
from events.base import Event, UnitId, Value
from events.choices import AllocateWounds
from events.game import Chosen, DiceRolled, PhaseStarted
from projections.queries import unit_of_model
from replay.analysis.units import Enrolled, Facts, enrolled


class Harm(Value, frozen=True, gc=False):
    """What one unit lost to one source in one step."""

    step: int
    attacker: UnitId
    """"" where no enemy did it: terrain, or fleeing off the table."""
    weapon: str
    """The weapon's id, or the cause where no weapon did it ("swept", "dangerous terrain")."""
    victim: UnitId
    wounds: int
    """Unsaved Wounds."""
    models: int
    """Models removed."""


class WeaponTally(Value, frozen=True, gc=False):
    """All that a unit did with one of its weapons."""

    unit: UnitId
    weapon: str
    attacks: int
    """Shots and blows."""
    hits: int
    wounds: int
    """Before saves."""
    unsaved: int
    models: int
    """Enemy models removed."""
    points: int
    """Their points, in tenths."""


class Source(NamedTuple):
    """A unit and the weapon it uses."""

    unit: UnitId
    weapon: str


class _Scored:
    """Wounds of one source in a pool, while they are allocated."""

    def __init__(self, event: WoundsScored) -> None:
        self.source = Source(event.unit, event.weapon)
        self.kind = event.strength, event.ap
        self.left = event.wounds


class _Attribution:
    """Follows the pools and knows whose the Wound is that was allocated last."""

    def __init__(self) -> None:
        self.pools: dict[UnitId, list[_Scored]] = {}
        self.kind: tuple[int, int | None] | None = None
        self.source: Source | None = None
        self.pursuers: dict[UnitId, UnitId] = {}
        self._taker: UnitId = ""

    def follow(self, event: Event) -> None:
        """Take up one event; `source` is up to date when a Wound is suffered."""
        match event:
            case TargetChosen() | ChargeDeclared() | InitiativeStepStarted() | PhaseStarted():
                self.pools, self.kind, self.source = {}, None, None
            case WoundsScored(target=target):
                self.pools.setdefault(target, []).append(_Scored(event))
                self.kind = None
            case Chosen(choice=AllocateWounds(strength=strength, ap=ap)):
                self.kind = strength, ap
            case WoundAllocated(model=model, save=save):
                self._taker = unit_of_model(model)
                self.source = None if save else self._next(None)
            case DiceRolled(purpose=purpose) if self._taker and purpose.endswith(" save"):
                self.source = self._next(Source(event.opponent, event.weapon))
            case WoundsLost(target=target):
                self.pools.pop(target, None)
            case SweepingAdvanceRolled(unit=unit, pursuer=pursuer):
                self.pursuers[unit] = pursuer
            case _:
                pass

    def _next(self, wanted: Source | None) -> Source | None:
        """Take a Wound from the pool on the unit: of a source, or else of the group chosen."""
        pool = [scored for scored in self.pools.get(self._taker, ()) if scored.left]
        fits = [scored for scored in pool if wanted in (None, scored.source)]
        chosen = [scored for scored in fits if scored.kind == self.kind]
        for scored in (chosen or fits)[:1]:
            scored.left -= 1
            return scored.source
        return wanted if wanted is not None and wanted.unit else None


def harms(facts: Facts) -> Iterator[Harm]:
    """Yield each Wound suffered and each model removed with its source, in order of play."""
    facts = list(facts)
    attribution = _Attribution()
    left = {unit: one.models for unit, one in enrolled(facts).items()}
    for step, event in facts:
        attribution.follow(event)
        if isinstance(event, WoundSuffered | ModelRemoved):
            victim = unit_of_model(event.model)
            unit, weapon = attribution.source or Source("", event.cause)
            if isinstance(event, WoundSuffered):
                yield Harm(step, unit, weapon, victim, event.wounds, 0)
            else:
                left[victim] -= 1
                yield Harm(step, unit, weapon, victim, 0, 1)
        elif isinstance(event, UnitDestroyed) and left[event.unit]:
            by = attribution.pursuers.get(event.unit, "") if event.cause == "swept" else ""
            yield Harm(step, by, event.cause, event.unit, 0, left[event.unit])
            left[event.unit] = 0


def weapon_tallies(facts: Facts, units: dict[UnitId, Enrolled]) -> tuple[WeaponTally, ...]:
    """Return what each unit did with each weapon, in the order they were first used."""
    facts = list(facts)
    counts: dict[Source, list[int]] = {}

    def add(unit: UnitId, weapon: str, column: int, number: int) -> None:
        counts.setdefault(Source(unit, weapon), [0] * 6)[column] += number

    for _, event in facts:
        match event:
            case WeaponFired(unit=unit, weapon=weapon, shots=number):
                add(unit, weapon, 0, number)
            case BlowsStruck(unit=unit, weapon=weapon, attacks=number):
                add(unit, weapon, 0, number)
            case HitsScored(unit=unit, weapon=weapon, hits=number):
                add(unit, weapon, 1, number)
            case WoundsScored(unit=unit, weapon=weapon, wounds=number):
                add(unit, weapon, 2, number)
            case _:
                pass
    killed: dict[tuple[Source, UnitId], int] = {}
    for harm in harms(facts):
        source = Source(harm.attacker, harm.weapon)
        if harm.attacker:
            add(harm.attacker, harm.weapon, 3, harm.wounds)
            add(harm.attacker, harm.weapon, 4, harm.models)
            killed[source, harm.victim] = killed.get((source, harm.victim), 0) + harm.models
    for (source, victim), models in killed.items():
        counts[source][5] += units[victim].worth(models)
    return tuple(WeaponTally(*source, *numbers) for source, numbers in counts.items())
