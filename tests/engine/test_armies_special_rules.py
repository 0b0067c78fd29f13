"""Names of special rules: synonyms folded, parameters split off, the rest kept as it is."""

from __future__ import annotations

import pytest

from engine.armies.special_rules import _KNOWN, SpecialRule, recognise, spelling, standing


@pytest.mark.parametrize(
    ("text", "rule", "parameter"),
    [
        ("Armourbane", "SR-2", ""),
        ("Specialist Weapon", "SR-3", ""),
        ("Two handed", "SR-4", ""),
        ("Two-Handed", "SR-4", ""),
        ("Unwieldly", "SR-5", ""),
        ("Concussion", "SR-6", ""),
        ("Blast", "SR-12", ""),
        ("Large Blast", "SR-12", ""),
        ('Large Blast (5")', "SR-12", '5"'),
        ('3" Blast', "SR-12", '3"'),
        ("No Cover Saves", "SR-14", ""),
        ("Look Out, Sir!", "SR-18", ""),
        ("and they shall know no fear", "SR-20", ""),
        ("Fearless", "SR-21", ""),
        ("Fear", "SR-23", ""),
        ("Psyker (Mastery Level 2)", "SR-24", "Mastery Level 2"),
        ("Psyker ML 2", "SR-24", "ML 2"),
        ("Brotherhood of Psykers/Sorcerers", "SR-25", ""),
        ("Feel No Pain (5+)", "SR-30", "5+"),
        ("Feel no pain 4+", "SR-30", "4+"),
        ("Feel No Pain (6+", "SR-30", "6+"),
        ("FNP", "SR-30", ""),
        ("Gets Hot!", "VBS-3", ""),
        ("Rend", "ARMP-5", ""),
        ("Twin Linked", "SNAP-3", ""),
        ("Hammer of Wrath (D3)", "JMPU-5", "D3"),
        ("Hammer of Wrath D6", "JMPU-5", "D6"),
        ("Very Bulky", "TCAP-4", ""),
        ("Character", "CH-1", ""),
        ("Poison 3+", "", "3+"),
        ("Hatred (Everyone)", "", "Everyone"),
        ("Preferred Enemy: Crows", "", "Crows"),
        ("One Shot", "", ""),
    ],
)
def test_a_name_and_its_parameter(text: str, rule: str, parameter: str) -> None:
    """Each name finds its rule, however it is spelt: [SR-2] to [SR-41] and other digests' rules."""
    found = recognise(text)
    assert found is not None
    assert (found.id, found.parameter) == (rule, parameter)


@pytest.mark.parametrize("text", ["", "(5+)", "Rust Curse", "Fear of Rust", "5+", "!", "Blasted"])
def test_words_of_its_own_are_not_recognised(text: str) -> None:
    assert recognise(text) is None
    assert standing(text) == "not recognised"


def test_every_known_name_finds_itself() -> None:
    for rule in _KNOWN.values():
        assert recognise(rule.name) == rule == recognise(rule.name.upper())
        assert recognise(f"{rule.name} (X)") == SpecialRule(rule.name, rule.id, "X")
        assert spelling(rule.name.lower().replace("-", " ")) == rule.name
