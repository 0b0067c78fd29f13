"""What is written when a rule fails in play: the bug report, into the folder of the moment."""

from __future__ import annotations

from pathlib import Path

from engine.game import Game
from events.errors import WarledgerError
from replay.bugreport import report, write_report


def fault_report(game: Game, error: Exception) -> str:
    """Write the bug report of a fault and say so; where that fails, say how to get one. [P3]

    The file is named by game and step, and takes the place of one from the same fault before.
    """
    path = Path(f"warledger-{game.id}-{game.step}.report.jsonl")
    try:
        write_report(report(game, error=error), path)
    except WarledgerError as unwritten:
        return f"No bug report: {unwritten}."
    return f"Bug report: {path} (`warledger reproduce {path}`)."
