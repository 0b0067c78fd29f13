"""The state of a game: one frozen `Battle`, scope by scope.

What is true only inside a phase stands in `Battle.phase`, what later phases of the turn read in
`Battle.turn`; both are replaced when they end. Characteristics are never overwritten. [CMOD-4]
"""

from __future__ import annotations

from typing import Literal

from events.base import ModelId, Side, UnitId, Value
from events.game import DiceAfterUndo, DiceMode, PhaseName, UndoPolicy
from events.questions import AnyQuestion
from events.rulings import AnyRuling
from events.values import Army, Point, Rect, Table, UnitSetup

STATE_SCHEMA = 1
"""Number of the shape of `Battle`; state digests compare only under the same number. [P4]"""


class Model(Value, frozen=True, gc=False):
    """A model that is still in the game. Removed models are dropped from their unit."""

    n: int
    """Number in the unit, from 1; `UnitSetup.models[n - 1]` is its setup."""
    at: Point | None = None
    """Centre of the base in mils; None before deployment."""
    lost: int = 0
    """Wounds lost. [PROF-4]"""


class Unit(Value, frozen=True, gc=False):
    """A unit's changing part; what never changes is its `UnitSetup` at the same index.

    Every model belongs to one unit. [UNIT-1, UNIT-2]
    """

    id: UnitId
    side: Side
    models: tuple[Model, ...]
    started: int
    """Models at the start of the game. [UNIT-5, RGRP-3]"""
    phase_started: int
    """Models at the start of the current phase. [UNIT-5, WHEN-1]"""
    falling_back: bool = False
    locked: bool = False
    gone_to_ground: bool = False
    """It has Gone to Ground. [GTG-2, GTG-3]"""
    ground_until: int = 0
    """The game turn at the end of whose own turn it gets up again. [GTG-3]"""


class UnitTurn(Value, frozen=True, gc=False):
    """What a unit did in this player turn that later phases ask about."""

    unit: UnitId
    moved: tuple[int, ...] = ()
    """Numbers of the models that moved in the Movement phase. [MOVE-8]"""
    ran: bool = False
    target: UnitId = ""
    """The unit it shot at in the Shooting phase. [CDEC-6]"""
    fired: tuple[str, ...] = ()
    """Types of weapon it fired in the Shooting phase, Snap Shots included. [CDEC-5]"""
    declared: bool = False
    """It declared a charge. [ASPH-5]"""
    charged: bool = False
    """Its charge reached the enemy. [CMOV-9]"""
    disordered: bool = False
    """It declared a charge with a secondary target. [MDEC-5]"""
    denied: bool = False
    """Defensive grenades deny it the attack for its charge. [NATK-4]"""
    at_step_one: bool = False
    """Its charge crossed difficult terrain: it strikes at Initiative step 1. [CDIF-3, CDIF-4]"""
    newly_locked: bool = False
    """A charge of this turn locked it in combat. [LOCK-1, NATK-4]"""
    overwatch: bool = False
    """It fired Overwatch. [OVWT-6]"""
    regrouped: bool = False
    """It Regrouped this turn. [RGRP-2]"""
    arrived: bool = False
    """It arrived from reserve this turn. [CDEC-7]"""
    changed_flight: bool = False
    """It is a flying monstrous creature that changed its flight mode this turn. [CDEC-4]"""


class TurnRecord(Value, frozen=True, gc=False):
    """The player turn's record: one entry for each unit that did something, in that order."""

    units: tuple[UnitTurn, ...] = ()


class Tally(Value, frozen=True, gc=False):
    """How many dice fell at one address in this phase."""

    address: str
    dice: int


class Hazard(Value, frozen=True, gc=False):
    """A model's test for a piece of dangerous terrain, taken in this phase. [DANG-4]"""

    model: ModelId
    terrain: str


class Ruled(Value, frozen=True, gc=False):
    """What the players ruled of two units to the end of the phase. [SPRT-2, LOS-4]"""

    about: Literal["sight", "cover"]
    unit: UnitId
    target: UnitId
    sees: bool = True
    save: int | None = None


class Proposal(Value, frozen=True, gc=False):
    """A ruling that waits for the other player's answer. [SPRT-1]"""

    by: Side
    ruling: AnyRuling


class PhaseState(Value, frozen=True, gc=False, tag_field="phase"):
    """What is true only inside a phase. `dice` counts dice by address."""

    dice: tuple[Tally, ...] = ()
    closing: bool = False
    """The active player acts no more; the end step runs. [SEPH-3]"""
    tested: tuple[UnitId, ...] = ()
    """Units that took this phase's casualty Morale check. [WHEN-5]"""
    hazards: tuple[Hazard, ...] = ()
    """Tests for dangerous terrain taken: one a model and piece. [TERR-3, DANG-4]"""
    ruled: tuple[Ruled, ...] = ()
    """Rulings on sight and cover: they hold to the end of the phase. [SPRT-2]"""


class SetupPhase(PhaseState, frozen=True, gc=False, tag="setup"):
    """Before the battle: roll-off, zones, deployment."""

    winner: Side | None = None


class MovementPhase(PhaseState, frozen=True, gc=False, tag="movement"):
    """Which units have made their move, Regroup test or fall back. [MOVE-1]"""

    moved: tuple[UnitId, ...] = ()


class PsychicPhase(PhaseState, frozen=True, gc=False, tag="psychic"):
    """Empty as long as nobody has psykers. [PSY-2]"""


class ShootingPhase(PhaseState, frozen=True, gc=False, tag="shooting"):
    """Who has shot or Run, and the unit that is shooting now. [SHPH-1]"""

    done: tuple[UnitId, ...] = ()
    shooter: UnitId = ""
    target: UnitId = ""
    weapons: tuple[str, ...] = ()
    """Weapon groups the shooter has fired. [SHWP-3]"""
    fired: tuple[int, ...] = ()
    """Numbers of its models that have fired. [SHWP-2]"""
    pinned: tuple[UnitId, ...] = ()
    """Units that test for Pinning once it has fired. [LDT-5]"""


class Armed(Value, frozen=True, gc=False):
    """Models of a unit that strike with one of their melee weapons, by choice. [MELE-2]"""

    unit: UnitId
    weapon: str
    models: tuple[int, ...]


class Combat(Value, frozen=True, gc=False):
    """The combat being fought. [FITE-3]"""

    units: tuple[UnitId, ...]
    step: int = 11
    """The Initiative step now: 10 to 1; 11 before the first."""
    piled_in: tuple[Side, ...] = ()
    """Sides whose pile-ins of this step (or of the end) are done. [PILE-6]"""
    red: int = 0
    """Unsaved Wounds that red inflicted in this combat this phase. [RSLT-1]"""
    blue: int = 0
    stage: Literal["blows", "result", "morale"] = "blows"
    """``"morale"`` and what follows it: sweeping advances, the last pile-ins, consolidation."""
    winner: Literal["red", "blue", ""] = ""
    by: int = 0
    tested: tuple[UnitId, ...] = ()
    """Losing units that took their check. [MMOR-1]"""
    fled: tuple[UnitId, ...] = ()
    """Units that failed it and flee; sweeping advances come after all checks. [MMOR-1]"""
    consolidated: tuple[UnitId, ...] = ()
    armed: tuple[Armed, ...] = ()
    """Which weapons were chosen, for the whole of the combat. [MELE-2, AMB-45]"""


class AssaultPhase(PhaseState, frozen=True, gc=False, tag="assault"):
    """Charge sub-phase, then Fight sub-phase. [ASPH-1]"""

    fighting: bool = False
    """The Fight sub-phase has begun. [ASPH-4]"""
    charger: UnitId = ""
    """The unit whose charge is under way."""
    targets: tuple[UnitId, ...] = ()
    overwatch_weapons: tuple[str, ...] = ()
    """Weapon groups the Overwatching unit has fired at this charger. [SHWP-3]"""
    overwatch_fired: tuple[int, ...] = ()
    distance: int = -1
    """The charge distance in mils once rolled. [CRNG-2]"""
    fought: tuple[UnitId, ...] = ()
    """Units whose combat was fought this phase. [CHOC-1]"""
    combat: Combat | None = None


class OverPhase(PhaseState, frozen=True, gc=False, tag="over"):
    """The game has ended."""


AnyPhase = SetupPhase | MovementPhase | PsychicPhase | ShootingPhase | AssaultPhase | OverPhase


class Clock(Value, frozen=True, gc=False):
    """Where the game stands in time. [GTPT-1]"""

    game_turn: int = 0
    """0 before the battle."""
    active: Side = "red"
    """The player whose turn it is."""
    first: Side = "red"
    """The player who goes first in every game turn."""
    phase: PhaseName = "setup"
    """The phase that runs or ran last."""
    in_phase: bool = False
    """Whether it is still running."""
    in_turn: bool = False
    last: bool = False
    """The roll for the length of the game said that this game turn was the last."""


class Settings(Value, frozen=True, gc=False):
    """What was agreed at creation."""

    ruleset: str
    dice: DiceMode
    algorithm: str
    undo: UndoPolicy
    dice_after_undo: DiceAfterUndo


class Zone(Value, frozen=True, gc=False):
    """A side's deployment zone."""

    side: Side
    rect: Rect


class Score(Value, frozen=True, gc=False):
    """Victory points."""

    red: int = 0
    blue: int = 0


class Outcome(Value, frozen=True, gc=False):
    """How the game ended."""

    winner: Literal["red", "blue", ""]
    reason: str


class Battle(Value, frozen=True, gc=False):
    """The whole state of a game. Replaced at every event, never changed."""

    settings: Settings
    table: Table
    setups: tuple[UnitSetup, ...] = ()
    """What never changes of each unit; the same index as `units`."""
    units: tuple[Unit, ...] = ()
    clock: Clock = Clock()
    zones: tuple[Zone, ...] = ()
    phase: AnyPhase = SetupPhase()
    turn: TurnRecord = TurnRecord()
    question: AnyQuestion | None = None
    proposal: Proposal | None = None
    """A ruling proposed and not answered yet. [SPRT-1]"""
    score: Score = Score()
    outcome: Outcome | None = None
    armies: tuple[Army, ...] = ()
    """Armies without their units: names, points, what was left off; for showing only."""
