"""Special rules and wargear that the engine applies, by name. The one place that knows the names.

What a model or weapon has beyond the basic rules holds before them. [BVA-1, BVA-2, BVA-3]

A roster spells them as it likes ("Two-handed", "two handed weapon", "frag-grenades"): names are
compared by their letters alone, without capitals, brackets and a plural s. Rules of a weapon stand
in `Weapon.rules`, those of a model in `ModelSetup.rules`, those of all of a unit's models in
`UnitSetup.not_applied`, which holds every name whether the engine applies it or not; wargear with
a profile of its own is among a model's weapons.
"""

from __future__ import annotations

import re
from functools import lru_cache

from events.base import UnitId
from events.values import UnitSetup, Weapon
from projections.battle import Battle
from projections.queries import setup_of, unit_of

_NOT_A_LETTER = re.compile(r"[^a-z]")


@lru_cache(maxsize=4096)
def key(name: str) -> str:
    """Return what names are compared by.

    >>> key("Two-Handed"), key("frag-grenades"), key("Poisoned (4+)")
    ('twohanded', 'fraggrenade', 'poisoned')
    """
    return _NOT_A_LETTER.sub("", name.partition("(")[0].lower()).removesuffix("s")


UNWIELDY = key("Unwieldy")
"""A model striking with such a weapon strikes at Initiative step 1. [ISTP-4, PILE-2]"""

SPECIALIST = key("Specialist Weapon")
"""Only a second such weapon gives its bearer another attack with it. [MWPN-2]"""

TWO_HANDED = key("Two-Handed")
"""Blows with it never have the attack for two weapons. [MWPN-2]"""

CHARACTER = key("Character")
"""In the 6th edition he piles in as soon as he can. [PILE-7]"""

RELENTLESS = key("Relentless")
"""It fires as if it hadn't moved, and may charge whatever it fired. [MVSH-1, CDEC-7]"""

SLOW_AND_PURPOSEFUL = key("Slow and Purposeful")
"""It makes no sweeping advances. [SWEP-4]"""

MOVE_THROUGH_COVER = key("Move Through Cover")
"""Its unit tests for difficult terrain with another die, it passes dangerous terrain. [DIFF-12]"""

TWIN_LINKED = key("Twin-linked")
"""Shots of such a weapon that miss are rolled again. [RERL-1, SNAP-3]"""

PRECISION_SHOTS = key("Precision Shots")
"""Of a model or weapon: Wounds of its 6s To Hit go where the shooter says. [ALLO-5]"""

FEARLESS = key("Fearless")
"""A unit with such a model passes Morale checks and can't Go to Ground. [GTG-4, AUTO-1]"""

STUBBORN = key("Stubborn")
"""Its unit's Morale checks and Pinning tests ignore negative modifiers. [MMOD-2]"""

PINNING = key("Pinning")
"""A weapon whose unsaved Wounds make their unit test for Pinning. [GTG-4, LDT-5]"""

IGNORES_COVER = key("Ignores Cover")
"""A weapon against which there are no cover saves. [COVR-4]"""

ASSAULT_GRENADES = tuple(map(key, ("Assault Grenades", "Frag Grenades", "Plasma Grenades")))
"""Their bearers keep their Initiative when they charge through difficult terrain. [CDIF-8]"""

DEFENSIVE_GRENADES = tuple(map(key, ("Defensive Grenades", "Photon Grenades")))
"""Who charges a unit that has them gets no attack for it. [NATK-4]"""

APPLIED = frozenset(
    {
        UNWIELDY,
        SPECIALIST,
        TWO_HANDED,
        MOVE_THROUGH_COVER,
        IGNORES_COVER,
        PINNING,
        PRECISION_SHOTS,
        RELENTLESS,
        STUBBORN,
        TWIN_LINKED,
        *ASSAULT_GRENADES,
        *DEFENSIVE_GRENADES,
    }
)
"""Names that the engine applies in full."""

IN_PART = frozenset({CHARACTER, FEARLESS, SLOW_AND_PURPOSEFUL})
"""Names that it applies only in the rule cited."""


def applied(name: str) -> bool:
    """Whether the engine applies the rule or wargear of that name in full.

    >>> applied("Unwieldy"), applied("Frag Grenades"), applied("Rust Curse")
    (True, True, False)
    """
    return key(name) in APPLIED


def matters(name: str) -> bool:
    """Whether the engine applies the rule or wargear of that name at all."""
    return applied(name) or key(name) in IN_PART


def weapon_has(weapon: Weapon, rule: str) -> bool:
    """Whether a weapon has a rule, given by its `key`."""
    return bool(weapon.rules) and any(key(name) == rule for name in weapon.rules)


def model_has(setup: UnitSetup, n: int, *rules: str) -> bool:
    """Whether a model has one of these rules or carries one of these things, given by `key`."""
    model = setup.models[n - 1]
    names = (*setup.not_applied, *model.rules, *model.weapons)
    return any(key(name) in rules for name in names)


def anyone_has(battle: Battle, unit: UnitId, *rules: str) -> bool:
    """Whether any living model of a unit has one of these rules, given by `key`."""
    setup, models = setup_of(battle, unit), unit_of(battle, unit).models
    if any(key(name) in rules for name in setup.not_applied):
        return bool(models)
    return any(
        key(name) in rules
        for model in models
        for name in (*setup.models[model.n - 1].rules, *setup.models[model.n - 1].weapons)
    )
