"""Armies, imports, games and battles as tables and lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from engine.armies import Imported
from engine.armies.report import Level
from engine.game import Game
from engine.notation import point_in_inches, to_inches
from events.base import Side
from events.values import Army, Profile, UnitSetup, Weapon
from events.wording import counted
from projections.battle import Battle, Unit
from projections.queries import on_table, place_of, setup_of
from replay.branches import Line
from replay.picture import table_svg
from replay.report import BattleReport, report_lines

COLOURS: dict[Side, str] = {"red": "red", "blue": "blue"}
LEVELS: dict[Level, str] = {
    "error": "bold red",
    "warning": "yellow",
    "not recognised": "magenta",
    "not applied": "cyan",
    "inferred": "dim",
}


def dash(value: int | None) -> str:
    """Return a characteristic as printed; None is "-", which isn't 0. [ZERO-1]"""
    return "-" if value is None else str(value)


def save_text(profile: Profile) -> str:
    """Return a profile's saves as on a stat line: ``3+``, ``5+/4++`` or ``-``."""
    armour = f"{profile.save}+" if profile.save is not None else ""
    ward = f"{profile.invulnerable}++" if profile.invulnerable is not None else ""
    return "/".join(text for text in (armour, ward) if text) or "-"


def strength_text(weapon: Weapon) -> str:
    """Return a weapon's Strength as printed: ``4``, ``User``, ``+1`` or ``x2``. [WPRF-1]"""
    if weapon.strength_from == "fixed":
        return str(weapon.strength)
    if weapon.strength_from == "user*":
        return "User" if weapon.strength == 1 else f"x{weapon.strength}"
    return "User" if weapon.strength == 0 else f"{weapon.strength:+d}"


def type_text(weapon: Weapon) -> str:
    """Return a weapon's type as printed: ``Rapid Fire``, ``Assault 2``."""
    words = weapon.type.replace("_", " ").title()
    return f"{words} {weapon.shots}" if weapon.type in ("assault", "heavy") else words


def said(side: Side, text: str | None = None) -> str:
    """Return markup that shows a side's name, or `text`, in its colour."""
    return f"[{COLOURS[side]}]{escape(text or side)}[/]"


def _plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table


def army_lines(army: Army) -> Iterator[RenderableType]:
    """Yield an army: heading, units with their profiles, weapons, what stays off the table."""
    source = army.source
    models = sum(len(unit.models) for unit in army.units)
    yield Text.from_markup(
        f"[bold]{escape(army.name)}[/]: {counted(len(army.units), 'unit')},"
        f" {counted(models, 'model')}, {counted(army.points_declared, 'point')} declared,"
        f" {army.points_summed} summed"
    )
    about = (
        source.file,
        source.game_system,
        source.catalogue,
        source.dialect and f"dialect {source.dialect}",
    )
    yield Text("  " + " · ".join(text for text in about if text), style="dim")
    yield _profiles(army.units)
    yield _weapons(army.units)
    if army.left_off:
        yield Text("Left off the table", style="bold")
        for left in army.left_off:
            yield Text(f"  {left.name} ({counted(left.points, 'point')}): {left.reason}")


def _profiles(units: tuple[UnitSetup, ...]) -> Table:
    stats = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv")
    table = _plain_table("Unit", "Pts", "Models", *stats, right=("Pts", *stats))
    for unit in units:
        name, points = unit.id, str(unit.points)
        for profile in unit.profiles:
            count = sum(model.profile == profile.name for model in unit.models)
            numbers = (
                profile.ws,
                profile.bs,
                profile.strength,
                profile.toughness,
                profile.wounds,
                profile.initiative,
                profile.attacks,
                profile.leadership,
            )
            row = (name, points, f"{count} {profile.name}", *map(dash, numbers))
            table.add_row(*map(escape, row), save_text(profile))
            name = points = ""
    return table


def _weapons(units: tuple[UnitSetup, ...]) -> Table:
    table = _plain_table("Weapon", "Range", "S", "AP", "Type", "Carried by", right=("Range", "S"))
    carried: dict[Weapon, list[str]] = {}
    for unit in units:
        for weapon in unit.weapons:
            bearers = sum(weapon.id in model.weapons for model in unit.models)
            carried.setdefault(weapon, []).append(f"{bearers} of {unit.id}")
    for weapon, by in carried.items():
        reach = f'{to_inches(weapon.range)}"' if weapon.range else "-"
        kind = type_text(weapon)
        if weapon.rules:
            kind += f" ({', '.join(weapon.rules)})"
        row = (weapon.id, reach, strength_text(weapon), dash(weapon.ap), kind, ", ".join(by))
        table.add_row(*map(escape, row))
    return table


def import_lines(imported: Imported) -> Iterator[RenderableType]:
    """Yield the import's report: how many entries of each level, then each entry, worst first."""
    if not imported.report.entries:
        yield Text("Nothing was inferred, and everything was recognised.")
        return
    for level, style in LEVELS.items():
        entries = imported.report.of(level)
        if entries:
            yield Text(f"{level} ({len(entries)})", style=f"bold {style}")
            for entry in entries:
                text = entry.text.removeprefix(f"{level}: ")
                yield Text(f"  {entry.path}: {text}", style=style if level == "error" else "")


def clock_text(battle: Battle) -> str:
    """Return where a battle stands in time: ``turn 2, red, shooting``."""
    clock = battle.clock
    if battle.outcome is not None:
        winner = battle.outcome.winner
        return f"over: {f'{winner} wins' if winner else 'a draw'}, {battle.outcome.reason}"
    if clock.game_turn == 0:
        return "before the battle"
    return f"turn {clock.game_turn}, {clock.active}, {clock.phase}"


def status_text(unit: Unit) -> str:
    """Return what hinders a unit now, in words."""
    if not unit.models:
        return "destroyed"
    if not on_table(unit):
        return "not deployed"
    words = ("falling back" if unit.falling_back else "", "locked" if unit.locked else "")
    return ", ".join(word for word in words if word)


def wounds_text(battle: Battle, unit: Unit) -> str:
    """Return the models that have lost Wounds but stand: ``.1 lost 2``."""
    return ", ".join(f".{model.n} lost {model.lost}" for model in unit.models if model.lost)


def units_table(battle: Battle) -> Table:
    """Return both sides' units: models left, where the first stands, what hinders them."""
    table = _plain_table("Unit", "Side", "Models", "At", "Status", right=("Models",))
    for unit in battle.units:
        at = point_in_inches(place_of(unit.models[0])) if on_table(unit) else ""
        hurt = wounds_text(battle, unit)
        status = "; ".join(text for text in (status_text(unit), hurt) if text)
        table.add_row(
            escape(unit.id),
            said(unit.side),
            f"{len(unit.models)}/{unit.started}",
            at,
            escape(status),
            style="" if unit.models else "dim",
        )
    return table


def games_table(games: Mapping[str, tuple[int, Game]]) -> Table:
    """Return the games of a ledger: id, number of rows, armies, where each stands, its origin."""
    columns: tuple[str, ...] = ("Game", "Steps", "Armies", "Stands at")
    origins = {name: origin_text(game) for name, (_, game) in games.items()}
    if any(origins.values()):
        columns = (*columns, "Forked from")
    table = _plain_table(*columns, right=("Steps",))
    for name, (steps, game) in games.items():
        row = (escape(name), str(steps), escape(armies_text(game.battle)), clock_text(game.battle))
        table.add_row(*(*row, escape(origins[name]))[: len(columns)])
    return table


def branches_table(game: Game, lines: Sequence[Line]) -> Table:
    """Return lines of play: tip, where it was left, where the battle stands, the last answer."""
    table = _plain_table("Branch", "Left at", "Steps", "Stands at", "Last answer", right=("Steps",))
    for line in lines:
        table.add_row(
            f"@{line.step}",
            "here" if line.current else f"step {line.left_at}",
            str(line.own) if line.own else "",
            clock_text(game.at(line.step)),
            f"{said(line.by) if line.by else '-'} {escape(line.answer)}",
        )
    return table


def picture(game: Game, step: int) -> str:
    """Return the table at a game step as SVG: whose battle, which step, how models came there."""
    node = game.history.nodes[step]
    before = node.parent.battle if node.parent is not None else None
    title = f"{armies_text(node.battle)}, step {step}"
    return table_svg(node.battle, title=title, moves=before)


def origin_text(game: Game) -> str:
    """Return the game and step that a game was forked from, ``demo@12``, or ""."""
    origins = list(game.history.origins.values())
    return f"{origins[-1].game}@{origins[-1].step}" if origins else ""


def armies_text(battle: Battle) -> str:
    """Return the armies' names, or the units' count in a battle that was set up without armies."""
    return " - ".join(army.name for army in battle.armies) or counted(len(battle.units), "unit")


def unit_facts(battle: Battle, unit: Unit) -> dict[str, object]:
    """Return a unit for ``show --json``: names, places in mils, Wounds lost, status."""
    setup = setup_of(battle, unit.id)
    return {
        "unit": unit.id,
        "name": setup.name,
        "side": unit.side,
        "started": unit.started,
        "falling_back": unit.falling_back,
        "locked": unit.locked,
        "models": [
            {
                "n": model.n,
                "profile": setup.models[model.n - 1].profile,
                "at": [model.at.x, model.at.y] if model.at is not None else None,
                "lost": model.lost,
            }
            for model in unit.models
        ],
    }


def report_text(report: BattleReport) -> Iterator[str]:
    """Yield a battle report as markup: headings in the active side's colour."""
    headings = {f"Turn {turn.turn}, {turn.active}": turn.active for turn in report.turns}
    for line in report_lines(report):
        if line in headings:
            yield f"[bold {COLOURS[headings[line]]}]{line}[/]"
        elif line.startswith("Result"):
            yield f"[bold]{escape(line)}[/]"
        else:
            yield escape(line)
