"""Live play in memory, moves a second, against boardgame.io on the same script.

40 units move, shoot with a die and suffer Wounds (`toyrules`, `node/toy.js`); in boardgame.io all
in one turn of a client without its React layer, so that undo stays open as it does here. The
digest of all places and Wounds must be equal. Our side writes its chained ledger, theirs its log.
Without node or npm the line says n/a.
"""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from measure import Row, Times
from toyrules import end_digest, new_toy, script

from events.ledger import Ledger

NODE = Path(__file__).with_name("node")
REACH = "at least 10x"


def ours(actions: int) -> tuple[float, str]:
    """Play the script and return seconds and the end's digest."""
    choices = list(script(actions))
    with Ledger.memory() as ledger:
        game = new_toy(ledger)
        gc.collect()  # what earlier rounds left behind; node starts anew each time
        began = perf_counter()
        for choice in choices:
            game.play(choice)
        return perf_counter() - began, end_digest(game.battle)


def theirs(actions: int) -> dict[str, Any]:
    """Let node play the script; its answer has seconds, digest and versions."""
    command = ["node", "toy.js", str(actions)]
    done = subprocess.run(command, cwd=NODE, check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def absent() -> str:
    """Install boardgame.io if it isn't there; return why it can't be run, or nothing."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "node and npm are not installed"
    if not (NODE / "node_modules" / "boardgame.io").is_dir():
        command = ["npm", "install", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=NODE, capture_output=True, text=True, check=False)
        if done.returncode:
            return "npm could not install boardgame.io"
    return ""


def measure(quick: bool) -> list[Row]:
    """Compare the ends, then time both in turns."""
    rows: list[Row] = []
    reason = absent()
    for actions in (500,) if quick else (500, 2000, 5000):
        work = f"live play in memory, {actions:,} moves"
        _, digest = ours(actions)
        if not reason:
            assert theirs(actions)["digest"] == digest
        mine, other, versions = [], [], ""
        for _ in range(3 if quick else 5):
            mine.append(ours(actions)[0])
            if not reason:
                answer = theirs(actions)
                other.append(float(answer["seconds"]))
                versions = f"boardgame.io {answer['version']}, node {answer['node']}"
        speed = f"{actions / median(mine):,.0f} moves a second, {Times(tuple(mine)).show(actions)}"
        if reason:
            rows.append(Row(work, f"{speed}; against boardgame.io n/a: {reason}", REACH))
            continue
        times = median(b / a for a, b in zip(mine, other, strict=True))
        detail = f"{speed} each, against {actions / median(other):,.0f} ({versions})"
        rows.append(Row(work, f"{times:.1f}x: {detail}", REACH, times >= 10))
    return rows
