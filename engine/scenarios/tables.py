"""The table of a scenario: its size, objectives, terrain and deployment zones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from engine.geometry.polygons import is_convex
from engine.notation import to_mils, to_point
from engine.rules.setup import zone_rect
from engine.scenarios.documents import Entry
from events.base import Side
from events.values import Objective, Part, Point, Rect, Table, Terrain, TerrainKind
from projections.battle import Battle, Zone

_PART = ("at", "height", "dense")
_PIECE = ("kind", "cover", "area", "parts", *_PART)
_KINDS = get_args(TerrainKind)


def read_table(size: Entry | None, objectives: Entry | None, terrain: Entry | None) -> Table:
    """Return the table; its size is ``72x48``: width and height in inches."""
    width, height = Table().width, Table().height
    if size is not None:
        across, deep = (to_mils(part) for part in size.text().partition("x")[::2])
        if not across or not deep or min(across, deep) < 0:
            size.refuse("a table in inches, such as 72x48")
        width, height = across, deep
    return Table(width, height, _each(objectives, _objective), _each(terrain, _piece))


def _each(entry: Entry | None, read: Callable[[str, Entry], Any]) -> tuple[Any, ...]:
    return tuple(read(name, value) for name, value in entry.named().items()) if entry else ()


def _objective(name: str, entry: Entry) -> Objective:
    """Return a marker: its place, or ``{at, points}``."""
    if entry.is_text:
        return Objective(name, entry.point())
    fields = entry.fields(("at", "points"))
    if "at" not in fields:
        entry.refuse("an objective; it lacks at")
    points = fields["points"].whole() if "points" in fields else 3
    return Objective(name, fields["at"].point(), points)


def _piece(name: str, entry: Entry) -> Terrain:
    """Return a piece of terrain; one with a single part says ``at`` and ``height`` itself."""
    fields = entry.fields(_PIECE)
    if "kind" not in fields or ("at" in fields) == ("parts" in fields):
        entry.refuse("terrain; it has a kind and either at or parts")
    kind: Any = fields["kind"].one_of(_KINDS)
    if "parts" in fields:
        parts = tuple(_part(item, item.fields(_PART)) for item in fields["parts"].items())
    else:
        parts = (_part(entry, fields),)
    cover: int | None = 5
    if "cover" in fields:
        word = fields["cover"].text()
        if word.rstrip("+") not in ("2", "3", "4", "5", "6", "-"):
            fields["cover"].refuse("a cover save, such as 4+, or - for none")
        cover = None if word == "-" else int(word.rstrip("+"))
    return Terrain(name, kind, parts, cover, "area" in fields and fields["area"].flag())


def _part(entry: Entry, fields: dict[str, Entry]) -> Part:
    """Return a part; two corners are an upright rectangle, more a convex polygon."""
    if "at" not in fields:
        entry.refuse("a part of terrain; it lacks at")
    corners = _places(fields["at"])
    if len(corners) == 2:
        rect = _rect(*corners)
        corners = [
            Point(rect.x0, rect.y0),
            Point(rect.x1, rect.y0),
            Point(rect.x1, rect.y1),
            Point(rect.x0, rect.y1),
        ]
    if len(corners) < 3 or not is_convex(corners):
        fields["at"].refuse("two corners of a rectangle, or a convex polygon's anticlockwise")
    height = fields["height"].mils() if "height" in fields else 0
    return Part(tuple(corners), height, "dense" not in fields or fields["dense"].flag())


def read_zones(entry: Entry | None, battle: Battle) -> tuple[Zone, ...]:
    """Return deployment zones: ``south``, ``north`` or two corners."""
    if entry is None:
        return ()
    zones = []
    for name, value in entry.fields(("red", "blue")).items():
        side: Side = "red" if name == "red" else "blue"
        if value.is_text and value.text() in ("south", "north"):
            zones.append(Zone(side, zone_rect(battle, value.text())))
            continue
        corners = _places(value)
        if len(corners) != 2:
            value.refuse("south, north or two corners, such as 0,0 72,12")
        zones.append(Zone(side, _rect(*corners)))
    return tuple(zones)


def _places(entry: Entry) -> list[Point]:
    """Return the places of a list, or separated by spaces."""
    places = []
    for word in entry.words():
        point = to_point(word)
        if point is None:
            entry.refuse(f"places in inches, such as 0,0 72,12; {word!r} is none")
        places.append(point)
    return places


def _rect(a: Point, b: Point) -> Rect:
    """Return the upright rectangle between two opposite corners."""
    return Rect(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
