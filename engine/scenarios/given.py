"""``given``: from a file's table, clock and units to the battle that play starts from."""

from __future__ import annotations

from typing import Any, TypeVar, get_args, get_origin

import msgspec
from msgspec.structs import replace

from engine.dice import ALGORITHM
from engine.scenarios.documents import LENGTHS, Entry
from engine.scenarios.tables import read_table, read_zones
from engine.scenarios.units import read_profiles, read_unit, read_weapons
from engine.sequence import RULESETS
from events.game import GameCreated, PhaseName
from projections.battle import (
    AnyPhase,
    AssaultPhase,
    Battle,
    Clock,
    MovementPhase,
    OverPhase,
    PsychicPhase,
    Score,
    SetupPhase,
    ShootingPhase,
    TurnRecord,
    UnitTurn,
)
from projections.queries import has_unit
from projections.reducers.game import created

S = TypeVar("S", bound=msgspec.Struct)

GIVEN = ("ruleset", "table", "objectives", "terrain", "clock", "phase", "zones", "units", "score")
_UNITS = (
    "shooter",
    "charger",
    "target",
    "targets",
    "done",
    "moved",
    "tested",
    "fought",
    "units",
    "fled",
    "consolidated",
)
"""Fields of phases that name units."""
_UNIT_TURN = tuple(name for name in UnitTurn.__struct_fields__ if name != "unit")

_PHASES: dict[PhaseName, type[AnyPhase]] = {
    "setup": SetupPhase,
    "turn": SetupPhase,
    "movement": MovementPhase,
    "psychic": PsychicPhase,
    "shooting": ShootingPhase,
    "assault": AssaultPhase,
    "over": OverPhase,
}


def read_given(entry: Entry, profiles: Entry | None, weapons: Entry | None) -> Battle:
    """Return the battle of a ``given`` block. Raises ScenarioError naming file and line."""
    fields = entry.fields(GIVEN)
    ruleset = fields["ruleset"].one_of(RULESETS) if "ruleset" in fields else "40k-7e"
    table = read_table(*(fields.get(key) for key in ("table", "objectives", "terrain")))
    battle = created(
        GameCreated(
            ruleset,
            RULESETS[ruleset].number,
            seed="",
            dice="seeded",
            algorithm=ALGORITHM,
            undo="free",
            dice_after_undo="same",
            table=table,
        )
    )
    battle = replace(battle, clock=_clock(fields.get("clock")))
    kind = _PHASES[battle.clock.phase]
    phase = struct_of(fields["phase"], kind) if "phase" in fields else kind()
    score = struct_of(fields["score"], Score) if "score" in fields else Score()
    battle = replace(
        battle, phase=phase, score=score, zones=read_zones(fields.get("zones"), battle)
    )
    if "units" not in fields:
        entry.refuse("complete: it lacks units (id: {side, models})")
    battle = _with_units(battle, fields["units"], profiles, weapons)
    _check_ids(battle, fields.get("phase"), fields["units"])
    return battle


def _check_ids(battle: Battle, phase: Entry | None, units: Entry) -> None:
    """Refuse a unit id in the phase or a turn record that is no unit's."""
    named = [(key, value) for _, unit in units.pairs() for key, value in unit.pairs()]
    places = [value for key, value in named if key.text() == "target"]
    blocks = [phase] if phase is not None else []
    while blocks:
        for key, value in blocks.pop().pairs():
            if key.text() == "combat":
                blocks.append(value)
            elif key.text() in _UNITS:
                places.append(value)
    for place in places:
        for word in place.words():
            if not has_unit(battle, word):
                known = ", ".join(unit.id for unit in battle.units)
                place.refuse(f"right: {word!r} is none of the units ({known})")


def _with_units(
    battle: Battle, entry: Entry, profiles: Entry | None, weapons: Entry | None
) -> Battle:
    known = read_profiles(profiles), read_weapons(weapons)
    setups, units, records = [], [], []
    for key, value in entry.pairs():
        setup, unit, turn = read_unit(key, value, *known, _UNIT_TURN)
        setups.append(setup)
        units.append(unit)
        record = _unit_turn(unit.id, tuple(model.n for model in unit.models), turn)
        if record != UnitTurn(unit.id):
            records.append(record)
    return replace(
        battle, setups=tuple(setups), units=tuple(units), turn=TurnRecord(tuple(records))
    )


def _unit_turn(unit: str, models: tuple[int, ...], turn: dict[str, Entry]) -> UnitTurn:
    """Return a unit's turn record; ``moved: true`` means that all its models moved."""
    moved = turn.pop("moved", None)
    record = UnitTurn(unit, **{key: value_of(v, _type(UnitTurn, key)) for key, v in turn.items()})
    if moved is None:
        return record
    if moved.is_text and moved.text() in ("true", "false"):
        return replace(record, moved=models if moved.flag() else ())
    return replace(record, moved=value_of(moved, _type(UnitTurn, "moved")))


def usual_clock(phase: PhaseName) -> Clock:
    """Return the clock of a file that says no more than the phase: turn 1, red's, inside it."""
    playing = phase not in ("setup", "over")
    return Clock(
        game_turn=0 if phase == "setup" else 1,
        phase=phase,
        in_phase=playing and phase != "turn",
        in_turn=playing,
    )


def _clock(entry: Entry | None) -> Clock:
    """Return the clock, in the Movement phase unless told otherwise."""
    fields = entry.fields(Clock.__struct_fields__) if entry is not None else {}
    phase: Any = fields["phase"].one_of(_PHASES) if "phase" in fields else "movement"
    changes = {key: value_of(value, _type(Clock, key)) for key, value in fields.items()}
    return replace(usual_clock(phase), **changes)


def _type(cls: type[msgspec.Struct], name: str) -> Any:
    return next(field.type for field in msgspec.structs.fields(cls) if field.name == name)


def struct_of(entry: Entry, cls: type[S]) -> S:
    """Return a Struct whose fields are written by their names; those left out are defaults."""
    types = {field.name: field.type for field in msgspec.structs.fields(cls)}
    values = {
        name: value_of(value, types[name], name in LENGTHS)
        for name, value in entry.fields(types).items()
    }
    try:
        return cls(**values)
    except TypeError as error:
        entry.refuse(f"complete: {error}")


def value_of(entry: Entry, kind: Any, length: bool = False) -> Any:
    """Return a value of a type: a Struct, a tuple (a list or words), or a plain value."""
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            return tuple(struct_of(item, inner) for item in entry.items())
        return tuple(_plain(entry, word, inner) for word in entry.words())
    for option in get_args(kind) or (kind,):
        if isinstance(option, type) and issubclass(option, msgspec.Struct) and not entry.is_empty:
            return struct_of(entry, option)
    return _plain(entry, entry.plain(length), kind)


def _plain(entry: Entry, value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        entry.refuse(f"right here ({error})")
