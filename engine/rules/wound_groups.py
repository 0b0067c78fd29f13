"""Which Wounds of a pool come next: the player who scored them decides. [WPOL-3, MWND-3]"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.runner import Action
from events.base import Side, UnitId
from events.choices import AllocateWounds
from events.errors import IllegalChoice
from events.questions import WhichWounds, WoundGroup
from projections.battle import AssaultPhase, Battle

Kind = tuple[int, int | None, bool, bool]
"""What makes Wounds a group: Strength, AP, precise, coverless. [WPOL-2]"""


def kind_of(said: AllocateWounds | WoundGroup) -> Kind:
    """Return the kind of Wounds that a choice or a group means."""
    return said.strength, said.ap, said.precise, said.coverless


async def next_group(
    action: Action, side: Side, target: UnitId, groups: tuple[WoundGroup, ...]
) -> Kind:
    """Let the player whose Wounds they are say which are allocated next; not asked about one."""
    if len(groups) == 1:
        return kind_of(groups[0])
    return kind_of(await Ask(WhichWounds(side, target, groups), AllocateWounds))


def _check(battle: Battle, question: WhichWounds, choice: AllocateWounds) -> None:
    if kind_of(choice) in map(kind_of, question.groups):
        return
    fighting = isinstance(battle.phase, AssaultPhase) and battle.phase.fighting
    said = "; ".join(
        f"Strength {group.strength}, AP {'-' if group.ap is None else group.ap}"
        + ", precise" * group.precise
        + ", coverless" * group.coverless
        for group in question.groups
    )
    raise IllegalChoice(
        "MWND-3" if fighting else "WPOL-3",
        f"no such Wounds are left to allocate; there are {said}",
    )


def _legal(battle: Battle, question: WhichWounds) -> list[AllocateWounds]:
    return [AllocateWounds(*kind_of(group)) for group in question.groups]


ANSWERS: AnswerTable = {WhichWounds: Answers((AllocateWounds,), _check, _legal)}
