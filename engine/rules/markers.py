"""Blast markers and templates: where they may be put, how they scatter, whom they hit. [APOC]

They need no roll To Hit. A marker is put over a model of the target unit and scatters; a template
lies where it is put. Every unit under one takes a hit for each of its models there. [APOC-3]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.board import disc_of, discs_of
from engine.characteristics import d3
from engine.geometry import Disc, overlaps, within
from engine.geometry.markers import DIRECTIONS, Tear, marker, scattered, tear
from engine.rules.line_of_sight import Sightlines, sightlines
from engine.rules.rerolls import offer_reroll
from engine.rules.special_rules import TWIN_LINKED, weapon_has
from engine.runner import Action
from events.attacks import MarkerPlaced, MarkerScattered
from events.base import ModelId, UnitId
from events.choices import AimAt
from events.errors import IllegalChoice
from events.questions import WhereToAim
from events.values import Point, Weapon
from projections.battle import Battle
from projections.queries import (
    model_id,
    model_of,
    number_of,
    owner,
    profile_of,
    setup_of,
    unit_of,
    unit_of_model,
    units_on_table,
    weapon_of,
)

HIT = 5
"""A scatter die shows a Hit on two of six faces: 5 and 6."""

INCH = 1000


async def marker_hits(
    action: Action, unit: UnitId, n: int, target: UnitId, gun: Weapon
) -> dict[UnitId, int]:
    """Fire one shot of a model with a blast or template weapon; return its hits by unit. [APOC-3]

    Without a place that the marker may be put at the shot is not fired. The target comes first,
    then the others in muster order, the firing unit last.
    """
    model = model_id(unit, n)
    question = WhereToAim(owner(action.battle, unit), model, target, gun.id)
    if not proposals(action.battle, question):
        return {}
    at = (await Ask(question, AimAt)).at
    action.emit(MarkerPlaced(model, target, gun.id, at))
    if gun.template:
        return under(action.battle, tear(_base_of(action.battle, model), at), unit, target)
    to = await scatter(action, unit, n, target, gun, at)
    table = action.battle.table
    if not (0 <= to.x <= table.width and 0 <= to.y <= table.height):
        return {}
    return under(action.battle, marker(to, gun.blast), unit, target)


async def scatter(
    action: Action, unit: UnitId, n: int, target: UnitId, gun: Weapon, at: Point
) -> Point:
    """Roll where a blast marker ends; a twin-linked weapon's player may roll again. [RERL-3]"""
    to, faces = await _scatter_once(action, unit, n, target, gun, at)
    if not weapon_has(gun, TWIN_LINKED):
        return to
    if not await offer_reroll(action, unit, "scatter", gun.id, faces):
        return to
    to, _ = await _scatter_once(action, unit, n, target, gun, at)
    return to


async def _scatter_once(
    action: Action, unit: UnitId, n: int, target: UnitId, gun: Weapon, at: Point
) -> tuple[Point, tuple[int, ...]]:
    """Roll where a marker ends: on a Hit where it was put, else 2D6 less BS inches off. [DMOD-2]

    The direction is rolled where it moves at all, one of 36. Returns the dice, too.
    """

    def roll(purpose: str, count: int = 1, need: int = 0, sides: int = 6) -> Roll:
        return Roll(
            purpose, count, need=need, sides=sides, subject=unit, opponent=target, weapon=gun.id
        )

    (face,) = await roll("scatter", need=HIT)
    distance, to = 0, at
    faces: tuple[int, ...] = (face,)
    if face < HIT:
        faces += await roll("scatter distance", 2)
        skill = profile_of(setup_of(action.battle, unit), n).bs or 0
        distance = max(0, sum(faces[1:]) - skill) * INCH
    if distance:
        (direction,) = await roll("scatter direction", sides=DIRECTIONS)
        to = scattered(at, direction, distance)
    action.emit(MarkerScattered(unit, gun.id, to, distance))
    return to, faces


async def overwatch_hits(action: Action, unit: UnitId, target: UnitId, gun: Weapon) -> int:
    """Return the hits of one template in Overwatch: D3, at any distance. [OVWT-8, AMB-22]"""
    (face,) = await Roll("template hits", subject=unit, opponent=target, weapon=gun.id)
    return d3(face)


def under(battle: Battle, shape: Disc | Tear, unit: UnitId, target: UnitId) -> dict[UnitId, int]:
    """Return how many models of each unit lie under a marker or template. [APOC-3, LOCK-6]"""
    found: dict[UnitId, int] = {}
    for name, disc in _everyone(battle):
        if _covers(shape, disc):
            found[name] = found.get(name, 0) + 1
    order = sorted(found, key=lambda name: (name != target, name == unit))
    return {name: found[name] for name in order}


def _covers(shape: Disc | Tear, base: Disc) -> bool:
    return shape.covers(base) if isinstance(shape, Tear) else overlaps(shape, base)


def _everyone(battle: Battle) -> Iterator[tuple[UnitId, Disc]]:
    for unit in units_on_table(battle):
        for disc in discs_of(battle, unit):
            yield unit.id, disc


def _base_of(battle: Battle, name: ModelId) -> Disc:
    unit = unit_of(battle, unit_of_model(name))
    model = model_of(unit, number_of(name))
    assert model is not None
    return disc_of(battle, unit, model)


def _gun(battle: Battle, question: WhereToAim) -> Weapon:
    gun = weapon_of(setup_of(battle, unit_of_model(question.model)), question.weapon)
    assert gun is not None
    return gun


def fault(
    battle: Battle, question: WhereToAim, at: Point, lines: Sightlines
) -> IllegalChoice | None:
    """Return why a marker can't be put there, or None. [APOC-4, LOCK-6, SHTG-1, SHRG-1]

    The middle of a blast marker goes over a visible model of the target, within range; a template
    covers at least one. Neither covers a friend [FRND-1] or a model locked in combat.
    """
    gun = _gun(battle, question)
    shooter = _base_of(battle, question.model)
    foes = [disc for disc in discs_of(battle, question.target) if lines.sees(shooter, disc)]
    shape: Disc | Tear
    if gun.template:
        if at == shooter.centre:
            return IllegalChoice("APOC-1", "a template points away from the model that fires it")
        shape = tear(shooter, at)
        if not any(shape.covers(foe) for foe in foes):
            return IllegalChoice("APOC-3", f"there it covers no model of {question.target}")
    else:
        hole = Disc.at(at, 0)
        shape = marker(at, gun.blast)
        if not any(within(hole, foe, 0) for foe in foes):
            return IllegalChoice("SHTG-1", f"no visible model of {question.target} is there")
        if not within(shooter, hole, gun.range):
            return IllegalChoice("SHRG-1", f"{gun.id} reaches {gun.range} mils, that is farther")
        if gun.least and within(shooter, hole, gun.least - 1):
            return IllegalChoice("WRNG-1", f"that is nearer than {gun.least} mils, its least range")
    for unit in units_on_table(battle):
        friend = unit.side == question.player
        if (friend or unit.locked) and any(_covers(shape, d) for d in discs_of(battle, unit)):
            rule, what = ("APOC-4", "one's own") if friend else ("LOCK-6", "locked in combat")
            return IllegalChoice(rule, f"there it covers a model of {unit.id}, {what}")
    return None


def proposals(battle: Battle, question: WhereToAim) -> list[AimAt]:
    """Return good places for a marker: over each target model, most models covered first.

    Where the middle of a model's base won't do, nine places around it are tried.
    """
    gun = _gun(battle, question)
    lines = sightlines(battle, unit_of_model(question.model), question.target)
    shooter = _base_of(battle, question.model)
    foes = discs_of(battle, question.target)
    found: dict[Point, int] = {}
    for foe in foes:
        for at in _places(foe, gun):
            if fault(battle, question, at, lines) is None:
                shape = tear(shooter, at) if gun.template else marker(at, gun.blast)
                found.setdefault(at, sum(_covers(shape, other) for other in foes))
                break
    return [AimAt(at) for at in sorted(found, key=lambda at: -found[at])]


def _places(foe: Disc, gun: Weapon) -> Iterator[Point]:
    """Yield the middle of a base, then places near its edge, or beside it for a template."""
    yield foe.centre
    step = 490 * foe.r // 127 * (3 if gun.template else 1)
    for direction in range(4, 37, 4):
        yield scattered(foe.centre, direction, step)


def _check(battle: Battle, question: WhereToAim, choice: AimAt) -> None:
    lines = sightlines(battle, unit_of_model(question.model), question.target)
    found = fault(battle, question, choice.at, lines)
    if found is not None:
        raise found


ANSWERS: AnswerTable = {WhereToAim: Answers((AimAt,), _check, proposals)}
