"""Tables to play on: the bundled ones by name, and the check that every table is put to. [SET-1]"""

from __future__ import annotations

import re

from engine.board import DIFFICULT
from engine.geometry.polygons import is_convex
from events.errors import WarledgerError
from events.values import Part, Point, Table, Terrain

MAX_PIECES, MAX_PARTS, MAX_CORNERS = 60, 40, 24
"""Pieces on a table, parts of a piece and corners of a part at most."""

_SLUG = re.compile(r"[a-z0-9-]{1,40}")
_WIDTH, _HEIGHT = 72_000, 48_000


def check_table(table: Table) -> None:
    """Refuse a table that can't be played on; any other is the players' to agree. [SET-1 to SET-3]

    Pieces have slugs of their own and convex parts on the table, anticlockwise; area terrain is
    difficult [AREA-3]. Raises WarledgerError naming the piece.
    """
    if len(table.terrain) > MAX_PIECES:
        raise WarledgerError("table", f"at most {MAX_PIECES} pieces, not {len(table.terrain)}")
    seen: set[str] = set()
    for piece in table.terrain:
        where = f"terrain {piece.id!r}"
        if _SLUG.fullmatch(piece.id) is None or piece.id in seen:
            raise WarledgerError(where, "its id is to be a slug of its own, such as ruin-1")
        seen.add(piece.id)
        if piece.cover is not None and not 2 <= piece.cover <= 6:
            raise WarledgerError(where, f"its cover is 2+ to 6+ or none, not {piece.cover}+")
        if piece.area and piece.kind not in DIFFICULT:
            raise WarledgerError(where, f"area terrain is difficult or dangerous, not {piece.kind}")
        if not 1 <= len(piece.parts) <= MAX_PARTS:
            raise WarledgerError(where, f"it has 1 to {MAX_PARTS} parts, not {len(piece.parts)}")
        for part in piece.parts:
            _check_part(table, where, part)


def _check_part(table: Table, where: str, part: Part) -> None:
    if len(part.corners) > MAX_CORNERS or not is_convex(part.corners):
        raise WarledgerError(where, "a part is a convex polygon with its corners anticlockwise")
    if part.height < 0:
        raise WarledgerError(where, f"a part is 0 mils high or more, not {part.height}")
    for corner in part.corners:
        if not (0 <= corner.x <= table.width and 0 <= corner.y <= table.height):
            raise WarledgerError(where, f"its corner {corner.x},{corner.y} is off the table")


def table_named(name: str) -> Table:
    """Return a bundled table; hyphens do for spaces. Raises WarledgerError with the names.

    >>> len(table_named("ruined-crossroads").terrain)
    9
    """
    name = name.replace("-", " ")
    if name not in TABLES:
        raise WarledgerError("table", f"there is no table {name!r}; there are {', '.join(TABLES)}")
    return TABLES[name]


def box(x0: int, y0: int, x1: int, y1: int, height: int = 0, *, dense: bool = True) -> Part:
    """Return an upright rectangle, all in mils."""
    corners = (Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1))
    return Part(corners, height, dense)


def _turned(piece: Terrain, name: str) -> Terrain:
    """Return the piece turned half round the middle of the table: neither side has the better."""
    parts = tuple(
        Part(
            tuple(Point(_WIDTH - c.x, _HEIGHT - c.y) for c in part.corners), part.height, part.dense
        )
        for part in piece.parts
    )
    return Terrain(name, piece.kind, parts, piece.cover, piece.area)


def _crossroads() -> tuple[Terrain, ...]:
    """Two roads cross at a monument; ruins, woods, walls and craters lie between them."""
    ruin = Terrain(
        "ruin-west",
        "difficult",
        (
            box(16_000, 25_000, 24_000, 32_000),
            box(16_000, 31_600, 24_000, 32_000, 4_000),
            box(16_000, 25_000, 16_400, 31_600, 4_000),
            box(20_000, 27_000, 20_300, 29_500, 2_000),
        ),
        cover=4,
        area=True,
    )
    wood = Terrain(
        "wood-north",
        "difficult",
        (
            Part(
                (
                    Point(43_000, 35_000),
                    Point(49_000, 33_500),
                    Point(53_000, 36_500),
                    Point(50_500, 41_000),
                    Point(44_500, 40_500),
                ),
                4_000,
                dense=False,
            ),
        ),
        area=True,
    )
    wall = Terrain("wall-west", "difficult", (box(26_000, 19_000, 32_000, 19_400, 800),), cover=4)
    crater = Terrain(
        "crater-west",
        "dangerous",
        (
            Part(
                (
                    Point(8_000, 17_000),
                    Point(11_000, 16_000),
                    Point(13_000, 18_500),
                    Point(11_500, 21_000),
                    Point(8_500, 20_500),
                )
            ),
        ),
        area=True,
    )
    monument = Terrain("monument", "impassable", (box(35_000, 23_000, 37_000, 25_000, 5_000),), 4)
    return (
        monument,
        ruin,
        _turned(ruin, "ruin-east"),
        wood,
        _turned(wood, "wood-south"),
        wall,
        _turned(wall, "wall-east"),
        crater,
        _turned(crater, "crater-east"),
    )


TABLES: dict[str, Table] = {
    "open": Table(),
    "ruined crossroads": Table(terrain=_crossroads()),
}
"""Bundled tables by the name that `play --table` takes."""
