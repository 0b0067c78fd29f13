"""Damaged rosters, army files and catalogues never fail with anything but a `RosterError`."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.armies import army_from_yaml, army_to_yaml, read_army_bytes, to_battlescribe
from engine.armies.catalogues import muster_choices, read_catalogue, read_choice
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
def damaged(draw: st.DrawFn, files: tuple[bytes, ...] = FILES, pack: bool = True) -> bytes:
    """A file, packed or not, with up to four stretches cut out, doubled or overwritten."""
    data = draw(st.sampled_from(files))
    if pack and draw(st.booleans()):
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


@cache
def written() -> tuple[bytes, ...]:
    """Army files: the rosters' own, and one by hand with everything in it."""
    by_hand = (
        b"army: Two\nprofiles:\n  man: {WS: 3, T: 3, W: 1, Save: 3+/5++}\nweapons:\n"
        b"  gun: {Range: 24, S: 4, AP: 5, Type: Heavy 2, Rules: [Gets Hot]}\nunits:\n"
        b"- unit: Pair\n  id: pair\n  points: 12\n  rules: [Stubborn]\n"
        b"  profiles: {chief: {T: 4, W: 2}}\n  weapons: {axe: {S: +1, Type: Melee}}\n"
        b"  models:\n  - 1 chief: [axe, axe]\n    base: 40\n    rules: [Character]\n"
        b"  - 4 man: gun\n"
    )
    army = read_army_bytes(FILES[0], "r.ros", "red").army
    return by_hand, army_to_yaml(army).encode()


YAML_PIECES = st.sampled_from(
    [
        "- ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        "&a ",
        "*a",
        "!!set ",
        "|\n",
        "\t",
        "---\n",
        "? ",
        "~",
        "'",
        '"',
        "#",
        "%",
        "\ufeff",
        "99999999999",
        "0",
        "-1",
        "1 man",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_army_files(data: st.DataObject) -> None:
    text = data.draw(damaged(written(), pack=False)).decode("utf-8", "replace")
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(YAML_PIECES) + text[at + data.draw(st.integers(0, 4)) :]
    with contextlib.suppress(RosterError):
        imported = army_from_yaml(text, "fuzz.yaml", "red")
        # What is read can be written and is the same again
        assert army_from_yaml(army_to_yaml(imported.army), "fuzz.yaml", "red").army == imported.army
        to_battlescribe(imported.army)


CATALOGUES = Path(__file__).resolve().parents[1] / "fixtures/catalogues"
CATS = tuple(path.read_bytes() for path in sorted(CATALOGUES.glob("*.cat")))
SYSTEMS = tuple(path.read_bytes() for path in sorted(CATALOGUES.glob("*.gst")))


def choose_everything(data: bytes, system: bytes) -> None:
    """Read a catalogue and muster one of each of its options."""
    catalogue = read_catalogue(data, "fuzz.cat", system)
    for option in catalogue.options:
        for inner in option.walk():
            assert inner.is_unit in (True, False)
        with contextlib.suppress(RosterError):
            muster_choices(catalogue, [read_choice(f'2 "{option.name}"')], "red").playable  # noqa: B018


@settings(max_examples=100, deadline=None)
@given(damaged(CATS), st.sampled_from(SYSTEMS))
def test_damaged_catalogues(data: bytes, system: bytes) -> None:
    with contextlib.suppress(RosterError):
        choose_everything(data, system)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(CATS), damaged(SYSTEMS))
def test_damaged_game_systems(data: bytes, system: bytes) -> None:
    with contextlib.suppress(RosterError):
        choose_everything(data, system)


ID = re.compile(rb'(?<=[dD]=")[^"]*(?=")|(?<=value=")[^"]*(?=")|(?<=field=")[^"]*(?=")')


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_catalogues_whose_ids_lead_anywhere(data: st.DataObject) -> None:
    """Links may lead in circles, to the wrong kind of thing or to nothing."""
    text = data.draw(st.sampled_from(CATS))
    spans = [match.span() for match in ID.finditer(text)]
    chosen = data.draw(st.lists(st.sampled_from(spans), min_size=1, max_size=6, unique=True))
    values = [text[start:end] for start, end in spans]
    for start, end in sorted(chosen, reverse=True):
        new = data.draw(st.sampled_from(values) | st.sampled_from([b"-1", b"", b"1e9", b"99999"]))
        text = text[:start] + new + text[end:]
    with contextlib.suppress(RosterError):
        choose_everything(text, SYSTEMS[1])


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='A2 [],"', max_size=30) | st.text(max_size=20))
def test_any_text_as_a_choice(text: str) -> None:
    with contextlib.suppress(RosterError):
        choice = read_choice(text)
        assert read_choice(str(choice)) == choice
