"""Measure what the design promises, and write RESULTS.md beside this file.

Every script checks that the ends agree (digests of the last state) before it times anything, and
times what it compares in turns, so that a busy moment of the machine falls on both. Figures are
medians; the spread is from the fastest to the slowest round. ``--quick`` takes shorter games and
fewer rounds and leaves RESULTS.md alone; ``--only NAME`` takes one script.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import battles  # noqa: E402
import durable  # noqa: E402
import live  # noqa: E402
import rebuild  # noqa: E402
import reexecution  # noqa: E402
import undoing  # noqa: E402
from measure import Row, machine, table  # noqa: E402

SCRIPTS: dict[str, Callable[[bool], list[Row]]] = {
    "rebuild": rebuild.measure,
    "undoing": undoing.measure,
    "live": live.measure,
    "durable": durable.measure,
    "reexecution": reexecution.measure,
    "battles": battles.measure,
}
RESULTS = Path(__file__).with_name("RESULTS.md")


def main() -> None:
    """Run the scripts, print their rows as they come, and write the whole table."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter games, fewer rounds")
    parser.add_argument("--only", choices=list(SCRIPTS), help="a single script")
    options = parser.parse_args()
    line = machine()
    print(line)
    rows: list[Row] = []
    for name, script in SCRIPTS.items():
        if options.only in (None, name):
            new = script(options.quick)
            print(table(new), flush=True)
            rows += new
    if not options.quick and options.only is None:
        RESULTS.write_text(f"# Measured\n\n{line}\n\n{table(rows)}\n\n{NOTE}\n")


NOTE = """Medians, and in brackets the fastest and slowest round. Made by `make bench`; each line's
script and its docstring say what exactly is compared. Times are time on a processor; of durable
steps and of live play, time on the wall. Ratios hold from machine to machine better than times
do."""


if __name__ == "__main__":
    main()
