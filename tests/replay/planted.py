"""Faults planted in the rules, each as a context in which they are at fault."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

from pytest import MonkeyPatch

from engine.ask import Roll
from engine.rules import charging, turn
from events.assault import UnitsLocked
from projections import reducers
from projections.battle import Battle
from projections.queries import units_on_table
from projections.reducers.assault import units_locked


@contextmanager
def forgotten_flag() -> Iterator[None]:
    """A reducer forgets that the last of the units is locked."""

    def forgetful(battle: Battle, event: UnitsLocked) -> Battle:
        return units_locked(battle, UnitsLocked(event.units[:-1]))

    with MonkeyPatch.context() as patch:
        patch.setitem(reducers.REDUCERS, UnitsLocked, forgetful)
        yield


@contextmanager
def die_drawn_twice(purpose: str = "charge range") -> Iterator[None]:
    """A rule draws its dice a second time and uses those."""

    def twice(self: Roll) -> Generator[Any, Any, tuple[int, ...]]:
        faces: tuple[int, ...] = yield self
        if self.purpose == purpose:
            faces = yield self
        return faces

    with MonkeyPatch.context() as patch:
        patch.setattr(Roll, "__await__", twice)
        yield


@contextmanager
def order_of_a_set() -> Iterator[None]:
    """Units that come free at the end of a phase are listed in the order of a set."""
    free: Callable[[Battle], tuple[str, ...]] = turn.units_to_unlock
    with MonkeyPatch.context() as patch:
        patch.setattr(turn, "units_to_unlock", lambda battle: tuple(set(free(battle))))
        yield


@contextmanager
def exception(n: int = 2) -> Iterator[None]:
    """A reducer trips over a lock where n units are locked already."""

    def tripping(battle: Battle, event: UnitsLocked) -> Battle:
        if sum(unit.locked for unit in battle.units) >= n:
            raise KeyError(event.units[0])
        return units_locked(battle, event)

    with MonkeyPatch.context() as patch:
        patch.setitem(reducers.REDUCERS, UnitsLocked, tripping)
        yield


@contextmanager
def listing_fails(when: int) -> Iterator[None]:
    """The list of who may charge trips over so many units on the table."""
    charges: Any = charging.charges

    def tripping(battle: Battle) -> Any:
        if sum(1 for _ in units_on_table(battle)) >= when and battle.question is not None:
            raise KeyError("charges")
        return charges(battle)

    with MonkeyPatch.context() as patch:
        patch.setattr(charging, "charges", tripping)
        yield
