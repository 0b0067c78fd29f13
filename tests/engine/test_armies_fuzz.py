"""Damaged rosters never fail with anything but a `RosterError`."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.armies import read_army_bytes
from events.errors import RosterError

ROSTERS = Path(__file__).resolve().parents[1] / "fixtures/rosters"
FILES = tuple(path.read_bytes() for path in sorted(ROSTERS.glob("night-shift-*")))
PIECES = (b"<", b">", b"/>", b'"', b"&", b"{", b"]", b"\x00", b"\xff", b"</selection>", b"&#0;")


def packed(data: bytes) -> bytes:
    """The roster as a ``.rosz``."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("army.ros"), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A roster, packed or not, with up to four stretches cut out, doubled or overwritten."""
    data = draw(st.sampled_from(FILES))
    if draw(st.booleans()):
        data = packed(data)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 60)))
        new = draw(st.sampled_from(PIECES) | st.binary(max_size=8) | st.just(data[at:end] * 2))
        data = data[:at] + new + data[end:]
    return data


@settings(max_examples=150, deadline=None)
@given(damaged())
def test_damaged_bytes(data: bytes) -> None:
    with contextlib.suppress(RosterError):
        read_army_bytes(data, "damaged.ros", "red")


VALUE = re.compile(r'(?<==)"[^"]*"|(?<=: )"[^"]*"|(?<=>)[^<\n]+(?=<)')
WILD = st.text(max_size=12) | st.sampled_from(
    ["-", "", "D6", "99", "-1", "1e9", "4+/4++", "(((", "Heavy / Melee", "x", "\u0664", "2.5"]
)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_well_formed_files_with_wild_values(data: st.DataObject) -> None:
    """Every value of a sound file may be anything; what comes out is an army or one error."""
    text = data.draw(st.sampled_from(FILES)).decode()
    values = [match.span() for match in VALUE.finditer(text)]
    chosen = data.draw(st.lists(st.sampled_from(values), min_size=1, max_size=3, unique=True))
    for start, end in sorted(chosen, reverse=True):
        wild = data.draw(WILD).translate({ord(c): None for c in '<>&"\\'})
        quoted = f'"{wild}"' if text[start] == '"' else wild
        text = text[:start] + quoted + text[end:]
    with contextlib.suppress(RosterError):
        read_army_bytes(text.encode("utf-8", "replace"), "wild.ros", "red").playable  # noqa: B018
