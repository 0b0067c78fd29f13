"""Allocating Wounds, saves, casualties: one Wound at a time. [ALRC, ALLO, SAVE, FAST-3]"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.ask import Roll
from engine.board import disc_of, discs_of
from engine.geometry import nearness
from engine.rules.saves import best_save
from engine.runner import Action
from events.attacks import (
    Cause,
    ModelRemoved,
    UnitDestroyed,
    WoundAllocated,
    WoundSaved,
    WoundsLost,
    WoundSuffered,
)
from events.base import ModelId, UnitId
from projections.battle import Battle
from projections.queries import (
    model_id,
    model_of,
    number_of,
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


async def allocate_shots(
    action: Action,
    unit: UnitId,
    target: UnitId,
    wounds: int,
    eligible: Sequence[int],
    *,
    strength: int,
    ap: int | None,
    weapon: str,
    cause: Cause,
    cover: Callable[[Battle, int], int | None] | None = None,
) -> None:
    """Allocate the wound pool of one weapon group of `unit`. [ALRC-1, ALRC-3]

    Each Wound goes to the closest of the `eligible` models (numbers, fixed when To Hit was
    rolled [ALLO-3]) and on to the same model until it is removed. [ALLO-1, ALRC-2] A die with as
    many sides as there are equally close models draws one, in unit order. [ALLO-2, DMOD-5]
    `cover` gives a model's cover save when it is chosen. [COVR-1]
    """
    ranks = closeness(action.battle, unit, target, eligible)
    taker = 0
    covered: int | None = None
    while wounds and ranks:
        if not taker:
            nearest = min(key for key, _ in ranks)
            tied = [n for key, n in ranks if key == nearest]
            drawn = 1
            if len(tied) > 1:
                (drawn,) = await Roll(
                    "allocation tie",
                    sides=len(tied),
                    subject=target,
                    opponent=unit,
                    weapon=weapon,
                )
            taker = tied[drawn - 1]
            covered = cover(action.battle, taker) if cover is not None else None
        wounds -= 1
        stands = await take_wound(
            action,
            model_id(target, taker),
            strength=strength,
            ap=ap,
            attacker=unit,
            weapon=weapon,
            cause=cause,
            cover=covered,
        )
        if not stands:
            ranks = [(key, n) for key, n in ranks if n != taker]
            taker = 0
    if wounds:
        action.emit(WoundsLost(target, wounds))


def closeness(
    battle: Battle, unit: UnitId, target: UnitId, eligible: Sequence[int]
) -> list[tuple[int, int]]:
    """Return (nearness to the firing unit, number) of the eligible models, in unit order.

    Equal keys are truly equal distances. [ALLO-1] One exact root a pair of models.
    """
    ours = discs_of(battle, unit)
    targets = unit_of(battle, target)
    return [
        (min(nearness(disc_of(battle, targets, model), disc) for disc in ours), model.n)
        for model in targets.models
        if model.n in eligible
    ]
