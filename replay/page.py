"""A game as one page: the table at any step, plots, turning points, who did what, luck.

One HTML file with everything in it: no network, no other file. The same game gives the same
bytes. Open it at a step with ``page.html#150``.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from pathlib import Path

import msgspec

from events.base import SIDES, Side
from events.values import Table
from events.wording import counted
from projections.battle import Battle
from projections.history import History
from replay.analysis import Analysis
from replay.analysis.frames import frames, units_of_page
from replay.analysis.plots import STORY_LEFT, STORY_WIDE, exchange, lucks, story
from replay.analysis.rolls import rarest
from replay.analysis.turning import VICTORY_POINT, points
from replay.ground import LEFT, SCALE, TOP, terrain_key
from replay.picture import table_svg

MOST_WEAPONS = 18
"""Weapons that the page lists."""

_HERE = Path(__file__).parent


def page_html(history: History, analysis: Analysis) -> str:
    """Return the page of a game up to its head, about 200 kB for 250 steps; takes some seconds.

    Raises WarledgerError where the library that draws the plots isn't installed.
    """
    title = " against ".join(escape(analysis.armies[side]) for side in SIDES)
    style, script = ((_HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    body = "\n".join(
        (
            *head_of(analysis, title),
            *battlefield(history.battle, analysis),
            *turning(analysis),
            *deeds(analysis),
            *dice(analysis),
            *rest(analysis),
        )
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{style}</style></head>\n<body><main>\n{body}\n</main>\n"
        f'<script type="application/json" id="battle">{data_of(history, analysis)}</script>\n'
        f"<script>\n{script}</script></body></html>\n"
    )


def data_of(history: History, analysis: Analysis) -> str:
    """Return what the script reads, as JSON that can't end the element it stands in."""
    found = {
        "units": units_of_page(history.battle),
        "plot": {"left": STORY_LEFT, "wide": STORY_WIDE},
        "frames": frames(history.path(), analysis),
    }
    return msgspec.json.encode(found).decode().replace("</", "<\\/")


def head_of(analysis: Analysis, title: str) -> Iterator[str]:
    """Yield who fought, how it ended, and each side's numbers."""
    if analysis.winner == "nobody yet":
        result = f"{analysis.reason}; turn {analysis.turns}"
    else:
        won = f"{analysis.winner} wins" if analysis.winner else "a draw"
        result = f"{won}, {analysis.reason}, after {counted(analysis.turns, 'turn')}"
    yield (
        f'<header><div><h1>{title}</h1><p class="soft">{escape(result)} · game'
        f" {escape(analysis.game)}, {counted(len(analysis.leads), 'step')}</p></div>"
        f'<div class="score"><span class="red">{analysis.leads[-1].red_score}</span> :'
        f' <span class="blue">{analysis.leads[-1].blue_score}</span></div></header>'
    )
    yield '<div class="facts">'
    for side in SIDES:
        own = [unit for unit in analysis.units if unit.side == side]
        all_dice = next((o for o in analysis.lucks if o.player == side and not o.kind), None)
        pace = next((pace for pace in analysis.paces if pace.player == side), None)
        facts = [
            ("models left", f"{sum(u.left for u in own)} of {sum(u.models for u in own)}"),
            ("points taken", points(sum(u.points_dealt for u in own))),
            ("points lost", points(sum(u.points_lost for u in own))),
        ]
        if all_dice is not None and all_dice.below is not None:
            facts.append(("luckier than", f"{tenths(100 * all_dice.below)} %"))
        if pace is not None and pace.total >= 60_000:
            facts.append(("time", f"{pace.total // 60_000} min"))
        yield f'<div class="{side}" style="border-color:currentColor">' + "".join(
            f"<span>{name} <b>{value}</b></span>" for name, value in facts
        )
        yield "</div>"
    yield "</div>"


def battlefield(battle: Battle, analysis: Analysis) -> Iterator[str]:
    """Yield the table, what was told of the step, the units, the story and the slider."""
    tips = "".join(
        f'<marker id="{side}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9"'
        ' markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{ink}"/></marker>'
        for side, ink in (("red", "#8c1d18"), ("blue", "#174a84"))
    )
    wide, high = battle.table.width * SCALE // 10000, battle.table.height * SCALE // 10000
    yield (
        f'<section id="battlefield"><div><svg id="table" viewBox="{LEFT - 32} {TOP - 8}'
        f' {wide + 42} {high + 36}"><defs>{tips}</defs>{ground(battle)}</svg>'
        f"{key(battle.table)}</div>"
        '<div><div id="told"></div><div id="units">'
    )
    for side in SIDES:
        yield (
            f'<div id="{side}"><p class="{side}"><b>{escape(analysis.armies[side])}</b><br>'
            f'<em id="{side}-now"></em></p></div>'
        )
    yield f'</div></div></section><div id="story">{story(analysis)}<div id="cursor"></div></div>'
    yield (
        '<div id="controls"><button id="back" title="one step back (←)">◄</button>'
        '<button id="play" title="play (space)">►</button>'
        '<button id="on" title="one step on (→)">►|</button>'
        '<input id="slider" type="range" min="0" value="0" aria-label="step">'
        '<span id="place"></span></div>'
    )


def ground(battle: Battle) -> str:
    """Return the table without units, as a picture in the picture: its styles stay its own."""
    bare = msgspec.structs.replace(battle, units=(), setups=(), question=None)
    drawn = table_svg(bare)
    size = drawn[drawn.index(' width="') : drawn.index(' role="')]
    return f'<image{size} href="data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"/>'


def key(table: Table) -> str:
    """Return what the tints of the terrain stand for; "" for a bare table."""
    patches = "".join(
        f'<svg width="16" height="12"><path d="M1 1h14v10h-14z" {look}/></svg> {words} &ensp;'
        for look, words in terrain_key(table)
    )
    return f"<p>{patches}</p>" if patches else ""


def turning(analysis: Analysis) -> Iterator[str]:
    """Yield the turning points; a click goes to the step."""
    if analysis.turning:
        yield '<h2>Turning points</h2><ol class="turning">'
        for number, one in enumerate(analysis.turning, 1):
            yield (
                f'<li data-step="{one.step}"><span class="number {one.gained}">{number}</span>'
                f"<span>{escape(one.happened)}<br>"
                f'<span class="soft">{one.when}: <b class="{one.gained}">{one.gain}</b></span>'
                "</span>"
                "</li>"
            )
        yield "</ol>"


def deeds(analysis: Analysis) -> Iterator[str]:
    """Yield who did what: units as bars, weapons as a table."""
    side_of = {unit.unit: unit.side for unit in analysis.units}
    used = sorted(analysis.weapons, key=lambda one: -one.points)[:MOST_WEAPONS]
    most = max((one.points for one in used), default=0) or 1
    yield f'<h2>Who did what</h2><div class="two"><div class="plot">{exchange(analysis)}</div><div>'
    yield (
        '<table><tr><th class="word">Unit</th><th class="word">Weapon</th><th>Attacks</th>'
        "<th>Hits</th><th>Wounds</th><th>Unsaved</th><th>Models</th>"
        '<th class="word">Points</th></tr>'
    )
    for one in used:
        side = side_of[one.unit]
        numbers = (one.attacks, one.hits, one.wounds, one.unsaved, one.models)
        cells = "".join(f"<td>{number or ''}</td>" for number in numbers)
        yield (
            f'<tr><td class="word {side}">{escape(one.unit)}</td>'
            f'<td class="word">{escape(one.weapon or "bare hands")}</td>{cells}<td class="points">'
            f'{points(one.points) if one.points else ""}<span class="bar"'
            f' style="background:var(--{side});width:{70 * one.points // most}px"></span></td></tr>'
        )
    yield "</table>" + casualties(analysis) + "</div></div>"


def casualties(analysis: Analysis) -> str:
    """Return what models were lost to, in a sentence a side."""
    side_lost: dict[Side, dict[str, int]] = {"red": {}, "blue": {}}
    for loss in analysis.losses:
        lost = side_lost[loss.side]
        lost[loss.cause] = lost.get(loss.cause, 0) + loss.models
    return "".join(
        f'<p><b class="{side}">{side}</b> lost {sum(lost.values())}:'
        f" {escape(', '.join(f'{models} {cause}' for cause, models in lost.items()))}</p>"
        for side, lost in side_lost.items()
        if lost
    )


def dice(analysis: Analysis) -> Iterator[str]:
    """Yield the distributions of luck and the rarest rolls."""
    drawn = lucks(analysis)
    if drawn:
        yield (
            '<h2>Luck</h2><p class="soft">How many successes dice with these needs make, exactly'
            " worked out; the line is what they made, dark is what was beaten.</p>"
            f'<div class="plot">{drawn}</div>'
        )
    rare = rarest(analysis.rolls)
    if rare:
        yield '<h2>Rarest rolls</h2><ol class="turning">'
        for one in rare:
            roll = one.roll
            way = "so few" if one.as_many > one.rarity else "so many"
            player = roll.player or "soft"
            faces = " ".join(map(str, roll.faces[:40]))
            yield (
                f'<li data-step="{roll.step}"><span class="number {player}">!</span><span>'
                f"{roll.passed} of {len(roll.faces)} {escape(roll.purpose)} on {roll.need}+"
                f" ({escape(' '.join(word for word in (roll.subject, roll.weapon) if word))})"
                f': <b class="{player}">{way} 1 time in {whole(1 / one.rarity)}</b><br>'
                f'<span class="soft">step {roll.step}: {faces}</span></span></li>'
            )
        yield "</ol>"


def rest(analysis: Analysis) -> Iterator[str]:
    """Yield how far units went, how long players took, and how it is all reckoned."""
    yield '<h2>Ground and time</h2><div class="two"><p>'
    far = sorted(analysis.units, key=lambda unit: -unit.moved)[:6]
    yield "Farthest went " + ", ".join(
        f'<span class="{unit.side}">{escape(unit.unit)}</span> {whole(Fraction(unit.moved, 1000))}″'
        for unit in far
        if unit.moved
    )
    yield "</p><p>"
    for pace in analysis.paces:
        yield (
            f'<span class="{pace.player}">{pace.player}</span> took {pace.total // 1000} s over'
            f" {counted(pace.steps, 'step')}, the longest {pace.longest // 1000} s (step"
            f" {pace.longest_step}).<br>"
        )
    yield (
        "</p></div><footer>The lead is red's points of models left less blue's, and"
        f" {VICTORY_POINT} more for each victory point that a side would score if the game ended"
        " there; turning points are the steps that changed it most. Luck is the successes beyond"
        " what the needed scores owed. Distance is straight, each move as far as its farthest"
        " model went. Undone steps don't count.</footer>"
    )


def whole(number: Fraction) -> int:
    """Return the nearest whole number, a half rounded up.

    >>> whole(Fraction(5, 2)), whole(Fraction(7, 3))
    (3, 2)
    """
    return int(number + Fraction(1, 2))


def tenths(number: Fraction) -> str:
    """Return a number with one decimal, a half rounded up.

    >>> tenths(Fraction(1995, 20)), tenths(Fraction(1, 3))
    ('99.8', '0.3')
    """
    count = int(10 * number + Fraction(1, 2))
    return f"{count // 10}.{count % 10}"
