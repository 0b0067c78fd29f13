"""From selections to units: who is a model, who carries what, what stays off."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

import pytest

from engine.armies import Imported, distinct, read_army_bytes
from engine.armies.muster import MAX_MODELS, MAX_UNITS
from events.base import Side
from events.errors import RosterError
from events.values import ModelSetup

TROOPER = ("Infantry", "3", "4", "3", "3", "1", "3", "1", "7", "4+")
SERGEANT = ("Infantry (Character)", "4", "4", "3", "3", "1", "3", "2", "8", "4+")


def profile(kind: str, name: str, **values: str) -> str:
    """A profile element."""
    inside = "".join(
        f"<characteristic name={quoteattr(key.replace('_', ' '))}>{text}</characteristic>"
        for key, text in values.items()
    )
    return (
        f"<profile name={quoteattr(name)} typeName={quoteattr(kind)}>"
        f"<characteristics>{inside}</characteristics></profile>"
    )


def body(name: str, line: tuple[str, ...] = TROOPER) -> str:
    """A stat line."""
    fields = ("Unit_Type", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "Save")
    return profile("Unit", name, **dict(zip(fields, line, strict=True)))


def gun(name: str, kind: str = "Rapid Fire", reach: str = "24") -> str:
    """A weapon's line."""
    return profile("Weapon", name, Range=reach, Strength="4", AP="5", Type=kind)


VEHICLE = profile("Vehicle", "Cart", BS="3", Front="10", Side="10", Rear="10", HP="2", Type="Tank")


def chosen(
    name: str, kind: str, *inside: str, number: int = 1, points: str = "0", lines: str = ""
) -> str:
    """A selection with profiles and the selections below it."""
    return (
        f'<selection name={quoteattr(name)} type="{kind}" number="{number}">'
        f"<profiles>{lines}</profiles><selections>{''.join(inside)}</selections>"
        f'<costs><cost name="power" value="3"/><cost name="pts" value="{points}"/></costs>'
        "</selection>"
    )


def army_of(
    *selections: str, declared: str = "0", side: Side = "red", bases: dict[str, int] | None = None
) -> Imported:
    """The import of a roster with these top-level selections."""
    text = (
        '<roster name="Test" battleScribeVersion="2.03"><costs><cost name="power" value="9"/>'
        f'<cost name="pts" typeId="points" value="{declared}"/></costs><forces><force>'
        f"<selections>{''.join(selections)}</selections></force></forces></roster>"
    )
    return read_army_bytes(text.encode(), "test.ros", side, bases)


def kit(imported: Imported) -> list[tuple[str, tuple[str, ...]]]:
    """Profile and weapons of each model of the first unit."""
    return [(model.profile, model.weapons) for model in imported.army.units[0].models]


def texts(imported: Imported, level: str) -> list[str]:
    """The report's sentences of one level, bases aside."""
    return [
        f"{entry.path}: {entry.text}"
        for entry in imported.report.entries
        if entry.level == level and "bases" not in entry.text
    ]


def test_only_model_selections_are_models() -> None:
    """Four model groups with weapons under them are seven models, not eleven."""
    # Given upgrades that carry weapon profiles and numbers of their own
    imported = army_of(
        chosen(
            "Raiders",
            "unit",
            chosen("Champion", "model", lines=body("Champion", SERGEANT)),
            chosen("Raider", "model", number=2, lines=body("Raider")),
            chosen(
                "Raider",
                "model",
                chosen("Knife", "upgrade", lines=gun("Knife", "Melee", "-")),
                lines=body("Raider"),
            ),
            chosen(
                "Raider",
                "model",
                chosen("Axe", "upgrade", number=3, lines=gun("Axe", "Melee", "-")),
                number=3,
                lines=body("Raider"),
            ),
        )
    )
    # Then
    assert kit(imported) == [
        ("champion", ()),
        ("raider", ()),
        ("raider", ()),
        ("raider", ("knife",)),
        ("raider", ("axe",)),
        ("raider", ("axe",)),
        ("raider", ("axe",)),
    ]
    assert [p.name for p in imported.army.units[0].profiles] == ["champion", "raider"]
    assert texts(imported, "inferred") == []


def test_a_squad_without_model_selections_counts_its_weapons() -> None:
    imported = army_of(
        chosen(
            "Squad",
            "unit",
            chosen("Guns", "upgrade", number=10, lines=gun("Gun")),
            lines=body("Trooper"),
        )
    )
    assert kit(imported) == [("trooper", ("gun",))] * 10
    assert texts(imported, "inferred") == ["squad: model count inferred (10)"]


def test_a_character_with_two_of_a_weapon_is_one_model() -> None:
    imported = army_of(
        chosen(
            "Hero",
            "unit",
            chosen("Claws", "upgrade", number=2, lines=gun("Claw", "Melee", "-")),
            lines=body("Hero", SERGEANT),
        )
    )
    # A pair of melee weapons are two weapons in a fight
    assert kit(imported) == [("hero", ("claw", "claw"))]


def test_a_unit_wide_upgrade_arms_every_model_and_k_of_them_the_first_k() -> None:
    imported = army_of(
        chosen(
            "Squad",
            "unit",
            chosen("Sergeant", "model", lines=body("Sergeant", SERGEANT)),
            chosen("Trooper", "model", number=4, lines=body("Trooper")),
            chosen("Kit", "upgrade", chosen("Rifles", "upgrade", lines=gun("Rifle"))),
            chosen("Heavy Gun", "upgrade", number=2, lines=gun("Heavy Gun", "Heavy 3")),
            chosen("Torch", "upgrade", number=2, lines=gun("Torch", "Assault 1", "8")),
        )
    )
    assert kit(imported) == [
        ("sergeant", ("rifle",)),
        ("trooper", ("rifle", "heavy-gun")),
        ("trooper", ("rifle", "heavy-gun")),
        ("trooper", ("rifle", "torch")),
        ("trooper", ("rifle", "torch")),
    ]
    assert texts(imported, "inferred") == [
        "squad / Kit / Rifles: Rifles: taken to be carried by every model",
        "squad / Heavy Gun: Heavy Gun: 2 of 5 models, squad.2, squad.3",
        "squad / Torch: Torch: 2 of 5 models, squad.4, squad.5",
    ]


def test_one_of_a_group_is_one_model() -> None:
    imported = army_of(
        chosen(
            "Squad",
            "unit",
            chosen(
                "Trooper",
                "model",
                chosen("Horn Gun", "upgrade", lines=gun("Horn Gun")),
                number=3,
                lines=body("Trooper"),
            ),
        )
    )
    assert kit(imported) == [("trooper", ("horn-gun",)), ("trooper", ()), ("trooper", ())]


def test_nested_units_stay_one_unit_with_several_profiles() -> None:
    twin = chosen(
        "Guard",
        "model",
        chosen("Glaive", "upgrade", lines=gun("Glaive", "Melee", "-")),
        lines=body("Guard"),
    )
    imported = army_of(
        chosen(
            "Queen",
            "model",
            chosen("Court", "unit", twin, twin),
            chosen("Sceptre", "upgrade", lines=gun("Sceptre")),
            lines=body("Queen", SERGEANT),
        )
    )
    assert kit(imported) == [
        ("queen", ("sceptre",)),
        ("guard", ("glaive",)),
        ("guard", ("glaive",)),
    ]
    assert "split before deployment" in texts(imported, "warning")[0]


def test_same_names_with_different_values_are_numbered() -> None:
    tough = ("Infantry", "3", "4", "3", "4", "1", "3", "1", "7", "4+")
    imported = army_of(
        chosen(
            "Squad",
            "unit",
            chosen("A", "model", lines=body("Trooper") + gun("Gun")),
            chosen("B", "model", lines=body("Trooper", tough) + gun("Gun", "Heavy 2")),
        )
    )
    assert kit(imported) == [("trooper", ("gun",)), ("trooper-2", ("gun-2",))]


def test_vehicles_in_a_unit_are_left_off_and_take_their_points_with_them() -> None:
    imported = army_of(
        chosen(
            "Squad",
            "unit",
            chosen("Trooper", "model", number=5, points="50", lines=body("Trooper")),
            chosen(
                "Cart", "upgrade", chosen("Ram", "upgrade", points="5"), points="35", lines=VEHICLE
            ),
        ),
        chosen("Carts", "unit", chosen("Cart", "model", points="35", lines=VEHICLE)),
        declared="125",
    )
    assert [(unit.id, unit.points) for unit in imported.army.units] == [("squad", 50)]
    assert [(left.name, left.reason, left.points) for left in imported.army.left_off] == [
        ("Cart", "not yet playable: vehicle", 40),
        ("Carts", "not yet playable: vehicle", 35),
    ]
    assert texts(imported, "warning") == []


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("Jump Infantry", "jump infantry"),
        ("Bike", "bike"),
        ("Artillery", "artillery"),
        ("Monstrous Creature", "monstrous creature"),
        ("Shadow Beings", "shadow beings"),
    ],
)
def test_units_of_other_types_are_left_off_by_name(written: str, kind: str) -> None:
    """[PROF-5]"""
    flock = chosen("Flock", "model", lines=body("Flock", (written, *TROOPER[1:])), points="9")
    imported = army_of(flock, chosen("Man", "model", lines=body("Man")), declared="9")
    left = imported.army.left_off[0]
    assert (left.name, left.reason, left.points) == ("Flock", f"not yet playable: {kind}", 9)
    assert [unit.id for unit in imported.army.units] == ["man"]
    assert imported.playable


def test_an_army_of_nothing_playable_may_not_start() -> None:
    imported = army_of(chosen("Cart", "model", lines=VEHICLE))
    assert not imported.playable
    with pytest.raises(RosterError, match="no unit in it can take the field"):
        imported.ready()


@pytest.mark.parametrize(("field", "at"), [("T", 4), ("W", 5)])
@pytest.mark.parametrize("text", ["", "-", "0", "D3"])
def test_a_unit_without_toughness_or_wounds_may_not_start(field: str, at: int, text: str) -> None:
    """[ZERO-1] The unit, the profile and the field are named; nothing becomes 0."""
    line = (*SERGEANT[:at], text, *SERGEANT[at + 1 :])
    imported = army_of(chosen("Sage", "upgrade", lines=body("Old Sage", line)))
    assert not imported.playable
    with pytest.raises(RosterError, match=f"sage: profile Old Sage has no {field}$") as refused:
        imported.ready()
    assert refused.value.where == "test.ros"
    assert imported.army.units[0].profiles[0].leadership == 8


def test_units_without_any_profile_keep_names_and_points_and_give_one_error_each() -> None:
    imported = army_of(
        chosen("Squad", "unit", chosen("Trooper", "model", number=5, points="50")),
        chosen("Hero", "unit", points="75"),
        declared="125",
    )
    assert [(unit.name, unit.points) for unit in imported.army.units] == [
        ("Squad", 50),
        ("Hero", 75),
    ]
    assert imported.army.units[0].profiles[0].toughness is None
    assert len(imported.errors) == 2


def test_what_a_field_says_beyond_its_number_is_kept() -> None:
    line = ("Infantry", "4(5)", "-", "3", "3", "1", "D6", "1", "8/5", "3+/4+")
    imported = army_of(chosen("Odd", "model", lines=body("Odd", line)))
    unit = imported.army.units[0]
    stats = unit.profiles[0]
    assert (stats.ws, stats.bs, stats.initiative, stats.leadership, stats.save) == (
        4, None, None, 8, 3,
    )  # fmt: skip
    assert unit.not_applied == ("WS 4(5)", "I D6", "Ld 8/5", "Save 3+/4+")
    assert texts(imported, "not recognised") == ["odd: I D6"]
    assert texts(imported, "inferred")[0] == "odd: WS 4(5): read as 4"
    assert imported.playable


def test_rules_wargear_and_bare_upgrades_are_kept_by_name() -> None:
    item = profile("Wargear Item", "Lucky Charm", Description="words")
    imported = army_of(
        chosen(
            "Hero",
            "model",
            chosen("Charm", "upgrade", lines=item),
            chosen("On Foot", "upgrade"),
            lines=body("Hero", SERGEANT),
        )
    )
    assert imported.army.units[0].not_applied == ("Character", "Lucky Charm", "On Foot")
    assert texts(imported, "not applied") == ["hero: applied in part: Character, known: CH-1"]
    assert texts(imported, "not recognised") == [
        "hero / Charm: not applied: Lucky Charm, not recognised",
        "hero / On Foot: not applied: On Foot, not recognised",
    ]


def test_a_difference_of_points_is_a_warning() -> None:
    imported = army_of(chosen("Man", "model", lines=body("Man"), points="12.5"), declared="20")
    assert (imported.army.points_declared, imported.army.points_summed) == (20, 12)
    assert texts(imported, "warning") == [
        "man: 12.50 points rounded down",
        "army: 20 points declared, 12.50 in its selections",
        "army: 12.50 points rounded down",
    ]
    assert imported.playable


def test_bases_are_inferred_or_set_by_profile_or_unit() -> None:
    squad = chosen(
        "Squad",
        "unit",
        chosen("Sergeant", "model", lines=body("Sergeant", SERGEANT)),
        chosen("Trooper", "model", lines=body("Trooper")),
    )
    plain = army_of(squad)
    assert {model.radius for model in plain.army.units[0].models} == {125}
    assert plain.army.inferred == ("squad: 25 mm bases (a roster names none)",)
    by_profile = army_of(squad, bases={"sergeant": 40, "squad": 32})
    assert [model.radius for model in by_profile.army.units[0].models] == [200, 160]
    assert by_profile.army.inferred == ()
    with pytest.raises(RosterError, match=r"bases\.squad: 0 mm"):
        army_of(squad, bases={"squad": 0})


def test_impossible_numbers_are_refused() -> None:
    horde = chosen("Horde", "model", number=MAX_MODELS + 1, lines=body("Man"))
    with pytest.raises(RosterError, match=r"test\.ros horde: .* more than 2,000 models"):
        army_of(horde)
    crowd = chosen("Man", "model", lines=body("Man"))
    with pytest.raises(RosterError, match=r"test\.ros Man: .* more than 300 units"):
        army_of(*[crowd] * (MAX_UNITS + 1))
    arsenal = "".join(gun("Gun", f"Heavy {n % 99 + 1}", str(n)) for n in range(1, 300))
    with pytest.raises(RosterError, match="more than 200 different weapons"):
        army_of(chosen("Man", "model", lines=body("Man") + arsenal))


def test_ids_are_unique_slugs_in_roster_order() -> None:
    man = body("Man")
    imported = army_of(
        chosen("Boys", "model", lines=man),
        chosen("Boys 2", "model", lines=man),
        chosen("Boys (Big)", "model", lines=man),
        chosen("\u00c9l\u00e8ve d'Or", "model", lines=man),
        chosen("\u65c5\u56e3", "model", lines=man),
    )
    assert [unit.id for unit in imported.army.units] == [
        "boys",
        "boys-2",
        "boys-3",
        "eleve-dor",
        "unit",
    ]
    assert imported.army.units[3].name == "\u00c9l\u00e8ve d'Or"


def test_shared_ids_are_told_apart_by_side() -> None:
    man = body("Man")
    torch = chosen("Torch", "upgrade", lines=gun("Torch"))
    red = army_of(
        chosen("Boys", "model", torch, lines=man, number=2), chosen("Red-Boys", "model", lines=man)
    ).army
    blue = army_of(
        chosen("Boys", "model", lines=man), chosen("Girls", "model", lines=man), side="blue"
    ).army
    new_red, new_blue = distinct(red, blue)
    assert [unit.id for unit in new_red.units] == ["red-boys-2", "red-boys"]
    assert [unit.id for unit in new_blue.units] == ["blue-boys", "girls"]
    assert new_red.units[0].models == (
        ModelSetup("red-boys-2.1", "man", ("torch",)),
        ModelSetup("red-boys-2.2", "man"),
    )
    assert new_red.inferred[0].endswith("1 of 2 models, red-boys-2.1")
    assert distinct(new_red, new_blue) == (new_red, new_blue)
