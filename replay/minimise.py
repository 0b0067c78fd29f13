"""Minimise a bug report: the few choices, units and models that still fail in the same way.

The biggest cut comes first: a battle just before the failure, given as it was, needs only what was
chosen since. Where that doesn't fail (its cause lies further back), the start goes back twice as
far until it does. Then choices, units and models that don't matter are left out, and what remains
is written as a scenario that fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from engine.dice_agreed import about_dice
from engine.play import leading
from events.base import Event
from events.codec import decode_events, encode_event
from events.errors import WarledgerError
from events.game import Chosen, ProcedureStarted
from events.values import Terrain
from events.wording import counted
from projections.battle import Battle
from projections.history import Node
from projections.reducers import fold
from replay.ddmin import smallest
from replay.failures import STATE, Broken, Differs, Failure, told
from replay.invariants import INVARIANTS
from replay.known_dice import KnownDice
from replay.leaves import Leaves
from replay.prune import PLAINER, with_models, with_terrain, with_units
from replay.report_file import BugReport
from replay.reproduce import Executed, Progress, execute, state_difference, watched
from replay.trial import Target, Trial, comparable, still_fails

Tell = Callable[[str, int], None]
"""``tell(what, trials)``: what is being shrunk and how many trials it took so far."""


class Start(NamedTuple):
    """A battle that a game stood in where a procedure began, and what came after."""

    battle: Battle
    choices: list[Chosen]
    recorded: list[Event]
    """What was recorded from there to the end of the failing step."""


@dataclass
class Shrunk:
    """The least that still fails."""

    failure: Failure
    battle: Battle
    choices: list[Chosen]
    events: list[Event]
    """What happened, up to the failure."""
    recorded: list[Event]
    """What was recorded instead, where the failure is a difference."""
    state: Leaves
    """And the recorded leaves at its end."""
    listing: bool
    """Whether it fails when the choices on offer are listed, after those that were played."""
    steps: int
    """Rows of the report up to the failure."""
    trials: int = 0
    was: tuple[int, int] = (0, 0)
    """Units and models on the table in the battle it started from."""

    @property
    def words(self) -> str:
        """What is left, in one line."""
        units = len(self.battle.units)
        models = sum(len(unit.models) for unit in self.battle.units)
        return (
            f"{counted(self.steps, 'step')} shrunk to {counted(len(self.choices), 'choice')},"
            f" {counted(self.was[0], 'unit')} to {units}, {counted(self.was[1], 'model')}"
            f" to {models}, in {counted(self.trials, 'trial')}"
        )


def minimise(
    report: BugReport, tell: Tell | None = None, progress: Progress | None = None
) -> Shrunk:
    """Shrink a report's game to the least that fails the same way here.

    `progress` is called while the game is executed, `tell` while it is shrunk. Raises
    WarledgerError where nothing fails here, or not in a way that choices lead to. Costs one
    execution of the game and some hundred trials of a few steps each.
    """
    expected = report.ending.failure
    done = execute(report, watched(expected) or tuple(INVARIANTS), progress)
    if done.failure is None:
        raise WarledgerError(
            "minimise", f"nothing fails here: {counted(done.row, 'step')} as recorded"
        )
    shrinker = _Shrinker(_dice(report, done), done, tell)
    if isinstance(done.failure, Differs):
        shrinker.needed = _needed(report, done)
    return shrinker.shrink()


def _needed(report: BugReport, done: Executed) -> frozenset[str]:
    """Return the words of the recorded event that isn't met, and of the choice after its step.

    The units among them stay as they are: that it can't be met without them shows nothing.
    """
    assert isinstance(done.failure, Differs)
    events = done.recorded[done.failure.index : done.failure.index + 1]
    if done.row < len(report.rows):
        events += decode_events(bytes(report.rows[done.row].events))[:1]
    text = b" ".join(map(encode_event, events)).decode()
    return frozenset(re.findall(r"[a-z0-9-]+", text))


def _dice(report: BugReport, done: Executed) -> KnownDice:
    """Return the dice that fell on the way to the failure, and the game's own after them."""
    before, play = done.before, done.play
    seed = before.seed if before is not None and report.header.dice == "seeded" else ""
    fresh = play.battle.settings.dice_after_undo == "fresh" if before is not None else False
    dice = KnownDice(seed, play.history.salt if fresh else 0)
    last: Battle | None = None
    for node in play.history.path(before) if before is not None else ():
        dice.learn(last, node.events)
        last = node.battle
    with suppress(Exception):  # a reducer may be what is at fault
        dice.learn(last, done.recorded or done.made)
    return dice


class _Shrinker:
    def __init__(self, dice: KnownDice, done: Executed, tell: Tell | None) -> None:
        assert done.failure is not None
        failure = done.failure
        if isinstance(failure, Differs) and failure.event == STATE:
            failure = state_difference(done.state, done.play.battle, gone_too=False)
        self._done = done
        self._dice = dice
        self._tell = tell or (lambda what, trials: None)
        self._target = Target(failure, state=done.state, listing=done.listing)
        self._trials = 0
        self.needed: frozenset[str] = frozenset()
        """Units that must stay, other words among them."""

    def shrink(self) -> Shrunk:
        start, trial = self._find_start()
        self._battle, self._trial = start.battle, trial
        was = len(start.battle.units), sum(len(unit.models) for unit in start.battle.units)
        self._choices()
        self._units()
        self._models()
        if not isinstance(self._target.failure, Differs):
            self._plainer()
        self._choices()
        failure, found = self._target.failure, self._trial.failure
        if isinstance(failure, Differs) and isinstance(found, Differs):
            # What differs only for want of what was left out is not named.
            failure = replace(failure, index=found.index)
        elif found is not None:
            failure = found
        return Shrunk(
            failure,
            self._battle,
            self._trial.played,
            self._trial.events,
            start.recorded,
            self._done.state,
            self._done.listing,
            self._done.row,
            self._trials,
            was,
        )

    def _find_start(self) -> tuple[Start, Trial]:
        """Return the latest start found that fails: from a sound battle, or else from any."""
        failure = self._target.failure
        own = (failure.invariant,) if isinstance(failure, Broken) else ()
        for sound in (self._target.sound, own):
            self._target.sound = sound
            found = self._go_back()
            if found is not None:
                return found
        raise WarledgerError(
            "minimise",
            f"{told(failure)} is not met again from a given battle; it depends on more than the"
            " choices",
        )

    def _go_back(self) -> tuple[Start, Trial] | None:
        """Try starts further and further back: one by one at first, then in doubled steps."""
        starts = [*_inside(self._done, self._target.failure), *_before(self._done)]
        at, step = 0, 1
        while starts:
            start = starts[min(at, len(starts) - 1)]()
            choices = counted(len(start.choices), "choice")
            self._tell(f"from {choices} before the failure", self._trials)
            self._target.expected = comparable(start.recorded)
            trial = self._fails(start.battle, start.choices)
            if trial is not None:
                return start, trial
            if at >= len(starts) - 1:
                break
            at, step = at + step, step * 2 if at > 3 else 1
        return None

    def _fails(self, battle: Battle, choices: Sequence[Chosen]) -> Trial | None:
        self._trials += 1
        return still_fails(battle, choices, self._dice, self._target)

    def _take(self, battle: Battle, choices: Sequence[Chosen]) -> bool:
        """Go on from this battle and these choices if they still fail."""
        trial = self._fails(battle, choices)
        if trial is None:
            return False
        self._battle, self._trial = battle, trial
        return True

    def _choices(self) -> None:
        def enough(choices: list[Chosen]) -> list[Chosen] | None:
            self._tell(counted(len(self._trial.played), "choice"), self._trials)
            return self._trial.played if self._take(self._battle, choices) else None

        smallest(self._trial.played, enough)

    def _units(self) -> None:
        def enough(units: list[str]) -> list[str] | None:
            self._tell(counted(len(self._battle.units), "unit"), self._trials)
            kept = self._with_needed(units)
            battle = with_units(self._battle, kept)
            if battle is None or not self._take(battle, self._trial.played):
                return None
            return kept

        smallest([unit.id for unit in self._battle.units], enough)

    def _with_needed(self, units: list[str]) -> list[str]:
        """Return the units and those that must stay; of a side without any, its first."""
        every = self._battle.units
        kept = [u for u in every if u.id in units or u.id in self.needed]
        if self.needed:
            for unit in every:
                if all(other.side != unit.side for other in kept):
                    kept.append(unit)
        return [unit.id for unit in every if unit in kept]

    def _models(self) -> None:
        for unit in self._battle.units:
            if unit.id in self.needed:
                continue

            def enough(numbers: list[int], name: str = unit.id) -> list[int] | None:
                models = sum(len(unit.models) for unit in self._battle.units)
                self._tell(counted(models, "model"), self._trials)
                if not numbers and self.needed:
                    return None
                battle = with_models(self._battle, name, numbers)
                return numbers if self._take(battle, self._trial.played) else None

            smallest([model.n for model in unit.models], enough)

    def _plainer(self) -> None:
        """Leave out what else a battle has: terrain, records, zones, score.

        Not where the failure is a difference: what was recorded may hang on all of it.
        """

        def enough(pieces: list[Terrain]) -> list[Terrain] | None:
            battle = with_terrain(self._battle, pieces)
            return pieces if self._take(battle, self._trial.played) else None

        smallest(self._battle.table.terrain, enough)
        for plainer in PLAINER:
            battle = plainer(self._battle)
            if battle != self._battle:
                self._take(battle, self._trial.played)


def _inside(done: Executed, failure: Failure) -> Iterator[Callable[[], Start]]:
    """Yield the starts inside the failing step, the latest first: there nothing is chosen after."""
    last = len(done.made)
    if isinstance(failure, Differs):
        # Where only the battle differs, nobody knows after which of the events it began to.
        last = 0 if failure.event == STATE else failure.index
    battle = done.before.battle if done.before is not None else None
    found: list[Callable[[], Start]] = []
    with suppress(Exception):  # a reducer may be what is at fault
        for at, event in enumerate(done.made[:last]):
            if isinstance(event, ProcedureStarted) and battle is not None:
                found.append(partial(Start, battle, [], done.recorded[at:]))
            battle = fold(battle, (event,))
    yield from reversed(found)


def _before(done: Executed) -> Iterator[Callable[[], Start]]:
    """Yield the starts before the failing step, the latest first; the game's own comes last."""
    node = done.before
    while node is not None:
        if node.began is not None:
            yield partial(_since, done, node)
        if node.parent is None:
            yield partial(_whole, done, node)
        node = node.parent


def _since(done: Executed, node: Node) -> Start:
    """Return the start where the procedure open after `node` began."""
    assert node.began is not None
    choices, recorded = _after(done, node)
    return Start(node.began, choices, node.events[node.began_at - 1 :] + recorded)


def _whole(done: Executed, root: Node) -> Start:
    """Return the start of the game: everyone mustered, nothing done."""
    choices, recorded = _after(done, root)
    inputs = leading(root.events)
    return Start(fold(None, inputs), choices, root.events[len(inputs) :] + recorded)


def _after(done: Executed, node: Node) -> tuple[list[Chosen], list[Event]]:
    """Return what was chosen and all that happened from a node to the end of the failing step."""
    events: list[Event] = []
    at = done.before
    nodes: list[Node] = []
    while at is not None and at is not node:
        nodes.append(at)
        at = at.parent
    for later in reversed(nodes):
        events += later.events
    events += done.recorded
    choices = [e for e in events if isinstance(e, Chosen) and not about_dice(e)]
    if isinstance(done.event, Chosen) and not isinstance(next(iter(done.recorded), None), Chosen):
        choices.append(done.event)  # an attempt that failed before anything was recorded
    return choices, events
