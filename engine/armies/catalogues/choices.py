"""The notation of a choice from a catalogue: ``9 Trooper [Rifle, 2 Grenade]``.

::

    choice = [NUMBER] NAME ["[" choice {"," choice} "]"]
    NAME   = words, or anything in double quotes

A number is how many of it for one of what it is chosen under.
"""

from __future__ import annotations

import re

from events.base import Value
from events.errors import RosterError

MAX_LENGTH = 4_000
"""Longest choice read."""
MAX_DEPTH = 12
"""Deepest nesting read."""
MAX_NUMBER = 999
"""Most of one thing."""

_TOKEN = re.compile(r'\s*(?:"([^"]*)"|([\[\],])|([^\[\],"]+))')
_NUMBERED = re.compile(r"([0-9]{1,3}) +(\S.*)|([0-9]{1,3})")


class Choice(Value, frozen=True, gc=False):
    """A choice by name, and what is chosen under it."""

    name: str
    number: int = 1
    choices: tuple[Choice, ...] = ()

    def __str__(self) -> str:
        number = f"{self.number} " if self.number != 1 else ""
        quoted = any(mark in self.name for mark in "[],") or _NUMBERED.fullmatch(self.name)
        name = f'"{self.name}"' if quoted else self.name
        below = ", ".join(map(str, self.choices))
        return f"{number}{name} [{below}]" if below else f"{number}{name}"


def read_choice(text: str) -> Choice:
    """Read one choice. Raises RosterError naming the place in the text.

    >>> read_choice("Squad [Sergeant, 9 Trooper [Rifle]]").choices[1]
    Choice(name='Trooper', number=9, choices=(Choice(name='Rifle', number=1, choices=()),))
    >>> str(read_choice('3 "Big, Bad" [ Hat ]'))
    '3 "Big, Bad" [Hat]'
    """
    if len(text) > MAX_LENGTH:
        raise RosterError("choice", f"{len(text):,} characters; at most {MAX_LENGTH:,} are read")
    reader = _Reader(text)
    choice = reader.choice(0)
    if reader.mark or reader.word or reader.quoted is not None:
        raise reader.refuse("nothing after a choice but [what is chosen under it]")
    return choice


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.mark = ""
        """The bracket or comma that stands next, or "" for a name or the end."""
        self.word = ""
        self.quoted: str | None = None
        self.next()

    def next(self) -> None:
        """Read the next token."""
        self.start = self.at
        self.mark, self.word, self.quoted = "", "", None
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            if self.text[self.at :].strip():
                raise self.refuse("a closed quote")
            self.at = len(self.text)
            return
        self.at = match.end()
        self.quoted, self.mark, self.word = match[1], match[2] or "", (match[3] or "").strip()

    def refuse(self, right: str) -> RosterError:
        here = self.text[self.start :].strip()[:30]
        return RosterError(f"choice, character {self.start + 1}", f"{here!r}: {right} is needed")

    def choice(self, depth: int) -> Choice:
        if depth > MAX_DEPTH:
            raise self.refuse(f"no deeper nesting than {MAX_DEPTH}")
        number, name = 1, self.word
        if (match := _NUMBERED.fullmatch(name)) is not None:
            number, name = int(match[1] or match[3]), match[2] or ""
            if not name:
                self.next()
                name = ""
        if self.quoted is not None and not name:
            name = self.quoted
        if not name.strip():
            raise self.refuse("a name")
        self.next()
        if self.quoted is not None or self.word:
            raise self.refuse("a comma or a bracket")
        below = []
        if self.mark == "[":
            while self.mark != "]":
                self.next()
                below.append(self.choice(depth + 1))
                if self.mark not in (",", "]"):
                    raise self.refuse("a comma or a closing bracket")
            self.next()
        return Choice(name.strip(), number, tuple(below))
