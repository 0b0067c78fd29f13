"""Our engine, boardgame.io and the stock `eventsourcing` aggregate on one toy, side by side.

``python tests/bench/side_by_side.py [--quick]``, or ``make bench``. 40 units move, shoot and suffer
Wounds by one script of 500, 2,000 and 5,000 actions; ours plays 100,000 as well, to show how cost
grows. Every contestant is a process of its own that is handed the same job (`side_by_side_worker`):
first once for its digests and peak memory, and a digest that isn't everybody's ends the bench;
then in turns, five rounds, for the times. The tables go to SIDE_BY_SIDE.md.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import msgspec  # noqa: E402
from live import absent  # noqa: E402
from measure import machine  # noqa: E402
from side_by_side_tables import Contest, report  # noqa: E402
from side_by_side_worker import Answer, Call, Job  # noqa: E402
from toyrules import script  # noqa: E402

from events.choices import MoveUnit, Shoot, TakeWounds  # noqa: E402

HERE = Path(__file__).parent
RESULTS = HERE / "SIDE_BY_SIDE.md"
COMMANDS = {
    "ours": [sys.executable, str(HERE / "side_by_side_ours.py")],
    "boardgame.io": ["node", "--expose-gc", str(HERE / "node" / "side_by_side.js")],
    "stock": [sys.executable, str(HERE / "side_by_side_stock.py")],
    "python-chess": [sys.executable, str(HERE / "side_by_side_chess.py")],
}
SEEKS = 200
WARM = 500
SAME = (
    ("applied", "redone", "replayed", "loaded", "loaded without undo", "applied durably"),
    ("sought", "sought from snapshots"),
)
"""Digests that must be equal within a contestant; those of one name must be in all of them."""


def calls(actions: int) -> Iterator[Call]:
    """Yield the script of `toyrules` in words that every contestant knows."""
    for choice in script(actions):
        if isinstance(choice, MoveUnit):
            yield "move", _number(choice.unit), choice.by.x, choice.by.y
        elif isinstance(choice, Shoot):
            yield "shoot", _number(choice.unit), _number(choice.target), 0
        else:
            assert isinstance(choice, TakeWounds)
            yield "wound", _number(choice.models[0]), 0, 0


def _number(id: str) -> int:
    return int(id.removeprefix("u").partition(".")[0])


def ask(name: str, job: Job) -> Answer:
    """Let a contestant do the job in a process of its own."""
    done = subprocess.run(COMMANDS[name], input=msgspec.json.encode(job), capture_output=True)
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr.decode()}")
    return msgspec.json.decode(done.stdout, type=Answer)


def disagreements(answers: dict[str, Answer]) -> list[str]:
    """Return who has another state than ours, or than itself, and after what."""
    faults = []
    ours = answers["ours"].digests
    for name, answer in answers.items():
        for what, digest in answer.digests.items():
            if digest != ours.get(what, digest):
                faults.append(f"{name}, {what}: {digest}, ours {ours[what]}")
        for group in SAME:
            found = {what: answer.digests[what] for what in group if what in answer.digests}
            if len(set(found.values())) > 1:
                faults.append(f"{name} differs from itself: {found}")
    return faults


def agreed(answers: dict[str, Answer]) -> dict[str, Answer]:
    """Return the answers, or end the bench where digests differ."""
    faults = disagreements(answers)
    if faults:
        raise SystemExit("the states differ, nothing is timed:\n" + "\n".join(faults))
    return answers


def prepare(names: Sequence[str], actions: int, durable: bool) -> Contest:
    """Let contestants do a script once without a clock, and compare their states."""
    chance = random.Random(actions)
    places = [chance.randint(0, actions) for _ in range(SEEKS)]
    job = Job(list(calls(actions)), places[:5], durable=durable)
    checked = agreed({name: ask(name, job) for name in names})
    return Contest(actions, job.calls, places, durable, checked, [])


def compete(contests: Sequence[Contest], rounds: int) -> None:
    """Time everybody in turns, every script in each round: a busy moment falls on all of them.

    The seeded places to seek are shared out among the rounds.
    """
    for round in range(rounds):
        for one in contests:
            job = Job(one.script, one.places[round::rounds], WARM, one.durable)
            one.rounds.append(agreed({name: ask(name, job) for name in one.checked}))
        print(f"round {round + 1} of {rounds}", flush=True)


def main(quick: bool = False) -> None:
    """Run all sizes and write the tables; `quick` runs a small one and only prints."""
    reasons = {"boardgame.io": absent()}
    if find_spec("chess") is None:
        reasons["python-chess"] = "python-chess is not installed: pip install -e '.[bench]'"
    reasons = {name: reason for name, reason in reasons.items() if reason}
    names = [name for name in COMMANDS if name not in reasons]
    for name, reason in reasons.items():
        print(f"{name} n/a: {reason}")
    line = machine()
    print(line)
    if quick:
        contests = [prepare(names, 100, True), prepare(["ours"], 1000, True)]
    else:
        contests = [prepare(names, actions, True) for actions in (500, 2000, 5000)]
        contests.append(prepare(["ours"], 100_000, False))
    compete(contests, 2 if quick else 5)
    page = report(line, contests, reasons)
    if quick:
        print(page)
    else:
        RESULTS.write_text(page)
        print(f"written: {RESULTS}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="side_by_side", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small script, printed only")
    main(parser.parse_args().quick)
