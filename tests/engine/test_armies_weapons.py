"""The weapon Type grammar, and weapons from their lines."""

from __future__ import annotations

import pytest

from engine.armies.report import Notes
from engine.armies.rosters import Line
from engine.armies.weapon_types import read_type, rule_name, split_profiles
from engine.armies.weapons import read_weapons
from events.values import Weapon, WeaponType


def weapons(name: str, reach: str, strength: str, ap: str, kind: str) -> tuple[Weapon, ...]:
    """The weapons of one line."""
    values = (("Range", reach), ("Strength", strength), ("AP", ap), ("Type", kind))
    return read_weapons(Line(name, "Weapon", values), "unit", Notes())


def told(name: str, reach: str, strength: str, ap: str, kind: str) -> list[str]:
    """What the report says about one line."""
    values = (("Range", reach), ("Strength", strength), ("AP", ap), ("Type", kind))
    notes = Notes()
    read_weapons(Line(name, "Weapon", values), "unit", notes)
    return [f"{entry.level}: {entry.text}" for entry in notes]


@pytest.mark.parametrize(
    ("text", "kind", "shots", "rules"),
    [
        ("Rapid Fire", "rapid_fire", 1, ()),
        ("rapid fire, Gauss", "rapid_fire", 1, ("Gauss",)),
        ("Assault 2", "assault", 2, ()),
        ("Assault (3), Rending", "assault", 3, ("Rending",)),
        ("Assault 4 Twin linked", "assault", 4, ("Twin-linked",)),
        ("Hevy 3, Gets Hot!", "heavy", 3, ("Gets Hot",)),
        ("Heavy", "heavy", 1, ()),
        ("Twin-linked, Heavy 1", "heavy", 1, ("Twin-linked",)),
        ("Pistol", "pistol", 1, ()),
        ("Pistol, Poison (4+)", "pistol", 1, ("Poisoned (4+)",)),
        ("Melee", "melee", 1, ()),
        ("Meele; Two handed, Unwieldly", "melee", 1, ("Two-handed", "Unwieldy")),
        ("Melee, Strange (a, b)", "melee", 1, ("Strange (a, b)",)),
    ],
)
def test_classes_in_play(text: str, kind: WeaponType, shots: int, rules: tuple[str, ...]) -> None:
    """[WPRF-1] Type, shots, and every rule by name in one spelling."""
    read = read_type(text)
    assert (read.type, read.shots, read.rules) == (kind, shots, rules)


@pytest.mark.parametrize(
    "text",
    [
        "Heavy D3+2",
        "Assault X",
        "Assault 0",
        "Salvo 3",
        "Salvo",
        "Assault 1, Hellstorm Template",
        "Heavy 1, Blast (X)",
        "Rapid Fire 3",
        "Heavy 1, Ordnance",
        "Armourbane, Unwieldy",
        "Stare hard",
        "-",
        "",
    ],
)
def test_what_is_not_in_play_is_other(text: str) -> None:
    assert read_type(text).type == "other"


@pytest.mark.parametrize(
    ("text", "kind", "shots", "moved", "blast", "template"),
    [
        ("Salvo 3/5", "salvo", 5, 3, 0, False),
        ("Ordinance 1, Large Blast", "ordnance", 1, 0, 5000, False),
        ("Assault 1, Template", "assault", 1, 0, 0, True),
        ('Heavy 1, 5" Blast', "heavy", 1, 0, 5000, False),
        ('Heavy 1, Large Blast (5")', "heavy", 1, 0, 5000, False),
        ("Heavy 2 Blast", "heavy", 2, 0, 3000, False),
        ("Primary Weapon 1, Apocalyptic Blast", "primary", 1, 0, 10000, False),
        ("Bomb 1, Blast", "bomb", 1, 0, 3000, False),
    ],
)
def test_classes_with_markers(
    text: str, kind: WeaponType, shots: int, moved: int, blast: int, template: bool
) -> None:
    """[WPRF-1, APOC-1, SALV-1, ORDN-1, PRMW-1]"""
    read = read_type(text)
    assert (read.type, read.shots, read.shots_moved) == (kind, shots, moved)
    assert (read.blast, read.template, read.rules) == (blast, template, ())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Assault 2/Heavy 4", ("Assault 2", "Heavy 4")),
        ("Melee / Assault 1", ("Melee", "Assault 1")),
        ("Rapid Fire // Heavy 1", ("Rapid Fire", "Heavy 1")),
        ("Salvo 3/5", ("Salvo 3/5",)),
        ("Heavy 1, Lance / Blast", ("Heavy 1, Lance / Blast",)),
    ],
)
def test_several_profiles_in_one_field(text: str, parts: tuple[str, ...]) -> None:
    assert split_profiles(text) == parts


@pytest.mark.parametrize(
    ("text", "shots", "die"),
    [("Assault D6", 1, 6), ("Heavy 2D6, Gauss", 2, 6), ("Assault d3", 1, 3)],
)
def test_dice_for_shots(text: str, shots: int, die: int) -> None:
    """[THIT-2, DMOD-1]"""
    read = read_type(text)
    assert (read.shots, read.shots_die) == (shots, die)
    assert read.type in ("assault", "heavy")


def test_rule_names_are_folded_and_parameters_kept() -> None:
    assert rule_name("twin  linked") == "Twin-linked"
    assert rule_name("One Shot") == rule_name("One Use Only") == "One Use Only"
    assert rule_name("Ember Curse (3+)") == "Ember Curse (3+)"


def test_a_melee_weapon_counts_from_its_user() -> None:
    """[WPRF-2]"""
    assert weapons("Maul", "-", "+ 2", "4", "Melee, Concussion") == (
        Weapon("maul", 0, 2, 4, "melee", 1, "user+", ("Concussive",)),
    )


def test_twin_linked_that_stands_only_in_the_name() -> None:
    (gun,) = weapons("Twin-linked Heavy Repeater", '36"', "5", "4", "Heavy 3")
    assert (gun.shots, gun.rules) == (3, ("Twin-linked",))
    (both,) = weapons("Twin-Linked Repeater", '36"', "5", "4", "Heavy 3, Twin linked")
    assert both.rules == ("Twin-linked",)
    assert told("Twin-linked Repeater", '36"', "5", "4", "Heavy 3") == [
        "inferred: Twin-linked Repeater: Twin-linked stands in the name only",
    ]


def test_a_combined_weapon_is_one_weapon_for_each_profile() -> None:
    """[WPRF-3]"""
    rifle, torch = weapons(
        "Twin Barrel",
        '24" (Rifle)/ 12" (Torch)',
        "4 (Rifle)/ 8 (Torch)",
        "5 / 1",
        "Rapid Fire (Rifle) / Assault 1, Melta, One Shot (Torch)",
    )
    assert rifle == Weapon("twin-barrel-rifle", 24000, 4, 5, "rapid_fire", 1)
    assert torch.id == "twin-barrel-torch"
    assert (torch.range, torch.strength, torch.ap, torch.type) == (12000, 8, 1, "assault")
    assert torch.rules == ("Melta", "One Use Only")


@pytest.mark.parametrize(
    ("name", "reach", "strength", "ap", "kind", "kept"),
    [
        ("Hell Flamer", "Hellstorm", "4", "5", "Assault 1", ("Range Hellstorm", "Assault 1")),
        ("Doom Gun", '48"', "D", "1", "Heavy 1", ("Strength D", "Heavy 1")),
        ("Odd Gun", '24"', "4", "D6", "Heavy 2", ("AP D6", "Heavy 2")),
        ("Wild Gun", '24"', "4", "5", "Assault X", ("Assault X",)),
        ("Wall Bombs", "-", "8", "1", "Armourbane, Unwieldy", ("Armourbane", "Unwieldy")),
        ("Lost Gun", "", "4", "5", "Heavy 2", ("Heavy 2",)),
    ],
)
def test_a_weapon_not_in_play_is_kept_in_its_words(
    name: str, reach: str, strength: str, ap: str, kind: str, kept: tuple[str, ...]
) -> None:
    (weapon,) = weapons(name, reach, strength, ap, kind)
    assert (weapon.type, weapon.rules) == ("other", kept)
    assert any(
        text.startswith(f"not applied: not applied: {name}")
        for text in told(name, reach, strength, ap, kind)
    )


def test_a_grenade_launcher_is_a_gun() -> None:
    (gun,) = weapons("Grenade Launcher (krak)", '24"', "6", "4", "Assault 1")
    assert (gun.type, gun.grenade) == ("assault", False)


def test_grenades_are_thrown() -> None:
    """[SHWP-4]"""
    (frag,) = weapons("Frag Grenades", '8"', "3", "-", "Assault 1, Blast")
    assert (frag.type, frag.blast, frag.grenade) == ("assault", 3000, True)
    (krak,) = weapons("Krak Grenade", '8"', "6", "4", "Assault 1")
    assert (krak.type, krak.grenade) == ("assault", True)


def test_a_template_reaches_8_inches() -> None:
    """[WRNG-1, APOC-1]"""
    (torch,) = weapons("Flamer", "Template", "4", "5", "Assault 1")
    assert (torch.range, torch.template, torch.rules) == (8000, True, ())


def test_a_least_range() -> None:
    """[WRNG-1]"""
    (gun,) = weapons("Far Gun", '12" - 48"', "5", "4", "Heavy 1")
    assert (gun.range, gun.least, gun.rules) == (48000, 12000, ())
