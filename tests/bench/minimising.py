"""How small a long game with a planted fault becomes, and how long that takes.

Run it alone: ``python -m tests.bench.minimising``. A game of 1,500 steps and more is played with a
fault in the rules, or played by sound rules and again by rules at fault; its report is shrunk, and
the scenario that comes out is run. The order of a set differs from process to process: that game
is recorded by one and met by another, with another PYTHONHASHSEED.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.bots import LIKELY_CHARGE, AggressiveBot, gap_between, nearest_enemy
from engine.game import Game
from events.base import Side
from events.choices import AnyChoice, Charge, EndPhase, MoveUnit, Run, Stay
from events.ledger import Ledger
from events.questions import WhereToRun, WhoCharges, WhoMoves, WhoShoots
from events.values import Army, Point, Table
from projections.queries import units_on_table
from replay.bug_scenario import scenario_of, shows
from replay.bugreport import read_report, report, write_report
from replay.minimise import minimise
from replay.reproduce import reproduce
from tests.properties.kit import BRUTE, CLEAVER, LINE, SPITTER, unit
from tests.replay.planted import die_drawn_twice, forgotten_flag, order_of_a_set

STEPS = 1500
MOST_CHOICES = 20
MOST_SECONDS = 120
UNITS = 48
"""Units of two models a side: most steps of the game move one of them."""

CHARGES = 5
"""At most so many a phase, to keep the game long."""

CALM = 6
"""Nobody charges before this game turn, so that the fault shows late."""


def horde(side: Side, name: str, units: int) -> Army:
    """Return an army of many small units."""
    line = LINE if side == "red" else BRUTE
    return Army(
        name, tuple(unit(side, f"{name}-{n}", 2, line, SPITTER, CLEAVER) for n in range(units))
    )


def long_game(
    ledger: Ledger, seed: str = "long", units: int = UNITS, calm: int = CALM, most: int = 2000
) -> Game:
    """Play at most so many steps of a game in which all units move and Run, and charge late."""
    game = Game.create(
        ledger,
        red=horde("red", "reeves", units),
        blue=horde("blue", "brawlers", units),
        seed=seed,
        table=Table(),
        undo="free",
        game="long",
        now=lambda: 0,
    )
    bot, random = AggressiveBot(seed), Random(seed)
    while game.battle.outcome is None and game.version < most:
        game.play(_choice(game, bot, random, calm))
    return game


def _choice(game: Game, bot: AggressiveBot, random: Random, calm: int) -> AnyChoice:
    question, late = game.pending, game.battle.clock.game_turn >= calm
    if isinstance(question, WhoMoves):
        return next(_moves(game, random, late), EndPhase())
    if isinstance(question, WhoShoots) and not late:
        return next(_runs(game), EndPhase())
    if isinstance(question, WhereToRun):
        return Stay()
    if isinstance(question, WhoCharges):
        if not late:
            return EndPhase()
        return next(_charges(game), EndPhase())
    return bot.choose(game)


def _moves(game: Game, random: Random, late: bool) -> Iterator[AnyChoice]:
    """Yield legal moves of units that haven't moved: forward by a step, in the late game by six."""
    battle = game.battle
    side = battle.clock.active
    north = next(zone.rect.y0 == 0 for zone in battle.zones if zone.side == side)
    for mover in battle.units:
        if mover.side != side or mover.id in battle.phase.moved or mover.locked:  # type: ignore[union-attr]
            continue
        for length in (6000, 3000, 1000, 300) if late else (1200, 300):
            y = length if north else -length
            choice = MoveUnit(mover.id, Point(random.randint(-200, 200), y))
            if game.refusal(choice) is None:
                yield choice


def _runs(game: Game) -> Iterator[AnyChoice]:
    for runner in game.battle.units:
        if runner.side == game.battle.clock.active and game.refusal(Run(runner.id)) is None:
            yield Run(runner.id)


def _charges(game: Game) -> Iterator[AnyChoice]:
    """Yield charges on enemies that stand near, at most a few in a phase."""
    battle = game.battle
    if sum(turn.declared for turn in battle.turn.units) >= CHARGES:
        return
    for charger in units_on_table(battle, battle.clock.active):
        enemy = nearest_enemy(battle, charger)
        if enemy is not None and gap_between(battle, charger, enemy) <= LIKELY_CHARGE:
            choice = Charge(charger.id, (enemy.id,))
            if game.refusal(choice) is None:
                yield choice


class Measured(NamedTuple):
    """What came of one planted fault."""

    fault: str
    steps: int
    failed_at: int
    choices: int
    words: str
    seconds: float
    shown: bool


def shrink(fault: str, path: Path, planted: AbstractContextManager[None], folder: Path) -> Measured:
    """Shrink a report's file under a fault, and run the scenario that comes out."""
    with planted:
        began = time.perf_counter()
        made = read_report(path)
        shrunk = minimise(made)
        text = scenario_of(shrunk, made.header)
        seconds = time.perf_counter() - began
        (folder / f"{fault.replace(' ', '-')}.yaml").write_text(text)
        shown = shows(text, shrunk.failure)
    steps = len(made.rows)
    return Measured(fault, steps, shrunk.steps, len(shrunk.choices), shrunk.words, seconds, shown)


def forgetting(folder: Path) -> Measured:
    """A reducer forgets a flag, all through the game: an invariant is broken."""
    path = folder / "forgotten.jsonl"
    with forgotten_flag(), Ledger.memory() as ledger:
        write_report(report(long_game(ledger)), path)
    return shrink("a reducer forgets a flag", path, forgotten_flag(), folder)


def drawing_twice(folder: Path) -> Measured:
    """Rules that draw a die twice meet a game of rules that don't."""
    path = folder / "twice.jsonl"
    with Ledger.memory() as ledger:
        write_report(report(long_game(ledger)), path)
    return shrink("a rule draws a die twice", path, die_drawn_twice(), folder)


def in_set_order(folder: Path) -> Measured:
    """The same rules order units by a set, in another process."""
    path = folder / "ordered.jsonl"
    _process("record", path, folder, hash_seed=1)
    for hash_seed in range(2, 20):
        said = _process("shrink", path, folder, hash_seed)
        if said:
            return Measured(*ast.literal_eval(said))
    raise SystemExit("no PYTHONHASHSEED gave another order")


def _process(what: str, path: Path, folder: Path, hash_seed: int) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.minimising", what, str(path), str(folder)],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def record(path: Path) -> None:
    """Record a long game in this process, with the order of its sets."""
    with order_of_a_set(), Ledger.memory() as ledger:
        write_report(report(long_game(ledger)), path)


def main() -> None:
    """Measure all three faults, or do one half of the third."""
    match sys.argv[1:]:
        case ["record", path, _]:
            record(Path(path))
        case ["shrink", path, folder]:
            with order_of_a_set():
                differs = not reproduce(read_report(Path(path))).reproduced
            if differs:
                fault = "an order depends on a set"
                print(tuple(shrink(fault, Path(path), order_of_a_set(), Path(folder))))
        case rest:
            folder = Path(rest[0] if rest else tempfile.mkdtemp())
            for measure in (forgetting, drawing_twice, in_set_order):
                found = measure(folder)
                print(f"{found.fault}: {found.words}; {found.seconds:.1f} s", flush=True)
                assert found.steps >= STEPS and found.failed_at >= STEPS, found
                assert found.choices <= MOST_CHOICES and found.shown, found
                assert found.seconds < MOST_SECONDS, found
            print(f"scenarios in {folder}")


if __name__ == "__main__":
    main()
