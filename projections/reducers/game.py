"""Reducers of the frame: creation, questions, dice, turns, phases, score, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from events.base import Event
from events.choices import ProposeRuling
from events.errors import LedgerError
from events.game import (
    ArmyMustered,
    Asked,
    Chosen,
    DiceRolled,
    GameCreated,
    GameEnded,
    GameLengthRolled,
    LinkRevealed,
    PhaseClosing,
    PhaseEnded,
    PhaseName,
    PhaseStarted,
    PointsScored,
    ProcedureStarted,
    RollOffWon,
    ScenarioGiven,
    TurnEnded,
    TurnStarted,
    UnitDeployed,
    ZoneTaken,
)
from events.values import Point
from projections.battle import (
    STATE_SCHEMA,
    AnyPhase,
    AssaultPhase,
    Battle,
    Clock,
    Model,
    MovementPhase,
    Outcome,
    OverPhase,
    Proposal,
    PsychicPhase,
    Settings,
    SetupPhase,
    ShootingPhase,
    Tally,
    TurnRecord,
    Unit,
    Zone,
)
from projections.change import swap, with_unit

_write = msgspec.json.Encoder(order="deterministic").encode
_read = msgspec.json.Decoder(Battle).decode

_PHASES: dict[PhaseName, Callable[[], AnyPhase]] = {
    "setup": SetupPhase,
    "turn": SetupPhase,
    "movement": MovementPhase,
    "psychic": PsychicPhase,
    "shooting": ShootingPhase,
    "assault": AssaultPhase,
    "over": OverPhase,
}


def created(event: GameCreated) -> Battle:
    """Return the battle that a game starts from. The seed stays outside: bots may see a battle."""
    settings = Settings(
        event.ruleset, event.dice, event.algorithm, event.undo, event.dice_after_undo
    )
    return Battle(settings, event.table)


def army_mustered(battle: Battle, event: ArmyMustered) -> Battle:
    """Add a side's units, not yet deployed."""
    army = event.army
    units = tuple(
        Unit(
            setup.id,
            event.side,
            tuple(Model(n) for n in range(1, len(setup.models) + 1)),
            started=len(setup.models),
            phase_started=len(setup.models),
        )
        for setup in army.units
    )
    return replace(
        battle,
        setups=battle.setups + army.units,
        units=battle.units + units,
        armies=(*battle.armies, replace(army, units=())),
    )


def given(battle: Battle) -> ScenarioGiven:
    """Return the event that rebuilds this battle, down to its digest."""
    return ScenarioGiven(STATE_SCHEMA, msgspec.Raw(_write(battle)))


def scenario_given(battle: Battle, event: ScenarioGiven) -> Battle:
    """Take up the given battle; what was agreed at creation holds on.

    Raises msgspec.ValidationError where it isn't a battle of this state schema.
    """
    return replace(_read(bytes(event.battle)), settings=battle.settings)


def chosen(battle: Battle, event: Chosen) -> Battle:
    """Close the open question; a ruling that is proposed waits for its answer. [SPRT-1]"""
    if type(event.choice) is ProposeRuling:
        return replace(battle, question=None, proposal=Proposal(event.by, event.choice.ruling))
    return replace(battle, question=None)


def asked(battle: Battle, event: Asked) -> Battle:
    """Open a question."""
    return replace(battle, question=event.question)


class Rolled(Protocol):
    """A roll, to be made or made: what it is rolled for."""

    @property
    def step(self) -> int: ...
    @property
    def subject(self) -> str: ...
    @property
    def weapon(self) -> str: ...
    @property
    def purpose(self) -> str: ...
    @property
    def opponent(self) -> str: ...


def address_key(roll: Rolled) -> str:
    """Return the part of a die's address that varies inside a phase, as counted in `Tally`."""
    return f"{roll.step}|{roll.subject}|{roll.weapon}|{roll.purpose}|{roll.opponent}"


def dice_so_far(battle: Battle, roll: Rolled) -> int:
    """Return how many dice fell at the roll's address in this phase."""
    key = address_key(roll)
    for tally in battle.phase.dice:
        if tally.address == key:
            return tally.dice
    return 0


def dice_rolled(battle: Battle, event: DiceRolled) -> Battle:
    """Count the dice at their address; entered dice also close the open question."""
    key, phase = address_key(event), battle.phase
    dice = phase.dice
    if event.ordinal:
        index = len(dice) - 1  # what is rolled again was rolled lately
        while dice[index].address != key:
            index -= 1
        dice = swap(dice, index, Tally(key, event.ordinal + len(event.faces)))
    else:
        # Half the time of ``(*dice, ...)``, with thirty addresses a phase.
        dice = dice + (Tally(key, len(event.faces)),)  # noqa: RUF005
    phase = replace(phase, dice=dice)
    if event.source == "entered":
        return replace(battle, phase=phase, question=None)
    return replace(battle, phase=phase)


def link_revealed(battle: Battle, event: LinkRevealed) -> Battle:
    """Close the question: who else has to reveal is asked anew."""
    return replace(battle, question=None)


def procedure_started(battle: Battle, event: ProcedureStarted) -> Battle:
    """Change nothing: the mark only says where play can be taken up."""
    return battle


def roll_off_won(battle: Battle, event: RollOffWon) -> Battle:
    """The winner goes first. [DMOD-4]"""
    return replace(
        battle,
        phase=replace(battle.phase, winner=event.side),
        clock=replace(battle.clock, first=event.side, active=event.side),
    )


def zone_taken(battle: Battle, event: ZoneTaken) -> Battle:
    """Give a side its zone."""
    return replace(battle, zones=(*battle.zones, Zone(event.side, event.zone)))


def unit_deployed(battle: Battle, event: UnitDeployed) -> Battle:
    """Stand a unit's models on the table."""

    def deploy(unit: Unit) -> Unit:
        models = zip(unit.models, event.at, strict=True)
        placed = [replace(model, at=Point(at.x, at.y)) for model, at in models]
        return replace(unit, models=tuple(placed))

    return with_unit(battle, event.unit, deploy)


def turn_started(battle: Battle, event: TurnStarted) -> Battle:
    """Start a player turn with an empty record. [TURN-4, GTPT-4]"""
    clock = Clock(event.game_turn, event.side, battle.clock.first, "turn", in_turn=True)
    return replace(battle, clock=clock, turn=TurnRecord())


def phase_started(battle: Battle, event: PhaseStarted) -> Battle:
    """Start a phase and copy the model counts that its tests need. [UNIT-5]"""
    units = tuple(
        [
            unit
            if unit.phase_started == (alive := len(unit.models))
            else replace(unit, phase_started=alive)
            for unit in battle.units
        ]
    )
    return replace(
        battle,
        units=units,
        phase=_PHASES[event.phase](),
        clock=replace(battle.clock, phase=event.phase, in_phase=True),
    )


def phase_closing(battle: Battle, event: PhaseClosing) -> Battle:
    """Begin the phase's end step. [SEPH-3]"""
    return replace(battle, phase=replace(battle.phase, closing=True))


def phase_ended(battle: Battle, event: PhaseEnded) -> Battle:
    """End the phase. Its state stays until the next one starts, so that tests can look at it."""
    return replace(battle, clock=replace(battle.clock, in_phase=False))


def turn_ended(battle: Battle, event: TurnEnded) -> Battle:
    """End the player turn. [TURN-4]"""
    return replace(battle, clock=replace(battle.clock, in_turn=False), turn=TurnRecord())


def game_length_rolled(battle: Battle, event: GameLengthRolled) -> Battle:
    """Note whether this game turn was the last."""
    return replace(battle, clock=replace(battle.clock, last=not event.goes_on))


def points_scored(battle: Battle, event: PointsScored) -> Battle:
    """Add victory points."""
    score = battle.score
    if event.side == "red":
        return replace(battle, score=replace(score, red=score.red + event.points))
    return replace(battle, score=replace(score, blue=score.blue + event.points))


def game_ended(battle: Battle, event: GameEnded) -> Battle:
    """Close the game; no question stays open."""
    return replace(
        battle,
        outcome=Outcome(event.winner, event.reason),
        question=None,
        phase=OverPhase(),
        clock=replace(battle.clock, phase="over", in_phase=False, in_turn=False),
    )


def _created_once(battle: Battle | None, event: GameCreated) -> Battle:
    """Start from a stream's creation; a second one would put another agreement in its place."""
    if battle is not None:
        raise LedgerError("GameCreated", "a game is created once, by its first event")
    return created(event)


REDUCERS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    GameCreated: _created_once,
    ArmyMustered: army_mustered,
    ScenarioGiven: scenario_given,
    Chosen: chosen,
    Asked: asked,
    DiceRolled: dice_rolled,
    LinkRevealed: link_revealed,
    ProcedureStarted: procedure_started,
    RollOffWon: roll_off_won,
    ZoneTaken: zone_taken,
    UnitDeployed: unit_deployed,
    TurnStarted: turn_started,
    PhaseStarted: phase_started,
    PhaseClosing: phase_closing,
    PhaseEnded: phase_ended,
    TurnEnded: turn_ended,
    GameLengthRolled: game_length_rolled,
    PointsScored: points_scored,
    GameEnded: game_ended,
}
