"""Difficult terrain in the Movement phase: the test declared before a unit moves. [TERR-2, DIFF]

Runs, fall back moves, consolidations and pile-ins are not slowed by it [DIFF-16, PILE-4]; what it
does to charges is in `engine.rules.charge_terrain`. [TERR-4, DIFF-10, DIFF-11, DIFF-14, DIFF-15]
"""

from __future__ import annotations

from engine.answers import Answers, AnswerTable
from engine.ask import Ask, Roll
from engine.board import DIFFICULT, discs_of
from engine.geometry import INCH, within
from engine.geometry.polygons import bounds, stands_in
from engine.proposals import advances
from engine.rules.moving import AnyMove, check_optional_move, in_moving_order, make_move
from engine.rules.special_rules import MOVE_THROUGH_COVER, model_has
from engine.runner import Action
from events.base import UnitId
from events.choices import MoveUnit, Place, PlaceModels, Stay, TryDifficult
from events.errors import IllegalChoice
from events.movement import ModelsMoved
from events.questions import WhereToMove
from events.terrain import DifficultTerrainRolled
from events.values import Point, Terrain
from projections.battle import Battle, Unit
from projections.queries import owner, setup_of, unit_of

TEST_DICE = 2
"""The test is 2D6, of which the higher counts. [TERR-2, DIFF-3]"""


async def move_through(action: Action, choice: TryDifficult) -> None:
    """Take a unit's difficult terrain test and let it move as far as the test allows. [DIFF-3]

    The limit holds even where nobody can get there. [DIFF-4] Nobody is forced to move then, but
    all that were to move count as moved. [DIFF-8, MVSH-2]
    """
    unit = unit_of(action.battle, choice.unit)
    models = tuple(model.n for model in unit.models if model.n not in choice.still)
    dice = TEST_DICE + has_move_through_cover(action.battle, unit)
    faces = await Roll("difficult terrain", dice, subject=unit.id)
    distance = max(faces) * INCH
    action.emit(DifficultTerrainRolled(unit.id, distance, models))
    question = WhereToMove(owner(action.battle, unit.id), unit.id, distance, models)
    answer: AnyMove | Stay = await Ask(question, MoveUnit, PlaceModels, Stay)
    if isinstance(answer, Stay):
        action.emit(ModelsMoved(unit.id, "move", ()))
    else:
        await make_move(action, answer, "move")


def difficult_pieces(battle: Battle) -> list[Terrain]:
    """Return the pieces of difficult terrain on the table; dangerous ones are. [DANG-1]"""
    return [piece for piece in battle.table.terrain if piece.kind in DIFFICULT]


def stands_in_difficult(battle: Battle, unit: Unit) -> bool:
    """Whether any model of a unit is in difficult terrain. [DIFF-5]"""
    pieces = difficult_pieces(battle)
    return bool(pieces) and any(
        stands_in(disc, part.corners)
        for disc in discs_of(battle, unit)
        for piece in pieces
        for part in piece.parts
    )


def near_difficult(battle: Battle, unit: Unit, distance: int) -> bool:
    """Whether difficult terrain may be within `distance` mils of a unit: worth a test."""
    around = [bounds(p.corners) for piece in difficult_pieces(battle) for p in piece.parts]
    return any(within(a, b, distance) for a in around for b in discs_of(battle, unit))


def has_move_through_cover(battle: Battle, unit: Unit) -> bool:
    """Whether any model of a unit has Move Through Cover: one more die in the test. [DIFF-12]"""
    setup = setup_of(battle, unit.id)
    return any(model_has(setup, model.n, MOVE_THROUGH_COVER) for model in unit.models)


def check_test(battle: Battle, choice: TryDifficult) -> None:
    """Refuse a difficult terrain test of a unit that may move. [TERR-2, DIFF-2, DIFF-7]"""
    unit = unit_of(battle, choice.unit)
    if not difficult_pieces(battle):
        raise IllegalChoice("TERR-2", "there is no difficult terrain on this table")
    numbers = [model.n for model in unit.models]
    for i, n in enumerate(choice.still):
        if n not in numbers or n in choice.still[:i]:
            raise IllegalChoice("DIFF-7", f"{unit.id} has no model {n}, or it is named twice")
    if len(choice.still) == len(numbers):
        raise IllegalChoice("DIFF-7", f"all of {unit.id} would stay; a unit may simply not move")


def check_untested(battle: Battle, unit_id: UnitId) -> None:
    """Refuse a move without a test of a unit that stands in difficult terrain. [DIFF-5]"""
    if stands_in_difficult(battle, unit_of(battle, unit_id)):
        raise IllegalChoice(
            "DIFF-5", f"{unit_id} stands in difficult terrain: `difficult {unit_id}` comes first"
        )


def check_tested_move(battle: Battle, question: WhereToMove, choice: AnyMove | Stay) -> None:
    """Refuse a move that breaks a rule after the test. [DIFF-6, DIFF-7]"""
    check_optional_move(battle, question.unit, choice, question.distance)
    if isinstance(choice, Stay):
        return
    named = (
        [place.model for place in choice.places if place.path]
        if isinstance(choice, PlaceModels)
        else [model.n for model in unit_of(battle, question.unit).models]
    )
    for n in named:
        if n not in question.models:
            raise IllegalChoice("DIFF-7", f"{question.unit}.{n} was to stay where it is")


def legal_tested(battle: Battle, question: WhereToMove) -> list[AnyMove | Stay]:
    """Return moves of those that were to move; `Stay` last. [DIFF-8]"""
    unit = unit_of(battle, question.unit)
    found: list[AnyMove | Stay] = []
    for offer in advances(battle, unit, question.distance):
        offer = _without(unit, offer, question.models)
        try:
            check_tested_move(battle, question, offer)
        except IllegalChoice:
            continue
        if offer not in found:
            found.append(offer)
    return [*found, Stay()]


def _without(unit: Unit, offer: AnyMove, models: tuple[int, ...]) -> AnyMove:
    """Return a move without those that are to stay."""
    if len(models) == len(unit.models):
        return offer
    if isinstance(offer, PlaceModels):
        return PlaceModels(unit.id, tuple(p for p in offer.places if p.model in models))
    by = offer.by
    ordered = [unit.models[i] for i in in_moving_order(unit, by)]
    return PlaceModels(
        unit.id,
        tuple(
            Place(m.n, (Point(m.at.x + by.x, m.at.y + by.y),))
            for m in ordered
            if m.at is not None and m.n in models
        ),
    )


ANSWERS: AnswerTable = {
    WhereToMove: Answers((MoveUnit, PlaceModels, Stay), check_tested_move, legal_tested),
}
