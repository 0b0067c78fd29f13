"""The table as characters, for a terminal: a column an inch, a row two inches."""

from __future__ import annotations

from rich.markup import escape

from projections.battle import Battle
from projections.queries import units_on_table
from table.show import said

MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLUMN, ROW = 1000, 2000
"""Mils to a column and to a row: characters are about twice as high as wide."""


def text_map(battle: Battle) -> str:
    """Return markup: red's units as capitals, blue's as small letters, and what they stand for."""
    columns = -(-battle.table.width // COLUMN)
    rows = -(-battle.table.height // ROW)
    cells = [["[dim]·[/]" if x % 6 == 3 and y % 3 == 1 else " "
              for x in range(columns)] for y in range(rows)]  # fmt: skip
    for zone in battle.zones:
        edge = zone.rect.y1 if zone.rect.y0 == 0 else zone.rect.y0
        row = min(edge // ROW, rows - 1)
        for x in range(0, columns, 2):
            cells[row][x] = said(zone.side, "-")
    for objective in battle.table.objectives:
        at = objective.at
        cells[min(at.y // ROW, rows - 1)][min(at.x // COLUMN, columns - 1)] = "[yellow]*[/]"
    legend: list[str] = []
    for side in ("red", "blue"):
        marks = iter(MARKS if side == "red" else MARKS.lower())
        for unit in units_on_table(battle, side):
            mark = next(marks, "#")
            for model in unit.models:
                if model.at is not None:
                    row, column = min(model.at.y // ROW, rows - 1), model.at.x // COLUMN
                    cells[row][min(column, columns - 1)] = said(side, mark)
            legend.append(f"{said(side, mark)} {escape(unit.id)} {len(unit.models)}")
    frame = "+" + "-" * columns + "+"
    lines = [frame, *(f"|{''.join(row)}|" for row in reversed(cells)), frame]
    return "\n".join([*lines, *("  ".join(legend[i : i + 4]) for i in range(0, len(legend), 4))])
