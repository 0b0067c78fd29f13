"""``export`` and ``open``: out of one ledger, into another; exit codes of what doesn't pass."""

from __future__ import annotations

import gzip
import json
import shlex
from pathlib import Path

import pytest

KEYS = "zone south\nauto\nauto\nquit\n"


@pytest.fixture
def exported(call):
    """A small game in one file, the ledger it is from moved away."""
    assert call("play", "--game", "g", "--seed", "1", keys=KEYS).exit_code == 0
    assert "written: g.wl, 4 steps, head " in call("export", "g", "g.wl").stdout
    Path("games.sqlite").rename("theirs.sqlite")
    return call


def test_a_file_is_verified_and_taken_in(exported):
    opened = exported("open", "g.wl")
    assert opened.exit_code == 0
    assert "EXACT g: all 4 steps" in opened.stdout and "adopted: game g" in opened.stdout
    assert exported("export", "g", "again.wl").exit_code == 0
    assert Path("again.wl").read_bytes() == Path("g.wl").read_bytes()
    assert "already here: game g" in exported("open", "g.wl").stdout
    assert exported("resume", "g", keys="quit\n").exit_code == 0


def test_read_only_shows_the_game_and_stores_nothing(exported):
    seen = exported("open", "g.wl", "--read-only")
    assert seen.exit_code == 0
    assert "Emberguard - Ratskar, step 4" in seen.stdout
    assert "nothing was stored" in seen.stdout
    assert not Path("games.sqlite").exists()


def test_a_changed_file_is_refused_with_the_verdict_and_its_code(exported):
    text = gzip.decompress(Path("g.wl").read_bytes())
    lines = text.splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"by":"', b'"by": "')
    Path("bad.wl").write_bytes(gzip.compress(b"".join(lines)))
    refused = exported("open", "bad.wl")
    assert refused.exit_code == 5
    assert "DIVERGED" in refused.stdout and "first difference at step 3" in refused.stdout
    assert "nothing was stored" in refused.stdout
    assert json.loads(exported("games", "--json").stdout) == []
    # as far as it holds it can be looked at
    seen = exported("open", "bad.wl", "--read-only")
    assert seen.exit_code == 5
    assert "step 2" in seen.stdout and "what follows is no fact" in seen.stdout
    told = json.loads(exported("open", "bad.wl", "--json").stdout)
    assert (told["done"], told["report"]["step"]) == ("refused", 3)


@pytest.mark.parametrize("content", [b"", b"<roster/>", gzip.compress(b"{}\n", mtime=0), None])
def test_what_is_no_exported_game_is_one_line(exported, content):
    path = Path("other.wl")
    path.write_bytes(Path("g.wl").read_bytes()[:500] if content is None else content)
    result = exported("open", "other.wl")
    assert result.exit_code == 1
    assert result.stderr.startswith("refused other.wl") and result.stderr.count("\n") == 1
    assert not Path("games.sqlite").exists()


def test_another_game_of_that_id_is_left_alone(exported):
    assert exported("play", "--game", "g", "--seed", "2", keys=KEYS).exit_code == 0
    result = exported("open", "g.wl")
    assert result.exit_code == 1 and "another game of this id" in result.stderr


def test_two_players_apart_send_the_game_to_and_fro(call, monkeypatch):
    """Ann starts, Bob answers, Ann goes on: each in a ledger of his own."""

    def at(who: str, *words: object, keys: str = ""):
        monkeypatch.setenv("WARLEDGER_LEDGER", f"{who}.sqlite")
        result = call(*words, keys=keys)
        assert result.exit_code == 0, result.output
        return result.stdout

    at("ann", "play", "--game", "g", "--seed", "1", keys=KEYS)
    at("ann", "export", "g", "1.wl")
    assert (
        "adopted: game g\nit stands at step 4: before the battle; go on with: warledger resume g"
        in at("bob", "open", "1.wl")
    )
    at("bob", "resume", "g", keys="auto\nauto\nquit\n")
    at("bob", "export", "g", "2.wl")
    assert "taken up: game g, 2 further steps from step 5" in at("ann", "open", "2.wl")
    assert "already here: game g, up to step 4 of 6" in at("ann", "open", "1.wl")
    at("ann", "resume", "g", keys="auto\nquit\n")
    at("ann", "export", "g", "3.wl")
    assert "taken up: game g, 1 further step from step 7" in at("bob", "open", "3.wl")
    heads = {at(who, "verify", "g") for who in ("ann", "bob")}
    assert len(heads) == 1
    # and where both have played on, the step is named and nothing is stored
    for who in ("ann", "bob"):
        at(who, "resume", "g", keys=f"note by {who}\nquit\n")
    at("bob", "export", "g", "4.wl")
    monkeypatch.setenv("WARLEDGER_LEDGER", "ann.sqlite")
    parted = call("open", "4.wl")
    assert parted.exit_code == 1
    assert "g step 8: the ledger's game and the file's part here" in parted.stderr


def words_to_go_on(said: str) -> list[str]:
    """Return the command that an output ends by, as typed without its first word."""
    program, *words = shlex.split(said.rsplit("go on with: ", 1)[1])
    assert program == "warledger"
    return words


@pytest.mark.parametrize("side", ["red", "blue"])
def test_the_words_to_go_on_keep_whose_table_it_is_and_which_ledger(exported, side):
    # given a game taken in by one who names his side, into a ledger that he names
    opened = exported("--ledger", "my games.sqlite", "open", "g.wl", "--side", side)
    words = words_to_go_on(opened.stdout)
    assert words == ["--ledger", "my games.sqlite", "resume", "g", "--side", side]
    # when he goes on by those words, and by those that he is left with then
    for _ in range(2):
        resumed = exported(*words, keys="quit\n")
        assert resumed.exit_code == 0, resumed.output
        # then the other's questions are not his to answer
        assert ("blue is asked and plays elsewhere" in resumed.stdout) is (side == "red")
        assert ("warledger open FILE --side red" in resumed.stdout) is (side == "red")
        words = words_to_go_on(resumed.stdout)
