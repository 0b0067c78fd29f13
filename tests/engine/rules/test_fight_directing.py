"""Directing attacks, and who is engaged with whom. [MDIR, ENGA]"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.answers import check
from engine.sequence import RULESETS
from events.attacks import BlowsStruck, ModelRemoved, UnitDestroyed, WoundsLost
from events.choices import Aim, DirectBlows
from events.questions import WhomToStrike
from events.values import Profile
from projections.battle import AssaultPhase

FIGHT = AssaultPhase(fighting=True)
CHAMPION = Profile("champion", 4, 4, 4, 4, 1, 5, 3, 8)
LINE = Profile("line", 4, 4, 4, 4, 1, 5, 1, 8)
IDLE = Profile("idle", 4, 4, 4, 4, 1, None, 0, 8)


def between(squad: Any, skirmish: Any, *dice: int) -> Any:
    """A champion between x and y, behind him his squire, who touches nobody; a page at x."""
    return skirmish(
        squad(
            "reds",
            [(10, 10), (9.01, 9.01), (10, 8.5)],
            profile=LINE,
            others={1: CHAMPION, 3: replace(IDLE, name="squire", attacks=1)},
            locked=True,
        ),
        squad("x", [(9.01, 10)], side="blue", profile=IDLE, locked=True),
        squad("y", [(10.99, 10), (13, 10)], side="blue", profile=IDLE, locked=True),
        squad("spare", [(60, 40)], side="blue"),
        phase=FIGHT,
        dice=dice,
    )


def to(*at: tuple[str, int], by: tuple[int, ...] = ()) -> DirectBlows:
    return DirectBlows("reds", tuple(Aim(*aim) for aim in at), by)


def with_squire(game: Any) -> Any:
    """Ask about the squire as well, as if it were his step too."""
    quick = tuple(replace(p, initiative=5) for p in game.battle.setups[0].profiles)
    setups = (replace(game.battle.setups[0], profiles=quick), *game.battle.setups[1:])
    question = WhomToStrike("red", "reds", (1, 3), 5)
    game.battle = replace(game.battle, setups=setups, question=question)
    return game


def test_who_is_asked_and_what_is_offered(squad: Any, skirmish: Any) -> None:
    """[MDIR-1, MDIR-2, MDIR-3, ENGA-1] The champion may split, the squire strikes one of two."""
    game = between(squad, skirmish)
    assert game.battle.question == WhomToStrike("red", "reds", (1,), 5)
    assert [offer.at for offer in game.legal()] == [
        (Aim("x"),),
        (Aim("y"),),
        (Aim("x", 2), Aim("y", 1)),
        (Aim("x", 1), Aim("y", 2)),
    ]
    offered = with_squire(game).legal()
    assert offered[:2] == [to(("x", 0)), to(("y", 0))]
    assert [offer.at for offer in offered if offer.models == (1,)] == [
        (Aim("x", 3),),
        (Aim("x", 2), Aim("y", 1)),
        (Aim("x", 1), Aim("y", 2)),
        (Aim("y", 3),),
    ]
    assert [offer.at for offer in offered if offer.models == (3,)] == [(Aim("x"),), (Aim("y"),)]
    for offer in offered:
        check(RULESETS["40k-7e"].answers, game.battle, "red", offer)


def test_what_is_refused(squad: Any, skirmish: Any) -> None:
    """[MDIR-1, MDIR-2, MDIR-3]"""
    game = with_squire(between(squad, skirmish))
    assert game.refused(to(("spare", 0), by=(1,))) == "MDIR-1"
    assert game.refused(to(("y", 0), by=(2,))) == "MDIR-1"  # it touches x only: nothing to choose
    assert game.refused(to(("spare", 0), by=(3,))) == "MDIR-3"
    assert game.refused(to(("x", 1), ("y", 1), by=(3,))) == "MDIR-3"
    assert game.refused(to(("x", 1), ("y", 1), by=(1,))) == "MDIR-2"
    assert game.refused(to(("x", 4), by=(1,))) == "MDIR-2"
    assert game.refused(to(("x", 0), ("y", 3), by=(1,))) == "MDIR-2"
    assert game.refused(to(("x", 1), ("x", 2), by=(1,))) == "MDIR-2"
    assert game.refused(to(("x", 0), by=(1, 1))) == "MDIR-2"
    assert game.refused(to()) == "MDIR-2"
    assert game.refused(DirectBlows("x", (Aim("reds"),))) == "MDIR-2"


def test_split_attacks_roll_apart_and_nothing_passes_on(squad: Any, skirmish: Any) -> None:
    """[MDIR-2, MDIR-4, MALC-6, MHIT-4] V-50: 2 on x, 1 on y; x falls to the first Wound."""
    game = between(squad, skirmish, *(4, 4, 1), *(4, 4), 1)
    game.play(to(("x", 2), ("y", 1)))
    assert [(b.target, b.models, b.attacks) for b in game.said(BlowsStruck)] == [
        ("x", (1, 2), 3),
        ("y", (1,), 1),
    ]
    assert game.said(ModelRemoved) == [ModelRemoved("x.1", "combat")]
    assert game.said(UnitDestroyed) == [UnitDestroyed("x", "combat")]
    assert game.said(WoundsLost) == [WoundsLost("x", 1)]
