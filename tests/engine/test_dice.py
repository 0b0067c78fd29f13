"""Dice by address: fair, without order or memory, and the same for ever. [P10]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.dice as dice_module
from engine.ask import Roll
from engine.dice import (
    ALGORITHM,
    RecordedDice,
    ScriptedDice,
    SeededDice,
    address_of,
    check_faces,
    dice_at,
    die,
    key_of,
    rolled,
)
from events.errors import DiceError
from events.game import DiceRolled
from events.ledger import Ledger
from events.values import Table
from projections.battle import Battle, Clock, Settings
from projections.reducers.game import dice_rolled, dice_so_far
from tests.properties.kit import new_game, play_on

KEY = key_of("a seed")
ADDRESS = [1, "red", "shooting", 0, "boyz", "slugga", "to hit", "", 0]
BATTLE = Battle(Settings("40k-7e", "seeded", ALGORITHM, "free", "same"), Table())

# Chi-square bounds, computed once: exceeded by a fair die once in 10**4 tries. As the dice are
# fixed by their addresses, each of these tests has one outcome for ever.
BOUND = {2: 18.421, 5: 25.745, 9: 33.720, 35: 74.926}
"""Degrees of freedom to the 0.9999 quantile of the chi-square distribution."""


def chi_square(counts: Counter[object], outcomes: int) -> float:
    """Return the chi-square statistic of counts against equally likely outcomes."""
    expected = sum(counts.values()) / outcomes
    seen = sum((count - expected) ** 2 for count in counts.values())
    return (seen + (outcomes - len(counts)) * expected**2) / expected


def pairs(faces: Sequence[int]) -> Counter[object]:
    """Count the pairs of a first and a second die; no die is in two of them."""
    return Counter(zip(faces[::2], faces[1::2], strict=True))


def addresses(n: int) -> Iterator[list[str | int]]:
    """Yield different addresses of the kind a game has."""
    units = [f"unit-{k}" for k in range(25)]
    for k in range(n):
        side, phase = ("red", "blue")[k % 2], ("shooting", "assault")[k // 2 % 2]
        yield [k // 1000, side, phase, k // 4 % 10, units[k // 40 % 25], "gun", "to hit", "", 0]


def test_the_first_dice_at_100_000_addresses_are_uniform() -> None:
    counts: Counter[object] = Counter(die(KEY, address, 0) for address in addresses(100_000))
    assert sum(counts.values()) == 100_000
    assert chi_square(counts, 6) < BOUND[5]


def test_the_first_dice_at_neighbouring_addresses_are_independent() -> None:
    faces = [die(KEY, address, 0) for address in addresses(100_000)]
    assert chi_square(pairs(faces), 36) < BOUND[35]


def test_dice_in_a_row_at_one_address_are_uniform_and_independent() -> None:
    faces = dice_at(KEY, ADDRESS, 0, 100_000)
    assert chi_square(Counter(faces), 6) < BOUND[5]
    assert chi_square(pairs(faces), 36) < BOUND[35]


@pytest.mark.parametrize("sides", [3, 10])
def test_other_dice_are_uniform_too(sides: int) -> None:
    faces = dice_at(KEY, ADDRESS, 0, 50_000, sides)
    assert set(faces) == set(range(1, sides + 1))
    assert chi_square(Counter(faces), sides) < BOUND[sides - 1]


def test_a_loaded_die_would_be_seen() -> None:
    faces = [
        min(6, face + (n % 50 == 0)) for n, face in enumerate(dice_at(KEY, ADDRESS, 0, 100000))
    ]
    assert chi_square(Counter(faces), 6) > BOUND[5]


FIELD = st.one_of(st.integers(0, 9), st.sampled_from(["", "red", "boyz", "to hit"]))


@given(
    st.lists(FIELD, min_size=9, max_size=9),
    st.integers(0, 40),
    st.integers(0, 40),
    st.sampled_from([2, 3, 6, 20]),
)
def test_a_batch_is_the_same_as_one_by_one(
    address: list[str | int], ordinal: int, count: int, sides: int
) -> None:
    batch = dice_at(KEY, address, ordinal, count, sides)
    assert batch == tuple(die(KEY, address, n, sides) for n in range(ordinal, ordinal + count))
    assert all(1 <= face <= sides for face in batch)


def test_the_order_of_rolling_changes_no_die() -> None:
    # given forty rolls of a phase at twenty addresses
    dice = SeededDice("a seed")
    rolls = [Roll("to hit", 1 + n % 3, subject=f"unit-{n % 20}") for n in range(40)]

    def faces_in(order: list[Roll]) -> dict[str, tuple[int, ...]]:
        battle, found = BATTLE, dict.fromkeys((r.subject for r in order), ())
        for roll in order:
            ordinal = dice_so_far(battle, roll)
            faces = dice.faces(battle, roll, ordinal)
            battle = dice_rolled(battle, rolled(roll, ordinal, dice, faces))
            found[roll.subject] += faces
        return found

    # when they are rolled in another order, then every unit rolls the same faces
    shuffled = rolls[:]
    Random(1).shuffle(shuffled)
    assert faces_in(shuffled) == faces_in(rolls)
    # and when one is left out or put in, every other unit does
    more = faces_in([Roll("to wound", 5, subject="stranger"), *rolls[1:]])
    first = rolls[0].subject
    assert {u: f for u, f in more.items() if u not in (first, "stranger")} == {
        u: f for u, f in faces_in(rolls).items() if u != first
    }


@given(st.integers(0, 8))
def test_every_part_of_an_address_matters(part: int) -> None:
    other = ADDRESS[:]
    other[part] = f"{other[part]}x"
    assert dice_at(KEY, other, 0, 40) != dice_at(KEY, ADDRESS, 0, 40)
    assert dice_at(key_of("b seed"), ADDRESS, 0, 40) != dice_at(KEY, ADDRESS, 0, 40)


def test_what_a_roll_is_for_is_its_address() -> None:
    roll = Roll("to wound", 3, subject="boyz", opponent="warriors", weapon="slugga", step=4)
    clock = Clock(2, "blue", "red", "assault")
    assert address_of(clock, roll, 7) == [
        *(2, "blue", "assault"),
        *(4, "boyz", "slugga", "to wound", "warriors", 7),
    ]


def test_the_algorithm_is_pinned_under_its_name() -> None:
    # These values never change: another algorithm gets another name, and old games keep theirs.
    assert ALGORITHM == "blake2b-address/1"
    assert key_of("a seed").hex()[:32] == "4468a0e3a5880ea5edd88bc004900d75"
    assert dice_at(KEY, ADDRESS, 0, 12) == (6, 6, 6, 3, 2, 4, 2, 4, 6, 1, 3, 1)
    assert dice_at(KEY, ADDRESS, 1000, 5) == (2, 4, 1, 5, 3)
    assert dice_at(KEY, [], 0, 8, 100) == (86, 19, 24, 3, 52, 3, 27, 89)


def test_a_word_that_would_favour_low_faces_is_drawn_again(monkeypatch: Any) -> None:
    # given a block whose second word is the highest, which happens once in 10**18
    real, attempts = dice_module._block, []

    def block(key: bytes, address: Sequence[str | int], index: int, attempt: int) -> bytes:
        attempts.append(attempt)
        data = real(key, address, index, attempt)
        return data[:8] + b"\xff" * 8 + data[16:] if attempt == 0 else data

    monkeypatch.setattr(dice_module, "_block", block)
    faces = dice_at(KEY, ADDRESS, 0, 3)
    # then the next block decides, for that die alone
    assert attempts == [0, 1]
    again = int.from_bytes(real(KEY, ADDRESS, 0, 1)[8:16], "big") % 6 + 1
    assert faces == (6, again, 6)


def test_scripted_dice_are_used_in_order_and_up() -> None:
    dice = ScriptedDice([1, 2, 3, 4])
    assert dice.faces(BATTLE, Roll("to hit", 3), 0) == (1, 2, 3)
    with pytest.raises(DiceError, match=r"1 scripted dice left over: \[4\]"):
        dice.exhausted()
    assert dice.faces(BATTLE, Roll("to wound"), 0) == (4,)
    dice.exhausted()


def test_scripted_dice_that_run_out_say_what_was_rolled() -> None:
    dice = ScriptedDice([1, 2])
    dice.faces(BATTLE, Roll("to hit"), 0)
    with pytest.raises(DiceError) as short:
        dice.faces(BATTLE, Roll("to wound", 3, need=4, subject="boyz"), 0)
    assert "3D6 to wound (boyz, 4+) needs 3 scripted dice and 1 are left (after 1)" in str(
        short.value
    )


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_the_die_has_not_is_refused(face: int) -> None:
    with pytest.raises(DiceError, match="a D6 shows 1 to 6"):
        ScriptedDice([face]).faces(BATTLE, Roll("to hit"), 0)


@pytest.mark.parametrize("faces", [(), (1,), (1, 2, 3)])
def test_a_wrong_number_of_dice_is_refused(faces: tuple[int, ...]) -> None:
    with pytest.raises(DiceError, match="2 dice to roll, "):
        check_faces("to hit", faces, 2, 6)


def test_recorded_dice_come_with_the_source_and_salt_they_had() -> None:
    first, second = DiceRolled("a", (3,), salt=9), DiceRolled("b", (4,), source="scripted")
    dice = RecordedDice([first, None, second])
    assert dice.faces(BATTLE, Roll("a"), 0) == (3,) and dice.salt == 9
    assert dice.faces(BATTLE, Roll("b"), 0) is None
    assert dice.faces(BATTLE, Roll("b"), 0) == (4,)
    assert (dice.source, dice.salt) == ("scripted", 0)
    assert dice.faces(BATTLE, Roll("c"), 0) is None


def test_what_succeeded_is_counted_only_where_a_face_is_needed() -> None:
    dice = SeededDice("")
    assert rolled(Roll("to hit", 4, need=3), 0, dice, (2, 3, 4, 1)).passed == 2
    assert rolled(Roll("charge distance", 2), 0, dice, (6, 6)).passed == 0


def test_dice_are_counted_at_their_address_until_the_phase_ends() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, "4", 3), Random(4))
        # given every roll of a game, phase by phase
        seen: dict[tuple[object, ...], int] = {}
        again = 0
        for _, event in game.history.facts():
            if type(event).__name__ == "PhaseStarted":
                seen = {}
            if isinstance(event, DiceRolled):
                at = (event.step, event.subject, event.weapon, event.purpose, event.opponent)
                # then a roll's ordinal is the number of dice that fell there before it
                assert event.ordinal == seen.get(at, 0)
                seen[at] = event.ordinal + len(event.faces)
                again += event.ordinal > 0
        assert again


def test_the_seeded_faces_of_a_game_are_those_of_its_addresses() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, "4", 3), Random(4))
        assert any(node.rolled for node in game.history.path()[1:])
        for node in game.history.path()[1:]:
            for event in node.events:
                if isinstance(event, DiceRolled):
                    assert event.source == "seeded"
                    assert len(event.faces) >= 1, "a roll of no dice makes no event"
                    assert event.passed == sum(f >= event.need > 0 for f in event.faces)
