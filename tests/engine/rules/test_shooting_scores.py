"""Scores needed to hit and to wound. [THIT, BSIX, MHIT, TWND, WPRF, MTGH]"""

from __future__ import annotations

import pytest

from engine.rules.to_hit import melee_needed, shooting_needed
from engine.rules.to_wound import majority, weapon_strength, wound_needed
from events.values import Profile, Weapon

RIFLE = Weapon("rifle", 24000, 4, 5, "rapid_fire")
DAGGER = Weapon("dagger", 8000, 1, None, "assault", 1, "user+")


@pytest.mark.parametrize(
    ("bs", "needed"),
    [(1, (6, None)), (2, (5, None)), (3, (4, None)), (4, (3, None)), (5, (2, None)),
     (6, (2, 6)), (7, (2, 5)), (8, (2, 4)), (9, (2, 3)), (10, (2, 2))],
)  # fmt: skip
def test_ballistic_skill_sets_the_score(bs: int, needed: tuple[int, int | None]) -> None:
    """[THIT-1, BSIX-1]"""
    assert shooting_needed(bs) == needed


@pytest.mark.parametrize(
    ("ws", "target", "needed"),
    [(4, 3, 3), (4, 4, 4), (4, 8, 4), (4, 9, 5), (2, 5, 5), (5, 0, 0), (5, None, 0)],
)
def test_weapon_skills_set_the_score_of_a_blow(ws: int, target: int | None, needed: int) -> None:
    """[MHIT-1, MHIT-3, ZERO-2]"""
    assert melee_needed(ws, target) == needed


TABLE = """
4 5 6 6 N N N N N N
3 4 5 6 6 N N N N N
2 3 4 5 6 6 N N N N
2 2 3 4 5 6 6 N N N
2 2 2 3 4 5 6 6 N N
2 2 2 2 3 4 5 6 6 N
2 2 2 2 2 3 4 5 6 6
2 2 2 2 2 2 3 4 5 6
2 2 2 2 2 2 2 3 4 5
2 2 2 2 2 2 2 2 3 4
"""


def test_the_whole_to_wound_table() -> None:
    """[TWND-1, TWND-2]"""
    rows = [line.split() for line in TABLE.split("\n") if line]
    for strength, row in enumerate(rows, 1):
        for toughness, printed in enumerate(row, 1):
            wanted = None if printed == "N" else int(printed)
            assert wound_needed(strength, toughness) == wanted


def test_strength_zero_wounds_nobody() -> None:
    """[ZERO-1]"""
    assert wound_needed(0, 1) is None


def test_strength_may_come_from_the_bearer() -> None:
    """[WPRF-2, CMOD-3]"""
    strong = Profile("strong", 4, 4, 6, 4, 1, 4, 1, 8)
    double = Weapon("fist", 0, 2, 2, "melee", strength_from="user*")
    assert [weapon_strength(w, strong) for w in (RIFLE, DAGGER, double)] == [4, 7, 10]
    assert weapon_strength(DAGGER, Profile("ghost", 4, 4, None, 4, 1, 4, 1, 8)) == 1


def test_the_majority_and_the_highest_on_a_tie() -> None:
    """[MTGH-1, MHIT-2, SWEP-3]"""
    assert majority([4, 4, 4, 5, 5, 5]) == 5
    assert majority([4, 4, 4, 5, 5]) == 4
