"""Going to Ground: offered to the target's player before the first save of a weapon group. [GTG]"""

from __future__ import annotations

from collections.abc import Sequence

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.rules.allocation import Wounds
from engine.rules.cover import best_cover
from engine.rules.saves import BEST, best_save
from engine.rules.special_rules import FEARLESS, anyone_has
from engine.runner import Action
from events.attacks import WentToGround
from events.base import UnitId
from events.choices import GoToGround
from events.questions import GroundOffered
from projections.battle import Battle
from projections.queries import owner, profile_of, setup_of, unit_of


async def offer_ground(
    action: Action, shooter: UnitId, target: UnitId, pool: Sequence[Wounds]
) -> None:
    """Let a unit that was wounded by shooting Go to Ground before it saves. [GTG-1]

    Offered only where it may and where some save would be the better for it.
    """
    battle = action.battle
    if not may_go_to_ground(battle, target) or not helps(battle, target, pool):
        return
    count = sum(wounds.scored for wounds in pool)
    question = GroundOffered(owner(battle, target), target, shooter, count)
    if (await Ask(question, GoToGround)).down:
        go_to_ground(action, target)


def go_to_ground(action: Action, unit: UnitId) -> None:
    """Put a unit down until the end of its own next turn. [GTG-3]"""
    clock, side = action.battle.clock, owner(action.battle, unit)
    # Whose turn it is, or was in this game turn, has its next one in the game turn after.
    had = side in (clock.active, clock.first)
    action.emit(WentToGround(unit, clock.game_turn + had))


def may_go_to_ground(battle: Battle, target: UnitId) -> bool:
    """Whether a unit may Go to Ground at all. [GTG-4, GTG-5, LOCK-7, FALL-5]

    Not twice, not locked in combat, not while falling back, not with a Fearless model.
    """
    unit = unit_of(battle, target)
    barred = unit.gone_to_ground or unit.locked or unit.falling_back
    return not barred and not anyone_has(battle, target, FEARLESS)


def helps(battle: Battle, target: UnitId, pool: Sequence[Wounds]) -> bool:
    """Whether some model that may take a Wound would have a better save down than up. [GTG-2]"""
    setup = setup_of(battle, target)
    sure = best_cover(battle) > BEST  # then whoever has no save of his own is better off down
    living = [model.n for model in unit_of(battle, target).models]
    for wounds in pool:
        if wounds.cover is None:
            continue
        for n in living:
            if n not in wounds.eligible:
                continue
            profile = profile_of(setup, n)
            kind, need = best_save(profile, wounds.ap)
            if kind is None and sure:
                return True
            if kind is not None and need <= BEST:
                continue
            up = best_save(profile, wounds.ap, wounds.cover(n, False))[1] or 7
            if best_save(profile, wounds.ap, wounds.cover(n, True))[1] < up:
                return True
    return False


def units_to_get_up(battle: Battle) -> tuple[UnitId, ...]:
    """Return the units whose time on the ground ends with this player turn. [GTG-3, TURN-4]"""
    clock = battle.clock
    return tuple(
        unit.id
        for unit in battle.units
        if unit.gone_to_ground
        and unit.side == clock.active
        and unit.ground_until <= clock.game_turn
    )


def _check(battle: Battle, question: GroundOffered, choice: GoToGround) -> None:
    """Either answer is right: the question is asked only where it may be answered so."""


def _legal(battle: Battle, question: GroundOffered) -> list[GoToGround]:
    return [GoToGround(False), GoToGround(True)]


ANSWERS: AnswerTable = {GroundOffered: Answers((GoToGround,), _check, _legal)}
