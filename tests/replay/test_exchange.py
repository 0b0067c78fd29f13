"""A game as a file: out, in, and out again; what is no such file is refused in one line."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import zlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.game import Game
from events.errors import LedgerError
from events.game import GameCreated
from events.ledger import Ledger
from projections.digest import digest
from replay import exchange
from replay.exchange import (
    FORMAT,
    Admission,
    Admitted,
    admit,
    check,
    export,
    export_sound,
    look,
    pack,
    read,
    sound_steps,
    unpack,
)
from replay.fork import fork
from replay.verify import Verdict, verify
from tests.properties.kit import clock, forged, new_game, play_on, rows_of


def small_game(ledger: Ledger, seed: int = 3) -> Game:
    """Return a game of a dozen steps with an undone one, a branch and a note."""
    game = play_on(new_game(ledger, str(seed), units=1), random.Random(seed), 6)
    game.undo()
    game.note("dés \u2684, \nnew line", by="red")
    return play_on(game, random.Random(seed + 1), 4)


def lines_of(data: bytes) -> list[bytes]:
    return gzip.decompress(data).splitlines()


def packed(*lines: bytes) -> bytes:
    return gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0)


def test_one_export_gives_everything_and_import_reproduces_the_digest_elsewhere(
    tmp_path: Path,
) -> None:
    """terraforming-mars #2553, ArkhamHorror #2404: the file has it all, from the first event."""
    file, again = tmp_path / "g.wl", tmp_path / "again.wl"
    with Ledger.memory() as here, Ledger.memory() as there:
        # given an exported game
        game = small_game(here)
        trailer = export(here, "g", file)
        assert (trailer.steps, trailer.chain) == (game.version, game.chain)
        # when it is opened in another ledger
        report, admission, here_before = admit(there, read(file))
        # then it was executed again, and every row is the very same
        assert (report.verdict, admission, here_before) == (Verdict.EXACT, Admission.ADOPTED, 0)
        assert rows_of(there) == rows_of(here)
        opened = Game.open(there, "g")
        assert digest(opened.battle) == digest(game.battle)
        assert isinstance(opened.history.path()[0].events[0], GameCreated)
        # and exporting it there gives the same file
        export(there, "g", again)
        assert again.read_bytes() == file.read_bytes()
        # and opening it a second time changes nothing
        assert admit(there, read(file))[1] is Admission.PRESENT
        # and play goes on
        play_on(opened, random.Random(1), 3)


def test_ordinary_tools_read_the_file(tmp_path: Path) -> None:
    file = tmp_path / "g.wl"
    with Ledger.memory() as ledger:
        small_game(ledger)
        export(ledger, "g", file)
        text = subprocess.run(["gzip", "-dc"], input=file.read_bytes(), capture_output=True).stdout
        header, *rows, trailer = map(json.loads, text.splitlines())
        # then the header names every version, the rows are those stored, the trailer counts them
        assert (header["warledger"], header["game"], header["rules"]) == (FORMAT, "g", 1)
        assert "game_created/2" in header["events"] and "undone/1" in header["events"]
        assert header["events"] == sorted(header["events"])
        assert text.splitlines()[1:-1] == rows_of(ledger)
        assert trailer == {"steps": len(rows), "chain": rows[-1]["chain"]}
        # and packed again by such a tool it is still the same game
        repacked = subprocess.run(["gzip", "-1"], input=text, capture_output=True).stdout
        assert unpack(repacked, "g") == read(file)


def test_a_fork_travels_with_its_ancestry() -> None:
    with Ledger.memory() as here, Ledger.memory() as there:
        forked = fork(here, small_game(here), 4, game="f", seed="other", now=clock())
        play_on(forked, random.Random(1), 5)
        assert admit(there, unpack(pack("f", here.read("f")), "f.wl"))[1] is Admission.ADOPTED
        assert [o.game for o in Game.open(there, "f").history.origins.values()] == ["g"]


def test_a_file_that_does_not_pass_is_for_looking_only_and_only_as_far_as_it_holds() -> None:
    with Ledger.memory() as here, Ledger.memory() as there, Ledger.memory() as apart:
        # given a file by a forger who has our code and turned a die
        game = play_on(new_game(here), random.Random(3), 60)
        steps = here.read("g")
        at = next(n for n, step in enumerate(steps) if n and b'"faces":[' in step.events)
        die = steps[at].events.index(b'"faces":[') + len(b'"faces":[')
        turned = bytearray(steps[at].events)
        turned[die : die + 1] = b"1" if turned[die : die + 1] != b"1" else b"6"
        steps[at] = replace(steps[at], events=bytes(turned))
        parcel = unpack(pack("g", forged(steps)), "g.wl")
        # when it is opened
        report, admission, _ = admit(there, parcel)
        # then the step is named, nothing is stored
        assert (report.verdict, report.step) == (Verdict.DIVERGED, at + 1)
        assert admission is Admission.REFUSED and there.games() == {}
        # and the steps before it can be looked at, if there are any
        seen = look(apart, parcel, report)
        assert seen.version == at and seen.battle == game.at(at)


def test_the_steps_that_hold_are_those_before_what_verify_names(tmp_path: Path) -> None:
    with Ledger.memory() as here, Ledger.memory() as damaged, Ledger.memory() as there:
        # given a fork, and a forger's chain over a die that he turned in its copied part
        game = play_on(new_game(here), random.Random(3), 60)
        play_on(fork(here, game, 40, game="f", seed="s", now=clock()), random.Random(1), 5)
        steps = here.read("f")
        at = max(n for n, step in enumerate(steps) if n < 40 and b'"faces":[' in step.events)
        die = steps[at].events.index(b'"faces":[') + len(b'"faces":[')
        turned = bytearray(steps[at].events)
        turned[die : die + 1] = b"1" if turned[die : die + 1] != b"1" else b"6"
        steps[at] = replace(steps[at], events=bytes(turned))
        damaged.adopt("f", forged(steps, "f"))
        # when what holds is exported
        held, report = sound_steps(damaged, "f")
        trailer, rows = export_sound(damaged, "f", tmp_path / "f.wl")
        # then it is all before that step, as it was, and is let in elsewhere
        assert (report.verdict, report.step) == (Verdict.DIVERGED, at + 1)
        assert held == here.read("f")[:at] and (trailer.steps, rows) == (at, len(steps))
        assert admit(there, read(tmp_path / "f.wl"))[1] is Admission.ADOPTED


def test_a_sound_file_can_be_looked_at_without_taking_it_in() -> None:
    with Ledger.memory() as here, Ledger.memory() as apart:
        game = small_game(here)
        parcel = unpack(pack("g", here.read("g")), "g.wl")
        assert look(apart, parcel, check(parcel)).battle == game.battle


def sent(here: Ledger, there: Ledger, game: str = "g") -> Admitted:
    """Export a game from one ledger and open it in another."""
    return admit(there, unpack(pack(game, here.read(game)), f"{game}.wl"))


def test_two_players_apart_play_one_game_by_sending_it_to_and_fro() -> None:
    with Ledger.memory() as ann, Ledger.memory() as bob:
        # given a game of Ann's that Bob has opened
        small_game(ann)
        assert sent(ann, bob)[1:] == (Admission.ADOPTED, 0)
        chance = random.Random(5)
        for sender, receiver in [(bob, ann), (ann, bob), (bob, ann), (ann, bob)]:
            # when one plays on, takes steps back, and sends it
            had = len(receiver.read("g"))
            mover = Game.open(sender, "g", now=clock())
            play_on(mover, chance, 6)
            mover.undo()
            mover.note("your turn", by="blue")
            play_on(mover, chance, 2)
            # then the other takes up what is new, and both have the very same rows
            assert sent(sender, receiver)[1:] == (Admission.TAKEN_UP, had)
            assert len(receiver.read("g")) > had
            assert rows_of(receiver) == rows_of(sender)
        # and what they ended with is one game, exact
        assert verify(ann, "g").verdict is verify(bob, "g").verdict is Verdict.EXACT


def test_an_open_game_takes_up_what_came_by_a_file() -> None:
    with Ledger.memory() as ann, Ledger.memory() as bob:
        held = small_game(ann)
        sent(ann, bob)
        moved = play_on(Game.open(bob, "g", now=clock()), random.Random(1), 3)
        sent(bob, ann)
        held.refresh()
        assert (held.step, held.chain, held.battle) == (moved.step, moved.chain, moved.battle)


def test_a_shorter_copy_changes_nothing() -> None:
    with Ledger.memory() as here, Ledger.memory() as there:
        game = small_game(there)
        rows = rows_of(there)
        early = unpack(pack("g", there.read("g")[:5]), "g.wl")
        assert admit(there, early)[1:] == (Admission.PRESENT, game.version)
        assert rows_of(there) == rows
        # and a ledger that has only that much takes up the rest
        assert admit(here, early).admission is Admission.ADOPTED
        assert sent(there, here)[1:] == (Admission.TAKEN_UP, 5)
        assert rows_of(here) == rows


def test_two_copies_that_were_both_played_on_are_refused_at_the_step_they_part() -> None:
    with Ledger.memory() as ann, Ledger.memory() as bob:
        game = small_game(ann)
        sent(ann, bob)
        parted = game.version + 1
        play_on(game, random.Random(1), 2)
        longer = Game.open(bob, "g", now=clock())
        longer.note("I was here", by="blue")
        play_on(longer, random.Random(2), 6)
        before = rows_of(ann), rows_of(bob)
        for sender, receiver in ((ann, bob), (bob, ann)):
            with pytest.raises(LedgerError, match=f"g step {parted}: .* played on from step"):
                sent(sender, receiver)
        assert (rows_of(ann), rows_of(bob)) == before


def test_a_step_that_the_other_has_seen_can_not_be_changed_by_a_longer_copy() -> None:
    with Ledger.memory() as ann, Ledger.memory() as bob:
        # given that Bob, who has our code, makes another choice at a step that Ann has
        game = small_game(ann)
        sent(ann, bob)
        bob_game = Game.open(bob, "g", now=clock())
        play_on(bob_game, random.Random(2), 4)
        with Ledger.memory() as forger:
            forger.adopt("g", ann.read("g")[: game.version - 2])
            play_on(Game.open(forger, "g", now=clock()), random.Random(9), 9)
            assert verify(forger, "g").verdict is Verdict.EXACT
            rows = rows_of(ann)
            with pytest.raises(LedgerError, match=f"g step {game.version - 1}: "):
                sent(forger, ann)
            assert rows_of(ann) == rows


def test_the_times_of_steps_that_the_other_has_can_not_be_changed_either() -> None:
    with Ledger.memory() as ann, Ledger.memory() as bob:
        small_game(ann)
        sent(ann, bob)
        play_on(Game.open(bob, "g", now=clock()), random.Random(2), 2)
        # given rows sealed anew with another time in the third
        steps = bob.read("g")
        steps[2] = replace(steps[2], meta=b'{"at":1}')
        resealed = forged(steps)
        with pytest.raises(LedgerError, match=r"g step 3: .* not who answered and when"):
            admit(ann, unpack(pack("g", resealed), "g.wl"))


def test_a_longer_copy_that_does_not_pass_leaves_the_game_as_it_was() -> None:
    with Ledger.memory() as ann, Ledger.memory() as bob:
        game = small_game(ann)
        sent(ann, bob)
        play_on(Game.open(bob, "g", now=clock()), random.Random(2), 2)
        steps = bob.read("g")
        steps[-1] = replace(steps[-1], state="0" * len(steps[-1].state))
        report, admission, here = admit(ann, unpack(pack("g", forged(steps)), "g.wl"))
        assert (report.verdict, report.step) == (Verdict.DIVERGED, len(steps))
        assert (admission, here) == (Admission.REFUSED, game.version)
        assert len(ann.read("g")) == game.version


def test_another_game_of_that_id_is_never_written_over() -> None:
    with Ledger.memory() as here, Ledger.memory() as there:
        small_game(here)
        small_game(there, seed=4)
        rows = rows_of(there)
        with pytest.raises(LedgerError, match="g step 1: the ledger has another game of this id"):
            sent(here, there)
        assert rows_of(there) == rows


FOREIGN = {
    "empty": (b"", "packed by gzip"),
    "zip": (b"PK\x03\x04 a roster", "packed by gzip"),
    "plain": (b'{"warledger":1}\n', "packed by gzip"),
    "nothing": (packed(), "no header, steps and trailer"),
    "two lines": (packed(b"a", b"b"), "no header, steps and trailer"),
    "words": (packed(b"a", b"b", b"c"), ":1: no header of an exported game"),
    "list": (packed(b"[1]", b"{}", b"{}"), ":1: no header of an exported game"),
    "other keys": (packed(b'{"name":"x"}', b"{}", b"{}"), ":1: no header of an exported game"),
    "no text": (packed(b"\xff\xfe", b"{}", b"{}"), ":1: no header of an exported game"),
    "bare": (packed(b'{"warledger":1}', b"{}", b"{}"), ":1: no header of an exported game"),
    "open end": (gzip.compress(b"{}\n{}\n{}\n{}", mtime=0), "no header, steps and trailer"),
}


@pytest.mark.parametrize(("data", "reason"), FOREIGN.values(), ids=FOREIGN.keys())
def test_a_foreign_file_is_one_clear_error(data: bytes, reason: str) -> None:
    with pytest.raises(LedgerError, match=reason) as refused:
        unpack(data, "x.wl")
    assert str(refused.value).startswith("x.wl") and "\n" not in str(refused.value)


def edited(key: str, value: object) -> bytes:
    """Return a small game's file with one value of its header changed."""
    with Ledger.memory() as ledger:
        small_game(ledger)
        header, *rest = lines_of(pack("g", ledger.read("g")))
    changed = {**json.loads(header), key: value}
    return packed(json.dumps(changed).encode(), *rest)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("warledger", 2, r"in format 2; this is engine \S+ and reads format 1"),
        ("events", ["teleported/1"], r"not known here \(teleported/1\); this is engine"),
        ("schema", 99, r"wrote state schema 99; this is engine \S+ and reads up to"),
        ("game", "*games", "x.wl: game id .*: it must "),
        ("game", "a\x1b[31m", "x.wl: game id .*: it must "),
        ("game", "", "x.wl: game id .*: it must "),
    ],
)
def test_a_file_of_another_version_is_refused_naming_both(
    key: str, value: object, reason: str
) -> None:
    """MegaMek #6355, triplea #12721: it loads, or the message names both versions."""
    with pytest.raises(LedgerError, match=reason):
        unpack(edited(key, value), "x.wl")


@pytest.mark.parametrize(
    ("key", "value"), [("rules", 7), ("ruleset", "chess"), ("events", []), ("schema", 0)]
)
def test_a_header_that_says_other_than_the_rows_does_not_pass(key: str, value: object) -> None:
    assert check(unpack(edited(key, value), "x.wl")).verdict is Verdict.DIVERGED


def test_a_file_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MOST_BYTES", 1 << 20)
    bomb = gzip.compress(bytes(1 << 24))
    with pytest.raises(LedgerError, match="unpacks to more than 1 MB"):
        unpack(bomb, "x.wl")
    assert len(bomb) < 1 << 15


def test_a_row_nested_without_end_is_a_bad_row() -> None:
    with Ledger.memory() as ledger:
        small_game(ledger)
        header, first, *rest = lines_of(pack("g", ledger.read("g")))
    deep = b"[" * 100_000 + b"]" * 100_000
    row = first[: first.index(b"[")] + deep + first[first.rindex(b',"state"') :]
    report = check(unpack(packed(header, row, *rest), "x.wl"))
    assert (report.verdict, report.step) == (Verdict.DIVERGED, 1)
    with Ledger.memory() as apart, pytest.raises(LedgerError, match="no step of it holds"):
        look(apart, unpack(packed(header, row, *rest), "x.wl"), report)


def test_a_file_that_is_not_there_or_can_not_be_written_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="can't be read: No such file"):
        read(tmp_path / "none.wl")
    with pytest.raises(LedgerError, match="can't be read: Is a directory"):
        read(tmp_path)
    with Ledger.memory() as ledger:
        small_game(ledger)
        with pytest.raises(LedgerError, match="can't be written: No such file"):
            export(ledger, "g", tmp_path / "none" / "g.wl")
        with pytest.raises(LedgerError, match="no game with this id"):
            export(ledger, "h", tmp_path / "h.wl")


def test_bytes_after_the_end_are_refused() -> None:
    with Ledger.memory() as ledger:
        small_game(ledger)
        data = pack("g", ledger.read("g"))
    with pytest.raises(LedgerError, match="5 bytes follow its end"):
        unpack(data + b"extra", "x.wl")
    with pytest.raises(LedgerError, match="20 bytes follow its end"):
        unpack(data + zlib.compress(b"", wbits=31), "x.wl")
