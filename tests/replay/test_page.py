"""The page of a game: self-contained, the same bytes each time, its frames are the battles."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser

import pytest
from rich.text import Text

from engine.armies import bundled, read_army_bytes
from engine.bots import bots_for, play_out
from engine.game import Game
from engine.tables import table_named
from events.attacks import ModelRemoved
from events.errors import WarledgerError
from events.ledger import Ledger
from events.values import Table
from projections.queries import on_table
from replay.analysis import analyse
from replay.analysis.frames import LONGEST, MOST_LINES, frames, place, plight, units_of_page
from replay.ground import terrain
from replay.page import data_of, key, page_html
from table.game_log import log_entries
from table.show_analysis import analysis_text

VOID = {"meta", "input", "br"}


class Elements(HTMLParser):
    """Reads a page strictly: every element is closed in turn; scripts and links are noted."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.ids = []
        self.references = []
        self.texts = {}

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids += [found["id"]] if "id" in found else []
        self.references += [v for k, v in found.items() if k in ("src", "href", "xlink:href")]
        if tag not in VOID:
            self.open.append((tag, found.get("id")))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data


@pytest.fixture(scope="module")
def fought():
    """A bot battle with a choice undone and played otherwise on the way, and its analysis."""
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="page", undo="free", game="g")
        play_out(game, *bots_for(game))
        game.undo(to=game.history.path()[60].step)
        play_out(game, *reversed(bots_for(game)))
        yield ledger, game, analyse(game.history, ledger.read("g"), "g")


@pytest.fixture(scope="module")
def page(fought):
    """Its page."""
    pytest.importorskip("matplotlib")
    _, game, analysis = fought
    return page_html(game.history, analysis)


@pytest.fixture(scope="module")
def read(page):
    """The page as read."""
    elements = Elements()
    elements.feed(page)
    assert elements.open == []
    return elements


def test_the_page_is_whole_and_needs_nothing_from_outside(page, read):
    assert len(read.ids) == len(set(read.ids))
    assert all(link.startswith(("#", "data:")) for link in read.references)
    for word in ("http://", "https://", "@import", "url("):
        outside = re.findall(rf"{re.escape(word)}[^\s\"')]*", page)
        allowed = ("http://www.w3.org/", "url(#")
        assert all(one.startswith(allowed) for one in outside), outside
    assert len(page.encode()) < 400_000


def test_the_script_finds_every_element_it_names(page, read):
    script = page[page.rindex("<script>") :]
    named = set(re.findall(r'(?:get|getElementById)\("([\w-]+)"\)', script))
    assert {"table", "story", "cursor", "slider", "battle"} <= named <= set(read.ids)
    assert {"red", "blue", "red-now", "blue-now", "red-tip", "blue-tip"} <= set(read.ids)


def test_the_same_game_gives_the_same_bytes(fought, page):
    ledger, game, _ = fought
    loaded = Game.open(ledger, game.id)
    assert page_html(loaded.history, analyse(loaded.history, ledger.read("g"), "g")) == page


def test_making_a_page_changes_no_byte_of_the_stream(fought, page):
    ledger, game, analysis = fought
    before = ledger.read("g")
    assert page_html(game.history, analysis) == page
    assert ledger.read("g") == before


def test_the_page_tells_the_turning_points_and_the_luck(fought, page):
    _, _, analysis = fought
    for one in analysis.turning:
        assert f'data-step="{one.step}"' in page and one.happened in page
        assert f'{one.when}: <b class="{one.gained}">{one.gain}</b>' in page
    assert "luckier than" in page and "Rarest rolls" in page


def test_page_terminal_and_log_name_a_turning_point_by_the_same_step_turn_and_phase(fought):
    """The page's own head and slider, too; undone steps leave gaps in the numbers."""
    _, game, analysis = fought
    said = "".join(str(part) for part in analysis_text(analysis) if isinstance(part, Text))
    frame = {one["step"]: one for one in frames(game.history.path(), analysis)}
    logged = {entry.step: entry for entry in log_entries(game.history)}
    assert len(analysis.turning) > 3
    for one in analysis.turning:
        assert f"{one.when}: {one.gain}: {one.happened}" in said
        told = frame[one.step]
        there = f"step {one.step}, turn {told['turn']}, {told['side']}, {told['phase']}"
        assert one.when == there == f"step {one.step}, {logged[one.step].when}"
    # and the step is the one whose events did it
    for one in analysis.turning:
        events = game.history.nodes[one.step].events
        assert "loses" not in one.happened or any(
            isinstance(event, ModelRemoved) for event in events
        )


def test_frames_played_forward_are_the_battles_step_by_step(fought):
    # What the script does, done here: each frame's changes on top of those before.
    _, game, analysis = fought
    path = game.history.path()
    units = units_of_page(game.battle)
    first, count = {}, 0
    for unit in units:
        first[unit["id"]] = count
        count += len(unit["radii"])
    height = game.battle.table.height * 160 // 1000
    at, plights = {}, {}
    told = frames(path, analysis)
    assert [frame["step"] for frame in told] == [node.step for node in path]
    for frame, node in zip(told, path, strict=True):
        moved = frame.get("moved", [])
        for n in range(0, len(moved), 3):
            at[moved[n]] = tuple(moved[n + 1 : n + 3])
        for model in frame.get("gone", []):
            at.pop(model, None)
        changed = frame.get("plights", [])
        plights.update(zip(changed[::2], changed[1::2], strict=True))
        expected = {
            first[unit.id] + model.n - 1: place(model.at, height)
            for unit in node.battle.units
            if on_table(unit)
            for model in unit.models
        }
        assert at == expected
        assert [plights[n] for n in range(len(node.battle.units))] == [
            plight(unit) for unit in node.battle.units
        ]


def test_a_step_is_told_in_few_short_lines_and_arrows_show_who_attacked_whom(fought):
    _, game, analysis = fought
    told = frames(game.history.path(), analysis)
    assert all(len(frame["lines"]) <= MOST_LINES for frame in told)
    assert all(len(line) <= LONGEST for frame in told for line in frame["lines"])
    arrows = [arrow for frame in told for arrow in frame.get("arrows", [])]
    assert {kind for _, _, kind in arrows} == {0, 1, 2}
    sides = [unit["side"] for unit in units_of_page(game.battle)]
    assert all(sides[unit] != sides[target] for unit, target, _ in arrows)


def test_names_cannot_break_out_of_the_page(fought):
    _, game, analysis = fought
    spiteful = type(analysis)(
        *(
            {"red": "<b>& </script>", "blue": "x"}
            if name == "armies"
            else "</script><i>"
            if name == "game"
            else getattr(analysis, name)
            for name in analysis.__struct_fields__
        )
    )
    pytest.importorskip("matplotlib")
    elements = Elements()
    made = page_html(game.history, spiteful)
    elements.feed(made)
    assert elements.open == [] and "<b>& <" not in made and "<i>" not in elements.texts
    assert "</" not in data_of(game.history, analysis)
    assert json.loads(data_of(game.history, analysis))["frames"]


def test_a_game_just_begun_has_a_page_too(fought):
    pytest.importorskip("matplotlib")
    ledger, _, _ = fought
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    game = Game.create(ledger, red=red, blue=blue, seed="new", undo="free", game="new")
    made = page_html(game.history, analyse(game.history, ledger.read("new"), "new"))
    assert "the game is not over" in made and "Turning points" not in made


def test_without_matplotlib_it_says_what_to_install(fought, monkeypatch):
    _, game, analysis = fought
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(WarledgerError, match=r"warledger\[analysis\]"):
        page_html(game.history, analysis)


def test_terrain_is_drawn_where_it_lies_and_walls_are_dark():
    table = table_named("ruined crossroads")
    drawn = "".join(terrain(table))
    assert drawn.count("<polygon") == sum(len(piece.parts) for piece in table.terrain) > 0
    assert all(f"<title>{piece.id}: {piece.kind}</title>" in drawn for piece in table.terrain)
    walls = sum(part.dense and part.height > 0 for piece in table.terrain for part in piece.parts)
    assert drawn.count('fill-opacity="0.75"') == walls > 0
    # and what its tints stand for stands below
    assert "difficult ground" in key(table) and "dark: blocks sight" in key(table)
    assert key(Table()) == ""
