"""Five dialects of one file format, read into one normal form.

What moved between the versions (the tree is the same otherwise):

=============  =======================  ================================  ======================
fact           1.15                     2.00 and 2.01                     2.02, 2.03, New Recruit
=============  =======================  ================================  ======================
points         ``points`` attribute     ``<cost costTypeId value>``       ``<cost typeId value>``
selections in  ``categories/category``  2.00 the same, 2.01 the force     the force
profile type   ``type``                 ``profileTypeName``               ``typeName``
value          ``value`` attribute      ``value`` attribute               text of the element
army rules     the roster               the force                         the force
=============  =======================  ================================  ======================
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from engine.armies.names import clean
from engine.armies.opening import Node
from events.errors import RosterError

DIALECTS = ("1.15", "2.00", "2.01", "2.02", "2.03")
"""Values of ``battleScribeVersion`` that are read."""

_INTEGER = re.compile(r"([0-9]{1,4})(?:\.0+)?")
_COST = re.compile(r"(-?)([0-9]{1,7})(?:\.([0-9]{1,2})0*)?")


class Line(msgspec.Struct, frozen=True, gc=False):
    """A profile as written: a body's stat line, a weapon, an item of wargear."""

    name: str
    kind: str
    """Name of the profile type, e.g. ``"Unit"``, ``"Weapon"``, ``"Wargear Item"``."""
    values: tuple[tuple[str, str], ...]
    """Characteristics as (name, text) in file order."""

    def get(self, *names: str) -> str | None:
        """Return the text of the first characteristic with one of the lower-case `names`."""
        for name, text in self.values:
            if name.lower() in names:
                return text
        return None


class Selection(msgspec.Struct, frozen=True, gc=False):
    """One choice of the roster with everything chosen under it."""

    name: str
    custom_name: str
    type: str
    """``"unit"``, ``"model"`` or ``"upgrade"``."""
    number: int
    cost: int
    """Hundredths of a point for the whole number, without the selections below."""
    lines: tuple[Line, ...]
    rules: tuple[str, ...]
    selections: tuple[Selection, ...]

    def walk(self) -> Iterator[Selection]:
        """Yield this selection and all below it, in file order."""
        todo = [self]
        while todo:
            selection = todo.pop()
            yield selection
            todo += reversed(selection.selections)

    def total(self) -> int:
        """Return the cost of this selection and all below it, in hundredths of a point."""
        return sum(selection.cost for selection in self.walk())


class Roster(msgspec.Struct, frozen=True, gc=False):
    """A roster file in normal form."""

    name: str
    dialect: str
    game_system: str
    catalogues: tuple[str, ...]
    cost: int
    """Declared cost in hundredths of a point."""
    selections: tuple[Selection, ...]
    """Top-level selections of all forces, in file order."""
    rules: tuple[str, ...]
    """Names of the rules that hold for the whole army."""


def read_roster(tree: Node, file_name: str) -> Roster:
    """Return the normal form of a ``roster`` element.

    Raises RosterError for an unknown dialect (it is named) and for an element without a name or
    with a number that isn't one.
    """
    return _Reader(tree, file_name).roster()


class _Reader:
    def __init__(self, tree: Node, file_name: str) -> None:
        self.tree = tree
        self.file_name = file_name
        self.costs = tree.items("costs")
        self.points = self.points_name()

    def refuse(self, element: str, reason: str) -> RosterError:
        return RosterError(f"{self.file_name} {element}", reason)

    def roster(self) -> Roster:
        dialect = self.tree.get("battleScribeVersion") or ""
        if dialect not in DIALECTS:
            known = ", ".join(DIALECTS)
            told = f"version {clean(dialect)[:20]}" if dialect else "no version"
            raise self.refuse(
                "roster.battleScribeVersion",
                f"{told}; read are {known} (open the list in its builder and save it again)",
            )
        forces = [force for top in self.tree.items("forces") for force in _forces(top)]
        rules = [rule for holder in [self.tree, *forces] for rule in self.rules(holder)]
        return Roster(
            name=clean(self.tree.get("name") or ""),
            dialect=dialect,
            game_system=clean(self.tree.get("gameSystemName") or ""),
            catalogues=tuple(
                dict.fromkeys(clean(force.get("catalogueName") or "") for force in forces)
            ),
            cost=self.cost(self.tree),
            selections=tuple(
                self.selection(node) for force in forces for node in _top_selections(force)
            ),
            rules=tuple(dict.fromkeys(rules)),
        )

    def points_name(self) -> str:
        """Return the name of the cost that is points; a roster may also count other things."""
        for cost in self.costs:
            name = cost.get("name") or ""
            if cost.get("typeId", "costTypeId") == "points" or name in ("pts", "points"):
                return name
        return (self.costs[0].get("name") or "") if self.costs else "pts"

    def selection(self, node: Node) -> Selection:
        return Selection(
            name=self.name(node),
            custom_name=clean(node.get("customName") or ""),
            type=node.get("type") or "upgrade",
            number=self.number(node),
            cost=self.cost(node),
            lines=tuple(
                self.line(profile)
                for profile in node.items("profiles")
                if profile.get("hidden") != "true"
            ),
            rules=self.rules(node),
            selections=tuple(self.selection(below) for below in node.items("selections")),
        )

    def line(self, node: Node) -> Line:
        values = []
        for value in node.items("characteristics"):
            text = value.get("value")
            values.append((self.name(value), clean(value.text if text is None else text)))
        kind = clean(node.get("typeName", "profileTypeName", "type") or "")
        return Line(self.name(node), kind, tuple(values))

    def rules(self, node: Node) -> tuple[str, ...]:
        rules = (rule for rule in node.items("rules") if rule.get("hidden") != "true")
        return tuple(dict.fromkeys(self.name(rule) for rule in rules))

    def name(self, node: Node) -> str:
        name = clean(node.get("name") or "")
        if not name:
            raise self.refuse(f"<{node.tag}>", "has no name")
        return name

    def number(self, node: Node) -> int:
        text = node.get("number")
        if text is None:
            return 1
        match = _INTEGER.fullmatch(text)
        if match is None:
            raise self.refuse(
                f"<selection> {clean(node.get('name') or '')!r}",
                f"number {text[:20]!r}; a whole number from 0 to 9999 is needed",
            )
        return int(match[1])

    def cost(self, node: Node) -> int:
        """Return the points written on one element, in hundredths; none written is none."""
        text = node.get("points")
        for cost in node.items("costs"):
            if cost.get("name") == self.points:
                text = cost.get("value")
        if text is None:
            return 0
        match = _COST.fullmatch(text)
        if match is None:
            raise self.refuse(
                f"<{node.tag}> {clean(node.get('name') or '')!r}",
                f"points {text[:20]!r}; a number such as 12 or 12.5 is needed",
            )
        hundredths = int(match[2]) * 100 + int((match[3] or "0").ljust(2, "0"))
        return -hundredths if match[1] else hundredths


def _forces(force: Node) -> Iterator[Node]:
    """Yield a force and the forces nested in it."""
    yield force
    for below in force.items("forces"):
        yield from _forces(below)


def _top_selections(force: Node) -> Iterator[Node]:
    """Yield a force's selections; up to 2.00 its categories hold them, later the force itself."""
    yield from force.items("selections")
    for category in force.items("categories"):
        yield from category.items("selections")
