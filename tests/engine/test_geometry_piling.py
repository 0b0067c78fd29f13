"""Pile-in moves: proposals pass the check, and the check refuses each breach. [PILE]"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.geometry import (
    Disc,
    Move,
    check_pile_in_placement,
    gap,
    in_contact,
    overlaps,
    pile_in_placement,
    unit_gap,
    within,
)
from events.values import Point, Rect

TABLE = Rect(0, 0, 72000, 48000)
INCH_WIDE = 127


def row(n: int, x: int, y: int, pitch: int = 2000) -> list[Disc]:
    return [Disc(x + pitch * k, y, INCH_WIDE) for k in range(n)]


def after(movers: list[Disc], moves: tuple[Move, ...]) -> list[Disc]:
    there = list(movers)
    for i, path in moves:
        if path:
            there[i] = there[i].moved(path[-1])
    return there


def refused(
    movers: list[Disc],
    moves: list[Move],
    fellows: list[Disc],
    targets: list[Disc],
    keep_off: tuple[Disc, ...] = (),
) -> tuple[str, str] | None:
    breach = check_pile_in_placement(movers, moves, fellows, targets, [], keep_off, table=TABLE)
    return breach and (breach.rule, breach.reason)


def rule(*given: object, **more: object) -> str | None:
    found = refused(*given, **more)  # type: ignore[arg-type]
    return found and found[0]


FOE = [Disc(20000, 25000, INCH_WIDE)]
FIGHTER = Disc(20000, 23996, INCH_WIDE)


def test_v31_a_model_within_two_inches_of_a_friend_in_contact_supports_him() -> None:
    """[PILE-3] V-31: exactly 2.0 inches is in, 2.5 is not; the foe is out of reach in both."""
    guard = Disc(20000, 18000, INCH_WIDE)
    supporting, short = Point(20000, 20996), Point(20000, 20496)
    assert within(guard.moved(supporting), FIGHTER, 2000)
    assert not within(guard.moved(short), FIGHTER, 2000)
    assert rule([guard], [(0, (supporting,))], [FIGHTER], FOE) is None
    assert rule([guard], [(0, (short,))], [FIGHTER], FOE) == "PILE-3"


def test_v31_a_move_of_3_1_inches_is_refused() -> None:
    """[PILE-3]"""
    guard = Disc(20000, 17000, INCH_WIDE)
    assert rule([guard], [(0, (Point(20000, 20100),))], [FIGHTER], FOE) == "PILE-3"
    assert rule([guard], [(0, (Point(20000, 20000),))], [FIGHTER], FOE) is None


def test_v62_both_sides_pile_in_and_an_inch_is_left() -> None:
    """[PILE-1, PILE-3, PILE-6, ECPI-1] V-62: 7 inches apart, 3 inches each, then the last one."""
    active, passive = row(3, 20000, 20000), row(3, 20000, 28000)
    assert unit_gap(active, passive) == 7000
    active = after(active, pile_in_placement(active, [], passive, [], [], table=TABLE))
    assert unit_gap(active, passive) == 4000
    passive = after(passive, pile_in_placement(passive, [], active, [], [], table=TABLE))
    assert unit_gap(active, passive) == 1000
    assert not any(in_contact(a, b) for a in active for b in passive)
    active = after(active, pile_in_placement(active, [], passive, [], [], table=TABLE))
    assert all(any(in_contact(a, b) for b in passive) for a in active)


def test_v62_thirteen_inches_apart_an_inch_is_still_left() -> None:
    """[ECPI-2]"""
    sides = [row(2, 20000, 20000), row(2, 20000, 34000)]
    assert unit_gap(*sides) == 13000
    for k in (0, 1, 0, 1):
        moves = pile_in_placement(sides[k], [], sides[1 - k], [], [], table=TABLE)
        sides[k] = after(sides[k], moves)
    assert unit_gap(*sides) == 1000


def test_whoever_can_reach_the_enemy_does() -> None:
    """[PILE-1, PILE-3] Staying, or stopping short, is refused."""
    mover = Disc(22000, 23000, INCH_WIDE)
    assert rule([mover], [(0, ())], [FIGHTER], FOE) == "PILE-3"
    assert rule([mover], [(0, (Point(21500, 23500),))], [FIGHTER], FOE) == "PILE-3"
    assert rule([mover], [(0, (Point(20910, 24576),))], [FIGHTER], FOE) is None


def test_a_model_in_contact_stays() -> None:
    """[PILE-1]"""
    assert rule([FIGHTER], [(0, ())], [], FOE) is None
    assert rule([FIGHTER], [(0, (Point(19042, 24710),))], [], FOE) == "PILE-1"


def test_the_groups_move_in_order() -> None:
    """[PILE-3] AMB-43: who reaches contact goes before who only gets closer."""
    movers = [Disc(20000, 18500, INCH_WIDE), Disc(22000, 23000, INCH_WIDE)]
    closer, contact = (0, (Point(20000, 21500),)), (1, (Point(20910, 24576),))
    fellows = [FIGHTER]
    assert rule(movers, [contact, closer], fellows, FOE) is None
    assert rule(movers, [closer, contact], fellows, FOE) == "PILE-3"


def test_the_rest_get_as_close_as_they_can() -> None:
    """[PILE-3]"""
    mover = Disc(20000, 15000, INCH_WIDE)
    assert rule([mover], [(0, (Point(20000, 18000),))], [], FOE) is None
    assert rule([mover], [(0, (Point(20000, 17000),))], [], FOE) == "PILE-3"
    assert rule([mover], [(0, (Point(20000, 12000),))], [], FOE) == "PILE-3"


def test_a_model_that_cannot_get_closer_stays() -> None:
    """[PILE-3] AMB-32: boxed in by its fellows."""
    mover = Disc(20000, 20000, 125)
    ring = [(1060, 0), (-1060, 0), (0, 1060), (0, -1060), (760, 760), (760, -760), (-760, 760),
            (-760, -760)]  # fmt: skip
    fellows = [Disc(20000 + x, 20000 + y, 125) for x, y in ring if (x, y) != (0, -1060)]
    fellows = [d for k, d in enumerate(fellows) if not any(overlaps(d, e) for e in fellows[:k])]
    boxed = [*fellows, Disc(20000, 20990, 125), Disc(19130, 20500, 125), Disc(20870, 20500, 125)]
    boxed = [d for k, d in enumerate(boxed) if not any(overlaps(d, e) for e in boxed[:k])]
    moves = pile_in_placement([mover], boxed, [Disc(20000, 26000, 125)], [], [], table=TABLE)
    start = gap(mover, Disc(20000, 26000, 125))
    assert start - gap(after([mover], moves)[0], Disc(20000, 26000, 125)) < 120


def test_a_pile_in_reaches_no_unit_outside_the_combat() -> None:
    """[PILE-5, PILE-4]"""
    mover, bystander = Disc(22000, 22000, INCH_WIDE), Disc(22500, 24500, INCH_WIDE)
    against = (0, (Point(22000, 23630),))
    assert in_contact(mover.moved(against[1][-1]), bystander)
    assert rule([mover], [against], [FIGHTER], FOE, keep_off=(bystander,)) == "PILE-5"


def test_support_from_another_unit_counts() -> None:
    """[PILE-3] "A friendly model in base contact", of whatever unit."""
    mover, ally = Disc(20000, 18000, INCH_WIDE), [FIGHTER]
    short = [(0, (Point(20000, 20900),))]
    assert (
        check_pile_in_placement([mover], short, [], FOE, [], [], table=TABLE, allies=ally)
        is not None
    )
    moves = pile_in_placement([mover], [], FOE, [], [], table=TABLE, allies=ally)
    assert within(after([mover], moves)[0], FIGHTER, 2000)


@st.composite
def melees(draw: st.DrawFn) -> list[list[Disc]]:
    """Movers, fellows, allies, targets, friends and other enemies, on nobody's toes."""
    standing: list[Disc] = []
    sides: list[list[Disc]] = []
    for most, low, high in (
        (5, 14000, 18500), (3, 14000, 18500), (2, 14000, 19000),
        (5, 18500, 22000), (2, 14000, 22000), (2, 18500, 22000),
    ):  # fmt: skip
        spots = st.builds(
            Disc,
            st.integers(20000, 28000),
            st.integers(low, high),
            st.sampled_from([125, 125, 160, 200]),
        )
        side: list[Disc] = []
        for disc in draw(st.lists(spots, min_size=1, max_size=most)):
            if not any(overlaps(disc, other) for other in standing):
                side.append(disc)
                standing.append(disc)
        sides.append(side)
    return sides


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(melees())
def test_every_proposal_passes_the_check(melee: list[list[Disc]]) -> None:
    """[PILE-1, PILE-3, PILE-4, PILE-5, ECPI-1]"""
    movers, fellows, allies, targets, friends, others = melee
    if not movers or not targets:
        return
    moves = pile_in_placement(movers, fellows, targets, friends, others, table=TABLE, allies=allies)
    breach = check_pile_in_placement(
        movers, moves, fellows, targets, friends, others, table=TABLE, allies=allies
    )
    assert breach is None
    there = [*after(movers, moves), *fellows, *allies, *targets, *friends, *others]
    assert not any(overlaps(a, b) for k, a in enumerate(there) for b in there[:k])
    for before, now in zip(movers, there, strict=False):
        assert unit_gap([now], targets) <= unit_gap([before], targets) or in_contact(now, before)


def test_a_character_goes_before_others_or_as_close_as_he_can() -> None:
    """[PILE-7] As long as he can reach base contact; else with the last, whoever is beside him."""
    troopers = [Disc(18800, 22500, INCH_WIDE), Disc(20000, 22000, INCH_WIDE)]
    moves = pile_in_placement(troopers, [], FOE, [], [], table=TABLE, characters=[1])
    assert [i for i, _ in moves] == [1, 0]
    assert [i for i, _ in pile_in_placement(troopers, [], FOE, [], [], table=TABLE)] == [0, 1]

    def broken(order: list[Move], characters: list[int]) -> str | None:
        breach = check_pile_in_placement(
            troopers, order, [], FOE, [], [], table=TABLE, characters=characters
        )
        return breach and breach.rule

    assert broken(list(moves), [1]) is None
    assert broken(list(reversed(moves)), [1]) == "PILE-7"
    assert broken(list(reversed(moves)), []) is None
    # out of reach beside a friend in contact: others may stop within 2 inches of him, he goes on
    far = [Disc(17200, 20500, INCH_WIDE)]
    beside = [(0, (Point(18100, 23000),))]
    assert within(far[0].moved(beside[0][1][0]), FIGHTER, 2000)
    assert gap(far[0], FOE[0]) > 3000

    def at_end(characters: list[int]) -> str | None:
        breach = check_pile_in_placement(
            far, beside, [FIGHTER], FOE, [], [], table=TABLE, characters=characters
        )
        return breach and breach.rule

    assert (at_end([]), at_end([0])) == (None, "PILE-3")
