"""Pinning: units hurt by such weapons test when the shooting is over, or go down. [GTG-4, LDT-5]"""

from __future__ import annotations

from engine.rules.going_to_ground import go_to_ground, may_go_to_ground
from engine.rules.leadership import leadership_test
from engine.runner import Action
from projections.battle import ShootingPhase
from projections.queries import alive, unit_of


async def pinning_tests(action: Action) -> None:
    """Test each unit that the unit which has just shot pinned; a failed test puts it down. [GTG-4]

    Not one that is locked in combat [LOCK-8] or on the ground already; Overwatch pins nobody
    [OVWT-4].
    """
    phase = action.battle.phase
    assert isinstance(phase, ShootingPhase)
    for unit in phase.pinned:
        found = unit_of(action.battle, unit)
        if not alive(found) or found.locked or found.gone_to_ground:
            continue
        if not await leadership_test(action, unit, "pinning") and may_go_to_ground(
            action.battle, unit
        ):
            go_to_ground(action, unit)
