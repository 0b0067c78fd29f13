"""Armies from the roster files that players already have, and from files written by hand.

>>> from engine.armies import bundled, read_army_bytes
>>> imported = read_army_bytes(bundled("emberguard"), "emberguard.ros", "red")
>>> imported.playable, imported.army.points_declared == imported.army.points_summed
(True, True)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path, PurePosixPath, PureWindowsPath

from engine.armies.army_file import army_from_yaml
from engine.armies.army_writer import army_to_yaml
from engine.armies.battlescribe import to_battlescribe
from engine.armies.distinct import distinct
from engine.armies.muster import muster
from engine.armies.opening import as_text, open_roster, read_tree
from engine.armies.report import Entry, Imported, ImportReport
from engine.armies.rosters import DIALECTS, read_roster
from events.base import Side
from events.errors import RosterError
from events.values import ArmySource

__all__ = [
    "BUNDLED",
    "DIALECTS",
    "Entry",
    "ImportReport",
    "Imported",
    "army_from_yaml",
    "army_to_yaml",
    "bundled",
    "distinct",
    "read_army",
    "read_army_bytes",
    "to_battlescribe",
]

BUNDLED = ("emberguard", "ratskar", "vigilants", "thornkin")
"""Armies that come with the package: a gun line and a horde of 750 points for quick play, and an
elite and a horde of 1,500 points."""


def bundled(name: str) -> bytes:
    """Return the roster file of a bundled army. Raises RosterError for a name not in `BUNDLED`."""
    if name not in BUNDLED:
        raise RosterError(name, f"no bundled army; there are {', '.join(BUNDLED)}")
    return files("engine.armies").joinpath("fixtures", f"{name}.ros").read_bytes()


def read_army(path: Path, side: Side, bases: Mapping[str, int] | None = None) -> Imported:
    """Read a ``.ros``, ``.rosz`` or New Recruit ``.json`` roster, or a ``.yaml`` army file.

    `bases` gives base diameters in millimetres by profile or unit slug, e.g. ``{"boyz": 32}``; all
    others are 25 mm. What can't be played is left off or kept by name, and the report says so.
    Raises RosterError for a file that isn't a whole, safe roster of a known dialect.
    """
    return read_army_bytes(open_roster(path), path.name, side, bases)


def read_army_bytes(
    data: bytes, file_name: str, side: Side, bases: Mapping[str, int] | None = None
) -> Imported:
    """Read an army from memory; `file_name` says which kind of file it is, and names it in errors.

    See `read_army`.
    """
    name = PureWindowsPath(PurePosixPath(file_name).name).name
    if name.lower().endswith((".yaml", ".yml")):
        return army_from_yaml(as_text(data, name), name, side, bases)
    roster = read_roster(read_tree(data, name), name)
    source = ArmySource(
        file=name,
        sha256=hashlib.sha256(data).hexdigest(),
        dialect=roster.dialect,
        game_system=roster.game_system,
        catalogue="; ".join(roster.catalogues),
    )
    return muster(roster, side, source, bases)
