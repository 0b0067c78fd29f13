"""The battle as frames for the page: who stood where after each step, as small as it can be said.

A frame holds what changed since the one before it: models that moved or were removed, units whose
plight changed. Places are tenths of a pixel, as in `replay.picture`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from events.assault import ChargeDeclared
from events.attacks import (
    BlowsStruck,
    HitsScored,
    ModelRemoved,
    UnitDestroyed,
    WeaponFired,
    WoundAllocated,
    WoundSaved,
    WoundsScored,
    WoundSuffered,
)
from events.base import Event, UnitId
from events.game import DiceRolled, PhaseStarted, TurnStarted
from events.morale import FallBackStarted, MoraleChecked, UnitRegrouped
from events.values import Point
from events.wording import counted
from projections.battle import Battle, Unit
from projections.history import Node
from projections.queries import on_table, unit_of_model
from replay.analysis import Analysis
from replay.ground import LEFT, SCALE, TOP
from replay.picture import SHADES
from replay.words import answer_of, lines_of

Frame = dict[str, Any]

MOST_LINES = 7
"""Lines of a step that the page shows; what matters most is kept."""

LONGEST = 90
"""Characters of a line."""

_WEIGHTS: dict[type[Event], int] = {
    UnitDestroyed: 0,
    MoraleChecked: 1,
    FallBackStarted: 1,
    UnitRegrouped: 1,
    ChargeDeclared: 1,
    TurnStarted: 1,
    PhaseStarted: 2,
    WeaponFired: 2,
    BlowsStruck: 2,
    HitsScored: 3,
    WoundsScored: 3,
}
"""What is told first where there is too much to tell; the rest comes last."""


_TOO_MUCH = (DiceRolled, WoundAllocated, WoundSaved, WoundSuffered)


def units_of_page(battle: Battle) -> list[dict[str, Any]]:
    """Return each unit with its shade and the radius of each of its models, in muster order."""
    shade: dict[UnitId, str] = {}
    for side, shades in SHADES.items():
        mine = [setup.id for setup in battle.setups if setup.side == side]
        shade |= {unit: shades[n % len(shades)] for n, unit in enumerate(mine)}
    return [
        {
            "id": setup.id,
            "side": setup.side,
            "shade": shade[setup.id],
            "radii": [model.radius * SCALE // 254 for model in setup.models],
        }
        for setup in battle.setups
    ]


def frames(path: Sequence[Node], analysis: Analysis) -> list[Frame]:
    """Return a frame a step; turn and phase are those it was asked in. About 0.1 ms each."""
    first: dict[UnitId, int] = {}
    count = 0
    for setup in path[-1].battle.setups:
        first[setup.id] = count
        count += len(setup.models)
    told: list[Frame] = []
    before: dict[UnitId, Unit] = {}
    asked = (analysis.leads[0], *analysis.leads[:-1])
    for node, lead, when in zip(path, analysis.leads, asked, strict=True):
        battle = node.battle
        height = battle.table.height * SCALE // 1000
        moved: list[int] = []
        gone: list[int] = []
        plights: list[int] = []
        for index, unit in enumerate(battle.units):
            was = before.get(unit.id)
            if unit is was:
                continue
            stood = {model.n: model.at for model in was.models} if was is not None else {}
            for model in unit.models:
                if model.at is not None and stood.get(model.n) != model.at:
                    moved += [first[unit.id] + model.n - 1, *place(model.at, height)]
            left = {model.n for model in unit.models}
            gone += [first[unit.id] + n - 1 for n in stood if n not in left]
            if was is None or plight(was) != plight(unit):
                plights += [index, plight(unit)]
            before[unit.id] = unit
        frame: Frame = {
            "step": node.step,
            "turn": when.turn,
            "side": when.active,
            "phase": when.phase,
            "by": node.by or "",
            "answer": cut(answer_of(node)),
            "lines": [cut(line) for line in told_of(node)],
            "left": [lead.red_models, lead.blue_models],
            "score": [lead.red_score, lead.blue_score],
        }
        for key, value in (("moved", moved), ("gone", gone), ("plights", plights)):
            if value:
                frame[key] = value
        arrows = list(arrows_of(node, {unit.id: n for n, unit in enumerate(battle.units)}))
        if arrows:
            frame["arrows"] = arrows
        told.append(frame)
    return told


def place(at: Point, height: int) -> tuple[int, int]:
    """Return a place on the picture; north is up.

    >>> place(Point(0, 0), 7680), place(Point(1000, 1000), 7680)
    ((440, 8440), (600, 8280))
    """
    return LEFT * 10 + at.x * SCALE // 1000, TOP * 10 + height - at.y * SCALE // 1000


def plight(unit: Unit) -> int:
    """Return what hinders a unit: 1 locked, 2 falling back, 4 gone to ground, 8 off the table."""
    return (
        unit.locked
        + 2 * unit.falling_back
        + 4 * unit.gone_to_ground
        + 8 * (bool(unit.models) and not on_table(unit))
    )


def arrows_of(node: Node, index: dict[UnitId, int]) -> Iterator[list[int]]:
    """Yield who attacked whom in a step: unit, target, 0 for shots, 1 for blows, 2 for charges."""
    seen: set[tuple[int, int, int]] = set()
    for event in node.events:
        pairs: list[tuple[UnitId, UnitId, int]] = []
        if isinstance(event, WeaponFired | BlowsStruck):
            pairs = [(event.unit, event.target, int(isinstance(event, BlowsStruck)))]
        elif isinstance(event, ChargeDeclared):
            pairs = [(event.unit, target, 2) for target in event.targets]
        for unit, target, kind in pairs:
            arrow = (index[unit], index[target], kind)
            if arrow not in seen:
                seen.add(arrow)
                yield list(arrow)


def told_of(node: Node) -> list[str]:
    """Return what a step came to, in words: at most `MOST_LINES`, models lost added up.

    Dice and single Wounds are left out: what was scored and who fell says it.
    """
    lost: dict[UnitId, int] = {}
    told: list[tuple[int, str]] = []
    for event in node.events[1:]:
        if isinstance(event, ModelRemoved):
            unit = unit_of_model(event.model)
            lost[unit] = lost.get(unit, 0) + 1
        elif type(event) not in _TOO_MUCH:
            told += [(_WEIGHTS.get(type(event), 4), line) for line in lines_of((event,))]
    told += [(0, f"{unit} loses {counted(models, 'model')}") for unit, models in lost.items()]
    if len(told) > MOST_LINES:
        kept = sorted(sorted(range(len(told)), key=lambda n: told[n][0])[:MOST_LINES])
        told = [told[n] for n in kept]
    return [line for _, line in told]


def cut(line: str) -> str:
    """Return a line, cut where it is too long.

    >>> len(cut("word " * 50))
    90
    """
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
