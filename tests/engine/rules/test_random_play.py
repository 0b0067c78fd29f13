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
from events.questions import WhereToRegroup, WhereToRun, WhichWeapon
from events.values import Army, ModelSetup, Profile, Table, UnitSetup, Weapon
from projections.reducers import fold

RULESET = RULESETS["40k-7e"]
RIFLE = Weapon("rifle", 24000, 4, 5, "rapid_fire")
CANNON = Weapon("cannon", 36000, 6, 3, "heavy", 2)
CARBINE = Weapon("carbine", 18000, 5, 4, "assault", 3)
PISTOL = Weapon("pistol", 12000, 4, 5, "pistol")
CLUB = Weapon("club", 0, 1, None, "melee", strength_from="user+")

SOLDIER = Profile("soldier", 3, 4, 3, 3, 1, 3, 1, 6, save=5)
CAPTAIN = Profile("captain", 5, 7, 4, 4, 3, 5, 3, 9, save=3, invulnerable=4)


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


def played(seed: str) -> Iterator[tuple[Runner, Advance]]:
    """Yield each step of a game; ending a phase early is rare."""
    runner = Runner(RULESET.next_procedure, SeededDice(seed))
    advance = runner.create(
        [
            GameCreated("40k-7e", RULES, seed, "seeded", ALGORITHM, "free", "same",
                        Table(36000, 36000)),
            army("red", ("line", 8, (RIFLE, CARBINE), SOLDIER), ("guns", 4, (CANNON,), SOLDIER),
                 ("chief", 1, (PISTOL,), CAPTAIN)),
            army("blue", ("mob", 10, (PISTOL, CLUB), SOLDIER),
                 ("hail", 5, (CARBINE, CANNON), SOLDIER)),
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


@pytest.mark.parametrize("seed", ["ash", "birch", "cedar"])
def test_a_random_game_plays_to_its_end(seed: str) -> None:
    """Every offered choice passes its check; folding what happened gives the same battle."""
    events: list[Event] = []
    for _, advance in played(seed):
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
            if isinstance(advance.battle.question, WhereToRun | WhereToRegroup | WhichWeapon):
                asked.add(type(advance.battle.question))
                again = Runner(RULESET.next_procedure, SeededDice(seed))
                assert began is not None
                again.resume(began, recorded)
                assert again.action is not None
                assert again.action.battle == advance.battle
    assert {WhereToRun, WhichWeapon} <= asked
