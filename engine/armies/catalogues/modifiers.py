"""Modifiers: those that always hold are applied, those with a condition are kept as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.armies.catalogues.sources import Sources
from engine.armies.names import clean
from engine.armies.opening import Node

_SIGNS = {"increment": 1, "decrement": -1}


class Modifier(NamedTuple):
    """One change to a name, a number or a characteristic."""

    type: str
    field: str
    value: str
    condition: str
    """In words, or "" for one that always holds."""

    def text(self, old: str) -> str | None:
        """Return a text with this applied, or None where it can't be."""
        if self.type == "set":
            return self.value
        if self.type == "append":
            # The builders put a blank between; a comma wants none before it.
            return f"{old}{'' if self.value[:1] in ',.;' else ' '}{self.value}".strip()
        if self.type in _SIGNS and _is_whole(old) and _is_whole(self.value):
            return str(int(old) + _SIGNS[self.type] * int(self.value.partition(".")[0]))
        return None

    def number(self, old: int, value: int) -> int | None:
        """Return a number with this applied, `value` being its own; None where it can't be."""
        if self.type == "set":
            return value
        return old + _SIGNS[self.type] * value if self.type in _SIGNS else None

    def sentence(self, what: str) -> str:
        """Return this in words, for what isn't applied."""
        change = {"set": "to", "append": "with", "increment": "by", "decrement": "by"}
        told = f"{self.type} {what} {change.get(self.type, 'to')} {self.value}".rstrip()
        return f"{told} if {self.condition}" if self.condition else told


def modifiers_of(element: Node, sources: Sources) -> list[Modifier]:
    """Return an element's modifiers in order, those in groups with their group's condition."""
    return list(_modifiers(element, "", sources))


def _modifiers(element: Node, outer: str, sources: Sources) -> Iterator[Modifier]:
    for node in element.items("modifiers"):
        kind, field = node.get("type") or "", node.get("field") or ""
        condition = _both(outer, _condition(node, sources))
        yield Modifier(kind, field, clean(node.get("value") or ""), condition)
    for group in element.items("modifierGroups"):
        yield from _modifiers(group, _both(outer, _condition(group, sources)), sources)


def _both(first: str, second: str) -> str:
    return f"{first} and {second}" if first and second else first or second


def _condition(element: Node, sources: Sources) -> str:
    """Return an element's conditions and repeats in words, "" for none."""
    told = _parts(element, sources)
    for node in element.items("repeats"):
        told.append(f"repeated for each {_child(node, sources)}")
    return " and ".join(told)


def _parts(holder: Node, sources: Sources) -> list[str]:
    """Return the conditions of an element or a group, each group of them as one."""
    told = [_one(node, sources) for node in holder.items("conditions")]
    for group in holder.items("conditionGroups"):
        inside = _parts(group, sources)
        joined = (" or " if group.get("type") == "or" else " and ").join(inside)
        told.append(f"({joined})" if len(inside) > 1 else joined)
    return [part for part in told if part]


def _child(node: Node, sources: Sources) -> str:
    return sources.name_of(node.get("childId") or "any")


def _one(node: Node, sources: Sources) -> str:
    """Return one condition in words."""
    kind, child = node.get("type") or "", _child(node, sources)
    scope = node.get("scope") or "parent"
    if scope not in ("parent", "self", "ancestor", "force", "roster", "primary-category"):
        scope = sources.name_of(scope)
    if kind in ("instanceOf", "notInstanceOf"):
        return f"the {scope} is {'not ' if kind == 'notInstanceOf' else ''}{child}"
    value = (node.get("value") or "0").removesuffix(".0")
    words = {
        "lessThan": "fewer than", "greaterThan": "more than", "equalTo": "exactly",
        "notEqualTo": "not", "atLeast": "at least", "atMost": "at most",
    }  # fmt: skip
    return f"{words.get(kind, kind)} {value} {child} in {scope}"


def _is_whole(text: str) -> bool:
    digits = text.removeprefix("-").removesuffix(".0")
    return digits.isascii() and digits.isdecimal() and len(digits) < 6
