"""Macros: lines that need the battle to become a choice with canonical coordinates."""

from __future__ import annotations

from engine.answers import check, legal
from engine.board import discs_of
from engine.geometry import closest
from engine.geometry.paths import segment_length
from engine.notation.lines import Dice, Line, LineError, Reveal
from engine.notation.read import Offered, Toward, parse
from engine.sequence import RULESETS
from events.choices import AnyChoice, MoveUnit
from events.errors import IllegalChoice
from events.values import Point
from projections.battle import Battle
from projections.queries import has_unit, on_table, unit_of

STEPS = 24
"""A move is sought at so many lengths, longest first, then refined to the mil."""


def resolve(text: str, battle: Battle) -> AnyChoice:
    """Read a line, macros included, as the choice it means in this battle.

    The choice of a plain line isn't checked here, that of a macro is legal. Raises LineError,
    also where a macro finds nothing legal. A move macro costs up to 34 checks.
    """
    said, line = parse(text)
    if isinstance(said, Toward):
        return _toward(said, battle, line)
    if isinstance(said, Offered):
        return _offered(said, battle, line)
    if isinstance(said, Dice):
        raise _fault(line, 0, "a choice is right here; dice are entered when a roll is open")
    if isinstance(said, Reveal):
        raise _fault(line, 0, "a choice is right here; a link comes when a roll waits for it")
    return said


def _fault(line: Line, word: int, reason: str) -> LineError:
    text, column = line.words[word]
    return LineError(line.text, column, text, reason)


def _offered(macro: Offered, battle: Battle, line: Line) -> AnyChoice:
    choices = legal(RULESETS[battle.settings.ruleset].answers, battle)
    if not choices:
        raise _fault(line, 0, "nothing is on offer now")
    if not 1 <= macro.number <= len(choices):
        raise _fault(line, 0, f"a number from 1 to {len(choices)} is right here")
    return choices[macro.number - 1]


def _toward(macro: Toward, battle: Battle, line: Line) -> MoveUnit:
    """Find the longest legal move on the line between the closest models of the two units."""
    for word, unit in ((1, macro.unit), (len(line.words) - 2, macro.target)):
        if not has_unit(battle, unit) or not on_table(unit_of(battle, unit)):
            there = ", ".join(unit.id for unit in battle.units if on_table(unit))
            raise _fault(line, word, f"a unit on the table is right here: {there}")
    ours, theirs = discs_of(battle, macro.unit), discs_of(battle, macro.target)
    i, j = closest(ours, theirs)
    way = Point(theirs[j].x - ours[i].x, theirs[j].y - ours[i].y)
    if macro.away:
        way = Point(-way.x, -way.y)
    if way == Point(0, 0) or macro.distance == 0:
        raise _fault(line, 2, "this move goes nowhere")
    try:
        found = _longest(battle, macro, way)
    except IllegalChoice as refused:
        raise _fault(line, 2, f"no such move is legal: {refused}") from refused
    return found


def _longest(battle: Battle, macro: Toward, way: Point) -> MoveUnit:
    """Return the longest legal move along a way. Raises the refusal of the longest if none is.

    Lengths are tried from the longest down, since a longer move may be legal where a shorter one
    isn't (out of an enemy's inch); between two tries the limit is found by halving.
    """
    full = segment_length(Point(0, 0), way)

    def at(length: int) -> MoveUnit:
        x, y = (_scaled(part, length, full) for part in (way.x, way.y))
        return MoveUnit(macro.unit, Point(x, y))

    first = _refusal(battle, at(macro.distance))
    if first is None:
        return at(macro.distance)
    for n in range(STEPS - 1, 0, -1):
        good, bad = macro.distance * n // STEPS, macro.distance * (n + 1) // STEPS
        if good == 0 or _refusal(battle, at(good)) is not None:
            continue
        while bad - good > 1:
            middle = (good + bad) // 2
            if _refusal(battle, at(middle)) is None:
                good = middle
            else:
                bad = middle
        return at(good)
    raise first


def _scaled(part: int, length: int, full: int) -> int:
    """Return a part of a way scaled to `length` of `full`, rounded toward 0: never longer."""
    size = abs(part) * length // full
    return size if part >= 0 else -size


def _refusal(battle: Battle, choice: MoveUnit) -> IllegalChoice | None:
    """Return why a choice is illegal for the player whose question is open, or None."""
    answers = RULESETS[battle.settings.ruleset].answers
    by = battle.question.player if battle.question is not None else battle.clock.active
    try:
        check(answers, battle, by, choice)
    except IllegalChoice as refused:
        return refused
    return None
