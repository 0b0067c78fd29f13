"""What every move has in common: from a choice to paths, from paths to places. [MOVE-2 to MOVE-5]

The Movement phase, Runs, consolidations and moves after Regrouping share the check; charges and
pile-ins have conditions of their own. All take the same dangerous terrain tests. [TERR-3]
"""

from __future__ import annotations

from engine.board import barriers, discs_near, discs_of, table_rect
from engine.geometry import INCH, Move, check_moves
from engine.rules.dangerous_terrain import face, hazards_of
from engine.runner import Action
from events.base import UnitId, other
from events.choices import MoveUnit, PlaceModels, Stay
from events.errors import IllegalChoice
from events.movement import ModelsMoved, MoveKind, Spot, UnitMoved
from events.values import Point
from projections.battle import Battle, Unit
from projections.queries import unit_of

AnyMove = MoveUnit | PlaceModels


def moves_of(unit: Unit, choice: AnyMove) -> list[Move]:
    """Return a choice as (index among the living models, path), in the order of the choice.

    Raises IllegalChoice for a model that is not there or is named twice.
    """
    if isinstance(choice, MoveUnit):
        by = choice.by
        return [
            (i, (Point(m.at.x + by.x, m.at.y + by.y),))
            for i, m in enumerate(unit.models)
            if m.at is not None
        ]
    index = {model.n: i for i, model in enumerate(unit.models)}
    moves: list[Move] = []
    for place in choice.places:
        if place.model not in index:
            raise IllegalChoice("RMV-1", f"{unit.id} has no model {place.model}")
        moves.append((index.pop(place.model), place.path))
    return moves


def in_moving_order(unit: Unit, by: Point) -> list[int]:
    """Return model indices, the foremost in direction `by` first: nobody walks into a friend."""
    ahead = [
        (-(m.at.x * by.x + m.at.y * by.y), i) for i, m in enumerate(unit.models) if m.at is not None
    ]
    return [i for _, i in sorted(ahead)]


def check_move(
    battle: Battle, unit_id: UnitId, choice: AnyMove, distance: int, *, shun: bool = False
) -> None:
    """Refuse a move of `unit_id` up to `distance` mils that breaks a rule. [MOVE-2 to MOVE-5]

    No move enters impassable or lethal terrain; one that is to `shun` it no difficult terrain
    either. [TERR-1, LETH-1, DIFF-2]
    """
    if choice.unit != unit_id:
        raise IllegalChoice("MOVE-1", f"{unit_id} moves now, not {choice.unit}")
    unit = unit_of(battle, unit_id)
    moves = moves_of(unit, choice)
    if not moves:
        raise IllegalChoice("MOVE-2", "the move names no model")
    if isinstance(choice, MoveUnit):
        if choice.by == Point(0, 0):
            raise IllegalChoice("MOVE-2", "the move goes nowhere; a unit may simply not move")
        by_index = dict(moves)
        moves = [(i, by_index[i]) for i in in_moving_order(unit, choice.by)]
    room = distance + INCH
    friends = discs_near(battle, unit, room, unit.side, but=(unit.id,))
    breach = check_moves(
        discs_of(battle, unit),
        moves,
        distance,
        [*friends, *barriers(battle, shun=shun)],
        discs_near(battle, unit, room, other(unit.side)),
        table_rect(battle),
    )
    if breach is not None:
        which = f"{unit.id}.{unit.models[breach.model].n}" if breach.model >= 0 else unit.id
        raise IllegalChoice(breach.rule, f"{which} {breach.reason}")


def check_optional_move(
    battle: Battle, unit: UnitId, choice: AnyMove | Stay, distance: int
) -> None:
    """Refuse a bad move where staying is allowed too."""
    if not isinstance(choice, Stay):
        check_move(battle, unit, choice, distance)


async def make_move(action: Action, choice: AnyMove, kind: MoveKind) -> None:
    """Make a checked move and take the dangerous terrain tests it calls for. [TERR-3, DANG-2]"""
    unit = unit_of(action.battle, choice.unit)
    hazards = hazards_of(action.battle, unit, moves_of(unit, choice))
    action.emit(moved(action.battle, choice, kind))
    await face(action, hazards)


def moved(battle: Battle, choice: AnyMove, kind: MoveKind) -> UnitMoved | ModelsMoved:
    """Return the fact of a checked move."""
    if isinstance(choice, MoveUnit):
        return UnitMoved(choice.unit, kind, choice.by)
    spots = tuple(
        Spot(place.model, place.path[-1].x, place.path[-1].y)
        for place in choice.places
        if place.path
    )
    return ModelsMoved(choice.unit, kind, spots)
