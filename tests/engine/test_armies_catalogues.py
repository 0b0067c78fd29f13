"""Catalogues: links followed, modifiers that always hold applied, in both dialects."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest

from engine.armies.catalogues import Catalogue, Option, open_catalogue, read_catalogue
from engine.armies.catalogues.links import MAX_OPTIONS
from engine.armies.opening import MAX_BYTES
from events.errors import RosterError

FILES = Path(__file__).resolve().parents[1] / "fixtures/catalogues"
REAL = Path(__file__).resolve().parents[2] / "../shared/data/catalogues"


def watch(dialect: str = "2_03") -> Catalogue:
    """The invented catalogue in one of its dialects."""
    return open_catalogue(FILES / f"city-watch-{dialect}.cat", FILES / f"ashfall-{dialect}.gst")


def below(option: Option, *names: str) -> Option:
    """The option found by going down these names."""
    for name in names:
        option = next(inner for inner in option.options if inner.name == name)
    return option


def values(option: Option) -> list[tuple[str, dict[str, str]]]:
    """Names and characteristics of an option's profiles."""
    return [(line.name, dict(line.values)) for line in option.lines]


@pytest.mark.parametrize("dialect", ["2_00", "2_03"])
def test_units_with_their_costs_and_limits(dialect: str) -> None:
    catalogue = watch(dialect)
    assert (catalogue.name, catalogue.source.game_system) == ("City Watch", "Ashfall")
    assert catalogue.source.dialect == dialect.replace("_", ".")
    assert [unit.name for unit in catalogue.units] == [
        "Night Watch",
        "Lamplighter",
        "Levy",
        "Steam Cart (Depot)",
    ]
    squad = catalogue.option("night watch")
    assert [(o.name, o.kind, o.cost) for o in squad.options] == [
        ("Sergeant", "model", 1000),
        ("Watchman", "model", 500),
        ("Steam Cart", "upgrade", 3000),
        ("Secret", "upgrade", 0),
    ]
    assert [str(limit) for limit in below(squad, "Watchman").limits] == [
        "min 4 in parent",
        "max 9 in parent",
    ]
    assert [str(limit) for limit in below(catalogue.option("Levy"), "Levyman").limits] == [
        "min 5 in parent",
        "max 20 in parent",
        "max 60 points in parent",
    ]


def test_both_dialects_give_the_same_options() -> None:
    old, new = watch("2_00"), watch("2_03")
    assert old.options == new.options
    assert old.notes == new.notes


def test_links_lead_into_the_file_and_into_the_game_system() -> None:
    arm = below(watch().option("Night Watch"), "Watchman", "Arm")
    assert arm.kind == "group"
    assert [(o.name, o.link, o.cost) for o in arm.options] == [
        ("Flint Gun", "", 0),
        ("Long Gun", "", 500),
        ("Boarding Axe", "l-axe", 300),
    ]
    axe = arm.options[2]
    assert values(axe) == [
        ("Boarding Axe", {"Range": "-", "Strength": "+1", "AP": "5", "Type": "Melee"})
    ]
    assert axe.rules == ("Two-handed",)
    assert axe.lines[0].kind == "Weapon"


def test_modifiers_that_always_hold_are_applied_to_names_costs_and_profiles() -> None:
    catalogue = watch()
    squad = catalogue.option("Night Watch")
    assert squad.rules == ("Stubborn", "Preferred Enemy (Crows)")
    ((name, line),) = values(below(squad, "Sergeant"))
    assert name == "Sergeant"
    assert (line["Unit Type"], line["Ld"], line["A"]) == ("Infantry (Character)", "8", "2")
    ((name, line),) = values(below(squad, "Watchman", "Arm", "Long Gun"))
    assert (name, line["Range"], line["Strength"]) == ("Long Gun", '48"', "4")
    assert line["Type"] == "Rapid Fire, Sniper"
    assert catalogue.option("Lamplighter").cost == 4500
    ((_, line),) = values(below(catalogue.option("Levy"), "Levyman"))
    assert (line["Ld"], line["Save"]) == ("5", "-")


def test_modifiers_with_a_condition_are_told_and_not_applied() -> None:
    catalogue = watch()
    squad = catalogue.option("Night Watch")
    sergeant = below(squad, "Sergeant")
    assert sergeant.not_applied == (
        "set Save of Watchman to 4+/5++ if exactly 1 Old Plate in parent",
    )
    assert dict(sergeant.lines[0].values)["Save"] == "5+"
    assert below(squad, "Steam Cart").not_applied == (
        "set hidden of Steam Cart to true if the force is Raid",
    )
    captain = catalogue.option("Lamplighter")
    assert captain.not_applied == ("increment max 1 by 1 if the force is Raid",)
    assert [limit.certain for limit in captain.limits] == [False]


def test_hidden_entries_are_not_offered() -> None:
    catalogue = watch()
    assert "Secret" not in [option.name for option in catalogue.options]
    assert "Secret" not in [o.name for o in catalogue.option("Night Watch").choices()]
    with pytest.raises(RosterError, match="hidden without a condition"):
        catalogue.option("Secret")


def test_broken_and_circular_links_are_noted() -> None:
    catalogue = watch()
    assert catalogue.option("Ring").options == ()
    assert len(catalogue.options) == 5
    assert catalogue.notes == (
        "link to selectionEntry e-nowhere: there is none in the files read",
        "Ring holds itself: left out there",
    )


def test_an_id_used_twice_is_noted_and_the_first_is_taken() -> None:
    data = (FILES / "city-watch-2_03.cat").read_bytes()
    data = data.replace(b'id="e-axle"', b'id="e-axe"').replace(b'id="p-lantern"', b'id="p-man"')
    catalogue = read_catalogue(data, "w.cat", (FILES / "ashfall-2_03.gst").read_bytes())
    assert catalogue.units
    assert "id p-man is used twice in profile; the first is taken" in catalogue.notes
    assert below(catalogue.option("Night Watch"), "Watchman").lines[0].name == "Watchman"


def test_without_its_game_system_links_into_it_are_broken() -> None:
    data = (FILES / "city-watch-2_00.cat").read_bytes()
    catalogue = read_catalogue(data, "w.cat")
    arm = below(catalogue.option("Night Watch"), "Watchman", "Arm")
    assert [option.name for option in arm.options] == ["Flint Gun", "Long Gun"]
    assert any("e-axe" in note for note in catalogue.notes)


def test_a_name_that_is_not_there_brings_the_nearest() -> None:
    with pytest.raises(RosterError, match="not an entry of City Watch; nearest are Night Watch"):
        watch().option("Nite Watch")


@pytest.mark.parametrize(
    ("cat", "gst", "told"),
    [
        (b"<roster/>", None, "a <roster>, not a <catalogue> or <gameSystem>"),
        (b"words", None, "not a catalogue in XML"),
        (b'<catalogue battleScribeVersion="1.15"/>', None, "version 1.15; read are 2.00"),
        (b"<catalogue/>", None, "no version"),
        (b'<!DOCTYPE c><catalogue battleScribeVersion="2.03"/>', None, "DTDs and entities"),
        (b"<catalogue>" + b"<a>" * 80, None, "nested deeper"),
        (
            b'<catalogue battleScribeVersion="2.03" gameSystemId="a"/>',
            b'<gameSystem id="b" name="B" battleScribeVersion="2.03"/>',
            "is for game system a; 'B' is another",
        ),
        (
            b'<catalogue battleScribeVersion="2.03"/>',
            b'<catalogue battleScribeVersion="2.03"/>',
            "give the .gst file",
        ),
    ],
)
def test_what_is_no_catalogue_says_so(cat: bytes, gst: bytes | None, told: str) -> None:
    with pytest.raises(RosterError, match=re.escape(told)):
        read_catalogue(cat, "bad.cat", gst)


def test_a_hundred_megabytes_are_refused_without_reading_them(tmp_path: Path) -> None:
    path = tmp_path / "garbage.cat"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    tracemalloc.start()
    with pytest.raises(RosterError, match="too large"):
        open_catalogue(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * MAX_BYTES


def test_links_that_double_at_every_step_are_refused() -> None:
    steps = "".join(
        f'<selectionEntry id="e{n}" name="E{n}" type="upgrade"><entryLinks>'
        + f'<entryLink id="a" targetId="e{n + 1}" type="selectionEntry"/>' * 4
        + "</entryLinks></selectionEntry>"
        for n in range(30)
    )
    text = f'<catalogue battleScribeVersion="2.03"><selectionEntries>{steps}</selectionEntries>'
    catalogue = read_catalogue(f"{text}</catalogue>".encode(), "bomb.cat")
    with pytest.raises(RosterError, match=f"more than {MAX_OPTIONS:,} options"):
        catalogue.option("E0")


def test_information_groups_bring_their_profiles_and_rules() -> None:
    group = (
        '<infoGroup id="g" name="Kit"><profiles><profile id="p" name="Horn" typeName="Wargear Item"'
        ' typeId="t"/></profiles><rules><rule id="r" name="Loud"/></rules>'
        '<infoLinks><infoLink id="self" targetId="g" type="infoGroup"/></infoLinks></infoGroup>'
    )
    text = (
        '<catalogue battleScribeVersion="2.03"><selectionEntries><selectionEntry id="e" name="Man" '
        'type="model"><infoLinks><infoLink id="l" targetId="g" type="infoGroup"/></infoLinks>'
        f"</selectionEntry></selectionEntries><sharedInfoGroups>{group}</sharedInfoGroups></catalogue>"
    )
    man = read_catalogue(text.encode(), "kit.cat").option("Man")
    assert [line.name for line in man.lines] == ["Horn"]
    assert man.rules == ("Loud",)


@pytest.mark.skipif(not REAL.is_dir(), reason=f"no sample catalogues at {REAL}")
@pytest.mark.parametrize(
    ("file", "units"),
    [
        ("Assassins Codex.cat", {"Vindicare Assassin": 15000, "Culexus Assassin": 14000}),
        ("Adeptus Custodes Dataslate.cat", {"Venerable Contemptor Dreadnought": 20000}),
        ("Sisters of Silence Dataslate.cat", {"Procecutor Squad": 0, "Null-Maiden Rhino": 4500}),
    ],
)
def test_real_catalogues_resolve_into_their_game_system(file: str, units: dict[str, int]) -> None:
    catalogue = open_catalogue(REAL / file)
    found = {unit.name: unit for unit in catalogue.units}
    assert {name: found[name].cost for name in units} == units
    assert catalogue.notes == ()
    # And every profile has its type, which most of these files leave out
    kinds = {line.kind for unit in found.values() for o in unit.walk() for line in o.lines}
    assert {"Unit", "Weapon"} <= kinds and "" not in kinds
