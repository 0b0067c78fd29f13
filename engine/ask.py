"""What a rule may await: an answer from a player, or dice. Nothing else comes from outside."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Generic, TypeVar

from events.base import UnitId
from events.choices import Choice
from events.questions import AnyQuestion

C = TypeVar("C", bound=Choice)


class Ask(Generic[C]):
    """``await Ask(question, Charge)``: put a question to a player and get the typed choice.

    The kinds are what the rule is ready for; `check` has refused every other before.
    """

    __slots__ = ("kinds", "question")

    def __init__(self, question: AnyQuestion, *kinds: type[C]) -> None:
        self.question = question
        self.kinds = kinds

    def __await__(self) -> Generator[Any, Any, C]:
        choice: C = yield self
        return choice


class Roll:
    """``await Roll("to hit", 10, need=3, subject=unit)``: roll dice and get their faces.

    A roll of no dice makes no event and gives an empty tuple. `need` is the face that succeeds;
    `step` is the Initiative step or 0. All but the count belong to the dice's address.
    """

    __slots__ = ("count", "need", "opponent", "purpose", "sides", "step", "subject", "weapon")

    def __init__(
        self,
        purpose: str,
        count: int = 1,
        *,
        sides: int = 6,
        need: int = 0,
        subject: UnitId = "",
        opponent: UnitId = "",
        weapon: str = "",
        step: int = 0,
    ) -> None:
        self.purpose = purpose
        self.count = count
        self.sides = sides
        self.need = need
        self.subject = subject
        self.opponent = opponent
        self.weapon = weapon
        self.step = step

    def __await__(self) -> Generator[Any, Any, tuple[int, ...]]:
        faces: tuple[int, ...] = yield self
        return faces

    def describe(self) -> str:
        """Say what the dice are for, in words.

        >>> Roll("to hit", 10, need=3, subject="warriors", weapon="boltgun").describe()
        '10D6 to hit (warriors, boltgun, 3+)'
        """
        about = [x for x in (self.subject, self.weapon) if x]
        if self.need:
            about.append(f"{self.need}+")
        more = f" ({', '.join(about)})" if about else ""
        return f"{self.count}D{self.sides} {self.purpose}{more}"
