"""Unit coherency: one unbroken group, each model within 2 inches of another. [UNIT-3]"""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.distance import INCH, Disc

COHERENCY = 2 * INCH
"""Models within this many mils of each other, edge to edge, hold a unit together. [UNIT-3]"""


def groups(discs: Sequence[Disc]) -> list[list[int]]:
    """Return the unbroken groups, as ascending indices, in order of their first model. [UNIT-3]

    >>> groups([Disc(0, 0, 127), Disc(3000, 0, 127), Disc(9000, 0, 127)])
    [[0, 1], [2]]
    """
    left = list(range(len(discs)))
    found: list[list[int]] = []
    while left:
        group = [left.pop(0)]
        for i in group:  # grows as it is walked: a flood fill
            x, y, r = discs[i]
            apart: list[int] = []
            for j in left:  # `within`, written out: this is the hot loop of every move
                u, v, s = discs[j]
                reach = 127 * COHERENCY + 500 * (r + s)
                if 16129 * ((x - u) ** 2 + (y - v) ** 2) <= reach * reach:
                    group.append(j)
                else:
                    apart.append(j)
            left = apart
        found.append(sorted(group))
    return found


def coherent(discs: Sequence[Disc]) -> bool:
    """Do the models form one unbroken group? No models and one model do. [UNIT-3]

    >>> coherent([Disc(0, 0, 127), Disc(3000, 0, 127), Disc(6000, 0, 127)])
    True
    """
    return len(groups(discs)) <= 1


def stragglers(discs: Sequence[Disc]) -> tuple[int, ...]:
    """Return the indices outside the largest group; of equal groups the first counts. [UNIT-3]

    >>> stragglers([Disc(0, 0, 127), Disc(3000, 0, 127), Disc(9000, 0, 127)])
    (2,)
    """
    found = groups(discs)
    if len(found) < 2:
        return ()
    main = max(found, key=len)
    return tuple(sorted(i for group in found if group is not main for i in group))
