"""Every question the rules can leave open, with who answers and within which limits.

`Asked` puts one of these in the battle. Battle and question are enough to show it and to check
an answer; a question never holds a list of options.
"""

from __future__ import annotations

import msgspec

from events.base import ModelId, Side, UnitId
from events.rulings import AnyRuling


class Question(msgspec.Struct, frozen=True, gc=False, tag_field="ask"):
    """Something a player must decide."""

    player: Side


class WhichZone(Question, frozen=True, gc=False, tag="zone"):
    """Which deployment zone the winner of the roll-off takes: `TakeZone`."""


class WhereToDeploy(Question, frozen=True, gc=False, tag="deploy"):
    """Which unit to deploy next, and where in the player's zone: `Deploy`."""


class WhoMoves(Question, frozen=True, gc=False, tag="move"):
    """Which unit moves next: `MoveUnit`, `PlaceModels`, `TryDifficult` or `EndPhase`.

    [MOVE-1]
    """


class WhereToMove(Question, frozen=True, gc=False, tag="difficult_move"):
    """Where a unit goes after its difficult terrain test: a move or `Stay`. [TERR-2, DIFF-8]

    At most `distance` mils, and only these `models`: the others were to stay. [DIFF-7]
    """

    unit: UnitId
    distance: int
    models: tuple[int, ...]


class WhereToRegroup(Question, frozen=True, gc=False, tag="regroup"):
    """Where a unit that Regrouped moves, up to `distance` mils: a move or `Stay`. [RGRP-2]"""

    unit: UnitId
    distance: int


class WhoShoots(Question, frozen=True, gc=False, tag="shoot"):
    """Which unit shoots at what, or Runs, next: `Shoot`, `Run` or `EndPhase`. [SHPH-1]"""


class WhichWeapon(Question, frozen=True, gc=False, tag="weapon"):
    """Which further weapon group of `unit` fires at `target`: `Shoot` or `CeaseFire`. [SHSQ-1]"""

    unit: UnitId
    target: UnitId


class WhereToAim(Question, frozen=True, gc=False, tag="aim"):
    """Where a shot of a model with a blast or template weapon goes: `AimAt`. [APOC-4]"""

    model: ModelId
    target: UnitId
    weapon: str


class RerollOffered(Question, frozen=True, gc=False, tag="reroll"):
    """Whether the dice that a `unit` rolled for a purpose are rolled again: `Reroll`. [RERL-3]"""

    unit: UnitId
    purpose: str
    weapon: str
    faces: tuple[int, ...]


class GroundOffered(Question, frozen=True, gc=False, tag="ground"):
    """Whether `unit` Goes to Ground before it saves `wounds` Wounds of `shooter`: `GoToGround`.

    [GTG-1]
    """

    unit: UnitId
    shooter: UnitId
    wounds: int


class WhereToRun(Question, frozen=True, gc=False, tag="run"):
    """Where a Running unit goes, up to `distance` mils: a move or `Stay`. [SHPH-2]"""

    unit: UnitId
    distance: int


class WhoCharges(Question, frozen=True, gc=False, tag="charge"):
    """Which unit charges which next: `Charge` or `EndPhase`. [ASPH-2]"""


class OverwatchOffered(Question, frozen=True, gc=False, tag="overwatch"):
    """Whether `unit` fires a weapon at the `charger`: `FireOverwatch`. [OVWT-1]"""

    unit: UnitId
    charger: UnitId


class WhoFiresOverwatch(Question, frozen=True, gc=False, tag="overwatch_order"):
    """Which of the charged `units` fires at the `charger` next: `OverwatchBy` or a `FireOverwatch`
    that declines for all of them. [MOVW-2]"""

    units: tuple[UnitId, ...]
    charger: UnitId


class HowToCharge(Question, frozen=True, gc=False, tag="charge_move"):
    """How the chargers move, initial charger first: `PlaceModels`. [CMOV-1 to CMOV-6]"""

    unit: UnitId
    targets: tuple[UnitId, ...]
    distance: int


class WhichCombat(Question, frozen=True, gc=False, tag="combat"):
    """Which combat is fought next: `FightCombat`. [CHOC-1]"""


class WhichMeleeWeapon(Question, frozen=True, gc=False, tag="melee_weapon"):
    """With which weapon these models of `unit` strike in this combat: `StrikeWith`. [MELE-2]

    `step` is the Initiative step at which they strike; 0 before the first, where the weapon
    decides on the step. [AMB-45]
    """

    unit: UnitId
    models: tuple[int, ...]
    step: int


class WhomToStrike(Question, frozen=True, gc=False, tag="direct"):
    """Which enemy units these models of `unit` strike at this step: `DirectBlows`. [MDIR-2]"""

    unit: UnitId
    models: tuple[int, ...]
    step: int


class HowToPileIn(Question, frozen=True, gc=False, tag="pile_in"):
    """How these models of `unit` pile in, up to `distance` mils: `PlaceModels`. [PILE-1, ECPI-1]"""

    unit: UnitId
    models: tuple[int, ...]
    distance: int


class WoundGroup(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Wounds on one target that share Strength and AP. [MWND-3, WPOL-2]

    Of shooting also whether the shooter says who takes them [ALLO-5] and cover is no help [COVR-4].
    """

    strength: int
    ap: int | None
    wounds: int
    precise: bool = False
    coverless: bool = False


class WhichWounds(Question, frozen=True, gc=False, tag="wound_group"):
    """Which of the `groups` of Wounds on `target` is allocated next: `AllocateWounds`. [MWND-3]"""

    target: UnitId
    groups: tuple[WoundGroup, ...]


class WhoChecksMorale(Question, frozen=True, gc=False, tag="check"):
    """Which of the losing `units` takes its Morale check next: `CheckMorale`. [MMOR-1, MCHK-4]"""

    units: tuple[UnitId, ...]


class WhoTakesWounds(Question, frozen=True, gc=False, tag="wounds"):
    """Which of the `eligible` models of `unit` take the next Wounds: `TakeWounds`. [MALC-1]"""

    unit: UnitId
    eligible: tuple[ModelId, ...]
    wounds: int


class WhereToConsolidate(Question, frozen=True, gc=False, tag="consolidate"):
    """Where a unit consolidates, up to `distance` mils: a move or `Stay`. [CONS-1]"""

    unit: UnitId
    distance: int


class RulingOffered(Question, frozen=True, gc=False, tag="ruling"):
    """Whether a ruling that the other player proposed holds: `AnswerRuling`. [SPRT-1]"""

    ruling: AnyRuling


class RollNeeded(Question, frozen=True, gc=False, tag="roll"):
    """Dice that people roll and type in: an entered `DiceRolled` with `count` faces."""

    purpose: str
    count: int
    sides: int = 6
    need: int = 0
    subject: UnitId = ""
    opponent: UnitId = ""
    weapon: str = ""
    step: int = 0


class LinksNeeded(Question, frozen=True, gc=False, tag="links"):
    """A `roll` waits for both sides' next links, in either order: `LinkRevealed`.

    `waiting` are those who still have to reveal, `player` the first of them; `link` is what the
    other has revealed, "" while both are due. Either may offer to roll real dice instead.
    """

    roll: RollNeeded
    waiting: tuple[Side, ...]
    link: str = ""


class RealDiceOffered(Question, frozen=True, gc=False, tag="real_dice"):
    """Whether people roll the dice from here on, instead of what is `due`: `AnswerRealDice`."""

    due: LinksNeeded


AnyQuestion = (
    WhichZone
    | WhereToDeploy
    | WhoMoves
    | WhereToMove
    | WhereToRegroup
    | WhoShoots
    | WhichWeapon
    | WhereToAim
    | RerollOffered
    | GroundOffered
    | WhereToRun
    | WhoCharges
    | OverwatchOffered
    | WhoFiresOverwatch
    | HowToCharge
    | WhichCombat
    | WhichMeleeWeapon
    | WhomToStrike
    | HowToPileIn
    | WhichWounds
    | WhoChecksMorale
    | WhoTakesWounds
    | WhereToConsolidate
    | RulingOffered
    | RollNeeded
    | LinksNeeded
    | RealDiceOffered
)
