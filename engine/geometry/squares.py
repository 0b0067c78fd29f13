"""Hurdles sorted by squares of ground: a place is compared with the few that are near it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.paths import Hurdle
from engine.geometry.polygons import sweeps

BITS = 11
"""A square is 2**11 mils wide, a base inflated by another: most reach into four of them."""


class Squares:
    """Hurdles for one size of base. Sorted when first asked; they may not change after that."""

    __slots__ = ("_among", "_squares")

    def __init__(self, among: Sequence[Hurdle]) -> None:
        self._among = among
        self._squares: dict[tuple[int, int], list[Hurdle]] | None = None

    def at(self, x: int, y: int) -> Hurdle | None:
        """Return the first hurdle that a base standing there is in, or None."""
        squares = self._squares
        if squares is None:
            squares = self._squares = self._sorted()
        for item in squares.get((x >> BITS, y >> BITS), ()):
            if item[5] is None:
                dx, dy = item[0] - x, item[1] - y
                if 16129 * (dx * dx + dy * dy) < item[3]:
                    return item
            elif sweeps(x, y, x, y, item[3], item[5]):
                return item
        return None

    def _sorted(self) -> dict[tuple[int, int], list[Hurdle]]:
        squares: dict[tuple[int, int], list[Hurdle]] = {}
        for item in self._among:
            x, y, reach = item[0], item[1], item[2]
            rows = range(y - reach >> BITS, (y + reach >> BITS) + 1)
            for i in range(x - reach >> BITS, (x + reach >> BITS) + 1):
                for j in rows:
                    place = i, j
                    if place in squares:
                        squares[place].append(item)
                    else:
                        squares[place] = [item]
        return squares
