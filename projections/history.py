"""The history tree: every step ever played, a head, and what undo and redo did to it. [P8]

Outside the battle and its digest. Game steps make nodes; marks move the head. Nothing is ever
deleted, so a branch left behind can be taken up again by the number of its step (``@412``).
With a battle kept at each node, undo, redo and seek are pointer moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from events.base import Event, Mark, Side
from events.choices import AnswerRealDice
from events.codec import tag_of
from events.game import (
    Chosen,
    DiceMode,
    DiceRolled,
    GameCreated,
    LinkRevealed,
    ProcedureStarted,
)
from events.history import (
    BranchTaken,
    ForkedFrom,
    LinkKept,
    Redone,
    RulesChanged,
    SaltKept,
    SeedChanged,
    UndoAsked,
    UndoGranted,
    Undone,
    UndoRefused,
)
from projections.battle import Battle
from projections.reducers import REDUCERS


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """One game step and the battle after it."""

    step: int
    parent: Node | None
    events: list[Event]
    battle: Battle
    began: Battle | None
    """The battle where the procedure open after this step began, if it began in this step."""
    began_at: int
    """Index in `events` just after that procedure's `ProcedureStarted`; 0 if none began here."""
    by: Side | None
    """Who answered; None for the creation."""
    rolled: bool
    """Whether dice fell in the step."""
    depth: int
    salt: int
    """What salted its dice where they are fresh after an undo."""
    seed: str
    """The seed of what is played from here: the creation's, or a fork's own."""
    dice: DiceMode | Literal["elsewhere"]
    """Where dice come from from here on: as agreed at creation, or on the way here.

    ``elsewhere`` in the copied part of a fork, where they are from links of its origin's players.
    """
    children: list[Node] = field(default_factory=list)
    forward: Node | None = None
    """The child most recently left: where redo goes."""

    def __repr__(self) -> str:
        # Parents and children would make one node's words those of the whole tree, many times over.
        return f"<step {self.step} by {self.by}, depth {self.depth}, {len(self.events)} events>"


class History:
    """The tree of steps of one game and its head."""

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}
        self.root: Node | None = None
        self.last = 0
        """Number of the last row of the stream, marks included."""
        self.salt = 0
        """Stream number of the last undo, 0 if none: salts fresh dice after an undo.

        A fork goes on from the salt of the game it is a copy of, always upwards.
        """
        self.rules = 0
        """Number of the rules that the game was last played under. [P5]"""
        self.newer_rules: tuple[int, RulesChanged] | None = None
        """The last change to a higher number, with its stream number."""
        self.links: dict[Side, str] = {}
        """Where dice are revealed: the last link that each side has shown, on any branch."""
        self.request: UndoAsked | None = None
        """An open request to undo past the policy; lapses at the next game step."""
        self.marks: dict[int, Mark] = {}
        self._head: Node | None = None

    @property
    def head(self) -> Node:
        """The node that the game stands at."""
        assert self._head is not None
        return self._head

    @property
    def battle(self) -> Battle:
        """The battle at the head."""
        return self.head.battle

    def add(
        self, step: int, events: list[Event], battle: Battle, began: Battle | None, began_at: int
    ) -> Node:
        """Add a game step under the head and move there. Constant time."""
        parent = self._head
        first = events[0]
        by = first.by if type(first) is Chosen or type(first) is LinkRevealed else None
        rolled = DiceRolled in map(type, events)
        depth = parent.depth + 1 if parent else 0
        if parent is not None:
            seed, dice = parent.seed, parent.dice
            if dice == "revealed":
                dice = self._shown(first)
        else:
            assert type(first) is GameCreated
            seed, dice, self.rules = first.seed, first.dice, first.rules
            if first.commitments is not None:
                self.links = {"red": first.commitments.red, "blue": first.commitments.blue}
        node = Node(
            step, parent, events, battle, began, began_at, by, rolled, depth, self.salt, seed, dice
        )
        if parent is None:
            self.root = node
        else:
            parent.children.append(node)
            parent.forward = node
        self.nodes[step] = node
        self._head = node
        self.last = step
        self.request = None
        return node

    def _shown(self, first: Event) -> DiceMode:
        """Keep a link that was revealed; return where dice come from after the step."""
        if type(first) is LinkRevealed:
            self.links[first.by] = first.link
        elif type(first) is Chosen and type(first.choice) is AnswerRealDice:
            return "entered" if first.choice.agreed else "revealed"
        return "revealed"

    def fold(self, step: int, events: list[Event]) -> Node:
        """Add a game step under the head by folding its events, and move there.

        About 1 microsecond an event.
        """
        battle: Any = None if self._head is None else self._head.battle
        began, began_at, reducers = None, 0, REDUCERS
        for at, event in enumerate(events, 1):
            kind = type(event)
            if kind is ProcedureStarted:
                began, began_at = battle, at
            battle = reducers[kind](battle, event)
        return self.add(step, events, battle, began, began_at)

    def mark(self, step: int, mark: Mark) -> None:
        """Apply a mark to the head. Constant time for undo and redo of one step.

        Raises KeyError where it names a step that is no node.
        """
        self.last = step
        self.marks[step] = mark
        if isinstance(mark, Undone | UndoGranted | BranchTaken):
            self._to(self.nodes[mark.to])
            self.salt, self.request = max(step, self.salt + 1), None
        elif isinstance(mark, Redone):
            self._to(self.nodes[mark.to])
        elif isinstance(mark, UndoAsked):
            self.request = mark
        elif isinstance(mark, UndoRefused):
            self.request = None
        elif isinstance(mark, RulesChanged):
            self.rules = mark.after
            if mark.after > mark.before:
                self.newer_rules = step, mark
        elif isinstance(mark, SeedChanged):
            self.head.seed = mark.seed
            if self.head.dice == "revealed":  # links ahead are secrets of another game
                for node in self.nodes.values():
                    node.dice = "elsewhere"
                self.head.dice = "seeded"
        elif isinstance(mark, SaltKept):
            self.salt = mark.salt
        elif isinstance(mark, LinkKept):
            self.links[mark.side] = mark.link

    def no_step(self, step: int) -> str:
        """Say what a number that is no game step's is: a mark's, or none of this game's."""
        if step in self.marks:
            name = tag_of(type(self.marks[step])).partition("/")[0].replace("_", " ")
            return f"a mark ({name}), not a game step"
        return f"no game step (last is {next(reversed(self.nodes))})"

    @property
    def origins(self) -> dict[int, ForkedFrom]:
        """Where the game was forked from, by the mark's stream number; the oldest first."""
        return {n: mark for n, mark in self.marks.items() if isinstance(mark, ForkedFrom)}

    def _to(self, target: Node) -> None:
        """Move the head anywhere in the tree: back by the way it came, forward by the new one.

        Redo follows the new way, or the one left where the target lies behind.
        """
        here, there = self.head, target
        ahead: list[Node] = []
        while here is not there:
            if here.depth >= there.depth:
                assert here.parent is not None  # a tree has one root
                here.parent.forward = here
                here = here.parent
            else:
                assert there.parent is not None
                ahead.append(there)
                there = there.parent
        for node in ahead:
            assert node.parent is not None
            node.parent.forward = node
        self._head = target

    def path(self, node: Node | None = None) -> list[Node]:
        """Return the nodes from the root to `node` (default: the head), in order of play."""
        at: Node | None = node or self._head
        found: list[Node] = []
        while at is not None:
            found.append(at)
            at = at.parent
        found.reverse()
        return found

    def between(self, node: Node, ancestor: Node) -> Iterator[Node]:
        """Yield the nodes that a move from `node` back to `ancestor` leaves, newest first.

        Raises KeyError where `ancestor` isn't one.
        """
        at: Node | None = node
        while at is not ancestor:
            if at is None:
                raise KeyError(ancestor.step)
            yield at
            at = at.parent

    def tips(self) -> list[Node]:
        """Return the last node of every branch, oldest first; the head's own is among them."""
        return [node for node in self.nodes.values() if not node.children]

    def facts(self, node: Node | None = None) -> Iterator[tuple[int, Event]]:
        """Yield (step, event) along the path to `node` (default: the head). For read models."""
        for at in self.path(node):
            for event in at.events:
                yield at.step, event
