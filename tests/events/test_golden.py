"""Games of every released version still hold, fold and verify. [P4, P11, P12]"""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from engine.game import Game
from engine.sequence import RULES
from events.codec import EVENT_TYPES, decode_events, tag_of
from events.ledger import Ledger
from events.steps import Step, check_chain, decode_row, encode_row
from projections.battle import STATE_SCHEMA
from projections.digest import digest
from replay.verify import Verdict, verify_steps
from tests.golden.regenerate import FOLDER, GAMES, RELEASE, Pin, main, make, rows_of, shown
from tests.properties.kit import play_on

RELEASES = sorted(path for path in FOLDER.iterdir() if (path / "pins.json").exists())
PINS: dict[Path, Pin] = {
    folder / f"{name}.jsonl": pin
    for folder in RELEASES
    for name, pin in msgspec.json.decode(
        (folder / "pins.json").read_bytes(), type=dict[str, Pin]
    ).items()
}

MISSING: set[str] = set()
"""Tags of events that no golden game has yet. It only ever shrinks."""

golden = pytest.mark.parametrize("path", PINS, ids=lambda path: f"{path.parent.name}/{path.stem}")


def steps_of(path: Path) -> list[Step]:
    rows = [decode_row(n, row) for n, row in enumerate(rows_of(path), 1)]
    steps = [row for row in rows if isinstance(row, Step)]
    assert len(steps) == len(rows)
    return steps


def test_this_version_has_its_golden_games() -> None:
    assert RELEASE in RELEASES
    for folder in RELEASES:
        pinned = {path.stem for path in PINS if path.parent == folder}
        assert {path.stem for path in folder.glob("*.jsonl")} == pinned
    assert {path.stem for path in PINS if path.parent == RELEASE} == set(GAMES)


@golden
def test_the_chain_of_a_golden_game_is_the_pinned_one(path: Path) -> None:
    steps, pin = steps_of(path), PINS[path]
    assert check_chain(path.stem, steps, pin.chain) is None
    assert len(steps) == pin.steps
    # rows are written today as they were then
    assert [encode_row(step) for step in steps] == rows_of(path)


@golden
def test_a_golden_game_opens_and_folds_to_the_battle_beside_it(path: Path) -> None:
    with Ledger.memory() as ledger:
        ledger.adopt(path.stem, steps_of(path))
        game = Game.open(ledger, path.stem)
        if PINS[path].schema == STATE_SCHEMA:
            assert shown(game.battle) == path.with_suffix(".battle.json").read_bytes()
            stored = {step.n: step.state for step in steps_of(path)}
            assert all(digest(node.battle) == stored[n] for n, node in game.history.nodes.items())


@golden
def test_a_golden_game_verifies(path: Path) -> None:
    report = verify_steps(path.stem, steps_of(path), head=PINS[path].chain)
    if PINS[path].rules == RULES:
        assert report.verdict is Verdict.EXACT, report
    else:
        assert report.verdict is not Verdict.DIVERGED, report


@golden
def test_a_golden_game_is_played_on(path: Path) -> None:
    with Ledger.memory() as ledger:
        ledger.adopt(path.stem, steps_of(path))
        game = Game.open(ledger, path.stem, now=lambda: 0)
        if game.battle.outcome is None:
            play_on(game, Random(1), 3)
            assert game.version > PINS[path].steps


def test_every_event_type_is_in_a_golden_game() -> None:
    seen = {
        tag_of(type(event))
        for path in PINS
        for step in steps_of(path)
        for event in decode_events(step.events)
    }
    assert {tag_of(event) for event in EVENT_TYPES} - seen == MISSING


def test_golden_games_are_not_overwritten_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "river.jsonl"
    kept.write_text("a released game")
    assert main(["--folder", str(tmp_path)]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["river.jsonl"]
    assert kept.read_text() == "a released game"


def test_golden_games_made_anew_are_whole(tmp_path: Path) -> None:
    made = make(tmp_path, ["from-the-middle", "forked", "under-other-rules"])
    for name in made:
        steps = steps_of(tmp_path / f"{name}.jsonl")
        assert verify_steps(name, steps).verdict is Verdict.EXACT, name
