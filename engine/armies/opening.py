"""From bytes to a tree of plain nodes, with nothing trusted on the way.

A roster is a ZIP with one ``.ros`` in it (``.rosz``), bare XML (``.ros``) or New Recruit's JSON.
All three become the same `Node` tree. Sizes are bounded before memory is used, document types
and entities are refused, and every refusal is one `RosterError` that names file and element.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from events.errors import RosterError

MAX_BYTES = 4_000_000
"""Largest roster read, unpacked. The largest real one seen is 0.5 MB."""
MAX_PACKED = 2_000_000
"""Largest ``.rosz`` opened: bounds the archive's directory too, which `zipfile` reads whole."""
MAX_RATIO = 200
"""Strongest compression accepted; real rosters come to about 8, a zip bomb to 1,000."""
MAX_ELEMENTS = 80_000
"""Most elements read; the largest real roster has about 10,000."""
MAX_DEPTH = 60
"""Deepest nesting read; real rosters reach about 20."""

_SCHEMA = "http://www.battlescribe.net/schema"
ROSTER = {"roster": f"{_SCHEMA}/rosterSchema"}
CATALOGUE = {"catalogue": f"{_SCHEMA}/catalogueSchema", "gameSystem": f"{_SCHEMA}/gameSystemSchema"}
"""Root elements of each kind of file, and their namespaces."""


class Node:
    """One element: its tag without namespace, attributes, children, and text if it is a value."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Node] = []
        self.text = ""

    def get(self, *names: str) -> str | None:
        """Return the first of the attributes that is there."""
        for name in names:
            if name in self.attributes:
                return self.attributes[name]
        return None

    def items(self, tag: str) -> list[Node]:
        """Return what the list element `tag` holds; a missing list is an empty one."""
        return [item for child in self.children if child.tag == tag for item in child.children]


def open_roster(path: Path, needed: str = ".ros, .rosz, .json or .yaml") -> bytes:
    """Return the bytes of a roster file, never more than the limit; `needed` are the names it has.

    Raises RosterError if there is no such file, it can't be read, or it is too large.
    """
    try:
        if not path.is_file():
            raise RosterError(path.name, f"no such file; {needed} is needed")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RosterError(path.name, f"can't be read: {why_unread(error)}") from error
    if len(data) > MAX_BYTES:
        raise RosterError(path.name, f"larger than {MAX_BYTES:,} bytes: too large to be read")
    return data


def why_unread(error: OSError | ValueError) -> str:
    """Return why a file can't be read, without the system's number and without its name."""
    if isinstance(error, UnicodeDecodeError):
        return f"not text in UTF-8: byte {error.start}"
    return str(getattr(error, "strerror", None) or error)


def as_text(data: bytes, file_name: str) -> str:
    """Return a text file's text, which must be UTF-8. Raises RosterError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RosterError(file_name, f"not text in UTF-8: byte {error.start}") from error


def read_tree(data: bytes, file_name: str, roots: Mapping[str, str] = ROSTER) -> Node:
    """Return the root element of a roster or another file. `file_name` only names it in errors.

    `roots` are the root elements that may stand there, and their namespaces. Raises RosterError
    for anything that isn't a whole, safe file of its kind.
    """
    if len(data) > MAX_BYTES:
        raise RosterError(file_name, f"larger than {MAX_BYTES:,} bytes: too large to be read")
    if data.startswith(b"PK"):
        data = _unzip(data, file_name)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _read_json(data, file_name)
    return _read_xml(data, file_name, roots)


def _unzip(data: bytes, file_name: str) -> bytes:
    """Return the one member of the archive, read no further than the limits."""

    def refuse(reason: str) -> NoReturn:
        raise RosterError(file_name, reason)

    if len(data) > MAX_PACKED:
        refuse(f"an archive of {len(data):,} bytes; at most {MAX_PACKED:,} are opened")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) != 1:
                refuse(f"an archive with {len(members)} members; a .rosz holds one .ros")
            member = members[0]
            name = member.orig_filename
            if member.is_dir() or any(mark in name for mark in ("/", "\\", ":", "..", "\0")):
                refuse(f"member {name!r} names a path; a .rosz holds one plain file name")
            if member.flag_bits & 1:
                refuse(f"member {name!r} is encrypted")
            if member.file_size > MAX_BYTES:
                refuse(f"member {name!r} unpacks to more than {MAX_BYTES:,} bytes")
            if member.file_size > MAX_RATIO * max(member.compress_size, 1):
                refuse(f"member {name!r} is packed tighter than {MAX_RATIO}:1, as a zip bomb is")
            with archive.open(member) as stream:
                unpacked = stream.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        refuse(f"a damaged archive: {error}")
    except (ValueError, OverflowError, OSError, struct.error) as error:
        refuse(f"a damaged archive: {error}")
    if len(unpacked) > MAX_BYTES:
        refuse(f"member {name!r} unpacks to more than {MAX_BYTES:,} bytes")
    return unpacked


class _TreeBuilder:
    """Collects nodes from the XML parser's callbacks and stops it at the first thing refused."""

    def __init__(self, file_name: str, roots: Mapping[str, str]) -> None:
        self.file_name = file_name
        self.roots = roots
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.open: list[Node] = []
        self.root: Node | None = None
        self.count = 0

    def refuse(self, reason: str) -> NoReturn:
        """Raise with the file, the line and the innermost open element."""
        inside = f" <{self.open[-1].tag}>" if self.open else ""
        raise RosterError(f"{self.file_name}:{self.parser.CurrentLineNumber}{inside}", reason)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, tag = name.rpartition(" ")
        node = Node(tag, attributes)
        if not self.open:
            if tag not in self.roots or namespace not in ("", self.roots[tag]):
                self.refuse(f"the file is a <{tag[:40]}>, not a <{'> or <'.join(self.roots)}>")
            self.root = node
        else:
            self.open[-1].children.append(node)
        self.count += 1
        if self.count > MAX_ELEMENTS:
            self.refuse(f"more than {MAX_ELEMENTS:,} elements: too large to be read")
        if len(self.open) >= MAX_DEPTH:
            self.refuse(f"elements nested deeper than {MAX_DEPTH}")
        self.open.append(node)
        # Only values are text; descriptions are their publisher's and are left behind here.
        self.parser.CharacterDataHandler = self.text if tag == "characteristic" else None

    def end(self, name: str) -> None:
        self.open.pop()
        self.parser.CharacterDataHandler = None

    def text(self, text: str) -> None:
        self.open[-1].text += text

    def doctype(self, *_: object) -> None:
        self.refuse("a document type: DTDs and entities are refused")


def _read_xml(data: bytes, file_name: str, roots: Mapping[str, str]) -> Node:
    builder = _TreeBuilder(file_name, roots)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        kind = "a roster in XML, JSON" if roots is ROSTER else f"a {next(iter(roots))} in XML"
        what = "cut short or damaged" if builder.root else f"not {kind} or a ZIP"
        builder.refuse(f"{what} ({expat.ErrorString(error.code)})")
    except (ValueError, LookupError) as error:
        builder.refuse(f"an encoding that can't be read: {error}")
    assert builder.root is not None  # expat refuses a document without an element
    return builder.root


def _read_json(data: bytes, file_name: str) -> Node:
    if data.count(b"{") + data.count(b"[") > MAX_ELEMENTS:
        raise RosterError(file_name, f"more than {MAX_ELEMENTS:,} values: too large to be read")
    try:
        # Numbers stay text: no float is ever made.
        document = json.loads(data.decode("utf-8-sig"), parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise RosterError(file_name, f"not readable as JSON: {error}") from error
    roster = document.get("roster")
    if not isinstance(roster, dict):
        raise RosterError(file_name, 'JSON without a "roster" object')
    return _json_node("roster", roster, file_name, 0)


def _json_node(tag: str, value: dict[str, object], file_name: str, depth: int) -> Node:
    """Return a JSON object as the element it was exported from: lists are list elements."""
    if depth > MAX_DEPTH:
        raise RosterError(f"{file_name} {tag}", f"nested deeper than {MAX_DEPTH}")
    node = Node(tag, {})
    text = value.get("$text", "")
    node.text = text if isinstance(text, str) else ""
    for key, held in value.items():
        if isinstance(held, bool):
            node.attributes[key] = "true" if held else "false"
        elif isinstance(held, str) and key != "$text":
            node.attributes[key] = held
        elif isinstance(held, list):
            wrapper = Node(key, {})
            for item in held:
                if isinstance(item, dict):
                    wrapper.children.append(_json_node(key[:-1], item, file_name, depth + 1))
            node.children.append(wrapper)
    return node
