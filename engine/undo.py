"""Who may go back how far: the undo policy agreed at creation. [P8]

``free``: any depth, alone. ``until_revealed``: your own steps, back to the last dice or the
opponent's answer; further needs the opponent's consent. ``none``: no undo.
A head move is allowed if every node it leaves is.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.base import Mark, Side, other
from events.errors import WarledgerError
from events.game import Chosen, DiceRolled, UndoPolicy
from events.history import BranchTaken, Redone, UndoAsked, UndoGranted, Undone, UndoRefused
from projections.history import History, Node


class UndoBarred(WarledgerError):
    """The policy doesn't let this player go back that far alone. `step` is the barrier."""

    def __init__(self, step: int, reason: str) -> None:
        super().__init__("undo", reason)
        self.step = step


def target_of(history: History, step: int) -> Node:
    """Return the node of a step. Raises UndoBarred for a step that is no game step."""
    node = history.nodes.get(step)
    if node is None:
        raise UndoBarred(step, f"step {step} is not a game step (1 to {history.last})")
    return node


def left_by(history: History, target: Node) -> Iterator[Node]:
    """Yield the nodes that moving the head to `target` leaves, newest first."""
    node, kept = history.head, target
    while node is not kept:
        if node.depth >= kept.depth:
            yield node
            node = _parent(node)
        else:
            kept = _parent(kept)


def _parent(node: Node) -> Node:
    assert node.parent is not None  # every tree has one root: the ways meet before it is passed
    return node.parent


def barrier(policy: UndoPolicy, by: Side, node: Node) -> str | None:
    """Return why `by` may not leave a node alone, or None."""
    if policy == "free":
        return None
    if policy == "none":
        return "this game was agreed to have no undo"
    if node.by not in (by, None):
        return f"step {node.step} is {node.by}'s answer; {other(by)} must agree"
    for event in node.events:
        if type(event) is DiceRolled:
            faces = ", ".join(map(str, event.faces))
            return (
                f"dice fell in step {node.step} ({event.purpose}: {faces}); {other(by)} must agree"
            )
    return None


def check_mark(history: History, policy: UndoPolicy, mark: Mark) -> None:
    """Check a head move or request against the policy. Raises UndoBarred naming the barrier.

    Play and `verify` ask the same question of the same history. Costs the nodes left.
    """
    if isinstance(mark, Undone | BranchTaken):
        target = target_of(history, mark.to)
        if target is history.head:
            raise UndoBarred(mark.to, f"the game stands at step {mark.to} already")
        if mark.left != history.head.step:
            raise UndoBarred(mark.left, f"the game stands at step {history.head.step}")
        if isinstance(mark, Undone) and not _is_ancestor(history, target):
            raise UndoBarred(mark.to, f"step {mark.to} lies on another branch: take @{mark.to}")
        for node in left_by(history, target):
            reason = barrier(policy, mark.by, node)
            if reason is not None:
                raise UndoBarred(node.step, reason)
    elif isinstance(mark, Redone):
        forward = history.head.forward
        if forward is None:
            raise UndoBarred(history.head.step, "nothing was undone: there is nothing to redo")
        if mark.to != forward.step:
            raise UndoBarred(mark.to, f"redo leads to step {forward.step}")
    elif isinstance(mark, UndoAsked):
        if policy == "none":
            raise UndoBarred(mark.to, "this game was agreed to have no undo")
        target = target_of(history, mark.to)
        if target is history.head or not _is_ancestor(history, target):
            raise UndoBarred(mark.to, f"step {mark.to} does not lie behind the head")
    elif isinstance(mark, UndoGranted | UndoRefused):
        request = history.request
        if request is None or request.to != mark.to:
            raise UndoBarred(mark.to, f"nobody asked to go back to step {mark.to}")
        if isinstance(mark, UndoGranted) and mark.left != history.head.step:
            raise UndoBarred(mark.left, f"the game stands at step {history.head.step}")
        if mark.by == request.by:
            raise UndoBarred(mark.to, f"{request.by} asked; {other(request.by)} answers")


def _is_ancestor(history: History, target: Node) -> bool:
    node: Node | None = history.head
    while node is not None and node.depth > target.depth:
        node = node.parent
    return node is target


def action_start(node: Node) -> Node:
    """Return the node to go back to so that the whole of the last action is undone.

    An action is what one choice of the active player set off: back to the question he answered.
    """
    at = node
    while at.parent is not None:
        parent = at.parent
        first = at.events[0]
        if type(first) is Chosen and at.began is not None and at.by == at.battle.clock.active:
            return parent
        at = parent
    return at
