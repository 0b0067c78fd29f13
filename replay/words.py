"""What happened, in plain words: one line for each fact that people at a table would mention.

Words come from the event alone, with unit ids as in the notation; bookkeeping has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.notation import Dice, point_in_inches, to_inches, write
from events.assault import (
    BlowsFinished,
    ChargeDeclared,
    ChargeEnded,
    ChargeFailed,
    ChargeRolled,
    ChargesFinished,
    CombatEnded,
    CombatResolved,
    CombatStarted,
    ConsolidationFinished,
    InitiativeStepStarted,
    MeleeWeaponChosen,
    OverwatchFinished,
    PileInsFinished,
    SweepingAdvanceRolled,
    UnitCharged,
    UnitsLocked,
    UnitsUnlocked,
)
from events.attacks import (
    BlowsStruck,
    HitsScored,
    MarkerPlaced,
    MarkerScattered,
    ModelRemoved,
    PinningCaused,
    ShootingFinished,
    TargetChosen,
    UnitDestroyed,
    UnitsGotUp,
    WeaponFired,
    WentToGround,
    WoundAllocated,
    WoundSaved,
    WoundsLost,
    WoundsScored,
    WoundSuffered,
)
from events.base import Event
from events.choices import AnyChoice, Deploy, PlaceModels, ProposeRuling, TakeWounds
from events.codec import tag_of
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
from events.history import (
    BranchTaken,
    ForkedFrom,
    LinkKept,
    Noted,
    Redone,
    RulesChanged,
    SaltKept,
    SeedChanged,
    UndoAsked,
    UndoGranted,
    Undone,
    UndoRefused,
)
from events.morale import FallBackStarted, FellBack, MoraleChecked, UnitRegrouped
from events.movement import ModelsMoved, UnitMoved, UnitRan
from events.rulings import RulingMade, RulingRefused
from events.terrain import DangerousTerrainTested, DifficultTerrainRolled
from events.wording import counted
from projections.history import Node

MOVES = {
    "move": "moves",
    "run": "Runs",
    "charge": "charges home",
    "pile_in": "piles in",
    "end_pile_in": "piles in at the end",
    "consolidate": "consolidates",
    "fall_back": "falls back",
    "regroup": "Regroups and moves",
}


def brief(choice: AnyChoice) -> str:
    """Return a choice's line with long lists of places cut: to be read, not to be played.

    >>> brief(TakeWounds(tuple(f"boyz.{n}" for n in range(1, 9))))
    'wound boyz.1 boyz.2 ... (8 models)'
    """
    words = write(choice).split()
    places = words[2 if isinstance(choice, Deploy | PlaceModels) else 1 :]
    if not isinstance(choice, Deploy | PlaceModels | TakeWounds) or len(places) <= 4:
        return " ".join(words)
    kept = words[: len(words) - len(places) + 2]
    return f"{' '.join(kept)} ... ({len(places)} models)"


def _army(e: ArmyMustered) -> str:
    models = sum(len(unit.models) for unit in e.army.units)
    off = f"; left off: {', '.join(x.name for x in e.army.left_off)}" if e.army.left_off else ""
    units = counted(len(e.army.units), "unit")
    return f"{e.side} musters {e.army.name}: {units}, {counted(models, 'model')}{off}"


def _dice(e: DiceRolled) -> str:
    about = [word for word in (e.subject, e.weapon) if word]
    if e.opponent:
        about.append(f"against {e.opponent}")
    of = f" ({', '.join(about)})" if about else ""
    need = f" {e.need}+" if e.need else ""
    passed = f": {e.passed} of {len(e.faces)} made it" if e.need else ""
    how = "" if e.source == "seeded" else f" [{e.source}]"
    return f"dice, {e.purpose}{need}{of}: {' '.join(map(str, e.faces))}{passed}{how}"


def _fired(e: WeaponFired) -> str:
    how = "as Snap Shots " if e.snap else ""
    overwatch = " in Overwatch" if e.overwatch else ""
    guns = f"{len(e.models)} {e.weapon}"
    return f"{e.unit} fires {guns} {how}at {e.target}{overwatch}: {counted(e.shots, 'shot')}"


def _ruling(e: RulingMade | RulingRefused) -> str:
    return write(ProposeRuling(e.ruling)).removeprefix("rule ")


def _wounds(e: WoundsScored) -> str:
    ap = "-" if e.ap is None else e.ap
    wounds = counted(e.wounds, "Wound")
    return f"{e.unit} wounds {e.target}: {wounds} at Strength {e.strength}, AP {ap}"


def _allocated(e: WoundAllocated) -> str:
    save = f"{e.save} save on {e.need}+" if e.save else "no save"
    return f"a Wound goes to {e.model}, {save}"


def _suffered(e: WoundSuffered) -> str:
    instant = ", Instant Death" if e.instant_death else ""
    return f"{e.model} loses {counted(e.wounds, 'Wound')} ({e.cause}{instant})"


def _resolved(e: CombatResolved) -> str:
    count = f"red inflicted {counted(e.red, 'Wound')}, blue {e.blue}"
    won = f"{e.winner} wins by {e.by}" if e.winner else "nobody wins"
    return f"combat result: {count}; {won}"


def _swept(e: SweepingAdvanceRolled) -> str:
    end = "is caught and swept away" if e.caught else "gets away"
    return f"{e.unit} flees with {e.flight}, {e.pursuer} pursues with {e.pursuit}: it {end}"


def _morale(e: MoraleChecked) -> str:
    modifier = f" {e.modifier:+d}" if e.modifier else ""
    result = "passes" if e.passed else "fails"
    how = f"{e.total} against {e.leadership}{modifier}" if e.total else "not rolled"
    return f"{e.unit} {result} a Morale test ({e.reason}): {how}"


def _ended(e: GameEnded) -> str:
    return f"the game ends: {f'{e.winner} wins' if e.winner else 'a draw'}, {e.reason}"


def _overwatch_over(e: OverwatchFinished) -> str:
    return f"{e.unit} has fired Overwatch" if e.fired else f"{e.unit} fires no Overwatch"


def _created(e: GameCreated) -> str:
    return f"a game of {e.ruleset}, rules {e.rules}, dice {e.dice}, undo {e.undo}"


_SAYS: dict[type[Event], Callable[[Any], str]] = {
    GameCreated: _created,
    ArmyMustered: _army,
    ScenarioGiven: lambda e: "the battle is set up in mid-game",
    Chosen: lambda e: f"{e.by}: {write(e.choice)}",
    DiceRolled: _dice,
    LinkRevealed: lambda e: f"{e.by} reveals its next link",
    RollOffWon: lambda e: f"{e.side} wins the roll-off",
    ZoneTaken: lambda e: f"{e.side} takes the {'southern' if e.zone.y0 == 0 else 'northern'} zone",
    UnitDeployed: lambda e: f"{e.unit} deploys around {point_in_inches(e.at[0])}",
    TurnStarted: lambda e: f"turn {e.game_turn} of {e.side} begins",
    PhaseStarted: lambda e: f"{e.phase} phase",
    GameLengthRolled: lambda e: (
        f"after turn {e.game_turn} the game {'goes on' if e.goes_on else 'ends'}"
    ),
    PointsScored: lambda e: f"{e.side} scores {counted(e.points, 'point')}: {e.what}",
    GameEnded: _ended,
    UnitMoved: lambda e: f"{e.unit} {MOVES[e.kind]} by {point_in_inches(e.by)}",
    ModelsMoved: lambda e: f"{e.unit} {MOVES[e.kind]}: {counted(len(e.to), 'model')}",
    UnitRan: lambda e: f"{e.unit} may Run {to_inches(e.distance)} inches",
    DifficultTerrainRolled: lambda e: (
        f"{e.unit} may move {to_inches(e.distance)} inches through difficult terrain"
    ),
    DangerousTerrainTested: lambda e: (
        f"{e.model} {'passes' if e.passed else 'fails'} its dangerous terrain test ({e.terrain})"
    ),
    RulingMade: lambda e: f"a ruling, {'by a die' if e.rolled else 'agreed'}: {_ruling(e)}",
    RulingRefused: lambda e: f"no ruling, {'by a die' if e.rolled else 'refused'}: {_ruling(e)}",
    WeaponFired: _fired,
    BlowsStruck: lambda e: (
        f"{e.unit} strikes {e.target} at Initiative {e.step} with {e.weapon or 'bare hands'}:"
        f" {counted(e.attacks, 'attack')}"
    ),
    MarkerPlaced: lambda e: f"{e.model} aims its {e.weapon} at {point_in_inches(e.at)}",
    MarkerScattered: lambda e: (
        f"its marker scatters {to_inches(e.distance)} inches to {point_in_inches(e.to)}"
        if e.distance
        else "its marker stays where it is"
    ),
    PinningCaused: lambda e: f"{e.unit} has to test for Pinning",
    WentToGround: lambda e: f"{e.unit} Goes to Ground, to the end of its turn {e.until}",
    UnitsGotUp: lambda e: f"up from the ground: {', '.join(e.units)}",
    HitsScored: lambda e: f"{e.unit} scores {counted(e.hits, 'hit')} on {e.target}",
    WoundsScored: _wounds,
    WoundAllocated: _allocated,
    WoundSaved: lambda e: f"{e.model} makes its {e.save} save",
    WoundSuffered: _suffered,
    WoundsLost: lambda e: f"{counted(e.wounds, 'Wound')} on {e.target} come to nothing",
    ModelRemoved: lambda e: f"{e.model} is removed ({e.cause})",
    UnitDestroyed: lambda e: f"{e.unit} is destroyed ({e.cause})",
    ChargeDeclared: lambda e: f"{e.unit} declares a charge on {' and '.join(e.targets)}",
    OverwatchFinished: _overwatch_over,
    ChargeRolled: lambda e: f"{e.unit} can charge {to_inches(e.distance)} inches",
    ChargeFailed: lambda e: f"{e.unit} fails its charge, {to_inches(e.needed)} inches were needed",
    ChargeEnded: lambda e: f"{e.unit}'s charge is over before it moves",
    UnitCharged: lambda e: f"{e.unit} has charged",
    UnitsLocked: lambda e: f"locked in combat: {', '.join(e.units)}",
    UnitsUnlocked: lambda e: f"free of combat: {', '.join(e.units)}",
    CombatStarted: lambda e: f"combat of {', '.join(e.units)}",
    MeleeWeaponChosen: lambda e: f"{counted(len(e.models), 'model')} of {e.unit} use {e.weapon}",
    InitiativeStepStarted: lambda e: f"Initiative step {e.step}",
    CombatResolved: _resolved,
    SweepingAdvanceRolled: _swept,
    MoraleChecked: _morale,
    FallBackStarted: lambda e: f"{e.unit} falls back",
    FellBack: lambda e: f"{e.unit} fell back {to_inches(e.distance)} inches",
    UnitRegrouped: lambda e: f"{e.unit} Regroups",
    Undone: lambda e: f"{e.by} takes back step {e.left}: the game stands at step {e.to}",
    Redone: lambda e: f"{e.by} redoes: the game stands at step {e.to}",
    BranchTaken: lambda e: f"{e.by} goes from step {e.left} to the branch @{e.to}",
    UndoAsked: lambda e: f"{e.by} asks to go to step {e.to}",
    UndoGranted: lambda e: f"{e.by} grants it: the game stands at step {e.to}",
    UndoRefused: lambda e: f"{e.by} refuses to go to step {e.to}",
    Noted: lambda e: f"{e.by} notes: {e.text}",
    RulesChanged: lambda e: f"played on under rules {e.after} (before {e.before})",
    ForkedFrom: lambda e: f"forked from {e.game} at its step {e.step}; until here a copy",
    SeedChanged: lambda e: "a new seed: other dice from here on",
    LinkKept: lambda e: f"links of {e.side} as revealed in the game before, up to {e.link[:12]}...",
    SaltKept: lambda e: f"dice salted as in the game before, from its undo at {e.salt}",
}

REPEATS: frozenset[type[Event]] = frozenset({UnitDeployed, UnitMoved})
"""Facts that say no more than the choice before them."""

BOOKKEEPING: frozenset[type[Event]] = frozenset(
    {
        Asked,
        BlowsFinished,
        ChargesFinished,
        CombatEnded,
        ConsolidationFinished,
        PhaseClosing,
        PhaseEnded,
        PileInsFinished,
        ProcedureStarted,
        ShootingFinished,
        TargetChosen,
        TurnEnded,
    }
)
"""Facts that steer the rules and tell a player nothing: no words unless all are wanted."""


def in_words(event: Event, everything: bool = False) -> str:
    """Return an event in plain words; "" for bookkeeping unless `everything` is wanted.

    An event without words of its own is its tag and fields.

    >>> in_words(HitsScored("warriors", "boyz", "boltgun", 7))
    'warriors scores 7 hits on boyz'
    """
    says = _SAYS.get(type(event))
    if says is not None:
        return says(event)
    if type(event) in BOOKKEEPING and not everything:
        return ""
    fields = ", ".join(f"{name} {getattr(event, name)}" for name in event.__struct_fields__)
    return f"{tag_of(type(event)).partition('/')[0].replace('_', ' ')} {fields}".strip()


def answer_of(node: Node) -> str:
    """Return the answer that made a step, as a person reads it: a choice, or ``dice 3 5 1``."""
    first = node.events[0]
    if isinstance(first, Chosen):
        return brief(first.choice)
    if isinstance(first, DiceRolled):
        return write(Dice(first.faces))
    if isinstance(first, LinkRevealed):
        return f"reveal {first.by} {first.link[:12]}..."
    return "the game is set up"


def lines_of(events: Iterable[Event], everything: bool = False) -> Iterator[str]:
    """Yield the words of a step's events that add to its choice, in order; or of all of them."""
    for event in events:
        words = "" if type(event) in REPEATS and not everything else in_words(event, everything)
        if words:
            yield words
