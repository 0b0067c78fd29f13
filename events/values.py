"""Value types that events and battles share: places, profiles, weapons, armies.

Lengths are mils (thousandths of an inch); base radii are tenths of a millimetre.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from events.base import ModelId, Side, UnitId, Value


class Point(msgspec.Struct, frozen=True, gc=False, array_like=True, order=True):
    """A place on the table in mils from the south-west corner: ``[x, y]`` in JSON."""

    x: int
    y: int


class Profile(Value, frozen=True, gc=False):
    """A stat line. [PROF-1, PROF-2] ``None`` is "-": no value at all, never 0. [ZERO-1]

    `save` and `invulnerable` are D6 targets (3 means 3+) or None for no such save.
    """

    name: str
    """Slug of the kind of model, e.g. ``"warrior"``, ``"sergeant"``."""
    ws: int | None
    bs: int | None
    strength: int | None
    toughness: int | None
    wounds: int | None
    initiative: int | None
    attacks: int | None
    leadership: int | None
    save: int | None = None
    invulnerable: int | None = None


WeaponType = Literal[
    "assault",
    "heavy",
    "rapid_fire",
    "pistol",
    "salvo",
    "ordnance",
    "primary",
    "bomb",
    "melee",
    "other",
]
"""Kinds of weapon the engine plays; ``"other"`` is kept, listed as not applied and never fired."""


class Weapon(Value, frozen=True, gc=False):
    """A weapon profile. [WPRF-1]

    `strength` adds to the bearer's Strength when `strength_from` is "user+", multiplies it when
    "user*", and is the value itself when "fixed". `range` is mils, 0 for melee. `ap` None is "-".
    `shots` is the count after the type (1 for Pistol and Rapid Fire). `rules` are special rules
    by name, kept verbatim; `engine.rules.special_rules` knows which of them it applies.
    """

    id: str
    """Slug, e.g. ``"boltgun"``."""
    range: int
    strength: int
    ap: int | None
    type: WeaponType
    shots: int = 1
    strength_from: Literal["fixed", "user+", "user*"] = "fixed"
    rules: tuple[str, ...] = ()
    shots_moved: int = 0
    """Shots of a Salvo weapon whose bearer moved. [SALV-1]"""
    blast: int = 0
    """Diameter of its blast marker in mils, 0 for none. [APOC-1]"""
    template: bool = False
    """It uses the template; `range` is the template's length. [APOC-1, WRNG-1]"""
    grenade: bool = False
    """It is thrown, one a unit and phase. [SHWP-4]"""
    least: int = 0
    """Its minimum range in mils. [WRNG-1]"""
    shots_die: int = 0
    """Sides of the dice that a model's shots are rolled with, 3 or 6; `shots` is how many. 0: none.

    [THIT-2, DMOD-1]
    """


class ModelSetup(Value, frozen=True, gc=False):
    """One model as mustered: which stat line, which weapons, how big a base."""

    id: ModelId
    profile: str
    """`Profile.name` in the unit's `profiles`."""
    weapons: tuple[str, ...] = ()
    """`Weapon.id`s in the unit's `weapons`, in roster order."""
    radius: int = 125
    """Base radius in tenths of a millimetre (125: the 25 mm base)."""
    rules: tuple[str, ...] = ()
    """Special rules and wargear of this model alone, by name. [PROF-5]"""


class UnitSetup(Value, frozen=True, gc=False):
    """A unit as mustered, in full: a game never looks at the roster file again."""

    id: UnitId
    name: str
    """Display name; never reaches a decision. [P1]"""
    side: Side
    type: str
    """Unit type as normalised, ``"infantry"`` or another; only infantry is on the table now."""
    models: tuple[ModelSetup, ...]
    profiles: tuple[Profile, ...]
    weapons: tuple[Weapon, ...] = ()
    points: int = 0
    not_applied: tuple[str, ...] = ()
    """Special rules and wargear of all its models, by name as the roster has them. Those that
    `engine.rules.special_rules` doesn't know are kept and shown, but not applied."""


class LeftOff(Value, frozen=True, gc=False):
    """A unit of the roster that doesn't take the field, and why ("not yet playable: vehicle")."""

    name: str
    reason: str
    points: int = 0


class ArmySource(Value, frozen=True, gc=False):
    """Where an army came from, for the record only."""

    file: str = ""
    sha256: str = ""
    dialect: str = ""
    game_system: str = ""
    catalogue: str = ""


class Army(Value, frozen=True, gc=False):
    """An army as it takes the field, with everything the importer inferred. [P1]"""

    name: str
    units: tuple[UnitSetup, ...]
    points_declared: int = 0
    points_summed: int = 0
    left_off: tuple[LeftOff, ...] = ()
    inferred: tuple[str, ...] = ()
    """What the importer assumed, one sentence each ("immortals: model count inferred (10)")."""
    source: ArmySource = ArmySource()


class Rect(Value, frozen=True, gc=False):
    """An upright rectangle on the table, mils, edges included."""

    x0: int
    y0: int
    x1: int
    y1: int


class Objective(Value, frozen=True, gc=False):
    """A marker worth points to whoever holds it at the end."""

    id: str
    at: Point
    points: int = 3


TerrainKind = Literal["open", "difficult", "dangerous", "lethal", "impassable"]
"""What terrain does to movement; dangerous terrain is difficult as well. [TERR-1, DANG-1]"""


class Part(Value, frozen=True, gc=False):
    """A prism of a terrain piece: the ground under it and how high it stands.

    A dense part (a wall) blocks sight up to its height; one that isn't (trees) hides what stands
    behind or in it without blocking sight. Height 0 is bare ground.
    """

    corners: tuple[Point, ...]
    """A convex polygon, anticlockwise, three corners or more."""
    height: int = 0
    """Mils above the table."""
    dense: bool = True


class Terrain(Value, frozen=True, gc=False):
    """A piece of terrain as agreed before the game. [SET-1]"""

    id: str
    """Slug, e.g. ``"ruin-1"``; it never changes its kind. [SET-1]"""
    kind: TerrainKind
    parts: tuple[Part, ...]
    cover: int | None = 5
    """The cover save of a model that the piece hides (4 means 4+), or None. [COVR-2]"""
    area: bool = False
    """Models in it have its cover save however much of them is seen. [AREA-4, COVR-6]"""


class Table(Value, frozen=True, gc=False):
    """The battlefield: 72 by 48 inches unless told otherwise; south edge is y = 0."""

    width: int = 72000
    height: int = 48000
    objectives: tuple[Objective, ...] = ()
    terrain: tuple[Terrain, ...] = ()
