"""MegaMek/megamek #1546: one modifier counted twice. Going to Ground twice must not add up."""

from __future__ import annotations

from typing import Any

import pytest

from events.attacks import WentToGround, WoundAllocated
from events.choices import GoToGround, Shoot
from events.questions import GroundOffered
from events.values import Part, Point, Profile, Terrain, Weapon

FIELD = tuple(
    Point(x, y) for x, y in ((19000, 39000), (29000, 39000), (29000, 41000), (19000, 41000))
)
GUN = Weapon("gun", 24000, 4, 5, "heavy", 1)
CANNON = Weapon("cannon", 24000, 4, 5, "heavy", 1)
MOB = Profile("mob", 4, 2, 3, 4, 1, 2, 2, 7, save=6)


@pytest.mark.parametrize(("cover", "need"), [(5, 4), (4, 3), (3, 2), (2, 2), (6, 5)])
def test_cover_is_better_by_one_however_often_the_unit_is_shot_at(
    squad: Any, skirmish: Any, cover: int, need: int
) -> None:
    """[GTG-2, COVR-6] 5+ cover is 4+ both times; never better than 2+ [XSAV-1]."""
    game = skirmish(
        squad("guns", [(17, 30), (19, 30)], [GUN, CANNON], carry={1: ("gun",), 2: ("cannon",)}),
        squad("mob", [(20 + 2 * n, 40) for n in range(5)], side="blue", profile=MOB),
        terrain=[Terrain("field", "open", (Part(FIELD),), cover, True)],
        dice=[6, 6, 6, 6, 6, 6],
    )
    game.play(Shoot("guns", "mob", "gun"))
    if isinstance(game.battle.question, GroundOffered):
        game.play(GoToGround(True))
    game.play(Shoot("guns", "mob", "cannon"))
    # Then it went to ground at most once, and the save is the same against both
    assert len(game.said(WentToGround)) <= 1
    first, second = game.said(WoundAllocated)
    assert (first.save, first.need) == (second.save, second.need) == ("cover", need)
