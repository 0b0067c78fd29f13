"""Saves: which one a model may try against a Wound, and on what score. [SAVE, APEN, MSAV]"""

from __future__ import annotations

from events.attacks import SaveKind
from events.values import Profile

BEST = 2
"""No save is better than 2+: a 1 always fails. [XSAV-1, DMOD-3]"""


def best_save(
    profile: Profile, ap: int | None, cover: int | None = None
) -> tuple[SaveKind | None, int]:
    """Return the best save against a Wound and its score, or (None, 0). [MSAV-2, XSAV-1]

    AP equal to or lower than the armour's value pierces it; AP None never does. [APEN-1, WAP-1]
    It bothers neither invulnerable nor cover saves. [APEN-2, INVU-1] The same for shooting, blows
    and dangerous terrain, which leave no cover. [APEN-3, INVU-2] Of equal saves armour comes
    first, then invulnerable, then cover. [AMB-14]

    >>> knight = Profile("knight", 5, 4, 4, 4, 1, 5, 2, 9, save=3, invulnerable=4)
    >>> best_save(knight, 3, cover=5), best_save(knight, 4, cover=5), best_save(knight, None)
    (('invulnerable', 4), ('armour', 3), ('armour', 3))
    """
    armour = profile.save
    if armour is not None and ap is not None and ap <= armour:
        armour = None
    kinds: tuple[tuple[SaveKind, int | None], ...] = (
        ("armour", armour),
        ("invulnerable", profile.invulnerable),
        ("cover", cover),
    )
    allowed = [(kind, max(BEST, need)) for kind, need in kinds if need is not None]
    return min(allowed, key=lambda save: save[1]) if allowed else (None, 0)
