"""Two processes, other hash seeds, other days: the same bytes. [P10]"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLAY = """
import sys, time
day, players, ruleset, ground = int(sys.argv[1]), *sys.argv[2:]
time.time = lambda: float(day); time.time_ns = lambda: day * 10**9
from random import Random
from engine.bots import bots_for, play_out
from events.ledger import Ledger
from replay.verify import verify
from tests.properties.kit import BROKEN, TABLE, new_game, play_on
ledger = Ledger.memory()
table = {"open": TABLE, "broken": BROKEN}[ground]
now = lambda: time.time_ns() // 10**6
game = new_game(ledger, "twin", 3, ruleset=ruleset, table=table, now=now)
if players == "bots":
    play_out(game, *bots_for(game))
else:
    play_on(game, Random(7), 25)
    game.undo(to=9)
    game.note("again", by="red")
    play_on(game, Random(8))
for step in ledger.read("g"):
    print(step.n, step.state, step.chain, step.events.decode(), sep="\\t")
print(verify(ledger, "g").verdict.value, game.battle.outcome)
print(hash("a word"), step.meta.decode(), file=sys.stderr)
"""


def playing(hash_seed: int, day: int, *how: str) -> subprocess.Popen[str]:
    """Start a process of its own that plays a game and prints what it stored."""
    env = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", PLAY, str(day), *how],
        env=env,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("players", "ruleset", "ground"),
    [("bots", "40k-7e", "open"), ("bots", "40k-6e", "broken"), ("random", "40k-7e", "broken")],
)
def test_hash_seed_and_day_change_no_byte(players: str, ruleset: str, ground: str) -> None:
    # given the same game in processes with different hash seeds, on different days; in the third
    # a set of the two sides has the other order
    days = {0: 86_400, 1: 1_000_000_000, 2: 1_800_000_000}
    running = [playing(seed, day, players, ruleset, ground) for seed, day in days.items()]
    done = [process.communicate() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], done
    # when they did differ in what they hash and in the day they wrote down
    assert len({told for _, told in done}) == 3
    # then every event, state and chain is the same, byte for byte
    first, *others = [stored for stored, _ in done]
    assert others == [first, first]
    assert first.rstrip().splitlines()[-1].startswith("EXACT Outcome")
    assert len(first.splitlines()) > 20
