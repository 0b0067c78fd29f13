"""Every choice a player can make, typed, with canonical coordinates.

Each has one line in the notation (``engine.notation``); macros such as ``move boyz toward
warriors 6`` become one of these before anything is chosen.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from events.base import ModelId, UnitId
from events.rulings import AnyRuling, Verdict
from events.values import Point

MAX_WAYPOINTS = 32
"""A path holds at most this many waypoints."""


class Place(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Where one model goes: its number in the unit and its waypoints, the last its end point."""

    model: int
    path: tuple[Point, ...]


class Choice(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="do", tag=str.lower
):
    """An answer to the open question."""


class TakeZone(Choice, frozen=True, gc=False, tag="zone"):
    """Take a deployment zone: ``zone south``."""

    zone: Literal["south", "north"]


class Deploy(Choice, frozen=True, gc=False, tag="deploy"):
    """Put a unit on the table, one point a model in unit order: ``deploy boyz 10,3 11.2,3``."""

    unit: UnitId
    at: tuple[Point, ...]


class MoveUnit(Choice, frozen=True, gc=False, tag="move"):
    """Move a whole unit by one vector, every model in a straight line: ``move boyz 6,0``."""

    unit: UnitId
    by: Point


class TryDifficult(Choice, frozen=True, gc=False, tag="difficult"):
    """Take a difficult terrain test before a unit's move: ``difficult boyz``. [TERR-2, DIFF-2]

    `still` are the numbers of models that won't try to move: ``difficult boyz but 3 4``. [DIFF-7]
    """

    unit: UnitId
    still: tuple[int, ...] = ()


class PlaceModels(Choice, frozen=True, gc=False, tag="place"):
    """Move models one by one, in this order: ``place boyz 1:12.5,30 2:13.5,29>13.5,30``.

    Answers every question about a move: in the Movement phase, a Run, a charge, a pile-in, a
    consolidation. Models that are not named stay where they are.
    """

    unit: UnitId
    places: tuple[Place, ...]


class Stay(Choice, frozen=True, gc=False, tag="stay"):
    """Make no move where the move is optional: ``stay``."""


class Run(Choice, frozen=True, gc=False, tag="run"):
    """Run instead of shooting: ``run boyz``. [SHPH-2]"""

    unit: UnitId


class Shoot(Choice, frozen=True, gc=False, tag="shoot"):
    """Fire one weapon group: ``shoot warriors > boyz with boltgun``. [SHSQ-1]

    `models` are the numbers of the models that fire; empty means all that can. [SHMD-2]
    """

    unit: UnitId
    target: UnitId
    weapon: str
    models: tuple[int, ...] = ()


class AimAt(Choice, frozen=True, gc=False, tag="aim"):
    """Put a blast marker there, or lay a template toward it: ``aim 12.5,30``. [APOC-3]"""

    at: Point


class Reroll(Choice, frozen=True, gc=False, tag="reroll"):
    """Roll the dice again, or let them stand: ``reroll yes``, ``reroll no``. [RERL-1]"""

    again: bool


class GoToGround(Choice, frozen=True, gc=False, tag="ground"):
    """Go to Ground before the saves, or not: ``ground yes``, ``ground no``. [GTG-1]"""

    down: bool


class CeaseFire(Choice, frozen=True, gc=False, tag="cease"):
    """Fire no further weapon group: ``cease fire``. [SHSQ-1]"""


class Charge(Choice, frozen=True, gc=False, tag="charge"):
    """Declare a charge: ``charge boyz > warriors``. [CDEC-1] The first target is primary."""

    unit: UnitId
    targets: tuple[UnitId, ...]


class FireOverwatch(Choice, frozen=True, gc=False, tag="overwatch"):
    """Fire Overwatch with a weapon, or not: ``overwatch with boltgun``, ``overwatch no``. [OVWT-1]

    An empty `weapon` declines, or stops after a group that has fired.
    """

    weapon: str = ""


class OverwatchBy(Choice, frozen=True, gc=False, tag="overwatch_by"):
    """Name the charged unit that fires Overwatch next: ``overwatch by lads``. [MOVW-2]"""

    unit: UnitId


class FightCombat(Choice, frozen=True, gc=False, tag="fight"):
    """Fight the combat that this unit is in: ``fight boyz``. [CHOC-1]"""

    unit: UnitId


class StrikeWith(Choice, frozen=True, gc=False, tag="strike"):
    """Choose a melee weapon for the combat: ``strike warriors with power-fist by 1 2``. [MELE-2]

    `models` are the numbers of the models that use it; empty means all that have to choose and
    carry it.
    """

    unit: UnitId
    weapon: str
    models: tuple[int, ...] = ()


class Aim(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Blows at one unit: how many of a model's attacks, 0 for all of them."""

    target: UnitId
    attacks: int = 0


class DirectBlows(Choice, frozen=True, gc=False, tag="direct"):
    """Say whom models strike: ``direct boyz > warriors 2 + lads 1 by 3``. [MDIR-2, MDIR-3]

    Without a number all attacks of each model go to the one target. `models` are the numbers of
    the models it is said for; empty means all that can strike those targets.
    """

    unit: UnitId
    at: tuple[Aim, ...]
    models: tuple[int, ...] = ()


class AllocateWounds(Choice, frozen=True, gc=False, tag="allocate"):
    """Name the group of Wounds that is allocated next: ``allocate strength 8 ap 2``. [MWND-3]

    Those of shooting that are otherwise special are named so, too: ``allocate strength 4 ap 5
    precise``, ``allocate strength 4 ap 5 coverless``. [WPOL-2, WPOL-3]
    """

    strength: int
    ap: int | None = None
    precise: bool = False
    coverless: bool = False


class CheckMorale(Choice, frozen=True, gc=False, tag="check"):
    """Take a unit's Morale check next: ``check boyz``; or fail it: ``fail boyz``. [MMOR-1, MCHK-4]

    Only a unit whose weapons are useless may `fail` without dice.
    """

    unit: UnitId
    fail: bool = False


class TakeWounds(Choice, frozen=True, gc=False, tag="wound"):
    """Name the models that take the Wounds, in order: ``wound boyz.3 boyz.5``. [MALC-1]

    Used in order, and asked again when it is used up or made illegal by a die.
    """

    models: tuple[ModelId, ...]


class ProposeRuling(Choice, frozen=True, gc=False, tag="rule"):
    """Propose a ruling, at any time when no action is in flight: ``rule wounds boyz.3 1``. [SPRT-2]

    Either player may; the other answers.
    """

    ruling: AnyRuling


class AnswerRuling(Choice, frozen=True, gc=False, tag="ruling"):
    """Answer a proposed ruling: ``ruling accept``, ``ruling refuse``, ``ruling roll``. [SPRT-1]"""

    verdict: Verdict


class OfferRealDice(Choice, frozen=True, gc=False, tag="offer_dice"):
    """Offer to roll real dice from here on, where a link is due: ``offer real dice``.

    The way out where a side can't or won't reveal; either player may, the other answers.
    """


class AnswerRealDice(Choice, frozen=True, gc=False, tag="real_dice"):
    """Whether dice are rolled and entered by people from here on: ``real dice yes``, or no."""

    agreed: bool


class EndPhase(Choice, frozen=True, gc=False, tag="end"):
    """Act no more in this phase or sub-phase: ``end phase``. [TURN-2]"""


class Concede(Choice, frozen=True, gc=False, tag="concede"):
    """Give up the game; legal at any time: ``concede``."""


AnyChoice = (
    TakeZone
    | Deploy
    | MoveUnit
    | PlaceModels
    | TryDifficult
    | Stay
    | Run
    | Shoot
    | AimAt
    | Reroll
    | GoToGround
    | CeaseFire
    | Charge
    | FireOverwatch
    | OverwatchBy
    | FightCombat
    | StrikeWith
    | DirectBlows
    | AllocateWounds
    | CheckMorale
    | TakeWounds
    | ProposeRuling
    | AnswerRuling
    | OfferRealDice
    | AnswerRealDice
    | EndPhase
    | Concede
)
