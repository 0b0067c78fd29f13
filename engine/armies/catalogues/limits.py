"""Limits of a catalogue checked against what is taken: each violation is named."""

from __future__ import annotations

from collections.abc import Iterator

from engine.armies.catalogues.options import Limit, Option
from engine.armies.catalogues.taken import Taken, members_taken
from engine.armies.field_text import points_text
from engine.armies.report import Notes

_ARMY = ("force", "roster")


def check_limits(army: Taken, notes: Notes) -> None:
    """Write each limit that isn't kept into `notes`: path, limit, count and what would be right.

    `army` is the root, its children the entries taken. A limit that a modifier with a condition
    may change is a warning; one that is counted within something else is noted as not checked.
    """
    wide: dict[tuple[str, Limit], tuple[Option, str]] = {}
    for option in dict.fromkeys(child.option for child in army.children):
        for limit in option.limits:
            wide.setdefault((option.id, limit), (option, option.name))
    for taken in army.walk():
        if taken is army:
            continue
        for option in _visible(taken.option):
            path = f"{taken.path} / {option.name}"
            for limit in option.limits:
                if limit.scope == "parent":
                    held, spent = _held(taken, option), _spent(taken, option)
                    _judge(limit, spent if limit.field == "points" else held, path, notes)
                else:
                    wide.setdefault((option.id, limit), (option, path))
    for (_, limit), (option, path) in wide.items():
        _check_wide(army, option, limit, path, notes)


def _check_wide(army: Taken, option: Option, limit: Limit, path: str, notes: Notes) -> None:
    """Check a limit that is counted over the army or within an entry above."""
    if limit.scope in _ARMY or path == option.name:
        scopes = [army]
    else:
        scopes = [taken for taken in army.walk() if taken.option.is_called(limit.scope)]
    if not scopes or limit.field == "points":
        notes.add("not applied", path, f"limit not checked: {limit}")
    entries = {m.id for m in option.choices()} if option.kind == "group" else {option.id}
    for taken in scopes if limit.field == "selections" else []:
        _judge(limit, sum(taken.total(entry) for entry in entries), path, notes)


def _judge(limit: Limit, value: int, path: str, notes: Notes) -> None:
    """Note a limit that `value` doesn't keep."""
    if limit.value <= value if limit.kind == "min" else value <= limit.value:
        return
    points = limit.field == "points"
    told = f"{points_text(value)} points taken" if points else f"{value} taken"
    right = f"{points_text(limit.value)} points" if points else str(limit.value)
    right += " or more" if limit.kind == "min" else " or fewer"
    if limit.certain:
        notes.add("error", path, f"{told}, against the limit {limit}; take {right}")
    else:
        text = f"{told}, against the limit {limit}, which may change; {right} would be safe"
        notes.add("warning", path, text)


def _visible(holder: Option) -> Iterator[Option]:
    """Yield an option's options and groups, those inside groups too."""
    for option in holder.options:
        if not option.hidden:
            yield option
            if option.kind == "group":
                yield from _visible(option)


def _held(taken: Taken, option: Option) -> int:
    return members_taken(taken, option) if option.kind == "group" else taken.count(option)


def _spent(taken: Taken, option: Option) -> int:
    """Return the hundredths of a point spent on an option, or on a group's options."""
    members = [*option.choices()] if option.kind == "group" else [option]
    return sum(c.cost() for c in taken.children if any(c.option is m for m in members))
