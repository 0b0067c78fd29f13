"""The tree of steps and its head, by itself. [P8, P9]"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.base import Event, Mark
from events.choices import EndPhase
from events.game import Chosen, DiceRolled, GameCreated
from events.history import (
    BranchTaken,
    Noted,
    Redone,
    UndoAsked,
    UndoGranted,
    Undone,
    UndoRefused,
)
from events.values import Table
from projections.battle import Battle, Settings
from projections.history import History, Node

BATTLE = Battle(Settings("40k-7e", "seeded", "", "free", "same"), Table())
CREATED = GameCreated("40k-7e", 1, "a seed", "seeded", "", "free", "same", Table())
RED: list[Event] = [Chosen("red", EndPhase())]


class Tree:
    """A history with numbers for names: ``play`` adds a node, ``mark`` a mark."""

    def __init__(self, plays: int = 0) -> None:
        self.history = History()
        self.history.add(1, [CREATED], BATTLE, None, 0)
        for _ in range(plays):
            self.play()

    def play(self, events: list[Event] | None = None) -> Node:
        return self.history.add(self.history.last + 1, events or RED, BATTLE, None, 0)

    def mark(self, mark: Mark) -> int:
        self.history.mark(self.history.last + 1, mark)
        return self.history.head.step

    def undo(self, to: int) -> int:
        return self.mark(Undone("red", self.history.head.step, to))

    @property
    def line(self) -> list[int]:
        return [node.step for node in self.history.path()]


def forward(history: History) -> int:
    ahead = history.head.forward
    return ahead.step if ahead else 0


def test_a_node_knows_who_answered_and_whether_dice_fell() -> None:
    tree = Tree()
    root = tree.history.head
    assert (root.by, root.rolled, root.depth, root.parent) == (None, False, 0, None)
    node = tree.play([Chosen("blue", EndPhase()), DiceRolled("to hit", (3,))])
    assert (node.by, node.rolled, node.depth, node.parent) == ("blue", True, 1, root)


def test_a_node_is_told_in_one_line_however_large_its_tree() -> None:
    """A failed assertion about a node tells it: with its family that took gigabytes."""
    tree = Tree(30)
    for to in (20, 10, 5):
        tree.undo(to)
        tree.play()
    assert repr(tree.history.head) == "<step 37 by red, depth 5, 1 events>"


def test_a_choice_after_an_undo_starts_a_branch() -> None:
    tree = Tree(3)
    assert tree.line == [1, 2, 3, 4]
    assert tree.undo(2) == 2
    tree.play()
    assert tree.line == [1, 2, 6]
    assert [node.step for node in tree.history.nodes[2].children] == [3, 6]
    assert [node.step for node in tree.history.tips()] == [4, 6]


def test_redo_goes_to_the_child_left_most_recently() -> None:
    tree = Tree(3)
    tree.undo(2)
    assert forward(tree.history) == 3
    assert tree.mark(Redone("red", 3)) == 3
    assert forward(tree.history) == 4
    # a new branch takes its place
    tree.undo(2)
    tree.play()
    tree.undo(2)
    assert forward(tree.history) == tree.history.nodes[2].children[-1].step


def test_taking_a_branch_sets_the_way_that_redo_follows() -> None:
    # given 2 with the children 3 (then 4) and 6, the head on 6
    tree = Tree(3)
    tree.undo(2)
    tree.play()
    # when the old branch is taken at its tip and undone to the root
    assert tree.mark(BranchTaken("red", 6, 4)) == 4
    tree.undo(1)
    # then redo leads back along it
    for step in (2, 3, 4):
        assert forward(tree.history) == step
        tree.mark(Redone("red", step))
    # and a branch taken backwards leaves the way it came from
    tree.mark(BranchTaken("red", 4, 2))
    assert forward(tree.history) == 3


def test_only_moves_of_the_head_move_it() -> None:
    tree = Tree(3)
    for mark in (Noted("red", "hm"), UndoAsked("red", 2), UndoRefused("blue", 2)):
        assert tree.mark(mark) == 4
    tree.mark(UndoAsked("red", 2))
    assert tree.mark(UndoGranted("blue", 4, 2)) == 2
    assert tree.history.last == 9
    assert sorted(tree.history.marks) == [5, 6, 7, 8, 9]
    assert tree.history.nodes.keys() == {1, 2, 3, 4}


def test_a_request_is_open_until_it_is_answered_or_the_game_goes_on() -> None:
    for answer in (UndoRefused("blue", 2), UndoGranted("blue", 4, 2), Undone("red", 4, 3)):
        tree = Tree(3)
        tree.mark(UndoAsked("red", 2))
        assert tree.history.request == UndoAsked("red", 2)
        tree.mark(answer)
        assert tree.history.request is None
    tree = Tree(3)
    tree.mark(UndoAsked("red", 2))
    tree.mark(Noted("blue", "let me think"))
    assert tree.history.request is not None
    tree.play()
    assert tree.history.request is None


def test_every_move_back_salts_fresh_dice_anew() -> None:
    tree = Tree(3)
    assert tree.history.salt == 0
    tree.undo(2)
    assert tree.history.salt == 5
    tree.mark(Redone("red", 3))
    tree.mark(Noted("red", "hm"))
    assert tree.history.salt == 5
    tree.mark(BranchTaken("red", 3, 4))
    assert tree.history.salt == 8
    assert tree.play().salt == 8


def test_a_mark_that_names_no_step_is_refused_and_the_head_stays() -> None:
    tree = Tree(3)
    with pytest.raises(KeyError):
        tree.undo(9)
    assert tree.history.head.step == 4


def test_the_way_between_two_nodes_is_newest_first() -> None:
    tree = Tree(4)
    nodes = tree.history.nodes
    assert [n.step for n in tree.history.between(nodes[5], nodes[2])] == [5, 4, 3]
    assert list(tree.history.between(nodes[5], nodes[5])) == []
    with pytest.raises(KeyError):
        list(tree.history.between(nodes[2], nodes[5]))


def test_facts_are_read_along_the_line_not_the_stream() -> None:
    tree = Tree()
    for n in range(3):
        tree.play([Chosen("red", EndPhase()), DiceRolled(str(n), (n + 1,))])
    tree.undo(2)
    tree.play([Chosen("red", EndPhase()), DiceRolled("again", (6,))])
    rolled = [(step, e.purpose) for step, e in tree.history.facts() if type(e) is DiceRolled]
    assert rolled == [(2, "0"), (6, "again")]
    left = tree.history.nodes[4]
    rolled = [(step, e.purpose) for step, e in tree.history.facts(left) if type(e) is DiceRolled]
    assert rolled == [(2, "0"), (3, "1"), (4, "2")]


WALK = st.lists(st.tuples(st.sampled_from(["play", "undo", "redo", "take"]), st.integers(0, 99)))


@given(WALK)
def test_a_walk_is_the_one_in_a_plain_model(walk: list[tuple[str, int]]) -> None:
    """The model: a parent for each step, and for each step the child that was left last."""
    tree = Tree(2)
    history = tree.history
    parents, ahead, at = {1: 0, 2: 1, 3: 2}, {1: 2, 2: 3}, 3

    def line(step: int) -> list[int]:
        found = []
        while step:
            found.append(step)
            step = parents[step]
        return found

    for move, n in walk:
        new = history.last + 1
        if move == "play":
            tree.play()
            parents[new], ahead[at], at = at, new, new
        elif move == "undo" and parents[at]:
            behind = line(at)[1:]
            to = behind[n % len(behind)]
            tree.undo(to)
            ahead.update({parents[s]: s for s in line(at) if s not in line(to)})
            at = to
        elif move == "redo" and ahead.get(at):
            tree.mark(Redone("red", ahead[at]))
            at = ahead[at]
        elif move == "take":
            to = sorted(parents)[n % len(parents)]
            tree.mark(BranchTaken("red", at, to))
            ahead.update({parents[s]: s for s in line(at) if s not in line(to)})
            ahead.update({parents[s]: s for s in line(to) if s not in line(at)})
            at = to
        assert history.head.step == at
        assert tree.line == line(at)[::-1]
        assert forward(history) == ahead.get(at, 0)
        # along the line itself each step points to the next, whatever branch was left before
        assert all(a.forward is b for a, b in pairwise(history.path()))
    assert history.nodes.keys() == parents.keys()
