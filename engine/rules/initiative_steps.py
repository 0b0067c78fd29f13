"""Initiative steps, from 10 down to 1. [ISTP, PILE-8]"""

from __future__ import annotations

from engine.rules.choosing_weapons import choose_at_step
from engine.rules.combats import both_stand, combat_now, in_touch, standing, turn_order
from engine.rules.directing import direct_blows
from engine.rules.engaged import steps_of
from engine.rules.pile_in import must_pile_in, pile_in
from engine.rules.striking import strike
from engine.runner import Action
from events.assault import BlowsFinished, InitiativeStepStarted
from projections.battle import Battle


async def initiative_step(action: Action) -> None:
    """Fight one step: pile in, active player first, then strike. [ISTP-5, PILE-6]

    Initiative decides who strikes first, not who charged. [CHOC-2] Before the first roll the
    strikers choose their weapons and whom they strike. [MELE-2, MDIR-2]

    If nobody touches an enemy after the pile-ins, the fighting ends there. [PILE-8]
    """
    step = next_step(action.battle)
    action.emit(InitiativeStepStarted(step))
    for side in turn_order(action.battle):
        if any(must_pile_in(action.battle, u.id, step) for u in standing(action.battle, side)):
            await pile_in(action, side, step)
    if in_touch(action.battle):
        await choose_at_step(action, step)
        await strike(action, step, await direct_blows(action, step))
    else:
        action.emit(BlowsFinished())


def next_step(battle: Battle) -> int:
    """Return the next step that has a model in the combat; 0 if there is none. [ISTP-1]

    With one side gone no blow can be struck any more.
    """
    if not both_stand(battle):
        return 0
    now = combat_now(battle).step
    steps = (
        step
        for side in turn_order(battle)
        for unit in standing(battle, side)
        for step in steps_of(battle, unit)
    )
    return max((step for step in steps if step < now), default=0)
