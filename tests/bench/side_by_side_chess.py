"""The marker of `side_by_side`: push and pop of python-chess, on random games of a seed.

Other rules, the same kind of work: what pure Python can do where a state is changed in place and
nothing is recorded but a stack to go back by. No redo, no log, no dice.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

import chess  # noqa: E402
from side_by_side_worker import Answer, Job, read_job  # noqa: E402


def games(moves: int) -> list[list[chess.Move]]:
    """Return random games that have so many moves together, found before the clock runs."""
    chance, found = random.Random("a seed"), [list[chess.Move]()]
    board = chess.Board()
    for _ in range(moves):
        legal = list(board.legal_moves)
        if not legal:
            board = chess.Board()
            found.append([])
            legal = list(board.legal_moves)
        found[-1].append(chance.choice(legal))
        board.push(found[-1][-1])
    return found


def run(job: Job) -> Answer:
    """Push all moves, then pop them."""
    answer = Answer(f"python-chess {chess.__version__}")
    script = [(chess.Board(), game) for game in games(len(job.calls))]
    answer.remember_peak("at start")
    pushes = ((board, move) for board, game in script for move in game)
    answer.time_each("apply", lambda push: push[0].push(push[1]), pushes)
    answer.remember_peak("after apply")

    def pop() -> None:
        for board, game in script:
            for _ in game:
                board.pop()

    answer.time("undo", pop)
    assert all(board == chess.Board() for board, _ in script)
    answer.remember_peak("at the end")
    return answer


if __name__ == "__main__":
    run(read_job()).print()
