"""What is taken from a catalogue: choices matched with options, and what must be there added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.armies.catalogues.choices import Choice
from engine.armies.catalogues.options import Limit, Option
from engine.armies.names import slug
from engine.armies.report import Notes
from events.errors import RosterError

MAX_TAKEN = 5_000
"""Most options taken in one army."""


@dataclass(eq=False)
class Taken:
    """One option taken `number` times for each of what it is taken under."""

    option: Option
    number: int
    path: str
    children: list[Taken] = field(default_factory=list)

    def walk(self) -> Iterator[Taken]:
        """Yield this and all taken below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def count(self, option: Option) -> int:
        """Return how many of an option are taken directly under this one."""
        return sum(child.number for child in self.children if child.option is option)

    def total(self, entry: str) -> int:
        """Return how many of an entry are taken anywhere below, for one of this."""
        return sum(
            child.number * ((child.option.id == entry) + child.total(entry))
            for child in self.children
        )

    def cost(self) -> int:
        """Return the hundredths of a point of this and all below it."""
        return self.number * (self.option.cost + sum(child.cost() for child in self.children))


class Taker:
    """Takes options by choice; notes what it adds."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.count = 0

    def take(self, option: Option, choice: Choice, path: str) -> Taken:
        """Return an option with what was chosen under it and what must be.

        Raises RosterError for a name that can't be chosen there, with those that can.
        """
        self.count += 1
        if self.count > MAX_TAKEN:
            raise RosterError(path, f"more than {MAX_TAKEN:,} options taken; too many for an army")
        taken = Taken(option, choice.number, path)
        for below in choice.choices:
            chosen = self._find(taken, below)
            taken.children.append(self.take(chosen, below, f"{path} / {chosen.name}"))
        self._fill(taken, option)
        return taken

    def _find(self, taken: Taken, choice: Choice) -> Option:
        """Return the option a choice names; of several with room the first.

        A group's name and a slash before the name say which of several is meant.
        """
        offers = list(_offers(taken.option))
        key = slug(choice.name, "")
        found = [
            (option, groups)
            for option, groups in offers
            if key
            in (slug(option.name, ""), *(slug(f"{g.name} {option.name}", "") for g in groups))
        ]
        if not found:
            names = ", ".join(dict.fromkeys(option.name for option, _ in offers)) or "nothing"
            raise RosterError(taken.path, f"no {choice.name!r} to choose here; there is {names}")
        for option, groups in found:
            if all(_room(taken, holder, choice.number) for holder in (option, *groups)):
                return option
        return found[0][0]

    def _fill(self, taken: Taken, holder: Option) -> None:
        """Add what an option or group must have where nothing of it was chosen."""
        for option in holder.options:
            if option.hidden:
                continue
            need = _needed(option)
            if option.kind != "group":
                if need and not taken.count(option) and _room_above(taken, option, need):
                    self._add(taken, option, need)
                continue
            members = list(option.choices())
            if need and not members_taken(taken, option):
                default = [m for m in members if option.default and m.is_called(option.default)]
                if default or len(members) == 1:
                    self._add(taken, (default or members)[0], need)
            self._fill(taken, option)

    def _add(self, taken: Taken, option: Option, number: int) -> None:
        path = f"{taken.path} / {option.name}"
        self.notes.add("inferred", path, f"{number} taken: required, and nothing else was chosen")
        taken.children.append(self.take(option, Choice(option.name, number), path))


def least_cost(option: Option) -> int:
    """Return the hundredths of a point of an option with no more than what must be under it."""
    return Taker(Notes()).take(option, Choice(option.name), option.name).cost()


def members_taken(taken: Taken, group: Option) -> int:
    """Return how many of a group's options are taken under `taken`."""
    return sum(taken.count(member) for member in group.choices())


def counted(limit: Limit, kind: str) -> bool:
    """Return whether a limit is of a kind and counts choices under the parent."""
    return limit.kind == kind and limit.field == "selections" and limit.scope == "parent"


def _needed(option: Option) -> int:
    return max((limit.value for limit in option.limits if counted(limit, "min")), default=0)


def _room(taken: Taken, holder: Option, number: int) -> bool:
    """Return whether `number` more of an option, or of a group's options, are within its limits."""
    held = members_taken(taken, holder) if holder.kind == "group" else taken.count(holder)
    return all(held + number <= limit.value for limit in holder.limits if counted(limit, "max"))


def _room_above(taken: Taken, option: Option, number: int) -> bool:
    """Return whether the groups that an option is in have room for it."""
    for offered, groups in _offers(taken.option):
        if offered is option:
            return all(_room(taken, group, number) for group in groups)
    return False


def _offers(
    holder: Option, groups: tuple[Option, ...] = ()
) -> Iterator[tuple[Option, tuple[Option, ...]]]:
    """Yield what can be chosen under an option, each with the groups it is in."""
    for option in holder.options:
        if option.hidden:
            continue
        if option.kind == "group":
            yield from _offers(option, (*groups, option))
        else:
            yield option, groups
