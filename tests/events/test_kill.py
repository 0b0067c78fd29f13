"""A writer killed at any moment leaves a whole ledger behind. [P3]"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import events
from events.ledger import Ledger
from events.steps import Meta, check_chain

ROOT = Path(events.__path__[0]).parent

WRITER = """
import os, sys
from events.ledger import Ledger
from events.steps import Meta
with Ledger.sqlite(sys.argv[1]) as ledger:
    stream = ledger.stream("prologue")
    for _ in range(1000):
        n = stream.head + 1
        done = stream.append(n - 1, b'[{"type":"noted/1","n":%d}]' % n, "0d" * 20, 1, Meta(n))
        os.write(1, b"%d\\n" % done.step.n)
"""


def killed_writer(path: Path, seconds: float) -> int:
    """Let a child append, kill it after `seconds` of it; return the last step it was granted."""
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(seconds)
        child.kill()
        granted = (first + child.stdout.read()).split()
    assert child.returncode in (-9, 0)
    return int(granted[-1])


def test_twenty_killed_writers_leave_whole_steps(tmp_path: Path) -> None:
    # given one file, and moments drawn from a fixed seed
    path = tmp_path / "games.db"
    moments = random.Random(20)
    for _ in range(20):
        # when a writer is killed
        granted = killed_writer(path, moments.uniform(0, 0.15))
        with Ledger.sqlite(path, create=False) as ledger:
            # then every step it was granted is there, and at most the one under way besides
            steps = ledger.read("prologue")
            assert len(steps) in (granted, granted + 1)
            # and they are whole and gapless
            assert check_chain("prologue", steps) is None
            assert steps[-1].events == b'[{"type":"noted/1","n":%d}]' % len(steps)
            assert ledger.games() == {"prologue": len(steps)}
            # and the game goes on
            stream = ledger.stream("prologue", steps)
            events = b'[{"type":"noted/1","n":%d}]' % (len(steps) + 1)
            assert stream.append(len(steps), events, "0d" * 20, 1, Meta(0)).new
