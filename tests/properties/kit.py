"""Small armies with invented names, close together, and players that choose at random.

The properties in this folder hold for every phase: what is played is whatever `game.legal()`
offers, so a new phase is tested from the day its questions are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game import Game
from engine.links import LinkChain
from engine.sequence import RULESETS
from engine.undo import stands
from events.base import Side, other
from events.choices import (
    AnyChoice,
    CeaseFire,
    Charge,
    EndPhase,
    FireOverwatch,
    MoveUnit,
    Run,
    Shoot,
    Stay,
)
from events.game import Commitments
from events.ledger import Ledger
from events.questions import LinksNeeded, RollNeeded
from events.steps import Step, encode_row, next_step, read_meta
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
from projections.battle import Battle
from projections.history import Node
from projections.queries import place_of, unit_of, units_on_table

LINE = Profile("line", 4, 4, 4, 4, 1, 4, 1, 8, save=4)
LEADER = Profile("leader", 4, 4, 4, 4, 2, 4, 2, 9, save=3, invulnerable=5)
MOB = Profile("mob", 3, 2, 3, 3, 1, 2, 2, 6, save=6)
BRUTE = Profile("brute", 4, 3, 5, 4, 2, 3, 2, 7, save=5)

CARBINE = Weapon("carbine", 24000, 4, 5, "rapid_fire")
LANCE = Weapon("lance", 36000, 8, 2, "heavy", 2)
SPITTER = Weapon("spitter", 12000, 3, None, "pistol")
SPRAYER = Weapon("sprayer", 18000, 4, 6, "assault", 2)
MORTAR = Weapon("mortar", 48000, 5, 4, "heavy", blast=3000, rules=("Pinning",))
BELLOWS = Weapon("bellows", 8000, 4, 5, "assault", template=True)
CLEAVER = Weapon("cleaver", 0, 1, 5, "melee", strength_from="user+")

TABLE = Table(30000, 24000)
"""Thirty inches by two feet: the zones are eight inches apart."""

WOOD = Part(
    tuple(Point(x, y) for x, y in ((9000, 9500), (15000, 9000), (14000, 13000))), 5000, False
)
MARSH = Part(tuple(Point(x, y) for x, y in ((17000, 9000), (22000, 10000), (18000, 14000))))
WALL = Part(tuple(Point(x, y) for x, y in ((5000, 11000), (7500, 11000), (7500, 12000))), 3000)
BROKEN = replace(
    TABLE,
    objectives=(Objective("well", Point(16000, 12000)),),
    terrain=(
        Terrain("wood", "difficult", (WOOD,), area=True),
        Terrain("marsh", "dangerous", (MARSH,), cover=None),
        Terrain("wall", "impassable", (WALL,), cover=4),
    ),
)
"""The same ground with a wood, a marsh and a wall between the zones, and something to hold."""

agreements = st.fixed_dictionaries(
    {"table": st.sampled_from([TABLE, BROKEN]), "ruleset": st.sampled_from(sorted(RULESETS))}
)
"""Grounds and editions to play on and by."""

whole_games = settings(max_examples=settings.default.max_examples // 16)  # type: ignore[attr-defined]
"""For a property that plays a game or two an example."""

FIERCE = (Shoot, Charge)
IDLE = (EndPhase, Stay, CeaseFire)


def unit(side: Side, name: str, models: int, line: Profile, *weapons: Weapon) -> UnitSetup:
    """Return a unit of `models`, the first of them a leader, all with the same weapons."""
    carried = tuple(weapon.id for weapon in weapons)
    return UnitSetup(
        name,
        name.title(),
        side,
        "infantry",
        tuple(
            ModelSetup(f"{name}.{n}", "leader" if n == 1 else line.name, carried)
            for n in range(1, models + 1)
        ),
        (LEADER, line),
        weapons,
        points=models * 10,
    )


def red_army(units: int = 2) -> Army:
    """Return up to three units that shoot better than they fight."""
    every = (
        unit("red", "ferrymen", 4, LINE, CARBINE, SPITTER),
        unit("red", "lamplighters", 3, LINE, LANCE, MORTAR, CLEAVER),
        unit("red", "tollkeepers", 5, LINE, SPRAYER, CLEAVER),
    )
    return Army("The River Watch", every[:units])


def blue_army(units: int = 2) -> Army:
    """Return up to three units that fight better than they shoot."""
    every = (
        unit("blue", "gnawers", 6, MOB, SPITTER, CLEAVER),
        unit("blue", "hauliers", 3, BRUTE, SPRAYER, BELLOWS, CLEAVER),
        unit("blue", "stilts", 4, MOB, CARBINE),
    )
    return Army("The Undercroft", every[:units])


def clock() -> Callable[[], int]:
    """Return a clock that begins at 0 and ticks a millisecond a look."""
    ticks = iter(range(1 << 62))
    return lambda: next(ticks)


CHAINS: dict[Side, LinkChain] = {"red": LinkChain("oak"), "blue": LinkChain("elm")}
COMMITTED = Commitments(CHAINS["red"].commitment, CHAINS["blue"].commitment)


def new_game(ledger: Ledger, seed: str = "s", units: int = 2, **agreed: Any) -> Game:
    """Return a game that stands before its first question; free undo unless agreed otherwise."""
    if agreed.get("dice") == "revealed":
        agreed = {"commitments": COMMITTED, **agreed}
    agreed = {"undo": "free", "game": "g", "table": TABLE, "now": clock(), **agreed}
    return Game.create(ledger, red=red_army(units), blue=blue_army(units), seed=seed, **agreed)


def gained(battle: Battle, choice: AnyChoice) -> int:
    """Return how many mils a whole-unit move brings the unit toward the nearest enemy model."""
    if not isinstance(choice, MoveUnit):
        return 0
    mover = unit_of(battle, choice.unit)
    at, by = place_of(mover.models[0]), choice.by
    away = [
        (place_of(model).x - at.x, place_of(model).y - at.y)
        for enemy in units_on_table(battle, other(mover.side))
        for model in enemy.models
    ]
    x, y = min(away, key=lambda way: abs(way[0]) + abs(way[1]), default=(0, 0))
    return abs(x) + abs(y) - abs(x - by.x) - abs(y - by.y)


def pick(random: Random, game: Game) -> AnyChoice:
    """Return a choice that is offered: mostly a bold one, so that the armies meet and fight."""
    offered = game.legal()
    assert offered, f"nothing is offered for {game.pending}"
    mood = random.random()
    if mood < 0.25:
        return random.choice(offered)
    bold = [c for c in offered if isinstance(c, FIERCE) or (type(c) is FireOverwatch and c.weapon)]
    if bold:
        return random.choice(bold)
    acting = [c for c in offered if not isinstance(c, (*IDLE, Run))] or offered
    few = random.sample(acting, min(4, len(acting)))
    return max(few, key=lambda choice: gained(game.battle, choice))


def reveal(game: Game, by: Side) -> None:
    """Reveal the next link of a side, which has its secret at hand."""
    game.reveal(CHAINS[by].next(game.history.links[by]), by=by)


def line_of(game: Game) -> list[Node]:
    """Return the line of play to the head, but for steps that the head can't be moved to."""
    return [node for node in game.history.path() if stands(node) or node is game.history.head]


def step_on(random: Random, game: Game) -> None:
    """Answer the open question: a choice that is offered, dice from the hand, or a link."""
    question = game.pending
    if isinstance(question, LinksNeeded):
        reveal(game, random.choice(question.waiting))
        return
    if isinstance(question, RollNeeded):
        game.enter([random.randint(1, question.sides) for _ in range(question.count)])
    else:
        game.play(pick(random, game))


def play_on(game: Game, random: Random, steps: int = 1000) -> Game:
    """Play at most so many steps, or to the end of the game."""
    for _ in range(steps):
        if game.battle.outcome is not None:
            break
        step_on(random, game)
    return game


def choices_of(game: Game) -> list[AnyChoice]:
    """Return the choices on the line of play to the head, in order."""
    line = (node.events[0] for node in game.history.path()[1:])
    return [event.choice for event in line]  # type: ignore[attr-defined]


def rows_of(ledger: Ledger, game: str = "g") -> list[bytes]:
    """Return a game's rows exactly as stored."""
    return [encode_row(step) for step in ledger.read(game)]


def events_of(ledger: Ledger, game: str = "g") -> list[bytes]:
    """Return the event bytes of every step, exactly as stored."""
    return [step.events for step in ledger.read(game)]


def forged(steps: Iterable[Step], game: str = "g") -> list[Step]:
    """Return the steps with every chain and seal computed anew: a forger who has our code."""
    made: list[Step] = []
    for step in steps:
        last = made[-1] if made else None
        made.append(next_step(game, last, step.events, step.state, step.schema, read_meta(step)))
    return made
