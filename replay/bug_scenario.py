"""What is left of a minimised bug report, as a scenario file that fails until the bug is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.notation import to_inches
from engine.scenarios import Result, Scenario, Verdict, parse, run, write_scenario
from engine.scenarios.documents import LENGTHS
from engine.scenarios.expect import BATTLE
from events.base import Event
from events.game import Asked, Chosen, DiceRolled
from projections.reducers import fold
from replay.failures import STATE, Broken, Differs, Failure, raised, same, told
from replay.invariants import INVARIANTS, Moment, broken
from replay.minimise import Shrunk
from replay.report_file import Header
from replay.trial import comparable


def scenario_of(shrunk: Shrunk, header: Header) -> str:
    """Return the scenario file, with a head that says what fails and where it came from.

    Once the bug is gone the play may go on and ask for dice that nobody knows yet.
    """
    failure = shrunk.failure
    lines = [
        f"fails: {told(failure)}",
        f"from: game {header.game}, {shrunk.words}",
        f"met by: {header.versions}",
    ]
    if header.note:
        lines.append(f"note: {header.note}")
    head = "".join(f"# {line}\n" for text in lines for line in text.splitlines())
    name = f"bug at step {shrunk.steps} of {header.game}"
    text = write_scenario(shrunk.battle, list(_events(shrunk)), name)
    if shrunk.listing:  # ``auto`` is the first choice on offer: it takes a list
        play = "" if shrunk.choices else "play:\n"
        before, key, after = text.partition("dice:" if "\ndice:" in text else "expect:")
        text = f"{before}{play}  - auto\n{key}{after}"
    if isinstance(failure, Broken):
        text = text[: text.index("\nexpect:\n") + 1]  # what came of it is not to be expected
    if isinstance(failure, Differs) and failure.event != failure.executed:
        text = _by_name(text, failure.event.partition("/")[0])
    if isinstance(failure, Differs) and failure.event == STATE:
        text += f"  battle: {json.dumps(_expected(shrunk))}\n"
    return head + text


def _by_name(text: str, fact: str) -> str:
    """Expect the last fact by its name alone: that it happens is all that is known of it."""
    before, line, rest = text.rpartition(f"    - {fact}: ")
    return f"{before}    - {fact}\n" if line and rest.count("\n") == 1 else text


def shows(text: str, failure: Failure) -> bool:
    """Run a scenario file's text: does it fail in this way?"""
    result = run_checked(parse(text))
    if result.error is not None and same(raised(result.error), failure):
        return True
    if isinstance(failure, Broken):
        return failure.invariant in result.difference
    return result.verdict is Verdict.FAILED and type(failure).__name__ != "Raised"


def run_checked(scenario: Scenario) -> Result:
    """Run a scenario and check every invariant after each of its steps.

    One that is broken is the verdict FAILED, unless what was given breaks it already. Otherwise
    as `engine.scenarios.run`.
    """
    result = run(scenario)
    if result.error is None:
        fault = _first_broken(scenario, result)
        if fault is not None:
            result.verdict = Verdict.FAILED
            result.difference = f"{scenario.path}: {told(fault)}"
    return result


def _first_broken(scenario: Scenario, result: Result) -> Broken | None:
    before = scenario.battle
    given = [name for name in INVARIANTS if broken(Moment(None, (), before), (name,)) is not None]
    watched = [name for name in INVARIANTS if name not in given]
    step: list[Event] = []
    for event in result.events:
        step.append(event)
        if isinstance(event, Asked) or event is result.events[-1]:
            after = fold(before, step)
            fault = broken(Moment(before, step, after), watched)
            if fault is not None:
                return fault
            before, step = after, []
    return None


def _events(shrunk: Shrunk) -> Iterator[Event]:
    """Yield what the scenario plays and expects: what was recorded, to where it differs."""
    failure = shrunk.failure
    if not isinstance(failure, Differs):
        yield from shrunk.events
        return
    left = failure.index + 1 if failure.index >= 0 else len(shrunk.recorded)
    choices = iter(shrunk.choices)
    here = ("", *(unit.id for unit in shrunk.battle.units))  # who will roll once it is mended
    for event in shrunk.recorded:
        if isinstance(event, Chosen):
            yield next(choices, event)  # without the models that were pruned
        elif left > 0 or (isinstance(event, DiceRolled) and event.subject in here):
            yield event
        left -= len(comparable([event]))


def _expected(shrunk: Shrunk) -> dict[str, Any]:
    """Return the recorded leaves that differ, in the form of ``expect: battle:``."""
    failure = shrunk.failure
    assert isinstance(failure, Differs)
    expected: dict[str, Any] = {}
    for path in (difference.field for difference in failure.fields):
        value = shrunk.state.get(path)
        words = path.split(".")
        if words[-1] in LENGTHS and isinstance(value, int):
            value = to_inches(value)
        if words[0] == "turn":
            del words[0]  # ``turn.units.boyz.ran`` is ``units: {boyz: {ran: ...}}``
        elif words[0] == "units" and words[2] == "models":
            words[2:] = [words[4], words[3]]
        if words[0] not in BATTLE:
            continue
        at = expected
        for word in words[:-1]:
            at = at.setdefault(word, {})
        at[words[-1]] = value
    return expected
