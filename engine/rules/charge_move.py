"""The charge move: initial charger, everybody else, locked in combat. [CMOV, MMOV, LOCK-1]"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.board import barriers, discs_of, other_discs, table_rect
from engine.geometry import (
    Breach,
    Disc,
    Move,
    charge_placement,
    check_charge_placement,
    gap,
    initial_charger,
)
from engine.geometry.fray import Fray
from engine.geometry.places import touching
from engine.geometry.routes import line_clear, route_to_contact
from engine.rules.charge_terrain import crossed, skirting, strikes_at_step_one
from engine.rules.dangerous_terrain import hazards_of
from engine.rules.leadership import leadership_test
from engine.rules.locked import units_to_lock
from engine.rules.moving import make_move, moves_of
from engine.rules.special_rules import DEFENSIVE_GRENADES, model_has
from engine.runner import Action
from events.assault import ChargeEnded, ChargeFailed, UnitCharged, UnitsLocked
from events.attacks import UnitDestroyed
from events.base import UnitId, other
from events.choices import Place, PlaceModels
from events.errors import IllegalChoice
from events.morale import UnitRegrouped
from events.questions import HowToCharge
from events.values import Rect
from projections.battle import Battle, Unit
from projections.queries import alive, model_id, model_of, owner, setup_of, turn_of, unit_of

FAR = 200_000
"""Farther than any charge, in mils: the limit when only the length of the way is asked."""


class Ground(NamedTuple):
    """What stands where as a charge sees it: chargers, the charged, what is in the way, enemies to
    keep off. The first `primary` of the charged are the primary target's. [MMOV-1]"""

    unit: tuple[Disc, ...]
    targets: tuple[Disc, ...]
    obstacles: tuple[Disc, ...]
    keep_off: tuple[Disc, ...]
    primary: int


def ground_of(battle: Battle, unit: UnitId, targets: tuple[UnitId, ...]) -> Ground:
    """Return the bases and barriers that a charge of `unit` has to do with. [CMOV-2, TERR-1]"""
    side = owner(battle, unit)
    charged = [discs_of(battle, target) for target in targets]
    return Ground(
        discs_of(battle, unit),
        tuple([disc for discs in charged for disc in discs]),
        (*other_discs(battle, side, but=(unit,)), *barriers(battle)),
        tuple(other_discs(battle, other(side), but=targets)),
        len(charged[0]),
    )


def way_to_charge(
    battle: Battle, unit: UnitId, targets: tuple[UnitId, ...], limit: int
) -> int | None:
    """Return how far the initial charger must go, in mils, if at most `limit`. [CMOV-3, AMB-16]"""
    ground = ground_of(battle, unit, targets)
    found = initial_charger(*ground[:4], limit, table_rect(battle), ground.primary)
    return None if found is None else found[1].length


def can_reach(
    battle: Battle, unit: UnitId, targets: tuple[UnitId, ...], limit: int, *, around: bool = True
) -> bool:
    """Whether a charge gets any model of `unit` into contact with the first target in `limit` mils.

    [CDEC-2, MDEC-2] Cheaper than `way_to_charge`: the first way found will do. Straight ways are
    tried for all pairs before the search for one `around`, the nearest first.
    """
    table, ground = table_rect(battle), ground_of(battle, unit, targets)
    return _straight(ground, limit, table) or (around and _around(ground, limit, table))


@lru_cache(maxsize=200)
def _straight(ground: Ground, limit: int, table: Rect) -> bool:
    """Whether any of the chargers reaches the first target by a straight way."""
    fray = Fray(*ground[:4], limit, table)
    aims = fray.targets[: ground.primary]
    pairs = sorted(
        (apart, i, k)
        for i, mover in enumerate(fray.here)
        for k, enemy in enumerate(aims)
        if (apart := gap(mover, enemy)) <= limit
    )
    return any(
        line_clear(fray.here[i].centre, touching(fray.here[i], aims[k]), fray.hurdles(i))
        for _, i, k in pairs
    )


@lru_cache(maxsize=200)
def _around(ground: Ground, limit: int, table: Rect) -> bool:
    """Whether any of the chargers reaches the first target by any way; the nearest are tried first.

    A way is never shorter than the gap.
    """
    fray = Fray(*ground[:4], limit, table)
    aims = fray.targets[: ground.primary]
    near = sorted((min(gap(mover, aim) for aim in aims), i) for i, mover in enumerate(fray.here))
    return any(
        route_to_contact(fray.here[i], aims, fray.hurdles(i), limit, table) is not None
        for apart, i in near
        if apart <= limit
    )


async def move_charge(
    action: Action, unit: UnitId, targets: tuple[UnitId, ...], distance: int
) -> None:
    """Make a charge move of up to `distance` mils, or fail. [CMOV-8, MMOV-1, CMOV-9]

    Where the initial charger dies in dangerous terrain another takes its place, at the same
    distance. [CMOV-4, AMB-25]
    """
    primary, through = targets[0], False
    for assaulted in await caught_when_assaulted(action, unit, targets, distance):
        targets = tuple(target for target in targets if target != assaulted)
    if primary not in targets:
        action.emit(ChargeEnded(unit))  # [AMB-37]
        return
    while True:
        if way_to_charge(action.battle, unit, targets, distance) is None:
            needed = way_to_charge(action.battle, unit, targets, FAR)
            action.emit(ChargeFailed(unit, needed or 0))
            return
        side = owner(action.battle, unit)
        choice = await Ask(HowToCharge(side, unit, targets, distance), PlaceModels)
        charger = unit_of(action.battle, unit)
        moves = moves_of(charger, choice)
        through = through or crossed(action.battle, charger, moves[:1])
        if not hazards_of(action.battle, charger, moves[:1]):
            break
        await make_move(action, PlaceModels(unit, choice.places[:1]), "charge")
        if not alive(unit_of(action.battle, unit)):
            action.emit(ChargeEnded(unit))
            return
        choice = PlaceModels(unit, choice.places[1:])
        if model_of(unit_of(action.battle, unit), charger.models[moves[0][0]].n) is not None:
            break
    charger = unit_of(action.battle, unit)
    through = through or crossed(action.battle, charger, moves_of(charger, choice))
    if choice.places:
        await make_move(action, choice, "charge")
    last = strikes_at_step_one(action.battle, targets, through)
    action.emit(UnitCharged(unit, denies_bonus(action.battle, targets), last))
    locked = units_to_lock(action.battle, unit)
    if locked:
        action.emit(UnitsLocked(locked))


async def caught_when_assaulted(
    action: Action, unit: UnitId, targets: tuple[UnitId, ...], distance: int
) -> list[UnitId]:
    """Let the falling back units that a charge reaches Regroup; return those destroyed. [RGRP-5]

    Only a roll that suffices calls for the test, and it is an ordinary one. [RGRP-4, RGRP-6]
    """
    fleeing = [target for target in targets if unit_of(action.battle, target).falling_back]
    if not fleeing or way_to_charge(action.battle, unit, targets, distance) is None:
        return []
    caught: list[UnitId] = []
    for target in fleeing:
        if way_to_charge(action.battle, unit, (target,), distance) is None:
            continue
        if await leadership_test(action, target, "regroup when assaulted"):
            action.emit(UnitRegrouped(target))
        else:
            action.emit(UnitDestroyed(target, "caught falling back"))
            caught.append(target)
    return caught


def denies_bonus(battle: Battle, targets: tuple[UnitId, ...]) -> bool:
    """Whether defensive grenades deny the attack for charging these units. [NATK-4]

    Not those of units that have been locked since an earlier turn or have Gone to Ground. [GTG-8]
    """
    return any(
        not unit.gone_to_ground
        and (not unit.locked or turn_of(battle, unit.id).newly_locked)
        and any(model_has(setup_of(battle, unit.id), m.n, *DEFENSIVE_GRENADES) for m in unit.models)
        for unit in (unit_of(battle, target) for target in targets)
    )


def placed(unit: Unit, moves: tuple[Move, ...]) -> PlaceModels:
    """Return a proposal by index among the living as a choice by model number."""
    return PlaceModels(unit.id, tuple(Place(unit.models[i].n, path) for i, path in moves))


def all_moves(unit: Unit, choice: PlaceModels) -> list[Move]:
    """Return a choice as moves of every living model: those not named stay, after the others.

    Raises IllegalChoice for a model that is not there or is named twice.
    """
    moves = moves_of(unit, choice)
    named = {i for i, _ in moves}
    return moves + [(i, ()) for i in range(len(unit.models)) if i not in named]


def refusal(breach: Breach, unit: UnitId, numbers: Sequence[int]) -> IllegalChoice:
    """Return a breach as the refusal of a choice; `numbers` are the models' by index."""
    which = model_id(unit, numbers[breach.model]) if breach.model >= 0 else unit
    return IllegalChoice(breach.rule, f"{which} {breach.reason}")


def _check(battle: Battle, question: HowToCharge, choice: PlaceModels) -> None:
    if choice.unit != question.unit:
        raise IllegalChoice("CMOV-1", f"{question.unit} charges now, not {choice.unit}")
    unit = unit_of(battle, choice.unit)
    ground = ground_of(battle, unit.id, question.targets)
    moves = all_moves(unit, choice)
    breach = check_charge_placement(
        ground.unit,
        moves,
        ground.targets,
        ground.obstacles,
        ground.keep_off,
        question.distance,
        table_rect(battle),
        ground.primary,
    )
    if breach is None and (dodger := skirting(battle, unit, moves)) >= 0:
        why = "goes around difficult terrain; it charges by the shortest way"
        breach = Breach("CDIF-7", dodger, why)
    if breach is not None:
        raise refusal(breach, unit.id, [model.n for model in unit.models])


def _legal(battle: Battle, question: HowToCharge) -> list[PlaceModels]:
    ground = ground_of(battle, question.unit, question.targets)
    moves = charge_placement(*ground[:4], question.distance, table_rect(battle), ground.primary)
    return [] if moves is None else [placed(unit_of(battle, question.unit), moves)]


ANSWERS: AnswerTable = {HowToCharge: Answers((PlaceModels,), _check, _legal)}
