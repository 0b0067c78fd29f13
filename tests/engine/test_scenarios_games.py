"""Whole games as scenarios: given is total, and a game written down meets the same facts."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import given as with_any
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.answers import legal
from engine.dice import ALGORITHM, SeededDice
from engine.runner import Runner
from engine.scenarios import Verdict, parse, run, write_scenario
from engine.sequence import RULES, RULESETS
from events.assault import ChargeDeclared, CombatResolved
from events.attacks import ModelRemoved, WeaponFired
from events.base import Event, Fact, Side
from events.choices import Deploy, EndPhase
from events.codec import decode_event, encode_event
from events.game import ArmyMustered, Chosen, GameCreated, ProcedureStarted
from events.morale import MoraleChecked
from events.values import (
    Army,
    ModelSetup,
    Objective,
    Part,
    Point,
    Profile,
    Table,
    Terrain,
    UnitSetup,
    Weapon,
)
from projections.battle import Battle, SetupPhase, TurnRecord
from projections.digest import digest
from projections.reducers import fold
from projections.reducers.game import given

RULESET = RULESETS["40k-7e"]
PROFILES = (
    Profile("fighter", 4, 4, 4, 3, 1, 4, 2, 6, 5),
    Profile("chief", 5, 5, 4, 4, 2, 5, 3, 9, 3, 5),
)
ARMS = (
    Weapon("rifle", 12000, 4, 5, "pistol", 1, rules=("Loud, and how", "Get's Hot!")),
    Weapon("blade", 0, 1, None, "melee", strength_from="user+"),
    Weapon("maul", 0, 2, 2, "melee", strength_from="user*"),
)
HEDGE = Part((Point(11000, 7500), Point(12500, 7500), Point(12000, 8500)), height=1200, dense=False)
TABLE = Table(
    24000,
    16500,
    (Objective("well", Point(12000, 8000), 1),),
    (Terrain("hedge", "open", (HEDGE,), 6), Terrain("ford", "open", (HEDGE,), None, True)),
)


def army(side: Side, *sizes: int) -> ArmyMustered:
    rifle = replace(ARMS[0], strength=3 if side == "red" else 4)
    units = tuple(
        UnitSetup(
            f"{side}-{k}",
            f"{side}-{k}",
            side,
            "infantry",
            (
                ModelSetup(f"{side}-{k}.1", "chief", ("maul",), 160),
                *(
                    ModelSetup(f"{side}-{k}.{n}", "fighter", ("rifle", "blade"))
                    for n in range(2, size + 1)
                ),
            ),
            (PROFILES[1], PROFILES[0]),
            (rifle, *ARMS[1:]),
        )
        for k, size in enumerate(sizes, 1)
    )
    return ArmyMustered(side, Army(side, units))


def game(seed: int, steps: int) -> list[Event]:
    """Play at random, toward each other."""
    runner = Runner(RULESET.next_procedure, SeededDice(str(seed)))
    created = GameCreated("40k-7e", RULES, str(seed), "seeded", ALGORITHM, "free", "same", TABLE)
    advance = runner.create([created, army("red", 7, 5), army("blue", 5, 7)])
    events = list(advance.events)
    random = Random(seed)
    for _ in range(steps):
        battle = advance.battle
        if battle.question is None:
            break
        offered = legal(RULESET.answers, battle)
        if isinstance(offered[0], Deploy) or isinstance(offered[-1], EndPhase):
            offered = offered[:-1] or offered
        choice = random.choice(offered)
        advance = runner.advance(Chosen(battle.question.player, choice))
        events += advance.events
    return events


def bare(battle: Battle) -> Battle:
    """Return a battle without what only shows, and without what no rule reads any more."""
    setups = tuple(
        replace(
            setup,
            weapons=tuple(replace(weapon, rules=()) for weapon in setup.weapons),
        )
        for setup in battle.setups
    )
    order = [unit.id for unit in battle.units]
    turn = TurnRecord(tuple(sorted(battle.turn.units, key=lambda u: order.index(u.unit))))
    # Until the first phase of a turn starts, the last phase's state stands there unread.
    phase = SetupPhase() if battle.clock.phase == "turn" else battle.phase
    return replace(battle, setups=setups, armies=(), turn=turn, phase=phase)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@with_any(st.integers(0, 2**32), st.integers(0, 60))
def test_given_rebuilds_the_battle_before_any_procedure(seed: int, steps: int) -> None:
    """`given(battle)` is total: between procedures it rebuilds an equal state digest. [P4]"""
    events = game(seed, steps)
    created, battle = events[0], None
    assert isinstance(created, GameCreated)
    met = 0
    for event in events:
        if isinstance(event, ProcedureStarted):
            assert battle is not None
            said = decode_event(encode_event(given(battle)))
            rebuilt = fold(None, [created, said])
            assert rebuilt == battle
            assert digest(rebuilt) == digest(battle)
            met += 1
        battle = fold(battle, [event])
    assert met


def test_the_random_games_reach_the_fighting() -> None:
    """Guards the properties here: they say little about rules that no game gets to."""
    met = {type(event) for seed in range(6) for event in game(seed, 60)}
    assert {WeaponFired, ChargeDeclared, CombatResolved, MoraleChecked, ModelRemoved} <= met


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@with_any(st.integers(0, 2**32), st.integers(1, 60), st.floats(0, 1))
def test_a_written_game_reads_back_and_meets_the_same_facts(
    seed: int, steps: int, share: float
) -> None:
    events = game(seed, steps)
    began = [i for i, event in enumerate(events) if isinstance(event, ProcedureStarted)]
    start = began[int(share * (len(began) - 1))]
    battle = fold(None, events[:start])

    text = write_scenario(battle, events[start:], "a game", ["TURN-2"])
    scenario = parse(text)
    result = run(scenario)

    assert bare(scenario.battle) == bare(battle)
    assert result.verdict is Verdict.PASSED, result.report()
    assert [e for e in result.events if isinstance(e, Fact)] == [
        e for e in events[start:] if isinstance(e, Fact)
    ]
