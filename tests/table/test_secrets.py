"""A secret's file says itself for which game it is and how far it was revealed, and is believed."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

import table.secrets
from engine.game import Game
from engine.links import LINKS
from events.base import Side
from events.errors import DiceError, LedgerError
from events.game import Commitments
from events.ledger import Conflict, Ledger
from table.seats import play_on, reveal_due, why_not
from table.secrets import Hand, Secret, at_hand, committed, draw, place
from tests.properties.kit import COMMITTED, new_game, reveal


@pytest.fixture
def elm(tmp_path: Path) -> Secret:
    """Blue's secret in the kit's games, in a file as they were before files had a state."""
    path = tmp_path / "elm.secret"
    path.write_text(f'{{"warledger_secret":1,"secret":"elm","links":{LINKS}}}')
    return Secret(path)


def state(secret: Secret) -> tuple[str, int, str]:
    """Return what the file says: game, links shown, where the last went."""
    kept = json.loads(secret.path.read_bytes())
    return kept.get("game", ""), kept.get("shown", 0), kept.get("at", "")


def copy(game: Game, ledger: Ledger) -> tuple[Ledger, Game]:
    """Return the game once more, in a ledger of its own."""
    apart = Ledger.memory()
    apart.adopt(game.id, ledger.read(game.id))
    return apart, Game.open(apart, game.id)


def test_a_file_without_state_is_unused_and_says_what_it_revealed(elm: Secret) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed")
        assert state(elm) == ("", 0, "") and elm.commitment == COMMITTED.blue
        before = place(game)
        node = elm.reveal(game, "blue")
        assert node.by == "blue" and node.step == 2
        assert state(elm) == ("g", 1, before)
        assert stat.S_IMODE(elm.path.stat().st_mode) == 0o600
        assert [path.name for path in elm.path.parent.iterdir()] == ["elm.secret"]


def test_no_link_goes_to_a_second_game_with_the_same_digits(elm: Secret) -> None:
    with Ledger.memory() as ledger:
        elm.reveal(new_game(ledger, dice="revealed"), "blue")
        kept, second = state(elm), new_game(ledger, dice="revealed", game="h")
        with pytest.raises(DiceError, match=r"is for game g, .*none goes to h; `offer real dice`"):
            elm.reveal(second, "blue")
        assert second.version == 1 and state(elm) == kept


def test_no_link_goes_to_another_place_of_an_older_copy(elm: Secret) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed")
        older, rolled_back = copy(game, ledger)
        with older:
            elm.reveal(game, "blue")
            # the very same place: the same link, and nobody learns more
            again = elm.reveal(rolled_back, "blue")
            assert again.events == game.history.head.events
        older, rolled_back = copy(game, ledger)
        with older:
            reveal(game, "red")
            game.play(game.legal()[0])
            rolled_back.undo(to=1)
            reveal(rolled_back, "red")
            # there the second link is due: it was not shown yet
            assert elm.refusal(rolled_back, "blue") == ""
            elm.reveal(rolled_back, "blue")
            assert state(elm)[1] == 2
        with Ledger.memory() as third:
            forged = new_game(third, dice="revealed", seed="another")
            with pytest.raises(
                DiceError, match=r"link 1 of 2 .* older copy of g; `warledger open`"
            ):
                elm.reveal(forged, "blue")
            assert forged.version == 1


def test_the_file_is_written_before_the_link_goes_out_and_it_may_go_again(
    elm: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed")
        seen: list[tuple[str, int, str]] = []

        def failing(*_: object) -> bool:
            seen.append(state(elm))
            raise LedgerError("disk", "full")

        with monkeypatch.context() as broken:
            broken.setattr(Ledger, "_insert", failing)
            with pytest.raises(LedgerError, match="full"):
                elm.reveal(game, "blue")
        assert seen == [("g", 1, place(game))]
        assert state(elm) == ("", 0, "")  # it was not stored, so it is not out
        assert elm.reveal(game, "blue").step == 2


def test_a_link_that_another_row_kept_back_is_still_good(elm: Secret) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed")
        reveal(Game.open(ledger, "g"), "red")
        with pytest.raises(Conflict):
            elm.reveal(game, "blue")
        assert state(elm) == ("", 0, "")
        assert reveal_due(game, Hand({"blue": elm}, {})) == "blue"
        assert game.history.head.rolled


def test_a_file_that_cannot_be_written_keeps_the_link_back(
    elm: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed")
        kept = elm.path.read_bytes()
        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(DiceError, match=r"elm.secret: can't be written: No space"):
            elm.reveal(game, "blue")
        assert game.version == 1 and elm.path.read_bytes() == kept
        assert [path.name for path in elm.path.parent.iterdir()] == ["elm.secret"]


def test_a_chain_that_is_used_up_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.secrets, "LINKS", 1)
    hand = Hand({side: draw(tmp_path / side) for side in table.secrets.SIDES}, {})
    ends = Commitments(*(secret.commitment for secret in hand.secrets.values()))
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed", commitments=ends)
        assert [reveal_due(game, hand) for _ in "ab"] == ["red", "blue"]
        while not why_not(game, hand):
            assert reveal_due(game, hand) is None
            game.play(game.legal()[0])
        assert reveal_due(game, hand) is None
        assert "all 1 links of this secret are used up; `offer real dice`" in why_not(game, hand)[0]


@pytest.mark.parametrize("asked", [False, True])
def test_bots_say_whose_link_they_wait_for(elm: Secret, asked: bool) -> None:
    hand = Hand({}, {"red": Path("g.red.secret"), "blue": Path("g.blue.secret")})
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed")
        reveal(game, "red")
        right = (
            r"no secret of blue's is here \(looked for g.blue.secret\); .* reveal g --secret FILE"
        )
        if asked:
            game.ask_undo(1, by="blue")
            right = r"blue asks to go back to step 1 .*; red answers by warledger undo g --grant"
            assert reveal_due(game, Hand({"blue": elm}, {})) is None
        with pytest.raises(Exception, match=right):
            play_on(game, {}, hand=hand)
        assert game.step == 2


def test_secrets_of_a_game_that_is_not_created_are_taken_back(tmp_path: Path) -> None:
    ledger, mine = str(tmp_path / "games.sqlite"), tmp_path / "mine.secret"
    draw(mine)
    kept = mine.read_bytes()
    taken = tmp_path / "games.sqlite.secrets" / "h.blue.secret"
    taken.parent.mkdir()
    draw(taken)
    for game, error in (("g", KeyboardInterrupt), ("h", DiceError)):
        with pytest.raises(error), committed(ledger, game, [f"red={mine}"]):
            raise KeyboardInterrupt
        assert [path.name for path in taken.parent.iterdir()] == ["h.blue.secret"]
        assert json.loads(mine.read_bytes())["game"] == "" and mine.read_bytes() == kept
    with committed(ledger, "g", [f"red={mine}"]) as (ends, files):
        pass
    assert (files[0], Secret(mine).game) == (mine, "g")
    hand = at_hand(ledger, "g", ends)
    assert hand is not None and set(hand.secrets) == {"red", "blue"} and not hand.missed


def test_an_id_of_any_length_makes_a_file_name(tmp_path: Path) -> None:
    ledger = str(tmp_path / "games.sqlite")
    names: set[Path] = set()
    for game in ("é" * 60, "é" * 61, "\N{GRINNING FACE}" * 100, "x" * 100, "plain"):
        with committed(ledger, game, []) as (ends, files):
            names |= set(files)
        hand = at_hand(ledger, game, ends)
        assert hand is not None and [one.path for one in hand.secrets.values()] == files
    assert len(names) == 10 and max(len(path.name) for path in names) <= 120
    assert (tmp_path / "games.sqlite.secrets" / "plain.red.secret") in names


@pytest.mark.parametrize("side", ["red", "blue"])
def test_what_was_named_comes_before_what_is_kept(tmp_path: Path, side: Side) -> None:
    ledger = str(tmp_path / "games.sqlite")
    with committed(ledger, "g", []) as (ends, files):
        kept = dict(zip(table.secrets.SIDES, files, strict=True))
    moved = kept[side].rename(tmp_path / "moved.secret")
    kept[side].write_text("{}")
    hand = at_hand(ledger, "g", ends, [str(moved)])
    assert hand is not None and hand.secrets[side].path == moved
    kept[side].unlink()
    missed = at_hand(ledger, "g", ends)
    assert missed is not None and missed.missed == {side: kept[side]}


def test_a_link_that_was_not_stored_may_go_where_it_was_meant_to_go(
    elm: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger.memory() as ledger:
        game = new_game(ledger, dice="revealed")

        def full(*given: object, **named: object) -> None:
            raise LedgerError("ledger", "database is locked")

        def stopped(*given: object, **named: object) -> None:
            raise KeyboardInterrupt

        # given a store that fails: nothing went out, and the file says so
        with monkeypatch.context() as patch:
            patch.setattr(Game, "reveal", full)
            with pytest.raises(LedgerError, match="locked"):
                elm.reveal(game, "blue")
        assert state(elm) == ("", 0, "")
        # or a stop at a moment that nobody knows: the file says that it may have gone out
        with monkeypatch.context() as patch:
            patch.setattr(Game, "reveal", stopped)
            with pytest.raises(KeyboardInterrupt):
                elm.reveal(game, "blue")
        assert state(elm) == ("g", 1, place(game))
        # when marks follow, then it goes there all the same
        game.note("odd", by="red")
        assert elm.reveal(game, "blue").by == "blue"


@pytest.mark.parametrize("begun", [False, True])
def test_secrets_of_a_game_that_was_stored_stay_whatever_stops_the_command(
    tmp_path: Path, begun: bool
) -> None:
    ledger = str(tmp_path / "games.sqlite")
    with pytest.raises(KeyboardInterrupt), committed(ledger, "g", (), begun=lambda: begun):
        raise KeyboardInterrupt
    assert len(list(tmp_path.rglob("*.secret"))) == (2 if begun else 0)
