"""Scenario files: what they give, and what is said about a file that is wrong."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.scenarios
from engine.scenarios import Scenario, Verdict, load, parse, run
from events.errors import ScenarioError
from events.values import Objective, Part, Point, Profile, Rect, Terrain, Weapon
from projections.battle import AssaultPhase, Clock, Combat, Score, Tally, UnitTurn, Zone
from projections.queries import setup_of, unit_of

FULL = """
name: Everything that can be given
rules: [CMOV-8, RSLT-1]
profiles:
  ork: 4 2 3 4 1 2 2 7 6+
  boss: 5 2 5 - 3 3 3 8 4+ 5++
weapons:
  boltgun: 24 4 5 rapid fire
  big-shoota: 36 5 5 assault 3, Twin-linked, Noisy
  choppa: "- user - melee"
  klaw: "- x2 2 melee"
given:
  ruleset: 40k-7e
  table: 48x44
  objectives:
    flag: 24,22
    hill: {at: "10,22", points: 1}
  terrain:
    hut: {kind: impassable, at: "20,10 24,12", height: 3.5, cover: 4+}
    wood:
      kind: difficult
      cover: "-"
      area: true
      parts:
        - {at: "30,10 34,10 32,13", height: 2, dense: false}
        - at: 34,10 36,14
  clock: {game_turn: 3, active: blue, first: red, phase: assault}
  phase:
    fighting: true
    fought: lootas
    combat: {units: [boyz, warriors], step: 4, red: 2, piled_in: [blue]}
    dice:
      - {address: "4|boyz|choppa|to hit|warriors", dice: 6}
  zones: {red: south, blue: "0,32 48,44"}
  score: {red: 1, blue: 2}
  units:
    boyz:
      side: red
      profile: ork
      weapons: choppa
      base: 32
      started: 10
      phase_started: 6
      locked: true
      charged: true
      declared: true
      models:
        - 10,10 11.5,10
        - {count: 2, at: "13,10", spacing: "0,1.5", weapons: big-shoota}
        - {n: 9, at: "16,10", profile: boss, weapons: [choppa, klaw], lost: 2, base: 40}
    lootas:
      side: red
      falling_back: true
      moved: true
      ran: true
      models: 20,5
    warriors:
      side: blue
      profile: 4 4 4 4 1 4 1 8 3+
      weapons: {pistol: 12 4 5 pistol}
      target: boyz
      fired: [rapid_fire, pistol]
      overwatch: true
      models: {count: 5}
    ghosts: {side: blue, models: , started: 5}
dice: 3 4
play:
  - red: concede
expect:
  battle: {outcome: blue}
"""


@pytest.fixture(scope="module")
def full() -> Scenario:
    return parse(FULL, "full.yaml")


def test_the_frame_of_the_battle(full: Scenario) -> None:
    battle = full.battle
    assert full.rules == ("CMOV-8", "RSLT-1")
    assert (battle.table.width, battle.table.height) == (48000, 44000)
    assert battle.table.objectives == (
        Objective("flag", Point(24000, 22000), 3),
        Objective("hill", Point(10000, 22000), 1),
    )
    assert battle.clock == Clock(3, "blue", "red", "assault", in_phase=True, in_turn=True)
    assert battle.zones == (
        Zone("red", Rect(0, 0, 48000, 12000)),
        Zone("blue", Rect(0, 32000, 48000, 44000)),
    )
    assert battle.score == Score(1, 2)


def test_terrain(full: Scenario) -> None:
    """[SET-1, TERR-1]"""
    hut, wood = full.battle.table.terrain
    box = tuple(Point(x, y) for x, y in ((20000, 10000), (24000, 10000), (24000, 12000)))
    assert hut == Terrain("hut", "impassable", (Part((*box, Point(20000, 12000)), 3500),), 4)
    assert (wood.kind, wood.cover, wood.area) == ("difficult", None, True)
    assert wood.parts[0].corners == (Point(30000, 10000), Point(34000, 10000), Point(32000, 13000))
    assert [(part.height, part.dense) for part in wood.parts] == [(2000, False), (0, True)]


def test_the_progress_of_the_phase(full: Scenario) -> None:
    assert full.battle.phase == AssaultPhase(
        dice=(Tally("4|boyz|choppa|to hit|warriors", 6),),
        fighting=True,
        fought=("lootas",),
        combat=Combat(("boyz", "warriors"), step=4, red=2, piled_in=("blue",)),
    )


def test_units_as_they_stand(full: Scenario) -> None:
    boyz = unit_of(full.battle, "boyz")
    assert [(model.n, model.at, model.lost) for model in boyz.models] == [
        (1, Point(10000, 10000), 0),
        (2, Point(11500, 10000), 0),
        (3, Point(13000, 10000), 0),
        (4, Point(13000, 11500), 0),
        (9, Point(16000, 10000), 2),
    ]
    assert (boyz.started, boyz.phase_started, boyz.locked) == (10, 6, True)
    assert unit_of(full.battle, "lootas").falling_back
    assert [model.at for model in unit_of(full.battle, "warriors").models] == [None] * 5
    assert unit_of(full.battle, "ghosts").models == ()
    assert unit_of(full.battle, "ghosts").started == 5


def test_what_units_were_mustered_with(full: Scenario) -> None:
    boyz = setup_of(full.battle, "boyz")
    assert [model.id for model in boyz.models] == [f"boyz.{n}" for n in range(1, 11)]
    assert boyz.models[8].weapons == ("choppa", "klaw")
    assert (boyz.models[0].radius, boyz.models[8].radius) == (160, 200)
    assert boyz.profiles == (
        Profile("ork", 4, 2, 3, 4, 1, 2, 2, 7, 6),
        Profile("boss", 5, 2, 5, None, 3, 3, 3, 8, 4, 5),
    )
    assert boyz.weapons == (
        Weapon("choppa", 0, 0, None, "melee", 1, "user+"),
        Weapon("big-shoota", 36000, 5, 5, "assault", 3, rules=("Twin-linked", "Noisy")),
        Weapon("klaw", 0, 2, 2, "melee", 1, "user*"),
    )
    assert setup_of(full.battle, "warriors").weapons == (Weapon("pistol", 12000, 4, 5, "pistol"),)


def test_the_turn_record(full: Scenario) -> None:
    assert full.battle.turn.units == (
        UnitTurn("boyz", declared=True, charged=True),
        UnitTurn("lootas", moved=(1,), ran=True),
        UnitTurn("warriors", target="boyz", fired=("rapid_fire", "pistol"), overwatch=True),
    )


def test_a_small_file_is_red_moving_in_the_first_turn() -> None:
    battle = parse("given: {units: {boyz: {side: red, models: '10,10'}}}").battle
    assert battle.clock == Clock(1, "red", "red", "movement", in_phase=True, in_turn=True)
    assert setup_of(battle, "boyz").profiles == (Profile("model", 3, 3, 3, 3, 1, 3, 1, 7),)


def test_play_is_a_list_or_a_page() -> None:
    head = "given: {units: {boyz: {side: red, models: '10,10'}}}\nplay:"
    listed = parse(f"{head}\n  - move boyz 6,0\n  - red: end phase\n  - 'blue: concede'\n", "f")
    page = parse(f"{head} |\n  move boyz 6,0\n  # a note\n\n  red: end phase\n  blue: concede\n")
    assert [(p.by, p.line) for p in listed.play] == [
        (None, "move boyz 6,0"),
        ("red", "end phase"),
        ("blue", "concede"),
    ]
    assert [(p.by, p.line) for p in page.play] == [(p.by, p.line) for p in listed.play]
    assert [p.where for p in listed.play] == ["f:3", "f:4", "f:5"]
    assert [p.where for p in page.play] == [f"scenario.yaml:{n}" for n in (3, 6, 7)]


def replaced(old: str, new: str) -> str:
    assert FULL.count(old) == 1, f"{old!r} should stand once in the file"
    return FULL.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        ("name: Every", "title: Every", "title:", "known here: name, rules"),
        ("  ruleset: 40k-7e", "  ruleset: chess", "chess", "one of 40k-7e"),
        ("table: 48x44", "table: 48", "table: 48", "such as 72x48"),
        ("kind: impassable", "kind: lava", "kind: lava", "one of open, difficult"),
        ("cover: 4+", "cover: 7+", "cover: 7+", "a cover save"),
        ("34,10 32,13", "32,13 34,10", "30,10 32,13", "anticlockwise"),
        ("20,10 24,12", "20,10", "20,10", "two corners"),
        ('"20,10 24,12", ', '"20,10 24,12", parts: [], ', "hut:", "either at or parts"),
        ("game_turn: 3", "turn: 3", "turn: 3", "known here: game_turn, active"),
        ("active: blue", "active: green", "active: green", "not right here"),
        ("phase: assault}", "phase: magic}", "magic", "one of setup"),
        ("fighting: true", "fighting: maybe", "maybe", "not right here"),
        ("fighting: true", "shooter: boyz", "shooter:", "known here: dice, closing"),
        ("fought: lootas", "fought: nobody", "nobody", "boyz, lootas, warriors"),
        ("units: [boyz, warriors], step", "step", "step: 4", "units"),
        ("red: south", "red: '0,0'", "red: '0,0'", "two corners"),
        ("ork: 4 2 3 4 1 2 2 7 6+", "ork: 4 2 3 4 1 2 2 7", "ork:", "WS BS S T W I A Ld Sv"),
        ("2 2 7 6+", "2 2 7 1+", "1+", "2 to 6"),
        ("24 4 5 rapid fire", "24 4 5 fast", "fast", "range S AP type"),
        ("boltgun: 24", "Bolt Gun: 24", "Bolt Gun", "a to z"),
        ("side: red\n      profile: ork", "side: r\n      profile: ork", "side: r\n", "one of red"),
        ("weapons: choppa", "weapons: axe", "weapons: axe", "boltgun, big-shoota"),
        ("profile: boss", "profile: bos", "profile: bos", "ork, boss"),
        ("10,10 11.5,10", "10,10 11.5;10", "11.5;10", "places in inches"),
        ("base: 32", "base: 32.1", "32.1", "mm"),
        ("count: 2, at", "amount: 2, at", "amount", "known here: at, count"),
        ("{n: 9,", "{n: 2,", "{n: 2,", "two models 2"),
        ("started: 10", "started: 4", "started: 4", "from 5"),
        ("target: boyz", "target: boys", "target: boys", "none of the units"),
        ("lost: 2", "lost: 1.5", "lost: 1.5", "whole number"),
        ("dice: 3 4", "dice: 3 37", "dice: 3 37", "1 to 6"),
        ("  - red: concede", "  - red: give up", "red: give up", "one of zone, deploy"),
        ("battle: {outcome", "facts: [won]\n  battle: {outcome", "facts: [won]", "there are"),
        ("battle: {outcome", "battle: {winner", "{winner", "known here: units, score"),
        (
            "battle: {outcome",
            "facts:\n    - unit_moved: {who: boyz}\n  battle: {outcome",
            "who: boyz",
            "known here: unit, kind, by",
        ),
        (
            "battle: {outcome",
            "facts:\n    - combat_resolved: {by: 1.5}\n  battle: {outcome",
            "by: 1.5",
            "inch mark",
        ),
        ("rules: [CMOV-8", "rules: [*a, CMOV-8", "rules:", "aliases"),
        ("  score: {red: 1", "  score: {red: 1, red: 1", "score:", "twice"),
        ("clock: {game_turn", "clock: [game_turn", "clock:", "YAML"),
    ],
)
def test_a_wrong_value_is_named_with_file_and_line(old: str, new: str, at: str, says: str) -> None:
    text = replaced(old, new)
    line = text[: text.index(at)].count("\n") + 1

    with pytest.raises(ScenarioError) as caught:
        parse(text, "wrong.yaml")

    assert says in caught.value.reason
    assert caught.value.where == f"wrong.yaml:{line}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a list",
        "play: [end phase]",
        "given: {table: 72x48}",
        "given: {units: {boyz: {side: red}}}",
        "given: {units: {boyz: {side: red, models: '1,1'}}}\nrefused: MOVE-2",
        "given: " + "[" * 200,
        "given: " + "[" * 100_000,
        "a: &a [1]\nb: *a",
        "given: !!python/object/apply:os.getcwd []",
        "\x00",
        "one: 1\n---\ntwo: 2",
    ],
)
def test_what_is_no_scenario(text: str) -> None:
    with pytest.raises(ScenarioError):
        parse(text)


def test_a_file_that_is_too_large_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no-such"):
        load(tmp_path / "no-such.yaml")
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ScenarioError, match="too large"):
        load(large)


@given(st.integers(0, len(FULL)), st.integers(0, 30), st.text("{}[]:,-+ \n0azx'\"&*|", max_size=6))
def test_a_damaged_file_is_read_or_refused_with_the_one_error(at: int, cut: int, new: str) -> None:
    text = FULL[:at] + new + FULL[at + cut :]
    try:
        parse(text)
    except ScenarioError as error:
        assert error.where.startswith("scenario.yaml")


def test_lengths_are_exact_to_the_mil() -> None:
    """No float is read on the way. [P1]"""
    head = "given: {units: {boyz: {side: red, models: "
    assert parse(head + "'0.1,0.003'}}}").battle.units[0].models[0].at == Point(100, 3)
    with pytest.raises(ScenarioError, match="places in inches"):
        parse(head + "'1e1,1'}}}")


def test_the_example_of_the_how_to_runs() -> None:
    """The long example in the package's docstring is a scenario that passes."""
    written = dedent(
        (engine.scenarios.__doc__ or "").split("by its file):")[1].split("Instead of")[0]
    )
    result = run(parse(written))
    assert result.verdict is Verdict.PASSED, result.report()
