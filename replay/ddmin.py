"""Delta debugging: the few of many things that are still enough. (Zeller and Hildebrandt, 2002)

Twenty lines of our own: the libraries there are shrink files through a test program, and have no
way for a test to say that it has itself dropped some of what it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

Enough = Callable[[list[T]], list[T] | None]
"""Given some of the things, in order: those of them that were used if they are enough, or None."""


def smallest(things: Sequence[T], enough: Enough[T]) -> list[T]:
    """Return a part of `things` from which no single one can be left out.

    `things` themselves must be enough. Leaves out everything, then halves, quarters and so on,
    from the end on; about 2 k log n tries where k of n matter.

    >>> tries = []
    >>> def both(numbers):
    ...     tries.append(numbers)
    ...     return numbers if {3, 42} <= set(numbers) else None
    >>> smallest(range(1000), both), len(tries) < 50
    ([3, 42], True)
    """
    left = list(things)
    size = len(left)
    while size:
        end, dropped = len(left), False
        while end > 0:
            found = enough(left[: max(end - size, 0)] + left[end:])
            if found is not None and len(found) < len(left):
                left, dropped = found, True
            end = min(end - size, len(left))
        if size > 1 or not dropped:
            size //= 2
    return left
