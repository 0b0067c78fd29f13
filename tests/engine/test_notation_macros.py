"""Macros: what a line means in a battle."""

from __future__ import annotations

import pytest

from engine.answers import check, legal
from engine.notation import LineError, resolve
from engine.notation.lines import Dice
from engine.scenarios import parse, run
from engine.sequence import RULESETS
from events.choices import EndPhase, MoveUnit
from events.errors import IllegalChoice
from events.values import Point
from projections.battle import Battle

ANSWERS = RULESETS["40k-7e"].answers


def battle_with(boyz: str, warriors: str) -> Battle:
    """Red's Movement phase; bases are one inch wide."""
    result = run(
        parse(
            f"""
given:
  units:
    boyz: {{side: red, base: 25.4, models: "{boyz}"}}
    warriors: {{side: blue, base: 25.4, models: "{warriors}"}}
"""
        )
    )
    assert result.battle is not None
    return result.battle


def moved(line: str, battle: Battle) -> Point:
    choice = resolve(line, battle)
    assert isinstance(choice, MoveUnit)
    check(ANSWERS, battle, "red", choice)
    return choice.by


def test_a_move_toward_goes_the_whole_way_on_open_ground() -> None:
    battle = battle_with("10,10 11,10", "10,30")
    assert moved("move boyz toward warriors 6", battle) == Point(0, 6000)
    assert moved("move boyz toward warriors 4.125", battle) == Point(0, 4125)


def test_a_move_toward_is_never_longer_than_asked() -> None:
    by = moved("move boyz toward warriors 6", battle_with("10,10", "23,27"))
    assert 5998**2 <= by.x**2 + by.y**2 <= 6000**2


def test_a_move_toward_an_enemy_ends_one_inch_away() -> None:
    """The closest legal place is found to the mil. [MOVE-3]"""
    battle = battle_with("10,10", "10,15.5")

    by = moved("move boyz toward warriors 6", battle)

    assert by == Point(0, 3500)
    with pytest.raises(IllegalChoice, match="MOVE-3"):
        check(ANSWERS, battle, "red", MoveUnit("boyz", Point(0, 3501)))


def test_a_move_away_stops_at_the_table_edge() -> None:
    """[MOVE-5]"""
    assert moved("move boyz away from warriors 6", battle_with("10,3", "10,9")) == Point(0, -2500)


def test_a_longer_move_may_be_legal_where_a_shorter_is_not() -> None:
    """Out of an enemy's inch: only whole ways out are legal. [MOVE-3]"""
    battle = battle_with("10,10", "10,11.5")
    assert moved("move boyz away from warriors 6", battle) == Point(0, -6000)


def test_the_limit_of_the_question_holds_too() -> None:
    by = moved("move boyz toward warriors 9", battle_with("10,10", "10,30"))
    assert by == Point(0, 6000)


def test_numbers_and_auto_take_what_is_on_offer() -> None:
    battle = battle_with("10,10", "10,30")
    offered = legal(ANSWERS, battle)

    assert resolve("auto", battle) == offered[0]
    assert [resolve(str(n), battle) for n in range(1, len(offered) + 1)] == offered
    assert offered[-1] == EndPhase()


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        ("move boys toward warriors 6", 5, "boyz, warriors"),
        ("move boyz toward lootas 6", 17, "boyz, warriors"),
        ("move boyz away from boyz 6", 10, "goes nowhere"),
        ("move boyz toward warriors 0", 10, "goes nowhere"),
        ("move warriors toward boyz 6", 14, "MOVE-1"),
        ("0", 0, "a number from 1 to"),
        ("99", 0, "a number from 1 to"),
        ("dice 3 4", 0, "a choice"),
    ],
)
def test_a_macro_that_means_nothing_here_points_at_the_word(
    line: str, column: int, says: str
) -> None:
    with pytest.raises(LineError) as caught:
        resolve(line, battle_with("10,10", "10,30"))
    assert caught.value.column == column
    assert says in caught.value.reason


def test_a_plain_line_needs_no_legal_choice() -> None:
    battle = battle_with("10,10", "10,30")
    assert resolve("move nobody 60,0", battle) == MoveUnit("nobody", Point(60000, 0))
    assert not isinstance(resolve("end phase", battle), Dice)
