"""Dice by address: a die depends on the seed, what it is rolled for and its number there. [P10]

``die = f(seed, address, ordinal)``: keyed blake2b over the canonical JSON of the address and the
ordinal, with rejection sampling, so there is no modulo bias and no generator state. A roll
elsewhere, or one added to the rules, moves no other die.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Protocol

import msgspec

from engine.ask import Roll
from engine.links import key_of_links
from events.errors import DiceError, Divergence
from events.game import Asked, DiceRolled, DiceSource
from events.questions import LinksNeeded
from events.wording import counted
from projections.battle import Battle, Clock

ALGORITHM = "blake2b-address/1"
"""The name that `GameCreated` records."""

_encode = msgspec.json.Encoder().encode


_WORDS = 8
"""Dice to a hash block: 64 bytes in eight words."""


def key_of(seed: str) -> bytes:
    """Return the key that a seed gives to every die of the game."""
    return blake2b(seed.encode(), digest_size=32).digest()


def die(key: bytes, address: Sequence[str | int], ordinal: int, sides: int = 6) -> int:
    """Return one die, 1 to `sides`, for an address and ordinal.

    >>> address = [1, "red", "shooting", 0, "boyz", "slugga", "to hit", "", 0]
    >>> [die(key_of("a seed"), address, n) for n in range(6)]
    [6, 6, 6, 3, 2, 4]
    """
    return dice_at(key, address, ordinal, 1, sides)[0]


def dice_at(
    key: bytes, address: Sequence[str | int], ordinal: int, count: int, sides: int = 6
) -> tuple[int, ...]:
    """Return `count` dice from an ordinal on: the same as one by one, 3 microseconds for eight.

    >>> address = [1, "red", "shooting", 0, "boyz", "slugga", "to hit", "", 0]
    >>> dice_at(key_of("a seed"), address, 0, 6)
    (6, 6, 6, 3, 2, 4)
    """
    limit = (1 << 64) - (1 << 64) % sides
    faces: list[int] = []
    block, index = b"", -1
    for n in range(ordinal, ordinal + count):
        if n // _WORDS != index:
            index = n // _WORDS
            block = _block(key, address, index, 0)
        start, attempt, word = n % _WORDS * 8, 0, block
        while (value := int.from_bytes(word[start : start + 8], "big")) >= limit:
            attempt += 1  # about once in 10**18 dice; the next block decides for this die alone
            word = _block(key, address, index, attempt)
        faces.append(value % sides + 1)
    return tuple(faces)


def _block(key: bytes, address: Sequence[str | int], index: int, attempt: int) -> bytes:
    return blake2b(_encode([*address, index, attempt]), key=key, digest_size=64).digest()


def address_of(clock: Clock, roll: Roll, salt: int) -> list[str | int]:
    """Return a roll's address: turn, player, phase, step, unit, weapon, purpose, opponent, salt."""
    return [
        clock.game_turn,
        clock.active,
        clock.phase,
        roll.step,
        roll.subject,
        roll.weapon,
        roll.purpose,
        roll.opponent,
        salt,
    ]


class DiceFrom(Protocol):
    """Where faces come from; None means that people must enter them or reveal links for them.

    Which of the two says `source`: ``entered`` or ``revealed``.
    """

    source: DiceSource
    salt: int

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...] | None:
        """Return the faces of a roll whose first die has this ordinal at its address."""
        ...


class SeededDice:
    """Faces derived from the game's seed."""

    source: DiceSource = "seeded"

    def __init__(self, seed: str) -> None:
        self.seed = ""
        self.key = b""
        self.salt = 0
        self.follow(seed)

    def follow(self, seed: str) -> None:
        """Take the next dice from this seed."""
        if seed != self.seed or not self.key:
            self.seed, self.key = seed, key_of(seed)

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...] | None:
        """Return the seeded faces. [P10]"""
        address = address_of(battle.clock, roll, self.salt)
        return dice_at(self.key, address, ordinal, roll.count, roll.sides)


class EnteredDice:
    """Real dice: every roll becomes an open question."""

    source: DiceSource = "entered"
    salt = 0

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...] | None:
        """Return None: the players roll."""
        return None


class RevealedDice:
    """Faces derived from both sides' links: an open question until both are there. [P10]

    `known`, where given, says the faces instead: they fell before, under other names.
    """

    source: DiceSource = "revealed"

    def __init__(self, known: DiceFrom | None = None) -> None:
        self.known = known
        self.key: bytes | None = None
        self.salt = 0

    def take(self, red: str, blue: str) -> None:
        """Take the dice of one step from these links; of the next ones again from none."""
        self.key = key_of_links(red, blue)

    def spent(self) -> None:
        """Ask for links again: a choice was made by who might know these."""
        self.key = None

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...] | None:
        """Return the faces that the links give, or None while they are due."""
        if self.key is None:
            return None
        if self.known is not None:
            return self.known.faces(battle, roll, ordinal)
        address = address_of(battle.clock, roll, self.salt)
        return dice_at(self.key, address, ordinal, roll.count, roll.sides)


class ScriptedDice:
    """Faces given in advance, in the order rolled; they must be used up exactly."""

    source: DiceSource = "scripted"
    salt = 0

    def __init__(self, faces: Iterable[int]) -> None:
        self.left = list(faces)
        self.used = 0

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...] | None:
        """Return the next faces. Raises DiceError when they run out or don't fit the die."""
        if len(self.left) < roll.count:
            raise DiceError(
                roll.purpose,
                f"{roll.describe()} needs {roll.count} scripted dice and {len(self.left)} are left"
                f" (after {self.used})",
            )
        faces, self.left = tuple(self.left[: roll.count]), self.left[roll.count :]
        check_faces(roll.purpose, faces, roll.count, roll.sides)
        self.used += roll.count
        return faces

    def exhausted(self) -> None:
        """Raise DiceError if any scripted die was not rolled."""
        if self.left:
            raise DiceError("dice", f"{len(self.left)} scripted dice left over: {self.left}")


class RecordedDice:
    """Faces from recorded rolls, in order: how a procedure is made again after an undo. [P5]

    `Asked` among them stands for a roll that people were asked for, or for its links.
    """

    source: DiceSource = "seeded"

    def __init__(self, rolls: Iterable[DiceRolled | Asked]) -> None:
        self.rolls = iter(rolls)
        self.salt = 0

    def faces(self, battle: Battle, roll: Roll, ordinal: int) -> tuple[int, ...] | None:
        """Return the recorded faces, or None where people were asked.

        Raises Divergence where another number of dice was recorded.
        """
        rolled = next(self.rolls, None)
        if rolled is None:
            return None
        if isinstance(rolled, Asked):
            self.source = "revealed" if isinstance(rolled.question, LinksNeeded) else "entered"
            return None
        if len(rolled.faces) != roll.count:
            raise Divergence(
                roll.purpose,
                f"{roll.describe()}, but {counted(len(rolled.faces), 'face')} recorded",
            )
        self.source, self.salt = rolled.source, rolled.salt
        return rolled.faces


def check_faces(where: str, faces: Sequence[int], count: int, sides: int) -> None:
    """Raise DiceError unless there are `count` faces from 1 to `sides`. [DMOD-5]"""
    if len(faces) != count:
        due, given = counted(count, "die", "dice"), counted(len(faces), "face")
        raise DiceError(where, f"{due} to roll, {given} given")
    for face in faces:
        if not 1 <= face <= sides:
            raise DiceError(where, f"a D{sides} shows 1 to {sides}, not {face}")


def rolled(roll: Roll, ordinal: int, dice: DiceFrom, faces: tuple[int, ...]) -> DiceRolled:
    """Return the event of a roll: faces, how many succeeded, and the first one's ordinal."""
    passed = sum(face >= roll.need for face in faces) if roll.need else 0
    return DiceRolled(
        roll.purpose,
        faces,
        roll.need,
        passed,
        roll.subject,
        roll.opponent,
        roll.weapon,
        roll.step,
        ordinal,
        roll.sides,
        dice.source,
        dice.salt,
    )
