"""An army chosen from a catalogue: what must be there is added, every limit is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.armies.catalogues.choices import Choice
from engine.armies.catalogues.limits import check_limits
from engine.armies.catalogues.options import Option
from engine.armies.catalogues.reading import Catalogue
from engine.armies.catalogues.taken import Taken, Taker
from engine.armies.field_text import points_text
from engine.armies.muster import muster
from engine.armies.report import Imported, ImportReport, Notes
from engine.armies.rosters import Roster, Selection
from events.base import Side


def muster_choices(
    catalogue: Catalogue,
    choices: Sequence[Choice],
    side: Side,
    *,
    name: str = "",
    points: int | None = None,
    bases: Mapping[str, int] | None = None,
) -> Imported:
    """Return the army of these choices for one side, and the report.

    A choice at the top is a unit; its number is how many such units. Each limit that isn't kept is
    an error of the report, so that the army isn't playable; `points` is a limit on the whole army.
    Modifiers with a condition are not applied, and those of what was taken are listed. Raises
    RosterError for a name that can't be chosen and for an army of an impossible size.
    """
    notes = Notes()
    taker = Taker(notes)
    army = Taken(_ROOT, 1, "army")
    for choice in choices:
        option = catalogue.option(choice.name)
        one = Choice(choice.name, 1, choice.choices)
        army.children += [taker.take(option, one, option.name) for _ in range(choice.number)]
    check_limits(army, notes)
    cost = army.cost()
    if points is not None and cost > points * 100:
        text = f"{points_text(cost)} points taken, against the limit of {points}; take fewer"
        notes.add("error", "army", text)
    for taken in army.walk():
        for sentence in taken.option.not_applied:
            notes.add("not applied", taken.path, f"modifier not applied: {sentence}")
    for remark in catalogue.notes:
        notes.add("warning", "catalogue", remark)
    roster = Roster(
        name=name or catalogue.name,
        dialect=catalogue.source.dialect,
        game_system=catalogue.source.game_system,
        catalogues=(catalogue.name,),
        cost=cost,
        selections=tuple(_selection(taken, 1) for taken in army.children),
        rules=(),
    )
    imported = muster(roster, side, catalogue.source, bases)
    entries = (*notes.report().entries, *imported.report.entries)
    return Imported(imported.army, ImportReport(entries))


_ROOT = Option("", "", "army", "unit", 0, (), (), (), ())


def _selection(taken: Taken, times: int) -> Selection:
    """Return what was taken as a roster's selection; there numbers and costs are totals."""
    number = taken.number * times
    return Selection(
        name=taken.option.name,
        custom_name="",
        type="upgrade" if taken.option.kind == "group" else taken.option.kind,
        number=number,
        cost=taken.option.cost * number,
        lines=taken.option.lines,
        rules=taken.option.rules,
        selections=tuple(_selection(child, number) for child in taken.children),
    )
