"""The charge move: initial charger, everybody else, locked in combat. [CMOV, LOCK-1, RGRP-4]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.board import discs_of, other_discs, table_rect
from engine.geometry import (
    CONTACT,
    Breach,
    Disc,
    Move,
    charge_placement,
    check_charge_placement,
    gap,
    initial_charger,
    path_block,
)
from engine.geometry.paths import hurdles
from engine.geometry.routes import route_to_contact, touching
from engine.rules.leadership import leadership_test
from engine.rules.locked import units_to_lock
from engine.rules.moving import moved, moves_of
from engine.runner import Action
from events.assault import ChargeEnded, ChargeFailed, UnitCharged, UnitsLocked
from events.attacks import UnitDestroyed
from events.base import UnitId, other
from events.choices import Place, PlaceModels
from events.errors import IllegalChoice
from events.morale import UnitRegrouped
from events.questions import HowToCharge
from projections.battle import Battle, Unit
from projections.queries import model_id, owner, unit_of

FAR = 200_000
"""Farther than any charge, in mils: the limit when only the length of the way is asked."""


class Ground(NamedTuple):
    """Who stands where as a charge sees it: chargers, the charged, friends, other enemies."""

    unit: list[Disc]
    targets: list[Disc]
    obstacles: list[Disc]
    keep_off: list[Disc]


def ground_of(battle: Battle, unit: UnitId, targets: tuple[UnitId, ...]) -> Ground:
    """Return the bases that a charge of `unit` on `targets` has to do with. [CMOV-2]"""
    side = owner(battle, unit)
    return Ground(
        discs_of(battle, unit),
        [disc for target in targets for disc in discs_of(battle, target)],
        other_discs(battle, side, but=(unit,)),
        other_discs(battle, other(side), but=targets),
    )


def way_to_charge(
    battle: Battle, unit: UnitId, targets: tuple[UnitId, ...], limit: int
) -> int | None:
    """Return how far the initial charger must go, in mils, if at most `limit`. [CMOV-3, AMB-16]"""
    found = initial_charger(*ground_of(battle, unit, targets), limit, table_rect(battle))
    return None if found is None else found[1].length


def can_reach(battle: Battle, unit: UnitId, target: UnitId, limit: int) -> bool:
    """Whether any model of `unit` gets into contact with `target` within `limit` mils. [CDEC-2]

    Cheaper than `way_to_charge`: the first way found will do. Straight ways are tried for all
    pairs before the search for one around, then the models nearest the enemy first.
    """
    ground = ground_of(battle, unit, (target,))
    keep_off = [(disc, CONTACT + 1) for disc in ground.keep_off]
    movers: list[tuple[int, Disc, list[Disc]]] = []
    for i, mover in enumerate(ground.unit):
        standing = [*ground.targets, *ground.unit[:i], *ground.unit[i + 1 :], *ground.obstacles]
        movers.append((min(gap(mover, enemy) for enemy in ground.targets), mover, standing))
    movers = sorted((m for m in movers if m[0] <= limit), key=lambda m: m[0])
    for _, mover, standing in movers:
        for enemy in ground.targets:
            end = touching(mover, enemy)
            if gap(mover, enemy) <= limit and not path_block(mover, (end,), standing, keep_off):
                return True
    table = table_rect(battle)
    return any(
        route_to_contact(mover, ground.targets, hurdles(mover.r, standing, keep_off), limit, table)
        for _, mover, standing in movers
    )


async def move_charge(action: Action, unit: UnitId, target: UnitId, distance: int) -> None:
    """Make a charge move of up to `distance` mils, or fail. [CMOV-8, RGRP-4, CMOV-9]"""
    if way_to_charge(action.battle, unit, (target,), distance) is None:
        needed = way_to_charge(action.battle, unit, (target,), FAR)
        action.emit(ChargeFailed(unit, needed or 0))
        return
    if unit_of(action.battle, target).falling_back:
        # Only a roll that suffices calls for the test, and it is an ordinary one. [RGRP-4, RGRP-6]
        if not await leadership_test(action, target, "regroup when assaulted"):
            action.emit(UnitDestroyed(target, "caught falling back"))  # [RGRP-5]
            action.emit(ChargeEnded(unit))
            return
        action.emit(UnitRegrouped(target))
    side = owner(action.battle, unit)
    choice = await Ask(HowToCharge(side, unit, (target,), distance), PlaceModels)
    action.emit(moved(action.battle, choice, "charge"))
    action.emit(UnitCharged(unit))
    locked = units_to_lock(action.battle, unit)
    if locked:
        action.emit(UnitsLocked(locked))


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
    breach = check_charge_placement(
        ground.unit,
        all_moves(unit, choice),
        ground.targets,
        ground.obstacles,
        ground.keep_off,
        question.distance,
        table_rect(battle),
    )
    if breach is not None:
        raise refusal(breach, unit.id, [model.n for model in unit.models])


def _legal(battle: Battle, question: HowToCharge) -> list[PlaceModels]:
    ground = ground_of(battle, question.unit, question.targets)
    moves = charge_placement(*ground, question.distance, table_rect(battle))
    return [] if moves is None else [placed(unit_of(battle, question.unit), moves)]


ANSWERS: AnswerTable = {HowToCharge: Answers((PlaceModels,), _check, _legal)}
