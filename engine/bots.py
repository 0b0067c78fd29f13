"""Bots: they see what a player sees, and one seed gives one game, byte for byte. [P10]

A bot holds nothing but a key. What it draws depends on the game's seed, its side and the step it
chooses at, never on the dice's addresses, so a game can be undone, loaded or forked at any step and
the bots play on as they would have.

>>> from engine.armies import bundled, read_army_bytes
>>> from engine.game import Game
>>> from events.ledger import Ledger
>>> red = read_army_bytes(bundled("emberguard"), "emberguard.ros", "red").army
>>> blue = read_army_bytes(bundled("ratskar"), "ratskar.ros", "blue").army
>>> ledger = Ledger.memory()
>>> game = Game.create(ledger, red=red, blue=blue, seed="doc", undo="free")
>>> play_out(game, *bots_for(game)).outcome is not None
True
>>> ledger.close()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from math import isqrt
from typing import Any, Protocol

from engine.board import barriers, discs_of, zone_of
from engine.dice import key_of
from engine.game import Game
from engine.geometry import unit_gap
from engine.geometry.placing import deploy_spots
from engine.odds import (
    best_gun,
    blow_chance,
    blows_at,
    plainness,
    prefers_combat,
    shots_at,
    typical,
)
from engine.proposals import toward
from engine.rules.difficult_terrain import near_difficult, stands_in_difficult
from events.base import Side, other
from events.choices import (
    AnswerRealDice,
    AnswerRuling,
    AnyChoice,
    CeaseFire,
    Charge,
    Deploy,
    EndPhase,
    FireOverwatch,
    Run,
    Shoot,
    Stay,
    StrikeWith,
    TakeWounds,
    TryDifficult,
)
from events.errors import DiceError
from events.questions import (
    LinksNeeded,
    OverwatchOffered,
    Question,
    RealDiceOffered,
    RollNeeded,
    RulingOffered,
    WhereToConsolidate,
    WhereToDeploy,
    WhereToMove,
    WhereToRegroup,
    WhereToRun,
    WhichMeleeWeapon,
    WhichWeapon,
    WhoCharges,
    WhoMoves,
    WhoShoots,
    WhoTakesWounds,
)
from events.values import Point
from projections.battle import Battle, MovementPhase, ShootingPhase, Unit
from projections.queries import (
    alive,
    number_of,
    on_table,
    place_of,
    profile_of,
    setup_of,
    turn_of,
    unit_of,
    units_on_table,
    weapon_of,
)

MOVE = 6000
"""How far infantry walk, in mils. [MOVE-2]"""

LIKELY_CHARGE = 7000
"""Two dice reach this far, in mils, more often than not. [CRNG-1]"""

RANKS = 4000
"""Shooters go this much closer than their range, so that their rear ranks reach, too."""

SPREAD = 15_000
"""Two units whose first models are further apart than this and a weapon's range are out of it."""

RESTLESS = 8
"""A random bot ends a phase that it could go on with once in so many choices."""


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, game: Game) -> AnyChoice:
        """Return a legal answer to the open question. DiceError where dice or links are due."""
        ...

    def consents(self, game: Game) -> bool:
        """Whether the bot lets the opponent have the undo he asked for. [P8]"""
        ...


class RandomBot:
    """Answers with any of the legal choices, and ends a phase now and then."""

    def __init__(self, seed: str) -> None:
        self._key = key_of(seed)

    def choose(self, game: Game) -> AnyChoice:
        """Return a legal answer to the open question. DiceError where dice or links are due."""
        offers, luck = offered(game), draw(self._key, game)
        going_on = [offer for offer in offers if not isinstance(offer, EndPhase)]
        if going_on and (len(going_on) == len(offers) or luck % RESTLESS):
            return going_on[luck // RESTLESS % len(going_on)]
        return offers[-1]

    def consents(self, game: Game) -> bool:
        """Bots grant."""
        return True


class AggressiveBot:
    """Moves to the nearest enemy and attacks him.

    Units that shoot better than they fight walk into range and stop; the others make for the
    nearest enemy, Run where nothing is in range, and charge what they are likely to reach.
    """

    def __init__(self, seed: str) -> None:
        self._key = key_of(seed)

    def choose(self, game: Game) -> AnyChoice:
        """Return a legal answer to the open question. DiceError where dice or links are due."""
        question = game.pending
        decide = _DECISIONS.get(type(question))
        if decide is not None:
            choice = decide(game, question, draw(self._key, game))
            if choice is not None and game.refusal(choice) is None:
                return choice
        return offered(game)[0]

    def consents(self, game: Game) -> bool:
        """Bots grant."""
        return True


def bots_for(game: Game) -> tuple[Bot, Bot]:
    """Return the aggressive bots of both sides, red's first, with the game's own seed."""
    return AggressiveBot(game.created.seed), AggressiveBot(game.created.seed)


def play_out(
    game: Game, red: Bot, blue: Bot, progress: Callable[[Game], None] | None = None
) -> Battle:
    """Let two bots play a game to its end and return the last battle.

    `progress` is called after every choice. Raises DiceError where dice or links are due.
    """
    bots: dict[Side, Bot] = {"red": red, "blue": blue}
    while game.battle.outcome is None:
        asked = game.history.request
        if asked is not None:
            if bots[other(asked.by)].consents(game):
                game.grant_undo()
            else:
                game.refuse_undo()
        question = game.pending
        assert question is not None
        game.play(bots[question.player].choose(game))
        if progress is not None:
            progress(game)
    return game.battle


def draw(key: bytes, game: Game) -> int:
    """Return a bot's number for this step, 64 bits: the same whenever the game stands here."""
    question = game.pending
    assert question is not None
    place = f"bot {question.player} {game.step}".encode()
    return int.from_bytes(blake2b(place, key=key, digest_size=8).digest(), "big")


def offered(game: Game) -> list[AnyChoice]:
    """Return the legal choices. Raises DiceError where dice or links are due: bots have none."""
    if isinstance(game.pending, RollNeeded | LinksNeeded):
        due = game.pending.roll if isinstance(game.pending, LinksNeeded) else game.pending
        raise DiceError(due.purpose, "the dice or links that are due now are for people")
    if isinstance(game.pending, RealDiceOffered):
        return [AnswerRealDice(False)]  # a bot rolls none, and who loses a roll must not dodge it
    return game.legal()


def apart(unit: Unit, enemy: Unit) -> int:
    """Return about how far two units are apart: the distance of their first models, in mils."""
    a, b = place_of(unit.models[0]), place_of(enemy.models[0])
    return isqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2)


def nearest_enemy(battle: Battle, unit: Unit) -> Unit | None:
    """Return the enemy unit whose first model is nearest to the unit's first, or None."""
    enemies = units_on_table(battle, other(unit.side))
    return min(enemies, key=lambda enemy: apart(unit, enemy), default=None)


def gap_between(battle: Battle, unit: Unit, enemy: Unit) -> int:
    """Return the distance of two units in mils. [MEAS-4]"""
    return unit_gap(discs_of(battle, unit), discs_of(battle, enemy))


def _deploy(game: Game, question: WhereToDeploy, luck: int) -> AnyChoice | None:
    """Any of the waiting units, each in a lane of its own, as far forward as it goes."""
    battle = game.battle
    own = [unit for unit in battle.units if unit.side == question.player and alive(unit)]
    waiting = [unit for unit in own if not on_table(unit)]
    zone = zone_of(battle, question.player)
    assert zone is not None
    unit, lane = waiting[luck % len(waiting)], len(own) - len(waiting)
    x = zone.x0 + (zone.x1 - zone.x0) * (2 * lane + 1) // (2 * len(own))
    spots = deploy_spots(
        [model.radius for model in setup_of(battle, unit.id).models],
        zone,
        [
            *(disc for there in units_on_table(battle) for disc in discs_of(battle, there)),
            *barriers(battle),
        ],
        Point(x, zone.y1 if zone.y0 == 0 else zone.y0),
        "north" if zone.y0 == 0 else "south",
    )
    return None if spots is None else Deploy(unit.id, tuple(spots))


def _move(game: Game, question: WhoMoves, luck: int) -> AnyChoice:
    """The unit nearest to the enemy that wants to get on; none: the end of the phase."""
    battle = game.battle
    assert isinstance(battle.phase, MovementPhase)
    for unit in units_on_table(battle, question.player):
        if unit.locked or unit.falling_back or unit.id in battle.phase.moved:
            continue
        enemy = nearest_enemy(battle, unit)
        if enemy is None:
            continue
        wanted = MOVE
        if not prefers_combat(battle, unit, enemy):
            stand = best_gun(battle, unit, enemy)[1] - RANKS
            wanted = min(MOVE, gap_between(battle, unit, enemy) - stand)
        if wanted > 0:
            if stands_in_difficult(battle, unit):
                return TryDifficult(unit.id)
            choice = toward(battle, unit, discs_of(battle, enemy), wanted, shun=True)
            if choice is not None:
                return choice
            if near_difficult(battle, unit, wanted):
                return TryDifficult(unit.id)
    return EndPhase()


def _shoot(game: Game, question: WhoShoots, luck: int) -> AnyChoice:
    """The best shot of the first unit that has one, or its Run; none: the end of the phase."""
    battle = game.battle
    assert isinstance(battle.phase, ShootingPhase)
    for unit in units_on_table(battle, question.player):
        if unit.locked or unit.id in battle.phase.done:
            continue
        shots = _shots(battle, unit, units_on_table(battle, other(unit.side)))
        best = next((shot for shot in shots if game.refusal(shot) is None), None)
        if best is not None:
            return best
        enemy = nearest_enemy(battle, unit)
        if enemy is not None and gap_between(battle, unit, enemy) > LIKELY_CHARGE:
            run = Run(unit.id)
            if game.refusal(run) is None:
                return run
    return EndPhase()


def _next_weapon(game: Game, question: WhichWeapon, luck: int) -> AnyChoice:
    """The best further weapon group, if any is of use."""
    battle = game.battle
    shots = _shots(battle, unit_of(battle, question.unit), [unit_of(battle, question.target)])
    return next((shot for shot in shots if game.refusal(shot) is None), CeaseFire())


def _shots(battle: Battle, unit: Unit, targets: Iterable[Unit]) -> list[Shoot]:
    """Return what a unit might shoot, most expected Wounds first; sight is not looked at.

    A unit that is about to charge shoots nothing that would cost it the charge. [CDEC-5, CDEC-6]
    """
    guns = [gun for gun in setup_of(battle, unit.id).weapons if gun.type not in ("melee", "other")]
    nearest = nearest_enemy(battle, unit)
    if not guns or nearest is None:
        return []
    charging = gap_between(battle, unit, nearest) <= LIKELY_CHARGE and prefers_combat(
        battle, unit, nearest
    )
    if charging:
        guns = [gun for gun in guns if gun.type in ("assault", "pistol")]
        targets = [nearest]
    reach = max((gun.range for gun in guns), default=0)
    found: list[tuple[int, int, Shoot]] = []
    for target in targets:
        if target.locked or apart(unit, target) > reach + SPREAD:
            continue
        gap = gap_between(battle, unit, target)
        for gun in guns:
            harm = shots_at(battle, unit, gun.id, target, gap * 2 <= gun.range)
            if harm and gap <= gun.range:
                found.append((-harm, len(found), Shoot(unit.id, target.id, gun.id)))
    return [shot for _, _, shot in sorted(found)]


def _go_on(game: Game, question: Any, luck: int) -> AnyChoice:
    """Toward the nearest enemy as far as allowed, after a Run, a combat or Regrouping."""
    battle = game.battle
    unit = unit_of(battle, question.unit)
    enemy = nearest_enemy(battle, unit)
    goals = [] if enemy is None else discs_of(battle, enemy)
    return toward(battle, unit, goals, question.distance) or Stay()


def _charge(game: Game, question: WhoCharges, luck: int) -> AnyChoice:
    """The shortest charge of a unit that fights at least as well as its target."""
    battle = game.battle
    likely: list[tuple[int, int, Charge]] = []
    for unit in units_on_table(battle, question.player):
        done = turn_of(battle, unit.id)
        if unit.locked or done.declared or done.ran:
            continue
        for enemy in units_on_table(battle, other(unit.side)):
            if apart(unit, enemy) > LIKELY_CHARGE + SPREAD:
                continue
            gap = gap_between(battle, unit, enemy)
            if gap <= LIKELY_CHARGE and (
                blows_at(battle, unit, enemy) >= blows_at(battle, enemy, unit)
            ):
                likely.append((gap, len(likely), Charge(unit.id, (enemy.id,))))
    charges = (charge for _, _, charge in sorted(likely))
    return next((charge for charge in charges if game.refusal(charge) is None), EndPhase())


def _overwatch(game: Game, question: OverwatchOffered, luck: int) -> AnyChoice:
    """The weapon of most expected Wounds."""
    battle = game.battle
    unit, charger = unit_of(battle, question.unit), unit_of(battle, question.charger)
    armed = [o for o in game.legal() if isinstance(o, FireOverwatch) and o.weapon]
    return max(
        armed,
        key=lambda offer: shots_at(battle, unit, offer.weapon, charger, True),
        default=FireOverwatch(),
    )


def _take_wounds(game: Game, question: WhoTakesWounds, luck: int) -> AnyChoice:
    """Plain models first, those with something special last; of the enemy's the other way."""
    battle = game.battle

    precise = unit_of(battle, question.unit).side != question.player

    def worth(model: str) -> tuple[int, int]:
        n = number_of(model)
        plain = plainness(battle, question.unit, n)
        return plain if precise else -plain, n

    return TakeWounds(tuple(sorted(question.eligible, key=worth)[: question.wounds]))


def _strike_with(game: Game, question: WhichMeleeWeapon, luck: int) -> AnyChoice | None:
    """The weapon that wounds the nearest enemy best, for all that carry it. [MELE-2]"""
    battle = game.battle
    unit = unit_of(battle, question.unit)
    enemy = nearest_enemy(battle, unit)
    if enemy is None:
        return None
    setup, facing = setup_of(battle, unit.id), typical(battle, enemy)
    bearer = profile_of(setup, question.models[0])
    offers = [o for o in game.legal() if isinstance(o, StrikeWith) and not o.models]

    def harm(offer: StrikeWith) -> int:
        weapon = weapon_of(setup, offer.weapon)
        return 0 if weapon is None else blow_chance(weapon, bearer, facing)

    return max(offers, key=harm, default=None)


def _rule(game: Game, question: RulingOffered, luck: int) -> AnyChoice:
    """A bot takes its opponent's word. [SPRT-1]"""
    return AnswerRuling("accept")


_DECISIONS: dict[type[Question] | type[None], Callable[[Game, Any, int], AnyChoice | None]] = {
    WhereToDeploy: _deploy,
    WhoMoves: _move,
    **dict.fromkeys((WhereToMove, WhereToRegroup, WhereToRun, WhereToConsolidate), _go_on),
    WhoShoots: _shoot,
    WhichWeapon: _next_weapon,
    WhoCharges: _charge,
    OverwatchOffered: _overwatch,
    WhichMeleeWeapon: _strike_with,
    WhoTakesWounds: _take_wounds,
    RulingOffered: _rule,
}
"""How the aggressive bot answers; to any other question its answer is the first that is offered."""
