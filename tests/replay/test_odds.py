"""Odds at a decision: exact by walking the dice, or sampled; the game is left as it is. [P10]"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from engine.armies import bundled, read_army_bytes
from engine.ask import Roll
from engine.bots import bots_for, play_out
from engine.dice import ALGORITHM
from engine.enumerate import WalkingDice, class_of, number, ways
from engine.game import Game
from engine.notation import read
from engine.play import Play
from engine.sequence import RULES
from events.base import Input
from events.choices import Charge, EndPhase, FightCombat, Shoot
from events.codec import encode_event
from events.errors import IllegalChoice, LedgerError
from events.game import Chosen, DiceRolled, GameCreated
from events.ledger import Ledger
from events.values import ModelSetup, Point, Profile, Rect, Table, UnitSetup, Weapon
from projections.battle import (
    AssaultPhase,
    Battle,
    Clock,
    Model,
    Settings,
    ShootingPhase,
    Unit,
    Zone,
)
from projections.reducers.game import given
from replay import odds as odds_module
from replay.odds import Chance, chance, odds, root, spread

ZONES = (Zone("red", Rect(0, 0, 72000, 12000)), Zone("blue", Rect(0, 36000, 72000, 48000)))
PLAIN = Profile("plain", 4, 4, 4, 4, 1, 4, 1, 8, save=3)
RIFLE = Weapon("rifle", 24000, 4, None, "heavy", 1)


def squad(unit, side, places, weapons=(), points=0):
    """A unit with its setup, where it stands."""
    models = tuple(
        ModelSetup(f"{unit}.{n}", "plain", tuple(w.id for w in weapons))
        for n in range(1, len(places) + 1)
    )
    setup = UnitSetup(unit, unit, side, "infantry", models, (PLAIN,), tuple(weapons), points)
    stand = tuple(Model(n, Point(x, y)) for n, (x, y) in enumerate(places, 1))
    return setup, Unit(unit, side, stand, len(places), len(places))


def begin(*squads, phase=None, seed="s", dice="seeded"):
    """A game in the middle of red's second turn, and its ledger."""
    name = "shooting" if phase is None else "assault"
    battle = Battle(
        Settings("40k-7e", dice, ALGORITHM, "free", "same"),
        Table(),
        tuple(setup for setup, _ in squads),
        tuple(unit for _, unit in squads),
        Clock(2, "red", "red", name, in_phase=True, in_turn=True),
        ZONES,
        phase or ShootingPhase(),
    )
    ledger = Ledger.memory()
    created = GameCreated("40k-7e", RULES, seed, dice, ALGORITHM, "free", "same", Table())
    return ledger, Game.begin(ledger, [created, given(battle)], "g")


def firefight(**more):
    """Two rifles against three models at three distances."""
    return begin(
        squad("riflemen", "red", [(10000, 10000), (11500, 10000)], [RIFLE], 20),
        squad("mob", "blue", [(10000, 20000), (12000, 21000), (14000, 23000)], points=30),
        **more,
    )


SHOT = Shoot("riflemen", "mob", "rifle")


def test_a_volley_s_odds_are_those_worked_out_by_hand():
    # [THIT-1, TWND-1, SAVE-1] 3+ to hit, 4+ to wound, 3+ save: each shot kills one time in nine.
    _, game = firefight()
    found = odds(game, SHOT)
    kill = Fraction(2, 3) * Fraction(1, 2) * Fraction(1, 3)
    assert (found.method, found.by, found.choice) == (
        "exact",
        "red",
        "shoot riflemen > mob with rifle",
    )
    assert found.succeeds == "mob loses a model"
    assert found.success == Chance(*[1 - (1 - kill) ** 2] * 3)
    assert dict(found.inflicted.shares) == {
        0: (1 - kill) ** 2,
        1: 2 * kill * (1 - kill),
        2: kill**2,
    }
    assert found.inflicted.mean == 2 * kill and found.inflicted.at_least(2) == kill**2
    assert dict(found.suffered.shares) == {0: Fraction(1)}
    assert found.points.mean == 2 * kill * 100


@pytest.mark.parametrize(("gap", "chance_of_it"), [(6900, "7/12"), (7100, "5/12"), (11900, "1/36")])
def test_a_charge_arrives_as_often_as_two_dice_reach(gap, chance_of_it):
    # [CRNG-1, CMOV-8]
    apart = gap + 984  # two bases of 25 mm
    _, game = begin(
        squad("boyz", "red", [(10000, 10000)], points=10),
        squad("lads", "blue", [(10000, 10000 + apart)], points=10),
        phase=AssaultPhase(),
    )
    found = odds(game, Charge("boyz", ("lads",)))
    assert (found.method, found.succeeds) == ("exact", "the charge arrives")
    assert found.success.value == Fraction(chance_of_it)


def test_a_combat_is_followed_to_its_end_and_both_sides_strike(monkeypatch):
    # [CHOC-1, MHIT-1, MWND-1, RSLT-1] One blow each at one step: 4+, 4+ and a failed 3+ save.
    locked = [
        (setup, replace(unit, locked=True))
        for setup, unit in (
            squad("boyz", "red", [(10000, 10000)], points=10),
            squad("lads", "blue", [(10000, 10985)], points=14),
            squad("nobz", "red", [(30000, 10000)], points=10),
            squad("toughs", "blue", [(30000, 10985)], points=14),
        )
    ]
    _, game = begin(*locked, phase=AssaultPhase(fighting=True))
    found = odds(game, FightCombat("boyz"))
    kill = Fraction(1, 2) * Fraction(1, 2) * Fraction(1, 3)
    assert (found.method, found.succeeds) == ("exact", "red wins the combat")
    assert found.success.value == kill * (1 - kill)
    assert found.inflicted.mean == found.suffered.mean == kill
    assert dict(found.points.shares) == {
        0: (1 - kill) ** 2,
        140: kill * (1 - kill),
        -100: kill * (1 - kill),
        40: kill**2,
    }
    monkeypatch.setattr(odds_module, "WAYS", 0)
    both = odds(game, FightCombat("boyz"), until="phase", samples=200)
    assert both.inflicted.low < 2 * kill < both.inflicted.high, "the other combat is fought too"


def test_samples_agree_with_the_exact_odds_and_say_how_far_to_trust_them(monkeypatch):
    _, game = firefight()
    exact = odds(game, SHOT)
    monkeypatch.setattr(odds_module, "WAYS", 0)
    counted = []
    found = odds(game, SHOT, samples=300, progress=lambda done, of: counted.append((done, of)))
    assert (found.method, found.runs) == ("sampled", 300)
    assert found.success.low < exact.success.value < found.success.high
    assert found.inflicted.low < exact.inflicted.mean < found.inflicted.high
    assert found.success.high - found.success.low < Fraction(1, 8)
    assert counted[-1] == (300, 300) and len(counted) == odds_module.SCOUTS + 300
    assert odds(game, SHOT, samples=300) == found, "the same question has the same answer"


def test_a_walk_that_turns_out_too_long_is_given_up(monkeypatch):
    _, game = firefight()
    monkeypatch.setattr(odds_module, "SCOUTS", 1)
    exact = odds(game, SHOT)
    monkeypatch.setattr(odds_module, "WAYS", exact.runs)
    assert odds(game, SHOT) == exact
    monkeypatch.setattr(odds_module, "WAYS", exact.runs - 1)
    assert odds(game, SHOT, samples=5).method == "sampled"


def interrupted(after):
    """Progress that is interrupted when it is called for the nth time, as Ctrl-C does."""
    called = []

    def moved(done, of):
        called.append(done)
        if len(called) == after:
            raise KeyboardInterrupt

    return moved


def test_samples_that_are_interrupted_come_to_what_there_is(monkeypatch):
    _, game = firefight()
    monkeypatch.setattr(odds_module, "WAYS", 0)
    scouts = odds_module.SCOUTS
    found = odds(game, SHOT, samples=300, progress=interrupted(scouts + 37))
    assert (found.method, found.runs, found.wanted) == ("sampled", 37, 300)
    # the interval is that of so many samples: nothing else is claimed
    assert replace(found, wanted=37) == odds(game, SHOT, samples=37)
    # and where there are too few for an interval there are no odds
    for few in (scouts, scouts + 1):
        with pytest.raises(KeyboardInterrupt):
            odds(game, SHOT, samples=300, progress=interrupted(few))
    assert odds(game, SHOT, samples=300, progress=interrupted(scouts + 2)).runs == 2


def test_a_walk_that_is_interrupted_comes_to_the_samples_that_were_taken_first():
    _, game = firefight()
    whole = odds(game, SHOT)
    found = odds(game, SHOT, progress=interrupted(odds_module.SCOUTS + whole.runs - 1))
    assert (found.method, found.runs) == ("sampled", odds_module.SCOUTS)
    assert found.wanted == odds_module.SAMPLES
    assert found.success.low < whole.success.value < found.success.high


def test_the_seed_of_the_game_has_no_part_in_it():
    # Odds that knew the game's own dice would tell what comes.
    one, two = (firefight(seed=seed)[1] for seed in ("one", "another"))
    assert odds(one, SHOT) == odds(two, SHOT)
    assert odds(one, EndPhase(), until="turn", samples=3) == odds(
        two, EndPhase(), until="turn", samples=3
    )


def test_entered_dice_have_odds_too():
    _, game = firefight(dice="entered")
    assert odds(game, SHOT).success == odds(firefight()[1], SHOT).success


def test_a_choice_without_dice_comes_to_one_thing():
    _, game = firefight()
    found = odds(game, EndPhase())
    assert (found.method, found.runs, found.success, found.succeeds) == ("exact", 1, None, "")
    assert found.points.mean == 0


def test_a_choice_that_the_rules_refuse_has_no_odds():
    _, game = firefight()
    with pytest.raises(IllegalChoice, match="SHPH-1"):
        odds(game, Shoot("mob", "riflemen", "rifle"))
    with pytest.raises(LedgerError, match="no game step"):
        odds(game, SHOT, at=99)


@pytest.fixture(scope="module")
def fought():
    """A finished bot battle and its ledger."""
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="odds", undo="free", game="g")
        play_out(game, *bots_for(game))
        yield ledger, game


def decisions(game, kind):
    """The steps at which a kind of choice was made, each with the choice."""
    for node in game.history.path():
        first = node.events[0]
        if isinstance(first, Chosen) and isinstance(first.choice, kind):
            yield node.parent.step, first.choice


def test_odds_at_any_step_change_no_byte_and_no_node(fought):
    ledger, game = fought
    rows, battle = ledger.read("g"), game.battle
    tree = {n: (node.forward, list(node.children)) for n, node in game.history.nodes.items()}
    for kind in (Charge, Shoot):
        step, choice = next(decisions(game, kind))
        assert odds(game, choice, at=step, samples=3).runs > 0
    assert ledger.read("g") == rows and game.battle is battle
    assert {n: (node.forward, node.children) for n, node in game.history.nodes.items()} == tree


def test_in_the_middle_of_an_action_the_action_is_gone_on_with(fought):
    # [P5] The open procedure is made again from what was recorded.
    _, game = fought
    node = next(
        node
        for node in game.history.path()
        if node.began is None and node.children and node.battle.question is not None
    )
    choice = node.forward or node.children[0]
    found = odds(game, choice.events[0].choice, at=node.step, samples=3)
    assert found.by == node.battle.question.player


def test_a_game_that_was_asked_for_odds_goes_on_as_one_that_was_not():
    plain, asked = (firefight(seed="on") for _ in range(2))
    odds(asked[1], SHOT)
    for _, game in (plain, asked):
        game.play(SHOT)
        game.play(read("end phase"))
    assert [r.chain for r in plain[0].read("g")] == [r.chain for r in asked[0].read("g")]


class Classed:
    """Dice that fell in a game, each shown as another face of its class, in another order."""

    source = "seeded"
    salt = 0

    def __init__(self, rolls):
        self.rolls = iter(rolls)

    def faces(self, battle, roll, ordinal):
        """The next roll's faces, as `WalkingDice` would show them."""
        fell = next(self.rolls).faces
        shown = sorted(class_of(face, roll.sides, roll.need) for face in fell)
        known = {one.faces for one in ways(roll)}
        return tuple(shown) if tuple(shown) in known and len(shown) > 1 else fell


def test_rules_read_nothing_of_dice_but_their_class(fought):
    # What the walk rests on: a whole battle comes to the same with all dice shown as their class.
    _, game = fought
    path = game.history.path()
    rolls = [e for node in path for e in node.events if isinstance(e, DiceRolled)]
    assert any(class_of(f, r.sides, r.need) != f for r in rolls for f in r.faces)
    play = Play.of(game.created, Classed(rolls))
    first = [event for event in path[0].events if isinstance(event, Input)]
    play.adopt(1, play.create([e for e in first if not isinstance(e, DiceRolled)]))
    for node in path[1:]:
        play.adopt(node.step, play.answer(node.events[0]))
    for ours, theirs in zip(play.history.path(), path, strict=True):
        facts = [e for e in ours.events if not isinstance(e, DiceRolled)]
        assert facts == [e for e in theirs.events if not isinstance(e, DiceRolled)]
        assert ours.battle == theirs.battle


@pytest.mark.parametrize(
    ("purpose", "count", "need"),
    [("to hit", 3, 3), ("to hit", 2, 6), ("to wound", 2, 2), ("morale", 2, 0), ("scatter", 2, 0)],
)
def test_ways_are_all_faces_counted(purpose, count, need):
    fallen = Counter()
    for faces in product(range(1, 7), repeat=count):
        shown = tuple(class_of(face, 6, need) for face in faces)
        fallen[shown if purpose == "scatter" else tuple(sorted(shown))] += 1
    roll = Roll(purpose, count, need=need)
    found = list(ways(roll))
    assert {one.faces: one.chance for one in found} == {
        faces: Fraction(times, 6**count) for faces, times in fallen.items()
    }
    assert len(found) == number(roll)


def test_a_walk_meets_every_way_once_and_the_chances_add_up_to_one():
    dice, met = WalkingDice(), {}
    while dice.next_way():
        (first,) = dice.faces(None, Roll("one"), 0)
        second = dice.faces(None, Roll("two", need=5), 0) if first > 4 else ()
        met[first, second] = dice.chance
    assert len(met) == 4 + 2 * 3
    assert sum(met.values()) == 1
    assert met[6, (1,)] == Fraction(1, 6) * Fraction(2, 3)


def test_intervals_are_wilson_s_and_the_mean_s():
    assert chance(Fraction(0), 0) == Chance(Fraction(0), Fraction(0), Fraction(0))
    never = chance(Fraction(0), 50)
    assert never.low == 0 and 0.07 < float(never.high) < 0.072
    even = spread([(0, Fraction(1, 2)), (1, Fraction(1, 2))], 101)
    assert even.mean == Fraction(1, 2)
    assert float(even.high - even.mean) == pytest.approx(1.96 * 0.05, abs=1e-5)
    assert root(Fraction(2)) ** 2 > 2 > (root(Fraction(2)) - Fraction(1, 10**6)) ** 2


def test_events_of_a_fork_are_events_as_stored():
    ledger, game = firefight()
    odds(game, SHOT)
    assert all(encode_event(event) for _, event in game.history.facts())
    assert len(ledger.read("g")) == 1
