"""YAML with line numbers: each value knows where it stands, so an error can name file and line.

Only the node tree of a safe loader is used: no tag constructs anything, numbers stay the text that
was written (so lengths are exact), aliases are refused and size and depth are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from engine.notation import to_mils, to_point
from events.errors import ScenarioError
from events.values import Point

MAX_BYTES = 1_000_000
MAX_DEPTH = 20

LENGTHS = ("distance", "needed")
"""Fields of facts, questions and phases that are lengths: inches in a file, as all lengths are."""

_WHOLE = re.compile(r"-?[0-9]{1,9}")
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


class _Loader(yaml.SafeLoader):
    """A safe loader that refuses aliases and deep nesting."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            self.refuse("aliases are not read here")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(f"nested deeper than {MAX_DEPTH} levels")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def refuse(self, problem: str) -> NoReturn:
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


@dataclass(frozen=True, slots=True)
class Entry:
    """A value in a file. Every reading method raises ScenarioError naming file and line."""

    file: str
    node: yaml.Node

    @property
    def where(self) -> str:
        """The value's ``file:line``."""
        return f"{self.file}:{self.node.start_mark.line + 1}"

    def refuse(self, right: str) -> NoReturn:
        """Refuse this value; `right` says what belongs here."""
        node = self.node
        if isinstance(node, yaml.ScalarNode):
            raise ScenarioError(self.where, f"{node.value!r} is not {right}")
        kind = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
        raise ScenarioError(self.where, f"{kind} is not {right}")

    @property
    def is_text(self) -> bool:
        """Whether this is one value, neither list nor mapping."""
        return isinstance(self.node, yaml.ScalarNode)

    @property
    def is_list(self) -> bool:
        """Whether this is a list."""
        return isinstance(self.node, yaml.SequenceNode)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written here, or ``null``."""
        return self.node.tag == "tag:yaml.org,2002:null"

    def pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Yield keys and values of a mapping in the order written; an empty value has none."""
        if self.is_empty:
            return
        if not isinstance(self.node, yaml.MappingNode):
            self.refuse("a mapping (key: value)")
        seen: list[str] = []
        for key, value in self.node.value:
            entry = Entry(self.file, key)
            if entry.text() in seen:
                raise ScenarioError(entry.where, f"{entry.text()!r} is here twice")
            seen.append(entry.text())
            yield entry, Entry(self.file, value)

    def named(self) -> dict[str, Entry]:
        """Return a mapping with keys of the writer's choice."""
        return {key.text(): value for key, value in self.pairs()}

    def fields(self, known: Iterable[str]) -> dict[str, Entry]:
        """Return a mapping whose keys must be among `known`."""
        found: dict[str, Entry] = {}
        for key, value in self.pairs():
            if key.text() not in known:
                raise ScenarioError(
                    key.where, f"unknown key {key.text()!r}; known here: {', '.join(known)}"
                )
            found[key.text()] = value
        return found

    def items(self) -> list[Entry]:
        """Return the items of a list; one value alone is a list of one, nothing an empty one."""
        if self.is_empty:
            return []
        if isinstance(self.node, yaml.SequenceNode):
            return [Entry(self.file, item) for item in self.node.value]
        return [self]

    def words(self) -> list[str]:
        """Return a list of words, written as a list or separated by spaces."""
        return [word for item in self.items() for word in item.text().split()]

    def text(self) -> str:
        """Return the text as written."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.refuse("a single value")
        return str(self.node.value)

    def one_of(self, words: Iterable[str]) -> str:
        """Return one of these words."""
        if self.text() not in words:
            self.refuse(f"one of {', '.join(words)}")
        return self.text()

    def whole(self, low: int = 0) -> int:
        """Return a whole number of at least `low`."""
        text = self.text()
        if _WHOLE.fullmatch(text) is None or int(text) < low:
            self.refuse(f"a whole number from {low}")
        return int(text)

    def flag(self) -> bool:
        """Return true or false."""
        if self.text() not in _FLAGS:
            self.refuse("true or false")
        return _FLAGS[self.text()]

    def mils(self) -> int:
        """Return a length in inches as mils; an inch mark may follow it."""
        mils = to_mils(self.text().removesuffix('"'))
        if mils is None:
            self.refuse("a length in inches, such as 12.5")
        return mils

    def point(self) -> Point:
        """Return a place, ``x,y`` in inches."""
        point = to_point(self.text())
        if point is None:
            self.refuse("a place in inches, such as 12.5,30")
        return point

    def plain(self, length: bool = False) -> Any:
        """Return this value as events hold it, lengths in mils.

        Keys in `LENGTHS` and values with an inch mark are lengths; other fractions are refused,
        since nothing in an event is one.
        """
        if isinstance(self.node, yaml.MappingNode):
            return {key.text(): value.plain(key.text() in LENGTHS) for key, value in self.pairs()}
        if isinstance(self.node, yaml.SequenceNode):
            return [item.plain() for item in self.items()]
        text = self.text()
        kind = self.node.tag.rpartition(":")[2]
        if kind == "null":
            return None
        if length or (text.endswith('"') and to_mils(text[:-1]) is not None):
            return self.mils()
        if kind == "bool":
            return self.flag()
        if kind == "int":
            return self.whole(-999_999_999)
        if kind == "float":
            self.refuse(f'a whole number; a length is written with its inch mark: {text}"')
        return text


def read_document(data: bytes, file: str) -> Entry:
    """Return the root of a YAML file. Raises ScenarioError for what isn't one, safe document."""
    if len(data) > MAX_BYTES:
        raise ScenarioError(file, f"larger than {MAX_BYTES:,} bytes: too large for a scenario")
    try:
        node = yaml.compose(data, Loader=_Loader)
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{file}:{mark.line + 1}" if mark is not None else file
        reason = getattr(error, "problem", None) or str(error)
        raise ScenarioError(where, f"not YAML that can be read: {reason}") from error
    if not isinstance(node, yaml.MappingNode):
        raise ScenarioError(file, "a scenario is a mapping with given, play and expect")
    return Entry(file, node)
