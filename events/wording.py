"""Wording that messages of every layer share."""

from __future__ import annotations


def counted(number: int, thing: str, things: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "hit"), counted(3, "hit"), counted(2, "loss", "losses")
    ('1 hit', '3 hits', '2 losses')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"
