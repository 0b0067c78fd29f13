"""Where the tests of the ledger find PostgreSQL."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator

import psycopg
import pytest

POSTGRES = os.environ.get(
    "WARLEDGER_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres"
)


@pytest.fixture(scope="module")
def schema() -> Iterator[str]:
    """A PostgreSQL schema of this run's own, dropped afterwards."""
    name = f"warledger_{uuid.uuid4().hex[:12]}"
    try:
        with psycopg.connect(POSTGRES, connect_timeout=2) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
    except psycopg.OperationalError as error:
        pytest.skip(f"no PostgreSQL at {POSTGRES}: {error}")
    yield name
    with psycopg.connect(POSTGRES) as connection:
        connection.execute(f"DROP SCHEMA {name} CASCADE")
