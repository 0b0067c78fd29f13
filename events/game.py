"""Inputs and facts that frame a game: creation, choices, questions, dice, turns, the end."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.base import Fact, Input, Side, UnitId, Value
from events.choices import AnyChoice
from events.questions import AnyQuestion
from events.values import Army, Point, Rect, Table

PhaseName = Literal["setup", "turn", "movement", "psychic", "shooting", "assault", "over"]
"""Where the clock stands; ``"turn"`` is the start of a player turn, before its first phase."""

DiceMode = Literal["seeded", "entered", "revealed"]
DiceSource = Literal["seeded", "entered", "scripted", "revealed"]
UndoPolicy = Literal["free", "until_revealed", "none"]
DiceAfterUndo = Literal["same", "fresh"]


Link = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""A link of a side's hash chain: 64 hexadecimal digits."""


class Commitments(Value, frozen=True, gc=False):
    """The end of each side's hash chain: who has it can check every link, and foresee none."""

    red: Link
    blue: Link


class GameCreated(Input, frozen=True, gc=False, tag="game_created/2"):
    """A game was set up, with everything two players agree on before it. First in every stream."""

    ruleset: str
    rules: int
    """Number of the rules that wrote this stream; re-execution under another says so. [P12]"""
    seed: str
    dice: DiceMode
    algorithm: str
    """Name of the dice algorithm, so that another can follow without breaking old games."""
    undo: UndoPolicy
    dice_after_undo: DiceAfterUndo
    table: Table
    commitments: Commitments | None = None
    """Where dice are revealed: what both sides are bound to."""


class ArmyMustered(Input, frozen=True, gc=False, tag="army_mustered/1"):
    """A side's army took the field, in full: the game never depends on the roster again. [P1]"""

    side: Side
    army: Army


class ScenarioGiven(Input, frozen=True, gc=False, tag="scenario_given/1"):
    """Play starts in the middle: a whole battle in canonical JSON, under its state schema. [P4]"""

    schema: int
    battle: msgspec.Raw


class Chosen(Input, frozen=True, gc=False, tag="chosen/1"):
    """A player answered the open question (or conceded)."""

    by: Side
    choice: AnyChoice


class DiceRolled(Input, frozen=True, gc=False, tag="dice_rolled/1"):
    """Dice fell. Seeded and scripted faces are derived; entered ones come from the table.

    The address is the clock (turn, player, phase) with step, subject, weapon, purpose, opponent
    and salt; `ordinal` is the number of the first of these dice at that address. `need` is the
    face that succeeds (0: no success is counted), `passed` how many did.
    """

    purpose: str
    faces: tuple[int, ...]
    need: int = 0
    passed: int = 0
    subject: UnitId = ""
    opponent: UnitId = ""
    weapon: str = ""
    step: int = 0
    ordinal: int = 0
    sides: int = 6
    source: DiceSource = "seeded"
    salt: int = 0


class LinkRevealed(Input, frozen=True, gc=False, tag="link_revealed/1"):
    """A side revealed the next link of its chain: with both, the dice of a step are known.

    Its hash is the link before, or the commitment. A link is never good for a second time, on no
    branch of the game.
    """

    by: Side
    link: Link


class Asked(Fact, frozen=True, gc=False, tag="asked/1"):
    """A question is open; the step ends here."""

    question: AnyQuestion


class ProcedureStarted(Fact, frozen=True, gc=False, tag="began/1"):
    """A rule began: the battle alone said that it comes next. Play after a load resumes here."""

    name: str


class RollOffWon(Fact, frozen=True, gc=False, tag="roll_off_won/1"):
    """A roll-off was won. [DMOD-4]"""

    side: Side


class ZoneTaken(Fact, frozen=True, gc=False, tag="zone_taken/1"):
    """A side has its deployment zone; its own table edge is the zone's outer edge. [FALL-1]"""

    side: Side
    zone: Rect


class UnitDeployed(Fact, frozen=True, gc=False, tag="unit_deployed/1"):
    """A unit was put on the table, one point a model in unit order."""

    unit: UnitId
    at: tuple[Point, ...]


class TurnStarted(Fact, frozen=True, gc=False, tag="turn_started/1"):
    """A player turn started. [TURN-4]"""

    game_turn: int
    side: Side


class PhaseStarted(Fact, frozen=True, gc=False, tag="phase_started/1"):
    """A phase started; model counts for its casualty tests are copied. [SEPH-1, UNIT-5]"""

    phase: PhaseName


class PhaseClosing(Fact, frozen=True, gc=False, tag="phase_closing/1"):
    """The active player acts no more in this phase; its end step begins. [SEPH-3]"""


class PhaseEnded(Fact, frozen=True, gc=False, tag="phase_ended/1"):
    """A phase ended, its end step included. [SEPH-3]"""

    phase: PhaseName


class TurnEnded(Fact, frozen=True, gc=False, tag="turn_ended/1"):
    """A player turn ended. [TURN-4]"""

    game_turn: int
    side: Side


class GameLengthRolled(Fact, frozen=True, gc=False, tag="game_length_rolled/1"):
    """Whether the game goes on after this game turn was rolled."""

    game_turn: int
    goes_on: bool


class PointsScored(Fact, frozen=True, gc=False, tag="points_scored/1"):
    """A side scored victory points; `what` is "units destroyed", "quarter ..." or an objective."""

    side: Side
    points: int
    what: str


class GameEnded(Fact, frozen=True, gc=False, tag="game_ended/1"):
    """The game is over; `winner` is empty for a draw."""

    winner: Literal["red", "blue", ""]
    reason: str
