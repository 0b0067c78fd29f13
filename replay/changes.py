"""When did this change: the steps that touched a unit, a model or a field, and the rules behind.

Fields are named as in `replay.compare`. Every event of the way is folded and what it changed is
compared, so nothing is guessed from an event's kind. The rule ids are those that the event class
and its reducer name in their docstrings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

from events.base import Event
from events.codec import EVENT_TYPES
from events.errors import WarledgerError
from events.game import ProcedureStarted
from projections.battle import AnyPhase, Battle, Clock, Model, Outcome, Score
from projections.history import History, Node
from projections.queries import has_unit, unit_of
from projections.reducers import REDUCERS, fold
from replay.compare import TURN_FIELDS, UNIT_FIELDS, Difference, differences
from replay.words import answer_of

_GROUP = re.compile(r"\[([^\]]*)\]")
_ID = re.compile(r"\b[A-Z]+-[A-Z]?\d+[a-z]?\b")


def _ids(text: str | None) -> list[str]:
    return [rule for group in _GROUP.findall(text or "") for rule in _ID.findall(group)]


def _behind(kind: type[Event]) -> tuple[str, ...]:
    reducer = REDUCERS.get(kind)
    named = _ids(kind.__doc__) + _ids(reducer.__doc__ if reducer is not None else "")
    return tuple(dict.fromkeys(named))


RULES_BEHIND: dict[type[Event], tuple[str, ...]] = {kind: _behind(kind) for kind in EVENT_TYPES}
"""Rule ids behind each kind of event, as its docstring and its reducer's name them."""


class Change(NamedTuple):
    """One event that changed what was asked for."""

    step: int
    answer: str
    """The answer that made the step, in the notation."""
    rule: str
    """The rule that was at work, by its name in the code: ``casualty_check``."""
    event: Event
    ids: tuple[str, ...]
    """Rule ids behind the event."""
    differences: tuple[Difference, ...]
    """What it changed of what was asked for: before and after."""


def changes(history: History, what: str, node: Node | None = None) -> Iterator[Change]:
    """Return what changed a unit, a model or a field on the way to a node (default: the head).

    `what` is a name such as ``boyz``, ``boyz.3``, ``boyz.locked``, ``boyz.3.lost``, ``score.red``
    or ``clock``; a name stands for all that is under it. Raises WarledgerError for an unknown
    one. About 30 microseconds an event.
    """
    path = history.path(node)
    check_name(path[-1].battle, what)
    return _changes(path, what)


def _changes(path: Sequence[Node], what: str) -> Iterator[Change]:
    battle: Battle | None = None
    rule = ""
    for at in path:
        for event in at.events:
            if type(event) is ProcedureStarted:
                rule = event.name
            before, battle = battle, fold(battle, (event,))
            if before is None or before is battle:
                continue
            touched = tuple(d for d in differences(before, battle) if _is_under(d.field, what))
            if touched:
                ids = RULES_BEHIND[type(event)]
                yield Change(at.step, answer_of(at), rule, event, ids, touched)


def _is_under(field: str, what: str) -> bool:
    """Whether a field belongs to what was asked for, or replaced the whole of which it is part."""
    return f"{field}.".startswith(f"{what}.") or f"{what}.".startswith(f"{field}.")


_FIELDS: dict[str, tuple[str, ...]] = {
    "clock": Clock.__struct_fields__,
    "score": Score.__struct_fields__,
    "outcome": Outcome.__struct_fields__,
    "phase": tuple(name for kind in get_args(AnyPhase) for name in kind.__struct_fields__),
    "question": (),
    "zones": (),
}


def check_name(battle: Battle, what: str) -> None:
    """Raise WarledgerError unless `what` names a unit, a model or a field of a battle.

    Models that were removed have a name still.
    """
    first, _, rest = what.partition(".")
    if has_unit(battle, first):
        number, _, field = rest.partition(".")
        if number.isascii() and number.isdecimal():
            started = unit_of(battle, first).started
            fields: tuple[str, ...] = tuple(f for f in Model.__struct_fields__ if f != "n")
            if not 1 <= int(number) <= started:
                raise WarledgerError(what, f"{first} has the models 1 to {started}")
        else:
            field, fields = rest, (*UNIT_FIELDS, *TURN_FIELDS, "models")
    elif first in _FIELDS:
        field, fields = rest, _FIELDS[first]
    else:
        units = ", ".join(unit.id for unit in battle.units)
        raise WarledgerError(
            what, f"no unit and no field; units are {units}; fields {', '.join(_FIELDS)}"
        )
    if field and field.split(".")[0] not in fields:
        known = ", ".join(dict.fromkeys(fields)) or "none"
        raise WarledgerError(what, f"there is no field {field!r} here; there are {known}")
