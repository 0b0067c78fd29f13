"""Logging, set up in one place: key-value lines to standard error, quiet by default."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


def set_up(verbose: bool = False, as_json: bool = False) -> None:
    """Send log lines to standard error: warnings only, or everything when `verbose`.

    Lines are ``key=value`` pairs, or one JSON object each when `as_json`.
    """
    render: Any = (
        structlog.processors.JSONRenderer(sort_keys=True)
        if as_json
        else structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.INFO if verbose else logging.WARNING
        ),
        # The stream is looked up at each line: tests and shells may replace it.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def logger(**bound: Any) -> structlog.typing.FilteringBoundLogger:
    """Return a logger that adds `bound` to each of its lines."""
    made: structlog.typing.FilteringBoundLogger = structlog.get_logger(**bound)
    return made
