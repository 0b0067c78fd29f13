"""Rosters that players exported: read in place where they are, never part of the project."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.armies import Imported, read_army
from events.errors import RosterError
from events.values import ArmySource

DATA = Path(__file__).resolve().parents[2] / "../shared/data/rosters"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no sample rosters at {DATA}")


def read(name: str) -> Imported:
    return read_army(DATA / name, "red")


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("Necron 1845.rosz", 1845),
        ("Ultra Logos.rosz", 1570),
        ("Ironhands.rosz", 1577),
        ("Ravenguard.rosz", 1952),
        ("Hammer of Olympia.rosz", 1547),
        ("New Roster.rosz", 0),
    ],
)
def test_selections_sum_to_the_points_declared(name: str, points: int) -> None:
    army = read(name).army
    assert (army.points_declared, army.points_summed) == (points, points)
    on_the_table = sum(unit.points for unit in army.units)
    assert on_the_table + sum(left.points for left in army.left_off) == points


def test_a_seventh_edition_roster_of_dialect_1_15() -> None:
    # Given a list that newer builders refuse to open
    imported = read("Necron 1845.rosz")
    # Then every unit is there with its models and points
    assert [(unit.id, len(unit.models), unit.points) for unit in imported.army.units] == [
        ("necron-overlord", 3, 385),
        ("lychguards", 10, 400),
        ("immortals", 10, 170),
        ("immortals-2", 10, 170),
        ("necron-warriors", 20, 260),
        ("necron-warriors-2", 20, 260),
    ]
    overlord = imported.army.units[0]
    assert [model.profile for model in overlord.models] == [
        "necron-overlord",
        "necron-lord",
        "necron-lord",
    ]
    # And the vehicle stays off, and the two counts that no model selection gives are reported
    off = [(left.name, left.reason, left.points) for left in imported.army.left_off]
    assert ("Necron Monolith", "not yet playable: vehicle", 200) in off
    counted = [e.path for e in imported.report.of("inferred") if "model count" in e.text]
    assert counted == ["immortals", "immortals-2"]
    assert imported.playable


def test_units_of_other_types_stay_off_and_the_infantry_plays() -> None:
    imported = read("Ultra Logos.rosz")
    assert [unit.id for unit in imported.army.units] == ["praetor-legion"]
    off = [left.reason for left in imported.army.left_off if left.points]
    assert off == ["not yet playable: jump infantry"] * 3
    assert imported.playable


def test_a_broken_stat_line_is_named_and_keeps_the_army_off_the_table() -> None:
    imported = read("New Roster.rosz")
    assert not imported.playable
    with pytest.raises(RosterError, match="sorcerer: profile Sorcerer has no T"):
        imported.ready()


def test_a_transport_inside_a_squad_is_left_off_and_the_squad_stays() -> None:
    army = read("Ironhands.rosz").army
    squad = army.units[0]
    assert (squad.id, len(squad.models), squad.points) == ("tactical-squad-legion", 10, 195)
    rhino = next(left for left in army.left_off if left.name.startswith("Rhino"))
    assert (rhino.reason, rhino.points) == ("not yet playable: vehicle", 75)


def test_models_without_a_stat_line_are_an_error_not_zeros() -> None:
    imported = read("Ironhands.rosz")
    assert [entry.path for entry in imported.errors] == [
        "breacher-siege-squad-legion / Breacher Siege Space Marines, Legion"
    ]


def test_one_roster_in_five_dialects_is_one_army() -> None:
    versions = ("1_15", "2_00", "2_01", "2_02", "2_03")
    read_in = [read(f"dialects/small-battalion-v{version}.ros") for version in versions]
    armies = [msgspec.structs.replace(imported.army, source=ArmySource()) for imported in read_in]
    assert armies == [armies[0]] * 5
    assert [imported.report for imported in read_in] == [read_in[0].report] * 5
    assert [imported.army.source.dialect for imported in read_in] == [
        version.replace("_", ".") for version in versions
    ]
    assert len(armies[0].units[0].models) == 6
    assert armies[0].points_declared == armies[0].points_summed == 625


def test_an_export_of_another_game_is_read_without_guessing() -> None:
    imported = read("dialects/kitchen-sink-battlescribe.ros")
    assert not imported.playable
    assert imported.army.points_declared == imported.army.points_summed == 320
