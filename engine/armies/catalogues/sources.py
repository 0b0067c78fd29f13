"""A catalogue file and its game system: what stands in them by id.

What differs between the dialects (the tree is the same otherwise):

==============  =====================================  ================================
fact            2.00                                   2.01 to 2.03
==============  =====================================  ================================
profile type    ``profileTypeId``, name often missing  ``typeId``, ``typeName``
value           ``value`` attribute                    text of the element (2.02, 2.03)
cost type       ``costTypeId``                         ``typeId`` (2.02, 2.03)
limits          ids are words: ``maxSelections``       ids are unique
==============  =====================================  ================================
"""

from __future__ import annotations

from engine.armies.names import clean
from engine.armies.opening import Node
from engine.armies.rosters import Line
from events.errors import RosterError

DIALECTS = ("2.00", "2.01", "2.02", "2.03")
"""Values of ``battleScribeVersion`` that are read."""

_LINKED = ("selectionEntry", "selectionEntryGroup", "profile", "rule", "infoGroup")
_INDEXED = (*_LINKED, "categoryEntry", "forceEntry")


class Sources:
    """The files of one catalogue, indexed by kind and id: its own before its game system's."""

    def __init__(self, catalogue: Node, system: Node | None, file_name: str) -> None:
        self.catalogue = catalogue
        self.file_name = file_name
        self.notes: dict[str, None] = {}
        self.system = system
        self._nodes: dict[tuple[str, str], Node] = {}
        self._type_names: dict[str, str] = {}
        self._costs: dict[str, str] = {}
        for root in (catalogue, system) if system else (catalogue,):
            check_dialect(root, file_name)
            self._index(root)
        self.points = self._points()

    def refuse(self, element: Node, reason: str) -> RosterError:
        """Return an error that names file and element."""
        name = clean(element.get("name") or element.get("id") or "")
        return RosterError(f"{self.file_name} <{element.tag}> {name!r}", reason)

    def note(self, text: str) -> None:
        """Keep a remark on the files, once."""
        self.notes[text] = None

    def find(self, kind: str, node_id: str) -> Node | None:
        """Return the element of a kind with an id; a catalogue's own goes before the system's."""
        return self._nodes.get((kind, node_id))

    def name_of(self, node_id: str) -> str:
        """Return the name that an id stands for in a condition, or the id itself."""
        for kind in _INDEXED:
            if node := self.find(kind, node_id):
                return clean(node.get("name") or "") or node_id
        return self._type_names.get(node_id, node_id)

    def type_name(self, type_id: str) -> str | None:
        """Return the name of a profile type or characteristic."""
        return self._type_names.get(type_id)

    def line(self, profile: Node) -> tuple[Line, tuple[str, ...]]:
        """Return a profile's line as written, and the ids of its characteristics in order."""
        type_id = profile.get("typeId", "profileTypeId") or ""
        kind = self.type_name(type_id) or profile.get("typeName", "profileTypeName") or ""
        values, ids = [], []
        for cell in profile.items("characteristics"):
            cell_id = cell.get("typeId", "characteristicTypeId") or ""
            text = cell.get("value")
            name = cell.get("name") or self.type_name(cell_id) or ""
            values.append((clean(name), clean(cell.text if text is None else text)))
            ids.append(cell_id)
        return Line(clean(profile.get("name") or ""), clean(kind), tuple(values)), tuple(ids)

    def cost(self, element: Node) -> int:
        """Return the points written on an entry or link, in hundredths."""
        for cost in element.items("costs"):
            if cost.get("typeId", "costTypeId") == self.points:
                return hundredths(cost.get("value") or "0", element, self)
        return 0

    def _index(self, root: Node) -> None:
        own: dict[tuple[str, str], Node] = {}
        todo = [root]
        while todo:
            node = todo.pop()
            todo += reversed(node.children)
            key = (node.tag, node.get("id") or "")
            if node.tag in _INDEXED and key[1]:
                # Each force names the same categories again: only what links lead to is told.
                if own.setdefault(key, node) is not node and node.tag in _LINKED:
                    self.note(f"id {key[1]} is used twice in {node.tag}; the first is taken")
            elif node.tag in ("profileType", "characteristicType"):
                self._type_names.setdefault(key[1], clean(node.get("name") or ""))
            elif node.tag == "costType":
                self._costs.setdefault(key[1], clean(node.get("name") or ""))
        for key, node in own.items():
            self._nodes.setdefault(key, node)

    def _points(self) -> str:
        """Return the id of the cost that is points; a game may count other things as well."""
        for cost_id, name in self._costs.items():
            if cost_id == "points" or name in ("pts", "points"):
                return cost_id
        return next(iter(self._costs), "points")


def check_dialect(root: Node, file_name: str) -> None:
    """Raise RosterError for a version that isn't read; it is named."""
    version = root.get("battleScribeVersion") or ""
    if version not in DIALECTS:
        told = f"version {clean(version)[:20]}" if version else "no version"
        raise RosterError(
            f"{file_name} {root.tag}.battleScribeVersion",
            f"{told}; read are {', '.join(DIALECTS)} (open it in its editor and save it again)",
        )


def hundredths(text: str, element: Node, sources: Sources) -> int:
    """Return a number with at most two decimals as hundredths of it."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    whole, _, part = digits.partition(".")
    part = part.rstrip("0")
    plain = (whole + part).isascii() and (whole + part).isdecimal()
    if not plain or len(whole) > 7 or len(part) > 2:
        raise sources.refuse(element, f"value {text[:20]!r}; a number such as 12 or 12.5 is needed")
    return sign * (int(whole or "0") * 100 + int(part.ljust(2, "0")))
