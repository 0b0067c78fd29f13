"""Make the golden games of this version anew: ``python -m tests.golden.regenerate``.

A golden game is a whole stored stream, one row a line exactly as stored, with its final battle as
readable JSON beside it and its head digest in ``pins.json``. Those of a released version are never
made again; the ones of the version in the making may be, with ``--overwrite``, and the diff of the
battles is to be read before it is committed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from random import Random

import msgspec

from engine.game import Game
from engine.sequence import RULES
from engine.undo import UndoBarred
from events.choices import AnswerRealDice, AnswerRuling, OfferRealDice, ProposeRuling
from events.codec import tag_of
from events.history import RulesChanged
from events.ledger import Ledger
from events.questions import LinksNeeded, WhoMoves
from events.rulings import CoverRuling, ScoreRuling, SightRuling, Verdict, WoundsRuling
from events.steps import Step, encode_row, next_step, read_meta
from projections.battle import STATE_SCHEMA, Battle
from projections.reducers.game import given
from replay.fork import fork
from tests.properties.kit import BROKEN, clock, line_of, new_game, play_on, step_on

FOLDER = Path(__file__).parent
RELEASE = FOLDER / version("warledger")


class Pin(msgspec.Struct, frozen=True):
    """What is pinned of a golden game for ever."""

    chain: str
    steps: int
    rules: int
    schema: int


def river_and_undercroft(ledger: Ledger, name: str) -> None:
    """A battle of three units a side to its end, with steps undone, redone and branches taken."""
    game = new_game(ledger, "golden-3", 3, game=name)
    random = Random(3)
    while game.battle.outcome is None:
        play_on(game, random, 9)
        head = game.step
        game.undo(to=game.history.path()[-4].step)
        play_on(game, random, 2)
        if random.random() < 0.5:
            game.take_branch(head)
        else:
            game.undo()
            game.redo()
    game.note("a good game", by="blue")


def first_with(*rare: str) -> int:
    """Return the seed of the first battle on broken ground in which all these events happen."""
    for n in range(1000):
        with Ledger.memory() as trial:
            played = play_on(new_game(trial, f"golden-{n}", 3, table=BROKEN), Random(n))
            if {tag_of(type(event)) for _, event in played.history.facts()} >= {*rare}:
                return n
    raise LookupError(rare)


def broken_ground(ledger: Ledger, name: str) -> None:
    """A battle in wood and marsh and behind a wall, with a charge that came to nothing."""
    n = first_with("charge_ended/1", "dangerous_terrain_tested/1", "game_length_rolled/1")
    play_on(new_game(ledger, f"golden-{n}", 3, table=BROKEN, game=name), Random(n))


def gone_to_ground(ledger: Ledger, name: str) -> None:
    """A battle in which units went to ground and got up, fell back and regrouped."""
    n = first_with("went_to_ground/1", "units_got_up/1", "unit_regrouped/1", "marker_scattered/1")
    play_on(new_game(ledger, f"golden-{n}", 3, table=BROKEN, game=name), Random(n))


def by_the_sixth_edition(ledger: Ledger, name: str) -> None:
    """A battle by the other edition."""
    play_on(new_game(ledger, "golden-6", 3, game=name, ruleset="40k-6e"), Random(6))


def asked_and_granted(ledger: Ledger, name: str) -> None:
    """Undo by consent with fresh dice, asked for, refused and granted; given up in the end."""
    game = new_game(
        ledger, "golden-5", 3, game=name, undo="until_revealed", dice_after_undo="fresh"
    )
    random = Random(5)
    while game.version < 60 and game.battle.outcome is None:
        step_on(random, game)
        try:
            if random.random() < 0.2:
                game.undo()
        except UndoBarred:
            behind = game.history.path()[-2]
            game.ask_undo(behind.step, by=game.history.head.by or "red")
            if random.random() < 0.5:
                game.grant_undo()
            else:
                game.refuse_undo()
    if game.battle.outcome is None:
        game.concede("red")


def dice_from_the_hand(ledger: Ledger, name: str) -> None:
    """A battle with dice that people rolled and typed in."""
    play_on(new_game(ledger, "", 2, game=name, dice="entered"), Random(7))


def from_the_middle(ledger: Ledger, name: str) -> None:
    """A battle that was given in the middle and stopped with a question open."""
    with Ledger.memory() as other:
        game = play_on(new_game(other, "golden-8", 3), Random(8), 12)
        while game.history.head.began is None:
            step_on(Random(1), game)
        began = game.history.head.began
    game = Game.begin(ledger, [game.created, given(began)], name, clock())
    play_on(game, Random(9), 15)


def forked(ledger: Ledger, name: str) -> None:
    """A fork of a game with fresh dice after an undo, gone on with under a new seed."""
    source = new_game(ledger, "golden-4", 2, game="source", dice_after_undo="fresh")
    play_on(source, Random(4), 15)
    source.undo(to=source.history.path()[-6].step)
    play_on(source, Random(5), 8)
    play_on(fork(ledger, source, game=name, seed="another seed", now=clock()), Random(6))


def revealed_by_both(ledger: Ledger, name: str) -> None:
    """A battle whose dice both sides revealed, with steps undone, until they took real dice."""
    game = new_game(ledger, "golden-11", 2, game=name, dice="revealed")
    random = Random(11)
    while game.battle.clock.game_turn < 3:
        play_on(game, random, 25)
        game.undo(to=line_of(game)[-6].step)
    while not isinstance(game.pending, LinksNeeded):
        step_on(random, game)
    for agreed in (False, True):
        game.play(OfferRealDice(), by="blue")
        game.play(AnswerRealDice(agreed))
    play_on(game, random)


def forked_from_links(ledger: Ledger, name: str) -> None:
    """A fork of a game in which links were revealed in steps that were undone."""
    source = new_game(ledger, "golden-12", 2, game="source", dice="revealed")
    random = Random(12)
    play_on(source, random, 40)
    source.undo(to=line_of(source)[-12].step)
    play_on(source, random, 20)
    while isinstance(source.pending, LinksNeeded):
        step_on(random, source)
    play_on(fork(ledger, source, game=name, seed="what if", now=clock()), random, 40)


def ruled_by_the_players(ledger: Ledger, name: str) -> None:
    """A battle with rulings agreed, refused and rolled for, each at the start of a phase."""
    game = new_game(ledger, "golden-10", 3, game=name)
    random = Random(10)
    red = next(unit.id for unit in game.battle.units if unit.side == "red")
    blue = next(unit.id for unit in game.battle.units if unit.side == "blue")
    rulings = [
        ScoreRuling("blue", 2),
        SightRuling(red, blue, False),
        CoverRuling(blue, red, 3),
        WoundsRuling(f"{red}.1", 0),
    ]
    verdicts: list[Verdict] = ["accept", "refuse", "roll"]
    while game.battle.outcome is None:
        if rulings and isinstance(game.pending, WhoMoves):
            game.play(ProposeRuling(rulings.pop()))
            game.play(AnswerRuling(verdicts[len(rulings) % 3]))
        step_on(random, game)


def under_other_rules(ledger: Ledger, name: str) -> None:
    """A game begun under an older rules number and gone on with under ours."""
    with Ledger.memory() as other:
        play_on(new_game(other, "golden-2", 2, game=name), Random(2), 10)
        steps = other.read(name)
    older = steps[0].events.replace(b'"rules":%d' % RULES, b'"rules":%d' % (RULES - 1), 1)
    made: list[Step] = []
    for step in steps:
        events = step.events if made else older
        last = made[-1] if made else None
        made.append(next_step(name, last, events, step.state, step.schema, read_meta(step)))
    ledger.adopt(name, made)
    game = play_on(Game.open(ledger, name, clock()), Random(3), 8)
    assert RulesChanged(RULES - 1, RULES) in game.history.marks.values()


GAMES: dict[str, Callable[[Ledger, str], None]] = {
    play.__name__.replace("_", "-"): play
    for play in (
        river_and_undercroft,
        broken_ground,
        gone_to_ground,
        by_the_sixth_edition,
        asked_and_granted,
        dice_from_the_hand,
        from_the_middle,
        forked,
        revealed_by_both,
        forked_from_links,
        ruled_by_the_players,
        under_other_rules,
    )
}


def rows_of(path: Path) -> list[bytes]:
    """Return the rows of a golden file exactly as they were stored."""
    return path.read_bytes().splitlines()


def shown(battle: Battle) -> bytes:
    """Return a battle as JSON that a person can read and compare."""
    plain = msgspec.json.encode(battle, order="deterministic")
    return msgspec.json.format(plain, indent=1) + b"\n"


def make(folder: Path, names: Sequence[str] = tuple(GAMES)) -> dict[str, Pin]:
    """Play golden games and write them into `folder`; return the pins."""
    folder.mkdir(exist_ok=True)
    pins: dict[str, Pin] = {}
    for name in names:
        with Ledger.memory() as ledger:
            GAMES[name](ledger, name)
            steps = ledger.read(name)
            battle = Game.open(ledger, name).battle
        rows = b"".join(encode_row(step) + b"\n" for step in steps)
        (folder / f"{name}.jsonl").write_bytes(rows)
        (folder / f"{name}.battle.json").write_bytes(shown(battle))
        pins[name] = Pin(steps[-1].chain, len(steps), RULES, STATE_SCHEMA)
    written = msgspec.json.encode(pins, order="deterministic")
    (folder / "pins.json").write_bytes(msgspec.json.format(written, indent=1) + b"\n")
    return pins


def main(arguments: list[str]) -> int:
    """Make the golden games of this version; 2 where they are there and `--overwrite` isn't."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.regenerate")
    parser.add_argument("--overwrite", action="store_true", help="replace what is there")
    parser.add_argument("--folder", type=Path, default=RELEASE)
    options = parser.parse_args(arguments)
    if options.folder.exists() and any(options.folder.iterdir()) and not options.overwrite:
        print(f"{options.folder} holds golden games; --overwrite replaces them", file=sys.stderr)
        return 2
    for name, pin in make(options.folder).items():
        print(f"{name}: {pin.steps} steps, {pin.chain}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
