"""Fork: a new game from any step of another, which is left as it is. [P5, P8]

The way from the first step to the fork point is copied, event bytes as stored, under a chain of
the new game's own; then ``ForkedFrom`` says where it came from. Dice fall by address, so the same
choices meet the same dice ahead, as in the game before, unless a new seed is given.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import msgspec

from engine.dice_agreed import LINKS_DUE
from engine.game import Game, wall_clock
from engine.links import hashed
from engine.requests import whole
from events.base import Mark
from events.codec import join_events, written
from events.errors import LedgerError
from events.game import LinkRevealed
from events.history import ForkedFrom, LinkKept, RulesChanged, SaltKept, SeedChanged
from events.ledger import Conflict, Ledger
from events.steps import Meta, Step, check_game_id, next_step, read_meta
from projections.history import History, Node


def fork(
    ledger: Ledger,
    source: Game,
    at: int | None = None,
    *,
    game: str | None = None,
    seed: str | None = None,
    now: Callable[[], int] = wall_clock,
) -> Game:
    """Copy the way to step `at` (default: where `source` stands) into a new game, and open it.

    `game` is the new id, drawn if not given. With a `seed` the dice ahead are new; without, the
    same choices meet the same dice as in `source`. Undone steps, notes and request ids stay
    behind. Raises LedgerError for a game of another ledger, a step that is no game step, an id that
    is taken or can't be a game's, a new seed
    where people enter the dice, or none where both sides' links reveal them: nobody can know those
    ahead. About 0.2 ms a step, most of it folding the new game.
    """
    whole("at", at)
    node = source.history.head if at is None else source.history.nodes.get(at)
    if node is None:
        raise LedgerError(f"{source.id} step {at}", source.history.no_step(at or 0))
    _check_seed(node, seed)
    name = game if game is not None else secrets.token_hex(4)
    check_game_id(name)
    stored = ledger.read(source.id)
    if len(stored) < source.version or stored[source.version - 1].chain != source.chain:
        raise LedgerError(source.id, "the game to fork is not in this ledger, or another is")
    copied = _Copy(name, now, source, stored)
    copied.way(node)
    copied.mark(ForkedFrom(source.id, node.step, stored[node.step - 1].chain))
    if seed is not None:
        copied.mark(SeedChanged(seed))
    taken = ledger.stream(name).head > 0
    try:
        if not taken:
            ledger.adopt(name, copied.steps)
    except Conflict:
        taken = True
    if taken:
        raise LedgerError(name, "a game with this id is in the ledger already")
    return Game.open(ledger, name, now)


def _check_seed(node: Node, seed: str | None) -> None:
    """See to it that a seed is named where the dice ahead need one, and nowhere else."""
    if seed is not None and node.dice == "entered":
        raise LedgerError("seed", "the dice of this game are entered by people; it has no seed")
    if node.dice not in ("revealed", "elsewhere"):
        return
    if seed is None:
        raise LedgerError(
            "seed", "the links ahead are its players' secrets: a fork needs a seed for its dice"
        )
    before: Node | None = node
    while before is not None and isinstance(before.battle.question, LINKS_DUE):
        before = before.parent
    if before is not node:
        instead = "no step before it can be" if before is None else f"fork from step {before.step}"
        raise LedgerError(f"step {node.step}", f"a roll waits for links there: {instead}")


class _Copy:
    """The rows of the new game while they are made."""

    def __init__(
        self, game: str, now: Callable[[], int], source: Game, stored: Sequence[Step]
    ) -> None:
        self.steps: list[Step] = []
        self._game = game
        self._now = now
        self._stored = stored
        self._history = source.history
        self._fresh = source.created.dice_after_undo == "fresh"
        self._salt = 0
        self._rules = source.created.rules
        agreed = source.created.commitments
        self._links = {} if agreed is None else {"red": agreed.red, "blue": agreed.blue}
        marks = reversed(source.history.marks.items())
        self._changes = [(n, mark.after) for n, mark in marks if isinstance(mark, RulesChanged)]

    def way(self, node: Node) -> None:
        """Copy the steps to a node, with what its dice and rules depended on besides them."""
        for at in self._history.path(node):
            self._context(at.step, at.salt)
            self._link(at)
            stored = self._stored[at.step - 1]
            meta = msgspec.structs.replace(read_meta(stored), request="")
            self._add(stored.events, stored.state, stored.schema, meta)
            for mark in _carried(self._history, at):
                self.mark(mark)
        ahead = node.forward.salt if node.forward is not None else self._history.salt
        self._context(self._history.last + 1, ahead)

    def mark(self, mark: Mark) -> None:
        """Add a mark; it changes no state."""
        if isinstance(mark, SaltKept):
            self._salt = mark.salt
        elif isinstance(mark, LinkKept):
            self._links[mark.side] = mark.link
        last = self.steps[-1]
        self._add(join_events([written(mark)]), last.state, last.schema, Meta(self._now()))

    def _context(self, n: int, salt: int) -> None:
        """Say by marks under which rules and with which salt the next step was played."""
        rules = next((after for at, after in self._changes if at < n), self._rules)
        if rules != self._rules:
            self.mark(RulesChanged(self._rules, rules))
            self._rules = rules
        if self._fresh and salt > self._salt:
            self.mark(SaltKept(salt))

    def _link(self, node: Node) -> None:
        """Say by a mark where links before the next were revealed in steps that stay behind."""
        first = node.events[0]
        if isinstance(first, LinkRevealed):
            before = hashed(first.link)
            if before != self._links[first.by]:
                self.mark(LinkKept(first.by, before))
            self._links[first.by] = first.link

    def _add(self, events: bytes, state: str, schema: int, meta: Meta) -> None:
        last = self.steps[-1] if self.steps else None
        self.steps.append(next_step(self._game, last, events, state, schema, meta))


def _carried(history: History, node: Node) -> list[Mark]:
    """Return the marks of earlier forks that stand right after a node, in order."""
    found: list[Mark] = []
    n = node.step + 1
    while isinstance(mark := history.marks.get(n), ForkedFrom | SeedChanged | SaltKept | LinkKept):
        found.append(mark)
        n += 1
    return found


Standing = Literal["holds", "not here", "differs"]
"""Whether the game of origin, where it is in this ledger, has the steps that were copied."""


class Origin(NamedTuple):
    """One game that a game was forked from."""

    game: str
    step: int
    """The step there."""
    own: int
    """The last copied step here."""
    standing: Standing


def ancestry(ledger: Ledger, game: Game) -> list[Origin]:
    """Return what a game was forked from, the nearest first; those before it follow.

    Each claim is checked where that game is in the ledger: its chain at that step, and every
    copied state, node for node. [P4]
    """
    own = ledger.read(game.id)
    origins: list[Origin] = []
    for n, mark in reversed(game.history.origins.items()):
        copied = [step for step in game.history.nodes if step < n]
        states = [own[step - 1].state for step in copied]
        standing: Standing = "not here"
        if ledger.has(mark.game):
            standing = "holds" if _states_at(ledger, mark) == states else "differs"
        origins.append(Origin(mark.game, mark.step, copied[-1], standing))
    return origins


def _states_at(ledger: Ledger, mark: ForkedFrom) -> list[str]:
    """Return the states on the way to a fork point; none where the chain there is another."""
    try:
        history = Game.open(ledger, mark.game).history
        stored = ledger.read(mark.game)
    except LedgerError:
        return []
    node = history.nodes.get(mark.step)
    if node is None or stored[mark.step - 1].chain != mark.chain:
        return []
    return [stored[at.step - 1].state for at in history.path(node)]
