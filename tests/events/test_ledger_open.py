"""Opening a ledger, and saying in plain words why it can't be opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from events.errors import LedgerError
from events.ledger import Ledger
from events.steps import Meta, read_meta

STATE = "0d" * 20


def test_a_target_is_memory_or_a_path(tmp_path: Path) -> None:
    with Ledger.open("memory:") as ledger:
        assert ledger.games() == {}
    path = tmp_path / "games.db"
    with Ledger.open(str(path)) as ledger:
        ledger.stream("prologue").append(0, b"[]", STATE, 1, Meta(0))
    with Ledger.open(str(path), create=False) as ledger:
        assert ledger.games() == {"prologue": 1}
    ledger.close()


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("{tmp}/none/games.db", "no directory"),
        ("{tmp}", "this is a directory"),
        ("{tmp}/notes.txt", "not a database"),
        ("{tmp}/missing.db", "no such file"),
        ("mysql://localhost/games", "no such kind of ledger"),
        ("postgresql://127.0.0.1:1/games", "can't be opened: .*refused"),
        ("postgresql://127.0.0.1:x/games", "can't be opened"),
        ("postgresql://127.0.0.1/games?color=red", "write postgresql://"),
    ],
)
def test_a_ledger_that_cannot_be_opened_says_why(tmp_path: Path, target: str, reason: str) -> None:
    (tmp_path / "notes.txt").write_text("The first turn went badly for the Red player. " * 99)
    with pytest.raises(LedgerError, match=reason):
        Ledger.open(target.format(tmp=tmp_path), create=False)
    assert not (tmp_path / "missing.db").exists()


@pytest.mark.parametrize("name", ["y" * 300, "y" * 254, "a\0b", "a\ud800", None, 5, b"x", []])
@pytest.mark.parametrize("create", [True, False])
def test_a_name_that_no_file_can_have_is_no_raw_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: object, create: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for open_it in (Ledger.open, Ledger.sqlite):
        with pytest.raises(LedgerError):
            open_it(name, create=create)  # type: ignore[arg-type]


def test_a_renamed_column_and_a_damaged_schema_are_no_raw_errors(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as ledger:
        ledger.stream("prologue").append(0, b"[]", STATE, 1, Meta(0))
    whole = path.read_bytes()
    # given a file whose table has another column, or whose schema is damaged at some place
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE stored_events RENAME COLUMN state TO condition")
    connection.close()
    renamed = path.read_bytes()
    schema = whole.index(b"CREATE TABLE")
    places = range(schema, schema + 120, 7)
    damaged = [whole[:at] + b"\xff" + whole[at + 1 :] for at in places]
    seen = 0
    for data in (renamed, *damaged):
        path.write_bytes(data)
        try:
            with Ledger.sqlite(path) as ledger:
                for look in (ledger.games, ledger.survey, lambda: ledger.has("prologue")):
                    try:
                        look()
                    except LedgerError:
                        seen += 1
        except LedgerError:
            seen += 1
    # then whatever fails, fails as a LedgerError
    assert seen > len(damaged) // 2


def test_a_password_is_never_shown() -> None:
    with pytest.raises(LedgerError) as caught:
        Ledger.open("postgresql://ann:sesame@127.0.0.1:1/games")
    assert "sesame" not in str(caught.value)


def test_a_closed_ledger_says_so(tmp_path: Path) -> None:
    ledger = Ledger.sqlite(tmp_path / "games.db")
    stream = ledger.stream("prologue")
    ledger.close()
    with pytest.raises(LedgerError, match="prologue step 1: not stored"):
        stream.append(0, b"[]", STATE, 1, Meta(0))
    with pytest.raises(LedgerError, match="can't be used"):
        ledger.read("prologue")


def test_a_row_is_json_that_any_tool_can_read(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as ledger:
        done = ledger.stream("prologue").append(0, b'[{"type":"a/1"}]', STATE, 3, Meta(7, "ann"))
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT originator_version, topic, state, json_extract(state, '$.meta.actor'),"
        " json_extract(state, '$.events[0].type') FROM stored_events"
        " WHERE originator_id = 'prologue'"
    ).fetchall()
    connection.close()
    assert rows == [
        (
            1,
            "step",
            b'{"events":[{"type":"a/1"}],"state":"%b","schema":3,"chain":"%b",'
            b'"meta":{"at":7,"actor":"ann"},"seal":"%b"}'
            % (STATE.encode(), done.step.chain.encode(), done.step.seal.encode()),
            "ann",
            "a/1",
        )
    ]


def test_plain_and_compressed_rows_live_in_one_file(tmp_path: Path) -> None:
    """Each way of opening reads both; compressed rows are smaller."""
    path = tmp_path / "games.db"
    events = b'[{"type":"noted/1","text":"%b"}]' % (b"again and " * 40)
    for compress in (False, True):
        with Ledger.sqlite(path, compress=compress) as ledger:
            stream = ledger.stream("prologue")
            stream.append(stream.head, events, STATE, 1, Meta(stream.head))
            ledger.stream(f"game-{compress}").append(0, events, STATE, 1, Meta(0))
    for compress in (False, True):
        with Ledger.sqlite(path, compress=compress) as ledger:
            assert [read_meta(step).at for step in ledger.read("prologue")] == [0, 1]
            assert list(ledger.games()) == ["game-False", "game-True", "prologue"]
    connection = sqlite3.connect(path)
    sizes = connection.execute(
        "SELECT length(state) FROM stored_events WHERE originator_id = 'prologue'"
        " ORDER BY originator_version"
    ).fetchall()
    connection.close()
    assert sizes[1][0] < sizes[0][0] / 2


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("state", b"x\x9c broken", "can't be unpacked"),
        ("state", b"{}", "missing required field"),
        ("state", "text", "not bytes but str"),
        ("state", None, "not bytes but NoneType"),
        ("topic", "stop", "topic is 'stop'"),
    ],
)
def test_a_foreign_row_is_named(tmp_path: Path, column: str, value: object, reason: str) -> None:
    path = tmp_path / "games.db"
    with Ledger.sqlite(path) as ledger:
        ledger.stream("prologue").append(0, b"[]", STATE, 1, Meta(0))
        connection = sqlite3.connect(path)
        connection.execute(
            f"UPDATE stored_events SET {column} = ? WHERE originator_id = 'prologue'", (value,)
        )
        connection.commit()
        connection.close()
        with pytest.raises(LedgerError, match=f"prologue step 1: .*{reason}"):
            ledger.read("prologue")


def test_a_database_locked_by_another_program_is_a_ledger_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    monkeypatch.setenv("SQLITE_LOCK_TIMEOUT", "1")
    with Ledger.sqlite(path) as ledger:
        stream = ledger.stream("prologue")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match=r"prologue step 1: not stored: .*locked"):
            stream.append(0, b"[]", STATE, 1, Meta(0))
        other.execute("ROLLBACK")
        other.close()
        assert stream.append(0, b"[]", STATE, 1, Meta(0)).new
