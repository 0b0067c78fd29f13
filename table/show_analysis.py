"""An analysis as tables for a terminal: of one game, and of several."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich import box
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from events.base import SIDES, Side
from events.wording import counted
from projections.readmodels.luck import FEWEST
from replay.analysis import Analysis, KindLuck, RollOdds
from replay.analysis.many import Season
from replay.analysis.rolls import rarest
from replay.analysis.turning import points
from table.show import said


def table_of(title: str, *columns: str, left: tuple[str, ...]) -> Table:
    """Return an empty table; columns that aren't named in `left` hold numbers."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        header_style="bold",
    )
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right")
    return table


def inches(mils: int) -> str:
    """Return mils in whole inches with their mark.

    >>> inches(12499)
    '12"'
    """
    return f'{(mils + 500) // 1000}"'


def percent(share: Fraction) -> str:
    """Return a share in per cent, to a tenth.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 4000))
    ('33.3 %', '0.03 %')
    """
    if 0 < share < Fraction(1, 2000):
        return f"{float(100 * share):.1g} %"
    tenths = int(1000 * share + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10} %"


def one_in(chance: Fraction) -> str:
    """Return a chance as odds: ``1 in 7.6``.

    >>> one_in(Fraction(32, 243)), one_in(Fraction(1, 1296))
    ('1 in 7.6', '1 in 1296')
    """
    odds = 1 / chance
    return f"1 in {float(odds):.1f}" if odds < 100 else f"1 in {int(odds + Fraction(1, 2))}"


def time(ms: int) -> str:
    """Return a stretch of time.

    >>> time(416), time(75_400), time(7_260_000)
    ('416 ms', '1 min 15 s', '2 h 1 min')
    """
    seconds = ms // 1000
    if seconds < 60:
        return f"{seconds} s" if seconds else f"{ms} ms"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


def analysis_text(analysis: Analysis) -> Iterator[RenderableType]:
    """Yield the analysis of one game."""
    yield Text.from_markup(heading(analysis))
    yield units_table(analysis)
    yield weapons_table(analysis)
    yield losses_table(analysis)
    yield luck_table(analysis.lucks)
    rare = rarest(analysis.rolls)
    if rare:
        yield Text("Rarest rolls", style="bold")
        for one in rare:
            yield Text("  " + rare_line(one))
    if analysis.turning:
        yield Text("Turning points", style="bold")
        for turn in analysis.turning:
            yield Text.from_markup(
                f"  {turn.when}: {said(turn.gained, turn.gain)}: {escape(turn.happened)}"
            )
    if any(pace.total for pace in analysis.paces):
        yield Text("Time", style="bold")
        for pace in analysis.paces:
            yield Text.from_markup(
                f"  {said(pace.player)} took {time(pace.total)} over"
                f" {counted(pace.steps, 'step')}; half of them {time(pace.median)} or less,"
                f" the longest {time(pace.longest)} (step {pace.longest_step})"
            )


def heading(analysis: Analysis) -> str:
    """Return who fought whom and what it came to, as markup."""
    names = " against ".join(said(side, analysis.armies[side]) for side in SIDES)
    if analysis.winner == "nobody yet":
        result = f"{analysis.reason}, turn {analysis.turns}"
    else:
        won = f"{analysis.winner} wins" if analysis.winner else "a draw"
        result = f"{won}, {analysis.reason}, after {counted(analysis.turns, 'turn')}"
    return f"[bold]{escape(analysis.game)}[/] {names}: {escape(result)}"


def units_table(analysis: Analysis) -> Table:
    """Return what each unit did and what became of it."""
    table = table_of(
        "Units",
        *("Unit", "Side", "Points", "Left", "Wounds dealt", "taken", "Models removed", "lost"),
        *("Points dealt", "lost", "Moved"),
        left=("Unit", "Side"),
    )
    for side in SIDES:
        own = [unit for unit in analysis.units if unit.side == side]
        for unit in own:
            table.add_row(
                escape(unit.unit),
                said(side),
                points(unit.points),
                f"{unit.left}/{unit.models}",
                *(str(n or "") for n in (unit.wounds_dealt, unit.wounds_taken)),
                *(str(n or "") for n in (unit.models_removed, unit.models - unit.left)),
                points(unit.points_dealt) if unit.points_dealt else "",
                points(unit.points_lost) if unit.points_lost else "",
                inches(unit.moved) if unit.moved else "",
                style="" if unit.left else "dim",
            )
        table.add_row(
            "all",
            said(side),
            points(sum(unit.points for unit in own)),
            f"{sum(unit.left for unit in own)}/{sum(unit.models for unit in own)}",
            str(sum(unit.wounds_dealt for unit in own)),
            str(sum(unit.wounds_taken for unit in own)),
            str(sum(unit.models_removed for unit in own)),
            str(sum(unit.models - unit.left for unit in own)),
            points(sum(unit.points_dealt for unit in own)),
            points(sum(unit.points_lost for unit in own)),
            "",
            style="bold",
            end_section=True,
        )
    return table


_WEAPON_COLUMNS = ("Attacks", "Hits", "Wounds", "Unsaved", "Models", "Points")


def weapons_table(analysis: Analysis) -> Table:
    """Return what each weapon did, the most points first."""
    owner = {unit.unit: unit.side for unit in analysis.units}
    table = table_of("Weapons", "Unit", "Weapon", *_WEAPON_COLUMNS, left=("Unit", "Weapon"))
    for used in sorted(analysis.weapons, key=lambda used: -used.points):
        numbers = (used.attacks, used.hits, used.wounds, used.unsaved, used.models)
        table.add_row(
            said(owner[used.unit], used.unit),
            escape(used.weapon),
            *(str(n or "") for n in numbers),
            points(used.points) if used.points else "",
        )
    return table


def losses_table(analysis: Analysis) -> Table:
    """Return how many models each side lost to what."""
    causes: dict[str, dict[Side, int]] = {}
    for loss in analysis.losses:
        lost = causes.setdefault(loss.cause, {"red": 0, "blue": 0})
        lost[loss.side] += loss.models
    table = table_of("Casualties", "Cause", "Red lost", "Blue lost", left=("Cause",))
    for cause, lost in causes.items():
        table.add_row(cause, str(lost["red"] or ""), str(lost["blue"] or ""))
    return table


def luck_table(lucks: tuple[KindLuck, ...]) -> Table:
    """Return each player's dice by kind; nothing is said about too few of them."""
    columns = ("Dice of", "Kind", "Dice", "Succeeded", "Expected", "Luckier than")
    table = table_of("Luck", *columns, left=("Dice of", "Kind"))
    for one in lucks:
        expected = int(10 * one.expected + Fraction(1, 2))
        table.add_row(
            said(one.player),
            one.kind or "all",
            str(one.dice),
            str(one.passed),
            f"{expected // 10}.{expected % 10}",
            f"[dim]fewer than {FEWEST}[/]" if one.below is None else percent(one.below),
            style="" if one.kind else "bold",
        )
    return table


def rare_line(one: RollOdds) -> str:
    """Return a rare roll in a line: how many of how many succeeded, and how seldom that is."""
    roll = one.roll
    who = " ".join(word for word in (roll.subject, roll.weapon) if word)
    few = one.as_many > one.rarity
    way = "so few" if few else "so many"
    return (
        f"{roll.step:>4}  {roll.passed} of {len(roll.faces)} {roll.purpose} on {roll.need}+"
        f" ({who or 'nobody'}): {way} {one_in(one.rarity)}"
    )


def season_text(season: Season) -> Iterator[RenderableType]:
    """Yield the records of several games."""
    yield Text.from_markup(
        f"[bold]{counted(len(season.games), 'game')}[/]: {escape(', '.join(season.games))}"
    )
    table = table_of(
        "Armies",
        *("Army", "Games", "Won", "Drawn", "Open", "Score", "Against", "Points dealt", "lost"),
        *("Dice", "Succeeded", "Luckier than"),
        left=("Army",),
    )
    for army in season.armies:
        table.add_row(
            escape(army.army),
            *(str(n) for n in (army.games, army.won, army.drawn, army.unfinished)),
            *(str(army.score), str(army.against)),
            *(points(army.points_dealt), points(army.points_lost)),
            *(str(army.dice), str(army.passed)),
            f"[dim]fewer than {FEWEST}[/]" if army.below is None else percent(army.below),
        )
    yield table
    table = table_of(
        "Units",
        *("Army", "Unit", "Games", "Survived", "Models removed", "lost", "Points dealt", "lost"),
        "Moved",
        left=("Army", "Unit"),
    )
    for unit in season.units:
        table.add_row(
            escape(unit.army),
            escape(unit.unit),
            *(str(n) for n in (unit.games, unit.survived, unit.models_removed, unit.models_lost)),
            *(points(unit.points_dealt), points(unit.points_lost), inches(unit.moved)),
        )
    yield table
    table = table_of("Weapons", "Army", "Weapon", *_WEAPON_COLUMNS, left=("Army", "Weapon"))
    for weapon in sorted(season.weapons, key=lambda weapon: -weapon.points):
        numbers = (weapon.attacks, weapon.hits, weapon.wounds, weapon.unsaved, weapon.models)
        table.add_row(
            escape(weapon.army),
            escape(weapon.weapon),
            *(str(n) for n in numbers),
            points(weapon.points),
        )
    yield table
