"""Armies written and read again: nothing is lost on the way."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.armies import (
    BUNDLED,
    Imported,
    army_from_yaml,
    army_to_yaml,
    bundled,
    read_army,
    read_army_bytes,
    to_battlescribe,
)
from engine.armies.fields import UNLIMITED
from engine.armies.names import clean
from events.values import (
    Army,
    ArmySource,
    LeftOff,
    ModelSetup,
    Profile,
    UnitSetup,
    Weapon,
    WeaponType,
)

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures/rosters"
REAL = Path(__file__).resolve().parents[2] / "../shared/data/rosters"
ROSTERS = [*sorted(FIXTURES.iterdir()), *(sorted(REAL.rglob("*.ros*")) if REAL.is_dir() else [])]

WORDS = ("ash", "warden", "crow", "lantern", "guard", "old", "2nd", "iron")
SLUGS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("-".join)
NAMES = st.text(min_size=1, max_size=20).map(clean).filter(bool) | st.sampled_from(
    ["Night Watch", "- no", "yes", "~", "3", "Éclair: the # 'second'", '"quoted"', "{a: b}", "*x"]
)
RULE_NAMES = st.sampled_from(
    ["Stubborn", "Feel No Pain (5+)", "Rust Curse", "null", "Gets Hot", "It's: odd", "# one"]
)
STATS = st.none() | st.integers(0, 12)
SAVES = st.none() | st.integers(2, 6)


@st.composite
def weapons(draw: st.DrawFn, name: str) -> Weapon:
    """A weapon as an import gives it."""
    kind = draw(st.sampled_from(get_args(WeaponType)))
    lengths = st.integers(1, 120).map(lambda n: n * 1000) | st.integers(1, 60_000)
    reach = 0 if kind == "melee" else draw(lengths | st.just(UNLIMITED))
    counted = kind in ("assault", "heavy", "ordnance", "primary", "bomb", "salvo")
    fires = kind not in ("melee", "other")
    template = fires and draw(st.booleans())
    least = draw(st.integers(1, 20)) * 1000 if fires and reach < UNLIMITED and not template else 0
    counted_from = draw(st.sampled_from(["fixed", "user+", "user*"]))
    low = {"fixed": 1, "user+": 0, "user*": 1}[counted_from]
    rules = tuple(draw(st.lists(RULE_NAMES, unique=True, max_size=3)))
    return Weapon(
        name,
        8000 if template else reach,
        draw(st.integers(low, 9)),
        draw(st.none() | st.integers(1, 6)),
        kind,
        draw(st.integers(1, 12)) if counted else 1,
        counted_from,
        rules,
        shots_moved=draw(st.integers(1, 6)) if kind == "salvo" else 0,
        blast=draw(st.sampled_from([0, 3000, 5000, 6000, 10000])) if fires else 0,
        template=template,
        grenade=fires and draw(st.booleans()),
        least=least,
        shots_die=draw(st.sampled_from([0, 0, 3, 6])) if kind in ("assault", "heavy") else 0,
    )


@st.composite
def units(draw: st.DrawFn, unit: str) -> UnitSetup:
    """A unit as an import gives it: profiles and weapons in the order its models use them."""
    profiles: dict[str, Profile] = {}
    arsenal: dict[str, Weapon] = {}
    models: list[ModelSetup] = []
    groups = draw(st.integers(1, 4))
    for group in range(groups):
        name = draw(SLUGS)
        if name not in profiles:
            stats = [draw(STATS) for _ in range(8)]
            profiles[name] = Profile(name, *stats, draw(SAVES), draw(SAVES))
        carried = []
        for weapon in draw(st.lists(SLUGS, max_size=3, unique=True)):
            if weapon not in arsenal:
                arsenal[weapon] = draw(weapons(weapon))
            pair = arsenal[weapon].type == "melee" and draw(st.booleans())
            carried += [weapon] * (2 if pair else 1)
        radius = draw(st.sampled_from([125, 160, 200, 126]))
        rules = draw(st.sampled_from([(), ("Character",), ("Old Horn",)]))
        for _ in range(draw(st.integers(1, 5))):
            own = rules if group else ()
            model = ModelSetup(f"{unit}.{len(models) + 1}", name, tuple(carried), radius, own)
            models.append(model)
    return UnitSetup(
        id=unit,
        name=draw(NAMES),
        side="red",
        type="infantry",
        models=tuple(models),
        profiles=tuple(profiles.values()),
        weapons=tuple(arsenal.values()),
        points=draw(st.integers(0, 500)),
        not_applied=tuple(draw(st.lists(RULE_NAMES, unique=True, max_size=3))),
    )


@st.composite
def armies(draw: st.DrawFn) -> Army:
    """An army of up to four units."""
    roll = tuple(draw(units(unit)) for unit in draw(st.lists(SLUGS, unique=True, max_size=4)))
    left_off = draw(
        st.lists(st.builds(LeftOff, NAMES, st.just("not yet playable: bike"), st.integers(0, 99)))
    )
    added = sum(unit.points for unit in roll) + sum(left.points for left in left_off)
    return Army(
        name=draw(NAMES),
        units=roll,
        points_declared=draw(st.just(added) | st.integers(0, 2000)),
        points_summed=draw(st.just(added) | st.just(added + 1)),
        left_off=tuple(left_off),
        inferred=tuple(draw(st.lists(NAMES, max_size=3))),
        source=draw(st.builds(ArmySource, NAMES, st.just("ab12"), NAMES, NAMES, NAMES)),
    )


@settings(max_examples=60, deadline=None)
@given(armies())
def test_an_army_written_by_hand_is_the_same_army(army: Army) -> None:
    assert army_from_yaml(army_to_yaml(army), "again.yaml", "red").army == army


def check_roster(army: Army) -> None:
    again = read_army_bytes(to_battlescribe(army), "again.rosz", army.units[0].side).army
    assert again.units == army.units
    assert again.points_declared == army.points_declared
    assert [left.points for left in again.left_off if left.points] == [
        left.points for left in army.left_off if left.points
    ]
    assert again.source.dialect == "2.03"


@settings(max_examples=60, deadline=None)
@given(armies().filter(lambda army: army.units))
def test_an_army_written_as_a_roster_is_the_same_army(army: Army) -> None:
    check_roster(army)


def check_yaml(imported: Imported) -> None:
    again = army_from_yaml(army_to_yaml(imported.army), "again.yaml", "red")
    assert again.army == imported.army
    assert again.playable == imported.playable
    assert len(again.report.of("inferred")) >= len(imported.army.inferred)


@pytest.mark.parametrize("path", ROSTERS, ids=lambda path: path.name)
def test_every_roster_survives_the_army_file(path: Path) -> None:
    check_yaml(read_army(path, "red", {"night-watch": 32}))


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_armies_survive_the_army_file(name: str) -> None:
    check_yaml(read_army_bytes(bundled(name), f"{name}.ros", "red"))


@pytest.mark.parametrize("path", ROSTERS, ids=lambda path: path.name)
def test_every_roster_survives_being_written_as_a_roster(path: Path) -> None:
    check_roster(read_army(path, "blue", {"night-watch": 32}).army)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_armies_survive_being_written_as_a_roster(name: str) -> None:
    check_roster(read_army_bytes(bundled(name), f"{name}.ros", "red").army)
