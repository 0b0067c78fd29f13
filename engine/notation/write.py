"""From a choice to its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.notation.lengths import point_in_inches
from engine.notation.lines import Dice, Reveal
from events.choices import (
    Aim,
    AimAt,
    AllocateWounds,
    AnswerRealDice,
    AnswerRuling,
    AnyChoice,
    CeaseFire,
    Charge,
    CheckMorale,
    Concede,
    Deploy,
    DirectBlows,
    EndPhase,
    FightCombat,
    FireOverwatch,
    GoToGround,
    MoveUnit,
    OfferRealDice,
    OverwatchBy,
    Place,
    PlaceModels,
    ProposeRuling,
    Reroll,
    Run,
    Shoot,
    Stay,
    StrikeWith,
    TakeWounds,
    TakeZone,
    TryDifficult,
)
from events.rulings import CoverRuling, PositionRuling, ScoreRuling, SightRuling, WoundsRuling
from events.values import Point


def _place(place: Place) -> str:
    path = ">".join(point_in_inches(point) for point in place.path) or "stay"
    return f"{place.model}:{path}"


def _by(line: str, models: tuple[int, ...]) -> str:
    return f"{line} by {' '.join(map(str, models))}" if models else line


def _shoot(choice: Shoot) -> str:
    line = f"shoot {choice.unit} > {choice.target} with {choice.weapon}"
    return _by(line, choice.models)


def _strike(choice: StrikeWith) -> str:
    return _by(f"strike {choice.unit} with {choice.weapon}", choice.models)


def _aim(aim: Aim) -> str:
    return f"{aim.target} {aim.attacks}" if aim.attacks else aim.target


def _direct(choice: DirectBlows) -> str:
    return _by(f"direct {choice.unit} > {' + '.join(map(_aim, choice.at))}", choice.models)


def _allocate(choice: AllocateWounds) -> str:
    line = f"allocate strength {choice.strength} ap {'-' if choice.ap is None else choice.ap}"
    return line + " precise" * choice.precise + " coverless" * choice.coverless


def _difficult(choice: TryDifficult) -> str:
    line = f"difficult {choice.unit}"
    return f"{line} but {' '.join(map(str, choice.still))}" if choice.still else line


def _overwatch(choice: FireOverwatch) -> str:
    return f"overwatch with {choice.weapon}" if choice.weapon else "overwatch no"


def _rule(choice: ProposeRuling) -> str:
    ruling = choice.ruling
    if isinstance(ruling, PositionRuling):
        spots = [f"{s.model}:{point_in_inches(Point(s.x, s.y))}" for s in ruling.to]
        return " ".join(["rule position", ruling.unit, *spots])
    if isinstance(ruling, WoundsRuling):
        return f"rule wounds {ruling.model} {ruling.lost}"
    if isinstance(ruling, ScoreRuling):
        return f"rule score {ruling.side} {ruling.points}"
    if isinstance(ruling, SightRuling):
        return f"rule sight {ruling.unit} > {ruling.target} {'yes' if ruling.sees else 'no'}"
    assert isinstance(ruling, CoverRuling)
    save = f"{ruling.save}+" if ruling.save is not None else "none"
    return f"rule cover {ruling.unit} > {ruling.target} {save}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    TakeZone: lambda c: f"zone {c.zone}",
    Deploy: lambda c: " ".join(["deploy", c.unit, *map(point_in_inches, c.at)]),
    MoveUnit: lambda c: f"move {c.unit} {point_in_inches(c.by)}",
    PlaceModels: lambda c: " ".join(["place", c.unit, *map(_place, c.places)]),
    TryDifficult: _difficult,
    Stay: lambda c: "stay",
    Run: lambda c: f"run {c.unit}",
    Shoot: _shoot,
    AimAt: lambda c: f"aim {point_in_inches(c.at)}",
    Reroll: lambda c: "reroll yes" if c.again else "reroll no",
    GoToGround: lambda c: "ground yes" if c.down else "ground no",
    CeaseFire: lambda c: "cease fire",
    Charge: lambda c: f"charge {c.unit} > {' + '.join(c.targets)}",
    FireOverwatch: _overwatch,
    OverwatchBy: lambda c: f"overwatch by {c.unit}",
    FightCombat: lambda c: f"fight {c.unit}",
    StrikeWith: _strike,
    DirectBlows: _direct,
    AllocateWounds: _allocate,
    CheckMorale: lambda c: f"{'fail' if c.fail else 'check'} {c.unit}",
    TakeWounds: lambda c: " ".join(["wound", *c.models]),
    ProposeRuling: _rule,
    AnswerRuling: lambda c: f"ruling {c.verdict}",
    OfferRealDice: lambda c: "offer real dice",
    AnswerRealDice: lambda c: "real dice yes" if c.agreed else "real dice no",
    EndPhase: lambda c: "end phase",
    Concede: lambda c: "concede",
    Dice: lambda c: " ".join(["dice", *map(str, c.faces)]),
    Reveal: lambda c: f"reveal {c.by} {c.link}",
}


def write(choice: AnyChoice | Dice | Reveal) -> str:
    """Return a choice's line in canonical form; `read` gives the choice back.

    >>> write(Shoot("warriors", "boyz", "boltgun", (1, 2)))
    'shoot warriors > boyz with boltgun by 1 2'
    """
    return _WRITERS[type(choice)](choice)
