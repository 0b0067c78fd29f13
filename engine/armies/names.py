"""Names as printed and slugs as used: the one place where a display name becomes an id."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_LONGEST = 48


def clean(text: str) -> str:
    """Return `text` on one line without blanks at its ends or characters that print nothing.

    >>> clean("\\u200b Nauseating \\n Aura")
    'Nauseating Aura'
    """
    if not text.isprintable():
        text = "".join(c for c in text if c.isprintable() or c.isspace())
    return " ".join(text.split())


def slug(text: str, fallback: str) -> str:
    """Return `text` in lower-case ASCII letters, digits and hyphens, or `fallback` if none is left.

    >>> slug("Déad-Eye O'Brien (2nd)", "unit")
    'dead-eye-obrien-2nd'
    """
    plain = unicodedata.normalize("NFKD", re.sub("['`\u2018\u2019]", "", text))
    ascii_only = plain.encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:_LONGEST].rstrip("-") or fallback


def unit_slug(name: str) -> str:
    """Return the slug of a unit's name; what stands in brackets is a remark, not part of the name.

    >>> unit_slug("Tactical Squad (Compulsory)")
    'tactical-squad'
    """
    return slug(re.sub(r"\([^)]*\)?", " ", name), "") or slug(name, "unit")


def numbered(name: str) -> Iterator[str]:
    """Yield `name`, then ``name-2``, ``name-3`` and so on: take the first that is free."""
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1
