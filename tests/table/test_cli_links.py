"""Dice that both players reveal, from the command line: at one table, and at two."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from engine.armies import distinct
from engine.game import Game
from events.ledger import Ledger
from table.secrets import SIDES, Secret, committed
from table.storage import army_of
from tests.table.conftest import Call

PLAY = ("play", "--dice", "revealed", "--game", "g")


def digits(call: Call, file: str) -> str:
    """Draw a secret and return what it commits to."""
    done = call("commit", file)
    assert done.exit_code == 0
    (found,) = re.findall(r"^[0-9a-f]{64}$", done.stdout, re.MULTILINE)
    return str(found)


def test_a_battle_of_bots_with_revealed_dice_is_played_and_verified(call: Call) -> None:
    done = call(*PLAY, "--bots", "both")
    assert done.exit_code == 0, done.output
    assert {path.name for path in Path("games.sqlite.secrets").iterdir()} == {
        "g.red.secret",
        "g.blue.secret",
    }
    assert "EXACT" in call("verify", "g").stdout
    assert "reveal red " in call("log", "g").stdout


def test_a_secret_is_for_its_owner_alone_and_never_written_over(call: Call) -> None:
    digits(call, "mine.secret")
    path = Path("mine.secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = path.read_bytes()
    again = call("commit", "mine.secret")
    assert again.exit_code == 1 and "never written over" in again.stderr
    assert path.read_bytes() == kept


def test_players_apart_reveal_each_from_his_own_table(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given blue's commitment, sent to red, who starts the game: his own link is revealed at once
    blue = digits(call, "blue.secret")
    started = call(*PLAY, "--commit", f"blue={blue}", keys="quit\n")
    assert "blue's is due" in started.stdout
    assert "1D6 roll-off red from both sides' links" in started.stdout
    assert [path.name for path in Path("games.sqlite.secrets").iterdir()] == ["g.red.secret"]
    waiting = call("reveal", "g")
    assert "blue's is due" in waiting.stdout and "revealed" not in waiting.stdout
    # when blue opens the game at his table he reveals, and the dice fall
    call("export", "g", "g.wl")
    monkeypatch.setenv("WARLEDGER_LEDGER", "blue.sqlite")
    assert call("open", "g.wl").exit_code == 0
    revealed = call("reveal", "g", "--secret", "blue.secret")
    assert "blue has revealed its link" in revealed.stdout
    assert "wins the roll-off" in revealed.stdout and "deployment zone" in revealed.stdout
    # then the game goes back, further, and both copies are one
    chosen = call("resume", "g", "--secret", "blue.secret", keys="zone south\nquit\n")
    assert chosen.exit_code == 0, chosen.output
    call("export", "g", "back.wl")
    monkeypatch.setenv("WARLEDGER_LEDGER", "games.sqlite")
    assert call("open", "back.wl").exit_code == 0
    assert "EXACT" in call("verify", "g").stdout


def test_a_link_is_typed_in_where_its_secret_is_elsewhere(call: Call) -> None:
    blue = digits(call, "blue.secret")
    link = Secret(Path("blue.secret")).next(blue)
    keys = f"reveal blue {'0' * 64}\nreveal blue\n4 5\ndice 4 5\nreveal blue {link}\nquit\n"
    typed = call(*PLAY, "--commit", f"blue={blue}", keys=keys).stdout
    assert "is not blue's next" in typed and "64 hexadecimal digits" in typed
    assert "refused DMOD-1: the dice follow from links, which are due: none fall" in typed
    assert "wins the roll-off" in typed


def test_who_will_not_reveal_leaves_a_plain_state_and_a_way_out(call: Call) -> None:
    blue = digits(call, "blue.secret")
    keys = "zone south\noffer real dice\nreal dice no\noffer real dice\nreal dice yes\n5\nquit\n"
    said = call(*PLAY, "--commit", f"blue={blue}", keys=keys).stdout
    assert "waits for the next link of blue" in said
    assert said.count("roll real dice and enter them from here on") == 2
    assert "roll 1D6 roll-off red (dice N)" in said and "roll 1D6 roll-off blue" in said
    assert "EXACT" in call("verify", "g").stdout
    gone = call("play", "--dice", "revealed", "--commit", f"blue={blue}", keys="concede yes\n")
    assert "red conceded" in gone.stdout and "blue" in gone.stdout


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("--commit", "purple=x"), "'purple=x' is not red=FILE or blue=DIGITS"),
        (("--commit", "red"), "'red' is not"),
        (("--commit", "red=none.secret"), "none.secret: can't be read"),
        (("--commit", "red=not.secret"), "not.secret: it is no secret"),
        (("--commit", "red=a.secret", "--commit", "blue=a.secret"), "the same secret"),
        (("--commit", "red=a.secret", "--commit", "red=a.secret"), "each side once"),
        (("--commit", f"red={'0' * 64}", "--commit", f"blue={'0' * 64}"), "the same secret"),
        (("--dice-after-undo", "same"), "fresh after an undo"),
        (("--dice", "seeded", "--commit", "red=a.secret"), "is for --dice revealed"),
    ],
)
def test_what_does_not_fit_is_refused_and_no_game_is_started(
    call: Call, words: tuple[str, ...], wrong: str
) -> None:
    digits(call, "a.secret")
    Path("not.secret").write_text("{}")
    done = call(*PLAY, *words)
    assert done.exit_code == 1 and wrong in " ".join(done.stderr.split())
    assert call("show", "g").exit_code == 1
    assert not list(Path().glob("games.sqlite.secrets/*")), "the id is free for the next try"


def test_a_secret_is_good_for_one_game(call: Call) -> None:
    digits(call, "a.secret")
    assert call(*PLAY, "--commit", "red=a.secret", keys="quit\n").exit_code == 0
    again = call("play", "--dice", "revealed", "--commit", "red=a.secret")
    assert again.exit_code == 1 and "is in use for game g; draw another" in again.stderr
    other = call("resume", "g", "--secret", "b.secret")
    assert other.exit_code == 1 and "can't be read" in other.stderr
    digits(call, "b.secret")
    other = call("resume", "g", "--secret", "b.secret")
    assert other.exit_code == 1 and "neither side of g" in " ".join(other.stderr.split())
    # what is no secret of this game is in nobody's way
    Path("games.sqlite.secrets/old.red.secret").write_text("{}")
    assert call("play", "--dice", "revealed", keys="quit\n").exit_code == 0


def test_digits_that_were_sent_once_serve_one_game(call: Call) -> None:
    # given a host who starts two games on the digits that blue sent him
    blue = digits(call, "blue.secret")
    for game in ("g", "h"):
        commit = ("--commit", f"blue={blue.upper()}", "--game", game)
        assert call("play", "--dice", "revealed", *commit, keys="quit\n").exit_code == 0
    # when blue reveals in both, the second gets nothing, and can go on with real dice
    assert "blue has revealed" in call("reveal", "g", "--secret", "blue.secret").stdout
    refused = call("reveal", "h", "--secret", "blue.secret")
    assert refused.exit_code == 1 and "revealed" not in refused.stdout
    assert "this secret is for game g, where its links are known" in refused.stderr
    keys = "offer real dice\nquit\n"
    offered = call("resume", "h", "--secret", "blue.secret", "--side", "blue", keys=keys)
    assert "this secret is for game g" in offered.stderr
    assert "resume h --side blue --secret blue.secret\n" in offered.stdout
    assert "roll real dice and enter them from here on" in offered.stdout


def test_a_request_is_seen_before_a_link_ends_it(call: Call) -> None:
    # given a roll that waits for blue's link alone, and blue who would rather go back
    blue = digits(call, "blue.secret")
    call(*PLAY, "--commit", f"blue={blue}", keys="quit\n")
    with Ledger.sqlite("games.sqlite", create=False) as ledger:
        Game.open(ledger, "g").ask_undo(1, by="blue")
    asks = "blue asks to go back to step 1 (red's link is shown: blue may know the dice)"
    secret = ("--secret", "blue.secret")
    refused = call("reveal", "g", *secret)
    assert refused.exit_code == 1
    assert f"{asks}; red answers by warledger undo g --grant (or --refuse)" in refused.stderr
    bots = call("resume", "g", "--bots", "both", *secret)
    assert bots.exit_code == 1 and asks in bots.stderr
    # when red sits down he is shown it, and nothing is revealed until he has answered
    shown = call("resume", "g", *secret, keys="quit\n").stdout
    assert f"{asks}; red answers: `grant` or `refuse`" in shown and "roll-off" in shown
    assert "saved at step 2" in shown
    answered = call("resume", "g", *secret, keys="refuse\nquit\n").stdout
    assert "red refuses" in answered and "wins the roll-off" in answered


def test_where_a_secret_was_looked_for_is_said_once(call: Call) -> None:
    blue = digits(call, "blue.secret")
    call(*PLAY, "--commit", f"blue={blue}", keys="quit\n")
    said = call("resume", "g", keys="\nnote still waiting\nlist\nquit\n").stderr
    assert said.count("no secret of blue's is here (looked for ") == 1
    assert "games.sqlite.secrets/g.blue.secret)" in said
    alone = call("resume", "g", "--bots", "both")
    assert alone.exit_code == 1 and "warledger reveal g --secret FILE" in alone.stderr
    assert "nothing is to be decided there" in call("odds", "g").stderr
    call("resume", "g", keys="offer real dice\nquit\n")
    assert "nothing is to be decided there" in call("odds", "g").stderr
    call("resume", "g", keys="real dice yes\nquit\n")
    rolling = call("resume", "g", "--bots", "both")
    assert rolling.exit_code == 1
    assert "real dice are due, which people enter: warledger resume g --bots none" in rolling.stderr


def test_a_bot_lets_nobody_dodge_a_die_that_he_knows(call: Call) -> None:
    red = digits(call, "red.secret")
    words = ("--commit", f"red={red}", "--bots", "blue")
    said = call(*PLAY, *words, keys="undo\nquit\n").stdout
    assert "blue's bot refuses; the game stands at step 2" in said


def test_a_bot_declines_real_dice(call: Call) -> None:
    blue = digits(call, "blue.secret")
    for bot in ("aggressive", "random"):
        words = ("--commit", f"red={blue}", "--bots", "blue", "--bot", bot, "--game", bot)
        keys = "offer real dice\nquit\n"
        assert call("play", "--dice", "revealed", *words, keys=keys).exit_code == 0
        assert "blue real dice no" in call("log", bot).stdout


def test_a_fork_takes_a_seed_and_says_where_it_can_be_made(call: Call) -> None:
    call(*PLAY, "--bots", "both")
    last = call("fork", "g", "--at", "1", "--new-seed")
    assert last.exit_code == 1 and "no step before it can be" in last.stderr
    none = call("fork", "g", "--at", "3")
    assert none.exit_code == 1 and "a fork needs a seed" in " ".join(none.stderr.split())
    made = call("fork", "g", "--at", "3", "--new-seed", "--game", "f")
    assert made.exit_code == 0, made.output
    assert call("resume", "f", "--bots", "both").exit_code == 0
    assert "EXACT" in call("verify", "f").stdout


@pytest.mark.parametrize("commit", [(), ("blue=b.secret",), ("red=b.secret",)])
def test_who_plays_alone_here_never_holds_the_others_secret(
    call: Call, commit: tuple[str, ...]
) -> None:
    # given red at his own table, and no digits of blue's
    digits(call, "b.secret")
    words = [word for said in commit for word in ("--commit", said)]
    done = call(*PLAY, "--side", "red", *words, keys="quit\n")
    assert done.exit_code == 1 and "--commit blue=DIGITS" in done.stderr
    assert "blue plays elsewhere and keeps the secret there" in done.stderr
    assert call("show", "g").exit_code == 1
    assert not list(Path().glob("games.sqlite.secrets/*")), "no secret was drawn for anybody"
    # when he has them he plays, and only his own secret is here; a bot's is here with the bot
    blue = digits(call, "c.secret")
    started = call(*PLAY, "--side", "red", "--commit", f"blue={blue}", keys="quit\n")
    assert started.exit_code == 0, started.output
    assert [path.name for path in Path("games.sqlite.secrets").iterdir()] == ["g.red.secret"]
    both = ("play", "--dice", "revealed", "--side", "red", "--bots", "blue")
    assert call(*both, keys="quit\n").exit_code == 0


@pytest.mark.parametrize("count", [20, 63, 65, 128])
def test_digits_that_were_copied_in_part_are_counted(call: Call, count: int) -> None:
    done = call(*PLAY, "--commit", f"blue={'b' * count}", keys="quit\n")
    assert done.exit_code == 1
    assert f"64 digits are needed, here are {count}" in done.stderr


def test_whose_secret_a_file_is_is_said(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    # given red at his table, who has come by blue's secret, and one of another game
    blue = digits(call, "blue.secret")
    call(*PLAY, "--side", "red", "--commit", f"blue={blue}", keys="quit\n")
    digits(call, "h.secret")
    call("play", "--dice", "revealed", "--game", "h", "--commit", "red=h.secret", keys="quit\n")
    for words in (("reveal", "g"), ("resume", "g")):
        # when he would reveal by them, then both are refused by whose they are
        refused = call(*words, "--side", "red", "--secret", "blue.secret", keys="quit\n")
        assert refused.exit_code == 1
        assert "blue.secret: this is blue's secret, and red plays here" in refused.stderr
        other = call(*words, "--side", "red", "--secret", "h.secret", keys="quit\n")
        assert "neither side of g committed to this secret; it is for game h" in other.stderr
    # and where both play at one table nobody is refused
    assert "blue has revealed" in call("reveal", "g", "--secret", "blue.secret").stdout


def test_who_plays_alone_here_reveals_his_own_links_only(call: Call) -> None:
    # given both secrets kept beside one ledger, and a roll that waits for both
    with Ledger.sqlite("games.sqlite") as ledger, committed("games.sqlite", "g", ()) as bound:
        red, blue = distinct(*(army_of("ratskar", side).ready() for side in SIDES))
        Game.create(ledger, red=red, blue=blue, game="g", dice="revealed", commitments=bound[0])
    # when each sits down at his own table, then his own link goes out
    first = call("reveal", "g", "--side", "red").stdout
    assert "red has revealed" in first and "blue has revealed" not in first
    assert "wins the roll-off" not in call("resume", "g", "--side", "red", keys="quit\n").stdout
    assert "blue has revealed" in call("reveal", "g", "--side", "blue").stdout


@pytest.mark.parametrize("dice", ["seeded", "entered"])
def test_there_is_nothing_to_reveal_where_dice_are_not_revealed(call: Call, dice: str) -> None:
    call("play", "--game", "g", "--dice", dice, keys="quit\n")
    refused = call("reveal", "g")
    assert refused.exit_code == 1
    assert f"refused reveal: the dice of g are {dice}: no links" in refused.stderr


def test_who_waits_for_a_link_elsewhere_is_told_so_and_of_nothing_to_choose(call: Call) -> None:
    blue = digits(call, "blue.secret")
    words = (*PLAY, "--side", "red", "--commit", f"blue={blue}")
    done = call(*words, keys="auto\n3\nquit\n")
    assert done.stdout.count("refused DMOD-1: links are due, and there is nothing to choose") == 2
    assert "blue is asked and plays elsewhere" in done.stdout
    assert "--secret FILE" not in done.stderr, "blue's secret is where blue is"


def test_no_folder_is_made_for_a_secret(call: Call) -> None:
    refused = call("commit", "nodir/a.secret")
    assert refused.exit_code == 1 and "nodir/a.secret: can't be written" in refused.stderr
    assert not Path("nodir").exists()


@pytest.mark.parametrize(("dice", "said"), [("entered", 1), ("revealed", 1), ("seeded", 0)])
def test_what_a_seed_is_for_is_said_where_it_gives_no_dice(
    call: Call, dice: str, said: int
) -> None:
    done = call("play", "--dice", dice, "--seed", "s", keys="quit\n")
    assert done.exit_code == 0
    assert done.stderr.count(f"--seed is for the bots alone: the dice are {dice}") == said
