"""Pile-in moves, at the start of an Initiative step and at the end of a combat. [PILE, ECPI]"""

from __future__ import annotations

from typing import NamedTuple

from engine.answers import Answers, AnswerTable
from engine.ask import Ask
from engine.board import barriers, disc_of, discs_of, other_discs, table_rect
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
from projections.battle import Battle
from projections.queries import setup_of, unit_of

AT_THE_END = 0
"""In place of an Initiative step: every model piles in. [ECPI-1]"""


class PileGround(NamedTuple):
    """Who stands where as a pile-in of one unit sees it."""

    movers: list[Disc]
    fellows: list[Disc]
    targets: list[Disc]
    obstacles: list[Disc]
    keep_off: list[Disc]


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
    allies = tuple(ally.id for ally in standing(battle, unit.side))
    return PileGround(
        [disc_of(battle, unit, m) for m in unit.models if m.n in models],
        [disc_of(battle, unit, m) for m in unit.models if m.n not in models],
        [disc for foe in foes for disc in discs_of(battle, foe)],
        [*other_discs(battle, unit.side, but=allies), *barriers(battle)],
        other_discs(battle, other(unit.side), but=tuple(foe.id for foe in foes)),
    )


def allies_of(battle: Battle, unit_id: UnitId) -> list[Disc]:
    """Return the bases of the other friendly units in this combat. [AMB-31]"""
    side = unit_of(battle, unit_id).side
    return [
        disc
        for ally in standing(battle, side)
        if ally.id != unit_id
        for disc in discs_of(battle, ally)
    ]


def characters_of(battle: Battle, unit_id: UnitId, models: tuple[int, ...]) -> list[int]:
    """Return the indices among `models` of characters that pile in before others. [PILE-7]"""
    if not edition_of(battle).characters_pile_in_first:
        return []
    setup = setup_of(battle, unit_id)
    return [i for i, n in enumerate(models) if model_has(setup, n, CHARACTER)]


def pile_in_moves(battle: Battle, unit: UnitId, models: tuple[int, ...]) -> tuple[Place, ...]:
    """Return a whole legal pile-in, with an empty path for who stays. [PILE-3]"""
    if not models:
        return ()
    ground = ground_of(battle, unit, models)
    first = characters_of(battle, unit, models)
    moves = pile_in_placement(*ground, PILE_IN, table_rect(battle), allies_of(battle, unit), first)
    return tuple(Place(models[i], path) for i, path in moves)


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
    breach = check_pile_in_placement(
        ground.movers,
        moves,
        ground.fellows,
        ground.targets,
        ground.obstacles,
        ground.keep_off,
        question.distance,
        table_rect(battle),
        allies_of(battle, unit.id),
        characters_of(battle, unit.id, question.models),
    )
    if breach is not None:
        raise refusal(breach, unit.id, question.models)


def _legal(battle: Battle, question: HowToPileIn) -> list[PlaceModels]:
    places = pile_in_moves(battle, question.unit, question.models)
    return [PlaceModels(question.unit, places)]


ANSWERS: AnswerTable = {HowToPileIn: Answers((PlaceModels,), _check, _legal)}
