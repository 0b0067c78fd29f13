"""The table as characters: where terrain, zones, objectives and models stand, and the legend."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from rich.text import Text

from engine.scenarios import parse
from engine.tables import box, table_named
from events.values import Objective, Point, Table, Terrain
from table.text_map import text_map

CROSSROADS = table_named("ruined crossroads")


def drawn(battle) -> list[str]:
    """Return the lines of a map without colour."""
    return Text.from_markup(text_map(battle)).plain.split("\n")


def at(lines: list[str], x: int, y: int) -> str:
    """Return the sign at a place in inches: rows go down from the north edge, below the frame."""
    rows = [line for line in lines if line.startswith("|")]
    return rows[len(rows) - 1 - y // 2][1 + x]


@pytest.fixture
def battle():
    """Two units, blue's in the western ruin, on a table that a test replaces."""
    return parse("""
given:
  clock: {phase: setup}
  zones: {red: south, blue: north}
  units:
    boyz: {side: red, models: "10,4"}
    lads: {side: blue, models: "22,29 23.2,29"}
""").battle


def test_terrain_is_drawn_where_it_stands(battle):
    lines = drawn(replace(battle, table=CROSSROADS))
    # the ruin: ground, the wall along its west side and the low one inside it
    assert at(lines, 18, 26) == ":" and at(lines, 16, 26) == "#" and at(lines, 20, 28) == "#"
    # a wall that is thinner than a row, and the two woods, one the other turned half round
    assert [at(lines, x, 18) for x in (25, 26, 31, 32)][1:3] == ["#", "#"]
    assert at(lines, 48, 38) == at(lines, 23, 9) == "^"
    assert at(lines, 10, 18) == "%" and at(lines, 35, 24) == "="
    # models stand over it, and the rest is bare
    assert at(lines, 22, 29) == at(lines, 23, 29) == "a"
    assert at(lines, 28, 26) == " "


def test_the_legend_says_what_the_signs_stand_for_and_only_those_there_are(battle):
    said = "\n".join(drawn(replace(battle, table=CROSSROADS)))
    for words in (
        *("# wall: blocks sight", ": difficult ground", "% dangerous ground", "= impassable"),
        *("^ trees, difficult: they hide", "cover 5+: wood-north, wood-south, crater-west"),
        *("A boyz 1", "a lads 2"),
    ):
        assert words in said
    assert "lethal" not in said and "objective" not in said
    bare = "\n".join(drawn(battle))
    assert "wall" not in bare and "cover" not in bare


def test_zones_and_the_scale_are_named_beside_the_table(battle):
    rows = [line for line in drawn(battle) if line.startswith("|")]
    assert len(rows) == 24 and rows[-1].endswith("| 0")
    (red,) = [row for row in rows if row.endswith(" red zone")]
    (blue,) = [row for row in rows if row.endswith(" blue zone")]
    assert "| 12 red" in red and "| 36 blue" in blue and "- - - -" in red
    assert " 0           12          24" in "\n".join(drawn(battle))


def test_objectives_are_shown_and_listed(battle):
    marked = Table(objectives=(Objective("relic", Point(36000, 24000), 4),))
    lines = drawn(replace(battle, table=marked))
    assert at(lines, 36, 24) == "*" and "* objective (relic 4)" in lines[-1]


def test_a_piece_smaller_than_a_character_is_shown_and_one_at_the_edge_too(battle):
    post = Terrain("post", "impassable", (box(30_100, 20_100, 30_300, 20_300, 3_000),))
    hedge = Terrain("hedge", "lethal", (box(71_500, 47_000, 72_000, 48_000),))
    lines = drawn(replace(battle, table=Table(terrain=(post, hedge))))
    assert at(lines, 30, 20) == "=" and at(lines, 71, 47) == "!"
    assert sum(line.count("=") for line in lines if line.startswith("|")) == 1


def test_plain_is_without_colour_in_a_terminal_too(call, monkeypatch):
    words = ("play", "--game", "g", "--seed", "1", "--table", "ruined crossroads")
    call(*words, keys="zone south\nquit\n")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured, plain = call("map", "g").stdout, call("map", "g", "--plain").stdout
    assert "\x1b[" in coloured and "\x1b[" not in plain
    assert Text.from_ansi(coloured).plain.rstrip() == plain.rstrip()
    assert "blue zone" in plain and "# wall: blocks sight" in plain
