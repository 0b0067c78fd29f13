"""Files that aren't rosters, or are out to hurt: one error with file, element and reason."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.armies import bundled, read_army, read_army_bytes
from engine.armies.opening import MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS
from events.errors import RosterError

ROSTER = bundled("emberguard")


def zipped(*members: tuple[str, bytes]) -> bytes:
    """An archive with these members, deflated."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def refused(data: bytes, file_name: str = "army.ros") -> RosterError:
    """The error that reading `data` raises."""
    with pytest.raises(RosterError) as error:
        read_army_bytes(data, file_name, "red")
    assert error.value.where.startswith(file_name)
    return error.value


def test_a_rosz_reads_as_the_ros_inside_it() -> None:
    packed = read_army_bytes(zipped(("other name.ros", ROSTER)), "army.rosz", "red")
    plain = read_army_bytes(ROSTER, "army.ros", "red")
    assert packed.army.units == plain.army.units
    assert packed.army.source.file == "army.rosz"


def test_the_folder_never_reaches_the_army(tmp_path: Path) -> None:
    path = tmp_path / "secret place" / "army.ros"
    path.parent.mkdir()
    path.write_bytes(ROSTER)
    assert read_army(path, "red").army.source.file == "army.ros"
    windows = read_army_bytes(ROSTER, "C:\\secret place\\army.ros", "red")
    assert windows.army.source.file == "army.ros"


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.ros", tmp_path):
        with pytest.raises(RosterError, match="no such file"):
            read_army(path, "red")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "not a roster"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a roster"),
        (b"Boyz, 10, 60 points", "not a roster"),
        (b"{}", 'without a "roster" object'),
        (b'{"roster": [', "not readable as JSON"),
        (b'{"roster": {"name": "\xff"}}', "not readable as JSON"),
        (b"<catalogue/>", "a <catalogue>, not a <roster>"),
        (b'<roster xmlns="http://elsewhere"/>', "not a <roster>"),
        (b'<?xml version="1.0" encoding="klingon"?><roster/>', "encoding"),
    ],
)
def test_what_is_not_a_roster_says_so(data: bytes, told: str) -> None:
    assert told in refused(data).reason


def test_a_truncated_file_names_line_and_element() -> None:
    cut = refused(ROSTER[: ROSTER.index(b"<selections>") + 40])
    assert "cut short or damaged" in cut.reason
    assert cut.where == "army.ros:12 <selections>"


@pytest.mark.parametrize(
    "doctype",
    [
        b'<!DOCTYPE roster [<!ENTITY a "b">]>',
        b'<!DOCTYPE roster SYSTEM "file:///etc/passwd">',
        b"<!DOCTYPE roster>",
    ],
)
def test_document_types_and_entities_are_off(doctype: bytes) -> None:
    error = refused(ROSTER.replace(b"<roster", doctype + b"<roster", 1))
    assert "DTDs and entities are refused" in error.reason


def test_elements_nested_too_deep_are_refused() -> None:
    deep = b"<roster>" + b"<selections>" * MAX_DEPTH
    assert "nested deeper" in refused(deep).reason
    json_deep = b'{"roster":' + b'{"selections":[' * 200 + b"]}" * 200 + b"}"
    assert "nested deeper" in refused(json_deep).reason
    assert "JSON" in refused(b'{"roster":' + b"[" * 70_000).reason


def test_too_many_elements_are_refused() -> None:
    many = b"<roster>" + b"<a/>" * (MAX_ELEMENTS + 1) + b"</roster>"
    assert "elements" in refused(many).reason
    assert "values" in refused(b'{"roster":[' + b"{}," * (MAX_ELEMENTS + 1) + b"]}").reason


def test_a_hundred_megabytes_are_refused_without_reading_them(tmp_path: Path) -> None:
    path = tmp_path / "garbage.ros"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    tracemalloc.start()
    with pytest.raises(RosterError, match="too large"):
        read_army(path, "red")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * MAX_BYTES
    assert "too large" in refused(bytes(MAX_BYTES + 1)).reason


def test_zip_bombs_are_refused() -> None:
    assert "zip bomb" in refused(zipped(("a.ros", bytes(3_000_000)))).reason
    assert "unpacks to more" in refused(zipped(("a.ros", bytes(MAX_BYTES + 1)))).reason


def test_a_member_that_lies_about_its_size_is_refused() -> None:
    # Given an archive whose directory says 10 bytes and whose member holds three million
    data = bytearray(zipped(("a.ros", bytes(3_000_000))))
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    # Then no more than it said is unpacked, and the checksum gives it away
    assert "damaged archive" in refused(bytes(data)).reason


@pytest.mark.parametrize(
    "name", ["../army.ros", "/army.ros", "lists/army.ros", "lists\\army.ros", "C:army.ros", "x/"]
)
def test_members_with_a_path_are_refused(name: str) -> None:
    assert "names a path" in refused(zipped((name, ROSTER))).reason


def test_only_one_member_is_allowed() -> None:
    assert "2 members" in refused(zipped(("a.ros", ROSTER), ("b.ros", ROSTER))).reason
    assert "0 members" in refused(zipped()).reason


def test_encrypted_members_are_refused() -> None:
    data = bytearray(zipped(("a.ros", ROSTER)))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in refused(bytes(data)).reason


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"PK\x03\x04" + bytes(100),
        lambda data: data.replace(b"PK\x05\x06", b"PK\x05\x07"),
        lambda data: data[:60] + bytes(40) + data[100:],
    ],
)
def test_damaged_archives_are_refused(damage: Callable[[bytes], bytes]) -> None:
    assert "damaged archive" in refused(damage(zipped(("a.ros", ROSTER)))).reason


def test_json_with_odd_values_is_a_roster_error_or_an_army() -> None:
    odd = {"roster": {"battleScribeVersion": 2.03, "name": None, "forces": [1, {"selections": {}}]}}
    imported = read_army_bytes(json.dumps(odd).encode(), "odd.json", "red")
    assert [entry.text for entry in imported.errors] == ["no unit in it can take the field"]
