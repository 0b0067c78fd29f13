"""The army file that people write by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.armies import Imported, army_from_yaml, army_to_yaml, read_army
from engine.armies.yaml_tree import MAX_BYTES, MAX_DEPTH, MAX_ENTRIES
from events.errors import RosterError
from events.values import LeftOff, ModelSetup, Profile, Weapon

WRITTEN = """\
# The night shift
army: Night Shift
points: 105
profiles:
  captain: {WS: 4, BS: 4, S: 3, T: 3, W: 2, I: 4, A: 2, Ld: 9, Save: 4+/5++}
  watchman: {WS: 3, BS: 3, S: 3, T: 3, W: 1, I: 3, A: 1, Ld: 7, Save: 5+}
weapons:
  Flint Gun: {Range: 24", S: 3, Type: Rapid Fire}
  sabre: {S: User, Type: Melee}
  boarding axe: {S: +1, AP: 5, Type: Melee, Rules: [Two-handed]}
  pitch pot: {Range: 8, S: 3, AP: -, Type: "Assault 1, Blast"}
units:
  - unit: Lamplighter
    points: 45
    rules: [Character, Lantern]
    models:
      - 1 captain: [sabre, sabre]
        base: 40
  - unit: Night Watch (Old)
    points: 60
    weapons:
      long gun: {Range: 48, S: 8, AP: 2, Type: Heavy 1}
    models:
      - 7 watchman: flint gun
      - watchman: [long gun, Boarding Axe, pitch pot]
  - {unit: Steam Cart, type: vehicle}
"""


def read(text: str, **bases: int) -> Imported:
    """The army of a file called night.yaml."""
    return army_from_yaml(text, "night.yaml", "blue", bases)


def test_a_file_written_by_hand_reads_as_written() -> None:
    imported = read(WRITTEN)
    assert imported.playable
    captain, watch = imported.army.units
    assert captain.profiles == (Profile("captain", 4, 4, 3, 3, 2, 4, 2, 9, save=4, invulnerable=5),)
    assert captain.models == (ModelSetup("lamplighter.1", "captain", ("sabre", "sabre"), 200),)
    assert captain.not_applied == ("Character", "Lantern")
    assert (watch.id, watch.name, watch.side) == ("night-watch", "Night Watch (Old)", "blue")
    assert watch.models[6] == ModelSetup("night-watch.7", "watchman", ("flint-gun",))
    assert watch.models[7].weapons == ("long-gun", "boarding-axe", "pitch-pot")
    assert watch.weapons == (
        Weapon("long-gun", 48000, 8, 2, "heavy", 1),
        Weapon("flint-gun", 24000, 3, None, "rapid_fire"),
        Weapon("boarding-axe", 0, 1, 5, "melee", 1, "user+", ("Two-handed",)),
        Weapon("pitch-pot", 8000, 3, None, "assault", 1, "fixed", blast=3000),
    )
    assert imported.army.left_off == (LeftOff("Steam Cart", "not yet playable: vehicle", 0),)
    assert imported.army.source.dialect == "army file"
    assert imported.army.points_declared == imported.army.points_summed == 105


def test_what_play_leaves_out_is_in_the_report() -> None:
    report = read(WRITTEN.replace('"Assault 1, Blast"', "Assault X")).report
    told = [f"{entry.path}: {entry.text}" for entry in report.of("not applied")]
    assert "lamplighter: applied in part: Character, known: CH-1" in told
    # Two-handed is played in full: there is nothing to tell
    assert not any("Two-handed" in line for line in told)
    assert any("pitch-pot" in line and "not a kind in play" in line for line in told)
    (unknown,) = report.of("not recognised")
    assert (unknown.path, unknown.text) == ("lamplighter", "not applied: Lantern, not recognised")
    assert "Steam Cart: not yet playable: vehicle" in told


def test_a_unit_may_have_its_own_of_a_shared_name() -> None:
    text = WRITTEN.replace("long gun: {Range", "flint gun: {Range").replace(
        "[long gun", "[flint gun"
    )
    watch = read(text).army.units[1]
    assert [w.range for w in watch.weapons if w.id == "flint-gun"] == [48000]
    assert army_from_yaml(army_to_yaml(read(text).army), "b.yaml", "blue").army == read(text).army


def test_rules_of_some_models_alone_are_theirs_and_of_all_the_units() -> None:
    text = WRITTEN.replace(
        "- 7 watchman: flint gun",
        "- {7 watchman: flint gun, rules: [Stubborn]}\n"
        "      - {1 watchman: [], rules: [Stubborn, Horn]}",
    ).replace(
        "- watchman: [long gun, Boarding Axe, pitch pot]", "- {watchman: [], rules: Stubborn}"
    )
    watch = read(text).army.units[1]
    assert watch.not_applied == ("Stubborn",)
    assert [model.rules for model in watch.models[5:]] == [(), (), ("Horn",), ()]
    assert army_from_yaml(army_to_yaml(read(text).army), "b.yaml", "blue").army == read(text).army


def test_bases_of_the_command_go_before_those_of_the_file() -> None:
    assert {model.radius for model in read(WRITTEN, captain=60).army.units[0].models} == {300}


def test_read_army_knows_the_file_by_its_name(tmp_path: Path) -> None:
    for name in ("night.yaml", "night.YML"):
        (tmp_path / name).write_text("\ufeff" + WRITTEN, encoding="utf-8")
        assert read_army(tmp_path / name, "blue").army.source.file == name
    (tmp_path / "latin.yaml").write_bytes(b"army: \xe9")
    with pytest.raises(RosterError, match="not text in UTF-8"):
        read_army(tmp_path / "latin.yaml", "blue")


def test_a_unit_without_toughness_or_wounds_may_not_start() -> None:
    """[ZERO-1]"""
    imported = read(WRITTEN.replace("T: 3, W: 2,", "T: -,"))
    assert not imported.playable
    assert imported.errors[0].text == "profile captain has no T and no W"
    assert imported.army.units[0].profiles[0].toughness is None


def test_points_that_do_not_add_up_are_a_warning() -> None:
    (warning,) = read(WRITTEN.replace("points: 105", "points: 100")).report.of("warning")
    assert warning.text == "100 points declared, 105 in its units"


@pytest.mark.parametrize(
    ("written", "broken", "where", "told"),
    [
        ("army: Night Shift", "", "night.yaml", "no army; write its name first"),
        ("army: Night Shift", "army: [a]", "night.yaml:2", "a list is not a single value"),
        ("points: 105", "point: 105", "night.yaml:3", "did you mean 'points'?"),
        ("points: 105", "points: many", "night.yaml:3", "'many' is not a whole number"),
        ("points: 105", "army: B", "night.yaml:3", "'army' is here twice"),
        ("WS: 4", "WS: four", "night.yaml:5", "'four' is not WS: a whole number, or - for none"),
        ("4+/5++", "great", "night.yaml:5", "'great' is not a save such as 4+"),
        ("  watchman: {", "  captain: {", "night.yaml:6", "'captain' is not a name of its own"),
        ('Range: 24"', "Range: far", "night.yaml:8", "'far' is not a range in inches"),
        ("S: User", "S: big", "night.yaml:9", "'big' is not a Strength"),
        ("AP: 5", "AP: 9", "night.yaml:10", "'9' is not an AP: 1 to 6"),
        ("Rapid Fire", "Rapid", "night.yaml:8", "'Rapid' is not one type of weapon"),
        (", Type: Rapid Fire", "", "night.yaml:8", "no type here"),
        ('Range: 24", S: 3,', 'Range: 24",', "night.yaml:8", "no s here"),
        ("unit: Lamplighter", "id: x", "night.yaml:13", "no unit here"),
        ("    points: 45", "    id: No Slug", "night.yaml:14", "'No Slug' is not a new id"),
        ("base: 40", "base: 5", "night.yaml:18", "'5' is not a base in millimetres"),
        ("1 captain:", "0 captain:", "night.yaml:17", "'0 captain' is not 1 or more models"),
        ("1 captain:", "9999 captain:", "night.yaml:17", "at most 2,000 in an army"),
        ("1 captain:", "1 captein:", "night.yaml:17", "did you mean 'captain'"),
        ("7 watchman: flint gun", "7 watchman: flit gun", "night.yaml:24", "mean 'flint-gun'"),
        ("[sabre, sabre]", "[sabre, &a b, *a]", "night.yaml:17", "anchors and aliases"),
        ("[sabre, sabre]", "!!python/name:os.system x", "night.yaml:17", "no weapon of this army"),
        ("[sabre, sabre]", "[sabre", "night.yaml:", "not YAML that can be read"),
    ],
)  # fmt: skip
def test_an_error_names_line_and_what_would_be_right(
    written: str, broken: str, where: str, told: str
) -> None:
    assert written in WRITTEN
    with pytest.raises(RosterError) as refused:
        read(WRITTEN.replace(written, broken, 1))
    assert refused.value.where.startswith(where)
    assert told in refused.value.reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("just words", "not a mapping"),
        ("army: a\n---\narmy: b", "a second document"),
        ("- " * (MAX_DEPTH + 2) + "x", "nested deeper"),
        ("army: " + "x" * MAX_BYTES, "too large"),
        ("[" + "a," * MAX_ENTRIES + "]", "more than"),
        ("army: \x00", "not YAML"),
        ("army: a\nprofiles: {m: {}}\nunits:\n" + "- {unit: a, models: m}\n" * 301, "300 units"),
    ],
)
def test_what_is_no_army_file_says_so(text: str, told: str) -> None:
    with pytest.raises(RosterError, match=told):
        read(text)


def test_an_army_of_nothing_may_not_start() -> None:
    with pytest.raises(RosterError, match="no unit in it can take the field"):
        read("army: None").ready()
    with pytest.raises(RosterError, match="has no models"):
        read("army: None\nunits: [{unit: Ghosts}]")
