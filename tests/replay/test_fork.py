"""Forks: a copied way, dice ahead, ancestry; the game before is left alone. [P5, P8]"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from engine.undo import UndoBarred, check_mark
from events.base import Mark
from events.codec import encode_event, join_events
from events.errors import LedgerError
from events.game import Chosen, DiceRolled
from events.history import ForkedFrom, RulesChanged, SaltKept, SeedChanged
from events.ledger import Ledger
from events.steps import Meta, Step, next_step
from projections.history import Node
from replay.fork import ancestry, fork
from replay.verify import Verdict, verify
from tests.properties.kit import (
    clock,
    events_of,
    new_game,
    play_on,
    rows_of,
    step_on,
    whole_games,
)

SEEDS = st.integers(0, 10**6)


def wander(ledger: Ledger, seed: int, **agreed: str) -> Game:
    """Return a game with three branches, undone steps and a note."""
    game = play_on(new_game(ledger, str(seed), **agreed), Random(seed), 30)
    for n in (1, 2):
        path = game.history.path()
        game.undo(to=path[len(path) // 2].step)
        play_on(game, Random(seed + n), 10)
    game.note("hm", by="red")
    return game


def answer_again(game: Game, node: Node) -> Node:
    """Give the answer that a step of another game gave."""
    first = node.events[0]
    if isinstance(first, Chosen):
        return game.play(first.choice, by=first.by)
    assert isinstance(first, DiceRolled)
    return game.enter(first.faces)


@whole_games
@given(SEEDS, st.integers(0, 10**6), st.sampled_from(["same", "fresh"]))
def test_fork_at_any_step_shares_the_prefix_state_for_state(
    seed: int, pick: int, dice_after_undo: str
) -> None:
    """wesnoth #1053, #7755, #7491: continue from any point; the prefix is shared."""
    with Ledger.memory() as ledger:
        # given a game with branches, and any step on any of them
        game = wander(ledger, seed, dice_after_undo=dice_after_undo)
        nodes = list(game.history.nodes.values())
        node = nodes[pick % len(nodes)]
        before = rows_of(ledger)
        # when it is forked there
        forked = fork(ledger, game, node.step, game="what if", now=clock())
        # then it holds the way to that step, the events' very bytes and every battle
        way = game.history.path(node)
        copied = forked.history.path()
        assert [at.battle for at in copied] == [at.battle for at in way]
        stored = events_of(ledger), events_of(ledger, "what if")
        assert [stored[1][at.step - 1] for at in copied] == [stored[0][at.step - 1] for at in way]
        assert forked.legal() == Game.open(ledger, "what if").legal()
        # and plays and verifies like any game
        play_on(forked, Random(pick), 8)
        assert verify(ledger, "what if", head=forked.chain).verdict is Verdict.EXACT
        # and the game before knows nothing of it
        assert rows_of(ledger) == before


@whole_games
@given(SEEDS, st.integers(0, 10**6), st.sampled_from(["same", "fresh"]))
def test_the_same_choices_ahead_meet_the_same_dice(
    seed: int, pick: int, dice_after_undo: str
) -> None:
    with Ledger.memory() as ledger:
        # given a fork from any step of the line of play, with the dice kept
        game = wander(ledger, seed, dice_after_undo=dice_after_undo)
        way = game.history.path()
        at = pick % len(way)
        forked = fork(ledger, game, way[at].step, game="f", now=clock())
        # when the choices that followed there are made here
        salt = way[at + 1].salt if at + 1 < len(way) else 0
        for node in way[at + 1 :]:
            if dice_after_undo == "fresh" and node.salt != salt:
                break  # an undo made the dice fresh there, and there was none here
            assert answer_again(forked, node).events == node.events
        assert verify(ledger, "f").verdict is Verdict.EXACT


def test_a_new_seed_gives_other_dice_ahead_and_keeps_those_behind() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 60)
        way = game.history.path()
        forked = fork(ledger, game, way[12].step, game="f", seed="another", now=clock())
        # then what was rolled before the fork stands as it was
        assert [n.events for n in forked.history.path()] == [n.events for n in way[:13]]
        # when the same choices are made, as long as they can be
        others = []
        for node in way[13:]:
            first = node.events[0]
            assert isinstance(first, Chosen)
            if forked.pending is None or forked.refusal(first.choice, by=first.by) is not None:
                break
            others.append((node, forked.play(first.choice, by=first.by)))
        # then a step with dice differs sooner or later
        assert any(one.events != two.events for one, two in others)
        assert verify(ledger, "f").verdict is Verdict.EXACT
        # and after an undo behind the fork point the old dice are met again
        forked.undo(to=forked.history.path()[4].step)
        for node in way[5:13]:
            assert answer_again(forked, node).events == node.events
        assert Game.open(ledger, "f").battle == forked.battle
        assert verify(ledger, "f").verdict is Verdict.EXACT


@pytest.mark.parametrize("dice_after_undo", ["same", "fresh"])
def test_a_fork_of_a_fork_keeps_every_seed_and_the_whole_ancestry(dice_after_undo: str) -> None:
    with Ledger.memory() as ledger:
        game = wander(ledger, 8, dice_after_undo=dice_after_undo)
        one = fork(ledger, game, game.step, game="one", seed="s1", now=clock())
        at = one.step
        play_on(one, Random(1), 6)
        one.undo()
        play_on(one, Random(2), 6)
        two = fork(ledger, one, one.history.path()[-2].step, game="two", seed="s2", now=clock())
        play_on(two, Random(3), 6)
        three = fork(ledger, two, game="three", now=clock())
        for name in ("one", "two", "three"):
            assert verify(ledger, name).verdict is Verdict.EXACT
        # then each says where it came from, the nearest first, and the claims hold
        assert [(o.game, o.standing) for o in ancestry(ledger, three)] == [
            ("two", "holds"),
            ("one", "holds"),
            ("g", "holds"),
        ]
        assert ancestry(ledger, game) == []
        # and a fork from before a fork point is one of that game alone
        early = fork(ledger, two, 3, game="early", now=clock())
        assert [o.game for o in ancestry(ledger, early)] == ["two"]
        # and at a fork point the dice ahead are those of the fork
        again = fork(ledger, one, at, game="again", now=clock())
        assert answer_again(again, one.history.nodes[at].children[0]).events == (
            one.history.nodes[at].children[0].events
        )


def test_fresh_dice_in_a_fork_are_never_dice_met_before() -> None:
    """The salt only grows, though a fork's rows are numbered anew."""
    with Ledger.memory() as ledger:
        game = wander(ledger, 4, dice_after_undo="fresh")
        forked = fork(ledger, game, game="f", now=clock())
        kept = forked.history.salt
        assert kept == game.history.salt > 0
        forked.undo()
        assert forked.history.salt > kept
        step_on(Random(1), forked)
        assert verify(ledger, "f").verdict is Verdict.EXACT


def test_a_fork_in_mid_action_goes_on_where_it_was() -> None:
    """Dice that people enter leave a rule open in the middle."""
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger, dice="entered"), Random(2), 40)
        in_mid_action = [node for node in game.history.path() if node.began is None]
        assert in_mid_action
        for node in in_mid_action:
            forked = fork(ledger, game, node.step, game=f"f{node.step}", now=clock())
            assert forked.pending == node.battle.question
            step_on(Random(1), forked)
            assert verify(ledger, forked.id).verdict is Verdict.EXACT


def test_ancestry_is_checked_against_the_game_of_origin() -> None:
    with Ledger.memory() as ledger, Ledger.memory() as elsewhere, Ledger.memory() as forged:
        game = play_on(new_game(ledger), Random(3), 12)
        fork(ledger, game, 5, game="f", now=clock())
        rows = ledger.read("f")
        # given the fork in a ledger without the game it came from
        elsewhere.adopt("f", rows)
        assert [o.standing for o in ancestry(elsewhere, Game.open(elsewhere, "f"))] == ["not here"]
        # or beside another game of that name
        forged.adopt("f", rows)
        play_on(new_game(forged, "other"), Random(3), 12)
        assert [o.standing for o in ancestry(forged, Game.open(forged, "f"))] == ["differs"]


def test_what_can_not_be_forked_is_refused_and_nothing_stored() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 6)
        game.undo()
        with pytest.raises(LedgerError, match="already"):
            fork(ledger, game, game="g")
        with pytest.raises(LedgerError, match=r"step 8: a mark \(undone\), not a game step"):
            fork(ledger, game, 8)
        with pytest.raises(LedgerError, match=r"step 9: no game step \(last is 7\)"):
            fork(ledger, game, 9)
        entered = new_game(ledger, dice="entered", game="e")
        with pytest.raises(LedgerError, match="entered by people"):
            fork(ledger, entered, seed="x")
        assert sorted(ledger.games()) == ["e", "g"]


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        (SeedChanged("lucky"), "comes with a fork"),
        (SaltKept(0), "only grows"),
    ],
)
def test_dice_can_not_be_changed_in_mid_play(mark: Mark, reason: str) -> None:
    with Ledger.memory() as ledger:
        # given a stream to which somebody added a mark of a fork, with links that fit
        game = play_on(new_game(ledger), Random(3), 6)
        last = ledger.read("g")[-1]
        forged = next_step(
            "g", last, join_events([encode_event(mark)]), last.state, last.schema, Meta(0)
        )
        with pytest.raises(UndoBarred, match=reason):
            check_mark(game.history, "free", mark)
        assert _verdict([*ledger.read("g"), forged]) == (Verdict.DIVERGED, forged.n)


def test_a_fork_is_not_claimed_after_an_undo() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 6)
        game.undo()
        with pytest.raises(UndoBarred, match="before any other"):
            check_mark(game.history, "free", ForkedFrom("h", 3, ""))


def _verdict(steps: list[Step]) -> tuple[Verdict, int]:
    with Ledger.memory() as ledger:
        ledger.adopt("g", steps)
        report = verify(ledger, "g")
        return report.verdict, report.step


def test_a_fork_remembers_under_which_rules_each_step_was_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Ledger.memory() as ledger:
        # given a game in which the rules' number changed after the fourth step and back at the end
        game = play_on(new_game(ledger), Random(3), 3)
        for rules in (2, 1):
            monkeypatch.setattr("engine.game.RULES", rules)
            play_on(game, Random(rules), 2)
        # when it is forked, the changes are where they were
        fork(ledger, game, game="all", now=clock())
        fork(ledger, game, 4, game="before", now=clock())
        assert _changes(ledger, "all") == [(5, RulesChanged(1, 2)), (8, RulesChanged(2, 1))]
        assert _changes(ledger, "before") == []


def _changes(ledger: Ledger, game: str) -> list[tuple[int, Mark]]:
    marks = Game.open(ledger, game).history.marks
    return [(n, mark) for n, mark in marks.items() if isinstance(mark, RulesChanged)]
