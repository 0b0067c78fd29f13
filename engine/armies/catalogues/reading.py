"""A catalogue with its game system: the options that armies are chosen from."""

from __future__ import annotations

import hashlib
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from engine.armies.catalogues.links import Resolver
from engine.armies.catalogues.options import Option
from engine.armies.catalogues.sources import Sources
from engine.armies.names import clean, slug
from engine.armies.opening import CATALOGUE, Node, open_roster, read_tree
from events.errors import RosterError
from events.values import ArmySource


class Catalogue:
    """What one catalogue offers. Options are built when they are first asked for."""

    def __init__(self, catalogue: Node, system: Node | None, source: ArmySource) -> None:
        self.source = source
        self.name = source.catalogue
        self._sources = Sources(catalogue, system, source.file)
        self._resolver = Resolver(self._sources)
        self._elements: dict[str, tuple[str, Node]] = {}
        self._own: list[str] = []
        """Slugs of the catalogue's own entries; those of its game system come after them."""
        for root in (catalogue, system) if system else (catalogue,):
            for tag in ("selectionEntries", "entryLinks"):
                for element in root.items(tag):
                    name = self._resolver.name(element)
                    key = slug(name, "")
                    if key and key not in self._elements:
                        self._elements[key] = (name, element)
                        if root is catalogue:
                            self._own.append(key)
        self._options: dict[str, Option | None] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was wrong with the files as far as they have been read: broken links, double ids."""
        return tuple(self._sources.notes)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """All entries of the catalogue itself that can be chosen, in file order."""
        options = (self._option(key) for key in self._own)
        return tuple(option for option in options if option is not None and not option.hidden)

    @property
    def units(self) -> tuple[Option, ...]:
        """The options that put models on the table, in file order."""
        return tuple(option for option in self.options if option.is_unit)

    def option(self, name: str) -> Option:
        """Return an entry by name, the game system's own among them.

        Raises RosterError for a name that isn't there, with the nearest that is.
        """
        key = slug(name, "")
        option = self._option(key) if key in self._elements else None
        if option is None or option.hidden:
            names = [told for told, _ in self._elements.values()]
            near = get_close_matches(name, names, 3, 0.4)
            have = f"nearest are {', '.join(near)}" if near else f"it has {len(names)} entries"
            told = "hidden without a condition" if option else "not an entry"
            raise RosterError(f"{self.source.file} {name!r}", f"{told} of {self.name}; {have}")
        return option

    def _option(self, key: str) -> Option | None:
        if key not in self._options:
            self._options[key] = self._resolver.entry(self._elements[key][1])
        return self._options[key]


def read_catalogue(data: bytes, file_name: str, system: bytes | None = None) -> Catalogue:
    """Read a ``.cat`` from memory, with its ``.gst`` if there is one.

    Without it, links into the game system are broken and profile types unknown. Raises RosterError
    for files that aren't a catalogue and its game system, each whole, safe and of a known dialect.
    """
    tree = read_tree(data, file_name, CATALOGUE)
    system_tree = read_tree(system, "game system", CATALOGUE) if system else None
    if system_tree and system_tree.tag != "gameSystem":
        raise RosterError(file_name, "its game system is a <catalogue>; give the .gst file")
    needed = tree.get("gameSystemId")
    if system_tree and needed and system_tree.get("id") != needed:
        told = clean(system_tree.get("name") or "")
        raise RosterError(file_name, f"is for game system {needed}; {told!r} is another")
    source = ArmySource(
        file=file_name,
        sha256=hashlib.sha256(data).hexdigest(),
        dialect=tree.get("battleScribeVersion") or "",
        game_system=clean((system_tree or tree).get("name") or "") if system_tree else "",
        catalogue=clean(tree.get("name") or ""),
    )
    return Catalogue(tree, system_tree, source)


def open_catalogue(path: Path, system: Path | None = None) -> Catalogue:
    """Read a ``.cat`` file; its ``.gst`` is the one beside it unless `system` names one.

    Raises RosterError, see `read_catalogue`, and for several ``.gst`` files side by side.
    """
    data = open_roster(path, "a .cat file")
    if system is None and path.suffix.lower() == ".cat":
        beside = sorted(other for other in path.parent.glob("*.gst"))
        if len(beside) > 1:
            names = ", ".join(other.name for other in beside)
            raise RosterError(path.name, f"several game systems beside it ({names}); name one")
        system = beside[0] if beside else None
    return read_catalogue(data, path.name, open_roster(system, "a .gst file") if system else None)
