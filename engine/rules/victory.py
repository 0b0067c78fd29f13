"""The end of the game: units destroyed, table quarters, objectives.

One point for each enemy unit completely destroyed [RMV-3]; one for each table quarter in which a
side has more units that are not falling back; an objective's points to the side with a unit
within 3 inches of it while the enemy has none.
"""

from __future__ import annotations

from engine.board import discs_of
from engine.geometry import Disc, units_within
from engine.runner import Action
from events.base import SIDES, Side, other
from events.game import GameEnded, PointsScored
from projections.battle import Battle, Unit
from projections.queries import alive, place_of, units_on_table

OBJECTIVE_REACH = 3000
QUARTERS = ("south-west", "south-east", "north-west", "north-east")


async def end_game(action: Action) -> None:
    """Score the game and name the winner; a side wiped out loses whatever the points."""
    battle = action.battle
    for side in SIDES:
        lost = sum(1 for u in battle.units if u.side == other(side) and not alive(u))
        if lost:
            action.emit(PointsScored(side, lost, "units destroyed"))
    for name, holder in quarters_held(battle):
        action.emit(PointsScored(holder, 1, f"{name} quarter"))
    for objective in battle.table.objectives:
        marker = Disc.at(objective.at, 0)
        near = [
            side
            for side in SIDES
            if any(
                units_within(discs_of(battle, u), [marker], OBJECTIVE_REACH)
                for u in holding(battle, side)
            )
        ]
        if len(near) == 1:
            action.emit(PointsScored(near[0], objective.points, f"objective {objective.id}"))
    score = action.battle.score
    standing = [side for side in SIDES if any(units_on_table(battle, side))]
    if len(standing) == 1:
        action.emit(GameEnded(standing[0], f"{other(standing[0])} has no models left"))
    elif score.red == score.blue:
        action.emit(GameEnded("", f"{score.red} points each"))
    else:
        winner: Side = "red" if score.red > score.blue else "blue"
        high, low = max(score.red, score.blue), min(score.red, score.blue)
        action.emit(GameEnded(winner, f"{high} points to {low}"))


def holding(battle: Battle, side: Side) -> list[Unit]:
    """Return a side's units that can hold ground: on the table and not falling back."""
    return [unit for unit in units_on_table(battle, side) if not unit.falling_back]


def quarters_held(battle: Battle) -> list[tuple[str, Side]]:
    """Return each table quarter that one side holds. A unit is where its first model stands."""
    count: dict[tuple[str, Side], int] = {}
    for side in SIDES:
        for unit in holding(battle, side):
            at = place_of(unit.models[0])
            east = at.x * 2 >= battle.table.width
            north = at.y * 2 >= battle.table.height
            key = (QUARTERS[2 * north + east], side)
            count[key] = count.get(key, 0) + 1
    held: list[tuple[str, Side]] = []
    for quarter in QUARTERS:
        red, blue = count.get((quarter, "red"), 0), count.get((quarter, "blue"), 0)
        if red != blue:
            held.append((quarter, "red" if red > blue else "blue"))
    return held
