"""Play many random games in both editions, on open and broken ground, and look for a fault.

    python -m tests.bench.many_games 2000 --processes 2

Every step is held against the invariants (no model in another base, off the table, inside what
can't be entered, out of coherency without a rule saying so ...), every game must end, and verify
EXACT. Half the games are played by the bots of the engine, half by random choice with undo and
redo mixed in. Prints each fault with the seed that makes it again; exits 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from random import Random

from engine.bots import bots_for
from engine.game import Game
from events.ledger import Ledger
from replay.invariants import Moment, broken
from replay.verify import Verdict, verify
from tests.properties.kit import BROKEN, TABLE, new_game, pick

EDITIONS = ("40k-7e", "40k-6e")
GROUND = (TABLE, BROKEN)
MOST_STEPS = 4000


def play_one(number: int) -> str:
    """Play game `number` and return what is wrong with it, or "" where nothing is."""
    random = Random(number)
    edition, ground = EDITIONS[number % 2], GROUND[number // 2 % len(GROUND)]
    units, by_bots = 1 + number % 3, number // 4 % 2 == 0
    try:
        with Ledger.memory() as ledger:
            game = new_game(ledger, str(number), units, ruleset=edition, table=ground)
            wrong = _to_the_end(game, random, by_bots)
            if not wrong:
                report = verify(ledger, game.id, head=game.chain)
                if report.verdict is not Verdict.EXACT:
                    wrong = f"{report.verdict.value} at step {report.step}: {report.reason}"
    except Exception:
        wrong = traceback.format_exc(limit=-4)
    return f"game {number} ({edition}): {wrong}" if wrong else ""


def _to_the_end(game: Game, random: Random, by_bots: bool) -> str:
    bots = dict(zip(("red", "blue"), bots_for(game), strict=True))
    for _ in range(MOST_STEPS):
        question = game.pending
        if question is None:
            return ""
        before = game.battle
        choice = bots[question.player].choose(game) if by_bots else pick(random, game)
        node = game.play(choice)
        fault = broken(Moment(before, node.events, node.battle))
        if fault is not None:
            return f"step {node.step}, {fault.invariant}: {fault.words}"
        if not by_bots and random.random() < 0.05:
            game.undo()
            if random.random() < 0.5:
                game.redo()
    return f"no end after {MOST_STEPS} steps"


def main() -> int:
    """Play the games and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=int, nargs="?", default=2000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    faults = 0
    started = time.perf_counter()
    with ProcessPoolExecutor(asked.processes) as pool:
        numbers = range(asked.first, asked.first + asked.games)
        for done, wrong in enumerate(pool.map(play_one, numbers, chunksize=10), 1):
            if wrong:
                faults += 1
                print(wrong, flush=True)
            if done % 100 == 0:
                seconds = time.perf_counter() - started
                print(f"{done} games, {faults} faults, {seconds:.0f} s", flush=True)
    print(f"{asked.games} games, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
