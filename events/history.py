"""Marks: what happened to the history itself. They make no node and change no battle. [P8]"""

from __future__ import annotations

from events.base import Mark, Side
from events.game import Link


class Undone(Mark, frozen=True, gc=False, tag="undone/1"):
    """The head moved back from step `left` to step `to`; nothing was deleted."""

    by: Side
    left: int
    to: int


class Redone(Mark, frozen=True, gc=False, tag="redone/1"):
    """The head moved forward again, to step `to`."""

    by: Side
    to: int


class BranchTaken(Mark, frozen=True, gc=False, tag="branch_taken/1"):
    """The head moved to step `to` on another branch (named ``@to``)."""

    by: Side
    left: int
    to: int


class UndoAsked(Mark, frozen=True, gc=False, tag="undo_asked/1"):
    """A player asked to go back to step `to`, or over to it, past what the policy allows alone."""

    by: Side
    to: int


class UndoGranted(Mark, frozen=True, gc=False, tag="undo_granted/1"):
    """The opponent granted the request; the head moved from `left` to `to`."""

    by: Side
    left: int
    to: int


class UndoRefused(Mark, frozen=True, gc=False, tag="undo_refused/1"):
    """The opponent refused the request to go to step `to`."""

    by: Side
    to: int


class Noted(Mark, frozen=True, gc=False, tag="noted/1"):
    """A player wrote something in the margin."""

    by: Side
    text: str


class RulesChanged(Mark, frozen=True, gc=False, tag="rules_changed/1"):
    """Play went on under another rules number. [P5]"""

    before: int
    after: int


class ForkedFrom(Mark, frozen=True, gc=False, tag="forked_from/1"):
    """The steps before this mark are a copy of the way to step `step` of another game.

    `chain` is that step's chain digest there: with it the claim can be checked. [P4]
    """

    game: str
    step: int
    chain: str


class SeedChanged(Mark, frozen=True, gc=False, tag="seed_changed/1"):
    """The dice of everything played from this step on come from a new seed. Only after a fork."""

    seed: str


class SaltKept(Mark, frozen=True, gc=False, tag="salt_kept/1"):
    """The next steps' dice are salted as they were in the game this one is a copy of.

    Needed where that game's undos had made its dice fresh: the undos themselves are not copied.
    """

    salt: int


class LinkKept(Mark, frozen=True, gc=False, tag="link_kept/1"):
    """In a copied game: a side's last revealed link is this one; those before were undone there.

    The undone steps in which they were revealed are not copied, the chain goes on all the same.
    """

    side: Side
    link: Link
