"""Odds at a decision: what a choice may come to, from forks of the present battle in memory.

Where the dice of an action can be walked face by face in few enough ways its odds are exact;
otherwise they are sampled and stand with their interval. Other questions that come up on the way
are answered as the aggressive bots would. The dice that the game itself would roll are not looked
at, and the game is never changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Literal, NamedTuple

from engine.answers import check
from engine.bots import AggressiveBot
from engine.dice import DiceFrom
from engine.enumerate import TooManyWays, outcomes
from engine.game import Game, wall_clock
from engine.notation import write
from engine.play import Play, since_began
from engine.runner import Procedure
from engine.sequence import RULESETS
from events.assault import CombatResolved, UnitCharged
from events.base import SIDES, Event, Side, Value, other
from events.choices import AnyChoice, Charge, CheckMorale, FightCombat, FireOverwatch, Shoot
from events.game import Chosen
from events.ledger import Ledger
from events.morale import FallBackStarted
from events.questions import OverwatchOffered, WhichCombat
from projections.battle import Battle
from projections.history import Node
from projections.queries import unit_of
from replay.analysis.units import enrolled
from replay.chance_dice import SampledDice

Until = Literal["action", "phase", "turn"]
"""How far a choice is followed: its own action (a combat to its end), the phase, the turn."""

WAYS = 1000
"""An action with more ways than this for its dice to fall is sampled."""

SAMPLES = 200
"""How often it is sampled then."""

SCOUTS = 8
"""Samples that guess the number of ways before a walk is begun."""

FEWEST = 2
"""Samples without which there is no interval."""

CONFIDENCE = Fraction(196, 100)
"""Standard deviations to either side of a 95 % interval."""

Method = Literal["exact", "sampled"]


class Chance(Value, frozen=True, gc=False):
    """A probability; `low` and `high` are its 95 % interval, both itself where it is exact."""

    value: Fraction
    low: Fraction
    high: Fraction


class Spread(Value, frozen=True, gc=False):
    """A number's distribution: its mean with its 95 % interval, and the chance of each value."""

    mean: Fraction
    low: Fraction
    high: Fraction
    shares: tuple[tuple[int, Fraction], ...]
    """(value, chance), values ascending."""

    def at_least(self, number: int) -> Fraction:
        """Return the chance of so much or more."""
        return sum((share for value, share in self.shares if value >= number), Fraction(0))


class Odds(Value, frozen=True, gc=False):
    """What a choice may come to. Models and points are counted as lost from now to the end."""

    choice: str
    """In the notation."""
    by: Side
    until: Until
    method: Method
    runs: int
    """Ways walked, or samples taken."""
    wanted: int
    """How many there should have been: more than `runs` where it was stopped by Ctrl-C."""
    succeeds: str
    """What counts as success, in words; "" where the choice has no such thing."""
    success: Chance | None
    inflicted: Spread
    """Enemy models lost."""
    suffered: Spread
    """Own models lost."""
    points: Spread
    """Points of enemy models lost less those of own ones, in tenths."""


class Outcome(NamedTuple):
    """One end of a choice."""

    success: bool
    inflicted: int
    suffered: int
    points: int


class Aim(NamedTuple):
    """What a choice is made for: in words, and whether it came about."""

    words: str
    met: Callable[[Sequence[Event], Battle, Battle], bool]
    """Of the events, the battle before and the battle after."""


def aim_of(choice: AnyChoice, battle: Battle) -> Aim | None:
    """Return what counts as a choice's success, or None."""
    question = battle.question
    match choice, question:
        case Charge(unit=unit), _:
            return Aim("the charge arrives", lambda events, *_: _has(events, UnitCharged, unit))
        case FireOverwatch(), OverwatchOffered(charger=charger):
            return Aim(
                f"{charger} does not arrive",
                lambda events, *_: not _has(events, UnitCharged, charger),
            )
        case Shoot(target=target), _:
            return Aim(
                f"{target} loses a model",
                lambda _, before, after: (
                    len(unit_of(after, target).models) < len(unit_of(before, target).models)
                ),
            )
        case FightCombat(), WhichCombat(player=player):
            return Aim(
                f"{player} wins the combat",
                lambda events, *_: _has(events, CombatResolved, player, "winner"),
            )
        case CheckMorale(unit=unit), _:
            return Aim(f"{unit} holds", lambda events, *_: not _has(events, FallBackStarted, unit))
        case _:
            return None


def _has(events: Iterable[Event], kind: type[Event], what: str, field: str = "unit") -> bool:
    return any(isinstance(event, kind) and getattr(event, field) == what for event in events)


def odds(
    game: Game,
    choice: AnyChoice,
    *,
    at: int | None = None,
    until: Until = "action",
    samples: int = SAMPLES,
    progress: Callable[[int, int], None] | None = None,
) -> Odds:
    """Return what a choice may come to if it is made at step `at`, by default now.

    Raises IllegalChoice where the rules refuse it there, LedgerError for no game step. A way or a
    sample takes what the rules need from there to the end: milliseconds for a volley, a tenth of
    a second and more for a combat, seconds for a phase or a turn. `progress(done, of)` is called
    after each. Ctrl-C ends it with the samples so far, or while the ways are walked with those that
    guessed how many there are; KeyboardInterrupt before that, and where they are too few.
    """
    battle = game.battle if at is None else game.at(at)
    question = battle.question
    by = question.player if question is not None else battle.clock.active
    check(RULESETS[game.created.ruleset].answers, battle, by, choice)
    node = game.history.head if at is None else game.history.nodes[at]
    fork = _Fork(game, node, choice, by, until)
    moved = progress or (lambda done, of: None)
    scouts, ways = Counter[Outcome](), 0
    for n in range(SCOUTS):
        dice = SampledDice(f"scout {n} {fork.line}")
        scouts[fork.run(dice)] += 1
        ways += dice.ways
        moved(n + 1, samples)
    if ways <= SCOUTS * WAYS:
        try:
            return fork.walked(ways // SCOUTS, moved)
        except TooManyWays:
            pass
        except KeyboardInterrupt:
            return fork.sampled(scouts, samples)
    return fork.sampled(fork.sample(samples, moved), samples)


class _Fork:
    """A battle in memory, played on from a choice with other dice, again and again."""

    def __init__(self, game: Game, node: Node, choice: AnyChoice, by: Side, until: Until) -> None:
        began, recorded = since_began(node)
        self.before = node.battle
        self.by = by
        self.line = write(choice)
        self.until: Until = until
        self._choice = choice
        self._created = game.created
        self._ruleset = RULESETS[game.created.ruleset]
        self._step = node.step
        self._began = began
        self._root: list[Event] = [game.created, *recorded]
        self._units = enrolled(game.history.facts(node))
        self._aim = aim_of(choice, self.before)
        self._bots = {side: AggressiveBot("odds") for side in SIDES}
        self._nowhere = Ledger.memory().stream("odds")

    def run(self, dice: DiceFrom) -> Outcome:
        """Play the choice to its end with these dice."""
        play = Play(self._ruleset, dice, fresh=False)
        play.history.add(self._step, self._root, self.before, self._began, 1)
        play.runner.next_procedure = self._next
        seat = Game(self._nowhere, play, wall_clock, self._created)  # bots look at it
        events: list[Event] = []
        answer, by = self._choice, self.by
        while True:
            made = play.answer(Chosen(by, answer))
            play.adopt(play.history.last + 1, made)
            events += made.events
            question = made.battle.question
            if question is None or made.battle.outcome is not None:
                return self._outcome(events, made.battle)
            by = question.player
            answer = self._bots[by].choose(seat)

    def _next(self, battle: Battle) -> Procedure | None:
        """Return the rule that comes next, or None where the choice is followed no further."""
        if battle is not self._began and self._over(battle):
            return None
        return self._ruleset.next_procedure(battle)

    def _over(self, battle: Battle) -> bool:
        """Whether the choice has come to its end; asked only between two rules."""
        now, then = battle.clock, self.before.clock
        if (now.game_turn, now.active) != (then.game_turn, then.active) or not now.in_turn:
            return self.until != "action" or not now.in_phase
        if self.until == "turn":
            return False
        if now.phase != then.phase or not now.in_phase:
            return True
        return self.until == "action" and getattr(battle.phase, "combat", None) is None

    def _outcome(self, events: Sequence[Event], after: Battle) -> Outcome:
        lost: dict[Side, int] = {"red": 0, "blue": 0}
        points: dict[Side, int] = {"red": 0, "blue": 0}
        for was, unit in zip(self.before.units, after.units, strict=True):
            one = self._units[unit.id]
            lost[unit.side] += len(was.models) - len(unit.models)
            points[unit.side] += one.worth(len(was.models)) - one.worth(len(unit.models))
        met = self._aim is not None and self._aim.met(events, self.before, after)
        enemy = other(self.by)
        return Outcome(met, lost[enemy], lost[self.by], points[enemy] - points[self.by])

    def walked(self, guess: int, moved: Callable[[int, int], None]) -> Odds:
        """Return the exact odds; `guess` is about how many ways there are. Raises TooManyWays."""
        ways = 0

        def play(dice: DiceFrom) -> Outcome:
            nonlocal ways
            outcome = self.run(dice)
            ways += 1
            moved(ways, max(ways, guess))
            return outcome

        ends = outcomes(play, key=lambda end: end, most=WAYS)
        return self.summed(ends, ways, ways, "exact")

    def sample(self, samples: int, moved: Callable[[int, int], None]) -> Counter[Outcome]:
        """Count every outcome among samples; the same ones for the same choice.

        Ctrl-C ends it with those there are, once there are enough for an interval.
        """
        counts: Counter[Outcome] = Counter()
        try:
            for n in range(samples):
                counts[self.run(SampledDice(f"odds {n} {self.line}"))] += 1
                moved(n + 1, samples)
        except KeyboardInterrupt:
            if counts.total() < FEWEST:
                raise
        return counts

    def sampled(self, counts: Counter[Outcome], wanted: int) -> Odds:
        """Return the odds that samples come to."""
        runs = counts.total()
        shares = {outcome: Fraction(count, runs) for outcome, count in counts.items()}
        return self.summed(shares, runs, max(runs, wanted), "sampled")

    def summed(
        self, ends: Mapping[Outcome, Fraction], runs: int, wanted: int, method: Method
    ) -> Odds:
        """Return the odds that outcomes with their chances or shares come to."""
        samples = runs if method == "sampled" else 0
        met = sum((share for end, share in ends.items() if end.success), Fraction(0))
        return Odds(
            self.line,
            self.by,
            self.until,
            method,
            runs,
            wanted,
            self._aim.words if self._aim else "",
            chance(met, samples) if self._aim else None,
            spread(((end.inflicted, share) for end, share in ends.items()), samples),
            spread(((end.suffered, share) for end, share in ends.items()), samples),
            spread(((end.points, share) for end, share in ends.items()), samples),
        )


def chance(share: Fraction, samples: int) -> Chance:
    """Return a probability with Wilson's interval for so many samples; 0 samples: exact.

    >>> wilson = chance(Fraction(8, 10), 10)
    >>> [round(float(x), 3) for x in (wilson.low, wilson.value, wilson.high)]
    [0.49, 0.8, 0.943]
    """
    if not samples:
        return Chance(share, share, share)
    square = CONFIDENCE**2
    middle = (samples * share + square / 2) / (samples + square)
    wide = CONFIDENCE * root(samples * share * (1 - share) + square / 4) / (samples + square)
    return Chance(share, max(Fraction(0), middle - wide), min(Fraction(1), middle + wide))


def spread(ends: Iterable[tuple[int, Fraction]], samples: int) -> Spread:
    """Return a distribution with its mean; for samples with the mean's normal interval."""
    shares: dict[int, Fraction] = {}
    for value, share in ends:
        shares[value] = shares.get(value, Fraction(0)) + share
    mean = sum((value * share for value, share in shares.items()), Fraction(0))
    wide = Fraction(0)
    if samples > 1:
        square = sum((value**2 * share for value, share in shares.items()), Fraction(0))
        wide = CONFIDENCE * root((square - mean**2) / (samples - 1))
    return Spread(mean, mean - wide, mean + wide, tuple(sorted(shares.items())))


def root(square: Fraction) -> Fraction:
    """Return the square root, rounded up to a millionth.

    >>> root(Fraction(1, 4)), root(Fraction(0))
    (Fraction(1, 2), Fraction(0, 1))
    """
    scaled = square * 10**12
    whole = isqrt(int(scaled))
    return Fraction(whole + (whole * whole < scaled), 10**6)
