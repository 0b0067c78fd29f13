"""What players of other engines missed in replays and seeking: one property each. [P5, P9, P12]

The numbers are those of COMPLAINTS.md; the threads named are where it was reported. Costs are
counted in reducer calls, so that they are the same on every machine.
"""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine.game import Game
from events.base import Event, Mark
from events.codec import decode_events
from events.game import Chosen, GameCreated, ScenarioGiven
from events.history import ForkedFrom, SeedChanged
from events.ledger import Ledger
from events.steps import Step, encode_row
from projections.battle import STATE_SCHEMA, Battle
from projections.digest import digest
from projections.history import Node
from projections.reducers import fold
from replay.bugreport import report
from replay.exchange import admit, export, pack, read, unpack
from replay.fork import ancestry, fork
from replay.timeline import Timeline
from replay.verify import Verdict, verify
from tests.properties.games import (
    KINDS,
    answer_again,
    counted_reducers,
    dice_in,
    endless,
    every_kind,
    id_of,
    opened,
    rows,
)
from tests.properties.kit import clock, new_game, play_on, step_on

ROOT = Path(__file__).parents[2]


def folds(path: list[Node]) -> list[Battle]:
    """Fold a line of play from its first event, keeping the battle at each step."""
    found: list[Battle] = []
    for node in path:
        found.append(fold(found[-1] if found else None, node.events))
    return found


def facts_in(steps: tuple[Step, ...] | list[Step]) -> int:
    """Count the events that a reducer has to take up: all but marks and the creation."""
    events = [event for step in steps for event in decode_events(step.events)]
    return sum(not isinstance(event, Mark | GameCreated) for event in events)


def after_creation(calls: list[type[Event]]) -> int:
    """Count the calls, that for the creation left out."""
    return sum(kind is not GameCreated for kind in calls)


@every_kind
def test_seek_is_the_fold_of_the_first_k_forward_and_back_at_no_reducer_call(kind: str) -> None:
    """17. There was no rewind in replays. OpenRA #18269, #18121

    Given an open game, when any step is sought in any order, then its battle is the fold of the
    first k steps, and no reducer was called for it.
    """
    with opened(kind) as (_, game):
        path = game.history.path()
        folded, line = folds(path), Timeline(game.history)
        random = Random(17)
        with counted_reducers() as calls:
            for _ in range(60):
                k = random.randrange(len(path))
                assert line.seek(path[k].step) == game.at(path[k].step) == folded[k]
                line.back(random.randrange(9))
                line.forward(random.randrange(9))
            assert calls == []


def test_seeking_and_playing_on_cost_the_same_at_any_length() -> None:
    """17. The same, in a game of 3,000 steps.

    Given a long game, when it is taken back to any step and played on there, then reducers are
    called for the events of that step alone, be it the tenth or the last but one.
    """
    with endless() as toy, Ledger.memory() as ledger:
        game = toy.new_toy(ledger)
        script = list(toy.script(3000))
        for choice in script:
            game.play(choice)
        line = game.history.path()
        assert len(line) == 3001
        for k in (10, 2990, 1500, 3, 2999):
            with counted_reducers() as calls:
                game.take_branch(line[k].step)
                assert calls == []
                again = game.play(script[k])
            assert again.battle == line[k + 1].battle
            assert len(calls) <= 2 * len(again.events)


@pytest.mark.parametrize("kind", ["bots 40k-7e broken", "people 40k-6e open", "dice from the hand"])
def test_a_replay_twice_interleaved_with_another_game_gives_the_same_hashes(kind: str) -> None:
    """18. Restarting or viewing a replay twice went out of sync. OpenRA #13312, widelands #6094

    Given a stored game, when it is executed twice in one process, with a step of another game
    played, undone and verified between any two of its own, then it is EXACT both times.
    """
    with opened(kind) as (ledger, game), Ledger.memory() as elsewhere:
        games, random = 0, Random(18)
        beside = new_game(elsewhere, "beside", 3, ruleset="40k-6e")

        def other_things(done: int, of: int) -> None:
            nonlocal beside, games
            if beside.battle.outcome is not None:
                assert verify(elsewhere, beside.id).verdict is Verdict.EXACT
                games += 1
                beside = new_game(elsewhere, "beside", 3, game=f"beside {games}")
            step_on(random, beside)
            if done % 10 == 0:
                beside.undo()
                beside = Game.open(elsewhere, beside.id, now=lambda: 0)

        for _ in range(2):
            found = verify(ledger, game.id, head=game.chain, progress=other_things)
            assert found.verdict is Verdict.EXACT, found
        assert verify(elsewhere, beside.id).verdict is Verdict.EXACT


@contextmanager
def no_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every look at a clock fail."""

    def looked(*given: object) -> Any:
        raise AssertionError("a clock was read")

    class NoDate(datetime.datetime):
        now = utcnow = today = looked

    with monkeypatch.context() as patch:
        for name in ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter"):
            patch.setattr(time, name, looked)
        patch.setattr(datetime, "datetime", NoDate)
        yield


@every_kind
def test_the_hash_at_k_is_the_same_stepping_one_seven_or_all_and_no_clock_is_read(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """19. Whether a replay went out of sync depended on the speed of playback. widelands #3085

    Given a game, when its events are folded one by one, seven at a time and all at once, and its
    line is stepped along in ones, sevens and one leap, then every hash is the recorded one.
    """
    with opened(kind) as (ledger, game), no_clock(monkeypatch):
        path = game.history.path()
        events = [event for node in path for event in node.events]
        for at_once in (1, 7, len(events)):
            battle = None
            for k in range(0, len(events), at_once):
                battle = fold(battle, events[k : k + at_once])
            assert battle is not None and digest(battle) == digest(game.battle)
        ends = {step.n: step.state for step in ledger.read(game.id)}
        ones, sevens, leap = (Timeline(game.history) for _ in range(3))
        for line in (ones, sevens):
            line.seek(path[0].step)
        for k in range(0, len(path), 7):
            assert digest(ones.battle) == digest(sevens.battle) == ends[path[k].step]
            assert leap.seek(path[k].step) is ones.battle
            for _ in range(7):
                ones.forward()
            sevens.forward(7)


@every_kind
def test_a_fork_at_any_step_shares_its_prefix_and_its_dice_are_as_was_asked(kind: str) -> None:
    """20. There was no stepping back and going on from a point. wesnoth #1053, #7755, #7491

    Given a game, when it is forked at a step, then the fork is a game of its own name with the way
    to that step, once; ahead it meets the same dice, or those of the new seed it was given.
    """
    with opened(kind) as (ledger, game):
        path = game.history.path()
        random = Random(20)
        for k in (len(path) - 1, *random.sample(range(1, len(path) - 1), 2)):
            # where a roll waits for its dice to be revealed there is no fork
            while type(path[k].battle.question).__name__ in ("LinksNeeded", "RealDiceOffered"):
                k -= 1
            # players who reveal dice know the links ahead; who enters them makes them
            revealed = path[k].dice in ("revealed", "elsewhere")
            seeded = game.created.dice == "seeded"
            for seed in ("new",) if revealed else (None, "another day") if seeded else (None,):
                name = f"fork {len(ledger.games())}"
                forked = fork(ledger, game, path[k].step, game=name, seed=seed, now=clock())
                copied = forked.history.path()
                assert [node.battle for node in copied] == [node.battle for node in path[: k + 1]]
                assert len(forked.history.nodes) == k + 1  # nothing was copied twice
                origin = ancestry(ledger, forked)[0]
                assert (origin.game, origin.step, origin.standing) == (
                    game.id,
                    path[k].step,
                    "holds",
                )
                assert ForkedFrom in map(type, forked.history.marks.values())
                seeds = [m.seed for m in forked.history.marks.values() if type(m) is SeedChanged]
                assert seed is None or seeds[-1] == seed
                if k + 1 < len(path) and game.created.dice_after_undo == "same" and not revealed:
                    again = answer_again(forked, path[k + 1])
                    rolled = bool(dice_in(path[k + 1].events))
                    if again is not None and (seed is None or not rolled):
                        assert again.events == path[k + 1].events
                assert verify(ledger, name, head=forked.chain).verdict is Verdict.EXACT


@every_kind
def test_reading_every_state_costs_one_reducer_call_an_event(kind: str) -> None:
    """22. A position at each node was replayed from the root. python-chess PR #1000, #97, #56

    Given a stored game, when it is opened and the battle at every step of every line is read, then
    reducers are called once for each event; read again, not once.
    """
    facts = facts_in(rows(kind))
    with counted_reducers() as calls, opened(kind) as (_, game):
        assert after_creation(calls) == facts
        for tip in game.history.tips():
            line = Timeline(game.history, tip.step)
            assert [line.seek(step) for step in line.steps]
        assert after_creation(calls) == facts


def test_keeping_every_state_of_a_long_game_is_not_quadratic_in_memory() -> None:
    """22. Caching every board was quadratic memory. python-chess PR #1000

    Given games of 500 and of 2,000 steps, live and loaded, when all that the battles of all their
    steps hold is counted, then four times the steps hold four times as much.
    """

    def objects(game: Game) -> int:
        found: dict[int, object] = {}
        todo: list[object] = [node.battle for node in game.history.path()]
        while todo:
            thing = todo.pop()
            if id(thing) not in found and isinstance(thing, msgspec.Struct | tuple):
                found[id(thing)] = thing
                fields = thing if isinstance(thing, tuple) else msgspec.structs.astuple(thing)
                todo += fields
        return len(found)

    with endless() as toy, Ledger.memory() as ledger:
        game = toy.new_toy(ledger)
        for n, choice in enumerate(toy.script(2000), 1):
            game.play(choice)
            if n == 500:
                short = objects(game), objects(Game.open(ledger, "toy"))
        assert objects(game) < 4 * short[0] and objects(Game.open(ledger, "toy")) < 4 * short[1]
        assert short[0] < 500 * 25


@every_kind
def test_no_row_holds_a_state_and_the_log_is_as_long_as_its_events(kind: str) -> None:
    """23. A replay stored the whole state at every step. botbowl #179

    Given a stored game, when its rows are looked at, then a whole battle stands in none but the
    first, where play starts in the middle; the rest is at most 100 bytes an event and 190 a row.
    """
    first, *later = rows(kind)
    for step in later:
        events = decode_events(step.events)
        assert not any(isinstance(event, ScenarioGiven | GameCreated) for event in events)
    given = [e for e in decode_events(first.events) if isinstance(e, ScenarioGiven)]
    assert len(given) == ("from-the-middle" in kind)
    events = sum(len(decode_events(step.events)) for step in later)
    assert sum(len(encode_row(step)) for step in later) <= 100 * events + 190 * len(later)
    # and a later row is no longer than an earlier one with as much in it
    third = len(later) // 3
    per_event = [
        sum(len(s.events) for s in part) / sum(len(decode_events(s.events)) for s in part)
        for part in (later[:third], later[-third:])
    ]
    assert per_event[1] < 1.5 * per_event[0]


IMPORT = """
import sys
from pathlib import Path
from events.ledger import Ledger
from engine.game import Game
from projections.digest import digest
from replay.exchange import admit, read
for file in sorted(Path(sys.argv[1]).glob("*.warledger")):
    with Ledger.sqlite(file.stem + ".sqlite") as ledger:
        report, admission, *_ = admit(ledger, read(file))
        game = Game.open(ledger, report.game)
        print(file.stem, report.verdict.value, admission.name, digest(game.battle), game.chain,
              sep="\\t")
"""


def test_one_export_of_every_kind_of_game_gives_the_same_hash_on_another_machine(
    tmp_path: Path,
) -> None:
    """24. For a bug the whole history was wanted; saves were gone. terraforming-mars #2553

    Given one exported file a game, when a process elsewhere, with another hash seed and an empty
    folder of its own, takes them in, then each is EXACT there with the same digest and head.
    """
    files, elsewhere = tmp_path / "files", tmp_path / "elsewhere"
    files.mkdir()
    elsewhere.mkdir()
    expected = []
    for n, kind in enumerate(KINDS):
        with opened(kind) as (here, game):
            export(here, game.id, files / f"{n:02}.warledger")
            state = digest(game.battle)
            expected.append((f"{n:02}", "EXACT", "ADOPTED", state, game.chain))
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, str(files)],
        env={**os.environ, "PYTHONHASHSEED": "24", "PYTHONPATH": str(ROOT)},
        cwd=elsewhere,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert [tuple(line.split("\t")) for line in done.stdout.splitlines()] == expected


@every_kind
def test_a_file_and_a_bug_report_go_back_to_the_first_event_and_say_what_that_is(
    kind: str,
) -> None:
    """25. The bug file didn't go back far enough. ArkhamHorror #2404

    Given any game, when it is exported or reported, then the first row is its creation; where play
    started in the middle, that row holds the whole battle and its digest; a fork names its origin
    with the chain there. A file without its first rows is refused.
    """
    with opened(kind) as (ledger, game):
        parcel = unpack(pack(game.id, ledger.read(game.id)), "file")
        first = parcel.rows[0]
        assert isinstance(first, Step) and first.n == 1 and first.schema == STATE_SCHEMA
        events = decode_events(first.events)
        assert isinstance(events[0], GameCreated)
        given = [event for event in events if isinstance(event, ScenarioGiven)]
        assert len(given) == ("from-the-middle" in kind)
        assert digest(fold(None, events)) == first.state
        for mark in game.history.marks.values():
            if isinstance(mark, ForkedFrom):
                assert len(mark.chain) == 40 and mark.step and mark.game
        for cut in (1, 2, len(parcel.rows) // 2):
            late = parcel._replace(
                rows=parcel.rows[cut:],
                trailer=msgspec.structs.replace(parcel.trailer, steps=len(parcel.rows) - cut),
            )
            with Ledger.memory() as elsewhere:
                found, admission, *_ = admit(elsewhere, late)
                assert found.verdict is Verdict.DIVERGED and admission.name == "REFUSED"
                assert found.step == 1 and elsewhere.games() == {}
        told = report(game, attempted=None, at=min(8, game.version))
        assert [row.n for row in told.rows] == list(range(1, len(told.rows) + 1))
        assert b"game_created/" in bytes(told.rows[0].events)


def test_the_file_read_back_is_the_file_written(tmp_path: Path) -> None:
    """24. The same file written, read, written again: byte for byte; and the game goes on."""
    with opened("people 40k-7e broken") as (here, game), Ledger.memory() as there:
        export(here, game.id, tmp_path / "one")
        admit(there, read(tmp_path / "one"))
        export(there, game.id, tmp_path / "two")
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
        loaded = Game.open(there, game.id, clock())
        assert isinstance(loaded.history.path()[1].events[0], Chosen)
        loaded.undo(to=6)
        play_on(loaded, Random(1), 3)
        assert verify(there, id_of("people 40k-7e broken")).verdict is Verdict.EXACT
