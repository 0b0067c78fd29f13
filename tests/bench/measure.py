"""Clocks and tables for the scripts of this folder."""

from __future__ import annotations

import gc
import os
import platform
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import msgspec


class Row(NamedTuple):
    """One line of the results."""

    work: str
    figure: str
    reach: str
    """What the design asks for; "" where it asks for nothing."""
    reached: bool | None = None


class Times(NamedTuple):
    """Seconds of every round of one contestant."""

    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.rounds)

    def show(self, per: float = 1.0) -> str:
        """Say median, fastest and slowest round, divided by `per` pieces of work."""
        low, middle, high = (t / per for t in (min(self.rounds), self.median, max(self.rounds)))
        return f"{seconds(middle)} ({seconds(low)} to {seconds(high)})"


def seconds(time: float) -> str:
    """Say a time in the unit that suits it.

    >>> seconds(0.0000321), seconds(0.0321), seconds(3.21)
    ('32.1 µs', '32.1 ms', '3.21 s')
    """
    if time < 1e-3:
        return f"{time * 1e6:.1f} µs"
    return f"{time * 1e3:.1f} ms" if time < 1 else f"{time:.2f} s"


def in_turns(rounds: int, *contestants: Callable[[], object], waiting: bool = False) -> list[Times]:
    """Time each contestant once a round, one after the other; a first round warms up.

    What is timed is this process's time on a processor, which a busy machine changes least; with
    `waiting`, for what waits for a disk, the time on the wall.
    """
    clock = perf_counter if waiting else process_time
    taken: list[list[float]] = [[] for _ in contestants]
    for round in range(rounds + 1):
        for mine, contestant in zip(taken, contestants, strict=True):
            gc.collect()
            began = clock()
            contestant()
            if round:
                mine.append(clock() - began)
    return [Times(tuple(mine)) for mine in taken]


def ratio(slow: Times, fast: Times) -> float:
    """Return the median of the rounds' ratios."""
    return median(a / b for a, b in zip(slow.rounds, fast.rounds, strict=True))


def at_least(work: str, value: float, reach: float, detail: str) -> Row:
    """A line whose ratio should be large."""
    return Row(work, f"{value:.1f}x: {detail}", f"at least {reach:g}x", value >= reach)


def at_most(work: str, value: float, reach: float, detail: str) -> Row:
    """A line whose ratio should be small."""
    return Row(work, f"{value:.2f}x: {detail}", f"at most {reach:g}x", value <= reach)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    marks = {True: "yes", False: "**no**", None: ""}
    lines = ["| work | measured | reach | reached |", "|---|---|---|---|"]
    lines += [f"| {r.work} | {r.figure} | {r.reach} | {marks[r.reached]} |" for r in rows]
    return "\n".join(lines)


def machine() -> str:
    """Return one line about where this runs."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = names[0].partition(":")[2].strip() if names else cpu
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return (
        f"{cpu}, {os.cpu_count()} cores, load {load:.1f}, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}, "
        f"msgspec {msgspec.__version__}, SQLite {sqlite3.sqlite_version}"
    )
