"""Running a scenario: its choices through the rules, its dice used up, its expectations met."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.answers import check
from engine.dice import ALGORITHM, ScriptedDice
from engine.notation import LineError, describe, resolve, write
from engine.notation.read import parse as understand
from engine.runner import Runner
from engine.scenarios.documents import MAX_BYTES, Entry, read_document
from engine.scenarios.expect import Expectation, first_difference, plain, read_expect
from engine.scenarios.given import read_given
from engine.sequence import RULESETS
from events.base import Event, Side
from events.codec import tag_of
from events.errors import IllegalChoice, ScenarioError, WarledgerError
from events.game import Chosen, DiceRolled, GameCreated, ProcedureStarted
from projections.battle import Battle
from projections.reducers.game import given

_FACE = re.compile(r"[1-9]|[12][0-9]|3[0-6]")

KEYS = (
    "name",
    "rules",
    "profiles",
    "weapons",
    "given",
    "play",
    "dice",
    "expect",
    "refused",
)


class Verdict(enum.Enum):
    """How a scenario ended."""

    PASSED = "passed"
    FAILED = "failed"
    PLAYED = "played"
    """It ran and expects nothing: the transcript is the answer."""


@dataclass(frozen=True, slots=True)
class Play:
    """One line of play: where it stands, whose it is (None: whoever is asked), what it says."""

    where: str
    by: Side | None
    line: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario as read from its file."""

    path: str
    name: str
    rules: tuple[str, ...]
    battle: Battle
    play: tuple[Play, ...] = ()
    dice: tuple[int, ...] = ()
    expect: Expectation | None = None
    refused: str = ""
    """The id of the rule that refuses the last line of play."""

    @property
    def rerun(self) -> str:
        """The command that runs this scenario again."""
        return f"warledger scenario run {self.path}"


@dataclass(slots=True)
class Result:
    """What running a scenario showed."""

    scenario: Scenario
    verdict: Verdict = Verdict.PLAYED
    difference: str = ""
    """The first difference from what was expected, in plain words with ``file:line``."""
    transcript: list[str] = field(default_factory=list)
    """Choices, dice and facts in order, one line each; the open question last."""
    events: list[Event] = field(default_factory=list)
    """Everything that happened after the scenario was given."""
    battle: Battle | None = None
    """The battle at the end; None if the rules failed before the first question."""
    error: Exception | None = None
    """What a rule raised, if one did."""

    def report(self) -> str:
        """Return verdict, transcript, difference and the command to run it again."""
        name = self.scenario.name
        lines = [f"{name}: {self.verdict.value}", *(f"  {line}" for line in self.transcript)]
        if self.verdict is Verdict.FAILED:
            lines += [self.difference, f"run again: {self.scenario.rerun}"]
        return "\n".join(lines)


def load(path: Path | str) -> Scenario:
    """Read a scenario file. Raises ScenarioError naming file and line and what would be right."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ScenarioError(str(path), f"can't be read: {error.strerror}") from error
    return parse(data, str(path))


def parse(data: bytes | str, file: str = "scenario.yaml") -> Scenario:
    """Read a scenario from its text; `file` names it in errors. Raises ScenarioError."""
    root = read_document(data.encode() if isinstance(data, str) else data, file)
    fields = root.fields(KEYS)
    if "given" not in fields:
        root.refuse("a scenario; it lacks given")
    play = _read_play(fields["play"]) if "play" in fields else ()
    if "refused" in fields and not play:
        fields["refused"].refuse("right without a line of play to be refused")
    return Scenario(
        file,
        fields["name"].text() if "name" in fields else Path(file).stem,
        tuple(fields["rules"].words()) if "rules" in fields else (),
        read_given(fields["given"], fields.get("profiles"), fields.get("weapons")),
        play,
        _read_dice(fields["dice"]) if "dice" in fields else (),
        read_expect(fields["expect"]) if "expect" in fields else None,
        fields["refused"].text() if "refused" in fields else "",
    )


def _read_play(entry: Entry) -> tuple[Play, ...]:
    """Return lines of play: a list, or a block with one line each. ``red:`` before a line says who.

    YAML reads ``- red: end phase`` as a mapping; it means the same.
    """
    found: list[Play] = []
    for item in entry.items():
        if not item.is_text:
            pairs = item.fields(("red", "blue"))
            if len(pairs) != 1:
                item.refuse("one line of play")
            ((side, said),) = pairs.items()
            found.append(_play(said.where, f"{side}: {said.text()}"))
            continue
        first = item.node.start_mark.line + 1
        block = "\n" in item.text()
        for number, line in enumerate(item.text().splitlines(), first + block):
            if line.strip() and not line.lstrip().startswith("#"):
                found.append(_play(f"{item.file}:{number}", line.strip()))
    return tuple(found)


def _play(where: str, line: str) -> Play:
    side, colon, rest = line.partition(":")
    by: Side | None = None
    if colon and side in ("red", "blue"):
        by, line = ("red" if side == "red" else "blue"), rest.strip()
    try:
        understand(line)
    except LineError as error:
        raise ScenarioError(where, f"a line that can't be read\n{error.caret()}") from error
    return Play(where, by, line)


def _read_dice(entry: Entry) -> tuple[int, ...]:
    faces = entry.words()
    if not all(_FACE.fullmatch(face) for face in faces):
        entry.refuse("faces of dice from 1 to 6, such as 3 5 1, or to 36 for a direction")
    return tuple(int(face) for face in faces)


def run(scenario: Scenario) -> Result:
    """Play a scenario through the rules and compare.

    A refused line, a macro that means nothing, dice that don't fit and a rule that breaks on what
    was given are the verdict FAILED.
    """
    result = Result(scenario)
    try:
        difference = _play_all(scenario, result)
    except WarledgerError as error:
        result.error = error
        difference = f"{scenario.path}: {error}"
    except Exception as error:
        result.error = error
        difference = f"{scenario.path}: the rules failed: {type(error).__name__}: {error}"
    if difference:
        result.verdict, result.difference = Verdict.FAILED, difference
    elif scenario.expect is not None or scenario.refused:
        result.verdict = Verdict.PASSED
    if result.battle is not None and result.battle.question is not None:
        result.transcript.append(describe(result.battle.question, result.battle))
    return result


def creation(battle: Battle) -> GameCreated:
    """Return the creation of the game that a given battle stands in."""
    settings = battle.settings
    return GameCreated(
        settings.ruleset,
        RULESETS[settings.ruleset].number,
        seed="",
        dice=settings.dice,
        algorithm=ALGORITHM,
        undo=settings.undo,
        dice_after_undo=settings.dice_after_undo,
        table=battle.table,
    )


def _play_all(scenario: Scenario, result: Result) -> str | None:
    """Play every line; return the first difference."""
    ruleset = RULESETS[scenario.battle.settings.ruleset]
    dice = ScriptedDice(scenario.dice)
    runner = Runner(ruleset.next_procedure, dice)
    advance = runner.create([creation(scenario.battle), given(scenario.battle)])
    battle = _note(result, advance.events[2:], advance.battle)
    for number, play in enumerate(scenario.play, 1):
        last = number == len(scenario.play)
        if battle.question is None:
            return f"{play.where}: nobody is asked anything when this line is played: {play.line}"
        by = play.by or battle.question.player
        try:
            choice = resolve(play.line, battle)
            check(ruleset.answers, battle, by, choice)
        except LineError as error:
            return f"{play.where}: a line that means nothing here\n{error.caret()}"
        except WarledgerError as error:
            refused = error.where if isinstance(error, IllegalChoice) else ""
            result.transcript.append(f"{by}: {play.line}  refused: {error}")
            if last and scenario.refused and refused == scenario.refused:
                continue
            wanted = f" (expected: refused by {scenario.refused})" if scenario.refused else ""
            return f"{play.where}: {play.line!r} is refused: {error}{wanted}"
        if last and scenario.refused:
            return f"{play.where}: {play.line!r} is legal, expected: refused by {scenario.refused}"
        advance = runner.advance(Chosen(by, choice))
        battle = _note(result, advance.events, advance.battle)
    dice.exhausted()
    if scenario.expect is None:
        return None
    return first_difference(scenario.expect, result.events, battle)


def _note(result: Result, events: Sequence[Event], battle: Battle) -> Battle:
    """Add what happened to the result."""
    result.events += events
    result.battle = battle
    result.transcript += [told(event) for event in events if type(event) is not ProcedureStarted]
    return battle


def told(event: Event) -> str:
    """Return an event as one line of a transcript.

    >>> from events.choices import EndPhase
    >>> told(Chosen("red", EndPhase()))
    'red: end phase'
    """
    if isinstance(event, Chosen):
        return f"{event.by}: {write(event.choice)}"
    fields = plain(event)
    if isinstance(event, DiceRolled):
        about = " ".join(x for x in (event.subject, event.weapon) if x)
        need = f", {event.need}+" if event.need else ""
        return f"  {event.purpose} ({about}{need}): {' '.join(map(str, event.faces))}"
    name = tag_of(type(event)).partition("/")[0]
    return f"  {name} {json.dumps(fields, separators=(', ', ': '))}"
