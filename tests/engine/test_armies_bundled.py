"""The armies that come with the package."""

from __future__ import annotations

import pytest

from engine.armies import BUNDLED, bundled, distinct, read_army_bytes
from events.errors import RosterError

SIZES = {"emberguard": 750, "ratskar": 750, "vigilants": 1500, "thornkin": 1500}


@pytest.mark.parametrize("name", BUNDLED)
def test_the_bundled_armies_are_ready_to_play(name: str) -> None:
    imported = read_army_bytes(bundled(name), f"{name}.ros", "red")
    army = imported.ready()
    assert army.points_declared == army.points_summed == SIZES[name]
    assert 45 <= sum(len(unit.models) for unit in army.units) <= 130
    assert army.left_off == ()
    assert imported.report.of("warning") == ()
    assert {weapon.type for unit in army.units for weapon in unit.weapons} <= {
        "rapid_fire", "heavy", "assault", "pistol", "melee",
    }  # fmt: skip
    assert any(p.invulnerable and (p.wounds or 0) > 1 for u in army.units for p in u.profiles)


@pytest.mark.parametrize("name", ["vigilants", "thornkin"])
def test_the_large_armies_use_everything_that_is_played(name: str) -> None:
    imported = read_army_bytes(bundled(name), f"{name}.ros", "red")
    assert imported.report.of("not recognised") == ()
    army = imported.army
    weapons = [weapon for unit in army.units for weapon in unit.weapons]
    assert {weapon.type for weapon in weapons} == {
        "rapid_fire", "heavy", "assault", "pistol", "melee",
    }  # fmt: skip
    assert {weapon.strength_from for weapon in weapons} == {"fixed", "user+", "user*"}
    assert any(weapon.type == "melee" and (weapon.ap or 9) <= 3 for weapon in weapons)
    assert len({model.radius for unit in army.units for model in unit.models}) > 1
    assert any(len(unit.models) == 1 for unit in army.units)
    assert any(len({model.profile for model in unit.models}) > 1 for unit in army.units)


def test_an_army_that_is_not_bundled_is_refused() -> None:
    with pytest.raises(RosterError, match="emberguard, ratskar"):
        bundled("nobody")


def test_two_of_one_bundled_army_share_no_id() -> None:
    red = read_army_bytes(bundled("ratskar"), "ratskar.ros", "red").ready()
    blue = read_army_bytes(bundled("ratskar"), "ratskar.ros", "blue").ready()
    red, blue = distinct(red, blue)
    ids = [model.id for army in (red, blue) for unit in army.units for model in unit.models]
    assert len(set(ids)) == len(ids)
