"""Small battles built by hand, played with scripted dice that must be used up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from engine.answers import check, legal
from engine.dice import ScriptedDice
from engine.runner import Runner
from engine.sequence import RULES, RULESETS
from events.base import Event, Side
from events.choices import AnyChoice
from events.errors import IllegalChoice
from events.game import Chosen, GameCreated
from events.values import ModelSetup, Point, Profile, Rect, Table, Terrain, UnitSetup, Weapon
from projections.battle import (
    AnyPhase,
    Battle,
    Clock,
    Model,
    Settings,
    ShootingPhase,
    TurnRecord,
    Unit,
    UnitTurn,
    Zone,
)
from projections.reducers.game import given

RULESET = RULESETS["40k-7e"]
ZONES = (Zone("red", Rect(0, 0, 72000, 12000)), Zone("blue", Rect(0, 36000, 72000, 48000)))
ORDINARY = Profile("ordinary", 4, 4, 4, 4, 1, 4, 1, 8, save=3)

Squad = tuple[UnitSetup, Unit]


class Skirmish:
    """A battle in the middle of a phase, and everything that happened in it since."""

    def __init__(self, battle: Battle, dice: Sequence[int]) -> None:
        self.dice = ScriptedDice(dice)
        self.runner = Runner(RULESET.next_procedure, self.dice)
        ruleset = battle.settings.ruleset
        created = GameCreated(ruleset, RULES, "", "seeded", "", "free", "same", Table())
        advance = self.runner.create([created, given(battle)])
        self.battle = advance.battle
        self.events: list[Event] = advance.events

    def play(self, *choices: AnyChoice) -> Skirmish:
        """Answer the open questions in turn."""
        for choice in choices:
            assert self.battle.question is not None
            by = self.battle.question.player
            check(RULESET.answers, self.battle, by, choice)
            advance = self.runner.advance(Chosen(by, choice))
            self.battle = advance.battle
            self.events += advance.events
        return self

    def refused(self, choice: AnyChoice) -> str:
        """Return the rule that refuses a choice; nothing happened then."""
        assert self.battle.question is not None
        before = self.battle
        with pytest.raises(IllegalChoice) as caught:
            check(RULESET.answers, self.battle, self.battle.question.player, choice)
        assert self.battle == before
        return caught.value.where

    def legal(self) -> list[AnyChoice]:
        """Return what is offered now."""
        return legal(RULESET.answers, self.battle)

    def said(self, *kinds: type[Event]) -> list[Any]:
        """Return the events of these kinds, in order."""
        return [event for event in self.events if isinstance(event, kinds)]

    def unit(self, unit: str) -> Unit:
        """Return a unit as it is now."""
        return next(u for u in self.battle.units if u.id == unit)

    def numbers(self, unit: str) -> list[int]:
        """Return the numbers of a unit's models still there."""
        return [model.n for model in self.unit(unit).models]


@pytest.fixture
def squad() -> Callable[..., Squad]:
    """Return ``squad(id, places in inches, weapons, ...)``: a unit with its setup."""

    def make(
        unit: str,
        places: Sequence[tuple[float, float]],
        weapons: Sequence[Weapon] = (),
        *,
        side: Side = "red",
        profile: Profile = ORDINARY,
        others: dict[int, Profile] | None = None,
        carry: dict[int, tuple[str, ...]] | None = None,
        started: int | None = None,
        phase_started: int | None = None,
        rules: tuple[str, ...] = (),
        apart: dict[int, tuple[str, ...]] | None = None,
        **status: bool,
    ) -> Squad:
        """`rules` are those of all models, `apart` those of one model by number."""
        profiles = {n: (others or {}).get(n, profile) for n in range(1, len(places) + 1)}
        everything = tuple(weapon.id for weapon in weapons)
        setup = UnitSetup(
            unit,
            unit,
            side,
            "infantry",
            tuple(
                ModelSetup(
                    f"{unit}.{n}",
                    p.name,
                    (carry or {}).get(n, everything),
                    rules=(apart or {}).get(n, ()),
                )
                for n, p in profiles.items()
            ),
            tuple(dict.fromkeys(profiles.values())),
            tuple(weapons),
            not_applied=rules,
        )
        models = tuple(
            Model(n, Point(round(x * 1000), round(y * 1000))) for n, (x, y) in enumerate(places, 1)
        )
        count = len(models)
        return setup, Unit(unit, side, models, started or count, phase_started or count, **status)

    return make


@pytest.fixture
def skirmish() -> Iterator[Callable[..., Skirmish]]:
    """Return ``skirmish(squads, dice=...)``: red's turn 2, in the Shooting phase by default.

    Every scripted die must have been rolled by the end of the test.
    """
    begun: list[Skirmish] = []

    def begin(
        *squads: Squad,
        dice: Sequence[int] = (),
        phase: AnyPhase | None = None,
        turn: Sequence[UnitTurn] = (),
        zones: tuple[Zone, ...] = ZONES,
        clock: Clock | None = None,
        terrain: Sequence[Terrain] = (),
        ruleset: str = "40k-7e",
    ) -> Skirmish:
        state = phase or ShootingPhase()
        name = type(state).__name__.removesuffix("Phase").lower()
        battle = Battle(
            Settings(ruleset, "seeded", "", "free", "same"),
            Table(terrain=tuple(terrain)),
            tuple(setup for setup, _ in squads),
            tuple(unit for _, unit in squads),
            clock or Clock(2, "red", "red", name, in_phase=True, in_turn=True),  # type: ignore[arg-type]
            zones,
            replace(state),
            TurnRecord(tuple(turn)),
        )
        begun.append(Skirmish(battle, dice))
        return begun[-1]

    yield begin
    for one in begun:
        one.dice.exhausted()
