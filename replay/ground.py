"""Terrain on the picture of a table: each part a polygon, tinted by what the piece does to moving.

Here too are the scale and margins of every picture of a table, in pixels and tenths.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from events.values import Part, Table, TerrainKind

SCALE = 160
"""Tenths of a pixel to an inch."""
LEFT, TOP = 44, 76
"""Margins left of the table and above it, in pixels."""

TINTS: dict[TerrainKind, str] = {
    "open": "#8a9a5b",
    "difficult": "#9a7b4f",
    "dangerous": "#a8562e",
    "lethal": "#7a1f1f",
    "impassable": "#5c574d",
}
WALL = "#4a443b"


def px(tenths: int) -> str:
    """Return tenths of a pixel as SVG writes them.

    >>> px(125), px(120), px(-5)
    ('12.5', '12', '-0.5')
    """
    whole, part = divmod(abs(tenths), 10)
    sign = "-" if tenths < 0 else ""
    return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"


def terrain(table: Table) -> Iterator[str]:
    """Yield the SVG of every piece: bare ground and trees pale, what blocks sight dark."""
    for piece in table.terrain:
        tint = TINTS[piece.kind]
        yield f'<g stroke-width="1"><title>{escape(f"{piece.id}: {piece.kind}")}</title>'
        for part in sorted(piece.parts, key=lambda part: part.height):
            wall = part.dense and part.height > 0
            edge = ' stroke-dasharray="5 3"' if piece.area and not wall else ""
            yield (
                f'<polygon points="{corners(table, part)}" fill="{WALL if wall else tint}"'
                f' fill-opacity="{"0.75" if wall else "0.28"}" stroke="{tint}"{edge}/>'
            )
        yield "</g>"


def terrain_key(table: Table) -> Iterator[tuple[str, str]]:
    """Yield what the tints on a table stand for: the look of a patch in SVG, and words."""
    parts = [(piece, part) for piece in table.terrain for part in piece.parts]
    walls = [part.dense and part.height > 0 for _, part in parts]
    for kind, tint in TINTS.items():
        if any(
            piece.kind == kind and not wall for (piece, _), wall in zip(parts, walls, strict=True)
        ):
            words = kind if kind == "impassable" else f"{kind} ground"
            yield f'fill="{tint}" fill-opacity="0.28" stroke="{tint}"', words
    if any(piece.area and not wall for (piece, _), wall in zip(parts, walls, strict=True)):
        yield f'fill="none" stroke="{WALL}" stroke-dasharray="5 3"', "dashed edge: area terrain"
    if any(walls):
        yield f'fill="{WALL}" fill-opacity="0.75"', "dark: blocks sight"


def corners(table: Table, part: Part) -> str:
    """Return a part's outline as SVG writes points; north is up.

    >>> from events.values import Point
    >>> corners(Table(), Part((Point(0, 0), Point(1000, 0), Point(1000, 1000))))
    '44,844 60,844 60,828'
    """
    south = TOP * 10 + table.height * SCALE // 1000
    return " ".join(
        f"{px(LEFT * 10 + at.x * SCALE // 1000)},{px(south - at.y * SCALE // 1000)}"
        for at in part.corners
    )
