"""Bots answer every question legally, and one seed gives one game. [P8, P10]"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from engine.armies import bundled, read_army_bytes
from engine.bots import AggressiveBot, Bot, RandomBot, bots_for, gap_between, play_out
from engine.game import Game
from engine.odds import WHOLE, blows_at, plainness, prefers_combat, shots_at
from events.base import Side
from events.errors import DiceError
from events.game import DiceMode
from events.ledger import Ledger
from events.values import Army, ModelSetup, Profile, UnitSetup, Weapon
from projections.battle import Battle
from projections.queries import place_of, unit_of, units_on_table
from replay.verify import Verdict, verify


def army(name: str, side: Side, units: int) -> Army:
    """The first units of a bundled army."""
    read = read_army_bytes(bundled(name), f"{name}.ros", side).army
    assert read is not None
    return replace(read, units=read.units[:units])


RED, BLUE = army("emberguard", "red", 3), army("ratskar", "blue", 3)


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def new_game(ledger: Ledger, seed: str = "a seed", dice: DiceMode = "seeded") -> Game:
    return Game.create(
        ledger,
        red=RED,
        blue=BLUE,
        seed=seed,
        undo="free",
        dice=dice,
        now=lambda: 0,
        game=f"g-{seed}",
    )


@pytest.mark.parametrize("bot", [AggressiveBot, RandomBot])
def test_bots_play_to_the_end_and_the_game_verifies(
    ledger: Ledger, bot: Callable[[str], Bot]
) -> None:
    game = new_game(ledger)
    told: list[int] = []

    last = play_out(game, bot("a seed"), bot("a seed"), lambda game: told.append(game.step))

    assert last.outcome is not None
    assert game.pending is None
    assert told == [node.step for node in game.history.path()[1:]]
    assert verify(ledger, game.id).verdict is Verdict.EXACT


def test_one_seed_gives_one_game_and_another_seed_another() -> None:
    chains = []
    for seed in ("a seed", "a seed", "another"):
        with Ledger.memory() as ledger:
            game = new_game(ledger, seed)
            play_out(game, *bots_for(game))
            chains.append([node.events for node in game.history.path()])

    assert chains[0] == chains[1]
    assert chains[0][1:] != chains[2][1:]


@pytest.mark.parametrize("bot", [AggressiveBot, RandomBot])
def test_a_bot_chooses_the_same_again_after_an_undo(
    ledger: Ledger, bot: Callable[[str], Bot]
) -> None:
    game, player = new_game(ledger), bot("a seed")
    for _ in range(8):
        before, choice = game.step, player.choose(game)
        game.play(choice)
        game.undo()

        assert game.step == before
        assert player.choose(game) == choice
        game.redo()


def test_a_bot_grants_the_undo_that_its_opponent_asks_for(ledger: Ledger) -> None:
    game = new_game(ledger)
    red, blue = bots_for(game)
    for _ in range(3):
        game.play(red.choose(game))
    game.ask_undo(game.step - 1, by="red")

    def first_step_only(game: Game) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        play_out(game, red, blue, first_step_only)
    assert [type(mark).__name__ for mark in game.history.marks.values()] == [
        "UndoAsked",
        "UndoGranted",
    ]


def test_bots_leave_the_dice_to_people_where_people_roll(ledger: Ledger) -> None:
    game = new_game(ledger, dice="entered")

    with pytest.raises(DiceError, match="for people"):
        play_out(game, *bots_for(game))
    assert game.step == 1


def apart(battle: Battle) -> int:
    """The gap of the two closest enemy units in mils."""
    reds, blues = list(units_on_table(battle, "red")), list(units_on_table(battle, "blue"))
    return min(gap_between(battle, red, blue) for red in reds for blue in blues)


def test_the_aggressive_bot_deploys_apart_and_closes_in(ledger: Ledger) -> None:
    game = new_game(ledger)
    bot = AggressiveBot("a seed")
    while game.battle.clock.game_turn == 0:
        game.play(bot.choose(game))
    begun = game.battle

    while game.battle.clock.phase != "shooting":
        game.play(bot.choose(game))

    side = begun.clock.first
    lanes = sorted(place_of(unit.models[0]).x for unit in units_on_table(begun, side))
    assert all(right - left > 6000 for left, right in pairwise(lanes))
    assert apart(game.battle) <= apart(begun) - 3000


GUNNER = Profile("gunner", 2, 4, 3, 4, 1, 3, 1, 7, save=5)
BRUTE = Profile("brute", 4, 2, 5, 5, 1, 4, 3, 8, save=None)
RIFLE = Weapon("rifle", 24000, 4, 5, "rapid_fire")
AXE = Weapon("axe", 0, 1, 4, "melee", strength_from="user+")


def squad(unit: str, side: Side, profile: Profile, weapon: Weapon, n: int) -> UnitSetup:
    models = tuple(ModelSetup(f"{unit}.{k}", profile.name, (weapon.id,)) for k in range(1, n + 1))
    return UnitSetup(unit, unit, side, "infantry", models, (profile,), (weapon,))


def test_odds_are_the_product_of_three_dice(ledger: Ledger) -> None:
    game = Game.create(
        ledger,
        red=Army("Red", (squad("guns", "red", GUNNER, RIFLE, 10),)),
        blue=Army("Blue", (squad("mob", "blue", BRUTE, AXE, 10),)),
        seed="odds",
    )
    guns, mob = unit_of(game.battle, "guns"), unit_of(game.battle, "mob")

    # BS 4 hits on 3+, S 4 wounds T 5 on 5+, no save: 10 x 4/6 x 2/6 x 6/6, twice that when near
    assert shots_at(game.battle, guns, "rifle", mob, False) == 10 * 4 * 2 * 6
    assert shots_at(game.battle, guns, "rifle", mob, True) == 20 * 4 * 2 * 6
    # WS 4 hits WS 2 on 3+, S 6 wounds T 4 on 2+, AP 4 leaves no 5+ save; ten models can't lose more
    assert blows_at(game.battle, mob, guns) == 10 * WHOLE
    assert prefers_combat(game.battle, mob, guns)
    assert not prefers_combat(game.battle, guns, mob)


def test_models_with_something_special_are_the_last_to_take_wounds(ledger: Ledger) -> None:
    game = new_game(ledger)
    setup = next(unit for unit in RED.units if len({m.weapons for m in unit.models}) > 1)
    kept = [plainness(game.battle, setup.id, n) for n in range(1, len(setup.models) + 1)]

    kits = [model.weapons for model in setup.models]
    assert max(kept) > 1
    assert kits.count(kits[kept.index(max(kept))]) == max(kits.count(kit) for kit in kits)
