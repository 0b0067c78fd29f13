"""The state digest: a battle in canonical form, hashed. [P4]

Setups never change and most units don't between two steps, so their digests are kept by object:
a unit that is its parent's object keeps its digest. A whole battle costs a few microseconds.
"""

from __future__ import annotations

from hashlib import blake2b
from operator import attrgetter, is_
from typing import Any

import msgspec

from projections.battle import Battle

SIZE = 16
"""Digest size in bytes (32 hex digits)."""

_encode = msgspec.json.Encoder(order="deterministic").encode
_rest = attrgetter(*(f for f in Battle.__struct_fields__ if f not in ("setups", "units", "armies")))


class Digester:
    """Digests battles of one game, remembering parts of the last one.

    >>> from events.values import Table
    >>> from projections.battle import Settings
    >>> battle = Battle(Settings("40k-7e", "seeded", "blake2b/1", "free", "same"), Table())
    >>> Digester().digest(battle) == Digester().digest(battle)
    True
    """

    def __init__(self) -> None:
        self._parts: tuple[Any, ...] = ()
        self._digests: list[bytes] = []

    def digest(self, battle: Battle) -> str:
        """Return the state digest, 32 hex digits. Equal battles have equal digests."""
        parts = (battle.setups, battle.armies, *battle.units)
        digests = self._digests
        if len(parts) != len(digests):
            self._digests = digests = [_digest_of(part) for part in parts]
        else:
            for index, kept in enumerate(map(is_, parts, self._parts)):
                if not kept:
                    digests[index] = _digest_of(parts[index])
        self._parts = parts
        return blake2b(b"".join(digests) + _encode(_rest(battle)), digest_size=SIZE).hexdigest()


def _digest_of(part: Any) -> bytes:
    return blake2b(_encode(part), digest_size=SIZE).digest()


def digest(battle: Battle) -> str:
    """Return the state digest of a battle on its own, 32 hex digits."""
    return Digester().digest(battle)
