"""Rosters written for the builders: the schema's order, and what the format can't hold."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from engine.armies import bundled, read_army_bytes, to_battlescribe
from events.errors import RosterError
from events.values import Army, LeftOff, ModelSetup, Profile, UnitSetup, Weapon

ELEMENTS = {
    "roster": ("costs", "costLimits", "forces"),
    "force": ("rules", "profiles", "selections", "publications", "categories", "forces"),
    "selection": ("rules", "profiles", "selections", "costs", "categories"),
    "profile": ("characteristics",),
    "rule": ("description",),
}
"""Child elements in the order of the schema's sequences, dialect 2.03."""
ATTRIBUTES = {
    "roster": {"id", "name", "battleScribeVersion", "gameSystemId"},
    "force": {"id", "name", "entryId", "catalogueId"},
    "selection": {"id", "name", "entryId", "number", "type"},
    "profile": {"id", "name", "typeId"},
    "characteristic": {"name", "typeId"},
    "rule": {"id", "name"},
    "category": {"id", "name", "entryId"},
    "cost": {"name", "typeId", "value"},
}
"""Attributes that the schema requires."""

MAN = Profile("man", 3, 3, 3, 3, 1, 3, 1, 7, save=5)
GUN = Weapon("gun", 24000, 3, None, "rapid_fire")


def army(*carried: str, weapons: tuple[Weapon, ...] = (GUN,), radius: int = 125) -> Army:
    """An army of one model."""
    model = ModelSetup("pair.1", "man", carried, radius)
    unit = UnitSetup("pair", "Pair", "red", "infantry", (model,), (MAN,), weapons, 10)
    return Army("Two", (unit,), 10, 10)


def roster(written: bytes) -> ElementTree.Element:
    """The root element in an archive."""
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        (name,) = archive.namelist()
        assert name.endswith(".ros") and "/" not in name
        return ElementTree.fromstring(archive.read(name))


def tag(element: ElementTree.Element) -> str:
    namespace, _, name = element.tag.rpartition("}")
    assert namespace == "{http://www.battlescribe.net/schema/rosterSchema"
    return name


@pytest.mark.parametrize("name", ["emberguard", "ratskar"])
def test_elements_and_attributes_are_the_schemas(name: str) -> None:
    written = to_battlescribe(read_army_bytes(bundled(name), f"{name}.ros", "red").army)
    ids: list[str] = []
    for element in roster(written).iter():
        assert ATTRIBUTES.get(tag(element), set()) <= set(element.attrib)
        if order := ELEMENTS.get(tag(element)):
            children = [order.index(tag(child)) for child in element]
            assert children == sorted(set(children))
        if "number" in element.attrib:
            assert int(element.attrib["number"]) > 0
            assert element.attrib["type"] in ("unit", "model", "upgrade")
        if "id" in element.attrib:
            ids.append(element.attrib["id"])
    assert len(set(ids)) == len(ids)


def test_the_same_army_gives_the_same_bytes() -> None:
    assert to_battlescribe(army("gun")) == to_battlescribe(army("gun"))


def test_costs_sum_to_the_points_declared() -> None:
    left = (LeftOff("Curfew", "not applied: a rule for the whole army"), LeftOff("Cart", "", 30))
    written = to_battlescribe(replace(army("gun"), points_declared=40, left_off=left))
    root = roster(written)
    costs = [float(cost.attrib["value"]) for cost in root.iter() if tag(cost) == "cost"]
    assert costs[0] == sum(costs[1:]) == 40
    again = read_army_bytes(written, "two.rosz", "red")
    assert again.report.of("warning") == ()
    assert [(left.name, left.points) for left in again.army.left_off] == [
        ("Curfew", 0),
        ("Cart", 30),
    ]


def test_bases_and_a_pair_of_melee_weapons_survive() -> None:
    sabre = Weapon("sabre", 0, 0, None, "melee", strength_from="user+")
    pair = army("sabre", "sabre", weapons=(sabre,), radius=200)
    assert read_army_bytes(to_battlescribe(pair), "two.rosz", "red").army.units == pair.units


def test_what_an_import_kept_in_words_goes_back_where_it_stood() -> None:
    torch = Weapon("torch", 0, 4, 5, "other", rules=("Range Hellstorm", "Assault 1", "Soul Blaze"))
    (line,) = [
        {cell.attrib["name"]: cell.text for cell in profile.iter() if tag(cell) == "characteristic"}
        for profile in roster(to_battlescribe(army("torch", weapons=(torch,)))).iter()
        if tag(profile) == "profile" and profile.attrib["typeName"] == "Weapon"
    ]
    assert line == {
        "Range": "Hellstorm",
        "Strength": "4",
        "AP": "5",
        "Type": "Assault 1, Soul Blaze",
    }


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (army("gun", weapons=(replace(GUN, rules=("Odd, Odder",)),)), "no comma or semicolon"),
        (army("gun", weapons=(replace(GUN, rules=("Heavy",)),)), "nor be a class"),
        (army("gun", "gun"), "carried 2 times; a roster has"),
    ],
)
def test_what_the_format_has_no_place_for_is_refused(bad: Army, told: str) -> None:
    with pytest.raises(RosterError, match=told) as refused:
        to_battlescribe(bad)
    assert refused.value.where == "pair gun"
