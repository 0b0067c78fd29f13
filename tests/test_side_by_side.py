"""The contestants of tests/bench/side_by_side end in one state; a short script, nothing timed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parent / "bench"
ACTIONS, UNITS = 60, 40
END = ("applied", "redone", "replayed", "loaded", "applied durably", "loaded without undo")


def script() -> list[tuple[str, int, int, int]]:
    """Moves, shots and Wounds in turn."""
    found = []
    for i in range(ACTIONS):
        unit, target = i * 7 % UNITS, (i * 11 + 1) % UNITS
        kinds = ("move", unit, i % 13 - 6, i % 7 - 3), ("shoot", unit, target, 0)
        found.append((*kinds, ("wound", target, 0, 0))[i % 3])
    return found


def digests(*command: str | Path) -> dict[str, str]:
    job = json.dumps({"calls": script(), "seeks": [0, 1, 30, 59, 60, 17]})
    done = subprocess.run(command, input=job, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    found: dict[str, str] = answer["digests"]
    return found


@pytest.fixture(scope="module")
def ours() -> dict[str, str]:
    return digests(sys.executable, BENCH / "side_by_side_ours.py")


def agree(theirs: dict[str, str], ours: dict[str, str]) -> None:
    assert {theirs[what] for what in END if what in theirs} == {ours["applied"]}
    shared = theirs.keys() & ours.keys()
    assert {"applied", "replayed", "loaded", "sought"} <= shared
    assert {what: theirs[what] for what in shared} == {what: ours[what] for what in shared}


def test_ours_comes_back_to_its_end_every_way(ours: dict[str, str]) -> None:
    agree(ours, ours)
    assert len({ours[what] for what in ("applied", "undone", "loaded and undone", "sought")}) == 4


def test_the_stock_aggregate_ends_as_ours_does(ours: dict[str, str]) -> None:
    theirs = digests(sys.executable, BENCH / "side_by_side_stock.py")
    agree(theirs, ours)
    assert theirs["sought from snapshots"] == ours["sought"]


def test_boardgame_io_ends_as_ours_does(ours: dict[str, str]) -> None:
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    if not (BENCH / "node" / "node_modules" / "boardgame.io").is_dir():
        pytest.skip("boardgame.io is not installed: `make bench` does it, in tests/bench/node")
    theirs = digests("node", BENCH / "node" / "side_by_side.js")
    agree(theirs, ours)
    assert theirs.keys() - ours.keys() == {"loaded without undo"}
