"""What may stand in a stored Struct: whole numbers, words, tuples; nothing that can change. [P1]"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from typing import Any, Literal, Union

import msgspec
import pytest

from events.base import Event, Fact, Input, Mark, Value
from events.choices import AnyChoice, Choice
from events.codec import EVENT_TYPES, UPCASTERS, tag_of
from events.questions import AnyQuestion, Question
from projections.battle import Battle

ROOTS: tuple[type[msgspec.Struct], ...] = (
    *EVENT_TYPES,
    *UPCASTERS,
    *typing.get_args(AnyChoice),
    *typing.get_args(AnyQuestion),
    Battle,
)

ALLOWED = (int, str, bool, type(None), msgspec.Raw)


def inside(hint: Any) -> Iterator[Any]:
    """Yield the plain types in a type hint; a Struct is followed into its fields by `structs`."""
    origin = typing.get_origin(hint)
    if origin is Literal:
        yield from {type(value) for value in typing.get_args(hint)}
    elif origin in (Union, types.UnionType):
        for part in typing.get_args(hint):
            yield from inside(part)
    elif origin is tuple:
        for part in typing.get_args(hint):
            if part is not Ellipsis:
                yield from inside(part)
    else:
        yield origin or hint


def structs() -> dict[type[msgspec.Struct], dict[str, list[Any]]]:
    """Return every Struct that can be stored, with the plain types of each field."""
    found: dict[type[msgspec.Struct], dict[str, list[Any]]] = {}
    todo = list(ROOTS)
    while todo:
        struct = todo.pop()
        if struct in found:
            continue
        hints = typing.get_type_hints(struct)
        fields = {name: list(inside(hints[name])) for name in struct.__struct_fields__}
        found[struct] = fields
        for plain in fields.values():
            todo += [t for t in plain if isinstance(t, type) and issubclass(t, msgspec.Struct)]
    return found


STRUCTS = structs()


def test_there_are_structs_in_structs() -> None:
    names = {struct.__name__ for struct in STRUCTS}
    assert {"Battle", "Tally", "Combat", "Spot", "Place", "Profile", "RollNeeded"} <= names


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_struct_holds_whole_numbers_words_and_tuples_only(struct: type[msgspec.Struct]) -> None:
    for field, plain in STRUCTS[struct].items():
        for kind in plain:
            fits = kind in ALLOWED or (isinstance(kind, type) and issubclass(kind, msgspec.Struct))
            assert fits, f"{struct.__name__}.{field} may hold a {kind}"


@pytest.mark.parametrize("hint", [float, list[int], dict[str, int], set[int], Any, object, bytes])
def test_the_walk_would_see_a_type_that_may_not_be_stored(hint: Any) -> None:
    nested = Union[tuple[tuple[hint, int], ...], None]  # noqa: UP007
    assert [kind for kind in inside(nested) if kind not in ALLOWED]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_struct_is_frozen_and_not_watched_by_the_collector(struct: type[msgspec.Struct]) -> None:
    assert struct.__struct_config__.frozen
    assert not struct.__struct_config__.gc


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_what_a_battle_holds_is_written_whole(struct: type[msgspec.Struct]) -> None:
    # Equal battles would differ in bytes if defaults were left out of some; events may.
    kept = issubclass(struct, Value | Question)
    assert kept <= (not struct.__struct_config__.omit_defaults)
    assert struct.__struct_config__.omit_defaults <= issubclass(struct, Event | Choice)


def test_every_event_is_an_input_a_fact_or_a_mark_with_a_version_in_its_tag() -> None:
    for event in EVENT_TYPES:
        assert sum(issubclass(event, kind) for kind in (Input, Fact, Mark)) == 1, event
        name, _, version = tag_of(event).partition("/")
        assert name.replace("_", "").isalpha() and int(version) >= 1


def test_tags_are_unique() -> None:
    for kinds in (EVENT_TYPES + tuple(UPCASTERS), typing.get_args(AnyChoice)):
        tags = [kind.__struct_config__.tag for kind in kinds]
        assert len(set(tags)) == len(tags)


def test_every_choice_and_question_class_is_in_its_union() -> None:
    def leaves(base: type) -> set[type]:
        return {c for c in base.__subclasses__() if c.__module__.startswith("events.")}

    assert leaves(Choice) == set(typing.get_args(AnyChoice))
    assert leaves(Question) == set(typing.get_args(AnyQuestion))
    inputs = leaves(Input) | leaves(Fact) | leaves(Mark)
    assert inputs == set(EVENT_TYPES) | set(UPCASTERS)
