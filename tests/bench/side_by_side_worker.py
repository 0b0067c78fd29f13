"""What the Python contestants of `side_by_side` have in common: the job, the clock, the answer.

A contestant is a program that reads one `Job` as JSON from its input and prints one `Answer`. Each
runs in a process of its own, so that its peak memory is its own too. `node/side_by_side.js` speaks
the same two shapes.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import TypeVar

import msgspec

T = TypeVar("T")

Call = tuple[str, int, int, int]
"""An action: ("move", unit, dx, dy), ("shoot", unit, target, 0) or ("wound", target, 0, 0)."""


class Job(msgspec.Struct):
    """What a contestant shall do."""

    calls: list[Call]
    """The script, each action a call."""
    seeks: list[int]
    """Numbers of actions after which the state is looked for, one after the other."""
    warm: int = 0
    """How many of the calls to play in a game of its own first, before anything is timed."""
    durable: bool = True
    """Whether to play the script once more with every action synced to a file."""


class Answer(msgspec.Struct):
    """What a contestant did; what it can't do is missing, never zero."""

    engine: str
    """Name and version."""
    seconds: dict[str, float] = {}
    """Time on the wall of each section, for all its pieces of work together."""
    digests: dict[str, str] = {}
    """sha256 of the state's canonical text after each section."""
    sizes: dict[str, float] = {}
    """Bytes stored, and bytes of peak memory."""

    def time(self, section: str, work: Callable[[], T]) -> T:
        """Do the work, note the seconds it took, and return what it returns."""
        gc.collect()
        began = perf_counter()
        result = work()
        self.seconds[section] = perf_counter() - began
        return result

    def time_each(self, section: str, act: Callable[[T], object], work: Iterable[T]) -> None:
        """Do every piece of work; note the sum of seconds and the 50th and 99th in a hundred."""
        laps: list[float] = []
        gc.collect()
        for piece in work:
            began = perf_counter()
            act(piece)
            laps.append(perf_counter() - began)
        marks = quantiles(laps, n=100, method="inclusive")
        self.seconds[section] = sum(laps)
        self.seconds[f"{section} p50"], self.seconds[f"{section} p99"] = marks[49], marks[98]

    def remember_peak(self, when: str) -> None:
        """Note the largest resident memory this process has ever had, in bytes."""
        self.sizes[f"memory {when}"] = peak_memory()

    def print(self) -> None:
        """Hand the answer over."""
        sys.stdout.buffer.write(msgspec.json.encode(self))


def read_job() -> Job:
    """Read the job from the input."""
    return msgspec.json.decode(sys.stdin.buffer.read(), type=Job)


def peak_memory() -> int:
    """Return the largest resident memory so far, in bytes.

    From /proc where there is one: what `getrusage` says starts with the parent's memory.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def text(units: Iterable[Sequence[object]], shots: int) -> str:
    """Return the canonical text of a state: [id, side, x, y, Wounds lost] a unit, and the shots.

    >>> text([("u0", "blue", 0, 1000, 2)], 5)
    '{"units":[["u0","blue",0,1000,2]],"shots":5}'
    """
    whole = {"units": [list(unit) for unit in units], "shots": shots}
    return json.dumps(whole, separators=(",", ":"))


def digest(*texts: str) -> str:
    """Return the sha256 of one text, or of several one after the other."""
    return sha256("".join(texts).encode()).hexdigest()


def folder_size(folder: Path) -> int:
    """Return the bytes of all files in a folder: a closed database and what stands beside it."""
    return sum(path.stat().st_size for path in folder.iterdir())
