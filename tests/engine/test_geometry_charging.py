"""Charge moves: proposals pass the check, and the check refuses each breach. [CMOV-1 to CMOV-8]"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.geometry import (
    Disc,
    Move,
    charge_placement,
    check_charge_placement,
    coherent,
    in_contact,
    initial_charger,
    overlaps,
    path_length,
)
from events.values import Point, Rect

TABLE = Rect(0, 0, 72000, 48000)
INCH_WIDE = 127


def row(n: int, x: int, y: int, pitch: int = 2000) -> list[Disc]:
    """Bases one inch wide, side by side an inch apart."""
    return [Disc(x + pitch * k, y, INCH_WIDE) for k in range(n)]


def after(unit: list[Disc], moves: tuple[Move, ...]) -> list[Disc]:
    there = list(unit)
    for i, path in moves:
        if path:
            there[i] = there[i].moved(path[-1])
    return there


def refused(
    unit: list[Disc],
    moves: list[Move],
    targets: list[Disc],
    distance: int,
    obstacles: tuple[Disc, ...] = (),
    keep_off: tuple[Disc, ...] = (),
) -> str | None:
    breach = check_charge_placement(unit, moves, targets, obstacles, keep_off, distance, TABLE)
    return breach and breach.rule


def test_two_rows_clash_model_for_model() -> None:
    """[CMOV-1, CMOV-6, CMOV-7] Every model finds an enemy that nobody touches yet."""
    unit, targets = row(5, 20000, 20000), row(5, 20000, 26000)
    moves = charge_placement(unit, targets, [], [], 6000, TABLE)
    assert moves is not None
    there = after(unit, moves)
    assert all(any(in_contact(a, b) for a in there) for b in targets)
    assert all(any(in_contact(a, b) for b in targets) for a in there)
    assert coherent(there)


def test_a_charge_reaches_exactly_its_distance_and_no_further() -> None:
    """[CMOV-8] The enemy is 5.0 inches away."""
    unit, targets = row(3, 20000, 20000), row(3, 20000, 26000)
    assert charge_placement(unit, targets, [], [], 5000, TABLE) is not None
    assert charge_placement(unit, targets, [], [], 4999, TABLE) is None
    assert refused(unit, [(0, ()), (1, ()), (2, ())], targets, 4999) == "CMOV-8"


def test_the_initial_charger_is_the_closest_around_what_is_in_the_way() -> None:
    """[CMOV-3] A friend stands before the model that is nearest as the crow flies."""
    unit, targets = (
        [Disc(20000, 20000, INCH_WIDE), Disc(22500, 20500, INCH_WIDE)],
        [Disc(20000, 26000, INCH_WIDE)],
    )
    led = initial_charger(unit, targets, [], [], 12000, TABLE)
    assert led is not None
    assert (led[0], led[1].length) == (0, 5000)
    friends = [Disc(20000 + x, 23000, INCH_WIDE) for x in range(-5000, 1, 1000)]
    led = initial_charger(unit, targets, friends, [], 12000, TABLE)
    assert led is not None
    assert led[0] == 1
    assert initial_charger(unit, targets, friends, [], 4000, TABLE) is None


UNIT = [Disc(20000, 20000, INCH_WIDE), Disc(22000, 19500, INCH_WIDE)]
TARGETS = [Disc(20000, 25000, INCH_WIDE), Disc(22500, 25500, INCH_WIDE)]
LEAD: Move = (0, (Point(20000, 23996),))
SECOND: Move = (1, (Point(22500, 24496),))


def test_a_players_own_placement_is_judged_by_the_same_rules() -> None:
    assert refused(UNIT, [LEAD, SECOND], TARGETS, 7000) is None


def test_every_model_moves_once() -> None:
    """[CMOV-1]"""
    assert refused(UNIT, [LEAD], TARGETS, 7000) == "CMOV-1"
    assert refused(UNIT, [LEAD, LEAD], TARGETS, 7000) == "CMOV-1"


def test_no_model_moves_before_the_initial_charger() -> None:
    """[CMOV-3]"""
    assert refused(UNIT, [SECOND, LEAD], TARGETS, 7000) == "CMOV-3"


def test_the_initial_charger_goes_straight_to_the_nearest() -> None:
    """[CMOV-4]"""
    short = (0, (Point(20000, 23900),))
    assert refused(UNIT, [short, SECOND], TARGETS, 7000) == "CMOV-4"
    bent = (0, (Point(19000, 22000), Point(20000, 23996)))
    assert refused(UNIT, [bent, SECOND], TARGETS, 7000) == "CMOV-4"


def test_every_model_keeps_to_the_rolled_distance() -> None:
    """[CMOV-2]"""
    winding = (1, (Point(26000, 19500), Point(22500, 24496)))
    assert refused(UNIT, [LEAD, winding], TARGETS, 7000) == "CMOV-2"


def test_a_charge_passes_through_nobody_and_touches_no_other_unit() -> None:
    """[CMOV-2] V-47: in contact with the declared unit only."""
    post = Disc(22300, 22000, INCH_WIDE)
    assert refused(UNIT, [LEAD, SECOND], TARGETS, 7000, obstacles=(post,)) == "CMOV-2"
    bystander = Disc(23505, 24496, INCH_WIDE)  # 5 mils from where the second ends
    assert refused(UNIT, [LEAD, SECOND], TARGETS, 7000, keep_off=(bystander,)) == "CMOV-2"
    aloof = bystander._replace(x=23512)  # 12 mils: nearer than an inch, but no contact
    assert refused(UNIT, [LEAD, SECOND], TARGETS, 7000, keep_off=(aloof,)) is None


def test_a_charge_stays_on_the_table() -> None:
    """[MOVE-5]"""
    off = (1, (Point(22000, 20000), Point(22000, 100), Point(22500, 24496)))
    breach = check_charge_placement(UNIT, [LEAD, off], TARGETS, [], [], 60000, TABLE)
    assert breach is not None
    assert breach.rule == "MOVE-5"


def test_an_untouched_enemy_within_reach_comes_first() -> None:
    """[CMOV-6] (a) before (b), (b) before (c), (c) before (d)."""
    touched = (1, (Point(20910, 24576),))  # beside the leader, against the same enemy
    assert in_contact(UNIT[1].moved(touched[1][-1]), TARGETS[0])
    assert refused(UNIT, [LEAD, touched], TARGETS, 7000) == "CMOV-6"
    assert refused(UNIT, [LEAD, touched], TARGETS[:1], 7000) is None
    behind = (1, (Point(21500, 22500),))
    assert refused(UNIT, [LEAD, behind], TARGETS[:1], 7000) == "CMOV-6"


def test_support_comes_before_mere_coherency() -> None:
    """[CMOV-6] (c): it can end within 2 inches of a model in contact, AMB-23."""
    unit = [*row(1, 20000, 20000), Disc(20000, 18000, INCH_WIDE), Disc(20000, 15000, INCH_WIDE)]
    targets = row(1, 20000, 25000)
    lead, second = (0, (Point(20000, 23996),)), (1, (Point(20000, 22000),))
    # 4.5 inches bring the last to 19500: 3 inches behind the leader, in reach of the second only.
    assert refused(unit, [lead, second, (2, (Point(20000, 19500),))], targets, 4500) is None
    # With 7 inches it gets nearer.
    near, far = (2, (Point(20900, 21200),)), (2, (Point(20000, 19500),))
    beside = (1, (Point(21300, 23600), Point(20910, 24576)))
    assert refused(unit, [lead, beside, near], targets, 7000) is None
    assert refused(unit, [lead, beside, far], targets, 7000) in ("CMOV-5", "CMOV-6")


def test_each_model_ends_in_coherency_with_one_that_has_moved() -> None:
    """[CMOV-5, UNIT-3]"""
    astray = (1, (Point(24500, 23000),))
    assert refused(UNIT, [LEAD, astray], TARGETS[:1], 7000) == "CMOV-5"


def test_a_straggler_that_cannot_catch_up_closes_up() -> None:
    """[UNIT-4] Nothing it can reach would be in coherency."""
    unit = [Disc(20000, 20000, INCH_WIDE), Disc(20000, 9000, INCH_WIDE)]
    targets = row(1, 20000, 25000)
    moves = charge_placement(unit, targets, [], [], 4000, TABLE)
    assert moves == ((0, (Point(20000, 23996),)), (1, (Point(20000, 13000),)))
    assert refused(unit, list(moves), targets, 4000) is None


@st.composite
def battles(draw: st.DrawFn) -> tuple[list[Disc], list[Disc], list[Disc], list[Disc], int]:
    """A unit, its target, friends and other enemies that stand on nobody's toes."""
    radii = st.sampled_from([125, 125, 160, 200])
    standing: list[Disc] = []

    def some(most: int, low: int, high: int) -> list[Disc]:
        spots = st.builds(Disc, st.integers(20000, 32000), st.integers(low, high), radii)
        found: list[Disc] = []
        for disc in draw(st.lists(spots, min_size=1, max_size=most)):
            if not any(overlaps(disc, other) for other in standing):
                found.append(disc)
                standing.append(disc)
        return found

    unit, targets = some(7, 12000, 17000), some(6, 18500, 23000)
    friends, others = some(3, 12000, 23000), some(3, 18500, 23000)
    return unit, targets, friends, others, draw(st.integers(2000, 12000))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(battles())
def test_every_proposal_passes_the_check(
    battle: tuple[list[Disc], list[Disc], list[Disc], list[Disc], int],
) -> None:
    """[CMOV-2 to CMOV-6] AMB-26: the check walks the order of the placement."""
    unit, targets, friends, others, distance = battle
    if not unit or not targets:
        return
    moves = charge_placement(unit, targets, friends, others, distance, TABLE)
    led = initial_charger(unit, targets, friends, others, distance, TABLE)
    assert (moves is None) == (led is None)
    if moves is None:
        return
    assert check_charge_placement(unit, moves, targets, friends, others, distance, TABLE) is None
    there = after(unit, moves)
    assert not any(overlaps(a, b) for k, a in enumerate(there) for b in there[:k])
    assert not any(overlaps(a, b) for a in there for b in [*targets, *friends, *others])
    assert not any(in_contact(a, b) for a in there for b in others if a not in unit)
    assert all(path_length(unit[i].centre, path) <= distance for i, path in moves)
    assert moves == charge_placement(unit, targets, friends, others, distance, TABLE)


def test_no_charger_goes_off_the_table_to_get_around_to_its_enemy() -> None:
    """[MOVE-5] The enemy stands at the edge, a friend in the way: around it is off the table."""
    small = Rect(0, 0, 30000, 24000)
    unit = [Disc(4250, 8314, 125), Disc(4081, 7213, 125), Disc(4977, 8984, 125)]
    friends = [Disc(x, y, 125) for x, y in ((1321, 14374), (2808, 11798), (4126, 13385))]
    target = [Disc(664, 15112, 125)]
    reached = 0
    for distance in range(6000, 9000, 250):
        moves = charge_placement(unit, target, friends, [], distance, small)
        if moves is None:
            continue
        reached += 1
        assert check_charge_placement(unit, moves, target, friends, [], distance, small) is None
        assert all(0 <= p.x <= 30000 and p.x >= 492 for _, path in moves for p in path)
    assert reached
