"""A changed, dropped, inserted or swapped stored byte is found, and its step is named. [P4]"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.steps import (
    BadRow,
    Fault,
    Meta,
    Step,
    chain_link,
    check_chain,
    decode_row,
    encode_row,
    genesis,
    next_step,
    seal_link,
)

GAME = "prologue"


def stream(*texts: str, game: str = GAME) -> list[Step]:
    steps: list[Step] = []
    for at, text in enumerate(texts):
        events = b'[{"type":"noted/1","text":"%b"}]' % text.encode()
        meta = Meta(at, "ann", f"r{at}")
        last = steps[-1] if steps else None
        steps.append(next_step(game, last, events, f"{at:040x}", 1, meta))
    return steps


STEPS = stream("one", "two", "thr\u00e9e", "four")
ROWS = [encode_row(step) for step in STEPS]
HEAD = STEPS[-1].chain


def verdict(rows: list[bytes], head: str = "") -> Fault | None:
    return check_chain(GAME, [decode_row(n, row) for n, row in enumerate(rows, 1)], head)


def test_rows_are_read_back_as_written() -> None:
    assert [decode_row(step.n, row) for step, row in zip(STEPS, ROWS, strict=True)] == STEPS
    assert verdict(ROWS, HEAD) is None


@pytest.mark.parametrize("n", range(1, len(ROWS) + 1))
@pytest.mark.parametrize("mask", [0x01, 0x02, 0x10, 0x20, 0x80, 0xFF])
def test_a_changed_byte_is_found_wherever_it_is(n: int, mask: int) -> None:
    row = ROWS[n - 1]
    for place in range(len(row)):
        changed = bytearray(row)
        changed[place] ^= mask
        fault = verdict([*ROWS[: n - 1], bytes(changed), *ROWS[n:]])
        assert fault is not None and fault.n == n, (place, bytes(changed))


@given(
    n=st.integers(1, len(ROWS)),
    cut=st.tuples(st.integers(0, 300), st.integers(0, 300)),
    put=st.one_of(
        st.binary(max_size=4), st.sampled_from([b" ", b"0", b'"x":1,', b"\\u0061", b"[]", b"\n"])
    ),
)
@settings(max_examples=300, deadline=None)
def test_any_other_edit_of_a_row_is_found(n: int, cut: tuple[int, int], put: bytes) -> None:
    row = ROWS[n - 1]
    edited = row[: min(cut)] + put + row[max(cut) :]
    fault = verdict([*ROWS[: n - 1], edited, *ROWS[n:]])
    assert (fault is None) == (edited == row)
    assert fault is None or fault.n == n


@pytest.mark.parametrize(
    "edit",
    [
        lambda row: row.replace(b'"schema":1', b'"schema": 1'),
        lambda row: row.replace(b'"schema":1', b'"schema":1,"schema":1'),
        lambda row: row.replace(b'{"events"', b'{"note":"","events"'),
        lambda row: b" " + row,
        lambda row: row + b"\n",
    ],
    ids=["space", "key twice", "key more", "space before", "newline after"],
)
def test_an_edit_that_leaves_every_value_equal_is_found_too(edit: object) -> None:
    assert callable(edit)
    fault = verdict([ROWS[0], edit(ROWS[1]), *ROWS[2:]])
    assert fault == Fault(2, "decode", "the row is not in the form it was written in")


@pytest.mark.parametrize("n", range(1, len(STEPS)))
def test_a_dropped_step_is_named(n: int) -> None:
    # whether its number is left free
    gone = check_chain(GAME, STEPS[: n - 1] + STEPS[n:])
    assert gone == Fault(n, "number", f"step {n} is expected here, but step {n + 1} is stored")
    # or the others move up
    closed = verdict(ROWS[: n - 1] + ROWS[n:])
    assert closed is not None and (closed.n, closed.kind) == (n, "chain")


@pytest.mark.parametrize("n", range(1, len(ROWS)))
def test_the_first_of_two_swapped_steps_is_named(n: int) -> None:
    rows = [*ROWS[: n - 1], ROWS[n], ROWS[n - 1], *ROWS[n + 1 :]]
    fault = verdict(rows)
    assert fault is not None and (fault.n, fault.kind) == (n, "chain")


@pytest.mark.parametrize("n", range(1, len(ROWS) + 1))
def test_an_inserted_step_is_named_even_with_links_that_fit(n: int) -> None:
    # given a step forged to follow the one before it
    last = STEPS[n - 2] if n > 1 else None
    forged = next_step(GAME, last, b"[]", "f" * 40, 1, Meta(0))
    # when it is put in, and the others move down
    fault = verdict([*ROWS[: n - 1], encode_row(forged), *ROWS[n - 1 :]])
    # then what can't follow it is named
    assert fault is not None and (fault.n, fault.kind) == (n + 1, "chain")
    # and a forged step without fitting links is itself named
    fault = verdict([*ROWS[: n - 1], encode_row(replace(forged, chain=HEAD)), *ROWS[n - 1 :]])
    assert fault is not None and (fault.n, fault.kind) == (n, "chain")


@pytest.mark.parametrize("kept", range(len(STEPS)))
def test_a_cut_tail_shows_only_against_the_head(kept: int) -> None:
    assert check_chain(GAME, STEPS[:kept]) is None
    fault = check_chain(GAME, STEPS[:kept], head=HEAD)
    assert fault is not None and (fault.n, fault.kind) == (kept, "head")
    assert check_chain(GAME, STEPS, head=HEAD) is None


def test_a_recomputed_chain_shows_only_against_the_head() -> None:
    other = stream("one", "two", "three!", "four")
    assert check_chain(GAME, other) is None
    fault = check_chain(GAME, other, head=HEAD)
    assert fault is not None and (fault.n, fault.kind) == (4, "head")


def test_changed_metadata_breaks_the_seal_and_not_the_chain() -> None:
    step = replace(STEPS[1], meta=b'{"at":99,"actor":"eve","request":"r1"}')
    fault = check_chain(GAME, [STEPS[0], step, *STEPS[2:]])
    assert fault is not None and (fault.n, fault.kind) == (2, "seal")


@pytest.mark.parametrize("meta", [b"{}", b"[]", b'{"at":"noon"}', b'{"at":0,"request":5}'])
def test_metadata_that_is_none_is_found_even_with_a_seal_that_fits(meta: bytes) -> None:
    first = replace(STEPS[0], meta=meta, seal=seal_link(genesis(GAME), 1, meta))
    fault = check_chain(GAME, [first])
    assert fault is not None and (fault.n, fault.kind) == (1, "seal")
    assert "metadata can't be read" in fault.reason


def test_metadata_stands_outside_the_chain() -> None:
    """[P4] The same game played at other times by other people has the same head."""
    early = next_step(GAME, None, b"[]", "0d", 1, Meta(1, "ann", "a"))
    later = next_step(GAME, None, b"[]", "0d", 1, Meta(2, "bob", "b"))
    assert early.chain == later.chain
    assert early.seal != later.seal


def test_a_bad_row_is_a_fault_of_its_own_step() -> None:
    fault = check_chain(GAME, [STEPS[0], BadRow(2, "burnt"), *STEPS[2:]])
    assert fault == Fault(2, "decode", "burnt")


@given(
    one=st.tuples(st.text("0a", max_size=3), st.binary(max_size=3), st.text("0a", max_size=3)),
    two=st.tuples(st.text("0a", max_size=3), st.binary(max_size=3), st.text("0a", max_size=3)),
    n=st.tuples(st.integers(1, 12), st.integers(1, 12)),
)
@settings(deadline=None)
def test_links_of_different_steps_differ(
    one: tuple[str, bytes, str], two: tuple[str, bytes, str], n: tuple[int, int]
) -> None:
    """Moving bytes from one part to the next must not give the same digest."""
    links = [chain_link(a, k, b, c, 1) for k, (a, b, c) in zip(n, (one, two), strict=True)]
    assert (links[0] == links[1]) == ((n[0], *one) == (n[1], *two))
    seals = [seal_link(a, k, b) for k, (a, b, _) in zip(n, (one, two), strict=True)]
    assert (seals[0] == seals[1]) == ((n[0], *one[:2]) == (n[1], *two[:2]))


def test_the_links_are_pinned_for_ever() -> None:
    """[P11] A change here would orphan every stored game."""
    step = next_step(GAME, None, b'[{"type":"noted/1"}]', "0d" * 20, 1, Meta(1000, "ann", "r1"))
    assert (step.chain, step.seal) == (
        "b452e268d14cd667c549ca863579e17b02b6d5df",
        "4369702ae2f6023040cd",
    )


def test_a_row_nested_beyond_reading_is_a_bad_row_like_any_other() -> None:
    """[P4] A forged row must never bring the reader down."""
    deep = b'{"events":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    assert isinstance(decode_row(1, deep), BadRow)
