"""Before the battle: roll-off for zones, deployment, the first turn. [DMOD-4]

The winner of the roll-off takes a zone, deploys his whole army first and goes first.
"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.board import barriers, discs_of, other_discs, zone_of
from engine.geometry import Disc, coherent, inside, overlaps
from engine.geometry.paths import culled, widest
from engine.geometry.placing import Facing, deploy_spots
from engine.geometry.polygons import on_barrier
from engine.runner import Action, Procedure
from events.base import SIDES, Side, other
from events.choices import Deploy, TakeZone
from events.errors import IllegalChoice
from events.game import RollOffWon, TurnStarted, UnitDeployed, ZoneTaken
from events.questions import WhereToDeploy, WhichZone
from events.values import Point, Rect
from events.wording import counted
from projections.battle import Battle, SetupPhase, Unit
from projections.queries import alive, has_unit, on_table, setup_of, unit_of

ZONE_DEPTH = 12000
"""A deployment zone is the strip within 12 inches of a long table edge."""


def zone_rect(battle: Battle, zone: str) -> Rect:
    """Return a named zone of this table."""
    table = battle.table
    depth = min(ZONE_DEPTH, table.height // 3)
    if zone == "south":
        return Rect(0, 0, table.width, depth)
    return Rect(0, table.height - depth, table.width, table.height)


async def roll_off(action: Action) -> None:
    """Roll off: a D6 each, ties again; the winner takes a zone. [DMOD-4]"""
    while True:
        red, blue = [(await Roll(f"roll-off {side}"))[0] for side in SIDES]
        if red != blue:
            break
    winner: Side = "red" if red > blue else "blue"
    action.emit(RollOffWon(winner))
    taken = (await Ask(WhichZone(winner), TakeZone)).zone
    left = "north" if taken == "south" else "south"
    action.emit(ZoneTaken(winner, zone_rect(action.battle, taken)))
    action.emit(ZoneTaken(other(winner), zone_rect(action.battle, left)))


async def deploy(action: Action) -> None:
    """Deploy one unit: the winner of the roll-off all of his first, then the other side."""
    side = next_to_deploy(action.battle)
    assert side is not None
    choice = await Ask(WhereToDeploy(side), Deploy)
    action.emit(UnitDeployed(choice.unit, choice.at))


async def begin_battle(action: Action) -> None:
    """Start the first player turn of game turn 1. [GTPT-1]"""
    action.emit(TurnStarted(1, action.battle.clock.first))


def waiting(battle: Battle, side: Side) -> list[Unit]:
    """Return a side's units that are not on the table yet."""
    return [u for u in battle.units if u.side == side and alive(u) and not on_table(u)]


def next_to_deploy(battle: Battle) -> Side | None:
    """Return who deploys next, or None when all units stand."""
    first = battle.clock.first
    for side in (first, other(first)):
        if waiting(battle, side):
            return side
    return None


def next_setup(battle: Battle) -> Procedure:
    """Return the rule that comes next before the battle."""
    assert isinstance(battle.phase, SetupPhase)
    if not battle.zones:
        return roll_off
    if next_to_deploy(battle) is not None:
        return deploy
    return begin_battle


def _check_zone(battle: Battle, question: WhichZone, choice: TakeZone) -> None:
    """Either zone may be taken."""


def _legal_zones(battle: Battle, question: WhichZone) -> list[TakeZone]:
    return [TakeZone("south"), TakeZone("north")]


def _check_deploy(battle: Battle, question: WhereToDeploy, choice: Deploy) -> None:
    """A unit deploys whole, in its zone, in coherency, on free ground. [UNIT-1, UNIT-3, MOVE-3]

    No rule of the digests says when a unit deploys and where: those refusals name the field.
    """
    if not has_unit(battle, choice.unit):
        raise IllegalChoice("UNIT-1", f"there is no unit {choice.unit!r}")
    unit = unit_of(battle, choice.unit)
    if unit.side != question.player:
        raise IllegalChoice("PLYR-3", f"{choice.unit} is not {question.player}'s")
    if on_table(unit) or not alive(unit):
        raise IllegalChoice("deploy.unit", f"{choice.unit} is on the table already")
    models = setup_of(battle, unit.id).models
    if len(choice.at) != len(models):
        has, given = counted(len(models), "model"), counted(len(choice.at), "place")
        raise IllegalChoice("UNIT-1", f"{choice.unit} has {has}, {given} given")
    zone = zone_of(battle, unit.side)
    assert zone is not None
    discs = [Disc.at(p, m.radius) for p, m in zip(choice.at, models, strict=True)]
    for n, disc in enumerate(discs, 1):
        if not inside(disc, zone):
            where = f"{choice.unit}.{n} stands outside its deployment zone"
            raise IllegalChoice("deploy.at", where)
    standing = other_discs(battle, "red") + other_discs(battle, "blue")
    standing = [standing[k] for k in culled(discs, 2 * widest(discs, standing), standing)]
    for n, disc in enumerate(discs, 1):
        if any(overlaps(disc, there) for there in (*standing, *discs[: n - 1])):
            raise IllegalChoice("MOVE-3", f"{choice.unit}.{n} stands on another model")
        ground = on_barrier(disc, barriers(battle))
        if ground is not None:
            raise IllegalChoice(ground.rule, f"{choice.unit}.{n} {ground.reason}")
    if not coherent(discs):
        raise IllegalChoice("UNIT-3", f"{choice.unit} is not in coherency (2 inches)")


def _legal_deploy(battle: Battle, question: WhereToDeploy) -> list[Deploy]:
    """Propose for each waiting unit the free spots nearest left, middle and right of the zone."""
    zone = zone_of(battle, question.player)
    assert zone is not None
    facing: Facing = "north" if zone.y0 == 0 else "south"
    found: list[Deploy] = []
    standing = [d for u in battle.units if on_table(u) for d in discs_of(battle, u)]
    standing += barriers(battle)
    for unit in waiting(battle, question.player):
        radii = [m.radius for m in setup_of(battle, unit.id).models]
        for share in (1, 2, 3):
            x = zone.x0 + (zone.x1 - zone.x0) * share // 4
            front = Point(x, zone.y1 if zone.y0 == 0 else zone.y0)
            spots = deploy_spots(radii, zone, standing, front, facing)
            if spots is not None:
                choice = Deploy(unit.id, tuple(spots))
                if choice not in found:
                    found.append(choice)
    return found


ANSWERS: AnswerTable = {
    WhichZone: Answers((TakeZone,), _check_zone, _legal_zones),
    WhereToDeploy: Answers((Deploy,), _check_deploy, _legal_deploy),
}
