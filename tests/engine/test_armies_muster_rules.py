"""Names of rules and wargear: whose they are, and what is said of those that play applies."""

from __future__ import annotations

import pytest

from engine.armies import BUNDLED, bundled, read_army_bytes
from events.values import UnitSetup


def unit(selection: str) -> UnitSetup:
    """The unit of a roster with one selection."""
    text = f'<roster battleScribeVersion="2.03"><forces><force><selections>{selection}</selections>'
    return read_army_bytes(f"{text}</force></forces></roster>".encode(), "t.ros", "red").army.units[
        0
    ]


def model(name: str, number: int, kind: str, *rules: str) -> str:
    """A model selection with a stat line and rules."""
    named = "".join(f'<rule name="{rule}"/>' for rule in rules)
    cells = "".join(
        f'<characteristic name="{title}">{text}</characteristic>'
        for title, text in (("Unit Type", kind), ("T", "3"), ("W", "1"), ("A", "1"))
    )
    return (
        f'<selection name="{name}" type="model" number="{number}"><rules>{named}</rules><profiles>'
        f'<profile name="{name}" typeName="Unit"><characteristics>{cells}</characteristics>'
        "</profile></profiles></selection>"
    )


def squad(*inside: str, rules: str = "") -> str:
    """A unit selection."""
    return (
        f'<selection name="Squad" type="unit" number="1"><rules>{rules}</rules>'
        f"<selections>{''.join(inside)}</selections></selection>"
    )


def test_a_name_is_the_units_if_all_models_have_it_and_else_the_models() -> None:
    """[PROF-5] A sergeant who is a Character makes no Characters of his men."""
    read = unit(
        squad(
            model("Sergeant", 1, "Infantry (Character)", "Stubborn", "Old Horn"),
            model("Trooper", 2, "Infantry", "Stubborn"),
            rules='<rule name="Fearless"/>',
        )
    )
    assert read.not_applied == ("Fearless", "Stubborn")
    assert [m.rules for m in read.models] == [("Character", "Old Horn"), (), ()]


def test_wargear_that_comes_with_a_weapon_is_its_carriers() -> None:
    standard = (
        '<selection name="Horn" type="upgrade" number="1"><profiles>'
        '<profile name="Horn" typeName="Weapon"><characteristics>'
        '<characteristic name="Type">Melee</characteristic></characteristics></profile>'
        '<profile name="Great Horn" typeName="Wargear Item"/></profiles></selection>'
    )
    trooper = model("Trooper", 3, "Infantry")
    trooper = trooper.replace("</profiles>", f"</profiles><selections>{standard}</selections>")
    read = unit(squad(trooper))
    assert [m.rules for m in read.models] == [("Great Horn",), (), ()]


@pytest.mark.parametrize(
    ("rules", "kinds", "weapons", "left"),
    [
        (["Two-Handed"], ["Melee"], [("Two-handed",)], ()),
        (["Gets Hot!"], ["Melee"], [()], ("Gets Hot!",)),
        (["Unwieldy", "Melta"], ["Melee", "Assault 1"], [("Unwieldy",), ("Melta",)], ()),
        (["Rending"], ["Melee", "Assault 1"], [(), ()], ("Rending",)),
        (["Shred"], ["Melee, Shred", "Melee"], [("Shred",), ()], ()),
        (["Stubborn"], ["Heavy 2"], [()], ("Stubborn",)),
        (["Poisoned (4+)"], ["Heavy 2"], [("Poisoned (4+)",)], ()),
    ],
)
def test_a_weapons_rule_that_stands_beside_it_is_its(
    rules: list[str], kinds: list[str], weapons: list[tuple[str, ...]], left: tuple[str, ...]
) -> None:
    """[WPRF-1] Builders write it beside the profile; of two, neither has it."""
    named = "".join(f'<rule name="{rule}"/>' for rule in rules)
    lines = "".join(
        f'<profile name="Arm {n}" typeName="Weapon"><characteristics>'
        '<characteristic name="Range">12</characteristic>'
        '<characteristic name="Strength">4</characteristic>'
        f'<characteristic name="Type">{kind}</characteristic></characteristics></profile>'
        for n, kind in enumerate(kinds)
    )
    arm = (
        f'<selection name="Arm" type="upgrade" number="1"><rules>{named}</rules>'
        f"<profiles>{lines}</profiles></selection>"
    )
    man = model("Man", 1, "Infantry").replace(
        "</profiles>", f"</profiles><selections>{arm}</selections>"
    )
    read = unit(man)
    assert [weapon.rules for weapon in read.weapons] == weapons
    assert read.not_applied == left


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("Unwieldy", None),
        ("Relentless", None),
        ("Fearless", "applied in part: Fearless, known: SR-21"),
        ("Shrouded", "not applied: Shrouded, known: SR-16"),
        ("Rust Curse", "not applied: Rust Curse, not recognised"),
    ],
)
def test_the_report_says_what_play_does_with_a_name(rule: str, told: str | None) -> None:
    text = (
        '<roster battleScribeVersion="2.03"><forces><force><selections>'
        f"{model('Man', 1, 'Infantry', rule)}</selections></force></forces></roster>"
    )
    imported = read_army_bytes(text.encode(), "t.ros", "red")
    assert imported.army.units[0].not_applied == (rule,)
    lines = [entry.text for entry in imported.report.entries if rule in entry.text]
    assert lines == ([told] if told else [])


@pytest.mark.parametrize("name", BUNDLED)
def test_leaders_of_the_bundled_armies_are_characters_and_their_men_are_not(name: str) -> None:
    army = read_army_bytes(bundled(name), f"{name}.ros", "red").army
    for squad in (unit for unit in army.units if len(unit.models) > 1):
        assert "Character" not in squad.not_applied
        assert squad.models[-1].rules == ()
    assert any("Character" in unit.models[0].rules for unit in army.units)
