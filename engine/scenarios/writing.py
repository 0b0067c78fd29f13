"""From a game to a scenario file: a battle, what was played from there and what came of it.

What only shows is left out (display names, points, rules not applied). The rest is given in full,
so the scenario's play meets the same facts as the game did.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from engine.dice_agreed import about_dice
from engine.notation import point_in_inches, to_inches, write
from engine.rules.special_rules import matters
from engine.scenarios.documents import LENGTHS
from engine.scenarios.given import usual_clock
from engine.scenarios.weapon_lines import write_weapon
from events.base import Event, Fact, Value
from events.codec import tag_of
from events.game import Chosen, DiceRolled, ProcedureStarted
from events.movement import Spot
from events.questions import Question
from events.values import ModelSetup, Part, Point, Profile, UnitSetup
from projections.battle import Battle, Model, Score, Unit, UnitTurn
from projections.queries import turn_of

_PLAIN = re.compile(r"[a-z][a-z0-9_-]*")
_WORDS_YAML_READS = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")


def write_scenario(
    battle: Battle, events: Iterable[Event], name: str, rules: Sequence[str] = ()
) -> str:
    """Return a scenario file: `battle` is where a procedure begins, `events` what came after.

    Choices and dice become play and dice; the facts of the last choice are what it expects.
    """
    events = [event for event in events if not about_dice(event)]
    lines = [f"name: {_text(name)}"]
    if rules:
        lines.append(f"rules: [{', '.join(rules)}]")
    lines += _kit(battle)
    lines += ["given:", *(f"  {line}" for line in _given(battle))]
    play = [event for event in events if isinstance(event, Chosen)]
    if play:
        lines.append("play:")
        lines += [f"  - {event.by}: {write(event.choice)}" for event in play]
    dice = [str(face) for e in events if isinstance(e, DiceRolled) for face in e.faces]
    if dice:
        lines.append(f"dice: {' '.join(dice)}")
    lines += ["expect:", "  facts:"]
    lines += [f"    - {tag_of(type(e)).partition('/')[0]}: {_flow(e)}" for e in _last_facts(events)]
    return "\n".join(lines) + "\n"


def _last_facts(events: Sequence[Event]) -> list[Event]:
    """Return the facts after the last choice, with the question that is open at the end."""
    last = max((i for i, event in enumerate(events) if isinstance(event, Chosen)), default=0)
    return [
        event
        for event in events[last:]
        if isinstance(event, Fact) and not isinstance(event, ProcedureStarted)
    ]


def _kit(battle: Battle) -> Iterator[str]:
    """Yield the profiles and weapons blocks."""
    for title, of in (("profiles", _profiles(battle)), ("weapons", _weapons(battle))):
        if of:
            yield f"{title}:"
            yield from (f"  {name}: {json.dumps(line)}" for name, line in of.items())


def _profiles(battle: Battle) -> dict[str, str]:
    return {_profile_name(battle, s, p): _profile(p) for s in battle.setups for p in s.profiles}


def _weapons(battle: Battle) -> dict[str, str]:
    """Return weapons that mean one thing in the whole game; others are written with their unit."""
    lines = [(w.id, write_weapon(w)) for s in battle.setups for w in s.weapons]
    return {name: line for name, line in lines if {b for a, b in lines if a == name} == {line}}


def _profile_name(battle: Battle, setup: UnitSetup, profile: Profile) -> str:
    """Return a stat line's name, with its unit's where two units mean different things by it."""
    same = (p == profile for s in battle.setups for p in s.profiles if p.name == profile.name)
    return profile.name if all(same) else f"{setup.id}--{profile.name}"


def _profile(profile: Profile) -> str:
    p = profile
    line = [p.ws, p.bs, p.strength, p.toughness, p.wounds, p.initiative, p.attacks, p.leadership]
    words = ["-" if value is None else str(value) for value in line]
    words.append("-" if p.save is None else f"{p.save}+")
    return " ".join(words if p.invulnerable is None else [*words, f"{p.invulnerable}++"])


def _given(battle: Battle) -> Iterator[str]:
    table, clock = battle.table, battle.clock
    yield f"ruleset: {battle.settings.ruleset}"
    yield f"table: {to_inches(table.width)}x{to_inches(table.height)}"
    if table.objectives:
        yield "objectives:"
        for marker in table.objectives:
            at = point_in_inches(marker.at)
            yield f'  {_text(marker.id)}: {{at: "{at}", points: {marker.points}}}'
    if table.terrain:
        yield "terrain:"
        for piece in table.terrain:
            parts = ", ".join(_part(part) for part in piece.parts)
            cover = "-" if piece.cover is None else f"{piece.cover}+"
            fields = f'kind: {piece.kind}, cover: "{cover}", area: {json.dumps(piece.area)}'
            yield f"  {_text(piece.id)}: {{{fields}, parts: [{parts}]}}"
    usual = usual_clock(clock.phase)
    shown = {"phase": clock.phase, "game_turn": clock.game_turn, "active": clock.active}
    for name in clock.__struct_fields__:
        if getattr(clock, name) != getattr(usual, name):
            shown[name] = getattr(clock, name)
    yield f"clock: {_flow(shown)}"
    if clock.phase != "turn" and battle.phase != type(battle.phase)():
        yield f"phase: {_flow(battle.phase)}"
    if battle.zones:
        yield "zones:"
        for zone in battle.zones:
            corners = Point(zone.rect.x0, zone.rect.y0), Point(zone.rect.x1, zone.rect.y1)
            yield f"  {zone.side}: {' '.join(map(point_in_inches, corners))}"
    if battle.score != Score():
        yield f"score: {_flow(battle.score)}"
    yield "units:"
    for unit, setup in zip(battle.units, battle.setups, strict=True):
        yield f"  {unit.id}:"
        yield from (f"    {line}" for line in _unit(battle, unit, setup))


def _part(part: Part) -> str:
    corners = " ".join(map(point_in_inches, part.corners))
    dense = json.dumps(part.dense)
    return f'{{at: "{corners}", height: {to_inches(part.height)}, dense: {dense}}}'


def _unit(battle: Battle, unit: Unit, setup: UnitSetup) -> Iterator[str]:
    yield f"side: {unit.side}"
    if unit.phase_started != len(unit.models):
        yield f"phase_started: {unit.phase_started}"
    for flag in ("falling_back", "locked", "gone_to_ground"):
        if getattr(unit, flag):
            yield f"{flag}: true"
    rules = tuple(rule for rule in setup.not_applied if matters(rule))
    if rules:
        yield f"rules: {_flow(rules)}"
    record, empty = turn_of(battle, unit.id), UnitTurn(unit.id)
    for field in UnitTurn.__struct_fields__:
        if getattr(record, field) != getattr(empty, field):
            yield f"{field}: {_flow(getattr(record, field))}"
    common = _weapons(battle)
    if all(weapon.id in common for weapon in setup.weapons):
        yield f"weapons: [{', '.join(weapon.id for weapon in setup.weapons)}]"
    else:
        yield f"weapons: {_flow({weapon.id: write_weapon(weapon) for weapon in setup.weapons})}"
    yield "models:"
    living = {model.n: model for model in unit.models}
    for row in _alike(setup.models, living):
        yield f"  - {_row(battle, setup, row, living)}"


def _alike(setups: Sequence[ModelSetup], living: dict[int, Model]) -> list[list[int]]:
    """Return the numbers of neighbours that differ only in where they stand."""
    rows: list[list[int]] = []
    before: Any = None
    for n, setup in enumerate(setups, 1):
        model = living.get(n)
        state = (model.lost, model.at is None) if model is not None else None
        kind = (setup.profile, setup.weapons, setup.radius, setup.rules, state)
        if kind != before:
            rows.append([])
        rows[-1].append(n)
        before = kind
    return rows


def _row(battle: Battle, setup: UnitSetup, row: list[int], living: dict[int, Model]) -> str:
    first = setup.models[row[0] - 1]
    profile = next(p for p in setup.profiles if p.name == first.profile)
    fields = [f"n: {row[0]}"]
    model = living.get(row[0])
    places = [point_in_inches(m.at) for n in row if (m := living.get(n)) and m.at is not None]
    fields.append(f'at: "{" ".join(places)}"' if places else f"count: {len(row)}")
    if model is None:
        fields.append("removed: true")
    elif model.lost:
        fields.append(f"lost: {model.lost}")
    fields.append(f"profile: {_profile_name(battle, setup, profile)}")
    fields.append(f"weapons: [{', '.join(first.weapons)}]")
    whole, tenths = divmod(first.radius * 2, 10)
    fields.append(f"base: {whole}.{tenths}" if tenths else f"base: {whole}")
    if first.rules:
        fields.append(f"rules: {_flow(first.rules)}")
    return f"{{{', '.join(fields)}}}"


def _flow(value: Any, key: str = "") -> str:
    """Return a value on one line: state without its defaults, facts in full, lengths in inches."""
    if isinstance(value, Point):
        return f'"{point_in_inches(value)}"'
    if isinstance(value, Spot):
        return f'"{value.model}:{point_in_inches(Point(value.x, value.y))}"'
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.fields(type(value))
        items = {f.name: getattr(value, f.name) for f in fields}
        if isinstance(value, Value):
            items = {f.name: items[f.name] for f in fields if items[f.name] != f.default}
        if isinstance(value, Question):
            items = {"ask": value.__struct_config__.tag, **items}
        return _flow(items)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k}: {_flow(v, k)}' for k, v in value.items())}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(_flow(item) for item in value)}]"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return to_inches(value) if key in LENGTHS else str(value)
    return _text(value)


def _text(value: str) -> str:
    if _PLAIN.fullmatch(value) and value not in _WORDS_YAML_READS:
        return value
    return json.dumps(value)
