"""What players of other engines met after a change: of facts, of state, of rules, of version.

One property each; the numbers are those of COMPLAINTS.md. [P1, P5, P11, P12]
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game import Game
from engine.rules import to_wound
from engine.sequence import RULES
from events.base import Event, Mark
from events.choices import AnswerRuling, ProposeRuling
from events.codec import decode_events, encode_event, join_events, tag_of
from events.errors import Divergence, LedgerError
from events.game import DiceRolled
from events.history import RulesChanged
from events.ledger import Ledger
from events.questions import WhoMoves
from events.rulings import RulingMade, RulingRefused, ScoreRuling, WoundsRuling
from events.steps import Step, decode_row
from projections.battle import STATE_SCHEMA, Score
from projections.digest import digest
from projections.queries import units_on_table
from projections.reducers import fold
from replay.exchange import Admission, admit, look, pack, unpack
from replay.verify import Report, Verdict, verify, verify_steps
from tests.golden.regenerate import rows_of as golden_rows
from tests.properties.games import RELEASES, by_hand, every_kind, go_back, id_of, opened, rows
from tests.properties.kit import (
    agreements,
    forged,
    line_of,
    new_game,
    play_on,
    step_on,
    whole_games,
)

SEEDS = st.integers(0, 10**6)


def with_false_fact(kind: str, random: Random) -> tuple[list[Step], int, int, str, Event, Event]:
    """Return a game's rows with one number of one fact raised by one, all chains computed anew.

    And the step, the index of the event in it, the field, the fact before and after.
    """
    while True:
        at = random.randrange(1, len(rows(kind)))
        events = decode_events(rows(kind)[at].events)
        index = random.randrange(len(events))
        fact = events[index]
        numbers = [f for f in fact.__struct_fields__ if type(getattr(fact, f)) is int]
        if index and numbers and not isinstance(fact, Mark):
            break
    field = random.choice(numbers)
    false = replace(fact, **{field: getattr(fact, field) + 1})
    encoded = join_events(encode_event(false if e is fact else e) for e in events)
    steps = [*rows(kind)]
    steps[at] = replace(steps[at], events=encoded)
    return forged(steps, id_of(kind)), at + 1, index, field, fact, false


def not_ours(report: Report) -> bool:
    """Whether the step that differs was written under other rules, which excuses it."""
    return report.rules_recorded != RULES and report.verdict is Verdict.UNVERIFIED


@every_kind
def test_verify_names_the_first_divergent_event_with_its_fields_as_recorded_and_as_executed(
    kind: str,
) -> None:
    """33. To find what went out of sync, one had to run the replay again by hand. OpenRA #21638

    Given any game with one number of one fact falsified and all chains computed anew, when it is
    verified, then step, event and field are named, with both values.
    """
    random = Random(33)
    for _ in range(4):
        steps, n, index, field, fact, false = with_false_fact(kind, random)
        report = verify_steps(id_of(kind), steps)
        assert report.verdict is Verdict.DIVERGED or not_ours(report)
        assert (report.step, report.event, report.event_type) == (n, index, tag_of(type(fact)))
        (difference,) = report.differences
        assert difference.field == field and field in report.reason
        assert difference.recorded == repr(getattr(false, field))
        assert difference.executed == repr(getattr(fact, field))


@every_kind
def test_verify_names_both_hashes_where_a_state_or_a_chain_is_not_the_recorded_one(
    kind: str,
) -> None:
    """33. The same where no fact differs, only the state or the chain of a row.

    Given a game with another state digest, chains computed anew, or with another chain digest,
    when it is verified, then that row is named with the digest recorded and the one that follows.
    """
    name = id_of(kind)
    at = len(rows(kind)) // 2
    right, wrong = rows(kind)[at].state, "0d" * 16
    steps = [*rows(kind)]
    steps[at] = replace(steps[at], state=wrong)
    broken = verify_steps(name, steps)
    assert (broken.verdict, broken.step) == (Verdict.DIVERGED, at + 1)
    assert rows(kind)[at].chain in broken.reason
    report = verify_steps(name, forged(steps, name))
    assert report.step == at + 1 and (report.verdict is Verdict.DIVERGED or not_ours(report))
    assert right in report.reason and wrong in report.reason


@every_kind
def test_after_a_divergence_nothing_later_is_shown_as_fact(kind: str) -> None:
    """34. The replay went on after it had gone out of sync. OpenRA PR #20670

    Given a game with a false fact, when it is verified, then only rows before it are counted and
    gone through; the file is refused; and what it may be looked at ends before that row.
    """
    name = id_of(kind)
    steps, n, *_ = with_false_fact(kind, Random(34))
    seen: list[int] = []
    report = verify_steps(name, steps, progress=lambda done, of: seen.append(done))
    assert report.steps == n - 1 and seen == list(range(1, n))
    assert report.events == sum(len(decode_events(step.events)) for step in steps[: n - 1])
    parcel = unpack(pack(name, steps), "file")
    with Ledger.memory() as ledger, Ledger.memory() as apart:
        found, admission, *_rest = admit(ledger, parcel)
        assert admission is Admission.REFUSED and ledger.games() == {}
        if found.verdict is Verdict.DIVERGED:
            shown = look(apart, parcel, found)
            assert shown.version == n - 1
            assert (shown.step, shown.battle) == [*by_hand(rows(kind)[: n - 1])][-1]


@whole_games
@given(SEEDS, agreements, st.sampled_from(["accept", "refuse", "roll"]), st.integers(0, 12))
def test_a_correction_is_an_event_flagged_as_such_and_nothing_else_changes_state(
    seed: int, agreed: Any, answer: Any, more: int
) -> None:
    """37. Changes made by hand were not recorded, so exports went out of sync. phase-rs PR #4633

    Given a game, when the players correct the score and a model's wounds, then each correction is
    a fact of its own kind that says who proposed it; the file replays it; no attribute can be set.
    """
    with Ledger.memory() as ledger, Ledger.memory() as elsewhere:
        game, random = new_game(ledger, str(seed), **agreed), Random(seed)
        while not isinstance(game.pending, WhoMoves):
            step_on(random, game)
        unit = next(iter(units_on_table(game.battle)))
        model = f"{unit.id}.{unit.models[0].n}"
        for ruling in (ScoreRuling("red", 7), WoundsRuling(model, 1)):
            before = game.battle
            game.play(ProposeRuling(ruling))
            node = game.play(AnswerRuling(answer))
            (fact,) = [e for e in node.events if isinstance(e, RulingMade | RulingRefused)]
            assert fact.ruling == ruling and fact.by in ("red", "blue")
            if isinstance(fact, RulingRefused):
                assert (game.battle.units, game.battle.score) == (before.units, before.score)
            else:
                assert (game.battle.units, game.battle.score) != (before.units, before.score)
            assert fact.rolled == (answer == "roll")
        assert answer != "accept" or game.battle.score == Score(7, 0)
        for name in ("battle", "history", "pending", "step", "version", "chain"):
            with pytest.raises(AttributeError):
                setattr(game, name, None)
        play_on(game, random, more)
        assert fold(None, (event for _, event in game.history.facts())) == game.battle
        report, admission, *_ = admit(elsewhere, unpack(pack("g", ledger.read("g")), "file"))
        assert (report.verdict, admission) == (Verdict.EXACT, Admission.ADOPTED)
        assert Game.open(elsewhere, "g").battle == game.battle


@whole_games
@given(SEEDS, agreements, st.integers(3, 40))
def test_a_state_changed_behind_the_stream_is_found_at_the_first_row_after_it(
    seed: int, agreed: Any, steps: int
) -> None:
    """37. The same by a debugger: what goes around events doesn't go unseen.

    Given a live game whose battle was exchanged in memory, when the next row is stored, then the
    stream doesn't verify, and that row is named.
    """
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, str(seed), **agreed), Random(seed), steps)
        game.history.head.battle = replace(game.battle, score=Score(9, 9))
        game.note("hm", by="red")
        report = verify(ledger, "g")
        assert (report.verdict, report.step) == (Verdict.DIVERGED, game.version)
        assert report.steps == game.version - 1


def wounded_easily(strength: int, toughness: int) -> int | None:
    """The chart by newer rules: a 6 always wounds, and Toughness counts for two less."""
    return 6 if strength < 1 else min(6, max(2, 2 + toughness - strength))


@every_kind
def test_a_rules_fix_leaves_every_game_in_progress_as_it_was(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """43. A rules fix broke games in progress. 18xx #5299, #9886, #8172

    Given a stored game and newer rules that wound otherwise, when it is opened, then every state
    is the recorded one; `verify` names both numbers and never says that it was tampered with; play
    goes on under a mark that says so, and no earlier row is touched.
    """
    for module in ("engine.game", "engine.play", "replay.verify", "replay.exchange"):
        monkeypatch.setattr(f"{module}.RULES", RULES + 1)
    monkeypatch.setattr(to_wound.wound_needed, "__code__", wounded_easily.__code__)
    name = id_of(kind)
    with opened(kind) as (ledger, game):
        stored = {step.n: step.state for step in rows(kind)}
        assert all(digest(node.battle) == stored[n] for n, node in game.history.nodes.items())
        report = verify(ledger, name)
        assert report.verdict is not Verdict.DIVERGED
        assert report.verdict is Verdict.UNVERIFIED or "bots" not in kind
        if report.verdict is Verdict.UNVERIFIED:
            assert report.step and report.differences
            for number in (report.rules_recorded, RULES + 1):
                assert f"rules {number}" in report.reason
        go_back(game, line_of(game)[-4].step)
        before = game.version
        try:
            step_on(Random(43), game)
        except Divergence:  # the open action leads elsewhere by the newer rules
            assert game.version == before
            game.go_on()
            step_on(Random(43), game)
        (mark,) = decode_events(ledger.read(name, before)[0].events)
        assert mark == RulesChanged(game.created.rules, RULES + 1) or "under-other" in kind
        assert tuple(ledger.read(name)[: len(rows(kind))]) == rows(kind)
        assert verify(ledger, name).verdict is not Verdict.DIVERGED
    monkeypatch.undo()
    assert verify_steps(name, rows(kind)).verdict is Verdict.EXACT


RELEASED = [path for folder in RELEASES for path in sorted(folder.glob("*.jsonl"))]


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_a_game_of_every_released_version_loads_verifies_and_is_played_on(path: Path) -> None:
    """44. Saves of another version couldn't be read. megamek #6355, #3184, triplea #12721

    Given a game that a released version stored, when it is taken in as a file, then it is opened,
    executed and played on here.
    """
    steps = [decode_row(n, row) for n, row in enumerate(golden_rows(path), 1)]
    whole = [step for step in steps if isinstance(step, Step)]
    assert len(whole) == len(steps)
    with Ledger.memory() as ledger:
        report, admission, *_ = admit(ledger, unpack(pack(path.stem, whole), "file"))
        assert (report.verdict, admission) == (Verdict.EXACT, Admission.ADOPTED), report
        game = Game.open(ledger, path.stem, now=lambda: 0)
        go_back(game)
        play_on(game, Random(44), 2)
        assert verify(ledger, path.stem).verdict is Verdict.EXACT


def later_tag(events: bytes) -> bytes:
    return events.replace(b'"type":"', b'"type":"later_', 1)


@every_kind
@pytest.mark.parametrize("what", ["creation", "a step"])
def test_a_save_of_a_later_version_is_refused_naming_both(kind: str, what: str) -> None:
    """44. The other way about: a save that is newer than the engine.

    Given a game with a row of a state schema and events that don't exist yet, when it is opened
    from a ledger or a file, then one typed error names the row and both versions.
    """
    name = id_of(kind)
    at = 0 if what == "creation" else len(rows(kind)) // 2
    steps = [*rows(kind)]
    steps[at] = replace(steps[at], schema=99, events=later_tag(steps[at].events))
    steps = forged(steps, name)
    with Ledger.memory() as ledger:
        ledger.adopt(name, steps)
        with pytest.raises(LedgerError) as refused:
            Game.open(ledger, name)
        assert refused.value.where == f"{name} step {at + 1}"
        assert "state schema 99" in refused.value.reason
        assert f"state schema {STATE_SCHEMA}" in refused.value.reason
    # verify can't judge it, and doesn't call it tampered with
    report = verify_steps(name, steps)
    assert (report.verdict, report.step) == (Verdict.UNVERIFIED, at + 1)
    assert "state schema 99" in report.reason
    # but under our own schema, events that nobody wrote are a divergence
    steps[at] = replace(steps[at], schema=STATE_SCHEMA)
    report = verify_steps(name, forged(steps, name))
    assert report.step == at + 1 and (report.verdict is Verdict.DIVERGED or not_ours(report))
    # and a file says it in its header
    for later in ({"events": ["later/1"]}, {"schema": 99}, {"warledger": 99}):
        with pytest.raises(LedgerError, match=r"engine 9\.9\.9 wrote .*; this is engine 0\."):
            unpack(with_header(name, rows(kind), engine="9.9.9", **later), "file")


def with_header(name: str, steps: Sequence[Step], **change: object) -> bytes:
    """Return an exported file with another header."""
    header, *lines = gzip.decompress(pack(name, steps)).split(b"\n")
    changed = msgspec.json.encode({**msgspec.json.decode(header), **change})
    return gzip.compress(b"\n".join([changed, *lines]))


def test_the_false_facts_include_dice() -> None:
    """33, 34. Given enough tries, then dice are among what was falsified, and other facts too."""
    random = Random(0)
    kinds = {type(with_false_fact("people 40k-7e broken", random)[4]) for _ in range(40)}
    assert DiceRolled in kinds and len(kinds) > 5
