"""Redaction: the same game under other names. What it decides on stays in its order.

Units become ``unit-01``, ``unit-02``, ..., numbered in the order of their old ids, so that whatever
goes by the order of ids, or by muster order, comes out the same; weapons, stat lines and terrain
likewise. Display names, notes, roster sources and remarks of the import go. Words of the game
itself (purposes of rolls, special rules, phases) stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from events.game import ScenarioGiven
from events.values import UnitSetup
from projections.battle import Battle
from projections.history import History
from projections.reducers.game import given
from replay.failures import Broken, Difference, Differs, Failure, Raised, Refused

T = TypeVar("T", bound=msgspec.Struct)

Kind = Literal["unit", "model", "weapon", "profile", "place", "blank", "address", "what", "keep"]

_OF_KIND: dict[Kind, tuple[str, ...]] = {
    "unit": (
        *("charger", "consolidated", "done", "fled", "fought", "moved", "opponent", "pinned"),
        *("pursuer", "shooter", "subject", "target", "targets", "tested", "unit", "units"),
    ),
    "model": ("eligible", "model", "models"),
    "weapon": ("overwatch_weapons", "weapon", "weapons"),
    "profile": ("profile",),
    "place": ("terrain",),
    "address": ("address",),
    "what": ("what",),
    "blank": (
        *("catalogue", "chain", "dialect", "file", "game", "game_system", "inferred", "name"),
        *("not_applied", "seed", "sha256", "text"),
    ),
    "keep": (
        *("algorithm", "fired", "link", "purpose", "reason", "rules", "ruleset", "type"),
        "weapon_type",
    ),
}

FIELDS: dict[str, Kind] = {field: kind for kind, fields in _OF_KIND.items() for field in fields}
"""What the words in a field are, whichever Struct it is in."""

OF_CLASS: dict[tuple[str, str], Kind] = {
    ("Unit", "id"): "unit",
    ("UnitSetup", "id"): "unit",
    ("ModelSetup", "id"): "model",
    ("Weapon", "id"): "weapon",
    ("Objective", "id"): "place",
    ("Terrain", "id"): "place",
    ("Profile", "name"): "profile",
    ("ProcedureStarted", "name"): "keep",
    ("LeftOff", "reason"): "blank",
}
"""Where a field of that name is something else."""


class Renaming:
    """New names for everything in a game, the same wherever it is named."""

    def __init__(self, history: History) -> None:
        assert history.root is not None
        battle = history.root.battle
        setups = battle.setups
        places = [o.id for o in battle.table.objectives] + [t.id for t in battle.table.terrain]
        self._units = _numbered("unit", (s.id for s in setups))
        self._weapons = _numbered("weapon", (w.id for s in setups for w in s.weapons))
        self._profiles = _numbered("profile", (p.name for s in setups for p in s.profiles))
        self._places = _numbered("place", places)
        self._words = self._shown(setups)
        # Battles share most of their parts; each is renamed once, and stays shared.
        self._known: dict[int, tuple[Any, Any]] = {}

    def _shown(self, setups: Iterable[UnitSetup]) -> dict[str, str]:
        words = {**self._profiles, **self._weapons, **self._places, **self._units}
        for setup in setups:
            words.setdefault(setup.name.lower(), self._units[setup.id])
        return {word: new for word, new in words.items() if word}

    def renamed(self, value: T) -> T:
        """Return an event, choice or battle under the new names."""
        new: T = self._struct(value)
        return new

    def text(self, words: str) -> str:
        """Return a text with the names in it replaced; other words stay.

        Only names that are known here are found: don't write others into a note.
        """
        if not self._words:
            return words
        longest = sorted(self._words, key=len, reverse=True)
        pattern = r"(?<![a-z0-9-])(?:" + "|".join(map(re.escape, longest)) + r")(?![a-z0-9-])"
        return re.sub(pattern, lambda m: self._words[m[0].lower()], words, flags=re.IGNORECASE)

    def failure(self, failure: Failure) -> Failure:
        """Return a failure without what names anything."""
        match failure:
            case Raised():
                return replace(failure, message="")
            case Refused(reason=reason):
                return replace(failure, reason=self.text(reason))
            case Broken(words=words):
                return replace(failure, words=self.text(words))
            case Differs(fields=fields):
                renamed = (
                    Difference(self.text(f.field), self.text(f.recorded), self.text(f.executed))
                    for f in fields
                )
                return replace(failure, fields=tuple(renamed))

    def _struct(self, value: Any) -> Any:
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        if isinstance(value, ScenarioGiven):
            battle = msgspec.json.decode(bytes(value.battle), type=Battle)
            new = replace(given(self._struct(battle)), schema=value.schema)
        else:
            name = type(value).__name__
            changed: dict[str, Any] = {}
            for field in value.__struct_fields__:
                kind = OF_CLASS.get((name, field)) or FIELDS.get(field)
                old = getattr(value, field)
                renamed = self._value(old, kind)
                if renamed is not old:
                    changed[field] = renamed
            new = replace(value, **changed) if changed else value
        self._known[id(value)] = value, new
        return new

    def _value(self, value: Any, kind: Kind | None) -> Any:
        if isinstance(value, msgspec.Struct):
            return self._struct(value)
        if isinstance(value, tuple):
            known = self._known.get(id(value))
            if known is not None and known[0] is value:
                return known[1]
            if kind == "blank":
                new: tuple[Any, ...] = ()
            else:
                new = tuple(self._value(item, kind) for item in value)
                if all(a is b for a, b in zip(new, value, strict=True)):
                    new = value
            self._known[id(value)] = value, new
            return new
        return self._word(value, kind) if isinstance(value, str) and value else value

    def _word(self, word: str, kind: Kind | None) -> str:
        match kind:
            case "unit":
                return self._units.get(word, "unit-unknown")
            case "model":
                unit, _, number = word.rpartition(".")
                return f"{self._units.get(unit, 'unit-unknown')}.{number}"
            case "weapon":
                return self._weapons.get(word, word)  # one that nobody mustered is the game's own
            case "profile":
                return self._profiles.get(word, "profile-unknown")
            case "place":
                return self._places.get(word, "place-unknown")
            case "address":
                step, subject, weapon, purpose, opponent = word.split("|")
                subject, opponent = self._unit(subject), self._unit(opponent)
                weapon = self._weapons.get(weapon, weapon)
                return f"{step}|{subject}|{weapon}|{purpose}|{opponent}"
            case "what":
                of, objective, place = word.partition("objective ")
                return f"{of}{objective}{self._places.get(place, place)}"
            case "blank":
                return ""
        return word

    def _unit(self, word: str) -> str:
        return self._units.get(word, word and "unit-unknown")


def _numbered(kind: str, names: Iterable[str]) -> Mapping[str, str]:
    """Return new names in the order of the old ones, numbers padded so that they keep it.

    >>> dict(_numbered("unit", ["boyz", "archers"]))
    {'archers': 'unit-1', 'boyz': 'unit-2'}
    """
    old = sorted(set(names))
    width = len(str(len(old)))
    return {name: f"{kind}-{n:0{width}}" for n, name in enumerate(old, 1)}
