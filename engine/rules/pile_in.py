"""Pile-in moves, at the start of an Initiative step and at the end of a combat. [PILE, ECPI]"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.board import barriers, discs_of, other_discs, table_rect
from engine.editions import edition_of
from engine.geometry import Disc, Move
from engine.geometry.piling import PILE_IN, check_pile_in_placement, pile_in_placement
from engine.rules.charge_move import refusal
from engine.rules.combats import standing, turn_order
from engine.rules.engaged import contacts, steps_of
from engine.rules.moving import make_move, moves_of
from engine.rules.special_rules import CHARACTER, model_has
from engine.runner import Action
from events.assault import PileInsFinished
from events.base import Side, UnitId, other
from events.choices import Place, PlaceModels
from events.errors import IllegalChoice
from events.movement import MoveKind
from events.questions import HowToPileIn
from events.values import Rect
from projections.battle import Battle
from projections.queries import setup_of, unit_of

AT_THE_END = 0
"""In place of an Initiative step: every model piles in. [ECPI-1]"""


class PileGround(NamedTuple):
    """Who stands where as a pile-in of one unit sees it."""

    movers: tuple[Disc, ...]
    fellows: tuple[Disc, ...]
    targets: tuple[Disc, ...]
    obstacles: tuple[Disc, ...]
    keep_off: tuple[Disc, ...]
    table: Rect
    allies: tuple[Disc, ...]
    """Bases of the other friendly units in this combat. [AMB-31]"""
    characters: tuple[int, ...]
    """Indices among the movers of those that go first. [PILE-7]"""


async def end_pile_in(action: Action) -> None:
    """Pile in at the end of the combat, the active player first. [ECPI-1]"""
    for side in turn_order(action.battle):
        await pile_in(action, side, AT_THE_END)


async def pile_in(action: Action, side: Side, step: int) -> None:
    """Pile in with a side's models of this step, unit by unit in muster order. [PILE-1]

    A unit that can't get closer isn't asked. [AMB-32] Difficult terrain doesn't slow it, dangerous
    terrain is tested for. [PILE-4]
    """
    kind: MoveKind = "pile_in" if step else "end_pile_in"
    for unit in [unit.id for unit in standing(action.battle, side)]:
        models = must_pile_in(action.battle, unit, step)
        if not any(place.path for place in pile_in_moves(action.battle, unit, models)):
            continue
        question = HowToPileIn(side, unit, models, PILE_IN)
        choice = await Ask(question, PlaceModels)
        await make_move(action, choice, kind)
    action.emit(PileInsFinished(side))


def must_pile_in(battle: Battle, unit_id: UnitId, step: int) -> tuple[int, ...]:
    """Return this step's models that aren't in base contact, in unit order. [PILE-1, PILE-2]"""
    unit = unit_of(battle, unit_id)
    of_step = [step in (AT_THE_END, own) for own in steps_of(battle, unit)]
    if not any(of_step):
        return ()
    touched = contacts(battle, unit, standing(battle, other(unit.side)))
    return tuple(
        model.n
        for model, due, foes in zip(unit.models, of_step, touched, strict=True)
        if due and not foes
    )


def ground_of(battle: Battle, unit_id: UnitId, models: tuple[int, ...]) -> PileGround:
    """Return the bases that a pile-in has to do with. [PILE-3, PILE-5]"""
    unit = unit_of(battle, unit_id)
    foes = standing(battle, other(unit.side))
    friends = standing(battle, unit.side)
    in_it = tuple(friend.id for friend in friends)
    placed = list(zip(unit.models, discs_of(battle, unit), strict=True))
    return PileGround(
        tuple([disc for model, disc in placed if model.n in models]),
        tuple([disc for model, disc in placed if model.n not in models]),
        tuple([disc for foe in foes for disc in discs_of(battle, foe)]),
        (*other_discs(battle, unit.side, but=in_it), *barriers(battle)),
        tuple(other_discs(battle, other(unit.side), but=tuple(foe.id for foe in foes))),
        table_rect(battle),
        tuple([disc for ally in friends if ally is not unit for disc in discs_of(battle, ally)]),
        characters_of(battle, unit_id, models),
    )


def characters_of(battle: Battle, unit_id: UnitId, models: tuple[int, ...]) -> tuple[int, ...]:
    """Return the indices among `models` of characters that pile in before others. [PILE-7]"""
    if not edition_of(battle).characters_pile_in_first:
        return ()
    setup = setup_of(battle, unit_id)
    return tuple([i for i, n in enumerate(models) if model_has(setup, n, CHARACTER)])


@lru_cache(maxsize=50)
def _best(ground: PileGround) -> tuple[Move, ...]:
    """Return a whole legal pile-in: asked whether to ask at all, for offers and by the check."""
    movers, fellows, targets, obstacles, keep_off, table, allies, first = ground
    return pile_in_placement(
        movers, fellows, targets, obstacles, keep_off, PILE_IN, table, allies, first
    )


def pile_in_moves(battle: Battle, unit: UnitId, models: tuple[int, ...]) -> tuple[Place, ...]:
    """Return a whole legal pile-in, with an empty path for who stays. [PILE-3]"""
    if not models:
        return ()
    return tuple(Place(models[i], path) for i, path in _best(ground_of(battle, unit, models)))


def _check(battle: Battle, question: HowToPileIn, choice: PlaceModels) -> None:
    if choice.unit != question.unit:
        raise IllegalChoice("PILE-1", f"{question.unit} piles in now, not {choice.unit}")
    unit = unit_of(battle, choice.unit)
    moves: list[Move] = []
    for index, path in moves_of(unit, choice):
        n = unit.models[index].n
        if n not in question.models:
            raise IllegalChoice("PILE-1", f"{unit.id}.{n} is in base contact or not of this step")
        moves.append((question.models.index(n), path))
    named = {i for i, _ in moves}
    moves += [(i, ()) for i in range(len(question.models)) if i not in named]
    ground = ground_of(battle, unit.id, question.models)
    if question.distance == PILE_IN and tuple(moves) == _best(ground):
        return  # made by the same search as the check, so there is nothing to find [PILE-3]
    breach = check_pile_in_placement(
        ground.movers,
        moves,
        ground.fellows,
        ground.targets,
        ground.obstacles,
        ground.keep_off,
        question.distance,
        ground.table,
        ground.allies,
        ground.characters,
    )
    if breach is not None:
        raise refusal(breach, unit.id, question.models)


def _legal(battle: Battle, question: HowToPileIn) -> list[PlaceModels]:
    places = pile_in_moves(battle, question.unit, question.models)
    return [PlaceModels(question.unit, places)]


ANSWERS: AnswerTable = {HowToPileIn: Answers((PlaceModels,), _check, _legal)}
