"""Two battles field by field; two lines of play from where they part."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game import Game
from events.ledger import Ledger
from projections.battle import Battle
from projections.change import with_model, with_unit
from replay.compare import Difference, compare, differences
from replay.fork import fork
from replay.words import brief
from tests.properties.kit import clock, new_game, pick, play_on, whole_games

SEEDS = st.integers(0, 10**6)


def a_battle(ledger: Ledger, steps: int = 6) -> Battle:
    return play_on(new_game(ledger), Random(3), steps).battle


def test_each_field_that_differs_is_named_with_both_values() -> None:
    with Ledger.memory() as ledger:
        one = a_battle(ledger)
        # given a battle changed in a unit, in two models, in the score and the clock
        two = with_unit(one, "gnawers", lambda unit: replace(unit, falling_back=True))
        two = with_unit(two, "gnawers", lambda u: with_model(u, 2, lambda m: replace(m, lost=1)))
        two = with_unit(two, "gnawers", lambda u: with_model(u, 3, lambda m: None))
        two = replace(two, score=replace(two.score, red=3))
        two = replace(two, clock=replace(two.clock, game_turn=one.clock.game_turn + 1))
        # then these and no others are named
        turn = one.clock.game_turn
        found = {d.field: (d.one, d.two) for d in differences(one, two)}
        assert found.pop("gnawers.3")[1] == "-"
        assert found == {
            "clock.game_turn": (str(turn), str(turn + 1)),
            "gnawers.falling_back": ("no", "yes"),
            "gnawers.models": ("6", "5"),
            "gnawers.2.lost": ("0", "1"),
            "score.red": ("0", "3"),
        }


@whole_games
@given(SEEDS, st.integers(0, 60), st.integers(0, 60))
def test_battles_differ_in_no_field_if_and_only_if_they_are_equal(
    seed: int, one: int, two: int
) -> None:
    with Ledger.memory() as ledger:
        path = play_on(new_game(ledger, str(seed)), Random(seed), 60).history.path()
        left, right = path[min(one, len(path) - 1)].battle, path[min(two, len(path) - 1)].battle
        found = differences(left, right)
        assert (found == ()) == (left == right)
        # and the other way round the values change places
        assert {(d.field, d.two, d.one) for d in differences(right, left)} == {
            (d.field, d.one, d.two) for d in found
        }


def branched(ledger: Ledger) -> tuple[Game, int, int, int]:
    """Return a game with two branches from one step: game, that step, both tips."""
    game = play_on(new_game(ledger), Random(3), 24)
    tip, root = game.step, game.history.path()[10]
    game.undo(to=root.step)
    taken = root.children[0].events[0].choice  # type: ignore[attr-defined]
    other = next(choice for choice in game.legal() if choice != taken)
    game.play(other)
    play_on(game, Random(9), 5)
    return game, root.step, tip, game.step


def test_two_branches_part_at_the_choice_and_each_lists_its_own() -> None:
    """Nobody compares branches of a game with dice side by side (1c of the survey, number 4)."""
    with Ledger.memory() as ledger:
        game, root, left, right = branched(ledger)
        history = game.history
        nodes = history.nodes
        # when the undone tip and the line of play are compared
        found = compare(history.path(nodes[left]), history.path(nodes[right]))
        # then they share all up to the undo, and part at that question
        assert found.shared == len(history.path(nodes[root]))
        assert found.parting == "other choice"
        assert found.asked.startswith(str(nodes[root].battle.question.player))  # type: ignore[union-attr]
        assert found.creation == ()
        # and each goes its own way from there
        for branch, tip in ((found.one, left), (found.two, right)):
            way = history.path(nodes[tip])[found.shared :]
            assert branch.step == tip and branch.parts_at == way[0].step
            assert branch.choices == tuple(
                f"{node.by}: {brief(node.events[0].choice)}"  # type: ignore[attr-defined]
                for node in way
            )
        assert found.battle == differences(nodes[left].battle, nodes[right].battle)


def test_a_step_and_a_later_one_of_the_same_line() -> None:
    with Ledger.memory() as ledger:
        history = play_on(new_game(ledger), Random(3), 12).history
        line = history.path()
        found = compare(line[:6], line)
        assert (found.shared, found.parting) == (6, "one goes on")
        assert found.one.choices == () and len(found.two.choices) == len(line) - 6
        # and a line with itself parts nowhere
        same = compare(line, line)
        assert (same.parting, same.battle, same.asked) == ("nowhere", (), "")


def test_two_games_of_other_seeds_differ_in_the_seed_and_then_in_the_dice() -> None:
    with Ledger.memory() as ledger:
        # given two games with the same armies and the same choices as long as both are legal
        one = new_game(ledger, "one", game="one")
        two = new_game(ledger, "two", game="two")
        random = Random(1)
        while one.history.path()[1:] == [] or one.step < 60:
            choice = pick(random, one)
            if two.pending is None or two.refusal(choice) is not None:
                break
            one.play(choice)
            two.play(choice)
        # when they are compared
        found = compare(one.history.path(), two.history.path(), ("one", "two"))
        # then the creation says the seed, and what follows is compared all the same
        assert Difference("game.seed", "one", "two") in found.creation
        assert found.parting in ("other dice", "other facts", "nowhere")
        assert (found.one.game, found.two.game) == ("one", "two")


def test_a_fork_with_new_dice_parts_from_its_origin_by_the_dice() -> None:
    with Ledger.memory() as ledger:
        game = play_on(new_game(ledger), Random(3), 60)
        way = game.history.path()
        # given forks from before a step with dice, in which the same choice is made
        at = next(i for i, node in enumerate(way) if i > 8 and node.rolled)
        choice = way[at].events[0].choice  # type: ignore[attr-defined]
        for n in range(20):
            forked = fork(
                ledger, game, way[at - 1].step, game=f"f{n}", seed=f"new {n}", now=clock()
            )
            forked.play(choice)
            found = compare(way[: at + 1], forked.history.path(), ("g", forked.id))
            assert found.shared >= at
            if found.parting == "nowhere":
                continue  # the new dice happened to be the old ones
            # then the first difference is that step's dice, said in words
            assert found.parting == "other dice"
            assert found.one.facts[0].startswith("dice, ")
            assert found.two.facts[0].startswith("dice, ")
            assert found.one.facts[0] != found.two.facts[0]
            return
        raise AssertionError("twenty seeds gave the same dice")


def test_armies_that_differ_are_named() -> None:
    with Ledger.memory() as ledger:
        one = new_game(ledger, game="one", units=1)
        two = new_game(ledger, game="two", units=2)
        found = compare(one.history.path(), two.history.path())
        named = {d.field for d in found.creation}
        assert {"army of red", "army of blue"} <= named
        assert {"hauliers", "lamplighters"} <= {d.field for d in found.battle}
