"""Luck: every roll's exact probability, every player's exact distribution by kind of roll."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from events.game import DiceRolled
from projections.readmodels import Rolled, luck
from projections.readmodels.luck import FEWEST, chance_of, distribution, grouped, share_below
from replay.analysis.rolls import luck_of, lucks, odds_of, rarest, roll_odds


def rolled(purpose, faces, need=0, player="red", sides=6, step=2):
    """A roll as the dice log has it."""
    passed = sum(face >= need for face in faces) if need else 0
    return Rolled(
        step,
        1,
        "red",
        "shooting",
        player,
        purpose,
        faces,
        need,
        passed,
        "boyz",
        "",
        "",
        sides,
        "seeded",
    )


def outcomes(needs, sides=6):
    """How often each number of successes comes up among all faces of dice with these needs."""
    faces = product(range(1, sides + 1), repeat=len(needs))
    return Counter(sum(f >= n for f, n in zip(row, needs, strict=True)) for row in faces)


@pytest.mark.parametrize(
    "needs",
    [(3,), (2, 3, 4, 5, 6), (3, 3, 3, 5, 5), (1, 4, 4), (7, 4, 2), (1, 1), (7, 7), (6, 6, 6, 2, 2)],
)
def test_the_distribution_is_that_of_every_face_counted(needs):
    counted = outcomes(needs)
    weights = distribution(grouped([rolled("r", (1,), need) for need in needs]))
    assert len(weights) == len(needs) + 1
    whole = sum(weights)
    assert [Fraction(w, whole) for w in weights] == [
        Fraction(counted[k], 6 ** len(needs)) for k in range(len(needs) + 1)
    ]


def test_the_distribution_of_no_dice_is_certain():
    assert distribution([]) == [1]
    assert share_below([1], 0) == Fraction(1, 2)


def test_a_thousand_dice_are_exact():
    groups = [(200, Fraction(ways, 6)) for ways in range(1, 6)]
    weights = distribution(groups)
    assert len(weights) == 1001
    whole = sum(weights)
    assert whole == 6**200 * 3**200 * 2**200 * 3**200 * 6**200
    mean = sum(k * weight for k, weight in enumerate(weights))
    assert mean == whole * 500  # the chances add up to 15/6, two hundred times
    assert weights == weights[::-1] and share_below(weights, 500) == Fraction(1, 2)


@pytest.mark.parametrize(("need", "sides"), [(4, 6), (2, 6), (7, 6), (1, 6), (2, 3)])
def test_a_roll_s_probability_is_that_of_its_successes(need, sides):
    counted = outcomes((need,) * 3, sides)
    one = odds_of(rolled("to hit", (1, 2, sides), need, sides=sides))
    k = one.roll.passed
    assert one.exactly == Fraction(counted[k], sides**3)
    assert one.as_many == Fraction(sum(n for j, n in counted.items() if j >= k), sides**3)


def test_a_roll_without_a_need_has_the_probability_of_its_total():
    totals = Counter(map(sum, product(range(1, 7), repeat=2)))
    for total in range(2, 13):
        one = odds_of(rolled("charge range", (total - total // 2, total // 2)))
        assert one.exactly == Fraction(totals[total], 36)
        assert one.as_many == Fraction(sum(n for t, n in totals.items() if t >= total), 36)


def test_the_rarest_rolls_are_those_far_out_on_either_side():
    log = [
        rolled("to hit", (6, 6, 6, 6), 6, step=3),
        rolled("to hit", (1, 1, 1, 1), 2, step=4),
        rolled("to hit", (6, 1, 6, 1), 4, step=5),
        rolled("charge range", (1, 1), step=6),
    ]
    found = rarest(roll_odds(log), 2)
    assert [one.roll.step for one in found] == [3, 4]
    assert [one.rarity for one in found] == [Fraction(1, 6**4)] * 2


def test_luck_by_kind_counts_only_that_kind_and_player():
    log = [
        rolled("to hit", (6,) * 20 + (1,) * 20, 4),
        rolled("armour save", (6,) * 30, 3),
        rolled("to hit", (6,) * 50, 4, player="blue"),
        rolled("charge range", (6, 6)),
        rolled("roll-off red", (6,), player=""),
    ]
    found = {(one.player, one.kind): one for one in lucks(log)}
    assert list(found) == [
        ("red", ""),
        ("red", "to hit"),
        ("red", "armour save"),
        ("blue", ""),
        ("blue", "to hit"),
    ]
    hit = found["red", "to hit"]
    assert (hit.dice, hit.passed, hit.expected, hit.below) == (40, 20, 20, Fraction(1, 2))
    assert found["red", ""].dice == 70
    assert found["red", "armour save"].below == 1 - Fraction(1, 2) * Fraction(2, 3) ** 30


def test_luck_is_silent_about_fewer_dice_than_thirty():
    few = luck_of([rolled("to hit", (6,) * (FEWEST - 1), 4)], "red", "to hit")
    enough = luck_of([rolled("to hit", (6,) * FEWEST, 4)], "red", "to hit")
    assert few.below is None and few.dice == 29
    assert enough.below == 1 - Fraction(1, 2) ** 31


def test_luck_agrees_with_that_of_the_battle_report():
    log = [rolled("to hit", (1, 2, 3, 4, 5, 6) * 9, need) for need in (2, 3, 5)]
    one, short = luck_of(log, "red"), luck(log, "red")
    assert (one.dice, one.passed, int(one.expected * 10)) == (
        short.dice,
        short.passed,
        short.expected,
    )
    assert int(1000 * one.below + Fraction(1, 2)) == short.per_mille


def test_the_chance_of_a_die_counts_its_faces():
    for sides in (2, 3, 6):
        for need in range(1, sides + 2):
            ways = sum(face >= need for face in range(1, sides + 1))
            assert chance_of(need, sides) == Fraction(ways, sides)
    assert DiceRolled("d", (1,)).need == 0  # no need: no success is counted
