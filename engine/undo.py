"""Who may go back how far: the undo policy agreed at creation. [P8]

``free``: any depth, alone. ``until_revealed``: your own steps, back to the last dice or the
opponent's answer; further needs the opponent's consent. ``none``: no undo.
A head move is allowed if every node it leaves is.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.links import leads_to
from events.base import Mark, Side, other
from events.errors import WarledgerError
from events.game import DiceRolled, PhaseName, UndoPolicy
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
from events.questions import (
    LinksNeeded,
    RealDiceOffered,
    WhereToDeploy,
    WhichCombat,
    WhichZone,
    WhoCharges,
    WhoMoves,
    WhoShoots,
)
from projections.history import History, Node

MOVES = (Undone, Redone, BranchTaken, UndoGranted)
"""Marks that move the head to their `to`."""


class UndoBarred(WarledgerError):
    """The head can't be moved so, or not by this player alone. `step` is the barrier.

    `consent` is whether the other player's would lift it: then he can be asked. `where` is what
    was wanted: ``undo``, ``redo``, ``@412`` for a branch.
    """

    def __init__(self, step: int, reason: str, consent: bool = False, where: str = "undo") -> None:
        super().__init__(where, reason)
        self.step = step
        self.consent = consent


def target_of(history: History, step: int) -> Node:
    """Return the node of a step. Raises UndoBarred for a step that is no game step."""
    node = history.nodes.get(step)
    if node is None:
        raise UndoBarred(step, f"step {step} is {history.no_step(step)}")
    return node


def stands(node: Node) -> bool:
    """Whether the head can be moved to a node: not where a link that is known would count again.

    There one side's link is out, and the other's may be, too, on the way that was left. A roll that
    waits for both can be stood at; but nothing in a fork that hangs on its origin's links.
    """
    question = node.battle.question
    due = question.due if isinstance(question, RealDiceOffered) else question
    return node.dice != "elsewhere" and not (isinstance(due, LinksNeeded) and due.link)


def _check_stands(node: Node) -> None:
    if node.dice == "elsewhere":
        raise UndoBarred(node.step, f"the dice after step {node.step} are its origin's players'")
    if not stands(node):
        raise UndoBarred(
            node.step, f"at step {node.step} a roll waits for links: go to a step before or after"
        )


def left_by(history: History, target: Node) -> Iterator[Node]:
    """Yield the nodes that moving the head to `target` leaves, newest first."""
    return _apart(history.head, target)


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


def entered_by(history: History, target: Node) -> Iterator[Node]:
    """Yield the nodes that moving the head to `target` enters, newest first."""
    return _apart(target, history.head)


def _apart(node: Node, kept: Node) -> Iterator[Node]:
    """Yield the nodes on the way to `node` that are not on the way to `kept`, newest first."""
    while node is not kept:
        if node.depth >= kept.depth:
            yield node
            node = _parent(node)
        else:
            kept = _parent(kept)


def _check_entered(history: History, policy: UndoPolicy, by: Side, target: Node) -> None:
    """Bar a player from putting back what the other took back: it would bind him again."""
    for node in entered_by(history, target) if policy == "until_revealed" else ():
        if node.by not in (by, None) and stands(node):
            reason = f"step {node.step} is {node.by}'s answer; {node.by} must agree"
            raise UndoBarred(node.step, reason, consent=True)


def check_mark(history: History, policy: UndoPolicy, mark: Mark) -> None:
    """Check a head move or request against the policy. Raises UndoBarred naming the barrier.

    Play and `verify` ask the same question of the same history. Costs the nodes left and
    entered; a `LinkKept` up to 10,000 hashes.
    """
    try:
        _check(history, policy, mark)
    except UndoBarred as barred:
        if not isinstance(mark, Redone | BranchTaken):
            raise
        word = "redo" if isinstance(mark, Redone) else f"@{mark.to}"
        raise UndoBarred(barred.step, barred.reason, barred.consent, word) from None


def _check(history: History, policy: UndoPolicy, mark: Mark) -> None:
    if isinstance(mark, Undone | BranchTaken):
        target = target_of(history, mark.to)
        if target is history.head:
            raise UndoBarred(mark.to, f"the game stands at step {mark.to} already")
        if mark.left != history.head.step:
            raise UndoBarred(mark.left, f"the game stands at step {history.head.step}")
        _check_stands(target)
        if isinstance(mark, Undone) and not _is_ancestor(history, target):
            raise UndoBarred(mark.to, f"step {mark.to} lies on another branch: take @{mark.to}")
        for node in () if _after_rules_changed(history, mark) else left_by(history, target):
            reason = barrier(policy, mark.by, node)
            if reason is not None:
                raise UndoBarred(node.step, reason, consent=policy != "none")
        _check_entered(history, policy, mark.by, target)
    elif isinstance(mark, Redone):
        forward = ahead(history.head)
        if mark.to != forward.step:
            raise UndoBarred(mark.to, f"redo leads to step {forward.step}")
        _check_entered(history, policy, mark.by, forward)
    elif isinstance(mark, UndoAsked):
        if policy == "none":
            raise UndoBarred(mark.to, "this game was agreed to have no undo")
        if target_of(history, mark.to) is history.head:
            raise UndoBarred(mark.to, f"the game stands at step {mark.to} already")
        _check_stands(target_of(history, mark.to))
    elif isinstance(mark, UndoGranted | UndoRefused):
        request = history.request
        if request is None or request.to != mark.to:
            raise UndoBarred(mark.to, f"nobody asked to go to step {mark.to}")
        if isinstance(mark, UndoGranted) and mark.left != history.head.step:
            raise UndoBarred(mark.left, f"the game stands at step {history.head.step}")
        if isinstance(mark, UndoGranted) and mark.to == history.head.step:
            raise UndoBarred(mark.to, f"the game stands at step {mark.to} already")
        if mark.by == request.by:
            raise UndoBarred(mark.to, f"{request.by} asked; {other(request.by)} answers")
    elif isinstance(mark, RulesChanged):
        if mark.before != history.rules or mark.after == mark.before:
            raise UndoBarred(history.last + 1, f"the game stands under rules {history.rules}")
    elif isinstance(mark, ForkedFrom | SeedChanged | SaltKept | LinkKept):
        _check_copy(history, mark)


def excused(history: History, policy: UndoPolicy, mark: Mark) -> RulesChanged | None:
    """Return the change of rules without which the policy would bar this undo, or None. [P5]

    Whoever runs rules sees to it that they do lead elsewhere: `Play.leads_elsewhere`.
    """
    changed = _after_rules_changed(history, mark)
    if changed is None or not isinstance(mark, Undone):
        return None
    left = left_by(history, target_of(history, mark.to))
    return changed if any(barrier(policy, mark.by, node) for node in left) else None


def _after_rules_changed(history: History, mark: Mark) -> RulesChanged | None:
    """Return the newer rules that may call for this undo: to the open action's start. [P5]

    Those it stands under, if they came after the step it stands at, whatever marks followed.
    """
    if not isinstance(mark, Undone) or history.newer_rules is None:
        return None
    n, changed = history.newer_rules
    if n < history.head.step or changed.after != history.rules:
        return None
    return changed if mark.to == action_start(history.head).step else None


def _check_copy(history: History, mark: ForkedFrom | SeedChanged | SaltKept | LinkKept) -> None:
    """Check a mark of a fork: it stands in the copied part, and dice change only where it ends.

    Otherwise a game could be given other dice in mid-play.
    """
    at = history.last + 1
    copied = (ForkedFrom, SeedChanged, SaltKept, LinkKept, RulesChanged)
    if not all(isinstance(earlier, copied) for earlier in history.marks.values()):
        raise UndoBarred(at, "a fork's marks stand in the part that was copied, before any other")
    if isinstance(mark, SeedChanged) and history.last not in history.origins:
        raise UndoBarred(at, "a new seed comes with a fork, right after its mark")
    if isinstance(mark, SaltKept) and mark.salt <= history.salt:
        raise UndoBarred(at, f"the salt of dice only grows; it is {history.salt}, not {mark.salt}")
    if isinstance(mark, LinkKept) and not leads_to(mark.link, history.links.get(mark.side, "")):
        raise UndoBarred(at, f"{mark.link[:12]}... is no later link of {mark.side}'s chain")


def _is_ancestor(history: History, target: Node) -> bool:
    node: Node | None = history.head
    while node is not None and node.depth > target.depth:
        node = node.parent
    return node is target


def before(head: Node) -> Node:
    """Return the node to go back to so that the last step is undone. UndoBarred at the first."""
    node = head.parent
    while node is not None and not stands(node):
        node = node.parent
    if node is None:
        raise UndoBarred(head.step, f"nothing to undo: step {head.step} is where the game begins")
    return node


OPENINGS = (WhichZone, WhereToDeploy, WhoMoves, WhoShoots, WhoCharges, WhichCombat)
"""Questions that begin an action: the active player names a unit, or ends the phase."""


def ahead(head: Node) -> Node:
    """Return the node that redo goes to. Raises UndoBarred where nothing was undone."""
    node = head.forward
    while node is not None and not stands(node):
        node = node.forward
    if node is None:
        raise UndoBarred(head.step, "nothing was undone: there is nothing to redo", where="redo")
    return node


def open_request(history: History) -> UndoAsked:
    """Return the request that waits for an answer. Raises UndoBarred if none does."""
    if history.request is None:
        raise UndoBarred(history.head.step, "nobody asked for an undo")
    return history.request


def asked_already(history: History, asks: UndoAsked) -> bool:
    """Whether this very request is open. UndoBarred where the other's is: it is answered first.

    Streams may hold requests that took another's place: `check_mark` lets them verify.
    """
    request = history.request
    if request is not None and request.by != asks.by:
        raise UndoBarred(
            request.to,
            f"{request.by} asks to go to step {request.to}: {other(request.by)} grants or refuses"
            " that first",
        )
    return request == asks


def action_start(head: Node) -> Node:
    """Return the node to go back to so that the whole of the last action is undone.

    An action is what one answer to an opening question set off: all weapon groups of a unit, a
    charge with the Overwatch against it, a combat with every answer in it. Raises UndoBarred at
    the first step.
    """
    node = before(head)
    while node.parent is not None and not isinstance(node.battle.question, OPENINGS):
        node = node.parent
    return node


def phase_start(head: Node) -> Node:
    """Return the node to go back to so that all answers in the phase of the last are undone.

    At the first question of a phase that is the phase before. Raises UndoBarred at the first step.
    """
    node = before(head)
    phase = _phase_of(node)
    while node.parent is not None and _phase_of(node.parent) == phase:
        node = node.parent
    return node


def _phase_of(node: Node) -> tuple[int, Side, PhaseName]:
    clock = node.battle.clock
    return clock.game_turn, clock.active, clock.phase
