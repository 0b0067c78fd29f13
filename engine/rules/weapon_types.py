"""What the types of ranged weapon mean: shots, reach, moving, Snap Shots. [ASLT to PRMW, SNAP]

Assault weapons and pistols do not mind moving and never bar a charge [ASLT-1, ASLT-2, PIST-1,
PIST-2]; nor do primary weapons [PRMW-2]. Ordnance is fired as often as a Heavy weapon is [ORDN-1].
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.geometry import Disc, within
from engine.rules.line_of_sight import Sightlines
from engine.rules.special_rules import RELENTLESS, model_has
from events.base import UnitId
from events.values import Weapon
from projections.battle import AssaultPhase, Battle
from projections.queries import setup_of, turn_of, unit_of

FIRED = ("assault", "heavy", "rapid_fire", "pistol", "salvo", "ordnance", "primary")
"""Types that can be fired; melee weapons can't, bombs are dropped, others aren't played.

[MELE-1, BOMB-1]
"""


BLASTS = {"blast": 3000, "large blast": 5000, "massive blast": 7000, "apocalyptic blast": 10000}
"""Blast markers by name: how far across in mils. [APOC-1, APOC-2]"""

_BLAST = re.compile(
    r"(?:(\d{1,2})[\"\u201d\u2033] *)?((?:small|large|massive|apocalyptic)? ?blast)"
    r"(?: *\(?(\d{1,2})[\"\u201d\u2033]\)?)?",
    re.IGNORECASE,
)


def blast_size(words: str) -> int:
    """Return how far across the marker is that words mean, in mils; 0 if they mean none.

    >>> blast_size("Large Blast"), blast_size('5" Blast'), blast_size("Small Blast (3\u201d)")
    (5000, 5000, 3000)
    >>> blast_size("Blastmaster")
    0
    """
    found = _BLAST.fullmatch(words.strip())
    if found is None:
        return 0
    inches = found[1] or found[3]
    return int(inches) * 1000 if inches else BLASTS[found[2].lower().removeprefix("small ")]


def snap_fires(gun: Weapon) -> bool:
    """Whether a weapon can be fired as Snap Shots. [SNAP-2]"""
    return not (gun.blast or gun.template or gun.type == "ordnance")


def in_overwatch(battle: Battle) -> bool:
    """Whether whoever fires now fires Overwatch: Snap Shots only. [OVWT-3]"""
    return isinstance(battle.phase, AssaultPhase)


def only_snap_shots(battle: Battle, unit: UnitId) -> bool:
    """Whether a unit may fire only Snap Shots. [SHNM-2, RGRP-2, GTG-3, OVWT-3]

    It falls back, has Gone to Ground, Regrouped this turn, or fires Overwatch.
    """
    found = unit_of(battle, unit)
    down = found.falling_back or found.gone_to_ground
    return down or in_overwatch(battle) or turn_of(battle, unit).regrouped


def moved_models(battle: Battle, unit: UnitId) -> tuple[int, ...]:
    """Return the models that count as having moved when they fire. [MVSH-1, MVSH-2, RGRP-2]

    All of a unit that Regrouped; those that are Relentless never.
    """
    turn = turn_of(battle, unit)
    if not turn.moved and not turn.regrouped:
        return ()
    moved = tuple(m.n for m in unit_of(battle, unit).models) if turn.regrouped else turn.moved
    setup = setup_of(battle, unit)
    return tuple(n for n in moved if not model_has(setup, n, RELENTLESS))


def may_fire(gun: Weapon, moved: bool, snap: bool, overwatch: bool = False) -> bool:
    """Whether a model may fire a weapon, `moved` or not, ordinarily or as a `snap` shot.

    Who moved fires Heavy weapons as Snap Shots [HEVY-2] and no Ordnance [ORDN-2]. What can't be
    snap fired isn't fired then [SNAP-2], but for templates in Overwatch [OVWT-8].
    """
    if snap or (moved and gun.type in ("heavy", "ordnance")):
        return snap_fires(gun) or (overwatch and gun.template)
    return True


def reach_of(gun: Weapon, moved: bool) -> int:
    """Return how far a weapon reaches in mils: half for a Salvo weapon that moved. [SALV-1]

    Half a range is exact, ranges are whole inches. [AMB-15]
    """
    return gun.range // 2 if moved and gun.type == "salvo" else gun.range


def reaches(
    lines: Sightlines, shooter: Disc, targets: Sequence[Disc], mils: int, least: int = 0
) -> bool:
    """Whether a visible target model is within `mils` of the shooter. [SHRG-1, WRNG-1, WRNG-2]

    Exactly at range is in range; so is what is exactly at the `least` range.
    """
    for target in targets:
        if (
            within(shooter, target, mils)
            and not (least and within(shooter, target, least - 1))
            and lines.sees(shooter, target)
        ):
            return True
    return False


def shots_of(
    lines: Sightlines, gun: Weapon, shooter: Disc, targets: Sequence[Disc], moved: bool
) -> int:
    """Return how often a model fires. [THIT-2, ASLT-1, HEVY-1, ORDN-1, PIST-1, RPFR-1, SALV-1]

    Rapid Fire weapons fire twice at a visible model within half range. [RPFR-2]
    """
    if gun.type == "rapid_fire":
        return 2 if reaches(lines, shooter, targets, gun.range // 2) else 1
    if gun.type == "salvo" and moved:
        return gun.shots_moved
    return 1 if gun.type == "pistol" else gun.shots
