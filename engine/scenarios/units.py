"""Units of a scenario: stat lines, weapons and models in the form that players know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from engine.notation import to_point
from engine.scenarios.documents import Entry
from engine.scenarios.weapon_lines import read_weapon
from events.values import ModelSetup, Point, Profile, UnitSetup, Weapon
from projections.battle import Model, Unit

UNIT = (
    "side",
    "profile",
    "weapons",
    "models",
    "base",
    "started",
    "phase_started",
    "falling_back",
    "locked",
    "gone_to_ground",
    "rules",
)
ROW = ("at", "count", "spacing", "n", "profile", "weapons", "base", "lost", "removed", "rules")

PLAIN = Profile("model", 3, 3, 3, 3, 1, 3, 1, 7)
"""The stat line of a unit that names none: 3 3 3 3 1 3 1 7 and no save."""

_LINE = ("ws", "bs", "strength", "toughness", "wounds", "initiative", "attacks", "leadership")
_LINE_RIGHT = 'a stat line WS BS S T W I A Ld Sv, such as "4 4 4 4 1 4 1 8 3+" (invulnerable: 4++)'
_SLUG = re.compile(r"[a-z0-9-]+")
_NUMBER = re.compile(r"[0-9]{1,3}")
_BASE = re.compile(r"([0-9]{2,3})(?:\.([02468]))?")
_MODELS = 200
"""At most so many models in a unit."""


def read_profiles(entry: Entry | None) -> dict[str, Profile]:
    """Return stat lines by name."""
    if entry is None:
        return {}
    return {_slug(key): read_profile(key.text(), value) for key, value in entry.pairs()}


def read_profile(name: str, entry: Entry) -> Profile:
    """Return a stat line as players write it: ``4 4 4 4 1 4 1 8 3+``, with ``-`` for none.

    A tenth word is an invulnerable save, such as ``4++``.
    """
    words = entry.text().split()
    if not 9 <= len(words) <= 10:
        entry.refuse(_LINE_RIGHT)
    numbers: dict[str, Any] = {}
    for field, word in zip((*_LINE, "save", "invulnerable"), words, strict=False):
        low, high, bare = 0, 10, word
        if field in ("save", "invulnerable"):
            low, high, bare = 2, 6, word.rstrip("+")
        if bare != "-" and not (_NUMBER.fullmatch(bare) and low <= int(bare) <= high):
            entry.refuse(f"{_LINE_RIGHT}; {word!r} is wrong for {field} ({low} to {high} or -)")
        numbers[field] = None if bare == "-" else int(bare)
    return Profile(name, **numbers)


def read_weapons(entry: Entry | None) -> dict[str, Weapon]:
    """Return weapons by id."""
    if entry is None:
        return {}
    return {_slug(key): read_weapon(key.text(), value) for key, value in entry.pairs()}


def _slug(entry: Entry) -> str:
    """Return a name that can stand in a line of play."""
    if _SLUG.fullmatch(entry.text()) is None:
        entry.refuse("a name of a to z, 0 to 9 and hyphens")
    return entry.text()


class _Kit:
    """What the models of one unit may use, collected while its rows are read."""

    def __init__(self, profiles: Mapping[str, Profile], weapons: Mapping[str, Weapon]) -> None:
        self.known_profiles = profiles
        self.known_weapons = weapons
        self.profiles: dict[str, Profile] = {}
        self.weapons: dict[str, Weapon] = {}

    def profile(self, entry: Entry | None) -> str:
        """Return the name of a stat line, taken up into the unit's own."""
        if entry is None:
            profile = PLAIN
        elif entry.text() in self.known_profiles:
            profile = self.known_profiles[entry.text()]
        elif " " in entry.text():
            profile = read_profile("model", entry)
        else:
            entry.refuse(f"a name in profiles ({', '.join(self.known_profiles)}) or {_LINE_RIGHT}")
        self.profiles.setdefault(profile.name, profile)
        return profile.name

    def armed(self, entry: Entry | None) -> tuple[str, ...]:
        """Return weapon ids, taken up into the unit's own. Inline: a mapping of id to profile."""
        if entry is None:
            return ()
        if not entry.is_text and not entry.is_list and not entry.is_empty:
            inline = read_weapons(entry)
            self.weapons.update(inline)
            return tuple(inline)
        names = entry.words()
        known = {**self.known_weapons, **self.weapons}
        for name in names:
            if name not in known:
                entry.refuse(f"right: {name!r} is not in weapons ({', '.join(known)})")
            self.weapons[name] = known[name]
        return tuple(names)


def read_unit(
    key: Entry,
    entry: Entry,
    profiles: Mapping[str, Profile],
    weapons: Mapping[str, Weapon],
    turn: Iterable[str],
) -> tuple[UnitSetup, Unit, dict[str, Entry]]:
    """Return a unit's setup and state, and its fields of the turn record (named in `turn`)."""
    name = _slug(key)
    fields = entry.fields((*UNIT, *turn))
    for needed in ("side", "models"):
        if needed not in fields:
            entry.refuse(f"a unit; {name} lacks {needed}")
    kit = _Kit(profiles, weapons)
    side: Any = fields["side"].one_of(("red", "blue"))
    usual = (kit.profile(fields.get("profile")), kit.armed(fields.get("weapons")))
    radius = _radius(fields.get("base"))
    setups: dict[int, ModelSetup] = {}
    models: list[Model] = []
    for row in _rows(fields["models"]):
        first = max(setups, default=0) + 1
        for n, model, equipped in _read_row(name, row, first, kit, usual, radius):
            if n in setups:
                row.refuse(f"right: {name} has two models {n}")
            setups[n] = equipped
            if model is not None:
                models.append(model)
    started = fields["started"].whole(len(models)) if "started" in fields else len(models)
    mustered = max(started, *setups) if setups else started
    if not 1 <= mustered <= _MODELS:
        fields["models"].refuse(f"1 to {_MODELS} models")
    everyone = tuple(
        setups.get(n) or ModelSetup(f"{name}.{n}", *usual, radius) for n in range(1, mustered + 1)
    )
    unit = Unit(
        name,
        side,
        tuple(sorted(models, key=lambda model: model.n)),
        started=mustered,
        phase_started=(
            fields["phase_started"].whole() if "phase_started" in fields else len(models)
        ),
        falling_back="falling_back" in fields and fields["falling_back"].flag(),
        locked="locked" in fields and fields["locked"].flag(),
        gone_to_ground="gone_to_ground" in fields and fields["gone_to_ground"].flag(),
    )
    setup = UnitSetup(
        name,
        name,
        side,
        "infantry",
        everyone,
        tuple(p for p in kit.profiles.values() if any(m.profile == p.name for m in everyone)),
        tuple(kit.weapons.values()),
        not_applied=_names(fields.get("rules")),
    )
    return setup, unit, {word: fields[word] for word in turn if word in fields}


def _rows(entry: Entry) -> list[Entry]:
    """Return the rows of models: a list of rows, one row, or nothing for a destroyed unit."""
    return entry.items() if entry.is_list else [] if entry.is_empty else [entry]


def _read_row(
    unit: str,
    row: Entry,
    first: int,
    kit: _Kit,
    usual: tuple[str, tuple[str, ...]],
    radius: int,
) -> list[tuple[int, Model | None, ModelSetup]]:
    """Return the models of a row: places separated by spaces, or a mapping of `ROW` keys.

    A removed model is None; its setup still tells what it was.
    """
    fields = {"at": row} if row.is_text else row.fields(ROW)
    places = _places(fields)
    profile, weapons = usual
    if "profile" in fields:
        profile = kit.profile(fields["profile"])
    if "weapons" in fields:
        weapons = kit.armed(fields["weapons"])
    if "base" in fields:
        radius = _radius(fields["base"])
    lost = fields["lost"].whole() if "lost" in fields else 0
    gone = "removed" in fields and fields["removed"].flag()
    rules = _names(fields.get("rules"))
    first = fields["n"].whole(1) if "n" in fields else first
    return [
        (
            n,
            None if gone else Model(n, at, lost),
            ModelSetup(f"{unit}.{n}", profile, weapons, radius, rules),
        )
        for n, at in enumerate(places, first)
    ]


def _names(entry: Entry | None) -> tuple[str, ...]:
    """Return special rules and wargear by name: a list, or one name."""
    return tuple(item.text() for item in entry.items()) if entry is not None else ()


def _places(fields: Mapping[str, Entry]) -> list[Point | None]:
    """Return where the models of a row stand: one by one, or `count` of them `spacing` apart."""
    count = fields["count"].whole(1) if "count" in fields else 1
    if count > _MODELS:
        fields["count"].refuse(f"at most {_MODELS} models")
    if "at" not in fields:
        return [None] * count
    places: list[Point | None] = [to_point(word) for word in fields["at"].words()]
    if not places or None in places:
        fields["at"].refuse("places in inches, such as 12,10 13.5,10")
    at = places[0]
    if at is None or len(places) > 1 or count == 1:
        return places
    by = fields["spacing"].point() if "spacing" in fields else Point(1500, 0)
    return [Point(at.x + by.x * i, at.y + by.y * i) for i in range(count)]


def _radius(entry: Entry | None) -> int:
    """Return the radius in tenths of a millimetre of a base so many millimetres wide (25)."""
    if entry is None:
        return 125
    found = _BASE.fullmatch(entry.text())
    if found is None:
        entry.refuse("the width of a base in mm, 10 to 999, such as 32 or 25.4 (even tenths)")
    return int(found[1]) * 5 + int(found[2] or 0) // 2
