"""Bundled tables can be played on; a table that can't is refused before anything is stored."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.armies import bundled, read_army_bytes
from engine.bots import RandomBot, bots_for, play_out
from engine.game import Game
from engine.tables import TABLES, box, check_table, table_named
from events.errors import WarledgerError
from events.ledger import Ledger
from events.values import Army, Part, Point, Table, Terrain
from replay.verify import Verdict, verify

HUT = Terrain("hut", "impassable", (box(10_000, 10_000, 14_000, 14_000, 3_000),))


@pytest.mark.parametrize("name", TABLES)
def test_a_bundled_table_can_be_played_on(name: str) -> None:
    """[SET-1, SET-2]"""
    check_table(table_named(name))


def test_the_crossroads_favour_nobody() -> None:
    table = table_named("ruined crossroads")
    places = {c for piece in table.terrain for part in piece.parts for c in part.corners}
    assert {Point(72_000 - p.x, 48_000 - p.y) for p in places} == places


@pytest.mark.parametrize(
    "piece",
    [
        replace(HUT, id="The Hut"),
        replace(HUT, id="well"),
        replace(HUT, cover=1),
        replace(HUT, area=True),
        replace(HUT, parts=()),
        replace(HUT, parts=(Part(HUT.parts[0].corners[::-1]),)),
        replace(HUT, parts=(box(70_000, 0, 73_000, 1_000),)),
        replace(HUT, parts=(replace(HUT.parts[0], height=-1),)),
    ],
    ids=["slug", "twice", "cover", "area", "no parts", "clockwise", "off the table", "height"],
)
def test_a_table_that_cannot_be_played_on_is_refused(piece: Terrain) -> None:
    """[SET-1, AREA-3] The piece is named."""
    well = replace(HUT, id="well")
    with pytest.raises(WarledgerError, match=piece.id):
        check_table(Table(terrain=(well, piece)))
    with Ledger.memory() as ledger:
        army = Army("nobody", ())
        with pytest.raises(WarledgerError, match=piece.id):
            Game.create(ledger, red=army, blue=army, table=Table(terrain=(well, piece)), game="g")
        assert not ledger.read("g")


@pytest.mark.parametrize(("seed", "bots"), [("1", "aggressive"), ("2", "random")])
def test_bots_fight_it_out_among_the_ruins(seed: str, bots: str) -> None:
    """Whole games end on terrain, and re-execution is EXACT. [P12]"""
    red = read_army_bytes(bundled("emberguard"), "emberguard.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "ratskar.ros", "blue").army
    with Ledger.memory() as ledger:
        table = table_named("ruined crossroads")
        game = Game.create(ledger, red=red, blue=blue, seed=seed, table=table, undo="free")
        players = bots_for(game) if bots == "aggressive" else (RandomBot("r"), RandomBot("b"))
        assert play_out(game, *players).outcome is not None
        assert verify(ledger, game.id).verdict is Verdict.EXACT
