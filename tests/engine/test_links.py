"""Commit and reveal: nobody knows a die before the choice stands, and who won't reveal is named."""

from __future__ import annotations

import re
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.game import Game
from engine.links import LINKS, LinkChain, check_link, hashed, key_of_links, leads_to
from events.base import SIDES, Side, other
from events.codec import decode_events, encode_event, join_events
from events.errors import DiceError, IllegalChoice, LedgerError
from events.game import Chosen, Commitments, DiceRolled, LinkRevealed
from events.ledger import Ledger
from events.questions import LinksNeeded
from projections.history import Node
from replay.verify import Verdict, verify, verify_steps
from tests.properties.kit import (
    CHAINS,
    COMMITTED,
    forged,
    new_game,
    play_on,
    reveal,
    rows_of,
    step_on,
)


def revealed_game(ledger: Ledger, **agreed: Any) -> Game:
    """Return a game that waits for the links of its first roll, the roll-off."""
    return new_game(ledger, dice="revealed", **agreed)


def to_the_choice(game: Game, random: Random) -> Game:
    """Play on to a question of the battle, after at least one more roll."""
    step_on(random, game)
    while isinstance(game.pending, LinksNeeded):
        step_on(random, game)
    return game


def both_reveal(game: Game, first: Side = "red") -> None:
    reveal(game, first)
    reveal(game, other(first))


def dice_in(node: Node) -> list[DiceRolled]:
    return [event for event in node.events if isinstance(event, DiceRolled)]


# --- the chain


def test_a_chain_is_bound_by_its_end_and_revealed_backwards() -> None:
    chain = LinkChain("a secret", links=5)
    last, shown = chain.commitment, []
    for _ in range(5):
        link = chain.next(last)
        check_link("red", link, last)
        shown.append(link)
        last = link
    assert len({chain.commitment, *shown}) == 6
    assert LinkChain("a secret", links=5).commitment == chain.commitment
    assert LinkChain("another", links=5).commitment != chain.commitment
    with pytest.raises(DiceError, match="offer to roll real dice"):
        chain.next(last)
    with pytest.raises(DiceError, match="no link of this chain"):
        chain.next("0" * 64)


def test_a_chain_has_links_for_every_roll_of_a_long_game() -> None:
    chain = CHAINS["red"]
    last = chain.commitment
    for _ in range(LINKS):
        last = chain.next(last)
    assert leads_to(last, chain.commitment) and not leads_to(chain.commitment, last)


def test_the_dice_hang_on_both_links() -> None:
    red, blue = CHAINS["red"].commitment, CHAINS["blue"].commitment
    keys = {key_of_links(a, b) for a, b in product((red, blue, hashed(red)), repeat=2)}
    assert len(keys) == 9


# --- what is agreed


@pytest.mark.parametrize(
    ("agreed", "field"),
    [
        ({"commitments": None}, "commitments"),
        ({"commitments": Commitments(COMMITTED.red, COMMITTED.red)}, "commitments"),
        ({"commitments": Commitments(hashed(COMMITTED.blue), COMMITTED.blue)}, "commitments"),
        ({"commitments": Commitments(COMMITTED.red, CHAINS["red"].next(COMMITTED.red))}, "commitm"),
        ({"commitments": Commitments("f" * 63, "e" * 64)}, "red"),
        ({"commitments": Commitments("f" * 64, "e" * 64 + "\n")}, "blue"),
        ({"dice_after_undo": "same"}, "dice_after_undo"),
        ({"dice": "seeded", "commitments": COMMITTED}, "commitments"),
        ({"dice": "entered", "commitments": COMMITTED}, "commitments"),
    ],
)
def test_an_agreement_that_does_not_fit_is_refused(agreed: dict[str, Any], field: str) -> None:
    with Ledger.memory() as ledger:
        with pytest.raises(LedgerError) as refused:
            new_game(ledger, **{"dice": "revealed", **agreed})
        assert field in refused.value.where
        assert not ledger.has("g")


# --- play


def test_dice_fall_once_both_have_revealed_in_either_order() -> None:
    fallen = []
    for first in SIDES:
        with Ledger.memory() as ledger:
            # given a roll that waits for both
            game = revealed_game(ledger)
            assert isinstance(due := game.pending, LinksNeeded)
            assert due.waiting == ("red", "blue") and due.link == ""
            # when one reveals, it waits for the other and nothing has fallen
            reveal(game, first)
            assert isinstance(due := game.pending, LinksNeeded)
            assert (due.player, due.waiting) == (other(first), (other(first),))
            assert game.history.head.by == first and not game.history.head.rolled
            # when the other does, the dice fall, and the rules go on
            reveal(game, other(first))
            dice = dice_in(game.history.head)
            assert dice[0].source == "revealed" and dice[0].purpose == "roll-off red"
            assert not isinstance(game.pending, LinksNeeded)
            assert verify(ledger, "g").verdict is Verdict.EXACT
            fallen.append(dice)
    # then they are those of both links, whoever came first
    assert fallen[0] == fallen[1]


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_is_played_and_verified(seed: int) -> None:
    with Ledger.memory() as ledger:
        game = play_on(revealed_game(ledger), Random(seed))
        assert game.battle.outcome is not None
        sources = {e.source for _, e in game.history.facts() if isinstance(e, DiceRolled)}
        assert sources == {"revealed"}
        assert verify(ledger, "g").verdict is Verdict.EXACT


def test_it_can_be_loaded_and_played_on_at_every_step() -> None:
    with Ledger.memory() as ledger:
        straight = play_on(revealed_game(ledger), Random(4), 60)
        with Ledger.memory() as elsewhere:
            game, random = revealed_game(elsewhere), Random(4)
            for _ in range(60):
                game = Game.open(elsewhere, "g", game._now)
                play_on(game, random, 1)
            assert game.battle == straight.battle
            assert [row.events for row in elsewhere.read("g")] == [
                row.events for row in ledger.read("g")
            ]


# --- looking ahead


def known_words(ledger: Ledger) -> set[str]:
    """Return everything in the ledger that could be a link."""
    return {word for row in rows_of(ledger) for word in re.findall(r"[0-9a-f]{64}", row.decode())}


@pytest.mark.parametrize("peeker", SIDES)
def test_neither_side_can_compute_a_die_before_its_choice_stands(peeker: Side) -> None:
    """The peeker is the host: it has the ledger, the engine, and the whole of its own secret."""
    with Ledger.memory() as ledger:
        game, random, seen = revealed_game(ledger), Random(1), 0
        while seen < 12:
            to_the_choice(game, random)
            # given all that the peeker can know while the choice is still open: own links without
            # end, the other's up to the last that was revealed, and all hashes of those
            own = CHAINS[peeker].next(game.history.links[peeker])
            theirs = known_words(ledger)
            theirs |= {hashed(link) for link in theirs}
            pairs = [(own, link) if peeker == "red" else (link, own) for link in theirs]
            guesses = {key_of_links(*pair) for pair in pairs}
            # when a choice stands that needs dice, and both have revealed
            step_on(random, game)
            if not isinstance(game.pending, LinksNeeded):
                continue
            both_reveal(game)
            seen += 1
            # then the key of its dice is none that could be computed before
            key = key_of_links(game.history.links["red"], game.history.links["blue"])
            assert key not in guesses
            assert game.history.links[other(peeker)] not in theirs


@pytest.mark.parametrize("peeker", SIDES)
def test_a_link_can_not_be_had_early_again_or_chosen(peeker: Side) -> None:
    with Ledger.memory() as ledger:
        game = to_the_choice(revealed_game(ledger), Random(2))
        chain, last = CHAINS[peeker], game.history.links[peeker]
        following = chain.next(last)

        def refused(link: str, by: Side = peeker) -> str:
            version = game.version
            with pytest.raises(IllegalChoice) as error:
                game.reveal(link, by=by)
            assert game.version == version
            return f"{error.value.where}: {error.value.reason}"

        # before the choice stands no link is taken from anybody
        assert "no link is due" in refused(following)
        assert "no link is due" in refused(CHAINS[other(peeker)].commitment, other(peeker))
        while not isinstance(game.pending, LinksNeeded):
            step_on(Random(3), game)
        # once it does, only the very next: none again, none skipped to pick a better die
        assert "is not" in refused(last)
        assert "is not" in refused(chain.next(following))
        assert "is not" in refused("0" * 64)
        assert "is not" in refused(CHAINS[other(peeker)].next(game.history.links[other(peeker)]))
        # and each only once
        game.reveal(following, by=peeker)
        assert "has revealed its link" in refused(chain.next(following))
        with pytest.raises(LedgerError, match="link"):
            game.reveal("not a link", by=other(peeker))


def test_taking_a_choice_back_does_not_show_what_it_would_have_met() -> None:
    """Whatever the policy: links are spent on every branch, the same choice meets other dice."""
    with Ledger.memory() as ledger:
        game, random = to_the_choice(revealed_game(ledger), Random(6)), Random(6)
        while not isinstance(game.pending, LinksNeeded):
            asked, at = game.history.head, game.step
            step_on(random, game)
        (choice,) = (e.choice for e in game.history.head.events if isinstance(e, Chosen))
        both_reveal(game)
        met, links = dice_in(game.history.head), dict(game.history.links)
        # when the choice is taken back and made again
        game.undo(to=at)
        assert game.history.head is asked
        game.play(choice)
        assert isinstance(game.pending, LinksNeeded)
        # then the links that are known are refused, and those after them give other dice
        for side in SIDES:
            with pytest.raises(IllegalChoice):
                game.reveal(links[side], by=side)
        both_reveal(game)
        again = dice_in(game.history.head)
        assert met[0].purpose == again[0].purpose
        assert all(game.history.links[side] != links[side] for side in SIDES)
        # and going forward to what was left meets again what fell there
        branch = game.history.head.step
        game.take_branch(
            max(n for n, node in game.history.nodes.items() if n < branch - 2 and node.rolled)
        )
        assert dice_in(game.history.head) == met
        assert verify(ledger, "g").verdict is Verdict.EXACT


@pytest.mark.parametrize("side", SIDES)
def test_a_forger_who_has_our_code_can_not_put_in_links_of_his_own(side: Side) -> None:
    with Ledger.memory() as ledger:
        play_on(revealed_game(ledger), Random(3), 30)
        steps = ledger.read("g")
        tried = 0
        for at, step in enumerate(steps):
            events = decode_events(step.events)
            first = events[0]
            if not isinstance(first, LinkRevealed) or first.by != side:
                continue
            # given a link replaced by one that suits better, and every chain digest made anew
            lucky = LinkRevealed(side, LinkChain("lucky").commitment)
            data = join_events(encode_event(event) for event in (lucky, *events[1:]))
            report = verify_steps("g", forged([*steps[:at], replace(step, events=data)]))
            # then verify names the step
            assert (report.verdict, report.step) == (Verdict.DIVERGED, at + 1)
            assert f"{side}'s next" in report.reason
            tried += 1
        assert tried > 3


def test_a_die_that_the_links_do_not_give_is_found() -> None:
    with Ledger.memory() as ledger:
        play_on(revealed_game(ledger), Random(3), 30)
        steps = ledger.read("g")
        at = max(n for n, step in enumerate(steps) if b'"source":"revealed"' in step.events)
        found = re.search(rb'"faces":\[(\d)', steps[at].events)
        assert found is not None
        face = b"1" if found[1] != b"1" else b"2"
        data = steps[at].events.replace(found[0], found[0][:-1] + face, 1)
        report = verify_steps("g", forged([*steps[:at], replace(steps[at], events=data)]))
        assert (report.verdict, report.step) == (Verdict.DIVERGED, at + 1)
