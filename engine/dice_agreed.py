"""Where a game's dice come from, by what was agreed at its creation and on the way."""

from __future__ import annotations

from functools import lru_cache

from engine.dice import ALGORITHM, DiceFrom, EnteredDice, RevealedDice, SeededDice
from engine.links import ALGORITHM as LINKS
from engine.links import check_link, leads_to
from engine.runner import REVEALING
from events.base import Event, Side, other
from events.errors import IllegalChoice, LedgerError
from events.game import Asked, Chosen, DiceAfterUndo, DiceMode, GameCreated, LinkRevealed
from events.questions import LinksNeeded, RealDiceOffered, RollNeeded
from projections.history import History

LINKS_DUE = (LinksNeeded, RealDiceOffered)
"""Questions of a roll that waits for links."""
DICE_DUE = (RollNeeded, *LINKS_DUE)
"""Questions of a roll that waits for anything from people."""


def algorithm_of(dice: DiceMode) -> str:
    """Return the name of the dice algorithm of a mode, as `GameCreated` records it."""
    return LINKS if dice == "revealed" else ALGORITHM


def after_undo(dice: DiceMode) -> DiceAfterUndo:
    """Return what becomes of dice after an undo where nothing was said: revealed ones are fresh."""
    return "fresh" if dice == "revealed" else "same"


def dice_agreed(created: GameCreated, given: DiceFrom | None = None) -> DiceFrom:
    """Return the dice of a game; `given` are recorded ones to be taken instead.

    Raises LedgerError where what was agreed doesn't fit together, naming the field.
    """
    revealed = created.dice == "revealed"
    algorithm = algorithm_of(created.dice)
    if created.algorithm != algorithm:
        raise LedgerError("algorithm", f"dice are {algorithm!r}, not {created.algorithm!r}")
    if (created.commitments is not None) != revealed:
        right = "both sides commit" if revealed else "nobody commits to links"
        raise LedgerError("commitments", f"where dice are {created.dice}, {right}")
    if not revealed:
        seeded = created.dice == "seeded"
        return given or (SeededDice(created.seed) if seeded else EnteredDice())
    assert created.commitments is not None
    if _one_chain(created.commitments.red, created.commitments.blue):
        # Who repeats what the other side reveals would leave that side to know the dice alone.
        raise LedgerError("commitments", "both sides commit to the same chain; each draws its own")
    if created.dice_after_undo != "fresh":
        # A link that is known would let a player try out choices and take them back.
        raise LedgerError(
            "dice_after_undo", f"{created.dice_after_undo!r}: revealed dice are fresh after an undo"
        )
    return RevealedDice(given)


@lru_cache(64)  # 20 milliseconds once for a game
def _one_chain(red: str, blue: str) -> bool:
    return red == blue or leads_to(red, blue) or leads_to(blue, red)


def dice_at_head(agreed: DiceFrom, history: History, answer: object) -> DiceFrom:
    """Return the dice of the step that an answer makes from the head.

    A fork has a seed of its own, and players who agreed on real dice enter them.
    """
    head = history.head
    if isinstance(agreed, RevealedDice):
        if head.dice == "entered":
            return EnteredDice()
        if head.dice == "seeded":
            return agreed.known or SeededDice(head.seed)
        question = head.battle.question
        if isinstance(answer, LinkRevealed) and isinstance(question, LinksNeeded) and question.link:
            links: dict[Side, str] = {answer.by: answer.link, other(answer.by): question.link}
            agreed.take(links["red"], links["blue"])
        else:
            agreed.spent()
    elif isinstance(agreed, SeededDice):
        agreed.follow(head.seed)
    return agreed


def check_reveal(history: History, event: LinkRevealed) -> None:
    """Refuse a link that is not due: by its side, or as the next of its chain. [P6]

    Every link that a side has ever revealed counts, also on a branch that was left: it is known.
    """
    due, last = history.battle.question, history.links.get(event.by)
    if history.battle.outcome is not None or last is None or not isinstance(due, LinksNeeded):
        raise IllegalChoice("DMOD-1", "no link is due: a roll asks for it once a choice stands")
    if event.by not in due.waiting:
        raise IllegalChoice("DMOD-1", f"{event.by} has revealed its link; {due.player} has not")
    check_link(event.by, event.link, last)


def about_dice(event: Event) -> bool:
    """Whether an event is only about who rolls: with the faces known it would not be there."""
    if isinstance(event, Asked):
        return isinstance(event.question, DICE_DUE)
    if isinstance(event, Chosen):
        return isinstance(event.choice, REVEALING)
    return isinstance(event, LinkRevealed)
