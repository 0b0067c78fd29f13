"""The toy that is measured where a real game would end too soon: 40 units that move, shoot, suffer.

A ruleset like any other, registered under "bench", made of existing events; every step is a
procedure of its own and the game never ends. `SCRIPT` is the same list of actions that
`node/toy.js` plays in boardgame.io: the digests of both ends must agree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b

from engine.answers import Answers
from engine.ask import Ask, Roll
from engine.game import Game
from engine.runner import Action, Procedure
from engine.sequence import RULES, RULESETS, Ruleset
from events.attacks import HitsScored, WoundSuffered
from events.choices import AnyChoice, MoveUnit, Shoot, TakeWounds
from events.game import GameCreated
from events.ledger import Ledger
from events.movement import UnitMoved
from events.questions import WhoMoves
from events.values import ModelSetup, Point, Profile, Table, UnitSetup
from projections.battle import Battle, Clock, Model, Settings, ShootingPhase, Unit
from projections.queries import unit_of, unit_of_model
from projections.reducers.game import given

UNITS = 40
_PROFILE = Profile("trooper", 4, 4, 4, 4, 1, 4, 1, 8, save=4)


async def act(action: Action) -> None:
    """Do what the player says: move a unit, roll a die for a shot, or note a Wound."""
    choice = await Ask(WhoMoves("red"), MoveUnit, Shoot, TakeWounds)
    if isinstance(choice, MoveUnit):
        action.emit(UnitMoved(choice.unit, "move", choice.by))
    elif isinstance(choice, Shoot):
        await Roll("to hit", need=4)
        action.emit(HitsScored(choice.unit, choice.target, choice.weapon, 1))
    elif isinstance(choice, TakeWounds):
        model = choice.models[0]
        lost = unit_of(action.battle, unit_of_model(model)).models[0].lost + 1
        action.emit(WoundSuffered(model, 1, lost, "shooting"))


def _next(battle: Battle) -> Procedure:
    return act


def _check(battle: Battle, question: WhoMoves, choice: AnyChoice) -> None:
    """Everything goes."""


def _legal(battle: Battle, question: WhoMoves) -> list[AnyChoice]:
    return [MoveUnit("u0", Point(1, 0))]


RULESETS["bench"] = Ruleset(
    "bench", RULES, _next, {WhoMoves: Answers((MoveUnit, Shoot, TakeWounds), _check, _legal)}
)


def _start() -> Battle:
    setups = tuple(
        UnitSetup(
            f"u{k}",
            f"Unit {k}",
            "red" if k % 2 else "blue",
            "infantry",
            (ModelSetup(f"u{k}.1", "trooper"),),
            (_PROFILE,),
        )
        for k in range(UNITS)
    )
    units = tuple(
        Unit(s.id, s.side, (Model(1, Point(1000 * k, 1000)),), 1, 1) for k, s in enumerate(setups)
    )
    return Battle(
        Settings("bench", "seeded", "", "free", "same"),
        Table(),
        setups,
        units,
        Clock(1, "red", "red", "shooting", True, True),
        phase=ShootingPhase(),
    )


def new_toy(ledger: Ledger, game: str = "toy") -> Game:
    """Begin a toy game with 40 units in a row."""
    created = GameCreated(
        "bench", RULES, "a seed", "seeded", "blake2b-address/1", "free", "same", Table()
    )
    return Game.begin(ledger, [created, given(_start())], game, now=lambda: 0)


def script(actions: int) -> Iterator[AnyChoice]:
    """Yield the choices of the script: a move, a shot, a Wound, over and over."""
    for i in range(actions):
        unit, target = f"u{i * 7 % UNITS}", f"u{(i * 11 + 1) % UNITS}"
        if i % 3 == 0:
            yield MoveUnit(unit, Point(i % 13 - 6, i % 7 - 3))
        elif i % 3 == 1:
            yield Shoot(unit, target, "rifle")
        else:
            yield TakeWounds((f"{target}.1",))


def end_digest(battle: Battle) -> str:
    """Return the digest of all places and Wounds, as `node/toy.js` computes it."""
    flat = [[m.at.x, m.at.y, m.lost] for u in battle.units for m in u.models if m.at is not None]
    return blake2b(json.dumps(flat, separators=(",", ":")).encode(), digest_size=64).hexdigest()
