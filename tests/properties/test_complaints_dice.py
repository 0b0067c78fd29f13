"""What players of other engines distrust in dice, or found out of sync: one property each. [P10]

The numbers are those of COMPLAINTS.md; the threads named are where it was reported.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, erfc, exp, pi, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

import engine.dice as dice_module
from engine.armies import bundled, read_army_bytes
from engine.ask import Roll
from engine.bots import bots_for, play_out
from engine.dice import dice_at, die, key_of
from engine.enumerate import outcomes
from engine.game import Game
from engine.sequence import RULES
from events.base import Event
from events.codec import decode_events, encode_event, join_events
from events.errors import LedgerError
from events.game import ArmyMustered, GameCreated
from events.ledger import Ledger
from events.steps import Step
from events.values import Army
from projections.battle import Battle
from projections.digest import digest
from projections.readmodels import dice_log, luck
from projections.readmodels.luck import FEWEST
from projections.reducers import fold
from replay.exchange import export
from replay.verify import Verdict, verify_steps
from tests.properties.games import by_hand, every_kind, go_back, id_of, opened, rows
from tests.properties.kit import forged, line_of

ROOT = Path(__file__).parents[2]
SEEDS = st.integers(0, 10**6)


def exceeded(chi_square: float, freedom: int) -> float:
    """Return the chance that fair dice exceed a chi-square statistic: exact but for rounding.

    The survival function of the chi-square distribution as a finite sum.
    """
    half = chi_square / 2
    if freedom % 2 == 0:
        term = total = exp(-half)
        for k in range(1, freedom // 2):
            term *= half / k
            total += term
        return total
    total, term = erfc(sqrt(half)), exp(-half) / sqrt(pi * half)
    for k in range(1, (freedom + 1) // 2):
        term *= half / (k - 0.5)
        total += term
    return total


def misfit(counts: Counter[Any], weights: dict[Any, int]) -> float:
    """Return how likely fair dice miss these exact weights by as much as counted."""
    total, whole = sum(counts.values()), sum(weights.values())
    assert counts.keys() <= weights.keys()
    chi_square = sum(
        (counts[what] - total * weight / whole) ** 2 / (total * weight / whole)
        for what, weight in weights.items()
    )
    return exceeded(chi_square, len(weights) - 1)


RISK = 1e-4
"""Once in so many tries fair dice would be blamed; as every die is fixed, each test has one try."""


@pytest.mark.parametrize(
    ("freedom", "value", "chance"),
    [(1, 3.841459, 0.05), (2, 13.815511, 0.001), (10, 35.564014, 0.0001), (35, 74.926, 0.0001)],
)
def test_the_critical_values_are_those_of_the_tables(
    freedom: int, value: float, chance: float
) -> None:
    """27. Given published quantiles of the chi-square distribution, then the sum above has them."""
    assert exceeded(value, freedom) == pytest.approx(chance, rel=1e-3)


@pytest.mark.parametrize("apart", ["unit", "purpose", "opponent", "weapon"])
def test_two_rolls_at_one_instant_are_independent(apart: str) -> None:
    """27. Dice seeded by the tick were equal for two throws in one. space-station-14 #35186

    Given 100,000 addresses in pairs that differ in nothing but the unit (or the purpose, ...), when
    a die is rolled at each, then all 36 pairs of faces come up as often as they should.
    """
    key = key_of("an instant")
    counts: Counter[tuple[int, int]] = Counter()
    for n in range(50_000):
        where = {"unit": "boyz", "weapon": "gun", "purpose": "to hit", "opponent": "lads"}
        pair = []
        for end in ("", "x"):
            there = {**where, apart: where[apart] + end}
            moment = [n // 6000, ("red", "blue")[n % 2], "shooting", n // 2 % 3000]
            pair.append(die(key, [*moment, *there.values(), 0], 0))
        counts[pair[0], pair[1]] += 1
    assert misfit(counts, dict.fromkeys(product(range(1, 7), repeat=2), 1)) > RISK


@every_kind
def test_no_two_dice_of_a_game_fall_at_one_address(kind: str) -> None:
    """27. The same, in real games.

    Given any line of play, when the address and number of each die are collected, then no two are
    equal: unit, weapon and purpose are in it, and the dice there are counted.
    """
    with opened(kind) as (_, game):
        for tip in game.history.tips()[:4]:
            fallen: list[tuple[Any, ...]] = []
            battle: Battle | None = None
            for node in game.history.path(tip):
                for event in node.events:
                    if battle is not None and type(event).__name__ == "DiceRolled":
                        clock, at = battle.clock, (event.step, event.subject, event.weapon)  # type: ignore[attr-defined]
                        what = event.purpose, event.opponent, event.salt  # type: ignore[attr-defined]
                        for n in range(len(event.faces)):  # type: ignore[attr-defined]
                            number = event.ordinal + n  # type: ignore[attr-defined]
                            moment = clock.game_turn, clock.active, clock.phase
                            fallen.append((*moment, *at, *what, number))
                    battle = fold(battle, [event])
            assert len(set(fallen)) == len(fallen) > 0


@every_kind
def test_reducers_draw_nothing_and_what_was_drawn_is_in_the_event(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """29. A reshuffle drew from a stale generator while folding. sanguosha PR #17

    Given a stored game and no dice in reach, when it is folded, opened, sought through, undone and
    redone, then all of it goes, with every face as recorded.
    """

    def drawn(*given: object) -> Any:
        raise AssertionError("a die was drawn")

    monkeypatch.setattr(dice_module, "_block", drawn)
    monkeypatch.setattr(dice_module, "key_of", drawn)
    with pytest.raises(AssertionError):
        dice_at(b"k", [], 0, 1)
    folded = list(by_hand(rows(kind)))
    monkeypatch.setattr(dice_module, "key_of", key_of)  # opening a game takes up its seed
    with opened(kind) as (_, game):
        assert game.battle == folded[-1][1]
        steps = [node.step for node in line_of(game)]
        go_back(game, steps[1])
        assert [game.redo().step for _ in steps[2:]] == steps[2:]
        assert game.battle == fold(None, (e for node in game.history.path() for e in node.events))
    faces = [e.faces for s in rows(kind) for e in decode_events(s.events) if hasattr(e, "faces")]
    assert faces and all(faces)


def with_first(kind: str, changed: list[Event]) -> list[Step]:
    """Return the rows of a game with another creation, every chain computed anew."""
    first, *later = rows(kind)
    begun = replace(first, events=join_events(map(encode_event, changed)))
    return forged([begun, *later], id_of(kind))


@every_kind
def test_the_first_event_names_algorithm_and_rules_and_unknown_ones_are_refused_by_name(
    kind: str,
) -> None:
    """30. Another generator or engine made old inputs unreadable. pokemon-showdown PR #10806

    Given any game, then its first event names the dice's algorithm, the ruleset and the number of
    the rules; where one of them isn't known here, it is named, and it is no divergence.
    """
    events = decode_events(rows(kind)[0].events)
    created = events[0]
    assert isinstance(created, GameCreated) and created.rules >= 0
    assert created.algorithm.partition("/")[2].isdecimal()
    for change in ({"algorithm": "mersenne/9"}, {"ruleset": "40k-99e"}):
        steps = with_first(kind, [replace(created, **change), *events[1:]])
        (unknown,) = change.values()
        found = verify_steps(id_of(kind), steps)
        assert found.verdict is Verdict.UNVERIFIED and unknown in found.reason
        with Ledger.memory() as ledger:
            ledger.adopt(id_of(kind), steps)
            with pytest.raises(LedgerError, match=unknown):
                Game.open(ledger, id_of(kind))


def changed_armies(events: list[Event], random: Random) -> list[Event]:
    """Return a creation in which one number of one unit's data is another."""

    def unit_changed(army: Army, n: int) -> Army:
        unit = army.units[n % len(army.units)]
        if random.random() < 0.5 and unit.weapons:
            weapon = random.choice(unit.weapons)
            field = random.choice(["strength", "range", "shots"])
            other = replace(weapon, **{field: getattr(weapon, field) + 1})
            weapons = tuple(other if w is weapon else w for w in unit.weapons)
            unit = replace(unit, weapons=weapons)
        else:
            profile = random.choice(unit.profiles)
            field = random.choice(["ws", "bs", "strength", "toughness", "leadership"])
            other_profile = replace(profile, **{field: (getattr(profile, field) or 1) % 9 + 1})
            profiles = tuple(other_profile if p is profile else p for p in unit.profiles)
            unit = replace(unit, profiles=profiles)
        units = tuple(unit if u.id == unit.id else u for u in army.units)
        return replace(army, units=units)

    found = list(events)
    at = random.choice([n for n, event in enumerate(events) if isinstance(event, ArmyMustered)])
    mustered = found[at]
    assert isinstance(mustered, ArmyMustered)
    found[at] = replace(mustered, army=unit_changed(mustered.army, random.randrange(9)))
    return found


@every_kind
def test_other_unit_data_gives_a_verdict_and_never_a_crash(kind: str) -> None:
    """31. An old replay met new unit data: out of sync, an assertion. wesnoth #8113, #6265, #6676

    Given a game and one number of one weapon or profile changed in its creation, when it is opened
    and executed, then the verdict is DIVERGED where states or facts differ, EXACT where it never
    mattered; under another rules number it is UNVERIFIED. Nothing else is raised.
    """
    events = decode_events(rows(kind)[0].events)
    if not any(isinstance(event, ArmyMustered) for event in events):
        return  # play starts in the middle: the whole battle is the creation
    name, random, verdicts = id_of(kind), Random(31), []
    for _ in range(4):
        changed = changed_armies(events, random)
        steps = with_first(kind, changed)
        found = verify_steps(name, steps)
        assert (found.verdict, found.step) in (
            (Verdict.DIVERGED, 1),
            (Verdict.UNVERIFIED, 1),  # begun under other rules
        )
        # a forger who works out the states, too
        states = [digest(battle) for _, battle in by_hand(steps)]
        steps = forged(
            [replace(s, state=state) for s, state in zip(steps, states, strict=True)], name
        )
        found = verify_steps(name, steps)
        verdicts.append(found.verdict)
        assert found.verdict is Verdict.EXACT or (found.step > 1 and found.reason)
        if found.verdict is Verdict.DIVERGED:
            created = changed[0]
            assert isinstance(created, GameCreated)
            older = with_first(kind, [replace(created, rules=RULES + 1), *changed[1:]])
            assert verify_steps(name, older).verdict is Verdict.UNVERIFIED
        with Ledger.memory() as ledger:
            ledger.adopt(name, steps)
            assert Game.open(ledger, name).battle.setups
    assert verdicts


ALONE = """
import sys
sys.modules["engine.armies"] = None  # neither rosters nor catalogues can be read here
from pathlib import Path
from random import Random
from engine.bots import bots_for, play_out
from engine.game import Game
from events.ledger import Ledger
from replay.exchange import admit, read
with Ledger.memory() as ledger:
    report, admission, *_ = admit(ledger, read(Path(sys.argv[1])))
    game = Game.open(ledger, report.game)
    game.undo(to=40)
    play_out(game, *bots_for(game))
    print(report.verdict.value, game.battle.outcome is not None)
"""


def test_a_game_needs_no_unit_data_but_its_own(tmp_path: Path) -> None:
    """31. The same with armies from rosters: profiles and weapons are in the stream in full.

    Given a game between two bundled rosters, when a process that can read no roster and no
    catalogue takes it in, then it is EXACT there, and is played on to the end.
    """
    red = read_army_bytes(bundled("emberguard"), "e.ros", "red").army
    blue = read_army_bytes(bundled("ratskar"), "r.ros", "blue").army
    with Ledger.memory() as ledger:
        game = Game.create(ledger, red=red, blue=blue, seed="own", undo="free", game="own")
        play_out(game, *bots_for(game))
        export(ledger, "own", tmp_path / "own.warledger")
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "own.warledger")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["EXACT", "True"]


KEY = key_of("a fair seed")
FACES = list(range(1, 7))
DISTRIBUTIONS = {
    "D6": (1, lambda a: a),
    "2D6": (2, lambda a, b: a + b),
    "D66": (2, lambda a, b: 10 * a + b),
    "D3": (1, lambda a: (a + 1) // 2),
    "higher of 2D6": (2, max),
    "3+ with misses rolled again": (2, lambda a, b: a >= 3 or b >= 3),
    "2D6, below 7 rolled again": (4, lambda a, b, c, d: a + b if a + b >= 7 else c + d),
}
"""A roll's dice, and what is read from them."""


@pytest.mark.parametrize("roll", DISTRIBUTIONS)
def test_dice_have_their_exact_distribution(roll: str) -> None:
    """32. The generator was suspected; a change of meaning skewed odds. wesnoth #11475, #11408

    Given what a roll is read as, when 100,000 of it fall at as many addresses, then they fit the
    weights of all faces counted out. (Rolls of the rules: tests/odds, by every face as well.)
    """
    count, read_as = DISTRIBUTIONS[roll]
    weights = Counter(read_as(*faces) for faces in product(FACES, repeat=count))
    counts = Counter(
        read_as(*dice_at(KEY, [n // 5000, roll, n % 5000], 0, count)) for n in range(100_000)
    )
    assert misfit(counts, dict(weights)) > RISK
    # and a die that is loaded one time in twenty would be seen
    loaded = Counter(
        read_as(*(min(6, face + (n % 20 == 0)) for face in dice_at(KEY, [n], 0, count)))
        for n in range(100_000)
    )
    assert misfit(loaded, dict(weights)) < RISK


@pytest.mark.parametrize("sides", [2, 3, 6, 10])
def test_every_face_has_exactly_as_many_words_as_any_other(
    sides: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """32. The same by proof: no face is favoured by the way words become faces.

    Given the first and last words there are, when dice are made of them, then those below the
    largest multiple of the sides give the faces in turn, and those above are drawn again.
    """
    limit = 2**64 // sides * sides
    again = 5

    def face_of(word: int) -> int:
        def block(key: bytes, address: Any, index: int, attempt: int) -> bytes:
            return (word if attempt == 0 else again).to_bytes(8, "big") * 8

        monkeypatch.setattr(dice_module, "_block", block)
        return die(KEY, [], 0, sides)

    words = [*range(40), *range(limit - 40, limit)]
    assert [face_of(word) for word in words] == [word % sides + 1 for word in words]
    for word in range(limit, 2**64):
        assert face_of(word) == again % sides + 1
    assert limit % sides == 0 and 2**64 - limit < sides


@pytest.mark.parametrize(("purpose", "count"), [("charge range", 2), ("scatter", 2), ("morale", 3)])
def test_the_odds_walked_are_those_of_all_faces_counted(purpose: str, count: int) -> None:
    """32. The same of odds: sums, and rolls whose order matters (D66, scatter), walked exactly."""
    read_as: Any = sorted if purpose != "scatter" else tuple
    counted = Counter(tuple(read_as(faces)) for faces in product(FACES, repeat=count))

    def rolled(dice: Any) -> tuple[int, ...]:
        return tuple(read_as(dice.faces(None, Roll(purpose, count), 0)))

    walked = outcomes(rolled, key=lambda faces: faces)
    assert walked == {faces: Fraction(n, 6**count) for faces, n in counted.items()}


@every_kind
def test_luck_is_an_exact_percentile_and_silent_below_thirty_dice(kind: str) -> None:
    """39. Statistics coloured dice good or bad whatever their number. vasl #1046

    Given any game, when a player's luck is told, then below thirty dice with a stated need there
    is none; from thirty on it is the exact share of all outcomes below his, in whole per mille.
    """
    with opened(kind) as (_, game):
        log = dice_log(game.history.facts())
        for side in ("red", "blue"):
            told = luck(log, side)  # type: ignore[arg-type]
            needs = Counter(
                Fraction(min(max(roll.sides - roll.need + 1, 0), roll.sides), roll.sides)
                for roll in log
                if roll.player == side and roll.need
                for _ in roll.faces
            )
            assert told.dice == needs.total()
            if needs.total() < FEWEST == 30:
                assert told.per_mille is None
                continue
            chances = [Fraction(1)]
            for chance, dice in needs.items():
                one = [
                    comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(dice + 1)
                ]
                before, chances = chances, [Fraction(0)] * (len(chances) + dice)
                for i, k in product(range(len(before)), range(dice + 1)):
                    chances[i + k] += before[i] * one[k]
            below = sum(chances[: told.passed], Fraction(0)) + chances[told.passed] / 2
            assert told.per_mille == int(1000 * below + Fraction(1, 2))
