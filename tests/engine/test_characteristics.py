"""General principles of numbers. [CMOD, ZERO, DIV, DMOD, CTST, MPRF, AUTO]"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.characteristics import (
    Characteristic,
    Modifier,
    a_quarter,
    d3,
    deadly,
    divided,
    highest,
    modified,
    passes_test,
    rolls_test,
)
from engine.rules.to_wound import weapon_strength
from events.values import Profile, Weapon

ADD_1, TIMES_2 = Modifier("add", 1), Modifier("times", 2)
MODIFIERS = st.builds(
    Modifier, st.sampled_from(["times", "over", "add", "set"]), st.integers(1, 12)
)


def test_multiplication_comes_before_addition() -> None:
    """[V-1, CMOD-1, CMOD-3] 4 with +1 and x2 is 9, whichever is named first; 6 with x2 is 10."""
    assert modified("strength", 4, [ADD_1, TIMES_2]) == 9
    assert modified("strength", 4, [TIMES_2, ADD_1]) == 9
    assert modified("strength", 6, [TIMES_2]) == 10


@pytest.mark.parametrize(
    ("name", "value", "modifiers", "result"),
    [
        ("initiative", 3, [Modifier("add", -4)], 1),
        ("strength", 3, [Modifier("add", -4)], 0),
        ("attacks", 5, [TIMES_2, ADD_1], 11),
        ("ws", 8, [Modifier("add", 4)], 10),
    ],
)
def test_floors_and_ceilings(
    name: Characteristic, value: int, modifiers: Sequence[Modifier], result: int
) -> None:
    """[V-59, CMOD-3, ISTP-1, PROF-2]"""
    assert modified(name, value, modifiers) == result


def test_a_model_without_strength_toughness_or_wounds_is_removed() -> None:
    """[V-59, ZERO-3]"""
    assert deadly("strength", modified("strength", 3, [Modifier("add", -4)]))
    assert deadly("toughness", 0) and deadly("wounds", 0)
    assert not deadly("initiative", 0) and not deadly("strength", 1)


def test_a_set_value_comes_last_and_the_latest_holds() -> None:
    """[CMOD-1, AMB-1] But for difficult terrain, which holds before all. [CMOD-5]"""
    sets = [Modifier("set", 5), ADD_1, Modifier("set", 2)]
    assert modified("ws", 9, sets) == 2
    assert modified("initiative", 9, sets, pinned=1) == 1


def test_fractions_are_rounded_up_once() -> None:
    """[CMOD-2, DIV-1, DIV-2] A third of 7 and a half of that: 7/6, not half of 3."""
    assert modified("ws", 7, [Modifier("over", 2)]) == 4
    assert modified("ws", 7, [Modifier("over", 3), Modifier("over", 2)]) == 2
    assert modified("ws", 5, [Modifier("over", 2), Modifier("times", 2)]) == 5
    assert divided(7, 2) == 4


@given(st.integers(0, 10), st.lists(MODIFIERS, max_size=5), st.randoms())
def test_the_order_of_naming_matters_only_to_set_values(
    value: int, modifiers: list[Modifier], random: object
) -> None:
    """[CMOD-1, CMOD-4]"""
    plain = [modifier for modifier in modifiers if modifier.how != "set"]
    assert modified("ws", value, plain) == modified("ws", value, plain[::-1])
    assert 0 <= modified("ws", value, modifiers) <= 10
    assert modified("initiative", value, modifiers) >= 1


@pytest.mark.parametrize(
    ("fist", "user", "strength"),
    [
        (Weapon("fist", 0, 2, 2, "melee", strength_from="user*"), 4, 8),
        (Weapon("fist", 0, 2, 2, "melee", strength_from="user*"), 6, 10),
        (Weapon("maul", 0, 2, 4, "melee", strength_from="user+"), 9, 10),
        (Weapon("blade", 0, 0, 4, "melee", strength_from="user+"), 3, 3),
        (Weapon("gun", 24000, 7, 4, "heavy"), 3, 7),
    ],
)
def test_the_strength_of_a_weapon(fist: Weapon, user: int, strength: int) -> None:
    """[WPRF-2, CMOD-1, CMOD-3]"""
    assert weapon_strength(fist, Profile("man", 4, 4, user, 4, 1, 4, 1, 8)) == strength


def test_dividing_and_percentages() -> None:
    """[V-2, DMOD-1, DIV-1, DIV-3, WHEN-1]"""
    assert d3(5) == 3
    assert divided(7, 2) == 4
    assert (a_quarter(2, 9), a_quarter(3, 9)) == (False, True)


@given(st.integers(0, 50), st.integers(1, 50))
def test_a_quarter_agrees_with_the_threshold_rounded_up(part: int, whole: int) -> None:
    """[DIV-3]"""
    assert a_quarter(part, whole) == (part >= divided(whole, 4))


@pytest.mark.parametrize(
    ("value", "face", "passed"), [(5, 4, True), (10, 6, False), (1, 1, True), (5, 5, True)]
)
def test_characteristic_tests(value: int, face: int, passed: bool) -> None:
    """[V-4, CTST-1, CTST-2]"""
    assert rolls_test(value)
    assert passes_test(value, face) == passed


def test_a_test_on_nothing_fails_without_a_die() -> None:
    """[V-4, CTST-4, ZERO-4, AUTO-1]"""
    assert not rolls_test(highest([None]))
    assert not any(passes_test(0, face) for face in range(1, 7))


def test_the_highest_of_several_values_is_tested() -> None:
    """[CTST-3, MPRF-1, LDT-2] Of a unit's models, and of a model with more than one."""
    assert highest([3, 5, None]) == 5
