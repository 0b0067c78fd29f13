"""Whole games at close quarters: every offer is accepted, every game comes to its end. [ASPH]"""

from __future__ import annotations

from random import Random

import pytest

from engine.answers import check, legal
from engine.dice import ALGORITHM, SeededDice
from engine.runner import Runner
from engine.sequence import RULES, RULESETS
from events.assault import CombatResolved, UnitCharged
from events.base import Event, Side
from events.choices import Charge, EndPhase, MoveUnit
from events.game import ArmyMustered, Chosen, GameCreated, GameEnded
from events.questions import WhoMoves, WhoShoots
from events.values import Army, ModelSetup, Point, Profile, Table, UnitSetup, Weapon
from projections.battle import Battle
from projections.queries import place_of, unit_of, units_on_table
from projections.reducers import fold
from projections.reducers.game import given

RULESET = RULESETS["40k-7e"]
BOLTGUN = Weapon("boltgun", 24000, 4, 5, "rapid_fire")
PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")
SWORD = Weapon("sword", 0, 0, None, "melee", strength_from="user+")
FIST = Weapon("fist", 0, 2, 2, "melee", strength_from="user*")
MARINE = Profile("marine", 4, 4, 4, 4, 1, 4, 1, 8, 3)
BRUTE = Profile("brute", 4, 2, 4, 4, 2, 3, 3, 7, 4)
BOY = Profile("boy", 4, 2, 3, 4, 1, 2, 2, 7, 6)


def unit(name: str, side: Side, profile: Profile, count: int, *weapons: Weapon) -> UnitSetup:
    """Return a unit whose first model has a fist."""
    ids = tuple(weapon.id for weapon in weapons)
    models = tuple(
        ModelSetup(f"{name}.{n}", profile.name, ("fist",) if n == 1 else ids)
        for n in range(1, count + 1)
    )
    return UnitSetup(name, name, side, "infantry", models, (profile,), (*weapons, FIST))


def armies() -> tuple[ArmyMustered, ArmyMustered]:
    red = Army(
        "red",
        (
            unit("marines", "red", MARINE, 6, PISTOL, SWORD),
            unit("shooters", "red", MARINE, 5, BOLTGUN),
            unit("veterans", "red", BRUTE, 3, SWORD),
        ),
    )
    blue = Army(
        "blue",
        (
            unit("boyz", "blue", BOY, 10, PISTOL, SWORD),
            unit("brutes", "blue", BRUTE, 4, SWORD),
            unit("lads", "blue", BOY, 8, PISTOL),
        ),
    )
    return ArmyMustered("red", red), ArmyMustered("blue", blue)


def nearest_to_enemy(battle: Battle, moves: list[MoveUnit]) -> MoveUnit:
    """Return the move that brings its unit's first model nearest to any enemy."""

    def distance(move: MoveUnit) -> int:
        mover = unit_of(battle, move.unit)
        at = place_of(mover.models[0])
        end = Point(at.x + move.by.x, at.y + move.by.y)
        return min(
            (place_of(m).x - end.x) ** 2 + (place_of(m).y - end.y) ** 2
            for foe in units_on_table(battle)
            if foe.side != mover.side
            for m in foe.models
        )

    return min(moves, key=distance)


@pytest.mark.parametrize("seed", ["iron", "salt", "ash"])
def test_whole_games_through_the_runner(seed: str) -> None:
    """[ASPH-1, FITE-3] Random choices, eager to charge, on a small table."""
    random = Random(seed)
    runner = Runner(RULESET.next_procedure, SeededDice(seed))
    created = GameCreated(
        "40k-7e", RULES, seed, "seeded", ALGORITHM, "free", "same", Table(30000, 27000)
    )
    advance = runner.create([created, *armies()])
    events: list[Event] = list(advance.events)
    while advance.battle.outcome is None:
        battle = advance.battle
        question = battle.question
        assert question is not None
        offers = legal(RULESET.answers, battle)
        for offer in offers:
            check(RULESET.answers, battle, question.player, offer)
        moves = [offer for offer in offers if isinstance(offer, MoveUnit)]
        charges = [offer for offer in offers if isinstance(offer, Charge)]
        if isinstance(question, WhoMoves) and moves:
            choice = nearest_to_enemy(battle, moves)
        elif isinstance(question, WhoShoots):
            choice = EndPhase()
        else:
            choice = random.choice(charges or offers)
        advance = runner.advance(Chosen(question.player, choice))
        events += advance.events
    kinds = [type(event) for event in events]
    assert kinds[-1] is GameEnded
    assert UnitCharged in kinds and CombatResolved in kinds
    assert fold(None, events) == advance.battle
    assert fold(None, [created, given(advance.battle)]) == advance.battle
