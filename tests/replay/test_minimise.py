"""A failing game comes down to the few choices, units and models that still fail. [P2, P5, P7]"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.scenarios import Verdict, parse
from events.choices import Charge, PlaceModels, Shoot, TakeWounds
from events.errors import WarledgerError
from events.ledger import Ledger
from projections.queries import unit_of
from replay.bug_scenario import run_checked, scenario_of, shows
from replay.bugreport import BugReport, report
from replay.ddmin import smallest
from replay.failures import Broken, Differs, Raised, Refused, same
from replay.invariants import Moment, broken
from replay.minimise import Shrunk, minimise
from replay.prune import fitted, with_models, with_units
from replay.reproduce import reproduce
from tests.bench.minimising import long_game
from tests.properties.kit import new_game, play_on
from tests.replay.planted import die_drawn_twice, exception, forgotten_flag, listing_fails
from tests.replay.test_bugreport import failing_game

MOST = 20
"""Choices that are left of a game at most."""

Planted = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as ledger:
        yield ledger


def shrunk_under(planted: Planted, made: BugReport) -> tuple[Shrunk, str]:
    """Shrink a report under a fault; the scenario fails with it and not without it."""
    with planted():
        shrunk = minimise(made)
        text = scenario_of(shrunk, made.header)
        assert shows(text, shrunk.failure), text
    assert not shows(text, shrunk.failure), text
    return shrunk, text


@pytest.mark.parametrize("redacted", [False, True])
@pytest.mark.parametrize("dice", ["seeded", "revealed"])
def test_a_reducer_that_forgets_a_flag(ledger: Ledger, redacted: bool, dice: str) -> None:
    # given a whole game under a fault that nothing but an invariant shows
    with forgotten_flag():
        game = play_on(new_game(ledger, "1", 3, dice=dice), Random(1))
        made = report(game, redacted=redacted)
    assert isinstance(made.ending.failure, Broken)
    # when it is shrunk
    shrunk, text = shrunk_under(forgotten_flag, made)
    # then a charge is left: declared, met by Overwatch or not, moved
    assert same(shrunk.failure, made.ending.failure)
    assert 0 < len(shrunk.choices) <= 5 and "charge" in text
    assert len(shrunk.battle.units) < 6 and shrunk.was[0] == 6
    assert text.startswith("# fails: broken: contact locks")


def test_a_game_of_hundreds_of_steps(ledger: Ledger) -> None:
    """As ``tests.bench.minimising`` does with 1,500 and more."""
    with forgotten_flag():
        made = report(long_game(ledger, units=10, calm=4, most=340))
    shrunk, _ = shrunk_under(forgotten_flag, made)
    assert shrunk.steps > 200 and len(shrunk.choices) <= MOST
    assert shrunk.was[0] == 20 and len(shrunk.battle.units) <= 4


def test_a_flag_that_is_forgotten_by_other_rules_than_recorded(ledger: Ledger) -> None:
    made = report(play_on(new_game(ledger, "1", 3), Random(1)))
    shrunk, text = shrunk_under(forgotten_flag, made)
    assert isinstance(shrunk.failure, Differs) and len(shrunk.choices) <= MOST
    assert '"locked": true' in text


@pytest.mark.parametrize(
    ("purpose", "redacted"), [("charge range", False), ("to wound", True), ("fall back", False)]
)
def test_a_rule_that_draws_a_die_twice(ledger: Ledger, purpose: str, redacted: bool) -> None:
    # given the first game in which such dice fall
    for seed in range(20):
        game = new_game(ledger, str(seed), 3, game=f"g{seed}")
        made = report(play_on(game, Random(seed)), redacted=redacted)
        with die_drawn_twice(purpose):
            if not reproduce(made).reproduced:
                break
    # when it is shrunk under a rule that draws them twice
    shrunk, _ = shrunk_under(lambda: die_drawn_twice(purpose), made)
    # then what is left shows that other dice fall
    assert isinstance(shrunk.failure, Differs) and shrunk.failure.executed == "dice_rolled/1"
    assert len(shrunk.choices) <= MOST


def test_an_exception_in_a_rule(ledger: Ledger) -> None:
    with exception():
        game, error = failing_game(ledger)
        made = report(game, error=error)
    shrunk, text = shrunk_under(exception, made)
    assert isinstance(shrunk.failure, Raised) and shrunk.steps == game.version + 1
    assert len(shrunk.choices) <= MOST and "KeyError at engine/runner.py:emit" in text


def test_an_exception_when_the_choices_are_listed(ledger: Ledger) -> None:
    def planted() -> AbstractContextManager[None]:
        return listing_fails(when=4)

    game = play_on(new_game(ledger, "1", 3), Random(1), 60)
    with planted():
        while True:
            try:
                game.legal()
            except KeyError as error:
                made = report(game, error=error)
                break
            game.undo()
        assert reproduce(made).reproduced
    shrunk, text = shrunk_under(planted, made)
    assert "  - auto\n" in text and len(shrunk.choices) <= MOST
    assert len(shrunk.battle.units) == 4


def test_a_choice_that_is_refused(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, "1", 3), Random(1), 12)
    side = game.battle.clock.active
    own = [unit.id for unit in game.battle.units if unit.side == side]
    made = report(game, attempted=Charge(own[0], (own[0],)))
    shrunk = minimise(made)
    assert isinstance(shrunk.failure, Refused) and len(shrunk.choices) == 1
    result = run_checked(parse(scenario_of(shrunk, made.header)))
    assert result.verdict is Verdict.FAILED and shrunk.failure.rule in result.difference


def test_an_order_that_depends_on_a_set(tmp_path: Path) -> None:
    """Recorded by one process, met by another with another PYTHONHASHSEED. [P10]"""
    code = """
import sys
from pathlib import Path
from random import Random
from events.assault import UnitsUnlocked
from events.ledger import Ledger
from replay.bug_scenario import scenario_of, shows
from replay.bugreport import read_report, report, write_report
from replay.minimise import minimise
from replay.reproduce import reproduce
from tests.bench.minimising import long_game
from tests.properties.kit import new_game, play_on
from tests.replay.planted import order_of_a_set
path = Path(sys.argv[2])
with order_of_a_set(), Ledger.memory() as ledger:
    if sys.argv[1] == "record":
        for seed in range(20):
            game = play_on(new_game(ledger, str(seed), 3, game=f"g{seed}"), Random(seed))
            if any(len(e.units) > 1 for _, e in game.history.facts() if type(e) is UnitsUnlocked):
                break
        write_report(report(game), path)
    elif not reproduce(made := read_report(path)).reproduced:
        shrunk = minimise(made)
        shown = shows(scenario_of(shrunk, made.header), shrunk.failure)
        print(shrunk.failure.event, len(shrunk.choices), len(shrunk.battle.units), shown)
"""

    def process(what: str, hash_seed: int) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code, what, str(tmp_path / "game.jsonl")],
            env={"PYTHONHASHSEED": str(hash_seed)},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    process("record", 1)
    said = next(filter(None, (process("minimise", seed) for seed in range(2, 12))))
    event, choices, units, shown = said.split()
    assert event == "units_unlocked/1" and shown == "True"
    assert int(choices) <= MOST and int(units) < 6


def test_dice_entered_by_people_are_shrunk_as_well(ledger: Ledger) -> None:
    with forgotten_flag():
        made = report(play_on(new_game(ledger, "1", 3, dice="entered"), Random(1)))
    shrunk, _ = shrunk_under(forgotten_flag, made)
    assert len(shrunk.choices) <= MOST


def test_where_nothing_fails_nothing_is_shrunk(ledger: Ledger) -> None:
    made = report(play_on(new_game(ledger), Random(1), 20))
    with pytest.raises(WarledgerError, match="nothing fails here"):
        minimise(made)


def test_progress_is_told(ledger: Ledger) -> None:
    with forgotten_flag():
        made = report(play_on(new_game(ledger, "1", 3), Random(1), 40))
        told: list[str] = []
        rows: list[int] = []
        shrunk = minimise(
            made, lambda what, trials: told.append(what), lambda n, of: rows.append(n)
        )
    assert rows == list(range(1, shrunk.steps + 1))
    assert len(told) <= shrunk.trials and any("units" in words for words in told)


@given(st.integers(1, 200), st.sets(st.integers(0, 199), max_size=6))
def test_smallest_leaves_out_whatever_can_be(count: int, needed: set[int]) -> None:
    needed = {n for n in needed if n < count}
    assert smallest(range(count), lambda some: some if needed <= set(some) else None) == sorted(
        needed
    )


def test_smallest_takes_what_a_try_dropped_by_itself() -> None:
    tries: list[int] = []

    def enough(numbers: list[int]) -> list[int] | None:
        tries.append(len(numbers))
        return [n for n in numbers if n % 2 == 0] if 64 in numbers else None

    assert smallest(range(100), enough) == [64]
    assert len(tries) < 30


def test_a_pruned_battle_names_nobody_who_is_gone(ledger: Ledger) -> None:
    game = play_on(new_game(ledger, "1", 3), Random(1))
    for node in game.history.path():
        began = node.began
        if began is None or not began.zones:
            continue
        for dropped in [unit.id for unit in began.units]:
            kept = [unit.id for unit in began.units if unit.id != dropped]
            battle = with_units(began, kept)
            if battle is not None:
                words = msgspec.json.encode(replace(battle, armies=())).decode()
                assert re.search(rf"\b{dropped}\b", words) is None


def test_a_thinned_unit_has_no_casualties_by_it(ledger: Ledger) -> None:
    battle = play_on(new_game(ledger, "1", 3), Random(1), 9).battle
    unit = battle.units[0]
    thin = unit_of(with_models(battle, unit.id, [1, 3]), unit.id)
    assert [model.n for model in thin.models] == [1, 3] and thin.phase_started == 2
    assert broken(Moment(None, (), with_models(battle, unit.id, [1, 3]))) is None


def test_choices_are_fitted_to_who_is_left(ledger: Ledger) -> None:
    battle = play_on(new_game(ledger, "1", 3), Random(1), 9).battle
    unit = battle.units[0].id
    battle = with_models(battle, unit, [1, 3])
    assert fitted(Shoot(unit, "b", "w", (1, 2, 3)), battle) == Shoot(unit, "b", "w", (1, 3))
    assert fitted(Shoot(unit, "b", "w", (2,)), battle) == Shoot(unit, "b", "w", (2,))
    wounds = TakeWounds((f"{unit}.2", f"{unit}.3"))
    assert fitted(wounds, battle) == TakeWounds((f"{unit}.3",))
    assert fitted(PlaceModels(unit, ()), battle) == PlaceModels(unit, ())
