"""A bug report holds a whole game and how it failed, and is met again elsewhere. [P2, P3, P12]"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import answers
from engine.game import Game
from events.choices import Charge, EndPhase
from events.codec import decode_events
from events.errors import IllegalChoice, WarledgerError
from events.game import DiceRolled
from events.ledger import Ledger
from projections.reducers import fold
from replay.bugreport import decode_report, encode_report, read_report, report, write_report
from replay.failures import Broken, Differs, Raised, Refused
from replay.leaves import applied, leaves
from replay.reproduce import reproduce
from tests.properties.kit import events_of, new_game, play_on, rows_of
from tests.replay.planted import die_drawn_twice, exception, forgotten_flag


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def with_history(ledger: Ledger, **agreed: Any) -> Game:
    """Return a game with undone steps, a branch and a note."""
    game = play_on(new_game(ledger, "2", 3, **agreed), Random(2), 25)
    for _ in range(4):
        game.undo()
    game.note("the river is high", by="red")
    play_on(game, Random(3), 12)
    game.take_branch(game.history.tips()[0].step)
    return play_on(game, Random(4), 40)


def failing_game(ledger: Ledger) -> tuple[Game, KeyError]:
    """Return the first game that a fault in a rule stops, and the fault."""
    for seed in range(20):
        game = new_game(ledger, str(seed), 3, game=f"g{seed}")
        try:
            play_on(game, Random(seed))
        except KeyError as error:
            return game, error
    raise AssertionError("no game meets the fault")


@pytest.mark.parametrize("dice", ["seeded", "entered"])
@pytest.mark.parametrize("fresh", ["same", "fresh"])
def test_a_game_with_its_undos_and_branches_is_reproduced(
    ledger: Ledger, dice: str, fresh: str, tmp_path: Path
) -> None:
    # given a game with branches, and its report in a file
    game = with_history(ledger, dice=dice, dice_after_undo=fresh)
    before = rows_of(ledger)
    path = tmp_path / "game.jsonl"
    write_report(report(game, note="all is well"), path)
    assert rows_of(ledger) == before
    # when only the file is read
    read = read_report(path)
    found = reproduce(read)
    # then every row of the stream is in it and goes as recorded
    assert [bytes(row.events) for row in read.rows] == events_of(ledger)
    assert (read.header.chain, read.header.note) == (game.chain, "all is well")
    assert found.reproduced and found.found is None, found.words
    assert f"all {game.version} steps" in found.words
    assert found.theirs == found.ours == read.header.versions


def test_changes_of_the_rows_add_up_to_the_battle(ledger: Ledger) -> None:
    game = with_history(ledger)
    state: dict[str, Any] = {}
    battle = None
    for row in report(game).rows:
        applied(state, row.changes, row.gone)
        if row.n in game.history.nodes:
            battle = fold(battle, decode_events(bytes(row.events))) if row.n < 5 else None
            assert state == leaves(game.at(row.n))
            assert battle is None or state == leaves(battle)


def test_the_same_report_gives_the_same_bytes_and_comes_back_from_them(ledger: Ledger) -> None:
    game = play_on(new_game(ledger), Random(1), 20)
    data = encode_report(report(game))
    assert data == encode_report(report(game))
    assert encode_report(decode_report(data, "r")) == data


def test_a_report_may_end_at_any_step(ledger: Ledger) -> None:
    game = with_history(ledger)
    for step in (1, 7, game.version - 1):
        made = report(game, at=step)
        assert (made.header.step, len(made.rows), made.header.chain) == (step, step, "")
        assert reproduce(made).reproduced
    with pytest.raises(WarledgerError, match="no step of the game"):
        report(game, at=game.version + 1)
    with pytest.raises(WarledgerError, match="after the last"):
        report(game, at=5, attempted=EndPhase())


def test_an_exception_is_reported_with_the_choice_and_the_dice_of_its_step(ledger: Ledger) -> None:
    with exception():
        # given a fault in a rule
        game, error = failing_game(ledger)
        whole = rows_of(ledger, game.id)
        # when it is reported
        made = report(game, error=error)
        # then the game stands at its last whole step, and the file has what was tried
        assert rows_of(ledger, game.id) == whole and len(made.rows) == game.version
        attempt, failure = made.ending.attempt, made.ending.failure
        assert attempt is not None and isinstance(failure, Raised)
        assert (failure.error, failure.place) == ("KeyError", "engine/runner.py:emit")
        assert any("engine/game.py" in line for line in failure.trace)
        facts = decode_events(bytes(attempt.facts))
        assert bytes(attempt.event) in bytes(attempt.facts) and len(facts) > 1
        # and it fails again in the same place, at the same step
        found = reproduce(made)
        assert found.reproduced and found.row == game.version + 1, found.words
    # but not where the rules are sound
    found = reproduce(made)
    assert not found.reproduced and found.found is None


def test_dice_of_the_step_that_failed_are_in_the_report(ledger: Ledger, monkeypatch: Any) -> None:
    game = play_on(new_game(ledger, "1", 3), Random(1), 15)
    rolled: list[tuple[int, ...]] = []

    def tripping(roll: Any, faces: tuple[int, ...]) -> tuple[int, ...]:
        rolled.append(faces)
        if len(rolled) == 2:
            raise ZeroDivisionError
        return faces

    def awaiting(self: Any) -> Any:
        faces = yield self
        return tripping(self, faces)

    monkeypatch.setattr("engine.ask.Roll.__await__", awaiting)
    while True:
        rolled.clear()
        try:
            play_on(game, Random(game.version), 1)
        except ZeroDivisionError as error:
            made = report(game, error=error)
            break
    attempt = made.ending.attempt
    assert attempt is not None
    facts = decode_events(bytes(attempt.facts))
    assert [fact.faces for fact in facts if isinstance(fact, DiceRolled)] == rolled


def test_a_refused_choice_is_reported_with_its_rule(ledger: Ledger) -> None:
    game = play_on(new_game(ledger), Random(1), 12)
    unit, target = game.battle.units[0].id, game.battle.units[-1].id
    wrong = Charge(unit, (target,))
    made = report(game, attempted=wrong)
    assert isinstance(made.ending.failure, Refused) and made.ending.failed_at == game.version + 1
    assert reproduce(made).reproduced
    # and the same from the exception that the game raised
    with pytest.raises(IllegalChoice) as refused:
        game.play(wrong)
    assert report(game, error=refused.value).ending == made.ending


def test_a_choice_that_is_legal_after_all_fails_nothing(ledger: Ledger) -> None:
    game = play_on(new_game(ledger), Random(1), 12)
    made = report(game, attempted=game.legal()[0])
    assert made.ending.failure is None and made.ending.attempt is not None
    assert reproduce(made).reproduced


def test_a_fault_in_what_is_offered_is_reported_too(ledger: Ledger, monkeypatch: Any) -> None:
    game = play_on(new_game(ledger), Random(1), 12)

    def tripping(table: Any, battle: Any) -> Any:
        raise RecursionError

    monkeypatch.setattr("engine.game.legal", tripping)
    monkeypatch.setattr("replay.reproduce.legal", tripping)
    with pytest.raises(RecursionError) as caught:
        game.legal()
    made = report(game, error=caught.value)
    assert made.ending.attempt is None
    assert not reproduce(made).reproduced  # this fault stands in a test, not in the rules
    assert isinstance(reproduce(made).found, Raised)
    assert answers.legal is not tripping


def test_a_difference_names_step_event_and_fields(ledger: Ledger) -> None:
    # given a game that sound rules played
    game = play_on(new_game(ledger, "1", 3), Random(1))
    made = report(game)
    assert made.ending.failure is None
    # when rules that draw a die twice play it again
    with die_drawn_twice("to hit"):
        found = reproduce(made)
        again = report(game)
    # then the first step that differs is named, and a report made there says the same
    assert not found.reproduced and isinstance(found.found, Differs)
    assert found.row < game.version
    assert again.ending.failure == found.found and again.ending.failed_at == found.row
    assert "NOT REPRODUCED" in found.words and f"step {found.row}" in found.words


def test_a_flag_that_a_reducer_forgets_is_named_as_a_field_of_the_battle(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, "1", 3), Random(1))
    with forgotten_flag():
        found = reproduce(report(game)).found
    assert isinstance(found, Differs) and found.event == "state"
    by_field = {field.field: field for field in found.fields}
    (locked,) = (name for name in by_field if name.endswith(".locked"))
    assert (by_field[locked].recorded, by_field[locked].executed) == ("True", "False")


def test_a_broken_invariant_is_found_while_reporting(ledger: Ledger) -> None:
    with forgotten_flag():
        game = play_on(new_game(ledger, "1", 3), Random(1))
        made = report(game)
        assert isinstance(made.ending.failure, Broken)
        assert made.ending.failure.invariant == "contact locks"
        assert reproduce(made).reproduced
    assert not reproduce(made).reproduced


def test_both_versions_are_named(ledger: Ledger) -> None:
    made = report(play_on(new_game(ledger), Random(1), 5))
    older = replace(made.header.versions, engine="0.0.9", schema=0)
    found = reproduce(replace(made, header=replace(made.header, versions=older)))
    # another state schema: digests say nothing, events still do
    assert found.reproduced
    assert (found.theirs.engine, found.ours.engine) == ("0.0.9", made.header.versions.engine)


def test_another_digest_is_a_difference(ledger: Ledger) -> None:
    made = report(play_on(new_game(ledger), Random(1), 9))
    rows = list(made.rows)
    rows[4] = replace(rows[4], state="0" * 32)
    found = reproduce(replace(made, rows=tuple(rows)))
    assert not found.reproduced and found.row == 5
    assert found.found == Differs("state", "state")


def test_what_is_no_report_is_refused_with_its_line(ledger: Ledger, tmp_path: Path) -> None:
    data = encode_report(report(play_on(new_game(ledger), Random(1), 5)))
    lines = data.splitlines()
    for at, wrong, where in (
        (0, b"{}", "r:1"),
        (0, b'{"warledger_report":9}', "format 9"),
        (2, b'{"n":2}', "r:3"),
        (2, lines[3], "row 2 belongs here"),
        (len(lines) - 1, b"[]", f"r:{len(lines)}"),
    ):
        changed = b"\n".join([*lines[:at], wrong, *lines[at + 1 :]])
        with pytest.raises(WarledgerError, match=where):
            decode_report(changed, "r")
    with pytest.raises(WarledgerError, match="no bug report"):
        decode_report(b"", "r")
    with pytest.raises(WarledgerError, match="can't be read"):
        read_report(tmp_path / "none")
    with pytest.raises(WarledgerError, match="can't be written"):
        write_report(report(play_on(new_game(ledger, game="h"), Random(1), 2)), tmp_path)


def test_reproduce_needs_neither_the_store_nor_a_terminal() -> None:
    code = (
        "import sys, replay.reproduce, replay.report_file;"
        "print([m for m in ('eventsourcing', 'rich', 'typer', 'yaml') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.strip() == "[]"


def test_a_rule_is_asked_once_more_after_the_attempt(ledger: Ledger) -> None:
    # trying out changes nothing: the same report twice, and the game plays on
    game = play_on(new_game(ledger), Random(1), 12)
    one = report(game, attempted=EndPhase())
    assert encode_report(report(game, attempted=EndPhase())) == encode_report(one)
    play_on(game, Random(5), 3)
