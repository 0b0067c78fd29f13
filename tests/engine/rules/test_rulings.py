"""Rulings: proposed by one player, answered by the other, only between actions. [SPRT]"""

from __future__ import annotations

from typing import Any

import pytest

from engine.armies import bundled, read_army_bytes
from engine.board import discs_of
from engine.bots import bots_for
from engine.game import Game
from engine.rules.cover import cover_save
from engine.rules.line_of_sight import sightlines
from events.attacks import WeaponFired
from events.choices import (
    AnswerRuling,
    CeaseFire,
    EndPhase,
    MoveUnit,
    ProposeRuling,
    Shoot,
    TakeZone,
)
from events.errors import IllegalChoice
from events.ledger import Ledger
from events.movement import Spot
from events.questions import RulingOffered, WhoMoves, WhoShoots
from events.rulings import (
    CoverRuling,
    PositionRuling,
    RulingMade,
    RulingRefused,
    ScoreRuling,
    SightRuling,
    WoundsRuling,
)
from events.values import Part, Point, Terrain, Weapon
from projections.battle import MovementPhase
from replay.verify import Verdict, verify

CARBINE = Weapon("carbine", 24000, 4, 5, "assault")
LANCE = Weapon("lance", 24000, 8, 3, "assault")
TOWER = Terrain(
    "tower",
    "impassable",
    (
        Part(
            (Point(14000, 16000), Point(15000, 16000), Point(15000, 24000), Point(14000, 24000)),
            5000,
        ),
    ),
)
ACCEPT, REFUSE, ROLL = AnswerRuling("accept"), AnswerRuling("refuse"), AnswerRuling("roll")
CARELESS = ProposeRuling(ScoreRuling("red", 3))


def test_the_other_player_answers_and_the_question_comes_back(squad: Any, skirmish: Any) -> None:
    """[SPRT-2]"""
    game = skirmish(
        squad("rifles", [(10, 20)], [CARBINE]), squad("mob", [(18, 20)], [CARBINE], side="blue")
    )
    game.play(CARELESS)
    assert game.battle.question == RulingOffered("blue", ScoreRuling("red", 3))
    assert game.legal() == [ACCEPT, REFUSE, ROLL]
    game.play(ACCEPT)
    assert game.battle.question == WhoShoots("red")
    assert (game.battle.score.red, game.battle.proposal) == (3, None)
    assert game.said(RulingMade) == [RulingMade("red", ScoreRuling("red", 3))]
    game.play(ProposeRuling(ScoreRuling("red", 9)), REFUSE)
    assert game.battle.score.red == 3
    assert game.said(RulingRefused) == [RulingRefused("red", ScoreRuling("red", 9))]


@pytest.mark.parametrize(("face", "points"), [(3, 5), (4, 0)])
def test_who_cannot_agree_rolls(squad: Any, skirmish: Any, face: int, points: int) -> None:
    """[SPRT-1] On 1 to 3 the proposer's reading applies."""
    game = skirmish(
        squad("rifles", [(10, 20)], [CARBINE]),
        squad("mob", [(18, 20)], [CARBINE], side="blue"),
        dice=[face],
    )
    game.play(ProposeRuling(ScoreRuling("blue", 5)), ROLL)
    assert game.battle.score.blue == points
    assert [e.rolled for e in game.said(RulingMade, RulingRefused)] == [True]


def test_no_ruling_while_an_action_is_in_flight(squad: Any, skirmish: Any) -> None:
    """[SPRT-2] Between two weapons of a unit, or while a ruling waits."""
    game = skirmish(
        squad(
            "rifles", [(10, 20), (10, 22)], [CARBINE, LANCE], carry={1: ("carbine",), 2: ("lance",)}
        ),
        squad("mob", [(18, 20)], [CARBINE], side="blue"),
        dice=[1],
    )
    game.play(Shoot("rifles", "mob", "carbine"))
    assert game.refused(CARELESS) == "SPRT-2"
    game.play(CeaseFire())


def test_sight_is_ruled_to_the_end_of_the_phase(squad: Any, skirmish: Any) -> None:
    """[LOS-1, LOS-4] A tower is in the way; the players see it otherwise."""
    game = skirmish(
        squad("rifles", [(10, 20)], [CARBINE]),
        squad("mob", [(20, 20)], side="blue"),
        squad("seen", [(10, 30)], side="blue"),
        terrain=[TOWER],
        dice=[1],
    )
    assert game.refused(Shoot("rifles", "mob", "carbine")) == "SHTG-1"
    game.play(ProposeRuling(SightRuling("rifles", "mob", True)), ACCEPT)
    game.play(ProposeRuling(SightRuling("rifles", "seen", False)), ACCEPT)
    assert game.refused(Shoot("rifles", "seen", "carbine")) == "SHTG-1"
    game.play(Shoot("rifles", "mob", "carbine"))
    assert game.said(WeaponFired)
    assert game.battle.phase.ruled == ()


@pytest.mark.parametrize("save", [3, None])
def test_cover_is_ruled(squad: Any, skirmish: Any, save: int | None) -> None:
    """[COVR-1] The wood gives 5+, the players say 3+ or none."""
    wood = Terrain("wood", "difficult", (Part(TOWER.parts[0].corners, 4000, dense=False),))
    game = skirmish(
        squad("lancers", [(10, 20)], [LANCE]),
        squad("mob", [(20, 20)], side="blue"),
        terrain=[wood],
    )

    def cover() -> int | None:
        lines = sightlines(game.battle, "lancers", "mob")
        shooters, (target,) = discs_of(game.battle, "lancers"), discs_of(game.battle, "mob")
        return cover_save(game.battle, lines, shooters, target)

    assert cover() == 5
    game.play(ProposeRuling(CoverRuling("lancers", "mob", save)), ACCEPT)
    assert cover() == save


def test_places_and_wounds_are_ruled(squad: Any, skirmish: Any) -> None:
    """[WOBL-1, WOBL-2, PROF-4] The phase and the record of who moved are untouched."""
    game = skirmish(
        squad("rifles", [(10, 20), (12, 20)]),
        squad("mob", [(18, 20)], side="blue"),
        phase=MovementPhase(),
    )
    game.play(ProposeRuling(PositionRuling("rifles", (Spot(2, 12000, 21000),))), ACCEPT)
    assert game.unit("rifles").models[1].at == Point(12000, 21000)
    assert game.battle.turn.units == ()
    assert game.battle.question == WhoMoves("red")
    game.play(MoveUnit("rifles", Point(0, 1000)), EndPhase())


BAD = [
    (ScoreRuling("red", -1), "SPRT-2"),
    (SightRuling("rifles", "rifles", True), "SPRT-2"),
    (SightRuling("rifles", "ghosts", True), "UNIT-1"),
    (CoverRuling("rifles", "mob", 1), "SPRT-2"),
    (WoundsRuling("rifles.1", 1), "SPRT-2"),
    (WoundsRuling("rifles.9", 0), "SPRT-2"),
    (PositionRuling("rifles", ()), "SPRT-2"),
    (PositionRuling("rifles", (Spot(1, 12000, 20000),)), "SPRT-2"),
    (PositionRuling("rifles", (Spot(1, 18000, 20000),)), "SPRT-2"),
    (PositionRuling("rifles", (Spot(1, 100, 20000),)), "SPRT-2"),
    (PositionRuling("rifles", (Spot(9, 30000, 20000),)), "SPRT-2"),
]


@pytest.mark.parametrize(("ruling", "rule"), BAD, ids=[str(k) for k in range(len(BAD))])
def test_what_cannot_be_ruled(squad: Any, skirmish: Any, ruling: Any, rule: str) -> None:
    """[SPRT-2] Nothing that would leave a model in an impossible place."""
    game = skirmish(
        squad("rifles", [(10, 20), (12, 20)], [CARBINE]), squad("mob", [(18, 20)], side="blue")
    )
    assert game.refused(ProposeRuling(ruling)) == rule


def test_rulings_are_undone_reopened_and_verified() -> None:
    """[SPRT-2, P5, P12] Either player proposes; a game left with a proposal goes on."""
    red = read_army_bytes(bundled("emberguard"), "emberguard.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "ratskar.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="ruled", game="g", undo="free")
        with pytest.raises(IllegalChoice, match="SPRT-2"):
            game.play(CARELESS)
        assert game.pending is not None
        asked = game.pending.player
        game.play(TakeZone("south"))
        game.play(CARELESS, by="blue" if asked == "red" else "red")
        assert game.pending is not None
        assert game.pending.player == asked
        again = Game.open(ledger, "g")
        with pytest.raises(IllegalChoice, match="PLYR-3"):
            again.play(ACCEPT, by="blue" if asked == "red" else "red")
        again.play(ACCEPT)
        assert again.battle.score.red == 3
        again.undo()
        again.undo()
        assert again.battle.score.red == 0
        again.redo()
        again.play(ROLL)
        bots = dict(zip(("red", "blue"), bots_for(again), strict=True))
        for _ in range(6):
            assert again.pending is not None
            again.play(bots[again.pending.player].choose(again))
        assert verify(ledger, "g").verdict is Verdict.EXACT
