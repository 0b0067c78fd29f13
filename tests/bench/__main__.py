"""``python -m tests.bench [--quick]``, ``python tests/bench [--quick]`` or ``make bench``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from run import main

main()
