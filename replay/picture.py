"""The table as a picture: one self-contained SVG, to scale, the same bytes for the same battle.

Every number in it is a whole one, in pixels or tenths of a pixel: no float is ever printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from xml.sax.saxutils import escape

from engine.notation import describe
from events.base import Side, UnitId
from events.values import Point
from events.wording import counted
from projections.battle import Battle, Model, Score, Unit
from projections.queries import has_unit, model_of, on_table, place_of, profile_of, setup_of
from projections.queries import unit_of as find_unit
from replay.ground import LEFT, SCALE, TOP, px, terrain, terrain_key
from replay.labels import Box, Label, place_labels

FOOT = 84
"""Margin under the table, in pixels."""
PANEL = 330
"""Width of the list of units beside it."""
ROW = 20

_REDS = "b3261e e4572e f2994a 8e2448 d9466f c77700 7a3b1d f4796b a8323e e8a87c 6b1f2b d98324"
_BLUES = "1f5fa8 2a9d8f 5b4fc0 4aa3df 0b7285 8e7cc3 274690 6fb1a0 3d6b8c 7d8fd6 135e57 a3c4f3"
SHADES: dict[Side, tuple[str, ...]] = {
    "red": tuple(f"#{shade}" for shade in _REDS.split()),
    "blue": tuple(f"#{shade}" for shade in _BLUES.split()),
}
"""Colours of a side's units, in muster order and round again."""
INKS: dict[Side, str] = {"red": "#8c1d18", "blue": "#174a84"}
TINTS: dict[Side, str] = {"red": "#d9534f", "blue": "#3b7dc4"}

_STYLE = """\
text{font-family:"Source Sans 3","Segoe UI",Helvetica,Arial,sans-serif;fill:#2b2a27}
.title{font-size:22px;font-weight:600}
.when{font-size:15px;fill:#5c574d}
.ask{font-size:14px;fill:#5c574d}
.mark{font-weight:400;font-style:italic}
.zone{font-size:12px;letter-spacing:1.5px;text-anchor:end}
.score{font-size:22px;font-weight:700}
.ruler{font-size:11px;fill:#8a8371;text-anchor:middle}
.label{font-size:13px;font-weight:600;text-anchor:middle;paint-order:stroke;stroke:#fbf7ea;\
stroke-width:3.5px;stroke-linejoin:round}
.wounds{font-size:10px;font-weight:700;fill:#fff;text-anchor:middle}
.head{font-size:15px;font-weight:700}
.unit{font-size:13px}
.note{font-size:12px;fill:#6f6857}
.dead{font-size:13px;fill:#a39c8a;text-decoration:line-through}
.end{text-anchor:end}"""


def table_svg(battle: Battle, *, title: str = "", moves: Battle | None = None) -> str:
    """Return the picture of a battle as an SVG document.

    `moves` is an earlier battle of the same game: the ways of its models to where they stand now
    are drawn as arrows, and models removed since as crosses. A few milliseconds.
    """
    return _Picture(battle, title, moves).svg()


class _Picture:
    """One picture while it is drawn; coordinates in tenths of a pixel."""

    def __init__(self, battle: Battle, title: str, before: Battle | None) -> None:
        self.battle = battle
        self.title = title
        self.before = before
        self.width = battle.table.width * SCALE // 1000
        self.height = battle.table.height * SCALE // 1000
        self.shades: dict[UnitId, str] = {}
        for side, shades in SHADES.items():
            mine = [unit.id for unit in battle.units if unit.side == side]
            self.shades |= {unit: shades[i % len(shades)] for i, unit in enumerate(mine)}

    def x(self, mils: int) -> int:
        return LEFT * 10 + mils * SCALE // 1000

    def y(self, mils: int) -> int:
        """Return the place of a northing: the south edge is at the bottom."""
        return TOP * 10 + self.height - mils * SCALE // 1000

    def radius(self, unit: Unit, model: Model) -> int:
        """Return a base's radius; it is kept in tenths of a millimetre, 254 to an inch."""
        return setup_of(self.battle, unit.id).models[model.n - 1].radius * SCALE // 254

    def svg(self) -> str:
        wide = LEFT + self.width // 10 + 28 + PANEL
        panel = list(self.panel())
        high = max(TOP + self.height // 10 + FOOT, TOP + self.rows * ROW + 40)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"'
            f' width="{wide}" height="{high}" role="img">',
            f"<title>{escape(self.title or 'Table')}</title>",
            f"<style>{_STYLE}</style>",
            '<defs><linearGradient id="felt" x1="0" y1="0" x2="1" y2="1">'
            '<stop offset="0" stop-color="#f3ecd6"/><stop offset="1" stop-color="#e6dcbc"/>'
            "</linearGradient>"
            '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6"'
            ' orient="auto"><path d="M0 0L8 4L0 8z" fill="#6f6857"/></marker></defs>',
            f'<rect width="{wide}" height="{high}" fill="#fbf7ea"/>',
            *self.caption(),
            *self.ground(),
            *self.ways(),
            *self.units(),
            *self.labels(),
            *panel,
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def caption(self) -> Iterator[str]:
        """Draw the title, the clock, the score, and the open question under the table."""
        battle, clock = self.battle, self.battle.clock
        if battle.outcome is not None:
            winner = battle.outcome.winner
            when = f"The end: {f'{winner} wins' if winner else 'a draw'}, {battle.outcome.reason}"
        elif clock.game_turn:
            when = f"Turn {clock.game_turn} · {clock.active} · {clock.phase.capitalize()} phase"
        else:
            when = "Before the battle"
        names = [army.name for army in battle.armies]
        title = self.title or " against ".join(names) or "Table"
        right = LEFT + self.width // 10
        yield f'<text class="title" x="{LEFT}" y="34">{escape(title)}</text>'
        yield f'<text class="when" x="{LEFT}" y="57">{escape(when)}</text>'
        score, what = battle.score, "points, red to blue"
        if battle.outcome is None and score == Score():
            score, what = self.destroyed(), "units destroyed, red to blue"
        yield (
            f'<text class="score end" x="{right}" y="36">'
            f'<tspan fill="{INKS["red"]}">{score.red}</tspan> : '
            f'<tspan fill="{INKS["blue"]}">{score.blue}</tspan></text>'
        )
        yield f'<text class="when end" x="{right}" y="57">{what}</text>'
        if battle.question is not None:
            words = describe(battle.question, battle).partition(" (")[0]
            y = TOP + self.height // 10 + 50
            yield f'<text class="ask" x="{LEFT}" y="{y}">{escape(words)}</text>'

    def destroyed(self) -> Score:
        """Return how many units each side has destroyed: points are counted only at the end."""
        gone = [unit.side for unit in self.battle.units if not unit.models]
        return Score(red=gone.count("blue"), blue=gone.count("red"))

    def ground(self) -> Iterator[str]:
        """Draw the table: zones, a 6-inch grid with a ruler, the quarters, objectives."""
        table = self.battle.table
        left, top, right, bottom = self.x(0), self.y(table.height), self.x(table.width), self.y(0)
        yield (
            f'<rect x="{px(left - 60)}" y="{px(top - 60)}" width="{px(self.width + 120)}"'
            f' height="{px(self.height + 120)}" rx="7" fill="#6b5538"/>'
            f'<rect x="{px(left)}" y="{px(top)}" width="{px(self.width)}"'
            f' height="{px(self.height)}" fill="url(#felt)"/>'
        )
        for zone in self.battle.zones:
            r = zone.rect
            width, height = self.x(r.x1) - self.x(r.x0), self.y(r.y0) - self.y(r.y1)
            yield (
                f'<rect x="{px(self.x(r.x0))}" y="{px(self.y(r.y1))}" width="{px(width)}"'
                f' height="{px(height)}" fill="{TINTS[zone.side]}" fill-opacity="0.09"/>'
            )
            edge = self.y(r.y1 if r.y0 == 0 else r.y0)
            yield (
                f'<path d="M{px(self.x(r.x0))} {px(edge)}H{px(self.x(r.x1))}" fill="none"'
                f' stroke="{TINTS[zone.side]}" stroke-width="1.5" stroke-dasharray="8 5"'
                ' stroke-opacity="0.7"/>'
                f'<text class="zone" x="{px(self.x(r.x1) - 80)}"'
                f' y="{px(self.y(r.y0) - 80 if r.y0 == 0 else self.y(r.y1) + 180)}"'
                f' style="fill:{TINTS[zone.side]}">ZONE OF {zone.side.upper()}</text>'
            )
        yield from terrain(table)
        lines = "".join(
            [f"M{px(self.x(m))} {px(top)}V{px(bottom)}" for m in range(6000, table.width, 6000)]
            + [f"M{px(left)} {px(self.y(m))}H{px(right)}" for m in range(6000, table.height, 6000)]
        )
        yield f'<path d="{lines}" stroke="#c9bd98" stroke-width="0.7" fill="none"/>'
        middle = (
            f"M{px(self.x(table.width // 2))} {px(top)}V{px(bottom)}"
            f"M{px(left)} {px(self.y(table.height // 2))}H{px(right)}"
        )
        yield f'<path d="{middle}" stroke="#a8996c" stroke-width="1.2" fill="none"/>'
        for mils in range(0, table.width + 1, 6000):
            across = px(self.x(mils))
            yield f'<text class="ruler" x="{across}" y="{px(bottom + 210)}">{mils // 1000}</text>'
        for mils in range(6000, table.height + 1, 6000):
            up = px(self.y(mils) + 40)
            yield f'<text class="ruler" x="{px(left - 190)}" y="{up}">{mils // 1000}</text>'
        for objective in self.battle.table.objectives:
            x, y = self.x(objective.at.x), self.y(objective.at.y)
            yield (
                f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(3 * SCALE)}" fill="#d4a017"'
                ' fill-opacity="0.08" stroke="#b8860b" stroke-dasharray="4 4"/>'
                f'<path d="M{px(x)} {px(y - 90)}L{px(x + 90)} {px(y)}L{px(x)} {px(y + 90)}'
                f'L{px(x - 90)} {px(y)}z" fill="#e0b020" stroke="#7a5c00"/>'
                f'<text class="wounds" x="{px(x)}" y="{px(y + 35)}">{objective.points}</text>'
            )

    def ways(self) -> Iterator[str]:
        """Draw where models came from, and crosses where models were removed."""
        if self.before is None:
            return
        for was in self.before.units:
            if not has_unit(self.battle, was.id) or not on_table(was):
                continue
            now = find_unit(self.battle, was.id)
            shade = self.shades[was.id]
            for model in was.models:
                there, here = place_of(model), model_of(now, model.n)
                x, y = self.x(there.x), self.y(there.y)
                r = self.radius(was, model)
                if here is None:
                    d = r * 7 // 10
                    yield (
                        f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(r)}" fill="none"'
                        f' stroke="{shade}" stroke-opacity="0.5"/>'
                        f'<path d="M{px(x - d)} {px(y - d)}L{px(x + d)} {px(y + d)}'
                        f'M{px(x - d)} {px(y + d)}L{px(x + d)} {px(y - d)}" stroke="{shade}"'
                        ' stroke-width="2"/>'
                    )
                elif here.at is not None and here.at != there:
                    yield (
                        f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(r)}" fill="{shade}"'
                        ' fill-opacity="0.14"/>'
                    )
                    yield from self.arrow(x, y, self.x(here.at.x), self.y(here.at.y), r)

    def arrow(self, x: int, y: int, to_x: int, to_y: int, r: int) -> Iterator[str]:
        """Draw an arrow that ends at the edge of the base that it leads to."""
        long = isqrt((to_x - x) ** 2 + (to_y - y) ** 2)
        if long > 2 * r:
            tip_x, tip_y = to_x - (to_x - x) * r // long, to_y - (to_y - y) * r // long
            yield (
                f'<path d="M{px(x)} {px(y)}L{px(tip_x)} {px(tip_y)}" stroke="#6f6857"'
                ' stroke-width="1" stroke-opacity="0.7" marker-end="url(#tip)"/>'
            )

    def units(self) -> Iterator[str]:
        """Draw every base to scale, with the Wounds left of models that have several."""
        for unit in self.battle.units:
            if not on_table(unit):
                continue
            shade, ink = self.shades[unit.id], INKS[unit.side]
            ring = ' stroke-dasharray="3 2"' if unit.falling_back else ""
            width = 24 if unit.locked else 12
            yield (
                f'<g fill="{shade}" fill-opacity="{"0.55" if unit.falling_back else "0.92"}"'
                f' stroke="{"#1b1a17" if unit.locked else ink}" stroke-width="{px(width)}"{ring}>'
            )
            for model in unit.models:
                at = place_of(model)
                r = self.radius(unit, model) - width // 2
                yield (
                    f'<circle cx="{px(self.x(at.x))}" cy="{px(self.y(at.y))}" r="{px(r)}">'
                    f"<title>{unit.id}.{model.n}</title></circle>"
                )
            yield "</g>"
            for model, wounds in self.wounds(unit):
                if wounds > 1:
                    at = place_of(model)
                    yield (
                        f'<text class="wounds" x="{px(self.x(at.x))}"'
                        f' y="{px(self.y(at.y) + 36)}">{wounds - model.lost}</text>'
                    )

    def labels(self) -> Iterator[str]:
        """Write each unit's name beside it, clear of bases and of other names where possible."""
        bases: list[Box] = []
        wanted: list[Label] = []
        for unit in self.battle.units:
            if not on_table(unit):
                continue
            boxes = [self.box(place_of(m), self.radius(unit, m)) for m in unit.models]
            bases += boxes
            wanted.append(Label(self.label(unit), Box.around(boxes)))
        table = self.battle.table
        frame = Box(self.x(0), self.y(table.height), self.x(table.width), self.y(0))
        named = [unit for unit in self.battle.units if on_table(unit)]
        for unit, box in zip(named, place_labels(wanted, bases, frame), strict=True):
            x, y = (box.x0 + box.x1) // 2, box.y1 - 35
            yield (
                f'<text class="label" x="{px(x)}" y="{px(y)}" style="fill:{INKS[unit.side]}">'
                f'{escape(unit.id)}<tspan class="mark" dx="4">'
                f"{escape(self.label(unit)[len(unit.id) :].strip())}</tspan></text>"
            )

    def box(self, at: Point, radius: int) -> Box:
        x, y = self.x(at.x), self.y(at.y)
        return Box(x - radius, y - radius, x + radius, y + radius)

    def label(self, unit: Unit) -> str:
        return " · ".join(word for word in (unit.id, self.plight(unit)) if word)

    def plight(self, unit: Unit) -> str:
        """Return what hinders a unit, in words; "" if nothing does."""
        if not on_table(unit):
            return "not deployed"
        words = ("locked" if unit.locked else "", "falling back" if unit.falling_back else "")
        return ", ".join(word for word in words if word)

    @property
    def rows(self) -> int:
        """How many rows the list of units takes."""
        hurt = sum(bool(self.hurt(unit)) for unit in self.battle.units)
        return len(self.battle.units) + hurt + 8 + len(self.key())

    def panel(self) -> Iterator[str]:
        """List both sides' units: shade, models left, what hinders them; the destroyed last."""
        left = LEFT + self.width // 10 + 28
        y = TOP + 8
        for number, side in enumerate(SHADES):
            units = [unit for unit in self.battle.units if unit.side == side]
            names = [army.name for army in self.battle.armies]
            name = names[number] if len(names) == len(SHADES) else side.capitalize()
            alive = sum(len(unit.models) for unit in units)
            yield (
                f'<text class="head" x="{left}" y="{y}" style="fill:{INKS[side]}">'
                f"{escape(name)}</text>"
                f'<text class="note end" x="{left + PANEL - 24}" y="{y}">{alive} of'
                f" {counted(sum(unit.started for unit in units), 'model')}</text>"
                f'<path d="M{left} {y + 6}h{PANEL - 24}" stroke="{INKS[side]}"/>'
            )
            y += ROW + 4
            for unit in sorted(units, key=lambda unit: not unit.models):
                yield from self.entry(unit, left, y)
                y += ROW
                hurt = self.hurt(unit)
                if hurt:
                    yield f'<text class="note" x="{left + 20}" y="{y - 3}">{escape(hurt)}</text>'
                    y += ROW
            y += ROW
        for look, digit, words in self.key():
            yield (
                f'<path d="M{left} {y - 10}h14v11h-14z" {look}/>'
                f'<text class="wounds" x="{left + 7}" y="{y - 1}">{digit}</text>'
                f'<text class="note" x="{left + 20}" y="{y}">{words}</text>'
            )
            y += ROW

    def key(self) -> list[tuple[str, str, str]]:
        """Return what is drawn on this table and needs words: a patch, the number on it, words."""
        found = [(look, "", words) for look, words in terrain_key(self.battle.table)]
        if any(wounds > 1 for unit in self.battle.units for _, wounds in self.wounds(unit)):
            found.append((f'fill="{INKS["blue"]}"', "3", "white number: Wounds the model has left"))
        if self.battle.table.objectives:
            found.append(('fill="#e0b020" stroke="#7a5c00"', "1", "objective, and its points"))
        return found

    def wounds(self, unit: Unit) -> Iterator[tuple[Model, int]]:
        """Yield the models of a unit on the table with the Wounds of their profiles."""
        if on_table(unit):
            setup = setup_of(self.battle, unit.id)
            for model in unit.models:
                yield model, profile_of(setup, model.n).wounds or 1

    def entry(self, unit: Unit, left: int, y: int) -> Iterator[str]:
        """Draw one unit's line in the list."""
        right = left + PANEL - 24
        if not unit.models:
            yield (
                f'<text class="dead" x="{left + 20}" y="{y}">{escape(unit.id)}</text>'
                f'<text class="note end" x="{right}" y="{y}">destroyed</text>'
            )
            return
        yield (
            f'<circle cx="{left + 7}" cy="{y - 5}" r="6" fill="{self.shades[unit.id]}"/>'
            f'<text class="unit" x="{left + 20}" y="{y}">{escape(unit.id)}'
            f'<tspan class="note mark" dx="8">{self.plight(unit)}</tspan></text>'
            f'<text class="unit end" x="{right}" y="{y}">{len(unit.models)}'
            f'<tspan class="note" dx="4">of {unit.started}</tspan></text>'
        )

    def hurt(self, unit: Unit) -> str:
        """Return the models that lost Wounds and stand, in words; "" if there are none."""
        lost = [f".{model.n} lost {model.lost}" for model in unit.models if model.lost]
        return ", ".join(lost[:4]) + (" ..." if len(lost) > 4 else "")
