"""From a catalogue's elements to options: links followed, modifiers that always hold applied."""

from __future__ import annotations

from engine.armies.catalogues.modifiers import Modifier, modifiers_of
from engine.armies.catalogues.options import Limit, Option, OptionKind
from engine.armies.catalogues.sources import Sources, hundredths
from engine.armies.names import clean
from engine.armies.opening import Node
from engine.armies.rosters import Line

MAX_OPTIONS = 20_000
"""Most options under one entry; the largest real one has some hundreds."""
MAX_DEPTH = 40
"""Longest chain of options and links."""


class Resolver:
    """Builds the options of one catalogue, one entry at a time."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.count = 0

    def entry(self, element: Node) -> Option | None:
        """Return the option of an entry, a group or a link, or None for a link to nothing.

        Raises RosterError for one that is too large, or a number that isn't one.
        """
        self.count = 0
        return self._option(element, ())

    def name(self, element: Node) -> str:
        """Return the name of an entry or link without building what is under it."""
        target = self._target(element)
        if target is None:
            return clean(element.get("name") or "")
        holders = [target] if target is element else [target, element]
        return self._named(target, [m for h in holders for m in modifiers_of(h, self.sources)], [])

    def _target(self, element: Node) -> Node | None:
        if element.tag != "entryLink":
            return element
        kind, target_id = element.get("type") or "", element.get("targetId") or ""
        target = self.sources.find(kind, target_id)
        if target is None:
            self.sources.note(f"link to {kind} {target_id}: there is none in the files read")
        return target

    def _option(self, element: Node, above: tuple[str, ...]) -> Option | None:
        target = self._target(element)
        if target is None:
            return None
        entry_id = target.get("id") or ""
        if entry_id in above:
            self.sources.note(f"{clean(target.get('name') or '')} holds itself: left out there")
            return None
        self.count += 1
        if self.count > MAX_OPTIONS or len(above) > MAX_DEPTH:
            raise self.sources.refuse(target, f"more than {MAX_OPTIONS:,} options, or too deep")
        holders = [target] if target is element else [target, element]
        modifiers = [m for holder in holders for m in modifiers_of(holder, self.sources)]
        pending: list[str] = []
        limits = self._limits(holders, modifiers, pending)
        self._leave_others(modifiers, {limit.id for limit in limits}, pending)
        within = (*above, entry_id)
        options = [
            option
            for holder in holders
            for tag in ("selectionEntries", "selectionEntryGroups", "entryLinks")
            for below in holder.items(tag)
            if (option := self._option(below, within)) is not None
        ]
        return Option(
            id=entry_id,
            link="" if target is element else element.get("id") or "",
            name=self._named(target, modifiers, pending),
            kind=_kind(target),
            cost=self._cost(holders, modifiers, pending),
            limits=limits,
            lines=tuple(line for h in holders for line in self._lines(h, pending, ())),
            rules=tuple(
                dict.fromkeys(rule for h in holders for rule in self._rules(h, pending, ()))
            ),
            options=tuple(options),
            default=target.get("defaultSelectionEntryId") or "",
            hidden=self._hidden(holders, modifiers, pending),
            not_applied=tuple(dict.fromkeys(pending)),
        )

    def _leave_others(
        self, modifiers: list[Modifier], limits: set[str], pending: list[str]
    ) -> None:
        """Keep in words the modifiers of fields that nothing here reads, such as categories."""
        for modifier in modifiers:
            if modifier.field not in ("name", "hidden", self.sources.points, *limits):
                pending.append(modifier.sentence(self.sources.name_of(modifier.field)))

    def _named(self, element: Node, modifiers: list[Modifier], pending: list[str]) -> str:
        name = clean(element.get("name") or "")
        return self._changed(name, "name", f"name of {name}", modifiers, pending)

    def _changed(
        self, text: str, field: str, what: str, modifiers: list[Modifier], pending: list[str]
    ) -> str:
        """Return a text with the modifiers of one field applied; the others are kept in words."""
        for modifier in modifiers:
            if modifier.field == field:
                new = None if modifier.condition else modifier.text(text)
                if new is None:
                    pending.append(modifier.sentence(what))
                else:
                    text = clean(new)
        return text

    def _hidden(self, holders: list[Node], modifiers: list[Modifier], pending: list[str]) -> bool:
        hidden = any(holder.get("hidden") == "true" for holder in holders)
        name = clean(holders[0].get("name") or "")
        for modifier in modifiers:
            if modifier.field == "hidden":
                if modifier.condition:
                    pending.append(modifier.sentence(f"hidden of {name}"))
                else:
                    hidden = modifier.value == "true"
        return hidden

    def _cost(self, holders: list[Node], modifiers: list[Modifier], pending: list[str]) -> int:
        cost = sum(self.sources.cost(holder) for holder in holders)
        for modifier in modifiers:
            if modifier.field == self.sources.points:
                value = hundredths(modifier.value, holders[0], self.sources)
                new = None if modifier.condition else modifier.number(cost, value)
                if new is None:
                    pending.append(modifier.sentence("the points"))
                else:
                    cost = new
        return cost

    def _limits(
        self, holders: list[Node], modifiers: list[Modifier], pending: list[str]
    ) -> tuple[Limit, ...]:
        limits = []
        for holder in holders:
            for node in holder.items("constraints"):
                if (limit := self._limit(node, modifiers, pending)) is not None:
                    limits.append(limit)
        return tuple(limits)

    def _limit(self, node: Node, modifiers: list[Modifier], pending: list[str]) -> Limit | None:
        """Return a limit, or None for one that limits nothing or isn't a plain count."""
        kind, field = node.get("type"), node.get("field") or "selections"
        points = field in ("points", self.sources.points)
        if kind not in ("min", "max") or node.get("percentValue") == "true":
            pending.append(f"a limit of another kind: {kind} {node.get('value')} of {field}")
            return None
        if field != "selections" and not points:
            return None
        scale = 1 if points else 100
        limit_id = node.get("id") or ""
        value = hundredths(node.get("value") or "0", node, self.sources) // scale
        certain = True
        for modifier in modifiers:
            if modifier.field == limit_id:
                change = hundredths(modifier.value, node, self.sources) // scale
                new = None if modifier.condition else modifier.number(value, change)
                if new is None:
                    pending.append(modifier.sentence(f"{kind} {value}"))
                    certain = False
                else:
                    value = new
        if value < 0 and kind == "max" and certain:
            return None
        return Limit(
            limit_id,
            "min" if kind == "min" else "max",
            value,
            "points" if points else "selections",
            node.get("scope") or "parent",
            certain,
        )

    def _lines(self, holder: Node, pending: list[str], above: tuple[str, ...]) -> list[Line]:
        """Return the profiles of an element, those it links to with the link's modifiers."""
        lines = []
        for node, link in self._infos(holder, "profile", "profiles"):
            nodes = [node] if link is None else [node, link]
            line = self._line(
                node, [m for n in nodes for m in modifiers_of(n, self.sources)], pending
            )
            if not self._skipped(nodes, pending):
                lines.append(line)
        for group in self._groups(holder, above):
            lines += self._lines(group, pending, (*above, group.get("id") or ""))
        return lines

    def _line(self, node: Node, modifiers: list[Modifier], pending: list[str]) -> Line:
        line, ids = self.sources.line(node)
        values = [
            (title, self._changed(text, cell_id, f"{title} of {line.name}", modifiers, pending))
            for (title, text), cell_id in zip(line.values, ids, strict=True)
        ]
        return Line(self._named(node, modifiers, pending), line.kind, tuple(values))

    def _rules(self, holder: Node, pending: list[str], above: tuple[str, ...]) -> list[str]:
        names = []
        for node, link in self._infos(holder, "rule", "rules"):
            nodes = [node] if link is None else [node, link]
            modifiers = [m for n in nodes for m in modifiers_of(n, self.sources)]
            name = self._named(node, modifiers, pending)
            if name and not self._skipped(nodes, pending):
                names.append(name)
        for group in self._groups(holder, above):
            names += self._rules(group, pending, (*above, group.get("id") or ""))
        return names

    def _infos(self, holder: Node, kind: str, tag: str) -> list[tuple[Node, Node | None]]:
        """Return an element's profiles or rules, then those it links to with their links."""
        found: list[tuple[Node, Node | None]] = [(node, None) for node in holder.items(tag)]
        for link in holder.items("infoLinks"):
            if link.get("type") == kind:
                target_id = link.get("targetId") or ""
                node = self.sources.find(kind, target_id)
                if node is None:
                    self.sources.note(f"link to {kind} {target_id}: none in the files read")
                else:
                    found.append((node, link))
        return found

    def _groups(self, holder: Node, above: tuple[str, ...]) -> list[Node]:
        """Return the information groups of an element, its own and linked ones."""
        groups = list(holder.items("infoGroups"))
        for link in holder.items("infoLinks"):
            if link.get("type") == "infoGroup":
                group = self.sources.find("infoGroup", link.get("targetId") or "")
                if group is not None and (group.get("id") or "") not in above:
                    groups.append(group)
        self.count += len(groups)
        if self.count > MAX_OPTIONS or len(above) > MAX_DEPTH:
            raise self.sources.refuse(holder, f"more than {MAX_OPTIONS:,} options, or too deep")
        return groups

    def _skipped(self, nodes: list[Node], pending: list[str]) -> bool:
        """Return whether a profile or rule is hidden without a condition."""
        return self._hidden(
            nodes, [m for n in nodes for m in modifiers_of(n, self.sources)], pending
        )


def _kind(element: Node) -> OptionKind:
    if element.tag == "selectionEntryGroup":
        return "group"
    if element.get("type") == "unit":
        return "unit"
    return "model" if element.get("type") == "model" else "upgrade"
