"""What all tests share: how hypothesis runs, and where the tests' own helpers are found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

# Helpers are imported as `tests.properties.kit`, and importlib mode leaves the path alone.
sys.path.insert(0, str(Path(__file__).parent.parent))

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=_SLOW)
settings.register_profile(
    "explore", max_examples=1000, deadline=None, suppress_health_check=_SLOW, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
