"""Append, read and race: the same promises in memory, on SQLite and on PostgreSQL. [P3]"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from events.errors import LedgerError
from events.ledger import Conflict, Ledger, RequestReused, Stream
from events.steps import BadRow, Meta, Step, check_chain, genesis, next_step, read_meta
from tests.events.conftest import POSTGRES

STATE = "0d" * 20


Opener = Callable[[], Ledger]


@pytest.fixture(params=["memory", "sqlite", "sqlite-zlib", "postgres"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """How to open the ledger under test; a second call is a second process's view of it."""
    opened: list[Ledger] = []
    kind = request.param
    schema = request.getfixturevalue("schema") if kind == "postgres" else ""

    def opener() -> Ledger:
        if kind == "memory":
            if not opened:
                opened.append(Ledger.memory())
            return opened[0]
        if kind == "postgres":
            ledger = Ledger.postgres(POSTGRES, schema=schema)
        else:
            ledger = Ledger.sqlite(tmp_path / "games.db", compress=kind == "sqlite-zlib")
        opened.append(ledger)
        return ledger

    yield opener
    for ledger in opened:
        ledger.close()


@pytest.fixture
def ledger(opener: Opener) -> Ledger:
    return opener()


@pytest.fixture
def game() -> str:
    return f"game-{uuid.uuid4().hex[:12]}"


def facts(number: int) -> bytes:
    return b'[{"type":"noted/1","text":"fact %d \xc3\xa9"}]' % number


def play(stream: Stream, steps: int, request: str = "") -> None:
    for _ in range(steps):
        number = stream.head + 1
        named = f"{request}{number}" if request else ""
        stream.append(stream.head, facts(number), STATE, 1, Meta(1000 + number, "ann", named))


def test_appended_steps_are_read_back_byte_for_byte(ledger: Ledger, game: str) -> None:
    # given a new game
    stream = ledger.stream(game)
    assert (stream.head, stream.last) == (0, None)
    # when three steps are appended
    play(stream, 3, "r")
    # then they are all there, gapless, with whole chains
    steps = ledger.read(game)
    assert [step.n for step in steps] == [1, 2, 3]
    assert [step.events for step in steps] == [facts(1), facts(2), facts(3)]
    assert read_meta(steps[1]) == Meta(1002, "ann", "r2")
    assert stream.last == steps[-1]
    assert check_chain(game, steps, head=steps[-1].chain) is None
    assert steps == ledger.read_lenient(game)


def test_a_read_may_start_after_any_step(ledger: Ledger, game: str) -> None:
    play(ledger.stream(game), 5)
    assert [step.n for step in ledger.read(game, after=3)] == [4, 5]
    assert ledger.read(game, after=5) == []
    assert ledger.read(f"{game}-unknown") == []


def test_games_are_listed_with_their_numbers_of_steps(ledger: Ledger, game: str) -> None:
    play(ledger.stream(f"{game}-b"), 4)
    play(ledger.stream(f"{game}-a"), 2)
    ours = {name: steps for name, steps in ledger.games().items() if name.startswith(game)}
    assert list(ours.items()) == [(f"{game}-a", 2), (f"{game}-b", 4)]


def test_a_game_is_played_on_from_another_process(opener: Opener, game: str) -> None:
    play(opener().stream(game), 3)
    other = opener()
    stream = other.stream(game)
    play(stream, 2)
    steps = other.read(game)
    assert stream.head == 5
    assert check_chain(game, steps) is None


def test_a_stale_writer_gets_the_steps_it_missed(opener: Opener, game: str) -> None:
    """[P3] Two handles race: the second stores nothing and is told what came first."""
    # given two open streams of one game
    ledger = opener()
    ann = ledger.stream(game)
    play(ann, 2)
    bob = opener().stream(game)
    # when both append after step 2, and Ann once more before Bob
    play(ann, 2)
    with pytest.raises(Conflict) as caught:
        bob.append(2, facts(9), STATE, 1, Meta(0, "bob"))
    # then Bob has the two steps he missed, and the ledger has nothing of his
    conflict = caught.value
    assert (conflict.expected, conflict.actual) == (2, 4)
    assert list(conflict.missed) == ledger.read(game, after=2)
    assert [read_meta(step).actor for step in ledger.read(game)] == ["ann"] * 4
    assert conflict.where == f"{game} step 3"
    # and he can go on from there
    assert bob.append(4, facts(9), STATE, 1, Meta(0, "bob")).step.n == 5
    assert check_chain(game, ledger.read(game)) is None


def test_a_step_computed_before_others_is_refused_even_when_the_stream_knows_them(
    ledger: Ledger, game: str
) -> None:
    stream = ledger.stream(game)
    play(stream, 3)
    with pytest.raises(Conflict) as caught:
        stream.append(1, facts(9), STATE, 1, Meta(0))
    assert [step.n for step in caught.value.missed] == [2, 3]
    assert stream.head == 3


def test_a_gap_is_refused(ledger: Ledger, game: str) -> None:
    """[P3] The library's recorders would store it."""
    stream = ledger.stream(game)
    play(stream, 2)
    with pytest.raises(Conflict) as caught:
        stream.append(7, facts(8), STATE, 1, Meta(0))
    assert (caught.value.expected, caught.value.actual, caught.value.missed) == (7, 2, ())
    assert len(ledger.read(game)) == 2


def test_an_expected_step_of_another_process_is_looked_up(opener: Opener, game: str) -> None:
    ann, bob = opener().stream(game), opener().stream(game)
    play(ann, 3)
    assert bob.append(3, facts(4), STATE, 1, Meta(0)).step.n == 4


def test_a_request_is_granted_once(ledger: Ledger, game: str) -> None:
    """[P3] The same id returns the step it made, however far the game has gone on."""
    stream = ledger.stream(game)
    play(stream, 2, "r")
    again = stream.append(0, facts(1), STATE, 1, Meta(9999, "ann", "r1"))
    assert not again.new
    assert again.step == ledger.read(game)[0]
    assert stream.find("r2") == ledger.read(game)[1]
    assert stream.find("r3") is None
    assert len(ledger.read(game)) == 2


def test_a_request_granted_through_another_process_is_found(opener: Opener, game: str) -> None:
    """[P3] Both at the moment of the race and after a restart."""
    ledger = opener()
    ann, bob = ledger.stream(game), opener().stream(game)
    play(ann, 2, "r")
    racing = bob.append(0, facts(1), STATE, 1, Meta(5, "bob", "r1"))
    later = opener().stream(game).append(2, facts(2), STATE, 1, Meta(5, "bob", "r2"))
    assert not racing.new and not later.new
    assert [racing.step, later.step] == ledger.read(game)


def test_a_request_id_with_other_events_is_an_error(opener: Opener, game: str) -> None:
    ann, bob = opener().stream(game), opener().stream(game)
    play(ann, 1, "r")
    for stream in (ann, bob):
        with pytest.raises(RequestReused, match="'r1' made this step already"):
            stream.append(stream.head, facts(7), STATE, 1, Meta(0, "ann", "r1"))
    assert len(opener().read(game)) == 1


def test_of_many_racing_writers_each_lands_once(opener: Opener, game: str) -> None:
    """[P3] Four threads, each with a ledger and stream of its own, ten steps apiece."""
    ledgers = [opener() for _ in range(4)]

    def write(who: int) -> None:
        stream = ledgers[who].stream(game)
        for number in range(10):
            request = f"{who}.{number}"
            while True:
                try:
                    stream.append(stream.head, facts(number), STATE, 1, Meta(0, "", request))
                    break
                except Conflict as conflict:
                    assert conflict.missed

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    steps = ledgers[0].read(game)
    assert check_chain(game, steps) is None
    assert sorted(read_meta(step).request for step in steps) == sorted(
        f"{who}.{number}" for who in range(4) for number in range(10)
    )


def test_games_made_at_once_are_all_listed(opener: Opener, game: str) -> None:
    ledgers = [opener() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: play(ledgers[i % 4].stream(f"{game}-{i}"), 1), range(12)))
    assert {f"{game}-{i}" for i in range(12)} <= ledgers[0].games().keys()


def test_many_processes_may_start_on_an_empty_postgres_at_once(schema: str) -> None:
    empty = f"{schema}_new"
    with psycopg.connect(POSTGRES) as connection:
        connection.execute(f"CREATE SCHEMA {empty}")
    try:
        with ThreadPoolExecutor(6) as pool:
            ledgers = list(pool.map(lambda _: Ledger.postgres(POSTGRES, schema=empty), range(6)))
        for number, ledger in enumerate(ledgers):
            play(ledger.stream("prologue"), 1)
            assert ledger.games() == {"prologue": number + 1}
            ledger.close()
    finally:
        with psycopg.connect(POSTGRES) as connection:
            connection.execute(f"DROP SCHEMA {empty} CASCADE")


def test_a_stream_from_elsewhere_is_adopted_whole(ledger: Ledger, game: str) -> None:
    # given a game played in another ledger
    with Ledger.memory() as elsewhere:
        play(elsewhere.stream(game), 3, "r")
        steps = elsewhere.read(game)
    # when it is adopted
    ledger.adopt(game, steps)
    # then it is the same to the byte, listed, and goes on
    assert ledger.read(game) == steps
    assert ledger.games()[game] == 3
    assert ledger.stream(game).find("r2") == steps[1]
    play(ledger.stream(game), 1)
    # and can't be adopted a second time, under another id, or torn
    with pytest.raises(Conflict) as caught:
        ledger.adopt(game, steps)
    assert (caught.value.expected, caught.value.actual) == (0, 4)
    for name, part in [(f"{game}-x", steps), (f"{game}-y", steps[1:]), (f"{game}-z", [])]:
        with pytest.raises(LedgerError, match=f"{name} step 1"):
            ledger.adopt(name, part)
        assert ledger.read(name) == []


def test_the_further_steps_of_a_game_are_adopted_if_it_ends_just_before_them(
    ledger: Ledger, game: str
) -> None:
    # given a game played on elsewhere, of which the first two steps are here
    with Ledger.memory() as elsewhere:
        play(elsewhere.stream(game), 5, "r")
        steps = elsewhere.read(game)
    ledger.adopt(game, steps[:2])
    # when the others are adopted as if the game ended elsewhere, or as if it were another
    other = [*steps[:1], *forged(game, steps[0], 4)]
    for part, after in [(steps, 1), (steps, 3), (other, 2)]:
        with pytest.raises(Conflict) as caught:
            ledger.adopt(game, part, after)
        assert (caught.value.expected, caught.value.actual) == (after, 2)
        assert ledger.read(game) == steps[:2]
    with pytest.raises(LedgerError, match=f"{game} step 3: there is no such step"):
        ledger.adopt(game, steps[:2], 2)
    # then nothing was stored; and as they are, they are
    ledger.adopt(game, steps, 2)
    assert ledger.read(game) == steps and ledger.games()[game] == 5


def forged(game: str, last: Step, number: int) -> list[Step]:
    """Return further steps after one, under a chain that holds."""
    made: list[Step] = []
    for n in range(number):
        last = next_step(game, last, facts(n), STATE, 1, Meta(7))
        made.append(last)
    return made


def test_a_row_that_is_no_step_is_named_and_the_others_stay_readable(
    ledger: Ledger, game: str
) -> None:
    """[P4] Written under the ledger's nose, as a disk fault or a curious player would."""
    stream = ledger.stream(game)
    play(stream, 2)
    last = stream.last
    assert last is not None
    broken = next_step(game, last, b"[", STATE, 1, Meta(0))
    assert ledger._insert(game, (broken,))
    beyond = next_step(game, broken, facts(4), STATE, 1, Meta(0))
    assert ledger._insert(game, (beyond,))
    with pytest.raises(LedgerError, match=f"{game} step 3: the row can't be read"):
        ledger.read(game)
    rows = ledger.read_lenient(game)
    assert [type(row) is BadRow for row in rows] == [False, False, True, False]
    fault = check_chain(game, rows)
    assert fault is not None and (fault.n, fault.kind) == (3, "decode")


def test_a_missing_row_is_named(ledger: Ledger, game: str) -> None:
    stream = ledger.stream(game)
    play(stream, 1)
    assert stream.last is not None
    second = next_step(game, stream.last, facts(2), STATE, 1, Meta(0))
    assert ledger._insert(game, (next_step(game, second, facts(3), STATE, 1, Meta(0)),))
    with pytest.raises(
        LedgerError, match=f"{game} step 2: it is missing: step 3 is stored in its place"
    ):
        ledger.stream(game)


@pytest.mark.parametrize("name", ["", "*games"])
def test_an_id_that_can_be_no_games_is_refused(ledger: Ledger, name: str) -> None:
    with pytest.raises(LedgerError, match="it must not "):
        ledger.stream(name)


def test_the_first_links_are_bound_to_the_game() -> None:
    """[P4] A stream can't be passed off as another game's."""
    assert genesis("a-game") != genesis("another")
    one = next_step("a-game", None, b"[]", STATE, 1, Meta(0))
    fault = check_chain("another", [one])
    assert fault is not None and (fault.n, fault.kind) == (1, "chain")
