"""The picture of the table: to scale, self-contained, the same bytes for the same battle."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from events.base import Side
from events.questions import WhoMoves
from events.values import (
    Army,
    ModelSetup,
    Objective,
    Part,
    Point,
    Profile,
    Rect,
    Table,
    Terrain,
    UnitSetup,
)
from projections.battle import Battle, Clock, Model, Outcome, Score, Settings, Unit, Zone
from replay.ground import LEFT, TOP
from replay.labels import Box, Label, place_labels
from replay.picture import table_svg

SVG = "{http://www.w3.org/2000/svg}"


def unit(name: str, side: Side, *at: Point, wounds: int = 1, radius: int = 125):
    """Return setup and unit of that name with models at these places."""
    numbers = range(1, len(at) + 1)
    stats = Profile("one", 4, 4, 4, 4, wounds, 4, 1, 8)
    setups = tuple(ModelSetup(f"{name}.{n}", "one", radius=radius) for n in numbers)
    models = tuple(Model(n, place) for n, place in zip(numbers, at, strict=True))
    setup = UnitSetup(name, name.title(), side, "infantry", setups, (stats,))
    return setup, Unit(name, side, models, len(at), len(at))


def battle_of(*units, **fields) -> Battle:
    """Return a battle of these units in red's first Movement phase."""
    settings = Settings("40k-7e", "seeded", "blake2b-address/1", "free", "same")
    clock = Clock(1, "red", "red", "movement", True, True)
    setups, on = zip(*units, strict=True)
    return Battle(settings, fields.pop("table", Table()), setups, on, clock, **fields)


@pytest.fixture
def battle() -> Battle:
    """Two units of three, an inch and a half apart in each, and a lone chief of three Wounds."""
    return battle_of(
        unit("boyz", "red", *(Point(10000 + 1500 * n, 10000) for n in range(3))),
        unit("warriors", "blue", *(Point(10000 + 1500 * n, 30000) for n in range(3))),
        unit("chief", "blue", Point(40000, 30000), wounds=3),
        zones=(Zone("red", Rect(0, 0, 72000, 12000)), Zone("blue", Rect(0, 36000, 72000, 48000))),
        question=WhoMoves("red"),
        armies=(Army("Us & Them", ()), Army("<Others>", ())),
    )


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in drawn(svg).iter(f"{SVG}text")]


def bases(svg: str) -> dict[str, ElementTree.Element]:
    """Return the circle of each model by its id."""
    return {
        title.text: circle
        for circle in drawn(svg).iter(f"{SVG}circle")
        for title in circle.iter(f"{SVG}title")
        if title.text
    }


def test_it_is_whole_xml_and_needs_nothing_from_outside(battle):
    svg = table_svg(battle)
    root = drawn(svg)
    assert root.tag == f"{SVG}svg" and root.get("viewBox")
    assert "href" not in svg and "<script" not in svg and "@import" not in svg
    assert svg.count("http") == 1  # its own namespace


def test_the_same_battle_gives_the_same_bytes(battle):
    again = replace(battle, units=tuple(replace(unit) for unit in battle.units))
    assert table_svg(battle) == table_svg(again)


def test_bases_stand_to_scale_with_south_at_the_bottom(battle):
    # Then 16 pixels are an inch: boyz.1 stands 10 inches from the west and the south edge.
    circle = bases(table_svg(battle))["boyz.1"]
    assert float(circle.get("cx")) == LEFT + 160
    assert float(circle.get("cy")) == TOP + 48 * 16 - 160
    # A 25 mm base is 0.98 inches wide; the ring is drawn inside it.
    assert float(circle.get("r")) == pytest.approx(0.98 / 2 * 16 - 0.6, abs=0.2)


def test_a_bigger_base_is_drawn_bigger(battle):
    big = battle_of(unit("walker", "red", Point(9000, 9000), radius=300))
    small = bases(table_svg(battle))["boyz.1"]
    assert float(bases(table_svg(big))["walker.1"].get("r")) > 2 * float(small.get("r"))


def test_units_of_a_side_have_shades_of_their_own(battle):
    groups = [g.get("fill") for g in drawn(table_svg(battle)).iter(f"{SVG}g")]
    assert len(groups) == len(set(groups)) == 3


def test_title_clock_question_and_models_left_are_written(battle):
    said = texts(table_svg(battle))
    assert "Us & Them against <Others>" in said
    assert "Turn 1 · red · Movement phase" in said
    assert "red: move which unit?" in said
    assert "3 of 3 models" in said and "4 of 4 models" in said
    assert "A title" in texts(table_svg(battle, title="A title"))


def test_wounds_left_stand_on_models_that_have_several(battle):
    chief = replace(battle.units[2], models=(Model(1, Point(40000, 30000), lost=1),))
    hurt = replace(battle, units=(*battle.units[:2], chief))
    said = texts(table_svg(hurt))
    assert "2" in said and ".1 lost 1" in said


def test_a_key_says_what_tints_and_numbers_on_this_table_stand_for(battle):
    # given open ground with models of one Wound, there is nothing to say
    here = unit("boyz", "red", Point(10000, 10000))
    bare = texts(table_svg(battle_of(here)))
    assert not any("ground" in text or "number" in text or "objective" in text for text in bare)
    # given a wood, a wall, an objective and a model of three Wounds
    corners = (Point(0, 0), Point(6000, 0), Point(6000, 6000))
    wood = Terrain("wood", "difficult", (Part(corners, 3000, dense=False),), area=True)
    wall = Terrain("wall", "impassable", (Part(corners, 3000),))
    table = Table(terrain=(wood, wall), objectives=(Objective("o", Point(9000, 9000), 3),))
    chief = unit("chief", "red", Point(10000, 10000), wounds=3)
    # then each is explained, the kinds that aren't there not
    said = texts(table_svg(battle_of(chief, table=table)))
    assert [text for text in said[said.index("difficult ground") :] if len(text) > 1] == [
        "difficult ground",
        "dashed edge: area terrain",
        "dark: blocks sight",
        "white number: Wounds the model has left",
        "objective, and its points",
    ]


def test_plight_is_shown_on_the_table_and_in_the_list(battle):
    fleeing = replace(battle.units[0], falling_back=True)
    locked = replace(battle.units[1], locked=True)
    svg = table_svg(replace(battle, units=(fleeing, locked, battle.units[2])))
    assert 'stroke-dasharray="3 2"' in svg
    assert sum("falling back" in text for text in texts(svg)) == 2
    assert sum("locked" in text for text in texts(svg)) == 2


def test_a_destroyed_unit_is_listed_last_and_not_drawn(battle):
    gone = replace(
        battle, units=(battle.units[0], replace(battle.units[1], models=()), battle.units[2])
    )
    said = texts(table_svg(gone))
    assert "destroyed" in said
    assert said.index("warriors") > said.index("chief")
    assert "warriors.1" not in bases(table_svg(gone))
    assert "1 : 0" in said  # red has destroyed one unit so far


def test_a_unit_that_is_not_deployed_is_listed_only(battle):
    waiting = replace(battle.units[0], models=tuple(Model(n) for n in (1, 2, 3)))
    svg = table_svg(replace(battle, units=(waiting, *battle.units[1:])))
    assert any("not deployed" in text for text in texts(svg))
    assert "boyz.1" not in bases(svg)


def test_moves_are_arrows_and_removed_models_crosses(battle):
    moved = tuple(replace(m, at=Point(m.at.x, 16000)) for m in battle.units[0].models if m.at)
    fewer = replace(battle.units[1], models=battle.units[1].models[:2])
    after = replace(battle, units=(replace(battle.units[0], models=moved), fewer, battle.units[2]))
    assert table_svg(after).count("marker-end") == 0
    svg = table_svg(after, moves=battle)
    assert svg.count("marker-end") == 3
    assert svg.count('stroke-width="2"/>') == 1


def test_objectives_and_the_end(battle):
    over = replace(
        battle,
        table=Table(objectives=(Objective("well", Point(36000, 24000), 3),)),
        score=Score(4, 2),
        outcome=Outcome("red", "4 points to 2"),
        question=None,
    )
    said = texts(table_svg(over))
    assert "4 : 2" in said and "points, red to blue" in said
    assert "The end: red wins, 4 points to 2" in said
    assert "#b8860b" in table_svg(over)


def test_a_table_of_another_size_is_drawn_so(battle):
    small = replace(battle, table=Table(width=48000, height=36000), zones=())
    wide = float(drawn(table_svg(battle)).get("width"))
    assert float(drawn(table_svg(small)).get("width")) == wide - 24 * 16


def test_labels_keep_clear_of_each_other_where_there_is_room():
    frame = Box(0, 0, 10000, 10000)
    close = [
        Label("one unit", Box(4000, 4000, 4200, 4200)),
        Label("two", Box(4300, 4000, 4500, 4200)),
    ]
    bases = [label.about for label in close]
    placed = place_labels(close, bases, frame)
    assert placed[0].shared(placed[1]) == 0
    assert all(box.shared(base) == 0 for box in placed for base in bases)


def test_a_label_stays_inside_the_frame():
    frame = Box(0, 0, 10000, 10000)
    (box,) = place_labels([Label("corner", Box(0, 0, 200, 200))], [], frame)
    assert box.beyond(frame) == 0
