"""Dice whose faces are known by address: those that fell before, and seeded ones elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.ask import Roll
from engine.dice import address_of, dice_at, key_of
from events.base import Event
from events.game import DiceRolled, DiceSource
from projections.battle import Battle, Clock
from projections.reducers import fold
from projections.reducers.game import Rolled

Address = tuple[str | int, ...]
"""Turn, player, phase, step, unit, weapon, purpose, opponent, number of the die there."""


def _address(clock: Clock, roll: Rolled, ordinal: int) -> Address:
    return (
        clock.game_turn,
        clock.active,
        clock.phase,
        roll.step,
        roll.subject,
        roll.weapon,
        roll.purpose,
        roll.opponent,
        ordinal,
    )


class KnownDice:
    """A dice source: a die that fell at an address before falls there the same again.

    So choices can be left out, and the dice of those that stay are the dice they met. An address
    that nothing is known of gets the die of `seed`.
    """

    source: DiceSource = "seeded"

    def __init__(self, seed: str = "", salt: int = 0) -> None:
        self.known: dict[Address, int] = {}
        self.salt = salt
        self._key = key_of(seed)

    def learn(self, battle: Battle | None, events: Iterable[Event]) -> None:
        """Take up the dice of events that follow `battle`. Raises what a reducer raises."""
        self.known.update(_fallen(battle, events))

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...]:
        """Return the faces of a roll, each die by its own number at the address."""
        found: list[int] = []
        for n in range(ordinal, ordinal + roll.count):
            face = self.known.get(_address(battle.clock, roll, n), 0)
            if not 1 <= face <= roll.sides:
                address = address_of(battle.clock, roll, self.salt)
                (face,) = dice_at(self._key, address, n, 1, roll.sides)
            found.append(face)
        return tuple(found)


def _fallen(battle: Battle | None, events: Iterable[Event]) -> Iterator[tuple[Address, int]]:
    for event in events:
        if type(event) is DiceRolled:
            assert battle is not None  # a game starts with its creation
            for n, face in enumerate(event.faces, event.ordinal):
                yield _address(battle.clock, event, n), face
        battle = fold(battle, (event,))
