"""Blasts, templates, grenades: where they go, whom they hit. [APOC, LOCK-6, ALLO-6, SNAP-2]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from events.attacks import (
    HitsScored,
    MarkerPlaced,
    MarkerScattered,
    ModelRemoved,
    UnitDestroyed,
    WeaponFired,
    WoundAllocated,
)
from events.choices import AimAt, GoToGround, Reroll, Shoot
from events.game import DiceRolled
from events.questions import RerollOffered, WhereToAim
from events.values import Point, Profile, Weapon
from projections.battle import UnitTurn

MORTAR = Weapon("mortar", 36000, 4, 4, "heavy", 1, blast=3000, least=6000)
BIG = Weapon("big", 36000, 4, None, "assault", 1, blast=5000)
HUGE = Weapon("huge", 36000, 4, None, "assault", 1, blast=10000)
PAIRED = Weapon("paired", 36000, 4, None, "assault", 1, blast=3000, rules=("Twin-linked",))
TORCH = Weapon("torch", 8000, 4, 5, "assault", 1, template=True)
SOFT = Profile("soft", 3, 3, 3, 3, 1, 3, 1, 7)
BS4 = Profile("bs4", 4, 4, 4, 4, 1, 4, 1, 8, save=3)


def mob(squad: Any, places: Sequence[tuple[float, float]], **more: Any) -> Any:
    """Unarmoured models of blue's."""
    return squad("mob", places, side="blue", profile=SOFT, **more)


@pytest.mark.parametrize(("gun", "hits"), [(MORTAR, 3), (BIG, 5), (HUGE, 9)])
def test_a_marker_hits_every_model_under_it_once(
    squad: Any, skirmish: Any, gun: Weapon, hits: int
) -> None:
    """[APOC-1, APOC-2, APOC-3] A Hit: it stays. Models 1 inch apart, edge to edge in a row."""
    row = [(20 + i, 30.0) for i in range(-4, 5)]
    game = skirmish(
        squad("guns", [(20, 10)], [gun], profile=BS4), mob(squad, row), dice=[5, *[1] * hits]
    )
    game.play(Shoot("guns", "mob", gun.id))
    assert game.battle.question == WhereToAim("red", "guns.1", "mob", gun.id)
    game.play(AimAt(Point(20000, 30000)))
    assert game.said(MarkerPlaced)[0].at == Point(20000, 30000)
    assert [h.hits for h in game.said(HitsScored)] == [hits]


@pytest.mark.parametrize(
    ("dice", "to", "distance"),
    [
        ([6], Point(20000, 30000), 0),
        ([1, 1, 3], Point(20000, 30000), 0),  # 4 less BS 4
        ([4, 4, 5, 9], Point(25000, 30000), 5000),
        ([2, 6, 6, 36], Point(20000, 38000), 8000),
    ],
)
def test_a_marker_scatters_by_two_dice_less_the_ballistic_skill(
    squad: Any, skirmish: Any, dice: list[int], to: Point, distance: int
) -> None:
    """[APOC-3] The direction is rolled only where it moves."""
    game = skirmish(
        squad("guns", [(20, 10)], [MORTAR], profile=BS4),
        mob(squad, [(20, 30)]),
        squad("spare", [(60, 5)]),
        dice=[*dice, *[1] * (distance == 0)],
    )
    game.play(Shoot("guns", "mob", "mortar"), AimAt(Point(20000, 30000)))
    assert game.said(MarkerScattered) == [MarkerScattered("guns", "mortar", to, distance)]
    assert game.said(HitsScored)[0].hits == (distance == 0)


def test_a_marker_whose_middle_leaves_the_table_misses(squad: Any, skirmish: Any) -> None:
    """[APOC-3]"""
    game = skirmish(
        squad("guns", [(20, 10)], [BIG], profile=BS4),
        mob(squad, [(20, 46), (20, 47.2)]),
        dice=[1, 6, 6, 36],
    )
    game.play(Shoot("guns", "mob", "big"), AimAt(Point(20000, 46000)))
    assert [h.hits for h in game.said(HitsScored)] == [0]


def test_where_a_marker_may_be_put(squad: Any, skirmish: Any) -> None:
    """[APOC-4, FRND-1, LOCK-6, SHTG-1, SHRG-1, WRNG-1]"""
    game = skirmish(
        squad("guns", [(20, 10)], [MORTAR], profile=BS4),
        squad("friends", [(20, 32.2)]),
        squad("duellists", [(30, 30)], locked=True),
        squad("foes", [(30, 29.01)], side="blue", locked=True),
        mob(squad, [(20, 30), (28, 29), (20, 14), (20, 47), (24, 20)]),
    )
    game.play(Shoot("guns", "mob", "mortar"))
    for at, rule in (
        (Point(24000, 21000), "SHTG-1"),  # over nobody
        (Point(20000, 30400), "APOC-4"),
        (Point(28100, 28800), "LOCK-6"),
        (Point(20000, 14000), "WRNG-1"),
        (Point(20000, 46900), "SHRG-1"),
    ):
        assert game.refused(AimAt(at)) == rule, at
    offered = game.legal()
    assert AimAt(Point(24000, 20000)) in offered and len(offered) == 3


def test_without_a_place_for_it_a_shot_is_not_fired(squad: Any, skirmish: Any) -> None:
    """[APOC-4] The target stands among the shooter's friends."""
    game = skirmish(
        squad("guns", [(20, 10)], [BIG], profile=BS4),
        squad("friends", [(20, 31.2), (20, 28.8)]),
        mob(squad, [(20, 30)]),
    )
    game.play(Shoot("guns", "mob", "big"))
    assert game.said(WeaponFired) and not game.said(MarkerPlaced)
    assert [h.hits for h in game.said(HitsScored)] == [0]


def test_every_unit_under_a_marker_sees_its_own_wounds_through(squad: Any, skirmish: Any) -> None:
    """[APOC-3, ALLO-6, MTGH-1] Friends hit by a marker that comes back, the target out of range."""
    game = skirmish(
        squad("guns", [(20, 10), (21.5, 10)], [BIG], profile=SOFT, carry={1: ("big",), 2: ()}),
        mob(squad, [(20, 14)]),
        squad("spare", [(60, 5)]),
        dice=[1, 3, 3, 18, 4, 4, 1, 2, 6],
    )
    game.play(Shoot("guns", "mob", "big"), AimAt(Point(20000, 14000)))
    assert game.said(MarkerScattered)[0].to == Point(20000, 11000)
    assert [(h.target, h.hits) for h in game.said(HitsScored)] == [("mob", 0), ("guns", 2)]
    # they may Go to Ground like anybody else; of equally close models a die draws one
    game.play(GoToGround(True))
    assert game.said(WoundAllocated)[0] == WoundAllocated("guns.1", "cover", 6)
    assert [r.model for r in game.said(ModelRemoved)] == ["guns.1"]


def test_a_unit_may_destroy_itself(squad: Any, skirmish: Any) -> None:
    """[APOC-3, RMV-3] Its shooting is over then."""
    game = skirmish(
        squad("guns", [(20, 10)], [BIG], profile=SOFT),
        mob(squad, [(20, 14), (40, 40)]),
        squad("spare", [(60, 5)]),
        dice=[1, 2, 5, 18, 4],
    )
    game.play(Shoot("guns", "mob", "big"), AimAt(Point(20000, 14000)), GoToGround(False))
    assert game.said(UnitDestroyed) == [UnitDestroyed("guns", "shooting")]


def test_a_twin_linked_blast_rolls_all_of_its_scatter_again_once(squad: Any, skirmish: Any) -> None:
    """[V-3, RERL-1 to RERL-4, DMOD-2] The second result stands, though it is worse."""
    game = skirmish(
        squad("guns", [(20, 10)], [PAIRED], profile=BS4),
        mob(squad, [(20, 30)]),
        squad("spare", [(60, 5)]),
        dice=[1, 3, 2, 9, 1, 6, 6, 9],
    )
    game.play(Shoot("guns", "mob", "paired"), AimAt(Point(20000, 30000)))
    assert game.battle.question == RerollOffered("red", "guns", "scatter", "paired", (1, 3, 2))
    game.play(Reroll(True))
    assert [s.distance for s in game.said(MarkerScattered)] == [1000, 8000]
    assert not isinstance(game.battle.question, RerollOffered)
    assert [h.hits for h in game.said(HitsScored)] == [0]


def test_a_reroll_may_be_declined(squad: Any, skirmish: Any) -> None:
    """[RERL-1]"""
    game = skirmish(
        squad("guns", [(20, 10)], [PAIRED], profile=BS4), mob(squad, [(20, 30)]), dice=[5, 1]
    )
    game.play(Shoot("guns", "mob", "paired"), AimAt(Point(20000, 30000)), Reroll(False))
    assert [h.hits for h in game.said(HitsScored)] == [1]


def test_a_template_hits_all_that_lie_under_it(squad: Any, skirmish: Any) -> None:
    """[APOC-3, COVR-4, ALLO-6] No roll To Hit, and no cover."""
    game = skirmish(
        squad("guns", [(20, 10)], [TORCH], profile=BS4),
        mob(squad, [(20, 13), (20, 17), (21.2, 16.5), (20, 21)]),
        squad("spare", [(60, 5)]),
        dice=[3, 3, 3],
    )
    game.play(Shoot("guns", "mob", "torch"))
    assert game.legal()[0] == AimAt(Point(20000, 13000))
    game.play(AimAt(Point(20000, 13000)))
    assert [r.purpose for r in game.said(DiceRolled)] == ["to wound"]
    assert [r.model for r in game.said(ModelRemoved)] == ["mob.1", "mob.3", "mob.2"]


def test_where_a_template_may_lie(squad: Any, skirmish: Any) -> None:
    """[APOC-1, APOC-3, APOC-4]"""
    game = skirmish(
        squad("guns", [(20, 10), (22, 10)], [TORCH], profile=BS4, carry={2: ()}),
        mob(squad, [(20, 15), (24, 12)]),
    )
    game.play(Shoot("guns", "mob", "torch"))
    assert game.refused(AimAt(Point(20000, 10000))) == "APOC-1"
    assert game.refused(AimAt(Point(20000, 5000))) == "APOC-3"
    assert game.refused(AimAt(Point(24000, 11000))) == "APOC-4"
    assert AimAt(Point(20000, 15000)) in game.legal()


@pytest.mark.parametrize("gun", [MORTAR, TORCH])
@pytest.mark.parametrize("status", ["gone to ground", "regrouped"])
def test_markers_are_never_snap_fired(squad: Any, skirmish: Any, gun: Weapon, status: str) -> None:
    """[SNAP-2, SHNM-2]"""
    down = status == "gone to ground"
    game = skirmish(
        squad("guns", [(20, 10)], [gun], profile=BS4, gone_to_ground=down),
        squad("spare", [(60, 5)]),
        mob(squad, [(20, 17)]),
        turn=[UnitTurn("guns", regrouped=not down)],
    )
    assert game.refused(Shoot("guns", "mob", gun.id)) == "SNAP-2"


def test_a_heavy_blast_that_moved_is_silent_model_by_model(squad: Any, skirmish: Any) -> None:
    """[HEVY-2, SNAP-2, MVSH-1]"""
    game = skirmish(
        squad("guns", [(20, 10), (22, 10)], [MORTAR], profile=BS4),
        mob(squad, [(20, 30)]),
        turn=[UnitTurn("guns", moved=(1,))],
        dice=[5, 1],
    )
    game.play(Shoot("guns", "mob", "mortar"), AimAt(Point(20000, 30000)))
    assert game.said(WeaponFired)[0].models == (2,)
