"""One roster in every dialect and front end is one army."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.armies import DIALECTS, Imported, read_army, read_army_bytes
from events.errors import RosterError
from events.values import Army, ArmySource, LeftOff

ROSTERS = Path(__file__).resolve().parents[1] / "fixtures/rosters"
NEWEST = ROSTERS / "night-shift-2_03.ros"


def nameless(imported: Imported) -> Army:
    """The army without where it came from, which is all that may differ."""
    return msgspec.structs.replace(imported.army, source=ArmySource())


def test_the_newest_dialect_reads_as_written() -> None:
    army = read_army(NEWEST, "blue").army
    captain, squad = army.units
    assert (captain.id, captain.points, len(captain.models)) == ("lamplighter", 45, 1)
    assert captain.profiles[0].invulnerable == 5
    assert captain.models[0].weapons == ("flint-pistol", "sabre")
    assert captain.not_applied == ("Character", "Lantern")
    assert (squad.id, squad.points, len(squad.models)) == ("night-watch", 40, 8)
    assert squad.models[7].id == "night-watch.8"
    assert {unit.side for unit in army.units} == {"blue"}
    assert army.left_off == (
        LeftOff("Curfew", "not applied: a rule for the whole army", 0),
        LeftOff("Steam Cart", "not yet playable: vehicle", 30),
        LeftOff("Steam Cart", "not yet playable: vehicle", 30),
    )
    assert army.source.game_system == "Ashfall"
    assert army.source.catalogue == "City Watch"
    assert army.source.file == "night-shift-2_03.ros"
    assert len(army.source.sha256) == 64


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_gives_the_same_army_and_report(dialect: str) -> None:
    imported = read_army(ROSTERS / f"night-shift-{dialect.replace('.', '_')}.ros", "red")
    newest = read_army(NEWEST, "red")
    assert imported.army.source.dialect == dialect
    assert nameless(imported) == nameless(newest)
    assert imported.report == newest.report


def test_json_gives_the_same_army_as_xml() -> None:
    imported = read_army(ROSTERS / "night-shift-newrecruit.json", "red")
    assert nameless(imported) == nameless(read_army(NEWEST, "red"))
    assert imported.army.source.dialect == "2.03"


@pytest.mark.parametrize(
    ("version", "told"),
    [("1.14b", "version 1.14b"), ("3.00", "version 3.00"), ("", "no version")],
)
def test_an_unknown_version_is_refused_by_name(version: str, told: str) -> None:
    data = NEWEST.read_bytes().replace(b'"2.03"', f'"{version}"'.encode())
    with pytest.raises(RosterError, match=told) as refused:
        read_army_bytes(data, "old.ros", "red")
    assert refused.value.where == "old.ros roster.battleScribeVersion"
    assert "1.15, 2.00, 2.01, 2.02, 2.03" in refused.value.reason


def test_nested_forces_and_hidden_entries() -> None:
    text = NEWEST.read_text()
    start, end = text.index("<force "), text.index("</force>") + len("</force>")
    force = text[start:end]
    # Given the same force once more inside itself, and a hidden rule
    nested = force.replace("</force>", f"<forces>{force}</forces></force>")
    nested = nested.replace('name="Curfew" hidden="false"', 'name="Curfew" hidden="true"')
    army = read_army_bytes((text[:start] + nested + text[end:]).encode(), "n.ros", "red").army
    # Then both forces are in the army, told apart by number, and the hidden rule is not
    assert [unit.id for unit in army.units] == [
        "lamplighter",
        "night-watch",
        "lamplighter-2",
        "night-watch-2",
    ]
    assert "Curfew" not in {left.name for left in army.left_off}


@pytest.mark.parametrize(
    ("written", "broken", "where", "told"),
    [
        ('name="Watchman" entryId', 'name=" " entryId', "<selection>", "has no name"),
        ('number="8"', 'number="-8"', "'Watchman'", "number '-8'"),
        ('number="8"', 'number="eight"', "'Watchman'", "number 'eight'"),
        ('value="145.0"', 'value="many"', "<roster> 'Night Shift'", "points 'many'"),
    ],
)
def test_an_unreadable_element_is_named(written: str, broken: str, where: str, told: str) -> None:
    text = NEWEST.read_text()
    assert written in text
    with pytest.raises(RosterError) as refused:
        read_army_bytes(text.replace(written, broken, 1).encode(), "b.ros", "red")
    assert where in refused.value.where
    assert told in refused.value.reason
