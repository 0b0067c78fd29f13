"""`given(battle)` is total: at any point between procedures it rebuilds an equal battle."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import given as with_any
from hypothesis import strategies as st

from engine.answers import legal
from engine.dice import ALGORITHM, SeededDice
from engine.runner import Runner
from engine.sequence import RULES, RULESETS
from events.base import Event, Side
from events.choices import Deploy
from events.codec import decode_event, encode_event
from events.game import ArmyMustered, Chosen, GameCreated, ProcedureStarted
from events.values import Army, ModelSetup, Objective, Point, Profile, Table, UnitSetup, Weapon
from projections.digest import digest
from projections.reducers import fold
from projections.reducers.game import given

RULESET = RULESETS["40k-7e"]
FIGHTER = Profile("fighter", 4, 4, 4, 3, 1, 4, 2, 6, 5)
ARMS = (
    Weapon("rifle", 24000, 4, 5, "assault", 2),
    Weapon("blade", 0, 1, None, "melee", strength_from="user+"),
)
TABLE = Table(36000, 24000, (Objective("well", Point(18000, 12000)),))


def army(side: Side, *sizes: int) -> ArmyMustered:
    units = tuple(
        UnitSetup(
            f"{side}-{k}",
            "",
            side,
            "infantry",
            tuple(
                ModelSetup(f"{side}-{k}.{n}", "fighter", ("rifle", "blade"))
                for n in range(1, size + 1)
            ),
            (FIGHTER,),
            ARMS,
        )
        for k, size in enumerate(sizes, 1)
    )
    return ArmyMustered(side, Army(side, units))


def played(seed: int, steps: int) -> list[Event]:
    """Play at random from what is on offer, mostly toward a fight."""
    runner = Runner(RULESET.next_procedure, SeededDice(str(seed)))
    created = GameCreated("40k-7e", RULES, str(seed), "seeded", ALGORITHM, "free", "same", TABLE)
    advance = runner.create([created, army("red", 3, 2), army("blue", 2, 3)])
    events = list(advance.events)
    random = Random(seed)
    for _ in range(steps):
        battle = advance.battle
        if battle.outcome is not None:
            break
        assert battle.question is not None
        offered = legal(RULESET.answers, battle)
        choice = random.choice(offered)
        if isinstance(offered[0], Deploy):
            choice = offered[-1]
        advance = runner.advance(Chosen(battle.question.player, choice))
        events += advance.events
    return events


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@with_any(st.integers(0, 2**32), st.integers(0, 80))
def test_given_rebuilds_the_battle_before_any_procedure(seed: int, steps: int) -> None:
    """[P4]"""
    events = played(seed, steps)
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


def test_the_random_games_reach_every_phase() -> None:
    """Guards the property above: it says little about phases no game gets to."""
    names = {
        event.name
        for seed in range(4)
        for event in played(seed, 120)
        if isinstance(event, ProcedureStarted)
    }
    assert {"roll_off", "deploy", "move_a_unit", "psychic_phase", "end_turn"} <= names
