"""Odds in a terminal: one choice with its distributions, or several side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from replay.odds import Chance, Odds, Spread
from table.show import said
from table.show_analysis import percent, table_of

WIDE = 30
"""Width of the bar of a certainty."""

FEWEST = Fraction(1, 200)
"""Values less likely than this at either end of a distribution are put together."""


def decimal(number: Fraction) -> str:
    """Return a number with one decimal, rounded half up.

    >>> decimal(Fraction(-4, 3)), decimal(Fraction(5, 2)), decimal(Fraction(0))
    ('-1.3', '2.5', '0.0')
    """
    tenths = (number * 10 + Fraction(1, 2)).__floor__()
    return f"{'-' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10}"


def odds_text(one: Odds) -> Iterator[RenderableType]:
    """Yield the odds of one choice."""
    yield Text.from_markup(
        f"{said(one.by)} [bold]{escape(one.choice)}[/], followed to the end of the {one.until}"
    )
    yield Text(f"  {method_text(one)}", style="dim")
    if one.success is not None:
        yield Text.from_markup(
            f"  {escape(one.succeeds):<28} [bold]{percent(one.success.value)}[/]"
            f"{_between(one.success)}"
        )
    for name, spread in (("enemy models lost", one.inflicted), ("own models lost", one.suffered)):
        if spread.shares != ((0, Fraction(1)),):
            yield Text(f"  {name:<28} {decimal(spread.mean)} on average{_around(spread, 1)}")
            yield from _bars(spread)
    yield Text(
        f"  {'points taken less lost':<28} {decimal(one.points.mean / 10)} on average"
        f"{_around(one.points, 10)}"
    )


def method_text(one: Odds) -> str:
    """Return how the odds were found, in words."""
    if one.method == "exact":
        return f"exact: {one.runs} ways for the dice to fall" if one.runs > 1 else "no dice fall"
    stopped = f" of {one.wanted} times, then stopped" if one.runs < one.wanted else " times"
    return f"sampled {one.runs}{stopped}; 95 % intervals in brackets"


def _between(chance: Chance) -> str:
    if chance.low == chance.high:
        return f"  ({chance.value})" if chance.value.denominator < 10**6 else ""
    return f"  ({percent(chance.low)} to {percent(chance.high)})"


def _around(spread: Spread, unit: int) -> str:
    if spread.low == spread.high:
        return ""
    return f"  ({decimal(spread.low / unit)} to {decimal(spread.high / unit)})"


def _bars(spread: Spread) -> Iterator[Text]:
    """Yield a bar for each likely value; the rest is put together above the last one."""
    likely = [value for value, share in spread.shares if share >= FEWEST]
    last = likely[-1]
    for value, share in spread.shares:
        if likely[0] <= value <= last:
            yield _bar(str(value), share)
    rest = spread.at_least(last + 1)
    if rest:
        yield _bar("more", rest)


def _bar(label: str, share: Fraction) -> Text:
    eighths = int(share * WIDE * 8)
    bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8]
    return Text(f"    {label:>4} {bar:<{WIDE}} {percent(share)}")


def _samples(one: Odds) -> str:
    return f"{one.runs} of {one.wanted} samples" if one.runs < one.wanted else f"{one.runs} samples"


def odds_table(found: Sequence[Odds]) -> Table:
    """Return several choices side by side."""
    table = table_of(
        f"Odds, each choice followed to the end of the {found[0].until}",
        *("Choice", "Success", "Chance", "Enemy lost", "Own lost", "Points", "How"),
        left=("Choice", "Success", "How"),
    )
    for one in found:
        table.add_row(
            said(one.by, one.choice),
            escape(one.succeeds),
            percent(one.success.value) if one.success is not None else "",
            decimal(one.inflicted.mean),
            decimal(one.suffered.mean),
            decimal(one.points.mean / 10),
            "exact" if one.method == "exact" else _samples(one),
        )
    return table
