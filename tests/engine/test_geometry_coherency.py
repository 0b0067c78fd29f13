"""A unit is one unbroken group, each model within 2 inches of another. [UNIT-3]"""

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import Disc, coherent, groups, stragglers, within


def line(*xs: int) -> list[Disc]:
    """Bases one inch wide in a row."""
    return [Disc(x, 0, 127) for x in xs]


def test_exactly_two_inches_holds_and_a_mil_more_breaks() -> None:
    """[UNIT-3]"""
    assert coherent(line(0, 3000, 6000))
    assert not coherent(line(0, 3000, 6001))


def test_two_pairs_are_not_one_group() -> None:
    """[UNIT-3] Each model has a neighbour, the group is broken all the same."""
    assert groups(line(0, 2000, 9000, 11000)) == [[0, 1], [2, 3]]
    assert stragglers(line(0, 2000, 9000, 11000)) == (2, 3)


def test_stragglers_are_those_outside_the_largest_group() -> None:
    assert stragglers(line(0, 9000, 11000)) == (0,)
    assert stragglers(line(0, 2000)) == ()


def test_one_model_and_none_are_coherent() -> None:
    assert coherent(line(5))
    assert coherent([])


discs = st.builds(Disc, st.integers(0, 12000), st.integers(0, 12000), st.sampled_from([125, 200]))


@given(st.lists(discs, max_size=8))
def test_groups_part_the_unit_and_no_group_reaches_another(unit: list[Disc]) -> None:
    """[UNIT-3]"""
    found = groups(unit)
    assert sorted(i for group in found for i in group) == list(range(len(unit)))
    for k, group in enumerate(found):
        for other in found[k + 1 :]:
            assert not any(within(unit[i], unit[j], 2000) for i in group for j in other)
        left, reached = set(group[1:]), [group[0]]
        for i in reached:
            joined = {j for j in left if within(unit[i], unit[j], 2000)}
            reached += joined
            left -= joined
        assert not left
