"""Analysis: damage, points, distance and time as read models along the path to the head. [P8]"""

from __future__ import annotations

from collections import Counter
from itertools import count

import pytest

from engine.armies import bundled, read_army_bytes
from engine.bots import bots_for, play_out
from engine.game import Game
from events.assault import InitiativeStepStarted, SweepingAdvanceRolled
from events.attacks import (
    BlowsStruck,
    HitsScored,
    ModelRemoved,
    TargetChosen,
    UnitDestroyed,
    WeaponFired,
    WoundAllocated,
    WoundsScored,
    WoundSuffered,
)
from events.choices import AllocateWounds
from events.codec import encode_event
from events.game import ArmyMustered, Chosen, DiceRolled, UnitDeployed
from events.ledger import Ledger
from events.movement import ModelsMoved, Spot, UnitMoved
from events.rulings import PositionRuling, RulingMade
from events.values import Army, ModelSetup, Point, Profile, UnitSetup
from projections.history import Node
from replay.analysis import analyse
from replay.analysis.damage import harms, weapon_tallies
from replay.analysis.many import season
from replay.analysis.movement import moves
from replay.analysis.pace import paces, spent
from replay.analysis.units import enrolled


def army(side, points, **units):
    """An army of plain units."""
    stats = Profile("one", 4, 4, 4, 4, 1, 4, 1, 8)
    return ArmyMustered(
        side,
        Army(
            side,
            tuple(
                UnitSetup(
                    unit,
                    unit,
                    side,
                    "infantry",
                    tuple(ModelSetup(f"{unit}.{n}", "one") for n in range(1, models + 1)),
                    (stats,),
                    points=points,
                )
                for unit, models in units.items()
            ),
        ),
    )


MUSTER = [(1, army("red", 90, boyz=9)), (1, army("blue", 60, warriors=3, scouts=4))]


def removed(model, cause="combat"):
    """The facts of a model's last Wound."""
    return [WoundSuffered(model, 1, 1, cause), ModelRemoved(model, cause)]


def at_step(step, *events):
    """Events as facts of one step."""
    return [(step, event) for event in events]


def test_a_failed_save_names_who_dealt_the_wound():
    save = DiceRolled("armour save", (1,), 4, 0, "warriors", "boyz", "choppa")
    given = [
        *MUSTER,
        *at_step(
            2,
            WoundsScored("boyz", "warriors", "slugga", 1, 4),
            WoundsScored("boyz", "warriors", "choppa", 1, 4),
            WoundAllocated("warriors.1", "armour", 4),
            save,
            *removed("warriors.1"),
        ),
    ]
    assert [(h.attacker, h.weapon, h.victim, h.wounds, h.models) for h in harms(given)] == [
        ("boyz", "choppa", "warriors", 1, 0),
        ("boyz", "choppa", "warriors", 0, 1),
    ]


def test_a_wound_without_a_save_is_the_next_of_the_pool():
    # [WPOL-1] Wounds of a pool are allocated in the order they were scored.
    given = [
        *MUSTER,
        *at_step(
            2,
            WoundsScored("boyz", "warriors", "slugga", 1, 4),
            WoundsScored("boyz", "warriors", "choppa", 1, 4),
            WoundAllocated("warriors.1"),
            *removed("warriors.1"),
            WoundAllocated("warriors.2"),
            *removed("warriors.2"),
        ),
    ]
    assert [h.weapon for h in harms(given) if h.models] == ["slugga", "choppa"]


def test_a_wound_without_a_save_is_of_the_group_that_was_chosen():
    given = [
        *MUSTER,
        *at_step(
            2,
            WoundsScored("boyz", "warriors", "choppa", 2, 4),
            WoundsScored("boyz", "warriors", "claw", 1, 8, 2),
        ),
        *at_step(
            3,
            Chosen("red", AllocateWounds(8, 2)),
            WoundAllocated("warriors.1"),
            *removed("warriors.1"),
            WoundAllocated("warriors.2"),
            *removed("warriors.2"),
        ),
    ]
    assert [h.weapon for h in harms(given) if h.models] == ["claw", "choppa"]


def test_an_old_pool_is_forgotten_when_the_next_blows_fall():
    given = [
        *MUSTER,
        *at_step(
            2,
            WoundsScored("boyz", "warriors", "slugga", 3, 4),
            InitiativeStepStarted(4),
            WoundsScored("boyz", "warriors", "choppa", 1, 4),
            WoundAllocated("warriors.1"),
            *removed("warriors.1"),
        ),
    ]
    assert [h.weapon for h in harms(given) if h.models] == ["choppa"]


def test_terrain_and_flight_are_nobody_s_doing_and_a_sweep_is_the_pursuer_s():
    given = [
        *MUSTER,
        *at_step(2, WoundAllocated("boyz.1"), *removed("boyz.1", "dangerous terrain")),
        *at_step(
            3,
            SweepingAdvanceRolled("warriors", "boyz", 5, 8, True),
            UnitDestroyed("warriors", "swept"),
            UnitDestroyed("scouts", "fled the table"),
        ),
    ]
    assert [(h.attacker, h.weapon, h.victim, h.models) for h in harms(given) if h.models] == [
        ("", "dangerous terrain", "boyz", 1),
        ("boyz", "swept", "warriors", 3),
        ("", "fled the table", "scouts", 4),
    ]


def test_a_weapon_is_followed_from_its_attacks_to_the_points_it_took():
    given = [
        *MUSTER,
        *at_step(
            2,
            TargetChosen("boyz", "warriors"),
            WeaponFired("boyz", "warriors", "slugga", "pistol", (1, 2, 3), 3),
            HitsScored("boyz", "warriors", "slugga", 3),
            WoundsScored("boyz", "warriors", "slugga", 2, 4),
            WoundAllocated("warriors.1"),
            *removed("warriors.1", "shooting"),
            WoundAllocated("warriors.2", "armour", 4),
            DiceRolled("armour save", (5,), 4, 1, "warriors", "boyz", "slugga"),
        ),
        *at_step(
            3,
            BlowsStruck("boyz", "scouts", "choppa", (1,), 2, 4),
            HitsScored("boyz", "scouts", "choppa", 0),
        ),
    ]
    slugga, choppa = weapon_tallies(given, enrolled(given))
    assert (slugga.attacks, slugga.hits, slugga.wounds, slugga.unsaved) == (3, 3, 2, 1)
    assert (slugga.models, slugga.points) == (1, 200)
    assert (choppa.attacks, choppa.hits, choppa.models) == (2, 0, 0)


def test_distance_is_how_far_the_farthest_model_went_in_a_straight_line():
    given = [
        *at_step(1, UnitDeployed("boyz", (Point(0, 0), Point(2000, 0)))),
        *at_step(2, UnitMoved("boyz", "move", Point(3000, 4000))),
        *at_step(3, ModelsMoved("boyz", "charge", (Spot(1, 3000, 5000), Spot(2, 5000, 4300)))),
        *at_step(4, ModelsMoved("boyz", "run", ())),
    ]
    assert [(m.step, m.kind, m.distance) for m in moves(given)] == [
        (2, "move", 5000),
        (3, "charge", 1000),
        (4, "run", 0),
    ]


def test_a_ruling_on_places_is_no_move():
    # [WOBL] Models were put where both players agree they stand; the next move starts there.
    agreed = RulingMade("red", PositionRuling("boyz", (Spot(1, 9000, 0),)))
    given = [
        *at_step(1, UnitDeployed("boyz", (Point(0, 0),))),
        *at_step(2, agreed),
        *at_step(3, ModelsMoved("boyz", "move", (Spot(1, 9000, 2000),))),
    ]
    assert [(m.step, m.distance) for m in moves(given)] == [(3, 2000)]


@pytest.fixture(scope="module")
def fought():
    """A bot battle with a choice undone and played otherwise on the way; a clock that ticks."""
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    ticks = count(1_000_000, 250)
    with Ledger.memory() as ledger:
        game = Game.create(
            ledger, red=red, blue=blue, seed="analysis", undo="free", now=lambda: next(ticks)
        )
        play_out(game, *bots_for(game))
        game.undo(to=game.history.path()[60].step)
        play_out(game, *reversed(bots_for(game)))
        yield ledger, game


@pytest.fixture(scope="module")
def analysis(fought):
    """The analysis of that battle."""
    ledger, game = fought
    return analyse(game.history, ledger.read(game.id), game.id)


def test_rebuilt_from_the_stream_the_analysis_is_that_of_the_live_game(fought, analysis):
    ledger, game = fought
    loaded = Game.open(ledger, game.id)
    assert loaded.history is not game.history
    assert analyse(loaded.history, ledger.read(game.id), game.id) == analysis


def test_analysis_changes_no_byte_of_the_stream(fought):
    ledger, game = fought
    before = ledger.read(game.id)
    analyse(game.history, before)
    assert ledger.read(game.id) == before


def test_undone_steps_do_not_count(fought, analysis):
    _, game = fought
    steps = {node.step for node in game.history.path()}
    assert {one.step for one in analysis.times} == steps
    assert {harm.step for harm in analysis.harms} <= steps
    assert {one.roll.step for one in analysis.rolls} <= steps < set(game.history.nodes)


def test_what_is_left_is_what_stands_at_the_head(fought, analysis):
    _, game = fought
    for unit, tally in zip(game.battle.units, analysis.units, strict=True):
        assert (tally.unit, tally.left, tally.models) == (unit.id, len(unit.models), unit.started)


def test_what_one_side_deals_the_other_has_lost(analysis):
    for mine, theirs in (("red", "blue"), ("blue", "red")):
        dealt = sum(u.models_removed for u in analysis.units if u.side == mine)
        lost = sum(u.models - u.left for u in analysis.units if u.side == theirs)
        side_of = {u.unit: u.side for u in analysis.units}
        nobody = sum(
            h.models for h in analysis.harms if not h.attacker and side_of[h.victim] == theirs
        )
        assert dealt > 0 and dealt + nobody == lost


def test_every_wound_of_a_weapon_was_hit_for_and_scored(analysis):
    assert analysis.weapons
    for used in analysis.weapons:
        if used.weapon != "swept":
            assert used.unsaved <= used.wounds <= used.hits <= used.attacks, used


def test_moves_add_up_to_each_unit_s_distance_and_end_where_it_stands(fought, analysis):
    total = Counter()
    for move in analysis.moves:
        total[move.unit] += move.distance
    assert total == {u.unit: u.moved for u in analysis.units if u.unit in total}
    assert max(total.values()) > 6000


def test_time_is_that_since_the_row_before_and_the_creation_takes_none(fought, analysis):
    _, _game = fought
    first, *rest = analysis.times
    assert (first.step, first.spent) == (1, 0)
    assert {one.spent for one in rest} == {250}
    for pace in analysis.paces:
        own = [one for one in analysis.times if one.by == pace.player]
        assert (pace.steps, pace.total) == (len(own), 250 * len(own))
        assert (pace.median, pace.longest, pace.longest_step) == (250, 250, own[0].step)


def test_a_clock_that_was_set_back_takes_no_time(fought):
    ledger, game = fought
    rows = ledger.read(game.id)
    path = game.history.path()[:2]
    when = [b'{"at":5000}', b'{"at":3000}']
    set_back = [type(row)(row.n, b"", "", 1, "", meta, "") for row, meta in zip(rows, when)]  # noqa: B905
    assert [one.spent for one in spent(path, set_back)] == [0, 0]
    assert isinstance(path[0], Node)


def test_without_rows_no_times_are_given(fought):
    _, game = fought
    assert analyse(game.history).times == () and paces(()) == ()


def test_a_game_in_progress_is_analysed_as_far_as_it_went(fought):
    ledger, _game = fought
    fresh = Game.create(
        ledger,
        red=read_army_bytes(bundled("emberguard"), "e.ros", "red").army,
        blue=read_army_bytes(bundled("ratskar"), "r.ros", "blue").army,
        seed="early",
        undo="free",
    )
    early = analyse(fresh.history, ledger.read(fresh.id), fresh.id)
    assert early.winner == "nobody yet" and early.harms == () and early.turning == ()


def test_several_games_are_added_up_army_by_army(analysis):
    made = season([analysis, analysis])
    red, blue = made.armies
    assert (red.army, red.games, red.won) == ("Emberguard", 2, 2 * (analysis.winner == "red"))
    assert red.points_dealt == 2 * sum(u.points_dealt for u in analysis.units if u.side == "red")
    assert (red.score, red.against) == (blue.against, blue.score)
    assert red.won + blue.won + red.drawn == 2
    one = next(luck for luck in analysis.lucks if luck.player == "red")
    assert (red.dice, red.passed, red.expected) == (2 * one.dice, 2 * one.passed, 2 * one.expected)
    assert {u.games for u in made.units} == {2}
    assert sum(w.attacks for w in made.weapons) == 2 * sum(w.attacks for w in analysis.weapons)


def test_armies_of_one_name_are_told_apart_by_side(analysis):
    mirror = type(analysis)(
        *(
            {"red": "Ratskar", "blue": "Ratskar"} if name == "armies" else getattr(analysis, name)
            for name in analysis.__struct_fields__
        )
    )
    assert [a.army for a in season([mirror]).armies] == ["Ratskar (red)", "Ratskar (blue)"]


def test_the_same_facts_are_the_same_bytes_before_and_after(fought):
    _, game = fought
    before = [encode_event(event) for _, event in game.history.facts()]
    analyse(game.history)
    assert [encode_event(event) for _, event in game.history.facts()] == before
