"""A forger who has our code and computes every chain anew is found by the rules. [P8, P12]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.sequence import RULES
from events.base import Event, Input, other
from events.codec import decode_event, decode_events, encode_event, join_events, tag_of
from events.game import ArmyMustered, Chosen, DiceRolled, GameCreated
from events.history import (
    RulesChanged,
)
from events.ledger import Ledger
from events.steps import Step
from projections.battle import STATE_SCHEMA, Battle
from projections.digest import digest
from projections.reducers import fold
from replay.verify import Report, Verdict, verify_steps
from tests.properties.kit import forged, new_game, play_on


@cache
def played() -> tuple[Step, ...]:
    """Return a whole game in which everything was tried."""
    with Ledger.memory() as ledger:
        play_on(new_game(ledger, "13", 3), Random(13))
        return tuple(ledger.read("g"))


def rewritten(steps: Sequence[Step], n: int, events: Sequence[Event]) -> list[Step]:
    """Return the steps with the events of step `n` replaced, and states and chains that fit."""
    made = list(steps)
    made[n - 1] = replace(steps[n - 1], events=join_events(map(encode_event, events)))
    battle: Battle | None = None
    for i, step in enumerate(made):
        try:
            battle = fold(battle, decode_events(step.events))
        except Exception:  # the forgery can't be folded; its later states stay as they were
            break
        made[i] = replace(step, state=digest(battle))
    return forged(made)


def check(steps: Sequence[Step]) -> Report:
    return verify_steps("g", steps, head=steps[-1].chain)


def events_of(step: Step) -> list[Event]:
    return decode_events(step.events)


WORDS = ("red", "blue", "assault", "movement", "combat", "shooting", "armour", "invulnerable")


def others(value: Any) -> Iterator[Any]:
    """Yield other values of the same type; not all are such as the field may have."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield from (word for word in (*WORDS, value + "x") if word != value)
    elif isinstance(value, tuple) and value:
        yield from ((*value[:-1], last) for last in others(value[-1]))
        yield value[:-1]
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from (replace(value, **{field: v}) for v in others(getattr(value, field)))


def forgery(event: Event, field: str) -> Event | None:
    """Return the event with another value in a field that can be read, or None."""
    for value in others(getattr(event, field)):
        changed = replace(event, **{field: value})
        try:
            decode_event(encode_event(changed))
        except msgspec.ValidationError:
            continue
        return changed
    return None


@cache
def forgeries() -> list[tuple[int, int, str, Event]]:
    """Return (step, index, field, event) for each kind of fact and field, where first met."""
    found: dict[tuple[str, str], tuple[int, int, str, Event]] = {}
    for step in played():
        for index, event in enumerate(events_of(step)):
            if isinstance(event, Input) and not isinstance(event, DiceRolled):
                continue
            for field in event.__struct_fields__:
                key = (tag_of(type(event)), field)
                changed = None if key in found else forgery(event, field)
                if changed is not None:
                    found[key] = (step.n, index, field, changed)
    return list(found.values())


def named(case: object) -> str:
    if isinstance(case, msgspec.Struct):
        return type(case).__name__
    return str(case)


@pytest.mark.parametrize(("n", "index", "field", "event"), forgeries(), ids=named)
def test_a_false_field_of_a_fact_is_named(n: int, index: int, field: str, event: Event) -> None:
    # given a whole stream whose chains hold, with one field of one fact changed
    events = events_of(played()[n - 1])
    events[index] = event
    report = check(rewritten(played(), n, events))
    # then step, event and field are named, and what stands before it holds
    assert report.verdict is Verdict.DIVERGED, report
    assert (report.step, report.event, report.steps) == (n, index, n - 1)
    assert report.event_type == tag_of(type(event))
    assert [d.field for d in report.differences] == [field]
    (difference,) = report.differences
    assert difference.recorded == repr(getattr(event, field)) != difference.executed
    assert field in report.reason


def test_the_forgeries_cover_every_kind_of_fact_of_the_game() -> None:
    facts = {
        tag_of(type(event))
        for step in played()
        for event in events_of(step)
        if event.__struct_fields__ and not isinstance(event, Input)
    }
    assert facts <= {tag_of(type(event)) for _, _, _, event in forgeries()}
    assert len(facts) > 25


def middle() -> int:
    """Return a step of several facts in the middle of the game."""
    return next(s.n for s in played()[20:] if len(events_of(s)) > 6)


def test_a_fact_left_out_put_in_or_moved_is_named() -> None:
    n = middle()
    events = events_of(played()[n - 1])
    for index in range(1, len(events)):
        out = check(rewritten(played(), n, events[:index] + events[index + 1 :]))
        twice = check(rewritten(played(), n, [*events[: index + 1], *events[index:]]))
        for report, at in ((out, index), (twice, index + 1)):
            assert (report.verdict, report.step) == (Verdict.DIVERGED, n)
            # equal neighbours can't be told apart: the difference shows where they end
            assert report.event >= at or events[index] == events[index - 1]
    swapped = [*events[:-2], events[-1], events[-2]]
    report = check(rewritten(played(), n, swapped))
    assert (report.step, report.event) == (n, len(events) - 2)


def test_facts_after_the_last_or_missing_at_the_end_say_so() -> None:
    n = middle()
    events = events_of(played()[n - 1])
    report = check(rewritten(played(), n, events[:-1]))
    assert "the rules go on with asked/1, the record does not" in report.reason
    report = check(rewritten(played(), n, [*events, events[-1]]))
    assert "asked/1 was recorded, the rules stop before it" in report.reason


def test_dice_nudged_by_one_are_found() -> None:
    # given the roll that matters, one higher, and everything that follows from it left as it was
    for step in played():
        events = events_of(step)
        for index, event in enumerate(events):
            if isinstance(event, DiceRolled) and event.purpose == "to hit" and event.faces[0] < 6:
                faces = (event.faces[0] + 1, *event.faces[1:])
                events[index] = replace(event, faces=faces)
                report = check(rewritten(played(), step.n, events))
                assert (report.step, report.event) == (step.n, index)
                assert report.differences[0].field == "faces"
                return
    raise AssertionError("nobody rolled to hit")


def test_other_armies_than_those_the_game_was_played_with_are_found() -> None:
    events = events_of(played()[0])
    mustered = events[1]
    assert isinstance(mustered, ArmyMustered)
    first = mustered.army.units[0]
    better = replace(first, weapons=tuple(replace(w, strength=9) for w in first.weapons))
    army = replace(mustered.army, units=(better, *mustered.army.units[1:]))
    events[1] = ArmyMustered("red", army)
    report = check(rewritten(played(), 1, events))
    assert report.verdict is Verdict.DIVERGED and report.step > 5


def test_a_false_choice_shows_in_what_follows_from_it() -> None:
    n = 2
    events = events_of(played()[n - 1])
    chosen = events[0]
    assert isinstance(chosen, Chosen)
    zone = "north" if chosen.choice.zone == "south" else "south"  # type: ignore[union-attr]
    events[0] = replace(chosen, choice=replace(chosen.choice, zone=zone))
    report = check(rewritten(played(), n, events))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, n)
    assert report.event_type == "zone_taken/1"


def test_a_choice_the_rules_refuse_names_the_rule() -> None:
    step = played()[4]
    events = events_of(step)
    assert isinstance(events[0], Chosen)
    events[0] = replace(events[0], by=other(events[0].by))
    report = check(rewritten(played(), 5, events))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, 5)
    assert report.reason.startswith("PLYR-3: ")


def test_a_state_that_does_not_follow_from_equal_events_is_found() -> None:
    steps = list(played())
    steps[9] = replace(steps[9], state="0" * 32)
    report = verify_steps("g", forged(steps))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, 10)
    assert "the state digest is not" in report.reason


def test_states_of_another_schema_are_not_compared_and_the_report_says_so() -> None:
    steps = [replace(s, state="0" * 32, schema=STATE_SCHEMA + 1) for s in played()]
    report = verify_steps("g", forged(steps))
    assert report.verdict is Verdict.EXACT
    assert f"{len(steps)} states of another schema were not compared" in report.reason


def test_a_whole_other_game_is_found_only_by_the_head_of_another_copy() -> None:
    # given two games that were both really played
    with Ledger.memory() as ledger:
        play_on(new_game(ledger, "13", 3), Random(14))
        forgery = ledger.read("g")
    assert verify_steps("g", forgery).verdict is Verdict.EXACT
    report = verify_steps("g", forgery, head=played()[-1].chain)
    assert (report.verdict, report.step) == (Verdict.DIVERGED, len(forgery))
    assert report.reason.startswith("head: ")


# Other rules


def under(rules: int, n: int = 0, events: Sequence[Event] = ()) -> list[Step]:
    """Return the game as another rules number would have recorded it, step `n` changed."""
    first = events_of(played()[0])
    assert isinstance(first[0], GameCreated)
    steps = rewritten(played(), 1, [replace(first[0], rules=rules), *first[1:]])
    return rewritten(steps, n, events) if n else steps


def test_other_rules_that_led_elsewhere_are_unverified_with_both_numbers() -> None:
    n = middle()
    events = events_of(played()[n - 1])
    del events[-2]
    report = check(under(RULES + 6, n, events))
    assert report.verdict is Verdict.UNVERIFIED
    assert (report.rules_recorded, report.rules_now) == (RULES + 6, RULES)
    assert (report.step, report.steps) == (n, n - 1) and report.event > 0
    assert f"recorded under rules {RULES + 6}, executed under rules {RULES}" in report.reason


def test_other_rules_that_led_to_the_same_are_exact() -> None:
    report = check(under(RULES + 6))
    assert report.verdict is Verdict.EXACT and report.rules_recorded == RULES + 6


def test_a_broken_chain_is_not_excused_by_other_rules() -> None:
    n = middle()
    events = events_of(played()[n - 1])
    steps = under(RULES + 6, n, events[:-1])
    last = steps[-1]
    report = verify_steps("g", [*steps[:-1], replace(last, seal="0" * 20)])
    assert (report.verdict, report.step) == (Verdict.DIVERGED, last.n)


def test_play_that_went_on_under_our_rules_is_judged_by_them() -> None:
    # given a game begun under other rules, gone on with under ours, and a false fact after that
    steps = under(RULES + 6)
    mark = replace(steps[3], events=join_events([encode_event(RulesChanged(RULES + 6, RULES))]))
    whole = [*steps[:4], mark, *steps[4:]]
    renumbered = forged(replace(step, n=i) for i, step in enumerate(whole, 1))
    assert check(renumbered).verdict is Verdict.EXACT
    n = middle() + 1
    events = events_of(renumbered[n - 1])
    made = [*renumbered]
    made[n - 1] = replace(made[n - 1], events=join_events(map(encode_event, events[:-1])))
    assert check(forged(made)).verdict is Verdict.DIVERGED


@pytest.mark.parametrize(
    "change", [{"ruleset": "chess"}, {"algorithm": "coin/1"}], ids=["ruleset", "dice"]
)
def test_a_ruleset_or_dice_that_we_do_not_have_leave_it_unverified(change: dict[str, str]) -> None:
    first = events_of(played()[0])
    steps = rewritten(played(), 1, [replace(first[0], **change), *first[1:]])
    report = check(steps)
    assert (report.verdict, report.step, report.events) == (Verdict.UNVERIFIED, 1, 0)
    assert next(iter(change.values())) in report.reason
