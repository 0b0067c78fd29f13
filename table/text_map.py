"""The table as characters, for a terminal: a column an inch, a row two inches.

Red's units are capitals, blue's small letters; the ground has signs of its own, so that it reads
without colour as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.markup import escape

from engine.geometry.polygons import holds, span
from events.values import Part, Table, Terrain
from projections.battle import Battle
from projections.queries import units_on_table
from table.show import said

MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLUMN, ROW = 1000, 2000
"""Mils to a column and to a row: characters are about twice as high as wide."""
SCALE = 12
"""Inches between the numbers along the edges."""

GROUND = {"open": ",", "difficult": ":", "dangerous": "%", "lethal": "!", "impassable": "="}
"""Signs of the ground, by what it does to moving."""
TREES, WALL = "^", "#"

Cell = tuple[int, int]
"""Row and column, from the south-west corner."""


def text_map(battle: Battle) -> str:
    """Return markup: the table with terrain, zones, objectives and models, and a legend."""
    table = battle.table
    rows, columns = -(-table.height // ROW), -(-table.width // COLUMN)
    cells = [["[dim]·[/]" if x % 6 == 3 and y % 3 == 1 else " "
              for x in range(columns)] for y in range(rows)]  # fmt: skip
    beside = {row: f" {row * ROW // 1000}" for row in range(0, rows, SCALE * 1000 // ROW)}
    for zone in battle.zones:
        edge = zone.rect.y1 if zone.rect.y0 == 0 else zone.rect.y0
        row = min(edge // ROW, rows - 1)
        cells[row] = [said(zone.side, "- "[x % 2]) for x in range(columns)]
        beside[row] = f"{beside.get(row, '')} {said(zone.side)} zone"
    signs = dict(_ground(table, rows, columns))
    for (row, column), sign in signs.items():
        cells[row][column] = f"[yellow]{sign}[/]"
    for objective in table.objectives:
        at = objective.at
        cells[min(at.y // ROW, rows - 1)][min(at.x // COLUMN, columns - 1)] = "[bold]*[/]"
    legend: list[str] = []
    for side in ("red", "blue"):
        marks = iter(MARKS if side == "red" else MARKS.lower())
        for unit in units_on_table(battle, side):
            mark = next(marks, "?")
            for model in unit.models:
                if model.at is not None:
                    row, column = min(model.at.y // ROW, rows - 1), model.at.x // COLUMN
                    cells[row][min(column, columns - 1)] = said(side, mark)
            legend.append(f"{said(side, mark)} {escape(unit.id)} {len(unit.models)}")
    frame = "+" + "-" * columns + "+"
    lines = [frame]
    for row in range(rows - 1, -1, -1):
        lines.append(f"|{''.join(cells[row])}|{beside.get(row, '')}")
    lines += [frame, " " + "".join(f"{x:<{SCALE}}" for x in range(0, columns + 1, SCALE)).rstrip()]
    lines += ["  ".join(legend[i : i + 4]) for i in range(0, len(legend), 4)]
    return "\n".join([*lines, *_legend(table)])


def _legend(table: Table) -> Iterator[str]:
    """Yield what the signs on this table stand for, and which cover its pieces give."""
    kinds: dict[str, list[str]] = {}
    covers: dict[str, list[str]] = {}
    for piece in table.terrain:
        for part in piece.parts:
            words = kinds.setdefault(_sign(piece, part), [])
            if piece.kind not in words:
                words.append(piece.kind)
        if piece.cover is not None:
            covers.setdefault(f"{piece.cover}+", []).append(piece.id)
    trees = f"trees, {' or '.join(kinds.get(TREES, ()))}: they hide"
    names = {TREES: trees, WALL: "wall: blocks sight"} | {
        sign: f"{kind} ground" if kind != "impassable" else kind for kind, sign in GROUND.items()
    }
    said_signs = [f"{sign} {words}" for sign, words in names.items() if sign in kinds]
    if table.objectives:
        objectives = ", ".join(f"{one.id} {one.points}" for one in table.objectives)
        said_signs.append(f"* objective ({objectives})")
    if said_signs:
        yield escape("  ".join(said_signs))
    for cover in sorted(covers):
        yield escape(f"cover {cover}: {', '.join(covers[cover])}")


def _ground(table: Table, rows: int, columns: int) -> Iterator[tuple[Cell, str]]:
    """Yield the cells that terrain covers with their signs, what stands high last."""
    parts = [(part, _sign(piece, part)) for piece in table.terrain for part in piece.parts]
    for part, sign in sorted(parts, key=lambda pair: (pair[1] in (WALL, "="), pair[0].height)):
        covered = list(_covered(part, rows, columns))
        if not covered:  # smaller than a cell: shown where its middle is
            x = sum(corner.x for corner in part.corners) // len(part.corners)
            y = sum(corner.y for corner in part.corners) // len(part.corners)
            covered = [(min(y // ROW, rows - 1), min(x // COLUMN, columns - 1))]
        for cell in covered:
            yield cell, sign


def _covered(part: Part, rows: int, columns: int) -> Iterator[Cell]:
    """Yield the cells of a part: those it crosses in the middle, for ground whose middle it has."""
    xs, ys = [c.x for c in part.corners], [c.y for c in part.corners]
    for row in range(min(ys) // ROW, min(max(ys) // ROW + 1, rows)):
        for column in range(min(xs) // COLUMN, min(max(xs) // COLUMN + 1, columns)):
            west, south = column * COLUMN, row * ROW
            x, y = west + COLUMN // 2, south + ROW // 2
            if holds(x, y, part.corners) or (
                part.height
                and part.dense
                and (
                    span(west, y, west + COLUMN, y, part.corners)
                    or span(x, south, x, south + ROW, part.corners)
                )
            ):
                yield row, column


def _sign(piece: Terrain, part: Part) -> str:
    if part.height and piece.kind != "impassable":
        return WALL if part.dense else TREES
    return GROUND[piece.kind]
