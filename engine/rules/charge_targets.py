"""Which unit may charge which enemies: reasons against it, and every charge there is. [CDEC, MDEC]

A unit that fired may charge others beside the one it shot at, as secondary targets. [AMB-35]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.board import discs_of
from engine.geometry import COHERENCY, CONTACT, unit_gap, units_within
from engine.geometry.paths import widest
from engine.rules.charge_move import FAR, can_reach, way_to_charge
from engine.rules.charge_terrain import REACH, reach_of
from engine.rules.line_of_sight import sightlines
from engine.rules.special_rules import RELENTLESS, model_has
from events.base import UnitId, other
from events.choices import Charge
from events.errors import IllegalChoice
from projections.battle import Battle, Unit
from projections.queries import has_unit, on_table, setup_of, turn_of, unit_of, units_on_table

BARRING = ("rapid_fire", "salvo", "heavy", "ordnance")
"""Types of weapon whose fire bars a charge in the same turn, Snap Shots included.

[CDEC-5, RPFR-3, SALV-2, HEVY-3, ORDN-3, SNAP-5]
"""


def barred_from_charging(battle: Battle, unit: Unit) -> IllegalChoice | None:
    """Return why a unit may not declare a charge at all, or None. [ASPH-5, CDEC-4, 5, 7]"""
    name, turn = unit.id, turn_of(battle, unit.id)
    if unit.side != battle.clock.active:
        return IllegalChoice("CDEC-1", f"{name} is not {battle.clock.active}'s")
    if not on_table(unit):
        return IllegalChoice("CDEC-1", f"{name} is not on the table")
    if turn.declared:
        return IllegalChoice("ASPH-5", f"{name} has declared a charge this turn")
    if unit.locked:
        return IllegalChoice("CDEC-4", f"{name} is locked in combat")
    if turn.ran:
        return IllegalChoice("CDEC-4", f"{name} Ran in this turn's Shooting phase")
    if unit.gone_to_ground:
        return IllegalChoice("CDEC-4", f"{name} has Gone to Ground")
    if unit.falling_back:
        return IllegalChoice("CDEC-4", f"{name} is falling back")
    if turn.changed_flight:
        return IllegalChoice("CDEC-4", f"{name} changed its flight mode this turn")
    if turn.regrouped:
        return IllegalChoice("CDEC-7", f"{name} Regrouped this turn")
    if turn.arrived:
        return IllegalChoice("CDEC-7", f"{name} arrived this turn")
    fired = next((kind for kind in BARRING if kind in turn.fired), None)
    if fired is not None and not is_relentless(battle, unit):
        weapons = fired.replace("_", " ").title()
        return IllegalChoice("CDEC-5", f"{name} fired {weapons} weapons this turn")
    return None


def is_relentless(battle: Battle, unit: Unit) -> bool:
    """Whether all of a unit's models may charge whatever they fired. [CDEC-7]"""
    setup = setup_of(battle, unit.id)
    return all(model_has(setup, model.n, RELENTLESS) for model in unit.models)


def barred_targets(battle: Battle, unit: Unit, targets: tuple[Unit, ...]) -> IllegalChoice | None:
    """Return why a unit that may charge can't charge these, the first as primary, or None.

    [CDEC-1 to CDEC-3, CDEC-6, CDEC-8, MDEC-1 to MDEC-3]
    """
    names = tuple(target.id for target in targets)
    for i, target in enumerate(targets):
        if target.side == unit.side or not on_table(target):
            return IllegalChoice("CDEC-1", f"{target.id} is not an enemy unit on the table")
        if target.id in names[:i]:
            return IllegalChoice("MDEC-1", f"{target.id} is named twice")
    shot_at = turn_of(battle, unit.id).target
    if shot_at and shot_at not in names:
        return IllegalChoice("CDEC-6", f"{unit.id} shot at {shot_at} and may charge only that")
    if shot_at and shot_at != names[0]:
        return IllegalChoice("MDEC-3", f"{unit.id} shot at {shot_at}: that is the primary target")
    reach = reach_of(battle, unit, names)
    for target in targets:
        barred = _out_of_reach(battle, unit, target, names, reach)
        if barred is not None:
            return barred
    apart, span = spread(battle, names, {}), stretch(battle, unit)
    if apart > span:
        why = f"they stand {apart} mils apart, {unit.id} stretches over {span}"
        return IllegalChoice("MDEC-2", f"not all can be reached in coherency: {why}")
    return None


def _out_of_reach(
    battle: Battle, unit: Unit, target: Unit, names: tuple[UnitId, ...], reach: int
) -> IllegalChoice | None:
    """Return why a unit can't see or reach one of the enemies it would charge, or None."""
    if not sees(battle, unit, target):
        return IllegalChoice("CDEC-3", f"no model of {unit.id} sees {target.id}")
    if reaches(battle, unit, target, names, reach):
        return None
    away = unit_gap(discs_of(battle, unit), discs_of(battle, target))
    if away > reach:
        return IllegalChoice("CDEC-2", f"{target.id} is {away} mils away, a charge reaches {reach}")
    around = way_to_charge(battle, unit.id, (target.id,), FAR)
    if around is None:
        return IllegalChoice("CDEC-8", f"other models or terrain leave no way to {target.id}")
    return IllegalChoice(
        "CDEC-2", f"the way around to {target.id} is {around} mils, a charge reaches {reach}"
    )


def sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether any model of `unit` sees any of `target`. [CDEC-3, AMB-17]

    Whether it could harm what it sees doesn't matter.
    """
    lines = sightlines(battle, unit.id, target.id)
    return not lines or any(
        lines.sees(ours, theirs)
        for ours in discs_of(battle, unit)
        for theirs in discs_of(battle, target)
    )


def reaches(
    battle: Battle, unit: Unit, target: Unit, names: tuple[UnitId, ...], reach: int
) -> bool:
    """Whether a charge of `unit` on all of these could get to `target` with the best dice.

    [CDEC-2, CDEC-8]
    """
    others = tuple(name for name in names if name != target.id)
    near = units_within(discs_of(battle, unit), discs_of(battle, target), reach)
    return near and can_reach(battle, unit.id, (target.id, *others), reach)


def spread(
    battle: Battle, names: tuple[UnitId, ...], known: dict[tuple[UnitId, UnitId], int]
) -> int:
    """Return how much ground lies between units, in mils: the shortest links that join them.

    `known` keeps the gaps that were measured.
    """
    joined, left, total = list(names[:1]), list(names[1:]), 0
    while left:
        for pair in ((a, b) for a in joined for b in left if (a, b) not in known):
            known[pair] = unit_gap(*(discs_of(battle, unit) for unit in pair))
        apart, nearest = min((known[a, b], b) for a in joined for b in left)
        total += apart
        left.remove(nearest)
        joined.append(nearest)
    return total


def stretch(battle: Battle, unit: Unit) -> int:
    """Return the most ground a unit's models can cover in coherency, in mils. [MDEC-2, UNIT-3]"""
    count = len(unit.models)
    bases = 2 * count * widest(discs_of(battle, unit))
    return bases + (count - 1) * COHERENCY + 2 * count * CONTACT


def charges(battle: Battle) -> Iterator[Charge]:
    """Yield every charge that may be declared now: units and primary targets in muster order, on
    one unit before several, secondary targets in muster order."""
    active = battle.clock.active
    for unit in units_on_table(battle, active):
        if barred_from_charging(battle, unit) is None:
            yield from charges_of(battle, unit)


def any_charge(battle: Battle) -> bool:
    """Whether any charge may be declared now. A straight way is looked for before any around."""
    ready = [
        unit
        for unit in units_on_table(battle, battle.clock.active)
        if barred_from_charging(battle, unit) is None
    ]
    straight = any(
        turn_of(battle, unit.id).target in ("", target.id)
        and units_within(discs_of(battle, unit), discs_of(battle, target), REACH)
        and sees(battle, unit, target)
        and can_reach(battle, unit.id, (target.id,), REACH, around=False)
        and _at_best_dice(battle, unit, (target,))
        for unit in ready
        for target in units_on_table(battle, other(unit.side))
    )
    return straight or next(charges(battle), None) is not None


def charges_of(battle: Battle, unit: Unit) -> Iterator[Charge]:
    """Yield the charges of a unit that may charge: none, if it can't get to what it shot at."""
    shot_at = turn_of(battle, unit.id).target
    if shot_at and not _may_get_to(battle, unit, unit_of(battle, shot_at)):
        return
    found: list[Unit] = []
    for target in units_on_table(battle, other(unit.side)):
        if _may_get_to(battle, unit, target):
            found.append(target)
            if shot_at in ("", target.id) and _at_best_dice(battle, unit, (target,)):
                yield Charge(unit.id, (target.id,))
    span, known = stretch(battle, unit), dict[tuple[UnitId, UnitId], int]()
    for primary in found:
        others = [target for target in found if target is not primary]
        for count in range(1, len(found)) if shot_at in ("", primary.id) else ():
            for secondary in combinations(others, count):
                targets = (primary, *secondary)
                names = tuple(target.id for target in targets)
                if spread(battle, names, known) <= span and _at_best_dice(battle, unit, targets):
                    yield Charge(unit.id, names)


def _may_get_to(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a unit sees another and the best dice get it there. [CDEC-1 to CDEC-3]"""
    return (
        on_table(target)
        and units_within(discs_of(battle, unit), discs_of(battle, target), REACH)
        and sees(battle, unit, target)
        and reaches(battle, unit, target, (target.id,), REACH)
    )


def _at_best_dice(battle: Battle, unit: Unit, targets: tuple[Unit, ...]) -> bool:
    """Whether targets that are in reach on open ground are in reach on this ground too."""
    names = tuple(target.id for target in targets)
    reach = reach_of(battle, unit, names)
    return reach == REACH or all(reaches(battle, unit, target, names, reach) for target in targets)


def named(battle: Battle, unit: UnitId) -> Unit:
    """Return a unit that a declaration names. Raises IllegalChoice for an unknown one."""
    if not has_unit(battle, unit):
        raise IllegalChoice("CDEC-1", f"there is no unit {unit!r}")
    return unit_of(battle, unit)


def check_charge(battle: Battle, choice: Charge) -> None:
    """Refuse a charge that may not be declared. [ASPH-5, CDEC, MDEC]"""
    unit = named(battle, choice.unit)
    if not choice.targets:
        raise IllegalChoice("CDEC-1", "a charge names the enemy unit it is declared on")
    targets = tuple(named(battle, target) for target in choice.targets)
    barred = barred_from_charging(battle, unit) or barred_targets(battle, unit, targets)
    if barred is not None:
        raise barred
