"""A line on its way from text to a choice: its words, where they stand, what was expected."""

from __future__ import annotations

import re
from typing import NoReturn

import msgspec

from engine.notation.lengths import to_mils, to_point
from events.base import ModelId, Side, UnitId
from events.errors import NotationError
from events.values import Point

MAX_LINE = 20_000
"""Longest line read, in characters: a hundred models with all their waypoints fit."""

_WORDS = re.compile(r"\S+")
_WORDS_AND_SIGNS = re.compile(r"[>+]|[^\s>+]+")
_SIGNED = ("shoot", "charge", "direct", "rule")
"""Lines in which ``>`` and ``+`` are words of their own, with or without spaces around them."""
_SLUG = re.compile(r"[a-z0-9-]+")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_LINK = re.compile(r"[0-9a-f]{64}")
_MODEL = re.compile(r"[a-z0-9-]+\.[1-9][0-9]{0,3}")


class Dice(msgspec.Struct, frozen=True, gc=False):
    """Faces that people rolled and typed in: ``dice 3 5 1``."""

    faces: tuple[int, ...]


class Reveal(msgspec.Struct, frozen=True, gc=False):
    """The link that a side reveals: ``reveal red 3f9c...``, 64 hexadecimal digits."""

    by: Side
    link: str


class LineError(NotationError):
    """A line that can't be read; `column` is where the wrong word starts, from 0, in `line`."""

    def __init__(self, line: str, column: int, word: str, reason: str) -> None:
        super().__init__(repr(word) if word else "end of line", reason)
        self.line = line
        self.column = column

    def caret(self) -> str:
        """Return the line, and under it a caret at the wrong word with the reason."""
        return f"{self.line}\n{' ' * self.column}^ {self.reason}"


class Line:
    """The words of a line, taken one after the other. Every method raises LineError."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LINE:
            raise LineError(text[:60], 0, text[:20], f"a line has at most {MAX_LINE} characters")
        self.text = text
        verb = text.split(maxsplit=1)[0].lower() if text.strip() else ""
        pattern = _WORDS_AND_SIGNS if verb in _SIGNED else _WORDS
        self.words = [(found.group(), found.start()) for found in pattern.finditer(text)]
        self.taken = 0

    def more(self) -> bool:
        """Whether words are left."""
        return self.taken < len(self.words)

    def take(self, right: str) -> str:
        """Return the next word in lower case; `right` says what belongs there."""
        if not self.more():
            raise LineError(self.text, len(self.text.rstrip()) + 1, "", f"{right} is missing here")
        word = self.words[self.taken][0]
        self.taken += 1
        return word.lower() if word.isascii() else word

    def refuse(self, right: str) -> NoReturn:
        """Refuse the word taken last."""
        word, column = self.words[self.taken - 1]
        raise LineError(self.text, column, word, f"{right} is right here")

    def end(self) -> None:
        """Refuse words that are left over."""
        if self.more():
            word, column = self.words[self.taken]
            raise LineError(self.text, column, word, "the line should end before this word")

    def next_is_number(self) -> bool:
        """Whether the next word is a whole number from 1; takes nothing."""
        return self.more() and _NUMBER.fullmatch(self.words[self.taken][0]) is not None

    def next_is(self, word: str) -> bool:
        """Take the next word if it is this one; return whether it was."""
        found = self.more() and self.words[self.taken][0] == word
        self.taken += found
        return found

    def literal(self, *words: str) -> str:
        """Take one of these words."""
        right = " or ".join(f'"{word}"' for word in words)
        word = self.take(right)
        if word not in words:
            self.refuse(right)
        return word

    def slug(self, right: str) -> str:
        """Take a slug."""
        word = self.take(right)
        if _SLUG.fullmatch(word) is None:
            self.refuse(right)
        return word

    def unit(self) -> UnitId:
        """Take a unit's id."""
        return self.slug("a unit id, such as boyz,")

    def weapon(self) -> str:
        """Take a weapon's id."""
        return self.slug("a weapon id, such as boltgun,")

    def number(self, right: str) -> int:
        """Take a whole number from 1."""
        word = self.take(right)
        if _NUMBER.fullmatch(word) is None:
            self.refuse(right)
        return int(word)

    def count(self, right: str) -> int:
        """Take a whole number from 0."""
        word = self.take(right)
        if word != "0" and _NUMBER.fullmatch(word) is None:
            self.refuse(right)
        return int(word)

    def numbers(self, right: str) -> tuple[int, ...]:
        """Take whole numbers to the end of the line, at least one."""
        found = [self.number(right)]
        while self.more():
            found.append(self.number(right))
        return tuple(found)

    def length(self) -> int:
        """Take a length in inches; return mils."""
        right = "a length in inches, such as 6 or 4.5,"
        mils = to_mils(self.take(right))
        if mils is None or mils < 0:
            self.refuse(right)
        return mils

    def point(self) -> Point:
        """Take a place or vector."""
        right = "a place or vector in inches, such as 12.5,30,"
        point = to_point(self.take(right))
        if point is None:
            self.refuse(right)
        return point

    def link(self) -> str:
        """Take a link of a hash chain."""
        right = "a link of 64 hexadecimal digits"
        word = self.take(right)
        if _LINK.fullmatch(word) is None:
            self.refuse(right)
        return word

    def model(self) -> ModelId:
        """Take a model's id."""
        right = "a model id, such as boyz.3,"
        word = self.take(right)
        if _MODEL.fullmatch(word) is None:
            self.refuse(right)
        return word
