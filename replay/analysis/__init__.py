"""Analysis: what a game comes to, as read models over the line of play to its head. [P8]

Undone steps don't count. Everything is folded from what is stored, so a game that is loaded
gives the same analysis as the live one. Nothing here changes a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from events.base import Side, UnitId, Value
from events.steps import Step
from projections.battle import Score
from projections.history import History
from projections.readmodels import Loss, dice_log, losses
from replay.analysis.damage import Harm, WeaponTally, harms, weapon_tallies
from replay.analysis.movement import Moved, moves
from replay.analysis.pace import Pace, Spent, paces, spent
from replay.analysis.rolls import KindLuck, RollOdds, lucks, roll_odds
from replay.analysis.turning import Lead, TurningPoint, leads, turning_points
from replay.analysis.units import Enrolled, enrolled

__all__ = [
    "Analysis",
    "Enrolled",
    "Harm",
    "KindLuck",
    "Lead",
    "Loss",
    "Moved",
    "Pace",
    "RollOdds",
    "Spent",
    "TurningPoint",
    "UnitTally",
    "WeaponTally",
    "analyse",
]


class UnitTally(Value, frozen=True, gc=False):
    """What became of a unit and what it did; points in tenths."""

    unit: UnitId
    side: Side
    points: int
    models: int
    """At the start."""
    left: int
    wounds_dealt: int
    wounds_taken: int
    models_removed: int
    """Enemy models that it removed."""
    points_dealt: int
    points_lost: int
    moved: int
    """Mils, each move as far as its farthest model went."""


class Analysis(Value, frozen=True, gc=False):
    """A game, or as much of it as was played."""

    game: str
    armies: dict[Side, str]
    """Display names."""
    winner: Literal["red", "blue", "", "nobody yet"]
    reason: str
    score: Score
    turns: int
    """The game turn it stands at."""
    units: tuple[UnitTally, ...]
    weapons: tuple[WeaponTally, ...]
    losses: tuple[Loss, ...]
    harms: tuple[Harm, ...]
    moves: tuple[Moved, ...]
    rolls: tuple[RollOdds, ...]
    lucks: tuple[KindLuck, ...]
    times: tuple[Spent, ...]
    paces: tuple[Pace, ...]
    leads: tuple[Lead, ...]
    turning: tuple[TurningPoint, ...]


def analyse(history: History, rows: Sequence[Step] = (), game: str = "") -> Analysis:
    """Return the analysis of the play up to the head.

    `rows` is the whole stream, for the time that steps took; without it no times are given.
    A battle of 250 steps takes about a tenth of a second.
    """
    path = history.path()
    facts = list(history.facts())
    units = enrolled(facts)
    log = dice_log(facts)
    harmed = tuple(harms(facts))
    moved = tuple(moves(facts))
    stood = leads(path, units)
    times = spent(path, rows) if rows else ()
    battle = history.battle
    armies: dict[Side, str] = {"red": "red", "blue": "blue"}
    armies |= {one.side: one.army for one in units.values()}
    return Analysis(
        game,
        armies,
        battle.outcome.winner if battle.outcome else "nobody yet",
        battle.outcome.reason if battle.outcome else "the game is not over",
        battle.score,
        battle.clock.game_turn,
        unit_tallies(units, harmed, moved),
        weapon_tallies(facts, units),
        losses(facts),
        harmed,
        moved,
        roll_odds(log),
        lucks(log),
        times,
        paces(times),
        stood,
        turning_points(path, stood),
    )


def unit_tallies(
    units: dict[UnitId, Enrolled], harmed: Sequence[Harm], moved: Sequence[Moved]
) -> tuple[UnitTally, ...]:
    """Return each unit's tally in muster order. What nobody dealt is only taken."""
    found: list[UnitTally] = []
    for unit, one in units.items():
        taken = [harm for harm in harmed if harm.victim == unit]
        dealt = [harm for harm in harmed if harm.attacker == unit]
        gone = sum(harm.models for harm in taken)
        killed: dict[UnitId, int] = {}
        for harm in dealt:
            killed[harm.victim] = killed.get(harm.victim, 0) + harm.models
        found.append(
            UnitTally(
                unit,
                one.side,
                10 * one.points,
                one.models,
                one.models - gone,
                sum(harm.wounds for harm in dealt),
                sum(harm.wounds for harm in taken),
                sum(killed.values()),
                sum(units[victim].worth(models) for victim, models in killed.items()),
                one.worth(gone),
                sum(move.distance for move in moved if move.unit == unit),
            )
        )
    return tuple(found)
