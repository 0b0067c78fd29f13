"""Dice for what may come, which are not those that the game itself would roll. [P10]"""

from __future__ import annotations

from engine.ask import Roll
from engine.dice import address_of, dice_at, key_of
from engine.enumerate import number
from events.game import DiceSource
from projections.battle import Battle


class SampledDice:
    """Faces as a seed would give them; as many samples as there are seeds."""

    source: DiceSource = "seeded"
    salt = 0

    def __init__(self, seed: str) -> None:
        self.ways = 1
        """How many ways there would be to walk if all branched as this one does. (Knuth, 1975)"""
        self._key = key_of(seed)

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...]:
        """Return the faces at the roll's address."""
        self.ways *= number(roll)
        address = address_of(battle.clock, roll, self.salt)
        return dice_at(self._key, address, ordinal, roll.count, roll.sides)
