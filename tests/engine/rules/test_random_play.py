"""Whole games of random legal choices, from the roll-off to the end, without a fault."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import pytest

from engine.answers import check, legal
from engine.dice import ALGORITHM, SeededDice
from engine.runner import Advance, Runner
from engine.sequence import RULES, RULESETS
from events.base import Event
from events.choices import CeaseFire, EndPhase
from events.game import ArmyMustered, Chosen, DiceRolled, GameCreated
from events.questions import (
    GroundOffered,
    RerollOffered,
    WhereToAim,
    WhereToRegroup,
    WhereToRun,
    WhichWeapon,
    WhichWounds,
)
from events.values import Army, ModelSetup, Profile, Table, UnitSetup, Weapon
from projections.reducers import fold

RULESET = RULESETS["40k-7e"]
RIFLE = Weapon("rifle", 24000, 4, 5, "rapid_fire")
CANNON = Weapon("cannon", 36000, 6, 3, "heavy", 2)
CARBINE = Weapon("carbine", 18000, 5, 4, "assault", 3)
PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")
MORTAR = Weapon("mortar", 48000, 4, 6, "heavy", 1, blast=5000, rules=("Twin-linked",))
TORCH = Weapon("torch", 8000, 4, 5, "assault", 1, template=True)
BOMBLET = Weapon("bomblet", 8000, 3, None, "assault", 1, blast=3000, grenade=True)
HAILER = Weapon("hailer", 30000, 5, 4, "salvo", 4, shots_moved=2)
HOWITZER = Weapon("howitzer", 60000, 8, 3, "ordnance", 1, blast=5000)
DEADEYE = Weapon("deadeye", 36000, 4, 5, "heavy", 2, rules=("Precision Shots",))
CLUB = Weapon("club", 0, 1, None, "melee", strength_from="user+")

SOLDIER = Profile("soldier", 3, 4, 3, 3, 1, 3, 1, 6, save=5)
CAPTAIN = Profile("captain", 5, 7, 4, 4, 3, 5, 3, 9, save=3, invulnerable=4)


MIDWAY = (
    WhereToRun,
    WhereToRegroup,
    WhichWeapon,
    WhereToAim,
    RerollOffered,
    GroundOffered,
    WhichWounds,
)
"""Questions asked in the middle of a rule."""


def army(side: str, *units: tuple[str, int, tuple[Weapon, ...], Profile]) -> ArmyMustered:
    """Return an army: id, number of models, weapons (carried in turn), stat line of each unit."""
    setups = tuple(
        UnitSetup(
            f"{side}-{name}",
            name,
            side,  # type: ignore[arg-type]
            "infantry",
            tuple(
                ModelSetup(f"{side}-{name}.{n}", profile.name, (weapons[n % len(weapons)].id,))
                for n in range(1, count + 1)
            ),
            (profile,),
            weapons,
        )
        for name, count, weapons, profile in units
    )
    return ArmyMustered(side, Army(side, setups))  # type: ignore[arg-type]


def picked(seed: str, n: int, among: int) -> int:
    """Return a number below `among` that only seed and place decide."""
    return int.from_bytes(blake2b(f"{seed}/{n}".encode()).digest()[:8], "big") % among


def played(seed: str, ruleset: str = "40k-7e") -> Iterator[tuple[Runner, Advance]]:
    """Yield each step of a game; ending a phase early is rare."""
    runner = Runner(RULESETS[ruleset].next_procedure, SeededDice(seed))
    advance = runner.create(
        [
            GameCreated(ruleset, RULES, seed, "seeded", ALGORITHM, "free", "same",
                        Table(36000, 36000)),
            army("red", ("line", 8, (RIFLE, CARBINE, BOMBLET), SOLDIER),
                 ("guns", 4, (CANNON, MORTAR, HOWITZER), SOLDIER),
                 ("chief", 1, (PISTOL,), CAPTAIN)),
            army("blue", ("mob", 10, (PISTOL, CLUB, TORCH), SOLDIER),
                 ("hail", 5, (CARBINE, HAILER, DEADEYE), SOLDIER)),
        ]
    )  # fmt: skip
    for n in range(2000):
        yield runner, advance
        question = advance.battle.question
        if question is None:
            return
        offered = legal(RULESET.answers, advance.battle)
        acts = [choice for choice in offered if not isinstance(choice, EndPhase | CeaseFire)]
        if acts and picked(f"{seed} ends", n, 12):
            offered = acts
        choice = offered[picked(seed, n, len(offered))]
        check(RULESET.answers, advance.battle, question.player, choice)
        advance = runner.advance(Chosen(question.player, choice))
    raise AssertionError("the game doesn't end")


@pytest.mark.parametrize("ruleset", ["40k-6e", "40k-7e"])
@pytest.mark.parametrize("seed", ["ash", "birch", "cedar"])
def test_a_random_game_plays_to_its_end(seed: str, ruleset: str) -> None:
    """Every offered choice passes its check; folding what happened gives the same battle."""
    events: list[Event] = []
    for _, advance in played(seed, ruleset):
        events += advance.events
    assert advance.battle.outcome is not None
    assert fold(None, events) == advance.battle
    assert "to hit" in {e.purpose for e in events if isinstance(e, DiceRolled)}


def test_a_procedure_is_taken_up_in_the_middle() -> None:
    """[P5] At a question in mid-rule a new runner, fed what was recorded, stands at the same."""
    asked = set()
    for seed in ("ash", "birch", "cedar"):
        began, recorded = None, []
        for _, advance in played(seed):
            if advance.began is not None:
                began, recorded = advance.began, advance.events[advance.began_at :]
            else:
                recorded = recorded + advance.events
            if isinstance(advance.battle.question, MIDWAY):
                asked.add(type(advance.battle.question))
                again = Runner(RULESET.next_procedure, SeededDice(seed))
                assert began is not None
                again.resume(began, recorded)
                assert again.action is not None
                assert again.action.battle == advance.battle
    assert {WhereToRun, WhichWeapon, WhereToAim, GroundOffered} <= asked
