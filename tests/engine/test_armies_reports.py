"""Faults that players reported of other tools, each with the right value, for its whole kind.

Each test names the public report it comes from.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.armies import BUNDLED, Imported, bundled, read_army_bytes
from engine.armies.catalogues import open_catalogue
from engine.armies.opening import open_roster
from engine.armies.report import Notes
from engine.armies.rosters import Line
from engine.armies.weapons import read_weapons
from engine.characteristics import Modifier, modified
from engine.geometry.distance import Disc, gap, within
from engine.rules.saves import best_save
from engine.rules.to_wound import wound_needed
from events.errors import RosterError
from events.values import Profile, Weapon

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures/rosters"
DATA = Path(__file__).resolve().parents[2] / "../shared/data"
NEEDS_DATA = pytest.mark.skipif(not DATA.is_dir(), reason=f"no sample files at {DATA}")


def line(kind: str, name: str, **cells: str) -> str:
    """A profile element."""
    inside = "".join(
        f'<characteristic name="{title}">{text}</characteristic>' for title, text in cells.items()
    )
    return (
        f'<profile name="{name}" typeName="{kind}"><characteristics>{inside}'
        "</characteristics></profile>"
    )


def chosen(kind: str, name: str, number: int, *inside: str, lines: str = "") -> str:
    """A selection."""
    return (
        f'<selection name="{name}" type="{kind}" number="{number}"><profiles>{lines}</profiles>'
        f"<selections>{''.join(inside)}</selections></selection>"
    )


def imported(*selections: str) -> Imported:
    """The import of these selections."""
    text = f"<selections>{''.join(selections)}</selections>"
    text = f'<roster battleScribeVersion="2.03"><forces><force>{text}</force></forces></roster>'
    return read_army_bytes(text.encode(), "r.ros", "red")


BODY = {"WS": "4", "S": "4", "T": "4", "W": "1", "I": "4", "A": "1", "Ld": "8"}
BLADE = {"Range": "-", "Strength": "User", "AP": "-", "Type": "Melee"}
MARINE = line("Unit", "Marine", **BODY)


def test_roster_parser_60_upgrades_are_never_models() -> None:
    """pwestling/battlescribe-roster-parser #60: 7 models, not 11."""
    knife = chosen("upgrade", "2nd knife", 1, lines=line("Weapon", "Knife", **BLADE))
    axe = chosen("upgrade", "Axe", 3, lines=line("Weapon", "Axe", **BLADE))
    army = imported(
        chosen(
            "unit",
            "Marines",
            1,
            chosen("model", "Champion", 1, lines=line("Unit", "Champion", **BODY)),
            chosen("model", "Marine (flail)", 2, lines=MARINE),
            chosen("model", "Marine", 1, knife, lines=MARINE),
            chosen("model", "Marine", 3, axe, lines=MARINE),
        )
    ).army
    assert len(army.units[0].models) == 7


@given(
    st.lists(
        st.tuples(st.integers(1, 12), st.lists(st.integers(1, 30), max_size=3)),
        min_size=1,
        max_size=4,
    )
)
def test_roster_parser_60_whatever_upgrades_there_are(groups: list[tuple[int, list[int]]]) -> None:
    """The kind: model selections alone are counted, however many of an upgrade are chosen."""
    models = [
        chosen(
            "model",
            f"Man {n}",
            count,
            *[
                chosen("upgrade", f"Thing {u}", number, lines=line("Weapon", f"T{u}", **BLADE))
                for u, number in enumerate(upgrades)
            ],
            lines=MARINE,
        )
        for n, (count, upgrades) in enumerate(groups)
    ]
    (unit,) = imported(chosen("unit", "Squad", 1, *models)).army.units
    assert len(unit.models) == sum(count for count, _ in groups)


@NEEDS_DATA
def test_wh40k_2957_rosters_of_the_first_dialect_open() -> None:
    """BSData/wh40k-7th-edition #2957: a 1.15 roster of 1,845 points, whole."""
    read = read_army_bytes(open_roster(DATA / "rosters/Necron 1845.rosz"), "n.rosz", "red")
    army = read.army
    assert army.points_declared == army.points_summed == 1845
    points = [unit.points for unit in army.units]
    assert points == [385, 400, 170, 170, 260, 260]
    assert [left.points for left in army.left_off if left.points] == [200]
    counted = [e for e in read.report.of("inferred") if "model count inferred" in e.text]
    assert len(counted) == 2


def test_wh40k_2957_the_first_dialect_is_as_good_as_the_last() -> None:
    """The kind: one army in 1.15 and in 2.03 is one army, to the last value."""
    old, new = (
        read_army_bytes(open_roster(FIXTURES / f"night-shift-{v}.ros"), "n.ros", "red").army
        for v in ("1_15", "2_03")
    )
    assert (old.units, old.left_off) == (new.units, new.left_off)
    assert old.points_declared == old.points_summed == new.points_summed


def without_profiles(data: bytes) -> bytes:
    """A roster with all profiles gone."""
    return re.sub(rb"<profiles>.*?</profiles>", b"", data, flags=re.DOTALL)


@pytest.mark.parametrize("name", [*BUNDLED, "night-shift"])
def test_wh40k_3282_a_roster_without_stat_lines_names_each_unit(name: str) -> None:
    """BSData/wh40k-7th-edition #3282, #2896, #3506: one error a unit, no unit of zeros."""
    data = bundled(name) if name in BUNDLED else (FIXTURES / f"{name}-2_03.ros").read_bytes()
    whole = read_army_bytes(data, "w.ros", "red").army
    read = read_army_bytes(without_profiles(data), "w.ros", "red")
    assert [entry.path for entry in read.errors] == [unit.id for unit in read.army.units]
    assert {entry.text for entry in read.errors} == {
        "no stat line for any of its models (no T, no W)"
    }
    with pytest.raises(RosterError):
        read.ready()
    # Names and points are still there
    assert {unit.name for unit in whole.units} <= {unit.name for unit in read.army.units}
    assert read.army.points_declared == read.army.points_summed == whole.points_summed
    for unit in read.army.units:
        for profile in unit.profiles:
            assert profile == Profile(profile.name, *[None] * 8)


def weapon(name: str, **cells: str) -> Weapon:
    """The weapon of one line."""
    (read,) = read_weapons(Line(name, "Weapon", tuple(cells.items())), "unit", Notes())
    return read


@pytest.mark.parametrize(
    ("name", "kind", "rules"),
    [
        ("Twin-linked Heavy Bolter", "Heavy 3", ("Twin-linked",)),
        ("Heavy Bolter (twin linked)", "Heavy 3", ("Twin-linked",)),
        ("TWIN-LINKED Bolter", "Rapid Fire", ("Twin-linked",)),
        ("Twin-linked Bolter", "Rapid Fire, Twin Linked", ("Twin-linked",)),
        ("Heavy Bolter", "Heavy 3, Twin-linked", ("Twin-linked",)),
        ("Heavy Bolter", "Heavy 3", ()),
        ("Twin Barrel", "Heavy 3", ()),
    ],
)
def test_wh40k_3205_twin_linked_by_its_name_alone(
    name: str, kind: str, rules: tuple[str, ...]
) -> None:
    """BSData/wh40k-7th-edition #3205, #1859: the name says it, the Type field needn't."""
    read = weapon(name, Range='36"', Strength="5", AP="4", Type=kind)
    assert read.rules == rules
    assert read.shots == (3 if "Heavy 3" in kind else 1)


@pytest.mark.parametrize(
    ("selection", "rules"),
    [("Twin-Linked Heavy Bolter", ""), ("Heavy Bolter", '<rule name="Twin-Linked"/>')],
)
def test_wh40k_3205_twin_linked_by_the_selection_it_stands_in(selection: str, rules: str) -> None:
    """The kind: the profile alone knows nothing of it."""
    bolter = line("Weapon", "Heavy Bolter", Range='36"', Strength="5", AP="4", Type="Heavy 3")
    gun = chosen("upgrade", selection, 1, lines=bolter).replace(
        "<profiles>", f"<rules>{rules}</rules><profiles>"
    )
    (unit,) = imported(chosen("model", "Man", 1, gun, lines=MARINE)).army.units
    assert unit.weapons == (
        Weapon("heavy-bolter", 36000, 5, 4, "heavy", 3, rules=("Twin-linked",)),
    )
    assert unit.not_applied == ()


@NEEDS_DATA
def test_wh40k_3205_in_the_players_own_data() -> None:
    catalogue = open_catalogue(DATA / "catalogues/Adeptus Custodes Dataslate.cat")
    raider = catalogue.option("Venerable Land Raider")
    bolter = next(o for o in raider.walk() if o.name == "Twin-Linked Heavy Bolter")
    assert bolter.rules == ("Twin-Linked",)
    (read,) = read_weapons(bolter.lines[0], "raider", Notes())
    assert (read.range, read.strength, read.ap, read.type, read.shots) == (36000, 5, 4, "heavy", 3)


CAPPED = ("ws", "bs", "strength", "toughness", "wounds", "initiative", "leadership")


def test_wh40k_2305_leadership_never_shows_11() -> None:
    """BSData/wh40k-7th-edition #2305: Ld 10 and +1 Ld is 10. [CMOD-3]"""
    assert modified("leadership", 10, [Modifier("add", 1)]) == 10


@given(
    st.sampled_from(CAPPED),
    st.integers(1, 10),
    st.lists(st.tuples(st.sampled_from(["add", "times"]), st.integers(1, 5)), max_size=4),
)
def test_wh40k_2305_no_bonus_lifts_a_characteristic_over_10(
    name: str, value: int, bonuses: list[tuple[str, int]]
) -> None:
    """The kind: any characteristic but Attacks, any number of bonuses. [CMOD-3]"""
    result = modified(name, value, [Modifier(how, by) for how, by in bonuses])  # type: ignore[arg-type]
    assert value <= result <= 10


STUBBER = {"Range": '36"', "Strength": "4", "AP": "6", "Type": "Heavy 3"}


def test_wh40k_3463_ap_6_leaves_no_6_plus_save() -> None:
    """BSData/wh40k-7th-edition #3463 against #781: 6 Wounds are 6 dead, with AP "-" 5. [APEN-1]"""
    gang = Profile("ganger", 3, 3, 3, 3, 1, 3, 1, 7, save=6)
    dead = {}
    for ap in ("6", "-"):
        read = weapon("Heavy Stubber", **(STUBBER | {"AP": ap}))
        assert (read.range, read.strength, read.shots) == (36000, 4, 3)
        kind, need = best_save(gang, read.ap)
        saved = Fraction(7 - need, 6) if kind else Fraction(0)
        dead[ap] = 6 * (1 - saved)
    assert dead == {"6": 6, "-": 5}
    assert wound_needed(4, 3) == 3


@pytest.mark.parametrize(("ap", "save"), list(product(["-", "", *"123456"], range(2, 7))))
def test_wh40k_3463_every_ap_against_every_save(ap: str, save: int) -> None:
    """The kind: AP as low as the save or lower leaves none; no AP leaves all. [APEN-1]"""
    read = weapon("Gun", **(STUBBER | {"AP": ap}))
    kind, _ = best_save(Profile("man", 3, 3, 3, 3, 1, 3, 1, 7, save=save), read.ap)
    assert (kind is None) == (ap in "123456" and ap != "" and int(ap) <= save)


def test_betteroll_794_ranges_run_from_edge_to_edge() -> None:
    """ddbrown30/betteroll-swade #794: 25 mm bases with centres 2" apart are 1.016" apart."""
    assert gap(Disc(0, 0, 125), Disc(2000, 0, 125)) == 1016
    assert gap(Disc(0, 0, 200), Disc(3000, 0, 300)) == 1032  # 1.0315" rounded up, as all gaps are
    assert gap(Disc(0, 0, 127), Disc(1000, 0, 127)) == 0


@given(
    st.tuples(st.integers(0, 72000), st.integers(0, 48000)),
    st.tuples(st.integers(0, 72000), st.integers(0, 48000)),
    st.integers(50, 600),
    st.integers(50, 600),
)
def test_betteroll_794_for_bases_of_every_size(
    a: tuple[int, int], b: tuple[int, int], r1: int, r2: int
) -> None:
    """The kind: never negative, and less than from the centres by both radii. [MEAS-1, MEAS-2]"""
    one, two = Disc(*a, r1), Disc(*b, r2)
    apart = gap(one, two)
    assert apart == gap(two, one) >= 0
    assert within(one, two, apart)
    if apart:
        assert not within(one, two, apart - 1)
    # d = edge gap + both radii in mils, to the rounding: compared squared, in 127ths of a mil
    reach = 127 * apart + 500 * (r1 + r2)
    square = 16129 * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
    assert square <= reach**2 and (not apart or square > (reach - 127) ** 2)
