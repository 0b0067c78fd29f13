"""Compare two battles field by field, or two lines of play: two steps, two branches, two games.

Fields have plain names: ``clock.phase``, ``score.red``, ``boyz.locked``, ``boyz.ran`` (of the
turn), ``boyz.3`` (a model), ``boyz.3.at``. `replay.changes` asks by the same names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from engine.notation import describe, point_in_inches
from events.base import Value
from events.game import ArmyMustered, DiceRolled, GameCreated
from events.values import Point
from events.wording import counted
from projections.battle import Battle, Model, PhaseState, Tally, Unit, UnitTurn
from projections.history import Node
from projections.queries import model_id, turn_of
from replay.words import answer_of, lines_of

ABSENT = "-"
"""Stands for what isn't there: a unit not in the game, a model removed."""


class Difference(Value, frozen=True, gc=False):
    """One field that differs, and both its values in words."""

    field: str
    one: str
    two: str


def differences(one: Battle, two: Battle) -> tuple[Difference, ...]:
    """Return what differs between two battles, unit by unit, field by field.

    Units and models are matched by id. What the battles share as objects costs nothing: two
    battles of one game, a step apart, take some 30 microseconds.
    """
    return () if one is two else tuple(_battles(one, two))


def _battles(one: Battle, two: Battle) -> Iterator[Difference]:
    for field in ("settings", "table", "clock", "zones"):
        yield from _values(field, getattr(one, field), getattr(two, field))
    yield from _phases(one.phase, two.phase)
    if one.units is not two.units or one.turn is not two.turn or one.setups is not two.setups:
        yield from _armies(one, two)
    for field in ("question", "score", "outcome"):
        yield from _values(field, getattr(one, field), getattr(two, field))


def _armies(one: Battle, two: Battle) -> Iterator[Difference]:
    ones, twos = ({unit.id: unit for unit in battle.units} for battle in (one, two))
    setups = {setup.id: setup for setup in two.setups}
    for setup in one.setups:
        if setup.id in setups:
            yield from _values(f"{setup.id}.setup", setup, setups[setup.id])
    for unit in dict.fromkeys((*ones, *twos)):
        mine, its = ones.get(unit), twos.get(unit)
        if mine is None or its is None:
            yield Difference(unit, _unit_text(mine), _unit_text(its))
            continue
        if mine is not its:
            yield from _units(mine, its)
        if one.turn is not two.turn:
            yield from _values(unit, turn_of(one, unit), turn_of(two, unit))


def _units(one: Unit, two: Unit) -> Iterator[Difference]:
    for field in UNIT_FIELDS:
        yield from _values(f"{one.id}.{field}", getattr(one, field), getattr(two, field))
    ones, twos = ({model.n: model for model in unit.models} for unit in (one, two))
    if len(ones) != len(twos):
        yield Difference(f"{one.id}.models", str(len(ones)), str(len(twos)))
    for n in sorted({*ones, *twos}):
        mine, its = ones.get(n), twos.get(n)
        name = model_id(one.id, n)
        if mine is None or its is None:
            yield Difference(name, _model_text(mine), _model_text(its))
        else:
            yield from _values(name, mine, its)


def _phases(one: PhaseState, two: PhaseState) -> Iterator[Difference]:
    if type(one) is type(two):
        yield from _values("phase", one, two)
    else:
        yield Difference("phase", _tag(one), _tag(two))


def _values(name: str, one: Any, two: Any) -> Iterator[Difference]:
    """Yield the differences of two values; Structs of one kind field by field."""
    if one is two or one == two:
        return
    if type(one) is type(two) and isinstance(one, msgspec.Struct) and not isinstance(one, Point):
        for field in one.__struct_fields__:
            yield from _values(f"{name}.{field}", getattr(one, field), getattr(two, field))
    else:
        yield Difference(name, in_words(one), in_words(two))


def in_words(value: Any) -> str:
    """Return a field's value as a person reads it; lengths in a battle stay in mils.

    >>> in_words(Point(12500, 30000)), in_words(True), in_words(None), in_words(("a", "b"))
    ('12.5,30', 'yes', '-', 'a, b')
    """
    if value is None or value in ((), ""):
        return ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Point):
        return point_in_inches(value)
    if isinstance(value, tuple):
        if isinstance(value[0], Tally):
            return f"{sum(tally.dice for tally in value)} rolled"
        return ", ".join(map(in_words, value))
    if isinstance(value, msgspec.Struct):
        fields = (f"{name} {in_words(getattr(value, name))}" for name in value.__struct_fields__)
        return " ".join((_tag(value), *fields)).strip()
    return str(value)


def _tag(value: msgspec.Struct) -> str:
    return str(value.__struct_config__.tag or "")


def _unit_text(unit: Unit | None) -> str:
    return f"{unit.side}, {counted(len(unit.models), 'model')}" if unit is not None else ABSENT


def _model_text(model: Model | None) -> str:
    if model is None:
        return ABSENT
    return f"at {point_in_inches(model.at)}" if model.at is not None else "not deployed"


UNIT_FIELDS = tuple(f for f in Unit.__struct_fields__ if f not in ("id", "models"))
TURN_FIELDS = tuple(f for f in UnitTurn.__struct_fields__ if f != "unit")

Parting = Literal["nowhere", "one goes on", "other choice", "other dice", "other facts"]
"""How two lines of play part: not at all; one ends; or what differs first in the next step."""


class Branch(Value, frozen=True, gc=False):
    """One of the two lines, from where they part."""

    game: str
    step: int
    """The step it is looked at."""
    parts_at: int
    """Its first step that the other line doesn't have; 0 if none."""
    choices: tuple[str, ...]
    """Its answers from there on, in the notation, each with who gave it."""
    facts: tuple[str, ...]
    """What followed from the first of them, from the first fact that differs, in words."""


class Comparison(Value, frozen=True, gc=False):
    """Two lines of play side by side."""

    shared: int
    """Steps that both have, event for event."""
    parting: Parting
    asked: str
    """The question at which they part, in words; "" where they don't."""
    creation: tuple[Difference, ...]
    """What was agreed or mustered otherwise at the start."""
    one: Branch
    two: Branch
    battle: tuple[Difference, ...]
    """What differs between the two battles in the end."""


def compare(
    one: Sequence[Node], two: Sequence[Node], names: tuple[str, str] = ("one", "two")
) -> Comparison:
    """Compare two lines of play, each a way from the first step to a node (`History.path`).

    Two games that differ from the start (in their seed, say) are compared all the same: the first
    step that differs is the first after it. Costs an equality of the events they share.
    """
    shared = 1
    while shared < min(len(one), len(two)) and (
        one[shared] is two[shared] or one[shared].events == two[shared].events
    ):
        shared += 1
    ahead = one[shared:], two[shared:]
    parting, facts = _parting(*ahead)
    before = one[shared - 1].battle
    asked = before.question
    return Comparison(
        shared,
        parting,
        describe(asked, before) if asked is not None and parting != "nowhere" else "",
        tuple(_creations(one[0], two[0])),
        _branch(names[0], one[-1], ahead[0], facts[0]),
        _branch(names[1], two[-1], ahead[1], facts[1]),
        differences(one[-1].battle, two[-1].battle),
    )


_Facts = tuple[tuple[str, ...], tuple[str, ...]]


def _parting(one: Sequence[Node], two: Sequence[Node]) -> tuple[Parting, _Facts]:
    if not one and not two:
        return "nowhere", ((), ())
    if not one or not two:
        left = [tuple(lines_of(nodes[0].events[1:])) if nodes else () for nodes in (one, two)]
        return "one goes on", (left[0], left[1])
    mine, its = one[0].events, two[0].events
    if mine[0] != its[0]:
        kind: Parting = "other choice"
        if isinstance(mine[0], DiceRolled) and isinstance(its[0], DiceRolled):
            kind = "other dice"
        return kind, (tuple(lines_of(mine[1:])), tuple(lines_of(its[1:])))
    pairs = enumerate(zip(mine, its, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(mine), len(its)))
    facts = tuple(lines_of(mine[at:])), tuple(lines_of(its[at:]))
    rolled = all(isinstance(events[at], DiceRolled) for events in (mine, its) if at < len(events))
    return "other dice" if rolled else "other facts", facts


def _branch(game: str, node: Node, ahead: Sequence[Node], facts: tuple[str, ...]) -> Branch:
    choices = tuple(f"{at.by or 'dice'}: {answer_of(at)}" for at in ahead)
    return Branch(game, node.step, ahead[0].step if ahead else 0, choices, facts)


def _creations(one: Node, two: Node) -> Iterator[Difference]:
    """Yield what two creations differ in; of armies their names and numbers of units."""
    if one is two or one.events == two.events:
        return
    for mine, its in zip(one.events, two.events, strict=False):
        if isinstance(mine, GameCreated) and isinstance(its, GameCreated):
            yield from _values("game", mine, its)
        elif isinstance(mine, ArmyMustered) and isinstance(its, ArmyMustered) and mine != its:
            name = f"army of {mine.side}"
            yield Difference(name, _army_text(mine), _army_text(its))


def _army_text(event: ArmyMustered) -> str:
    units = event.army.units
    models = sum(len(unit.models) for unit in units)
    return f"{event.army.name}, {counted(len(units), 'unit')}, {counted(models, 'model')}"
