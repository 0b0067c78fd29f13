"""An open question in one plain line: who decides what, and with which words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.notation.lengths import to_inches
from engine.notation.write import write
from events.choices import ProposeRuling
from events.questions import (
    AnyQuestion,
    GroundOffered,
    HowToCharge,
    HowToPileIn,
    LinksNeeded,
    OverwatchOffered,
    Question,
    RealDiceOffered,
    RerollOffered,
    RollNeeded,
    RulingOffered,
    WhereToAim,
    WhereToConsolidate,
    WhereToDeploy,
    WhereToMove,
    WhereToRegroup,
    WhereToRun,
    WhichCombat,
    WhichMeleeWeapon,
    WhichWeapon,
    WhichWounds,
    WhichZone,
    WhoCharges,
    WhoChecksMorale,
    WhoFiresOverwatch,
    WhoMoves,
    WhomToStrike,
    WhoShoots,
    WhoTakesWounds,
)
from events.wording import counted
from projections.battle import Battle
from projections.queries import alive, on_table

_MOVE = "move {0} X,Y | place {0} N:X,Y ... | stay"


def _inches(mils: int) -> str:
    return f"{to_inches(mils)} inches"


def _deploy(question: WhereToDeploy, battle: Battle) -> str:
    waiting = [
        unit.id
        for unit in battle.units
        if unit.side == question.player and alive(unit) and not on_table(unit)
    ]
    return f"deploy which of {', '.join(waiting)}? (deploy UNIT X,Y X,Y ...)"


def _wounds(question: WhichWounds, battle: Battle) -> str:
    groups = [
        f"{group.wounds} at Strength {group.strength}, AP {'-' if group.ap is None else group.ap}"
        + ", precise" * group.precise
        + ", coverless" * group.coverless
        for group in question.groups
    ]
    on = question.target
    return f"which Wounds on {on} first: {'; '.join(groups)}? (allocate strength N ap N)"


def _morale(question: WhoChecksMorale, battle: Battle) -> str:
    return f"check Morale of which unit next: {', '.join(question.units)}? (check UNIT | fail UNIT)"


def _roll(question: RollNeeded, battle: Battle) -> str:
    about = [word for word in (question.subject, question.weapon) if word]
    if question.need:
        about.append(f"{question.need}+")
    more = f" ({', '.join(about)})" if about else ""
    faces = " ".join(["N"] * min(question.count, 3)) + (" ..." if question.count > 3 else "")
    return f"roll {question.count}D{question.sides} {question.purpose}{more} (dice {faces})"


def _links(question: LinksNeeded, battle: Battle) -> str:
    roll, waiting = question.roll, question.waiting
    about = f" ({roll.subject})" if roll.subject else ""
    due = f"{waiting[0]}'s is" if len(waiting) == 1 else "both are"
    return (
        f"{roll.count}D{roll.sides} {roll.purpose}{about} from both sides' links; {due} due"
        f" (reveal {waiting[0]} LINK | offer real dice)"
    )


def _who_moves(question: WhoMoves, battle: Battle) -> str:
    difficult = " | difficult UNIT" if battle.table.terrain else ""
    return f"move which unit? (move UNIT X,Y | place UNIT N:X,Y ...{difficult} | end phase)"


_WORDS: dict[type[Question], Callable[[Any, Battle], str]] = {
    WhichZone: lambda q, b: "take which deployment zone? (zone south | zone north)",
    WhereToDeploy: _deploy,
    WhoMoves: _who_moves,
    WhereToMove: lambda q, b: (
        f"{q.unit} may move up to {_inches(q.distance)} through difficult terrain; where to?"
        f" ({_MOVE.format(q.unit)})"
    ),
    WhereToRegroup: lambda q, b: (
        f"{q.unit} Regrouped; move it up to {_inches(q.distance)}? ({_MOVE.format(q.unit)})"
    ),
    WhoShoots: lambda q, b: (
        "shoot with which unit? (shoot UNIT > TARGET with WEAPON | run UNIT | end phase)"
    ),
    WhichWeapon: lambda q, b: (
        f"fire another weapon of {q.unit} at {q.target}?"
        f" (shoot {q.unit} > {q.target} with WEAPON | cease fire)"
    ),
    WhereToAim: lambda q, b: (
        f"where does {q.model} aim its {q.weapon} at {q.target}? (aim X,Y | auto)"
    ),
    RerollOffered: lambda q, b: (
        f"{q.purpose} of {q.unit} ({q.weapon}): {' '.join(map(str, q.faces))}; roll again?"
        " (reroll yes | reroll no)"
    ),
    GroundOffered: lambda q, b: (
        f"{q.shooter} scored {counted(q.wounds, 'Wound')}; does {q.unit}"
        " Go to Ground before its saves? (ground yes | ground no)"
    ),
    WhereToRun: lambda q, b: (
        f"{q.unit} Runs; where to, up to {_inches(q.distance)}? ({_MOVE.format(q.unit)})"
    ),
    WhoCharges: lambda q, b: "charge with which unit? (charge UNIT > TARGET + ... | end phase)",
    OverwatchOffered: lambda q, b: (
        f"fire Overwatch with {q.unit} at {q.charger}? (overwatch with WEAPON | overwatch no)"
    ),
    WhoFiresOverwatch: lambda q, b: (
        f"fire Overwatch at {q.charger} with which unit first: {', '.join(q.units)}?"
        " (overwatch by UNIT | overwatch no)"
    ),
    HowToCharge: lambda q, b: (
        f"{q.unit} charges {' and '.join(q.targets)}; where to, up to {_inches(q.distance)}?"
        f" (place {q.unit} N:X,Y ... | auto)"
    ),
    WhichCombat: lambda q, b: "fight which combat next? (fight UNIT)",
    WhichMeleeWeapon: lambda q, b: (
        f"strike with which weapon: models {' '.join(map(str, q.models))} of {q.unit}?"
        f" (strike {q.unit} with WEAPON by N ...)"
    ),
    WhomToStrike: lambda q, b: (
        f"strike whom with models {' '.join(map(str, q.models))} of {q.unit}?"
        f" (direct {q.unit} > TARGET + TARGET by N ...)"
    ),
    HowToPileIn: lambda q, b: (
        f"models {' '.join(map(str, q.models))} of {q.unit} pile in; where to, up to"
        f" {_inches(q.distance)}? (place {q.unit} N:X,Y ... | auto)"
    ),
    WhichWounds: _wounds,
    WhoChecksMorale: _morale,
    WhoTakesWounds: lambda q, b: (
        f"who of {q.unit} takes {counted(q.wounds, 'Wound')}?"
        f" (wound {' '.join(q.eligible[:3])}{' ...' if len(q.eligible) > 3 else ''})"
    ),
    WhereToConsolidate: lambda q, b: (
        f"{q.unit} consolidates; where to, up to {_inches(q.distance)}? ({_MOVE.format(q.unit)})"
    ),
    RulingOffered: lambda q, b: (
        f"does this hold: {write(ProposeRuling(q.ruling))}?"
        " (ruling accept | ruling refuse | ruling roll)"
    ),
    RollNeeded: _roll,
    LinksNeeded: _links,
    RealDiceOffered: lambda q, b: (
        f"roll real dice and enter them from here on, {q.due.roll.purpose} first?"
        " (real dice yes | real dice no)"
    ),
}


def describe(question: AnyQuestion, battle: Battle) -> str:
    """Return one line that says who decides what, and which lines answer.

    >>> from events.values import Table
    >>> from projections.battle import Settings
    >>> battle = Battle(Settings("40k-7e", "seeded", "blake2b/1", "free", "same"), Table())
    >>> describe(OverwatchOffered("blue", "warriors", "boyz"), battle)
    'blue: fire Overwatch with warriors at boyz? (overwatch with WEAPON | overwatch no)'
    """
    return f"{question.player}: {_WORDS[type(question)](question, battle)}"
