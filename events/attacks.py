"""Facts of shooting and striking: shots, hits, wounds, saves, casualties."""

from __future__ import annotations

from typing import Literal

from events.base import Fact, ModelId, UnitId
from events.values import Point

SaveKind = Literal["armour", "invulnerable", "cover"]
Cause = Literal[
    "shooting",
    "overwatch",
    "combat",
    "swept",
    "fled the table",
    "trapped",
    "caught falling back",
    "dangerous terrain",
    "lethal terrain",
]


class TargetChosen(Fact, frozen=True, gc=False, tag="target_chosen/1"):
    """A unit named what it shoots at, for all its weapon groups. [SHTG-4]"""

    unit: UnitId
    target: UnitId


class WeaponFired(Fact, frozen=True, gc=False, tag="weapon_fired/1"):
    """A weapon group fired: which models, how many shots, as Snap Shots or not. [SHWP-1, SNAP-1]"""

    unit: UnitId
    target: UnitId
    weapon: str
    weapon_type: str
    models: tuple[int, ...]
    shots: int
    snap: bool = False
    overwatch: bool = False


class ShootingFinished(Fact, frozen=True, gc=False, tag="shooting_finished/1"):
    """A unit fires no more this phase. [SHPH-1]"""

    unit: UnitId


class BlowsStruck(Fact, frozen=True, gc=False, tag="blows_struck/1"):
    """Models struck in close combat at an Initiative step: which, with what, how often. [NATK-1]"""

    unit: UnitId
    target: UnitId
    weapon: str
    models: tuple[int, ...]
    attacks: int
    step: int


class MarkerPlaced(Fact, frozen=True, gc=False, tag="marker_placed/1"):
    """A model put its blast marker there, or laid its template toward it. [APOC-4]"""

    model: ModelId
    target: UnitId
    weapon: str
    at: Point


class MarkerScattered(Fact, frozen=True, gc=False, tag="marker_scattered/1"):
    """A blast marker scattered `distance` mils, 0 for a Hit, and ended there. [APOC-3]"""

    unit: UnitId
    weapon: str
    to: Point
    distance: int


class HitsScored(Fact, frozen=True, gc=False, tag="hits_scored/1"):
    """How many shots or blows hit. [THIT-1, MHIT-1]"""

    unit: UnitId
    target: UnitId
    weapon: str
    hits: int


class PinningCaused(Fact, frozen=True, gc=False, tag="pinning_caused/1"):
    """A unit has an unsaved Wound from a Pinning weapon: it tests after the shooting. [LDT-5]"""

    unit: UnitId


class WentToGround(Fact, frozen=True, gc=False, tag="went_to_ground/1"):
    """A unit Goes to Ground, to the end of its own turn in game turn `until`. [GTG-1, GTG-3]"""

    unit: UnitId
    until: int


class UnitsGotUp(Fact, frozen=True, gc=False, tag="units_got_up/1"):
    """Units that had Gone to Ground have no more: their own next turn ends. [GTG-3]"""

    units: tuple[UnitId, ...]


class WoundsScored(Fact, frozen=True, gc=False, tag="wounds_scored/1"):
    """How many hits wounded: the wound pool of the group. [WPOL-1]"""

    unit: UnitId
    target: UnitId
    weapon: str
    wounds: int
    strength: int
    ap: int | None = None


class WoundAllocated(Fact, frozen=True, gc=False, tag="wound_allocated/1"):
    """A Wound was allocated to a model; the save it may try (none: `need` 0). [ALLO-1, MSAV-2]"""

    model: ModelId
    save: SaveKind | None = None
    need: int = 0


class WoundSaved(Fact, frozen=True, gc=False, tag="wound_saved/1"):
    """A model made its save. [SAVE-1]"""

    model: ModelId
    save: SaveKind


class WoundSuffered(Fact, frozen=True, gc=False, tag="wound_suffered/1"):
    """A model lost `wounds` Wounds; `lost` is its total now. [ALRC-1] [ALRC-5 Instant Death]"""

    model: ModelId
    wounds: int
    lost: int
    cause: Cause
    instant_death: bool = False


class WoundsLost(Fact, frozen=True, gc=False, tag="wounds_lost/1"):
    """Wounds of the pool came to nothing: no eligible model was left. [ALRC-3, MALC-6]"""

    target: UnitId
    wounds: int


class ModelRemoved(Fact, frozen=True, gc=False, tag="model_removed/1"):
    """A model was removed as a casualty. [RMV-1]"""

    model: ModelId
    cause: Cause


class UnitDestroyed(Fact, frozen=True, gc=False, tag="unit_destroyed/1"):
    """A unit is gone; models still standing are removed as casualties. [RMV-2, RMV-3]"""

    unit: UnitId
    cause: Cause
