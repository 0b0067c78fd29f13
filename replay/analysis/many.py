"""Many games at once: how each army fared, and its units, weapons and dice over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from events.base import SIDES, Side, UnitId, Value, other
from projections.readmodels.luck import FEWEST, distribution, grouped, share_below
from replay.analysis import Analysis


class ArmyRecord(Value, frozen=True, gc=False):
    """An army's games; points in tenths."""

    army: str
    """Its name; with its side where an army fought its like."""
    games: int
    won: int
    drawn: int
    unfinished: int
    score: int
    """Victory points over all games."""
    against: int
    points_dealt: int
    points_lost: int
    dice: int
    passed: int
    expected: Fraction
    below: Fraction | None
    """Exact percentile of its dice over all games, None below `FEWEST` dice."""


class UnitRecord(Value, frozen=True, gc=False):
    """A unit of an army over its games: sums; points in tenths, distance in mils."""

    army: str
    unit: UnitId
    games: int
    survived: int
    """Games after which some of its models were left."""
    models_removed: int
    models_lost: int
    points_dealt: int
    points_lost: int
    moved: int


class WeaponRecord(Value, frozen=True, gc=False):
    """A weapon of an army over its games: sums."""

    army: str
    weapon: str
    attacks: int
    hits: int
    wounds: int
    unsaved: int
    models: int
    points: int


class Season(Value, frozen=True, gc=False):
    """Several games together."""

    games: tuple[str, ...]
    armies: tuple[ArmyRecord, ...]
    units: tuple[UnitRecord, ...]
    weapons: tuple[WeaponRecord, ...]


def name_of(analysis: Analysis, side: Side) -> str:
    """Return what an army is called over many games."""
    name = analysis.armies[side]
    return f"{name} ({side})" if name == analysis.armies[other(side)] != side else name


def season(analyses: Sequence[Analysis]) -> Season:
    """Return the records of all armies, units and weapons, in the order they first appear."""
    units: dict[tuple[str, UnitId], list[int]] = {}
    weapons: dict[tuple[str, str], list[int]] = {}
    names: dict[str, list[tuple[Analysis, Side]]] = {}
    for analysis in analyses:
        owners: dict[UnitId, str] = {}
        for side in SIDES:
            names.setdefault(name_of(analysis, side), []).append((analysis, side))
        for unit in analysis.units:
            owners[unit.unit] = army = name_of(analysis, unit.side)
            _add(
                units.setdefault((army, unit.unit), [0] * 7),
                1,
                unit.left > 0,
                unit.models_removed,
                unit.models - unit.left,
                unit.points_dealt,
                unit.points_lost,
                unit.moved,
            )
        for used in analysis.weapons:
            _add(
                weapons.setdefault((owners[used.unit], used.weapon), [0] * 6),
                used.attacks,
                used.hits,
                used.wounds,
                used.unsaved,
                used.models,
                used.points,
            )
    return Season(
        tuple(analysis.game for analysis in analyses),
        tuple(_record(name, played) for name, played in names.items()),
        tuple(UnitRecord(*key, *sums) for key, sums in units.items()),
        tuple(WeaponRecord(*key, *sums) for key, sums in weapons.items()),
    )


def _add(sums: list[int], *numbers: int) -> None:
    for index, number in enumerate(numbers):
        sums[index] += number


def _record(name: str, played: Iterable[tuple[Analysis, Side]]) -> ArmyRecord:
    played = list(played)
    rolls = [
        one.roll
        for analysis, side in played
        for one in analysis.rolls
        if one.roll.player == side and one.roll.need
    ]
    groups, passed = grouped(rolls), sum(roll.passed for roll in rolls)
    dice = sum(count for count, _ in groups)
    own = [unit for analysis, side in played for unit in analysis.units if unit.side == side]
    return ArmyRecord(
        name,
        len(played),
        sum(analysis.winner == side for analysis, side in played),
        sum(analysis.winner == "" for analysis, _ in played),
        sum(analysis.winner == "nobody yet" for analysis, _ in played),
        sum(getattr(analysis.score, side) for analysis, side in played),
        sum(getattr(analysis.score, other(side)) for analysis, side in played),
        sum(unit.points_dealt for unit in own),
        sum(unit.points_lost for unit in own),
        dice,
        passed,
        sum((count * chance for count, chance in groups), Fraction(0)),
        share_below(distribution(groups), passed) if dice >= FEWEST else None,
    )
