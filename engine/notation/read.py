"""From a line to its choice. Knows no battle: whether the choice is legal is another question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.notation.lengths import to_point
from engine.notation.lines import Dice, Line, LineError, Reveal
from events.base import Side, UnitId
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
from events.movement import Spot
from events.rulings import (
    CoverRuling,
    PositionRuling,
    ScoreRuling,
    SightRuling,
    Verdict,
    WoundsRuling,
)
from events.values import Point


class Toward(msgspec.Struct, frozen=True, gc=False):
    """Macro: the longest legal move of a unit toward another or away from it, in mils at most."""

    unit: UnitId
    target: UnitId
    distance: int
    away: bool = False


class Offered(msgspec.Struct, frozen=True, gc=False):
    """Macro: a choice on offer by its number, from 1."""

    number: int


Macro = Toward | Offered


def _zone(line: Line) -> TakeZone:
    return TakeZone("south" if line.literal("south", "north") == "south" else "north")


def _deploy(line: Line) -> Deploy:
    unit, at = line.unit(), [line.point()]
    while line.more():
        at.append(line.point())
    return Deploy(unit, tuple(at))


def _move(line: Line) -> MoveUnit | Toward:
    unit = line.unit()
    right = '"toward", "away from" or a vector in inches, such as 6,0,'
    word = line.take(right)
    if word == "toward":
        return Toward(unit, line.unit(), line.length())
    if word == "away":
        line.literal("from")
        return Toward(unit, line.unit(), line.length(), away=True)
    by = to_point(word)
    if by is None:
        # With a comma it was meant as a vector: then say only what is wrong with that.
        line.refuse(right if word.isalpha() else "a place or vector in inches, such as 12.5,30,")
    return MoveUnit(unit, by)


def _place(line: Line) -> PlaceModels:
    unit, places = line.unit(), []
    right = "a model with its way, such as 1:12.5,30 or 2:13.5,29>13.5,30,"
    while line.more():
        word = line.take(right)
        number, colon, way = word.partition(":")
        if not colon or not number.isdecimal() or not number.isascii() or len(number) > 4:
            line.refuse(right)
        path: list[Point] = []
        for text in way.split(">") if way != "stay" else ():
            point = to_point(text)
            if point is None:
                line.refuse(right)
            path.append(point)
        places.append(Place(int(number), tuple(path)))
    return PlaceModels(unit, tuple(places))


def _difficult(line: Line) -> TryDifficult:
    unit = line.unit()
    if not line.more():
        return TryDifficult(unit)
    line.literal("but")
    return TryDifficult(unit, line.numbers("a model number, such as 3,"))


def _shoot(line: Line) -> Shoot:
    unit = line.unit()
    line.literal(">")
    target = line.unit()
    line.literal("with")
    return Shoot(unit, target, line.weapon(), _by(line))


def _by(line: Line) -> tuple[int, ...]:
    if not line.more():
        return ()
    line.literal("by")
    return line.numbers("a model number, such as 3,")


def _cease(line: Line) -> CeaseFire:
    line.literal("fire")
    return CeaseFire()


def _charge(line: Line) -> Charge:
    unit = line.unit()
    line.literal(">")
    targets = [line.unit()]
    while line.more():
        line.literal("+")
        targets.append(line.unit())
    return Charge(unit, tuple(targets))


def _overwatch(line: Line) -> FireOverwatch | OverwatchBy:
    word = line.literal("with", "no", "by")
    if word == "by":
        return OverwatchBy(line.unit())
    return FireOverwatch(line.weapon() if word == "with" else "")


def _strike(line: Line) -> StrikeWith:
    unit = line.unit()
    line.literal("with")
    return StrikeWith(unit, line.weapon(), _by(line))


def _direct(line: Line) -> DirectBlows:
    unit = line.unit()
    sign = line.literal(">")
    aims: list[Aim] = []
    while sign in (">", "+"):
        target = line.unit()
        attacks = line.number("a number of attacks, such as 2,") if line.next_is_number() else 0
        aims.append(Aim(target, attacks))
        if not line.more():
            return DirectBlows(unit, tuple(aims))
        sign = line.literal("+", "by")
    return DirectBlows(unit, tuple(aims), line.numbers("a model number, such as 3,"))


def _allocate(line: Line) -> AllocateWounds:
    line.literal("strength")
    strength = line.number("a Strength, such as 4,")
    line.literal("ap")
    ap = None if line.next_is("-") else line.number("an AP or -")
    precise, coverless = line.next_is("precise"), line.next_is("coverless")
    return AllocateWounds(strength, ap, precise, coverless)


def _wound(line: Line) -> TakeWounds:
    models = [line.model()]
    while line.more():
        models.append(line.model())
    return TakeWounds(tuple(models))


def _rule(line: Line) -> ProposeRuling:
    about = line.literal("sight", "cover", "position", "wounds", "score")
    if about == "position":
        moved = _place(line)
        if any(len(place.path) != 1 for place in moved.places) or not moved.places:
            line.refuse("a model with its place, such as 1:12.5,30,")
        spots = tuple(Spot(p.model, p.path[0].x, p.path[0].y) for p in moved.places)
        return ProposeRuling(PositionRuling(moved.unit, spots))
    if about == "wounds":
        return ProposeRuling(WoundsRuling(line.model(), line.count("Wounds lost, such as 1,")))
    if about == "score":
        side: Side = "red" if line.literal("red", "blue") == "red" else "blue"
        return ProposeRuling(ScoreRuling(side, line.count("points, such as 3,")))
    unit = line.unit()
    line.literal(">")
    target = line.unit()
    if about == "sight":
        return ProposeRuling(SightRuling(unit, target, line.literal("yes", "no") == "yes"))
    word = line.literal("2", "3", "4", "5", "6", "none")
    if word == "none":
        return ProposeRuling(CoverRuling(unit, target, None))
    line.literal("+")
    return ProposeRuling(CoverRuling(unit, target, int(word)))


def _verdict(line: Line) -> AnswerRuling:
    verdicts: dict[str, Verdict] = {"accept": "accept", "refuse": "refuse", "roll": "roll"}
    return AnswerRuling(verdicts[line.literal(*verdicts)])


def _offer(line: Line) -> OfferRealDice:
    line.literal("real")
    line.literal("dice")
    return OfferRealDice()


def _real_dice(line: Line) -> AnswerRealDice:
    line.literal("dice")
    return AnswerRealDice(line.literal("yes", "no") == "yes")


def _reveal(line: Line) -> Reveal:
    by: Side = "red" if line.literal("red", "blue") == "red" else "blue"
    return Reveal(by, line.link())


def _end(line: Line) -> EndPhase:
    line.literal("phase")
    return EndPhase()


_READERS: dict[str, Callable[[Line], Any]] = {
    "zone": _zone,
    "deploy": _deploy,
    "move": _move,
    "place": _place,
    "difficult": _difficult,
    "stay": lambda line: Stay(),
    "run": lambda line: Run(line.unit()),
    "shoot": _shoot,
    "aim": lambda line: AimAt(line.point()),
    "reroll": lambda line: Reroll(line.literal("yes", "no") == "yes"),
    "ground": lambda line: GoToGround(line.literal("yes", "no") == "yes"),
    "cease": _cease,
    "charge": _charge,
    "overwatch": _overwatch,
    "fight": lambda line: FightCombat(line.unit()),
    "strike": _strike,
    "direct": _direct,
    "allocate": _allocate,
    "check": lambda line: CheckMorale(line.unit()),
    "fail": lambda line: CheckMorale(line.unit(), fail=True),
    "wound": _wound,
    "rule": _rule,
    "ruling": _verdict,
    "offer": _offer,
    "real": _real_dice,
    "end": _end,
    "concede": lambda line: Concede(),
    "dice": lambda line: Dice(line.numbers("the face of a die, such as 5,")),
    "reveal": _reveal,
    "auto": lambda line: Offered(1),
}

VERBS = tuple(_READERS)
"""The words that a line may begin with."""


def parse(text: str) -> tuple[AnyChoice | Dice | Reveal | Macro, Line]:
    """Return what a line says, macros included, with its words. Raises LineError."""
    line = Line(text)
    right = f"one of {', '.join(VERBS)} or a number"
    verb = line.take(right)
    if verb in _READERS:
        said: AnyChoice | Dice | Reveal | Macro = _READERS[verb](line)
    elif verb.isascii() and verb.isdecimal() and len(verb) < 6:
        said = Offered(int(verb))
    else:
        line.refuse(right)
    line.end()
    return said, line


def read_line(text: str) -> AnyChoice | Dice | Reveal:
    """Read a line in canonical form, entered dice or a revealed link. Raises LineError.

    >>> read_line("dice 3 5 1")
    Dice(faces=(3, 5, 1))
    """
    said, line = parse(text)
    if isinstance(said, Macro):
        word, column = line.words[0]
        raise LineError(text, column, word, "a line with its places written out is right here")
    return said


def read(text: str) -> AnyChoice:
    """Read a choice in canonical form; ``read(write(choice)) == choice``. Raises LineError.

    >>> read("overwatch no")
    FireOverwatch(weapon='')
    """
    said = read_line(text)
    if isinstance(said, Dice | Reveal):
        verb = text.split()[0]
        raise LineError(text, text.index(verb), verb, "a choice is right here")
    return said
