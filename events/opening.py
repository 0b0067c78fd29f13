"""Where a ledger's rows are kept: what the library is told of an SQLite file or of PostgreSQL.

Looked at beforehand, as the library would only say that it timed out, and SQLite that it is unable
to open a database file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from events import recorder
from events.errors import LedgerError

POSTGRES = "eventsourcing.postgres"
"""What the library calls its store of rows in PostgreSQL."""


def sqlite_file(path: str | Path, create: bool) -> dict[str, str]:
    """Return what the library is told of an SQLite file.

    Raises LedgerError if it is missing and not to be made, or can't be a ledger's file.
    """
    if not isinstance(path, str | Path):
        raise LedgerError("ledger", f"{path!r:.60} is no path; write one, such as games.sqlite")
    try:
        refusal = _refusal(Path(path), create)
    except (OSError, ValueError) as error:  # too long a name, a zero byte, half a character
        refusal = f"no file can have this name: {getattr(error, 'strerror', None) or error}"
    if refusal:
        raise LedgerError(f"{str(path)!a:.60}" if refusal.startswith("no") else str(path), refusal)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(path),
        "APPLICATION_RECORDER_TOPIC": recorder.TOPIC,
    }


def _refusal(path: Path, create: bool) -> str:
    """Say why a file can't be a ledger's; ``""`` where it may be one."""
    if not path.parent.is_dir():
        return f"there is no directory {path.parent}; make it first"
    try:
        path.stat()
    except FileNotFoundError:
        if not create:
            return "there is no such file; check the path"
    if path.is_dir():
        return "this is a directory; name a file in it"
    # Even to read, SQLite keeps its log beside the file.
    if not all(os.access(it, os.W_OK) for it in (path.parent, path) if it.exists()):
        return "it can't be written to; copy it to a folder of yours"
    return ""


@contextmanager
def postgres_database(url: str, schema: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what errors call a PostgreSQL database, and what the library is told of it.

    In the meantime no other process makes the table. Raises LedgerError if the URL can't be read
    or the server doesn't answer within five seconds.
    """
    import psycopg  # here, as it would double the start-up time of everyone else
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = conninfo_to_dict(url)
        password = parts.pop("password", None) or ""
        shown = " ".join(f"{key}={value}" for key, value in parts.items())
    except (psycopg.Error, UnicodeEncodeError) as error:
        raise LedgerError("database URL", f"{error}; write postgresql://...") from None
    env = {
        "PERSISTENCE_MODULE": POSTGRES,
        "POSTGRES_DBNAME": str(parts.get("dbname", "")),
        "POSTGRES_HOST": str(parts.get("host", "")),
        "POSTGRES_PORT": str(parts.get("port", "5432")),
        "POSTGRES_USER": str(parts.get("user", "")),
        "POSTGRES_PASSWORD": str(password),
        "POSTGRES_SCHEMA": schema,
        "POSTGRES_CONNECT_TIMEOUT": "5",
        "POSTGRES_POOL_SIZE": "1",
        "POSTGRES_ENABLE_DB_FUNCTIONS": "no",  # it skips the lock that keeps readers whole
        "CREATE_TABLE": "no",
    }
    query = "SELECT to_regclass(%s)", (f"{schema}.ledger_events",)
    try:
        # A connection of our own first: the library's pool would only say that it timed out,
        # and its statements that create tables fail when several processes start at once.
        with psycopg.connect(url, connect_timeout=5, autocommit=True) as connection:
            if connection.execute(*query).fetchone() == (None,):
                connection.execute("SELECT pg_advisory_lock(hashtext('ledger_events'))")
                if connection.execute(*query).fetchone() == (None,):
                    env["CREATE_TABLE"] = "yes"
            yield shown, env
    except psycopg.Error as error:
        raise LedgerError(shown, f"the database can't be opened: {error}") from None
