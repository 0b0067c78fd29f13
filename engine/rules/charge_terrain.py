"""Charging through difficult and dangerous terrain. [CDIF]

The way that is judged before the dice is each model's shortest to the enemy; whether the unit
strikes at step 1 is judged by where its models really went. [AMB-28]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.board import barriers, disc_of, discs_of, other_discs, table_rect
from engine.editions import edition_of
from engine.geometry import CONTACT, INCH, Disc, Move, Path, nearness, path_block, path_length
from engine.geometry.paths import culled, hurdles, widest
from engine.geometry.places import touching
from engine.geometry.polygons import bounds, sweeps
from engine.geometry.routes import line_clear, route_to_contact
from engine.rules.difficult_terrain import difficult_pieces
from engine.rules.special_rules import MOVE_THROUGH_COVER, model_has
from events.base import UnitId, other
from events.values import Point
from projections.battle import Battle, Unit
from projections.queries import owner, setup_of, unit_of

REACH = 12 * INCH
"""The most that the charge dice can show, in mils. [CDEC-2, AMB-16]"""

SLOWED_BY = 2 * INCH
"""What difficult terrain takes off the charge range. [CDIF-1]"""

Polygon = tuple[Point, ...]


def reach_of(battle: Battle, unit: Unit, targets: tuple[UnitId, ...]) -> int:
    """Return how far a charge may reach with the best dice, in mils. [CDEC-2, AMB-16]"""
    if edition_of(battle).difficult_charge == "minus 2" and is_slowed(battle, unit, targets):
        return REACH - SLOWED_BY
    return REACH


def is_slowed(battle: Battle, unit: Unit, targets: tuple[UnitId, ...]) -> bool:
    """Whether a model that difficult terrain slows must cross it to charge. [CDIF-1, CDIF-7]

    By its shortest way to the enemy, if that is within the greatest charge range. [AMB-28] Models
    that aren't slowed don't count [AMB-44]; friends in the same unit are not in the way, they
    move as well. Nothing is computed where no such terrain is near.
    """
    ground = difficult_near(battle, discs_of(battle, unit))
    if not ground:
        return False
    setup = setup_of(battle, unit.id)
    theirs = [disc for target in targets for disc in discs_of(battle, target)]
    solid = [*other_discs(battle, unit.side, but=(unit.id,)), *barriers(battle)]
    sore = [(d, CONTACT + 1) for d in other_discs(battle, other(unit.side), but=targets)]
    for model in unit.models:
        if model_has(setup, model.n, MOVE_THROUGH_COVER):
            continue
        disc = disc_of(battle, unit, model)
        way = _way_to(battle, disc, theirs, solid, sore)
        if way is not None and crosses(disc, way, ground):
            return True
    return False


def _way_to(
    battle: Battle,
    disc: Disc,
    theirs: Sequence[Disc],
    solid: Sequence[Disc],
    sore: Sequence[tuple[Disc, int]],
) -> Path | None:
    """Return a model's shortest way into contact with the enemy, None if it is out of range."""
    among = hurdles(disc[2], [*theirs, *solid], sore)
    straight = touching(disc, min(theirs, key=lambda enemy: nearness(disc, enemy)))
    if line_clear(disc.centre, straight, among):
        return (straight,) if path_length(disc.centre, (straight,)) <= REACH else None
    route = route_to_contact(disc, theirs, among, REACH, table_rect(battle))
    return None if route is None else route.path


def difficult_near(battle: Battle, discs: Sequence[Disc]) -> list[Polygon]:
    """Return the parts of difficult terrain that a charge of these bases might meet.

    Dangerous terrain has all of its penalties; its tests are taken with the move. [CDIF-5]
    """
    parts = [part.corners for piece in difficult_pieces(battle) for part in piece.parts]
    if not parts:
        return []
    around = [bounds(corners) for corners in parts]
    room = REACH + widest(around) + widest(discs)
    return [parts[k] for k in culled(discs, room, around)]


def crosses(disc: Disc, path: Path, ground: Sequence[Polygon]) -> bool:
    """Whether a base that moves along a path goes through any of these polygons."""
    square = (500 * disc[2]) ** 2
    x, y = disc[0], disc[1]
    for point in path:
        if any(sweeps(x, y, point.x, point.y, square, corners) for corners in ground):
            return True
        x, y = point.x, point.y
    return False


def crossed(battle: Battle, unit: Unit, moves: Sequence[Move]) -> bool:
    """Whether any model of a unit goes through difficult terrain in these moves. [CDIF-3]

    Also where the terrain doesn't slow it. [AMB-29] `moves` are those of the unit as it stands.
    """
    discs = discs_of(battle, unit)
    ground = difficult_near(battle, discs)
    return bool(ground) and any(crosses(discs[i], path, ground) for i, path in moves)


def skirting(battle: Battle, unit: Unit, moves: Sequence[Move]) -> int:
    """Return the index of the first model that goes a longer way than it need to avoid difficult
    terrain, or -1. [CMOV-1, CDIF-7]

    The straight line to where it ends is open to it and crosses the terrain, its way doesn't.
    """
    here = list(discs_of(battle, unit))
    ground = difficult_near(battle, here)
    if not ground:
        return -1
    side = owner(battle, unit.id)
    standing = [*other_discs(battle, side, but=(unit.id,)), *other_discs(battle, other(side))]
    standing += barriers(battle)
    for i, path in moves:
        if not path:
            continue
        straight, disc = path[-1:], here[i]
        if (
            len(path) > 1
            and crosses(disc, straight, ground)
            and not crosses(disc, path, ground)
            and not path_block(disc, straight, [*standing, *here[:i], *here[i + 1 :]])
        ):
            return i
        here[i] = disc.moved(path[-1])
    return -1


def strikes_at_step_one(battle: Battle, targets: Sequence[UnitId], through: bool) -> bool:
    """Whether a charge that went `through` difficult terrain sets its Initiative to 1. [CDIF-3]

    Not if all that are charged have Gone to Ground. [CDIF-6, GTG-6, GTG-8] It is the chargers'
    alone, not that of friends already in the combat. [MMOV-3]
    """
    return through and not all(unit_of(battle, target).gone_to_ground for target in targets)
