"""What differs between editions of the rules, as data: one `Edition` for each ruleset.

Rules ask `edition_of(battle)` for the value they need and never for an edition's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from events.game import PhaseName
from projections.battle import Battle


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition's answers where the editions differ."""

    id: str
    phases: tuple[PhaseName, ...]
    """The phases of a player turn in their order. [TURN-1, TURN-3]"""
    overwatch_once: bool
    """A unit fires Overwatch once a turn, not at every charger. [OVWT-6, OVWT-10]"""
    overwatch_when_gone_to_ground: bool
    """Whether it may fire having Gone to Ground. [OVWT-11, GTG-7]"""
    difficult_charge: Literal["minus 2", "drop highest of three"]
    """What difficult terrain does to the charge range. [CDIF-1, CDIF-9]"""
    area_cover: int | None
    """The cover save of all that stand in area terrain; None: the piece's own. [AREA-4, COVR-6]"""
    ground_in_area: int
    """What Going to Ground in area terrain adds to the cover save. [AREA-5, GTG-2, COVR-6]"""
    all_weapons_at_once: bool
    """A unit fires all its weapons at once, into one wound pool. [SHSQ-2, SHSQ-4, WPOL-4]"""
    characters_shoot_precisely: bool
    """Every character fires Precision Shots, not only by a rule. [ALLO-5]"""
    characters_pile_in_first: bool
    """A character piles in as soon as he can reach base contact. [PILE-7]"""


SEVENTH = Edition(
    "40k-7e",
    ("movement", "psychic", "shooting", "assault"),
    overwatch_once=True,
    overwatch_when_gone_to_ground=False,
    difficult_charge="minus 2",
    area_cover=None,
    ground_in_area=1,
    all_weapons_at_once=False,
    characters_shoot_precisely=False,
    characters_pile_in_first=False,
)

SIXTH = Edition(
    "40k-6e",
    ("movement", "shooting", "assault"),
    overwatch_once=False,
    overwatch_when_gone_to_ground=True,
    difficult_charge="drop highest of three",
    area_cover=5,
    ground_in_area=2,
    all_weapons_at_once=True,
    characters_shoot_precisely=True,
    characters_pile_in_first=True,
)

EDITIONS: dict[str, Edition] = {edition.id: edition for edition in (SEVENTH, SIXTH)}
"""Every edition by the ruleset that a game records."""


def edition_of(battle: Battle) -> Edition:
    """Return the edition that a battle is played by.

    A ruleset that is no edition of its own is played by the 7th.
    """
    return EDITIONS.get(battle.settings.ruleset, SEVENTH)
