"""What players of other engines met in logs and saves: one property each. [P3, P11]

The numbers are those of COMPLAINTS.md; the threads named are where it was reported.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game import Game
from events.base import Mark
from events.codec import decode_events
from events.game import ArmyMustered, Chosen, GameCreated, ScenarioGiven
from events.ledger import Conflict, Ledger
from events.steps import check_chain, encode_row, read_meta
from events.values import Army, UnitSetup
from projections.battle import Battle
from projections.readmodels import dice_log, losses, luck, standings
from replay.exchange import admit, pack, unpack
from replay.verify import Verdict, verify
from tests.properties.games import (
    answer_again,
    endless,
    every_kind,
    go_back,
    id_of,
    opened,
    rows,
)
from tests.properties.kit import (
    agreements,
    blue_army,
    clock,
    events_of,
    line_of,
    new_game,
    pick,
    play_on,
    red_army,
    rows_of,
    step_on,
    whole_games,
)

ROOT = Path(__file__).parents[2]
SEEDS = st.integers(0, 10**6)
CANONICAL = msgspec.json.Encoder(order="deterministic").encode

A_STEP, AN_EVENT, A_MARK = 260, 100, 340
"""Bytes at most: a row without its events, in a table; an event on average; a row of undo."""


def test_bytes_stored_are_bounded_by_the_actions_and_the_state_does_not_grow() -> None:
    """2. The undo stack made the stored state balloon. boardgame.io #738

    Given a game of 5,000 actions with an undo and a redo after every fifth, when what is stored is
    counted, then it is at most 400 bytes for each of them, and the state as large as after 100.
    """
    sizes: dict[int, int] = {}
    with endless() as toy, Ledger.memory() as ledger:
        game = toy.new_toy(ledger)
        for n, choice in enumerate(toy.script(5000), 1):
            game.play(choice)
            if n % 5 == 0:
                game.undo()
                game.redo()
            if n in (100, 5000):
                sizes[n] = len(CANONICAL(game.battle))
        stored = [len(encode_row(step)) for step in ledger.read("toy")]
    assert len(stored) == 1 + 5000 + 2000
    assert sum(stored[1:]) <= 7000 * 400
    assert sizes[5000] < 1.05 * sizes[100]
    assert stored[-1] <= A_MARK and stored[-2] <= A_MARK


@every_kind
def test_an_undo_stores_a_mark_of_the_same_size_however_far_it_goes(kind: str) -> None:
    """2. The same in games by the rules: what was undone is named, never copied."""
    with opened(kind) as (ledger, game):
        go_back(game, line_of(game)[1].step)
        for step in ledger.read(game.id):
            if isinstance(decode_events(step.events)[0], Mark):
                assert len(encode_row(step)) <= A_MARK + 128 * (b"link_kept" in step.events)


def times(game: Game, twice: bool, random: Random, request: str) -> None:
    """Answer the open question, or undo and redo; the whole of it twice if asked."""
    if random.random() < 0.15 and game.history.head.parent is not None:
        for _ in range(1 + twice):
            game.undo(request=f"{request} undo")
        for _ in range(1 + twice):
            game.redo(request=f"{request} redo")
    question: Any = game.pending
    if hasattr(question, "sides"):
        faces = [random.randint(1, question.sides) for _ in range(question.count)]
        for _ in range(1 + twice):
            game.enter(faces, request=request)
    else:
        choice = pick(random, game)
        for _ in range(1 + twice):
            game.play(choice, request=request)


@whole_games
@given(SEEDS, agreements, st.sampled_from(["seeded", "entered"]))
def test_the_same_request_twice_is_appended_once_dice_included(
    seed: int, agreed: Any, dice: str
) -> None:
    """38. Moves ran twice, on client and server, their dice too. boardgame.io #1091

    Given two games, when everything is asked for twice in one of them under the same request id,
    then both hold the same rows.
    """
    with Ledger.memory() as once, Ledger.memory() as twice:
        games = [new_game(own, str(seed), dice=dice, **agreed) for own in (once, twice)]
        for game, again in zip(games, (False, True), strict=True):
            random, n = Random(seed), 0
            while game.battle.outcome is None:
                n += 1
                times(game, again, random, f"request {n}")
        assert events_of(once) == events_of(twice)
        assert [s.chain for s in once.read("g")] == [s.chain for s in twice.read("g")]
        requests = [read_meta(step).request for step in twice.read("g")[1:]]
        assert len(set(requests)) == len(requests)


CALLS: dict[str, Callable[[Game], Any]] = {
    "play": lambda game: game.play(game.legal()[0]),
    "concede": lambda game: game.concede("red"),
    "undo": lambda game: game.undo(),
    "undo far": lambda game: game.undo(to=1),
    "branch": lambda game: game.take_branch(3),
    "ask": lambda game: game.ask_undo(2, by="blue"),
    "note": lambda game: game.note("hm", by="red"),
}


@whole_games
@given(
    SEEDS,
    agreements,
    st.lists(st.tuples(st.integers(1, 5), st.sampled_from(sorted(CALLS))), min_size=1, max_size=6),
)
def test_a_stale_writer_gets_a_typed_conflict_with_the_steps_it_missed(
    seed: int, agreed: Any, turns: list[tuple[int, str]]
) -> None:
    """40. Simultaneous moves were refused as stale, and the client wasn't told. boardgame.io #828

    Given a game held twice, when one goes on by some rows and the other calls anything, then that
    is one typed error with just those rows; nothing is stored, and it stands where the first does.
    """
    with Ledger.memory() as ledger:
        front = play_on(new_game(ledger, str(seed), **agreed), Random(seed), 8)
        stale = Game.open(ledger, "g", now=clock())
        for ahead, call in turns:
            seen = stale.version
            for n in range(ahead):
                if front.battle.outcome is not None or n == 3:
                    front.undo()
                else:
                    step_on(Random(n), front)
            if stale.battle.outcome is not None and call in ("play", "concede"):
                call = "note"
            stored = rows_of(ledger)
            with pytest.raises(Conflict) as conflict:
                CALLS[call](stale)
            told = conflict.value
            assert (told.expected, told.actual) == (seen, front.version)
            assert list(told.missed) == ledger.read("g", seen) and len(told.missed) == ahead
            assert rows_of(ledger) == stored
            assert (stale.step, stale.battle) == (front.step, front.battle)
            # and asked with the version it saw, it is told the same
            if stale.pending is not None:
                with pytest.raises(Conflict) as again:
                    stale.play(stale.legal()[0], expected=seen)
                assert again.value.missed == told.missed
        assert verify(ledger, "g").verdict is Verdict.EXACT


WRITER = """
import sys
from random import Random
from events.ledger import Ledger
from engine.game import Game
from tests.properties.kit import BROKEN, new_game, play_on, step_on
path, ruleset, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Ledger.sqlite(path) as ledger:
    name = f"{ruleset} {seed}"
    new_game(ledger, name, 3, ruleset=ruleset, table=BROKEN, game=name)
    print("begun", flush=True)
    random = Random(seed)
    while True:
        game = Game.open(ledger, name)
        play_on(game, random, 12)
        game.undo(to=game.history.path()[-3].step)
        print(game.version, flush=True)
        if game.battle.outcome is not None:
            break
"""


def test_positions_are_gapless_and_a_killed_writer_leaves_whole_steps(tmp_path: Path) -> None:
    """41. The version moved before the events did, and entries were lost. boardgame.io #795

    Given a process that plays real games into a file, when it is killed at some moment, then each
    stream is gapless, whole and EXACT, holds all that was told as stored, and is played on.
    """
    path, random = tmp_path / "games.sqlite", Random(41)
    for n, ruleset in enumerate(["40k-7e", "40k-6e", "40k-7e", "40k-6e"]):
        command = [sys.executable, "-c", WRITER, str(path), ruleset, str(n)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "begun\n"
            time.sleep(random.uniform(0, 0.2))
            child.kill()
            told = [int(line) for line in child.stdout.read().splitlines()]
        with Ledger.sqlite(path, create=False) as ledger:
            name = f"{ruleset} {n}"
            steps = ledger.read(name)
            assert [step.n for step in steps] == list(range(1, len(steps) + 1))
            assert len(steps) >= max(told, default=1) and ledger.games()[name] == len(steps)
            assert check_chain(name, steps) is None
            assert verify(ledger, name).verdict is Verdict.EXACT
            game = Game.open(ledger, name)
            if game.battle.outcome is not None:
                game.undo()
            step_on(Random(n), game)
            assert len(ledger.read(name)) > len(steps)


@pytest.mark.parametrize(("compress", "most"), [(False, 6_000_000), (True, 4_000_000)])
def test_a_game_of_ten_thousand_actions_stays_under_its_stated_size_and_verifies(
    compress: bool, most: int, tmp_path: Path
) -> None:
    """42. An unbounded log overflowed the storage of games with bots. boardgame.io PR #1283

    Given a game of 10,000 actions in a file, when that is closed, then it is at most 6 MB large, 4
    compressed, table and index included; the chain is the same in both, and the game is EXACT.
    """
    path = tmp_path / "long.sqlite"
    with endless() as toy:
        with Ledger.memory() as ledger:
            game = toy.new_toy(ledger)
            for choice in toy.script(10_000):
                game.play(choice)
            steps = ledger.read("toy")
        with Ledger.sqlite(path, compress=compress) as ledger:
            ledger.adopt("toy", steps)
        assert path.stat().st_size <= most
        with Ledger.sqlite(path, create=False) as ledger:
            assert ledger.read("toy") == steps
            assert verify(ledger, "toy", head=game.chain).verdict is Verdict.EXACT
        assert len(pack("toy", steps)) <= 2_500_000


@every_kind
def test_statistics_rebuilt_from_the_stream_are_the_live_ones(kind: str) -> None:
    """45. Dice statistics were lost on reload. triplea #3478

    Given a game that was played on live with an undo, when its statistics are taken from it, from
    a fresh copy and from a file opened elsewhere, then they are equal.
    """

    def statistics(game: Game) -> tuple[Any, ...]:
        facts = game.history.facts
        log = dice_log(facts())
        return log, luck(log, "red"), luck(log, "blue"), losses(facts()), standings(facts())

    with opened(kind) as (ledger, game), Ledger.memory() as elsewhere:
        path = game.history.path()
        go_back(game, path[-min(9, len(path))].step)
        step_on(Random(45), game)
        step_on(Random(46), game)
        live = statistics(game)
        assert live[0]
        assert statistics(Game.open(ledger, game.id)) == live
        admit(elsewhere, unpack(pack(game.id, ledger.read(game.id)), "file"))
        assert statistics(Game.open(elsewhere, game.id)) == live


def renamed(army: Army) -> Army:
    """Return an army all of whose display names are others."""

    def anew(unit: UnitSetup) -> UnitSetup:
        return replace(unit, name=f"Zyx {unit.name[::-1]}")

    return replace(army, name="Zyx", units=tuple(map(anew, army.units)))


@whole_games
@given(SEEDS, agreements)
def test_names_in_events_are_ids_and_never_display_names(seed: int, agreed: Any) -> None:
    """46. Renaming and reordering made older replays show other things. hanabi-live #606

    Given a game, when the same choices are made by armies with other display names, then from the
    second row on both streams hold the same bytes, and none of the names.
    """
    with Ledger.memory() as one, Ledger.memory() as two:
        game = play_on(new_game(one, str(seed), 3, **agreed), Random(seed))
        other = Game.create(
            two,
            red=renamed(red_army(3)),
            blue=renamed(blue_army(3)),
            seed=str(seed),
            undo="free",
            game="g",
            **agreed,
        )
        for node in game.history.path()[1:]:
            answer_again(other, node)
        assert events_of(two)[1:] == events_of(one)[1:]
        assert b"Zyx" in events_of(two)[0] and not any(b"Zyx" in row for row in events_of(two)[1:])


@every_kind
def test_no_row_but_the_first_holds_a_display_name(kind: str) -> None:
    """46. The same in every kind of game: names stand where armies are mustered."""
    first, *later = rows(kind)
    names = {
        name
        for event in decode_events(first.events)
        if isinstance(event, ArmyMustered)
        for name in (event.army.name, *(unit.name for unit in event.army.units))
    }
    if not names:  # play starts in the middle
        assert any(isinstance(event, ScenarioGiven) for event in decode_events(first.events))
    for step in later:
        for name in names:
            assert name.encode() not in step.events
        for event in decode_events(step.events):
            assert not isinstance(event, ArmyMustered | GameCreated | ScenarioGiven)


@every_kind
def test_the_log_is_the_save_and_an_event_takes_about_a_hundred_bytes(
    kind: str, tmp_path: Path
) -> None:
    """47. A save per action doubled the storage. terraforming-mars PR #2045

    Given a game in a file of its own, when that is closed, then what was added after its creation
    is at most 100 bytes an event and 260 a step: there is no second copy of anything.
    """
    sizes = []
    for n, steps in enumerate((rows(kind)[:1], rows(kind))):
        path = tmp_path / f"{n}.sqlite"
        with Ledger.sqlite(path) as ledger:
            ledger.adopt(id_of(kind), steps)
        sizes.append(path.stat().st_size)
    later = rows(kind)[1:]
    events = sum(len(decode_events(step.events)) for step in later)
    page = 4096
    assert sizes[1] - sizes[0] <= AN_EVENT * events + A_STEP * len(later) + 4 * page


def test_playing_a_game_stores_what_its_rows_are_and_nothing_else(tmp_path: Path) -> None:
    """47. The same of a game played into a file, step by step, with undo and redo."""
    path = tmp_path / "played.sqlite"
    with Ledger.sqlite(path) as ledger:
        game = play_on(new_game(ledger, "47", 3), Random(47), 60)
        game.undo()
        game.redo()
        stored = sum(map(len, rows_of(ledger)))
        assert isinstance(game.history.path()[1].events[0], Chosen)
        assert isinstance(game.battle, Battle)
    assert path.stat().st_size <= 1.6 * stored + 8 * 4096
