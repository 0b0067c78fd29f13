"""The grammars of number fields and unit types."""

from __future__ import annotations

import pytest

from engine.armies.fields import (
    UNLIMITED,
    Reading,
    Saves,
    Strength,
    ap,
    saves,
    stat,
    strength,
    unit_type,
    weapon_range,
)


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("4", 4, ""),
        ("10", 10, ""),
        ("0", 0, ""),
        ("3.0", 3, ""),
        ("-", None, ""),
        ("", None, ""),
        ("4(5)", 4, "4(5)"),
        ("8/5", 8, "8/5"),
        ("5*", 5, "5*"),
        ("2+1", 2, "2+1"),
        ("D6", None, "D6"),
        ("D6+4", None, "D6+4"),
        ("4+", None, "4+"),
        ("many", None, "many"),
    ],
)
def test_stats_are_read_as_far_as_they_are_numbers(
    text: str, value: int | None, words: str
) -> None:
    """[PROF-2, ZERO-1] "-" is no value, never 0, and 0 is not "-"."""
    assert stat(text) == Reading(value, words)


@pytest.mark.parametrize(
    ("text", "armour", "invulnerable", "words"),
    [
        ("3+", 3, None, ""),
        ("2", 2, None, ""),
        ("3+/4++", 3, 4, ""),
        ("3+ /5++", 3, 5, ""),
        ("4++", None, 4, ""),
        ("-/5++", None, 5, ""),
        ("-", None, None, ""),
        ("", None, None, ""),
        ("2+/4+", 2, None, "2+/4+"),
        ("2+/4", 2, None, "2+/4"),
        ("2+/4-5++", 2, None, "2+/4-5++"),
        ("(cover 4+)", None, None, "(cover 4+)"),
        ("7+", None, None, "7+"),
    ],
)
def test_saves(text: str, armour: int | None, invulnerable: int | None, words: str) -> None:
    """[PROF-2] A save is a D6 target; what isn't certain is kept in its words."""
    assert saves(text) == Saves(armour, invulnerable, words)


@pytest.mark.parametrize(
    ("text", "mils", "least", "words"),
    [
        ('24"', 24000, 0, ""),
        ("24", 24000, 0, ""),
        ("24''", 24000, 0, ""),
        ("-", 0, 0, ""),
        ("Melee", 0, 0, ""),
        ('12" - 48"', 48000, 12000, ""),
        ("18-96", 96000, 18000, ""),
        ("Unlimited", UNLIMITED, 0, ""),
        ("Template", None, 0, "Template"),
        ('2D6"', None, 0, '2D6"'),
        ('24/48"', None, 0, '24/48"'),
        ("6'", None, 0, "6'"),
    ],
)
def test_ranges(text: str, mils: int | None, least: int, words: str) -> None:
    assert weapon_range(text) == (Reading(mils, words), least)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("4", Strength(4, "fixed")),
        ("10", Strength(10, "fixed")),
        ("User", Strength(0, "user+")),
        ("+1", Strength(1, "user+")),
        ("+ 2", Strength(2, "user+")),
        ("x2", Strength(2, "user*")),
        ("X2", Strength(2, "user*")),
        ("2x", Strength(2, "user*")),
        ("0", None),
        ("-", None),
        ("D", None),
        ("X", None),
        ("2D6", None),
        ("10/7/5", None),
        ("+1/User*", None),
    ],
)
def test_strengths(text: str, read: Strength | None) -> None:
    """[WPRF-2] A number, the user's, added to it or a multiple of it."""
    assert strength(text) == read


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [("1", 1, ""), ("6", 6, ""), ("AP2", 2, ""), ("-", None, ""), ("", None, "")]
    + [(words, None, words) for words in ("0", "-5", "D6", "3/4*", "*")],
)
def test_ap(text: str, value: int | None, words: str) -> None:
    assert ap(text) == Reading(value, words)


@pytest.mark.parametrize(
    ("text", "kind", "remarks"),
    [
        ("Infantry", "infantry", ()),
        ("Infantry (Character)", "infantry", ("Character",)),
        ("Infantry (ch)", "infantry", ("Character",)),
        ("Infantry (Character", "infantry", ("Character",)),
        ("Unique, Infantry (Character)", "infantry", ("Unique", "Character")),
        ("Infanty", "infantry", ()),
        ("Jump, Infantry", "jump infantry", ()),
        ("Jet Pack Infantry", "jet pack infantry", ()),
        ("Monsterous Creature", "monstrous creature", ()),
        ("Flying Monstrous Creature", "flying monstrous creature", ()),
        ("Jetbike (Character)", "jetbike", ("Character",)),
        ("Bikes", "bike", ()),
        ("Beast", "beasts", ()),
        ("Artilery", "artillery", ()),
        ("Vehicle (Tank, Transport)", "vehicle", ("Tank", "Transport")),
        ("Ghostly Thing", "ghostly thing", ()),
        ("", "", ()),
    ],
)
def test_unit_types(text: str, kind: str, remarks: tuple[str, ...]) -> None:
    """[PROF-5] Seventy spellings of twenty types."""
    name, beside = unit_type(text)
    assert (name, set(beside)) == (kind, set(remarks))
