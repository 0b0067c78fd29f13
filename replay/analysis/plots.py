"""Plots of an analysis as SVG, drawn by matplotlib: the same bytes for the same analysis.

matplotlib comes with the extra; nothing else of the project needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from events.base import SIDES, Side
from events.errors import WarledgerError
from projections.readmodels.luck import chance_of, distribution
from replay.analysis import Analysis, KindLuck, Lead
from replay.analysis.parquet import EXTRA
from replay.analysis.turning import points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS: dict[Side, str] = {"red": "#b3261e", "blue": "#1f5fa8"}
INK, SOFT, LINE, BAND = "#2b2a27", "#6f6857", "#d9cfb0", "#f3ecd6"
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "warledger",
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": SOFT,
    "axes.edgecolor": LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
}
NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

STORY_LEFT, STORY_WIDE = 0.055, 0.93
"""Where the plots of `story` lie in their picture, as fractions of its width."""


@contextmanager
def figure(width: float, height: float) -> Iterator[Figure]:
    """Give a blank figure of so many inches. Raises WarledgerError without matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise WarledgerError("plots", f"matplotlib draws them; {EXTRA} installs it") from None
    with matplotlib.rc_context(STYLE):
        yield Figure(figsize=(width, height))


def svg(drawn: Figure) -> str:
    """Return a figure as an SVG element that fills the width it is given.

    Made small: no metadata, no ids that nothing refers to, numbers of two decimals, the page's
    own font.
    """
    written = StringIO()
    drawn.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = written.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'^<svg [^>]*?(viewBox="[^"]*")[^>]*>', rf"<svg {NAMESPACES} \1>", text)
    text = re.sub(r" font-family: [^;\"]*;", "", text)
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r"(\.\d\d)\d+", r"\1", text)
    used = set(re.findall(r"#([\w.-]+)", text))
    text = re.sub(r' id="([^"]*)"', lambda one: one[0] if one[1] in used else "", text)
    return re.sub(r"\s*\n\s*", " ", text).strip()


def story(analysis: Analysis) -> str:
    """Return how the battle went: points of models left over the steps, luck below it.

    Steps are drawn by their place on the line of play, from 0 at the left edge of the plots to
    the last at the right: a cursor laid over the picture finds them by `STORY_LEFT` and
    `STORY_WIDE`.
    """
    stood = analysis.leads
    last = max(len(stood) - 1, 1)
    with figure(11.6, 3.9) as drawn:
        above = drawn.add_axes((STORY_LEFT, 0.40, STORY_WIDE, 0.54))
        below = drawn.add_axes((STORY_LEFT, 0.07, STORY_WIDE, 0.25), sharex=above)
        for axes in (above, below):
            axes.set_xlim(0, last)
            axes.tick_params(length=0)
            axes.xaxis.set_visible(False)
            axes.grid(axis="y")
            axes.set_axisbelow(True)
            bands(axes, stood, named=axes is above)
        standing(above, analysis)
        fortune(below, analysis)
        return svg(drawn)


def bands(axes: Axes, stood: Sequence[Lead], named: bool) -> None:
    """Shade every other player turn, and name them."""
    starts = [
        n
        for n, now in enumerate(stood)
        if n == 0 or (now.turn, now.active) != (stood[n - 1].turn, stood[n - 1].active)
    ]
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(stood) - 1], strict=True)):
        lead = stood[start]
        if number % 2:
            axes.axvspan(start, end, color=BAND, linewidth=0)
        if named and lead.turn and end - start > len(stood) / 40:
            axes.text(
                (start + end) / 2,
                1.02,
                f"turn {lead.turn}",
                color=COLOURS[lead.active],
                ha="center",
                va="bottom",
                fontsize=8.5,
                transform=axes.get_xaxis_transform(),
            )


def standing(axes: Axes, analysis: Analysis) -> None:
    """Draw the points of models left, the gap between the sides, and the turning points."""
    stood = analysis.leads
    steps = range(len(stood))
    red = [lead.red_models / 10 for lead in stood]
    blue = [lead.blue_models / 10 for lead in stood]
    for colour, ahead, behind in ((COLOURS["red"], red, blue), (COLOURS["blue"], blue, red)):
        axes.fill_between(
            steps,
            ahead,
            behind,
            where=[a > b for a, b in zip(ahead, behind, strict=True)],
            step="post",
            color=colour,
            alpha=0.13,
            linewidth=0,
        )
    for line, side in ((red, SIDES[0]), (blue, SIDES[1])):
        axes.step(steps, line, where="post", color=COLOURS[side], linewidth=1.8)
    most, least = max(*red, *blue, 1), min(*red, *blue)
    axes.set_ylim(max(0, least - (most - least) / 6), most + (most - least + 1) / 10)
    axes.set_ylabel("points left")
    places = {lead.step: n for n, lead in enumerate(stood)}
    for number, turn in enumerate(analysis.turning, 1):
        n = places[turn.step]
        y = (blue if turn.gained == "red" else red)[n]
        axes.plot(n, y, "o", markersize=11, color="#fbf7ea", markeredgecolor=COLOURS[turn.gained])
        axes.text(n, y, str(number), ha="center", va="center_baseline", fontsize=8)


def fortune(axes: Axes, analysis: Analysis) -> None:
    """Draw how far each player's successes ran ahead of what his dice owed him."""
    places = {lead.step: n for n, lead in enumerate(analysis.leads)}
    for side in SIDES:
        ahead = [0.0] * len(analysis.leads)
        for one in analysis.rolls:
            roll = one.roll
            if roll.need and roll.player == side:
                owed = len(roll.faces) * chance_of(roll.need, roll.sides)
                ahead[places[roll.step]] += roll.passed - float(owed)
        axes.step(
            range(len(ahead)),
            [*accumulate(ahead)],
            where="post",
            color=COLOURS[side],
            linewidth=1.4,
        )
    axes.axhline(0, color=SOFT, linewidth=0.8)
    axes.set_ylabel("luck")


def exchange(analysis: Analysis) -> str:
    """Return each unit's bars: points it took to the right, points it lost to the left."""
    units = [unit for side in SIDES for unit in analysis.units if unit.side == side]
    with figure(5.6, 0.6 + 0.27 * len(units)) as drawn:
        axes = drawn.add_axes((0.24, 0.10, 0.74, 0.86))
        for row, unit in enumerate(units):
            colour = COLOURS[unit.side]
            axes.barh(row, unit.points_dealt / 10, height=0.62, color=colour)
            axes.barh(row, -unit.points_lost / 10, height=0.62, color=colour, alpha=0.3)
            for tenths, align, gap in (
                (unit.points_dealt, "left", 4),
                (-unit.points_lost, "right", -4),
            ):
                if tenths:
                    axes.annotate(
                        points(abs(tenths)),
                        (tenths / 10, row),
                        xytext=(gap, 0),
                        textcoords="offset points",
                        ha=align,
                        va="center",
                        fontsize=8,
                        color=SOFT,
                    )
        axes.set_yticks(range(len(units)), [unit.unit for unit in units])
        for label, unit in zip(axes.get_yticklabels(), units, strict=True):
            label.set_color(COLOURS[unit.side])
        axes.invert_yaxis()
        axes.margins(x=0.12, y=0.01)
        axes.axvline(0, color=SOFT, linewidth=0.8)
        axes.tick_params(length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        axes.set_xlabel("points lost   |   points taken", fontsize=9)
        return svg(drawn)


def lucks(analysis: Analysis) -> str:
    """Return the exact distribution of successes by kind of roll, with what came of it."""
    spoken = [one for one in analysis.lucks if one.below is not None]
    rows = {side: [one for one in spoken if one.player == side] for side in SIDES}
    across = max((len(found) for found in rows.values()), default=0)
    if not across:
        return ""
    with figure(11.6, 3.3) as drawn:
        grid = drawn.subplots(2, across, squeeze=False)
        drawn.subplots_adjust(0.01, 0.11, 0.99, 0.89, wspace=0.08, hspace=0.75)
        for line, side in zip(grid, SIDES, strict=True):
            for n, axes in enumerate(line):
                if n < len(rows[side]):
                    hill(axes, rows[side][n])
                else:
                    axes.set_visible(False)
        return svg(drawn)


def hill(axes: Axes, one: KindLuck) -> None:
    """Draw one distribution: bars up to what came of it are dark, those beyond are pale."""
    weights = distribution(one.groups)
    whole = sum(weights)
    shares = [weight / whole for weight in weights]
    highest = max(shares)
    likely = [k for k, share in enumerate(shares) if share > highest / 500]
    first, last = min(likely[0], one.passed), max(likely[-1], one.passed)
    colour = COLOURS[one.player]
    edges = [k - 0.5 for k in range(first, last + 2)]
    for start, end, alpha in ((first, one.passed, 0.75), (one.passed, last + 1, 0.22)):
        axes.stairs(
            shares[start:end],
            edges[start - first : end - first + 1],
            fill=True,
            color=colour,
            alpha=alpha,
        )
    axes.plot([one.passed] * 2, [0, highest * 1.08], color=INK, linewidth=1.3)
    assert one.below is not None  # silence is kept by the caller
    axes.set_title(
        f"{one.kind or 'all dice'}: luckier than {float(100 * one.below):.1f} %",
        fontsize=9,
        color=colour,
    )
    axes.set_ylim(0, highest * 1.1)
    axes.set_xlim(first - 1, last + 1)
    axes.set_yticks([])
    axes.set_xticks(
        sorted({one.passed, round(float(one.expected))})
        if abs(one.passed - float(one.expected)) > (last - first) / 9
        else [one.passed]
    )
    axes.tick_params(length=0, labelsize=8)
    axes.spines["left"].set_visible(False)
