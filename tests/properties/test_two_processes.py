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
day, players, seed = int(sys.argv[1]), sys.argv[2], sys.argv[3]
time.time = lambda: float(day); time.time_ns = lambda: day * 10**9
from random import Random
from engine.bots import bots_for, play_out
from events.ledger import Ledger
from replay.verify import verify
from tests.properties.kit import new_game, play_on
ledger = Ledger.memory()
game = new_game(ledger, seed, 3, now=lambda: time.time_ns() // 10**6)
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


def played(hash_seed: int, day: int, players: str, seed: str) -> tuple[str, str]:
    """Play a game in a process of its own; return what it stored, and what may differ."""
    env = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PLAY, str(day), players, seed]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


@pytest.mark.parametrize("players", ["bots", "random"])
def test_hash_seed_and_day_change_no_byte(players: str) -> None:
    # given the same game in two processes with different hash seeds, on different days
    first, told = played(0, 86_400, players, "twin")
    second, other = played(1, 1_800_000_000, players, "twin")
    # when the two did differ in what they hash and in the day they wrote down
    assert told != other
    # then every event, state and chain is the same, byte for byte
    assert first == second
    assert first.rstrip().splitlines()[-1].startswith("EXACT Outcome")
    assert len(first.splitlines()) > 20
