"""Every edit of an exported game is found, or changes nothing: the table of `replay/TRUST.md`."""

from __future__ import annotations

import gzip
from random import Random

import pytest

from events.errors import LedgerError
from events.ledger import Ledger
from events.steps import check_chain
from replay.exchange import Parcel, check, pack, parse, unpack
from replay.verify import Report, Verdict
from tests.properties.kit import forged, new_game, play_on


def small_file() -> bytes:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, units=1), Random(3), 4)
        game.undo()
        play_on(game, Random(4), 2)
        return pack("g", ledger.read("g"))


FILE = small_file()
LINES = gzip.decompress(FILE).splitlines(keepends=True)
ROWS = LINES[1:-1]
PARCEL = unpack(FILE, "g.wl")


def verdict(lines: list[bytes]) -> Verdict | str:
    """Return what an edited file comes to when it is opened: a refusal, or the verdict."""
    try:
        return full_check(parse(b"".join(lines), "g.wl")).verdict
    except LedgerError as refused:
        return refused.reason


def full_check(parcel: Parcel) -> Report:
    """Check a file; where a chain is broken already, without running the rules up to there."""
    header, rows, trailer = parcel
    fault = check_chain(header.game, rows, trailer.chain)
    if fault is not None:
        return Report(header.game, Verdict.DIVERGED, fault.n - 1, 0, fault.reason, fault.n)
    return check(parcel)


def test_the_file_as_written_passes() -> None:
    assert verdict(LINES) is Verdict.EXACT
    assert check(PARCEL).steps == len(ROWS)


@pytest.mark.parametrize("mask", [0x01, 0x04, 0x20, 0x80])
def test_a_flipped_bit_of_the_packed_file_is_found_or_changes_nothing(mask: int) -> None:
    unseen = 0
    for place in range(len(FILE)):
        flipped = bytearray(FILE)
        flipped[place] ^= mask
        try:
            parcel = unpack(bytes(flipped), "g.wl")
        except LedgerError as refused:
            assert "\n" not in str(refused)
            continue
        # the time and the system in gzip's own header are nobody's business
        assert parcel == PARCEL, place
        unseen += 1
    assert unseen < 10


@pytest.mark.parametrize(("mask", "stride"), [(0x01, 1), (0x10, 7)])
def test_a_flipped_bit_of_any_line_is_found_though_it_was_packed_again(
    mask: int, stride: int
) -> None:
    engine = LINES[0].index(b'"engine":"') + len(b'"engine":"')
    trusted = range(engine, LINES[0].index(b'"', engine))
    for n, line in enumerate(LINES):
        for place in range(0, len(line), stride):
            if n == 0 and place in trusted:
                continue  # the engine's version is taken on trust: nothing depends on it
            changed = bytearray(line)
            changed[place] ^= mask
            edited = [*LINES[:n], bytes(changed), *LINES[n + 1 :]]
            assert verdict(edited) is not Verdict.EXACT, (n, place)


def test_a_broken_chain_is_diverged_at_its_step_whatever_was_changed() -> None:
    for n, row in enumerate(ROWS, 1):
        place = row.index(b'"schema"') - 5
        changed = bytearray(row)
        changed[place] ^= 0x01
        report = check(unpack(packed([*ROWS[: n - 1], bytes(changed), *ROWS[n:]]), "g.wl"))
        assert (report.verdict, report.step) == (Verdict.DIVERGED, n)


def packed(rows: list[bytes]) -> bytes:
    return gzip.compress(b"".join([LINES[0], *rows, LINES[-1]]))


@pytest.mark.parametrize("n", range(len(LINES)))
def test_a_dropped_line_is_found(n: int) -> None:
    assert verdict(LINES[:n] + LINES[n + 1 :]) is not Verdict.EXACT


@pytest.mark.parametrize("n", range(len(LINES) - 1))
def test_two_swapped_lines_are_found(n: int) -> None:
    assert verdict([*LINES[:n], LINES[n + 1], LINES[n], *LINES[n + 2 :]]) is not Verdict.EXACT


@pytest.mark.parametrize("n", range(len(LINES) + 1))
@pytest.mark.parametrize("m", range(len(LINES)))
def test_an_inserted_line_is_found(n: int, m: int) -> None:
    assert verdict([*LINES[:n], LINES[m], *LINES[n:]]) is not Verdict.EXACT


@pytest.mark.parametrize("kept", range(len(ROWS)))
def test_a_cut_tail_is_found_by_the_trailer(kept: int) -> None:
    # whether the trailer's count is left, or made to fit
    assert verdict([LINES[0], *ROWS[:kept], LINES[-1]]) is not Verdict.EXACT
    fitted = LINES[-1].replace(b'"steps":%d' % len(ROWS), b'"steps":%d' % kept)
    assert verdict([LINES[0], *ROWS[:kept], fitted]) is not Verdict.EXACT


@pytest.mark.parametrize("kept", range(0, len(FILE), 7))
def test_a_file_cut_anywhere_is_refused(kept: int) -> None:
    with pytest.raises(LedgerError, match=r"cut short|packed by gzip"):
        unpack(FILE[:kept], "g.wl")


def test_what_nobody_can_see_in_one_file_alone() -> None:
    """A shorter game with a trailer of its own passes: the other player's head tells."""
    steps = [row for row in PARCEL.rows if hasattr(row, "chain")]
    # given a file cut by a forger who has our code: he writes header and trailer, too
    shorter = unpack(pack("g", forged(steps[:-2])), "g.wl")
    assert check(shorter).verdict is Verdict.EXACT
    # then only the digest that the other player wrote down is another
    assert shorter.trailer.chain != PARCEL.trailer.chain
