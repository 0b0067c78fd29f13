"""The one family of errors: each names the rule or field, the value and what would be right.

Kinds that carry more than words stand where they are raised: `events.ledger.Conflict` and
`RequestReused`, `engine.undo.UndoBarred`, `engine.notation.LineError`,
`engine.enumerate.TooManyWays`.
"""

from __future__ import annotations


class WarledgerError(Exception):
    """Base of everything the engine raises on purpose.

    `where` is a rule id ("CDEC-2"), a field ("units[3].toughness") or a file position
    ("army.ros:12"); `reason` is plain words that say what is wrong and what would be right.
    """

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.where = where
        self.reason = reason


class IllegalChoice(WarledgerError):
    """A choice the rules refuse. Nothing was appended. [P6]

    `where` is the rule id, or the choice's field (``deploy.at``) where no rule has one.
    """


class NotationError(WarledgerError):
    """A choice line that can't be read. `where` names the word."""


class RosterError(WarledgerError):
    """A roster that can't be read. `where` is file and element. Nothing was written."""


class ScenarioError(WarledgerError):
    """A scenario file with an unknown key or a wrong value. `where` is file:line."""


class LedgerError(WarledgerError):
    """The store can't be used or holds something that is not a game."""


class Divergence(WarledgerError):
    """Re-execution did not meet what was recorded. `where` is the step."""


class DiceError(WarledgerError):
    """Dice that don't fit the roll: wrong count, faces out of range, scripted dice left over."""
