"""The armies and battles that are measured: the bundled armies, once or several times over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from engine.armies import bundled, read_army_bytes
from engine.bots import bots_for, play_out
from engine.game import Game
from engine.tables import table_named
from events.base import Side
from events.ledger import Ledger
from events.values import Army, UnitSetup


def army(name: str, side: Side, times: int) -> Army:
    """Return a bundled army of 750 points, `times` over (twice: 1,500 points)."""
    read = read_army_bytes(bundled(name), f"{name}.ros", side).army
    assert read is not None
    units = tuple(
        unit
        if k == 1
        else replace(
            unit,
            id=f"{unit.id}-x{k}",
            models=tuple(
                replace(m, id=f"{unit.id}-x{k}.{n}") for n, m in enumerate(unit.models, 1)
            ),
        )
        for k in range(1, times + 1)
        for unit in read.units
    )
    return replace(read, units=units)


def grown(army: Army, models: int) -> Army:
    """Return an army whose units of several models have at least so many, more of their last."""
    return replace(army, units=tuple(_grown(unit, models) for unit in army.units))


def _grown(unit: UnitSetup, models: int) -> UnitSetup:
    here = unit.models
    more = range(len(here) + 1, models + 1) if len(here) > 1 else ()
    return replace(unit, models=here + tuple(replace(here[-1], id=f"{unit.id}.{n}") for n in more))


class Enough(Exception):
    """A battle is long enough."""


def battle(
    ledger: Ledger,
    times: int,
    name: str = "battle",
    until: int = 0,
    *,
    table: str = "open",
    models: int = 0,
) -> Game:
    """Play a bot battle, to its end or until it has so many events.

    With `models` its units have at least so many each.
    """
    game = Game.create(
        ledger,
        red=grown(army("emberguard", "red", times), models),
        blue=grown(army("ratskar", "blue", times), models),
        seed="a seed",
        undo="free",
        game=name,
        table=table_named(table),
        now=lambda: 0,
    )

    def watch(game: Game) -> None:
        if until and events_in(game) >= until:
            raise Enough

    tell: Callable[[Game], None] | None = watch if until else None
    with suppress(Enough):
        play_out(game, *bots_for(game), tell)
    return game


def events_in(game: Game) -> int:
    """Count the events of the game's steps."""
    return sum(len(node.events) for node in game.history.nodes.values())
