"""The recorder that writes to SQLite files: the library's own tests of recorders, and ours."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from threading import Timer

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import SQLiteDatastore
from eventsourcing.tests import persistence as suites

from events.errors import LedgerError
from events.ledger import Ledger
from events.mapper import PACKED_ABOVE
from events.recorder import StepRecorder
from events.steps import Meta, Step, encode_row, next_step


def recorder_at(path: Path) -> StepRecorder:
    recorder = StepRecorder(SQLiteDatastore(str(path), originator_id_type="text"))
    recorder.create_table()
    return recorder


def row(n: int, game: str = "prologue") -> StoredEvent:
    return StoredEvent(game, n, "step", b"{%d}" % n)


class TestTheLibrarysSuite(suites.ApplicationRecorderTestCase[StepRecorder]):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "suite.sqlite"

    def create_recorder(self) -> StepRecorder:
        return recorder_at(self.path)

    def new_originator_id(self) -> str:
        return str(super().new_originator_id())


def test_several_rows_land_whole_or_not_at_all(tmp_path: Path) -> None:
    # given a file with row 2
    recorder = recorder_at(tmp_path / "file")
    assert recorder.insert_events([row(2)]) == [1]
    # when rows 1 to 3 come together
    with pytest.raises(IntegrityError):
        recorder.insert_events([row(1), row(2), row(3)])
    # then none of them is there, and the next ones are stored
    assert [n for n, _, _ in recorder.select_rows("prologue")] == [2]
    recorder.insert_events([row(1), row(3)])
    assert [tuple(it) for it in recorder.select_rows("prologue")] == [
        (n, "step", b"{%d}" % n) for n in (1, 2, 3)
    ]


def test_a_row_is_on_the_disk_once_it_is_stored(tmp_path: Path) -> None:
    recorder = recorder_at(tmp_path / "file")
    recorder.insert_events([row(1)])
    with sqlite3.connect(tmp_path / "file") as other:
        assert other.execute("SELECT state FROM stored_events").fetchall() == [(b"{1}",)]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()
    assert recorder._own.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_closed_ledger_takes_nothing_more(tmp_path: Path) -> None:
    ledger = Ledger.sqlite(tmp_path / "file")
    stream = ledger.stream("prologue")
    stream.append(0, b"[]", "0d", 1, Meta(0))
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerError, match="closed database"):
        stream.append(1, b"[]", "0d", 1, Meta(0))
    with pytest.raises(LedgerError, match="closed database"):
        ledger.read("prologue")
    with pytest.raises(LedgerError, match="closed database"):
        ledger.games()
    assert not (tmp_path / "file-wal").exists()


def test_only_long_rows_are_packed_and_both_kinds_are_read(tmp_path: Path) -> None:
    # given two steps, one of them long
    steps: list[Step] = []
    for length in (PACKED_ABOVE // 2, PACKED_ABOVE):
        events = b'["%b"]' % (b"x" * length)
        steps.append(next_step("prologue", steps[-1] if steps else None, events, "0d", 1, Meta(5)))
    # when they are stored
    with Ledger.sqlite(tmp_path / "file") as ledger:
        ledger.adopt("prologue", steps)
        stored = [state for _, _, state in ledger._recorder.select_rows("prologue")]  # type: ignore[attr-defined]
        # then the short one stands there as it is, the long one is short, and both are read
        assert stored[0] == encode_row(steps[0])
        assert len(stored[1]) < 200
        assert ledger.read("prologue") == steps


def test_a_file_that_another_is_setting_up_is_waited_for(tmp_path: Path) -> None:
    # given another program in the midst of making the file
    other = sqlite3.connect(tmp_path / "file", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE something (else_)")
    finish = Timer(0.1, other.execute, ["COMMIT"])
    finish.start()
    # when a ledger is opened there
    with Ledger.sqlite(tmp_path / "file") as ledger:
        # then it waits, and works
        assert ledger.stream("prologue").append(0, b"[]", "0d", 1, Meta(0)).new
    finish.join()
    other.close()


@pytest.mark.parametrize(
    "happens",
    [
        "deleted",
        "moved",
        "replaced by a copy",
        "replaced by another",
        "log deleted",
        "folder moved",
    ],
)
def test_nothing_is_said_to_be_stored_in_a_file_that_is_gone(tmp_path: Path, happens: str) -> None:
    # given an open ledger with a step, and another ledger's file
    folder = tmp_path / "games"
    folder.mkdir()
    path, log = folder / "file", folder / "file-wal"
    Ledger.sqlite(tmp_path / "other").close()
    with Ledger.sqlite(path) as ledger:
        stream = ledger.stream("prologue")
        stream.append(0, b"[]", "0d", 1, Meta(0))
        # when somebody takes the file away
        if happens == "deleted":
            path.unlink()
        elif happens == "moved":
            path.rename(tmp_path / "elsewhere")
        elif happens == "replaced by a copy":
            shutil.copy(path, tmp_path / "copy")
            (tmp_path / "copy").replace(path)
        elif happens == "replaced by another":
            (tmp_path / "other").replace(path)
        elif happens == "log deleted":
            log.unlink()
        else:
            folder.rename(tmp_path / "elsewhere")
        # then nothing is stored: no step, no game
        gone = log if happens == "log deleted" else path
        for game in (stream, ledger.stream("second")):
            with pytest.raises(LedgerError, match=f"not stored: {gone} was moved or replaced"):
                game.append(game.head, b"[]", "0d", 1, Meta(0))
        assert (stream.head, len(ledger.read("prologue"))) == (1, 1)
        assert ledger.games() == {"prologue": 1}


def test_a_change_of_directory_and_a_link_are_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a ledger opened by a link and a relative path
    (tmp_path / "games").mkdir()
    (tmp_path / "link").symlink_to("games/file")
    monkeypatch.chdir(tmp_path)
    with Ledger.sqlite("link") as ledger:
        # when the program goes elsewhere
        monkeypatch.chdir("/")
        # then it is still the same file
        assert ledger.stream("prologue").append(0, b"[]", "0d", 1, Meta(0)).new
    with Ledger.sqlite(tmp_path / "games" / "file", create=False) as ledger:
        assert ledger.games() == {"prologue": 1}
