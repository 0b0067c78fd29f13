"""Read models: the dice log, casualties, standings and luck, along the path to the head. [P8]"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from engine.armies import bundled, read_army_bytes
from engine.bots import bots_for, play_out
from engine.game import Game
from events.attacks import ModelRemoved, UnitDestroyed
from events.game import ArmyMustered, DiceRolled, PhaseStarted, PointsScored, TurnEnded, TurnStarted
from events.ledger import Ledger
from events.values import Army, ModelSetup, Profile, UnitSetup
from projections.battle import Score
from projections.readmodels import dice_log, losses, luck, staged, standings
from projections.readmodels.luck import FEWEST, percentile


def army(side, unit, models):
    """An army of one unit."""
    stats = Profile("one", 4, 4, 4, 4, 1, 4, 1, 8)
    setups = tuple(ModelSetup(f"{unit}.{n}", "one") for n in range(1, models + 1))
    return ArmyMustered(
        side, Army(side, (UnitSetup(unit, unit, side, "infantry", setups, (stats,)),))
    )


GIVEN = [
    (1, army("red", "boyz", 5)),
    (1, army("blue", "warriors", 3)),
    (1, DiceRolled("roll-off red", (4,))),
    (2, TurnStarted(1, "red")),
    (2, PhaseStarted("shooting")),
    (3, DiceRolled("to hit", (5, 2, 6), need=3, passed=2, subject="boyz", opponent="warriors")),
    (3, DiceRolled("save", (1, 3), need=4, passed=0, subject="warriors")),
    (3, ModelRemoved("warriors.1", "shooting")),
    (3, ModelRemoved("warriors.2", "shooting")),
    (4, PhaseStarted("assault")),
    (5, ModelRemoved("boyz.4", "combat")),
    (5, UnitDestroyed("warriors", "swept")),
    (6, TurnEnded(1, "red")),
    (7, PointsScored("red", 1, "units destroyed")),
]


def test_every_event_knows_its_turn_and_phase():
    at = [(s.step, s.turn, s.active, s.phase) for s in staged(GIVEN)]
    assert at[0] == (1, 0, "red", "setup")
    assert at[5] == (3, 1, "red", "shooting")
    assert at[11] == (5, 1, "red", "assault")


def test_the_dice_log_names_the_roller_by_the_unit_that_rolls():
    log = dice_log(GIVEN)
    assert [(r.purpose, r.player, r.faces, r.need, r.passed) for r in log] == [
        ("roll-off red", "", (4,), 0, 0),
        ("to hit", "red", (5, 2, 6), 3, 2),
        ("save", "blue", (1, 3), 4, 0),
    ]
    assert (log[1].step, log[1].turn, log[1].phase) == (3, 1, "shooting")


def test_losses_are_added_up_by_unit_phase_and_cause_and_a_destroyed_unit_loses_the_rest():
    assert [(x.unit, x.side, x.phase, x.cause, x.models, x.left) for x in losses(GIVEN)] == [
        ("warriors", "blue", "shooting", "shooting", 2, 1),
        ("boyz", "red", "assault", "combat", 1, 4),
        ("warriors", "blue", "assault", "swept", 1, 0),
    ]


def test_standings_count_models_units_destroyed_and_points():
    (stood,) = standings(GIVEN)
    assert (stood.turn, stood.active) == (1, "red")
    assert (stood.red_models, stood.blue_models) == (4, 0)
    assert (stood.red_destroyed, stood.blue_destroyed) == (1, 0)
    assert (stood.red_points, stood.blue_points) == (0, 0)


def test_luck_is_silent_below_thirty_dice():
    one = luck(dice_log(GIVEN), "red")
    assert (one.dice, one.passed, one.expected, one.per_mille) == (3, 2, 20, None)


def test_luck_speaks_from_thirty_dice_on():
    assert FEWEST == 30
    rolled = DiceRolled("to hit", (6,) * 15 + (1,) * 15, need=4, passed=15, subject="boyz")
    one = luck(dice_log([GIVEN[0], (2, rolled)]), "red")
    assert (one.dice, one.passed, one.expected, one.per_mille) == (30, 15, 150, 500)


def test_a_need_that_no_face_meets_or_all_do_is_counted_so():
    rolls = [
        (2, DiceRolled("hopeless", (6,) * 20, need=7, passed=0, subject="boyz")),
        (2, DiceRolled("sure", (1,) * 20, need=1, passed=20, subject="boyz")),
    ]
    one = luck(dice_log([GIVEN[0], *rolls]), "red")
    assert (one.expected, one.passed, one.per_mille) == (200, 20, 500)


@pytest.mark.parametrize("passed", range(6))
def test_the_percentile_is_that_of_every_outcome_counted(passed):
    # Two dice on a 3+ and three on a 5+: all 7,776 outcomes.
    counts = Counter(
        sum(face >= need for face, need in zip(faces, (3, 3, 5, 5, 5), strict=True))
        for faces in product(range(1, 7), repeat=5)
    )
    below = sum(count for successes, count in counts.items() if successes < passed)
    exact = Fraction(1000 * (2 * below + counts[passed]), 2 * 6**5)
    found = percentile([(2, Fraction(2, 3)), (3, Fraction(1, 3))], passed)
    assert found == int(exact + Fraction(1, 2))


@pytest.fixture(scope="module")
def fought():
    """A bot battle with a choice undone and played otherwise on the way."""
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="models", undo="free")
        play_out(game, *bots_for(game))
        game.undo(to=game.history.path()[60].step)
        play_out(game, *reversed(bots_for(game)))
        yield game


def test_losses_and_standings_agree_with_the_battle_at_the_head(fought):
    battle = fought.battle
    lost = Counter()
    for loss in losses(fought.history.facts()):
        lost[loss.unit] += loss.models
    for unit in battle.units:
        assert unit.started - lost[unit.id] == len(unit.models)
    last = standings(fought.history.facts())[-1]
    assert last.ended
    assert Score(last.red_points, last.blue_points) == battle.score
    assert last.red_models == sum(len(u.models) for u in battle.units if u.side == "red")


def test_only_the_path_to_the_head_counts_undone_dice_do_not(fought):
    steps = {node.step for node in fought.history.path()}
    log = dice_log(fought.history.facts())
    assert {roll.step for roll in log} <= steps
    everything = sum(
        type(event) is DiceRolled for node in fought.history.nodes.values() for event in node.events
    )
    assert 0 < len(log) < everything


def test_the_dice_log_adds_up_to_what_the_rolls_say(fought):
    for roll in dice_log(fought.history.facts()):
        assert len(roll.faces) > 0
        assert roll.passed == (sum(f >= roll.need for f in roll.faces) if roll.need else 0)
