"""``python -m tests.bench [--quick]``, ``python tests/bench [--quick]`` or ``make bench``.

Runs what `run` measures, then `side_by_side`; with ``--only NAME`` just that script of `run`, with
``--only side_by_side`` just that.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import run
import side_by_side

_words = sys.argv[1:]
if "side_by_side" not in _words:
    run.main()
if "side_by_side" in _words or not any(word.startswith("--only") for word in _words):
    side_by_side.main(quick="--quick" in _words)
