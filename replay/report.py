"""The battle report: turn by turn what was lost, charged, tested and scored; then the dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from events.assault import ChargeFailed, ChargeRolled, CombatResolved, UnitCharged
from events.base import SIDES, Side, UnitId, Value
from events.game import ArmyMustered, GameEnded, PointsScored
from events.morale import MoraleChecked, MoraleReason
from events.wording import counted
from projections.history import History, Node
from projections.readmodels import (
    Loss,
    Luck,
    Standing,
    dice_log,
    losses,
    luck,
    staged,
    standings,
)


class ChargeTried(Value, frozen=True, gc=False):
    """A charge: how far the dice let the unit go, and whether it got home."""

    unit: UnitId
    distance: int
    """Mils."""
    made: bool
    needed: int = 0
    """Mils that were needed where it failed."""


class MoraleTest(Value, frozen=True, gc=False):
    """A Leadership test for Morale or to Regroup. `total` is 0 where it wasn't rolled."""

    unit: UnitId
    reason: MoraleReason
    leadership: int
    modifier: int
    total: int
    passed: bool


class CombatFought(Value, frozen=True, gc=False):
    """The result of a combat in Wounds inflicted."""

    red: int
    blue: int
    winner: Literal["red", "blue", ""]


class TurnReport(Value, frozen=True, gc=False):
    """One player turn."""

    turn: int
    active: Side
    losses: tuple[Loss, ...] = ()
    charges: tuple[ChargeTried, ...] = ()
    combats: tuple[CombatFought, ...] = ()
    tests: tuple[MoraleTest, ...] = ()
    standing: Standing | None = None
    """How things stood at its end; None where the turn isn't over."""


class Scored(Value, frozen=True, gc=False):
    """Points at the end of the game, and what for."""

    side: Side
    points: int
    what: str


class BattleReport(Value, frozen=True, gc=False):
    """A whole game, or as much of it as was played."""

    red: str
    """Name of red's army."""
    blue: str
    turns: tuple[TurnReport, ...]
    scored: tuple[Scored, ...]
    winner: Literal["red", "blue", "", "nobody yet"]
    reason: str
    luck: tuple[Luck, ...]
    """Red's, then blue's."""


class _Turn:
    """A player turn while it is read."""

    def __init__(self) -> None:
        self.charges: list[ChargeTried] = []
        self.combats: list[CombatFought] = []
        self.tests: list[MoraleTest] = []


def battle_report(history: History, node: Node | None = None) -> BattleReport:
    """Return the report of the play up to a node (default: the head). Undone steps don't count."""
    facts = list(history.facts(node))
    names: dict[Side, str] = {"red": "red", "blue": "blue"}
    turns: dict[tuple[int, Side], _Turn] = {}
    rolled: dict[UnitId, int] = {}
    scored: list[Scored] = []
    winner: Literal["red", "blue", "", "nobody yet"] = "nobody yet"
    reason = "the game is not over"
    for _, event, game_turn, active, _phase in staged(facts):
        turn = turns.setdefault((game_turn, active), _Turn())
        match event:
            case ArmyMustered(side=side, army=army):
                names[side] = army.name
            case ChargeRolled(unit=unit, distance=distance):
                rolled[unit] = distance
            case UnitCharged(unit=unit):
                turn.charges.append(ChargeTried(unit, rolled.get(unit, 0), True))
            case ChargeFailed(unit=unit, needed=needed):
                turn.charges.append(ChargeTried(unit, rolled.get(unit, 0), False, needed))
            case CombatResolved(red=red, blue=blue, winner=won):
                turn.combats.append(CombatFought(red, blue, won))
            case MoraleChecked():
                turn.tests.append(
                    MoraleTest(
                        event.unit,
                        event.reason,
                        event.leadership,
                        event.modifier,
                        event.total,
                        event.passed,
                    )
                )
            case PointsScored(side=side, points=points, what=what):
                scored.append(Scored(side, points, what))
            case GameEnded():
                winner, reason = event.winner, event.reason
            case _:
                pass
    lost, stood, log = losses(facts), standings(facts), dice_log(facts)
    return BattleReport(
        names["red"],
        names["blue"],
        tuple(
            TurnReport(
                number,
                active,
                tuple(loss for loss in lost if (loss.turn, loss.active) == (number, active)),
                tuple(turn.charges),
                tuple(turn.combats),
                tuple(turn.tests),
                next((s for s in reversed(stood) if (s.turn, s.active) == (number, active)), None),
            )
            for (number, active), turn in turns.items()
            if number
        ),
        tuple(scored),
        winner,
        reason,
        tuple(luck(log, side) for side in SIDES),
    )


def report_lines(report: BattleReport) -> Iterator[str]:
    """Yield the report as plain lines, a heading a player turn."""
    yield f"{report.red} (red) against {report.blue} (blue)"
    for turn in report.turns:
        yield ""
        yield f"Turn {turn.turn}, {turn.active}"
        yield from (f"  {line}" for line in turn_lines(turn))
    yield ""
    yield from result_lines(report)


def result_lines(report: BattleReport) -> Iterator[str]:
    """Yield who won and by what, then the dice in a line a player."""
    if report.winner == "nobody yet":
        yield report.reason
    else:
        won = f"{report.winner} wins" if report.winner else "a draw"
        yield f"Result: {won}, {report.reason}"
    for side in SIDES:
        parts = [f"{s.points} for {s.what}" for s in report.scored if s.side == side]
        if parts:
            total = sum(s.points for s in report.scored if s.side == side)
            yield f"  {side} {total}: {', '.join(parts)}"
    for one in report.luck:
        yield luck_line(one)


def turn_lines(turn: TurnReport) -> Iterator[str]:
    """Yield one player turn: casualties, charges, combats, Morale, how things stand."""
    for loss in turn.losses:
        left = f"{loss.left} left" if loss.left else "destroyed"
        yield f"{loss.unit} lost {counted(loss.models, 'model')} ({loss.cause}), {left}"
    for charge in turn.charges:
        reach, needed = _inches(charge.distance), _inches(charge.needed)
        if charge.made:
            yield f"{charge.unit} charged home with {reach}"
        else:
            yield f"{charge.unit} failed its charge: {reach} rolled, {needed} needed"
    for combat in turn.combats:
        won = f"{combat.winner} won" if combat.winner else "nobody won"
        yield f"combat: red inflicted {counted(combat.red, 'Wound')}, blue {combat.blue}; {won}"
    for test in turn.tests:
        how = f"{test.total} against {test.leadership}" if test.total else "not rolled"
        if test.total and test.modifier:
            how += f" {test.modifier:+d}"
        regroup = test.reason.startswith("regroup")
        words = ("Regrouped", "did not Regroup") if regroup else ("held", "fell back")
        yield f"{test.unit} {words[not test.passed]} ({test.reason}: {how})"
    if turn.standing is not None:
        s = turn.standing
        yield (
            f"models {s.red_models} to {s.blue_models},"
            f" units destroyed {s.red_destroyed} to {s.blue_destroyed} (red to blue)"
        )


def luck_line(one: Luck) -> str:
    """Return a player's dice in one line; silent about luck below thirty dice.

    >>> luck_line(Luck("red", 120, 66, 583, 912))
    'Dice of red: 120 with a stated need, 66 succeeded, 58.3 expected; luckier than 91.2 %'
    """
    text = f"Dice of {one.player}: {one.dice} with a stated need, {one.passed} succeeded"
    if one.dice:
        text += f", {one.expected // 10}.{one.expected % 10} expected"
    if one.per_mille is not None:
        text += f"; luckier than {one.per_mille // 10}.{one.per_mille % 10} %"
    return text


def _inches(mils: int) -> str:
    """Return mils in inches with one decimal, rounded to the nearest tenth."""
    tenths = (mils + 50) // 100
    return f'{tenths // 10}.{tenths % 10}"'
