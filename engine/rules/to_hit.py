"""Rolling To Hit: the score a shot or a blow needs. [THIT, BSIX, SNAP, MHIT]"""

from __future__ import annotations

PRECISE = 6
"""A To Hit roll that makes a shot a Precision Shot, where its model or weapon can. [ALLO-5]"""

SNAP_BS = 1
"""A Snap Shot is fired at this Ballistic Skill, whatever the model's. [SNAP-1]"""


def shooting_needed(bs: int) -> tuple[int, int | None]:
    """Return the score a shot needs, and the score of its re-roll from BS 6 on. [THIT-1, BSIX-1]

    `bs` is at least 1: a model without Ballistic Skill can't shoot. [ZERO-2] A 1 always misses.
    [DMOD-3]

    >>> [shooting_needed(bs) for bs in (1, 4, 5, 6, 10)]
    [(6, None), (3, None), (2, None), (2, 6), (2, 2)]
    """
    if bs >= 6:
        return 2, max(2, 12 - bs)
    return 7 - bs, None


def melee_needed(ws: int | None, target_ws: int | None) -> int:
    """Return the score a blow needs, 0 where it hits automatically. [MHIT-1, MHIT-3, ZERO-2]

    >>> [melee_needed(4, target) for target in (3, 4, 8, 9, None)]
    [3, 4, 4, 5, 0]
    """
    ours, theirs = ws or 0, target_ws or 0
    if not theirs:
        return 0
    if ours > theirs:
        return 3
    return 5 if theirs > 2 * ours else 4
