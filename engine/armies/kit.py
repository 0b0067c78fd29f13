"""Who in a unit carries what, and what of it the engine doesn't apply."""

from __future__ import annotations

import msgspec

from engine.armies.models import Group, armoured_type, is_body
from engine.armies.names import numbered
from engine.armies.report import Notes
from engine.armies.rosters import Line, Selection
from engine.armies.special_rules import is_for
from engine.armies.weapon_types import rule_name
from engine.armies.weapons import is_weapon, read_weapons, says_twin_linked
from events.errors import RosterError
from events.values import Weapon


def names_of(selection: Selection) -> tuple[str, ...]:
    """Return what a selection brings besides models and weapons: rules, wargear, or its own name.

    A selection with nothing in it and nothing below it is an item that has no more than its name.
    """
    items = [line.name for line in selection.lines if not _plays(line)]
    empty = not (selection.lines or selection.rules or selection.selections)
    if empty and selection.type == "upgrade":
        items.append(selection.name)
    return tuple(dict.fromkeys([*selection.rules, *items]))


def _plays(line: Line) -> bool:
    return is_weapon(line) or is_body(line) or armoured_type(line) is not None


def _has(weapon: Weapon, rule: str) -> bool:
    """Return whether a weapon has a rule, whatever its parameter."""
    return rule.partition(" (")[0] in {name.partition(" (")[0] for name in weapon.rules}


MAX_WEAPONS = 200
"""Most different weapons in one unit; more is a damaged file, not a unit."""


class Kit:
    """The weapons and names of one unit, gathered by walking its selections."""

    def __init__(self, unit: str, groups: tuple[Group, ...], notes: Notes) -> None:
        self.unit = unit
        self.notes = notes
        self.weapons: dict[str, Weapon] = {}
        """By id, in roster order."""
        self.carried: list[list[str]] = []
        """Weapon ids of each model, in model order."""
        self.names: dict[str, set[int]] = {}
        """Rules and wargear by name, in roster order, and the models that have them."""
        self._models: list[tuple[Selection, range]] = []
        self._singled_out: set[int] = set()
        for group in groups:
            first = len(self.carried)
            self._models.append((group.selection, range(first, first + group.count)))
            self.carried += [[] for _ in range(group.count)]

    def equip(self, selection: Selection, path: str, holders: tuple[range, ...] = ()) -> None:
        """Hand out the weapons of a selection and all below it, and keep the names of the rest.

        `holders` are the models that an upgrade is for: those of the nearest model selection
        above it, or all of the unit's.
        """
        own = tuple(models for group, models in self._models if group is selection)
        if own:
            holders = own
        elif selection.type != "upgrade" or not holders:
            holders = self._inside(selection) or holders
        weapons = [self._take(weapon) for weapon in self._read(selection, path)]
        bearers: list[int] = []
        if weapons:
            number = len(own[0]) if own else selection.number
            bearers = self._hand_out(weapons, number, holders, path, selection.name)
        # A rule that stands with its weapon is the weapon's, and kept there.
        for name in names_of(selection):
            if not any(_has(weapon, rule_name(name)) for weapon in weapons):
                self.leave(
                    name, path, *(bearers if weapons else [m for group in holders for m in group])
                )
        for below in selection.selections:
            self.equip(below, f"{path} / {below.name}", holders)

    def arsenal(self) -> tuple[Weapon, ...]:
        """Return the unit's weapons in the order its models carry them, then those nobody does."""
        order = dict.fromkeys([weapon for model in self.carried for weapon in model])
        order |= dict.fromkeys(self.weapons)
        return tuple(self.weapons[weapon] for weapon in order)

    def leave(self, name: str, path: str, *models: int) -> None:
        """Keep a rule or an item of wargear by name for these models."""
        self.keep(name, *models)
        self.notes.leave(path, name)

    def keep(self, name: str, *models: int) -> None:
        """Keep a name for these models without a note."""
        self.names.setdefault(name, set()).update(models)

    def models_of(self, group: Group) -> range:
        """Return the numbers of a group's models, from 0."""
        return next(models for selection, models in self._models if selection is group.selection)

    def shared(self) -> tuple[str, ...]:
        """Return the names that all of the unit's models have."""
        return tuple(name for name, who in self.names.items() if len(who) == len(self.carried))

    def own(self, model: int) -> tuple[str, ...]:
        """Return the names that a model has and not all others have."""
        everyone = len(self.carried)
        return tuple(n for n, who in self.names.items() if model in who and len(who) < everyone)

    def _read(self, selection: Selection, path: str) -> list[Weapon]:
        """Return a selection's weapons, with the weapon's rules that stand beside them.

        A rule that one of its weapons can have and none has in its own line is that weapon's.
        """
        weapons = [
            weapon
            for line in selection.lines
            if is_weapon(line)
            for weapon in read_weapons(line, path, self.notes)
        ]
        beside = [rule_name(rule) for rule in selection.rules]
        if weapons and says_twin_linked(selection.name):
            beside.append("Twin-linked")
        for rule in dict.fromkeys(beside):
            fit = [n for n, weapon in enumerate(weapons) if is_for(rule, weapon.type)]
            if len(fit) == 1 and not any(_has(weapon, rule) for weapon in weapons):
                weapon = weapons[fit[0]]
                weapons[fit[0]] = msgspec.structs.replace(weapon, rules=(*weapon.rules, rule))
                self.notes.add("inferred", path, f"{rule} beside it is taken to be {weapon.id}'s")
                self.notes.leave(path, rule, weapon.id)
        return weapons

    def _inside(self, selection: Selection) -> tuple[range, ...]:
        inside = {id(below) for below in selection.walk()}
        return tuple(models for group, models in self._models if id(group) in inside)

    def _take(self, weapon: Weapon) -> Weapon:
        """Return the weapon under its id in this unit: different ones of one name are numbered."""
        if len(self.weapons) >= MAX_WEAPONS:
            raise RosterError(self.unit, f"more than {MAX_WEAPONS} different weapons in one unit")
        for free in numbered(weapon.id):
            named = msgspec.structs.replace(weapon, id=free)
            if self.weapons.setdefault(free, named) == named:
                return named
        raise AssertionError("numbered() never ends")

    def _hand_out(
        self,
        weapons: list[Weapon],
        number: int,
        holders: tuple[range, ...],
        path: str,
        name: str,
    ) -> list[int]:
        """Give weapons to the models chosen to carry them; returns those models."""
        models = self._carriers(number, holders, path, name)
        # Two of a melee weapon are two weapons in a fight; of a gun, one is fired.
        pair = len(holders) == 1 and number == 2 * len(models)
        for model in models:
            for weapon in weapons:
                copies = 2 if pair and weapon.type == "melee" else 1
                if weapon.id not in self.carried[model] or copies == 2:
                    self.carried[model] += [weapon.id] * copies
        return models

    def _carriers(self, number: int, holders: tuple[range, ...], path: str, name: str) -> list[int]:
        """Return the models that carry something chosen `number` times among `holders`.

        In one group the number is the total. For a whole unit, 1 means that every model has it
        and a larger number that so many have it. Which ones the roster doesn't say: it is the
        first of the largest group that have not been given such a thing yet.
        """
        by_size = sorted(holders, key=len, reverse=True)
        models = [model for group in by_size for model in group]
        if number >= len(models):
            return models
        if len(holders) > 1 and number == 1:
            self.notes.add("inferred", path, f"{name}: taken to be carried by every model")
            return models
        fresh = [model for model in models if model not in self._singled_out]
        spent = [model for model in models if model in self._singled_out]
        chosen = sorted([*fresh, *spent][:number])
        self._singled_out.update(chosen)
        who = ", ".join(f"{self.unit}.{model + 1}" for model in chosen)
        self.notes.add("inferred", path, f"{name}: {number} of {len(models)} models, {who}")
        return chosen
