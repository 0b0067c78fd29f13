"""Allocating Wounds, saves, casualties: one Wound at a time. [ALRC, ALLO, SAVE]

Never in a batch: rolling several saves together is a shortcut that may change nothing, so the dice
are used one by one in the order of allocation. [FAST-1, FAST-2, FAST-3]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.ask import Ask, Roll
from engine.board import discs_of, numbered
from engine.geometry import nearness_to
from engine.rules.saves import best_save
from engine.rules.wound_groups import Kind, next_group
from engine.runner import Action
from events.attacks import (
    Cause,
    ModelRemoved,
    PinningCaused,
    UnitDestroyed,
    WoundAllocated,
    WoundSaved,
    WoundsLost,
    WoundSuffered,
)
from events.base import ModelId, UnitId
from events.choices import TakeWounds
from events.questions import WhoTakesWounds, WoundGroup
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
)


async def take_wound(
    action: Action,
    model: ModelId,
    *,
    strength: int,
    ap: int | None,
    attacker: UnitId,
    weapon: str,
    cause: Cause,
    step: int = 0,
    cover: int | None = None,
) -> bool:
    """Let a model take one Wound with its best save; return whether it is still there. [ALRC-1]

    One save, and no second if it fails. [SAVE-2, MSAV-1]
    A Strength of twice its own Toughness or more is Instant Death. [ALRC-5, MTGH-3] The last
    model takes its unit with it. [RMV-3] `step` is the Initiative step in close combat.
    """
    unit, n = unit_of_model(model), number_of(model)
    profile = profile_of(setup_of(action.battle, unit), n)
    kind, need = best_save(profile, ap, cover)
    action.emit(WoundAllocated(model, kind, need))
    if kind is not None:
        (face,) = await Roll(
            f"{kind} save",
            need=need,
            subject=unit,
            opponent=attacker,
            weapon=weapon,
            step=step,
        )
        if face >= need:
            action.emit(WoundSaved(model, kind))
            return True
    hurt = model_of(unit_of(action.battle, unit), n)
    assert hurt is not None
    left = (profile.wounds or 1) - hurt.lost
    at_once = strength >= 2 * (profile.toughness or 0)
    wounds = left if at_once else 1
    action.emit(WoundSuffered(model, wounds, hurt.lost + wounds, cause, at_once))
    if wounds < left:
        return True
    action.emit(ModelRemoved(model, cause))
    if not unit_of(action.battle, unit).models:
        action.emit(UnitDestroyed(unit, cause))
    return False


class Wounds(NamedTuple):
    """Wounds of a pool that were scored alike. [WPOL-1, WPOL-2]"""

    weapon: str
    strength: int
    ap: int | None
    scored: int
    eligible: tuple[int, ...]
    """Numbers of the models that may take them, fixed when To Hit was rolled. [ALLO-3, SHRG-3]"""
    cover: Callable[[int, bool], int | None] | None = None
    """A model's cover save by its number and whether it has Gone to Ground; None for no cover."""
    precise: bool = False
    """The shooter says who takes them. [ALLO-5]"""
    pins: bool = False
    """Whom one of them hurts tests for Pinning. [LDT-5]"""

    @property
    def kind(self) -> Kind:
        """What makes them a group of the pool: Strength, AP, precise, coverless. [WPOL-2]"""
        return self.strength, self.ap, self.precise, self.cover is None


async def allocate_pool(
    action: Action, unit: UnitId, target: UnitId, pool: Sequence[Wounds], cause: Cause
) -> None:
    """Allocate a wound pool of `unit`, group by group. [ALRC-1, WPOL-2]

    The firing player chooses the order of groups that differ. [WPOL-3] Wounds for which nobody
    is eligible any more are lost. [ALRC-3]
    """
    everyone = dict.fromkeys(n for wounds in pool for n in wounds.eligible)
    ranks = closeness(action.battle, unit, target, tuple(everyone))
    left, lost = list(pool), 0
    while left:
        groups = groups_of(left) if ranks else groups_of(left)[:1]
        now = await next_group(action, owner(action.battle, unit), target, groups)
        for wounds in [wounds for wounds in left if wounds.kind == now]:
            left.remove(wounds)
            before = health(action.battle, target) if wounds.pins else 0
            ranks, over = await allocate(action, unit, target, wounds, ranks, cause)
            lost += over
            if wounds.pins and cause == "shooting" and health(action.battle, target) < before:
                action.emit(PinningCaused(target))
    if lost:
        action.emit(WoundsLost(target, lost))


def groups_of(pool: Sequence[Wounds]) -> tuple[WoundGroup, ...]:
    """Return the groups of a pool in the order rolled. [WPOL-2]"""
    counts: dict[Kind, int] = {}
    for wounds in pool:
        counts[wounds.kind] = counts.get(wounds.kind, 0) + wounds.scored
    return tuple(WoundGroup(*kind[:2], count, *kind[2:]) for kind, count in counts.items())


def health(battle: Battle, unit: UnitId) -> int:
    """Return how many Wounds the models of a unit have left."""
    setup = setup_of(battle, unit)
    return sum((profile_of(setup, m.n).wounds or 1) - m.lost for m in unit_of(battle, unit).models)


Ranks = list[tuple[int, int]]
"""Nearness to the firing unit and number of each model that may still take a Wound."""


async def allocate(
    action: Action, unit: UnitId, target: UnitId, wounds: Wounds, ranks: Ranks, cause: Cause
) -> tuple[Ranks, int]:
    """Allocate Wounds that are alike; return who is left of `ranks`, and how many Wounds.

    Each goes to the closest of the eligible models and on to the same until it is removed.
    [ALLO-1, ALRC-2] A die with as many sides as there are equally close models draws one, in unit
    order. [ALLO-2, DMOD-5] Its cover is judged when it is chosen. [COVR-1]
    """
    taker = 0
    covered: int | None = None
    for done in range(wounds.scored):
        if not taker:
            near = [(key, n) for key, n in ranks if n in wounds.eligible]
            if not near:
                return ranks, wounds.scored - done
            if wounds.precise:
                taker = await _chosen(action, near, unit, target, wounds.scored - done)
            else:
                taker = await _closest(near, unit, target, wounds.weapon)
            if wounds.cover is not None:
                covered = wounds.cover(taker, unit_of(action.battle, target).gone_to_ground)
        stands = await take_wound(
            action,
            model_id(target, taker),
            strength=wounds.strength,
            ap=wounds.ap,
            attacker=unit,
            weapon=wounds.weapon,
            cause=cause,
            cover=covered,
        )
        if not stands:
            ranks = [(key, n) for key, n in ranks if n != taker]
            taker = 0
    return ranks, 0


async def _chosen(action: Action, near: Ranks, unit: UnitId, target: UnitId, left: int) -> int:
    """Let the shooter say who takes the Wound of a Precision Shot. [ALLO-5]"""
    eligible = tuple(model_id(target, n) for _, n in near)
    if len(eligible) == 1:
        return near[0][1]
    question = WhoTakesWounds(owner(action.battle, unit), target, eligible, left)
    return number_of((await Ask(question, TakeWounds)).models[0])


async def _closest(near: Ranks, unit: UnitId, target: UnitId, weapon: str) -> int:
    nearest = min(key for key, _ in near)
    tied = [n for key, n in near if key == nearest]
    if len(tied) == 1:
        return tied[0]
    (drawn,) = await Roll(
        "allocation tie", sides=len(tied), subject=target, opponent=unit, weapon=weapon
    )
    return tied[drawn - 1]


def closeness(battle: Battle, unit: UnitId, target: UnitId, eligible: Sequence[int]) -> Ranks:
    """Return (nearness to the firing unit, number) of the eligible models, in unit order.

    Equal keys are truly equal distances. [ALLO-1] One exact root a model.
    """
    ours = discs_of(battle, unit)
    return [
        (nearness_to(disc, ours), n)
        for n, disc in numbered(battle, unit_of(battle, target))
        if n in eligible
    ]
