"""The rules against published odds: exact by walking all dice, and within bounds by playing them.

The values were published by players of both editions and agree with plain enumeration: charge
distances, scatter, wounding, bolter volleys. Nothing here is compared with the engine itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

import pytest

from engine.ask import Roll
from engine.dice import DiceFrom, SeededDice
from engine.enumerate import TooManyWays, outcomes, ways
from engine.rules.markers import scatter
from engine.runner import Action
from engine.scenarios import parse
from events.assault import ChargeRolled
from events.attacks import HitsScored, MarkerScattered, ModelRemoved, WoundsScored
from events.choices import AimAt, AnyChoice, Charge, FireOverwatch, GoToGround, Shoot
from events.questions import (
    GroundOffered,
    OverwatchOffered,
    WhereToAim,
    WhoCharges,
    WhoShoots,
)
from events.values import Point, Weapon
from projections.battle import Battle
from tests.odds.playing import Play, Played, answered, mean, once

SHOT = Fraction(2, 3) * Fraction(1, 2) * Fraction(1, 3)
"""A shot at BS 4 that wounds on 4+ and meets a 3+ save kills with this chance: 1/9."""


AFTERWARDS = ("scatter direction", "to wound")
"""What is rolled once it is known how far a marker scatters."""


def shooting(gun: str, target: str, bs: int = 4, guns: int = 1, ruleset: str = "40k-7e") -> Battle:
    """Some models with a gun before ten models with a stat line."""
    places = " ".join(f"{20 + 1.5 * n},20" for n in range(guns))
    return parse(f"""
profiles:
  shooter: 4 {bs} 4 4 1 4 1 8 3+
  target: {target}
weapons: {{gun: "{gun}"}}
given:
  ruleset: {ruleset}
  clock: {{phase: shooting}}
  units:
    guns: {{side: red, profile: shooter, weapons: gun, models: "{places}"}}
    spare: {{side: red, models: "60,4"}}
    mob: {{side: blue, profile: target, models: {{count: 10, at: "20,30", spacing: "1.3,0.1"}}}}
""").battle


def fire(battle: Battle) -> AnyChoice | None:
    """Fire once, and never Go to Ground."""
    question = battle.question
    if isinstance(question, WhoShoots) and not battle.phase.done:  # type: ignore[union-attr]
        return Shoot("guns", "mob", "gun")
    if isinstance(question, WhereToAim):
        return AimAt(Point(20000, 30000))
    return GoToGround(False) if isinstance(question, GroundOffered) else None


def counted(kind: type, field: str = "") -> Callable[[Played], int]:
    """Return what counts the facts of a kind, or adds up a field of theirs."""

    def count(played: Played) -> int:
        found = [event for event in played.events if isinstance(event, kind)]
        return sum(getattr(event, field) if field else 1 for event in found)

    return count


def killed(battle: Battle) -> dict[int, Fraction]:
    """Return the chances of so many casualties."""
    return outcomes(answered(battle, fire), counted(ModelRemoved))


def test_the_chances_of_an_action_are_whole() -> None:
    chances = killed(shooting("24 4 5 rapid fire", "4 4 4 4 1 4 1 8 3+"))
    assert sum(chances.values()) == 1
    assert chances[2] == SHOT**2


def test_counting_successes_is_as_good_as_walking_every_face() -> None:
    """What is walked by kinds of faces has the chances of all its faces together."""
    for need in range(2, 7):
        rolls = Roll("to hit", 3, need=need), Roll("anything", 3, need=need)
        found: list[dict[tuple[int, int], Fraction]] = []
        for roll in rolls:
            sums: dict[tuple[int, int], Fraction] = {}
            for faces, chance in ways(roll):
                what = sum(face >= need for face in faces), faces.count(6)
                sums[what] = sums.get(what, Fraction(0)) + chance
            found.append(sums)
        assert found[0] == found[1]


@pytest.mark.parametrize(
    ("save", "each"),
    [("3+", Fraction(1, 9)), ("2+", Fraction(1, 18))],  # 2.2222 and 1.1111 dead of 20 shots
)
def test_bolter_volleys(save: str, each: Fraction) -> None:
    """[THIT-1, TWND-1, SAVE-1] 20 shots of BS 4 into Toughness 4: ten times two."""
    chances = killed(shooting("24 4 5 rapid fire", f"4 4 4 4 1 4 1 8 {save}"))
    assert 10 * mean(chances) == 20 * each


def test_snap_shots() -> None:
    """[SNAP-1, HEVY-2] Of 20 Snap Shots 3.3333 hit and 0.5556 kill."""
    battle = parse("""
profiles: {man: 4 4 4 4 1 4 1 8 3+}
weapons: {gun: 36 4 5 heavy 2}
given:
  clock: {phase: shooting}
  units:
    guns: {side: red, profile: man, weapons: gun, models: "20,20", moved: 1}
    spare: {side: red, models: "60,4"}
    mob: {side: blue, profile: man, models: "20,30 22,30 24,30 26,30 28,30 30,30 32,30 34,30 36,30"}
""").battle
    hits = outcomes(answered(battle, fire), counted(HitsScored, "hits"))
    assert 10 * mean(hits) == Fraction(10, 3)
    assert 10 * mean(killed(battle)) == Fraction(5, 9)


def test_a_twin_linked_volley() -> None:
    """[RERL-2, BSIX-2] 3+ with a re-roll is 8/9."""
    battle = shooting("36 4 5 heavy 2, Twin-linked", "4 4 4 4 1 4 1 8 3+")
    hits = outcomes(answered(battle, fire), counted(HitsScored, "hits"))
    assert mean(hits) == 2 * Fraction(8, 9)
    assert hits[0] == Fraction(1, 9) ** 2


def test_ballistic_skill_7() -> None:
    """[BSIX-1] 2+, and 5+ for each miss."""
    hits = outcomes(
        answered(shooting("36 4 5 heavy 2", "4 4 4 4 1 4 1 8 3+", bs=7), fire),
        counted(HitsScored, "hits"),
    )
    assert hits[2] == (Fraction(5, 6) + Fraction(1, 6) * Fraction(1, 3)) ** 2


@pytest.mark.parametrize(
    ("toughness", "chance"), [(4, Fraction(3, 6)), (6, Fraction(1, 6)), (8, Fraction(0))]
)
def test_strength_4_wounds(toughness: int, chance: Fraction) -> None:
    """[TWND-2] Toughness 4 with 50 %, 6 with 16.7 %, 8 never."""
    battle = shooting("24 4 5 assault 1", f"4 4 4 {toughness} 3 4 1 8 3+")
    wounds = outcomes(answered(battle, fire), counted(WoundsScored, "wounds"))
    assert mean(wounds) == Fraction(2, 3) * chance


@pytest.mark.parametrize(
    ("bs", "stays"), [(4, Fraction(4, 9)), (3, Fraction(7, 18)), (1, Fraction(1, 3))]
)
def test_a_blast_stays_where_it_is(bs: int, stays: Fraction) -> None:
    """[APOC-3] 44 % at BS 4, 39 % at BS 3."""
    battle = shooting("36 4 5 heavy 1, blast", "4 4 4 8 1 4 1 8 3+", bs=bs)
    off = outcomes(answered(battle, fire), counted(MarkerScattered, "distance"), AFTERWARDS)
    assert off[0] == stays


@pytest.mark.parametrize(
    ("inches", "chance"), [(0, Fraction(1, 3)), (2, Fraction(1, 54)), (7, Fraction(1, 9))]
)
def test_scatter_without_ballistic_skill(inches: int, chance: Fraction) -> None:
    """33.33 % Hits, 1.85 % exactly 2 inches, 11.11 % exactly 7."""
    battle = shooting("36 4 5 heavy 1, blast", "4 4 4 8 1 4 1 8 3+", bs=0)
    gun = Weapon("gun", 36000, 4, 5, "heavy", 1, blast=3000)

    async def fall(action: Action) -> None:
        await scatter(action, "guns", 1, "mob", gun, Point(36000, 24000))

    off = outcomes(once(battle, fall), counted(MarkerScattered, "distance"), AFTERWARDS)
    assert off[inches * 1000] == chance


def charging(ruleset: str, wood: bool) -> Play:
    """A charge 6 inches or so away, through a wood or over open ground."""
    terrain = 'wood: {kind: difficult, at: "14,22 26,24", height: 2, dense: false}'
    battle = parse(f"""
given:
  ruleset: {ruleset}
  table: 40x40
  terrain: {{{terrain if wood else ""}}}
  clock: {{phase: assault}}
  units:
    boyz: {{side: red, models: "20,20"}}
    lads: {{side: blue, models: "20,27"}}
""").battle

    def answer(battle: Battle) -> AnyChoice | None:
        if isinstance(battle.question, WhoCharges):
            return Charge("boyz", ("lads",))
        return FireOverwatch() if isinstance(battle.question, OverwatchOffered) else None

    return answered(battle, answer)


def at_least(chances: dict[int, Fraction], inches: int) -> Fraction:
    """Return the chance of so many inches or more."""
    return sum((c for mils, c in chances.items() if mils >= inches * 1000), Fraction(0))


@pytest.mark.parametrize(
    ("ruleset", "wood", "inches", "chance"),
    [
        ("40k-6e", False, 8, Fraction(15, 36)),
        ("40k-7e", False, 8, Fraction(15, 36)),
        ("40k-7e", False, 12, Fraction(1, 36)),
        ("40k-7e", False, 7, Fraction(21, 36)),
        ("40k-6e", True, 6, Fraction(103, 216)),
        ("40k-6e", True, 8, Fraction(42, 216)),
        ("40k-7e", True, 6, Fraction(15, 36)),
    ],
)
def test_charge_distances(ruleset: str, wood: bool, inches: int, chance: Fraction) -> None:
    """[CRNG-1, CDIF-1, CDIF-9] 42 % for 8 inches in the open, 48 % and 19 % into terrain in 6e."""
    rolled = outcomes(charging(ruleset, wood), counted(ChargeRolled, "distance"))
    assert at_least(rolled, inches) == chance


def test_a_charge_with_a_reroll() -> None:
    """[RERL-1, RERL-3] 66 % for 8 inches if a failed charge is rolled again, all of it."""
    rolled = outcomes(charging("40k-6e", False), counted(ChargeRolled, "distance"))
    once = at_least(rolled, 8)
    assert once + (1 - once) * once == Fraction(95, 144)


def bounds(trials: int, chance: Fraction, risk: Fraction) -> range:
    """Return the successes that all but `risk` of such trials show, either tail half of it."""
    total = chance.denominator**trials
    weights = [
        comb(trials, n)
        * chance.numerator**n
        * (chance.denominator - chance.numerator) ** (trials - n)
        for n in range(trials + 1)
    ]
    low, tail = 0, 0
    while Fraction(tail + weights[low], total) <= risk / 2:
        tail += weights[low]
        low += 1
    high, tail = trials, 0
    while Fraction(tail + weights[high], total) <= risk / 2:
        tail += weights[high]
        high -= 1
    return range(low, high + 1)


def test_the_bounds_are_those_of_a_coin() -> None:
    assert bounds(10, Fraction(1, 2), Fraction(1, 100)) == range(1, 10)


@pytest.mark.parametrize(
    ("gun", "bs", "of", "chance"),
    [
        ("24 4 5 rapid fire", 4, "dead", SHOT),
        ("36 4 5 heavy 2, Twin-linked", 4, "dead", Fraction(8, 9) * Fraction(1, 6)),
        ("36 4 5 heavy 1, blast", 3, "stays", Fraction(7, 18)),
    ],
)
def test_seeded_dice_stay_within_exact_bounds(gun: str, bs: int, of: str, chance: Fraction) -> None:
    """Many games, each with a seed of its own; one such set in a million would fall outside."""
    battle = shooting(gun, "4 4 4 4 1 4 1 8 3+", bs)
    play = answered(battle, fire)
    shots = 1 if of == "stays" else 2
    seen = 0
    for n in range(400):
        played = play(SeededDice(f"odds {gun} {n}"))
        if of == "stays":
            seen += counted(MarkerScattered, "distance")(played) == 0
        else:
            seen += counted(ModelRemoved)(played)
    assert seen in bounds(400 * shots, chance, Fraction(1, 10**6))


def test_a_walk_stops_at_the_first_question_that_nobody_answers() -> None:
    battle = shooting("24 4 5 rapid fire", "4 4 4 4 1 4 1 8 3+")

    def nothing(battle: Battle) -> AnyChoice | None:
        return None

    def asked(played: Played) -> Sequence[str]:
        return (type(played.battle.question).__name__,)

    assert outcomes(answered(battle, nothing), asked) == {("WhoShoots",): Fraction(1)}


def test_a_walk_of_more_ways_than_wanted_is_given_up() -> None:
    battle = shooting("24 4 5 rapid fire", "4 4 4 4 1 4 1 8 3+")
    ended = [0]

    def play(dice: DiceFrom) -> Played:
        ended[0] += 1
        return answered(battle, fire)(dice)

    whole = outcomes(play, counted(ModelRemoved))
    ways_there_are = ended[0]
    assert outcomes(play, counted(ModelRemoved), most=ways_there_are) == whole
    with pytest.raises(TooManyWays, match=f"more than {ways_there_are - 1} ways"):
        outcomes(play, counted(ModelRemoved), most=ways_there_are - 1)
