"""``warledger scenario run``: run rules questions and worked examples from files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from engine.scenarios import Verdict, load
from events.errors import ScenarioError
from replay.bug_scenario import run_checked
from table.setting import aside, out, print_json

STYLES = {Verdict.PASSED: "green", Verdict.FAILED: "bold red", Verdict.PLAYED: "cyan"}


def run_files(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Scenario files or folders.")
    ],
    full: Annotated[
        bool, typer.Option("--full", help="Print what happened in those that passed, too.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run scenarios: their choices, their dice, what they expect.

    Every invariant is checked after each step. A scenario that expects nothing prints what
    happened. Exits with 1 if one failed or can't be
    read; the others are run all the same.
    """
    console = out()
    failed = 0
    results: list[dict[str, object]] = []
    for path in _found(files):
        try:
            result = run_checked(load(path))
        except ScenarioError as error:
            failed += 1
            results.append({"file": str(path), "verdict": "unreadable", "difference": str(error)})
            if not as_json:
                aside().print(f"[bold red]unreadable[/] {escape(str(error))}")
            continue
        failed += result.verdict is Verdict.FAILED
        results.append(
            {
                "file": str(path),
                "name": result.scenario.name,
                "rules": result.scenario.rules,
                "verdict": result.verdict.value,
                "difference": result.difference,
                "transcript": result.transcript,
            }
        )
        if not as_json:
            style = STYLES[result.verdict]
            first, *more = result.report().splitlines()
            console.print(f"[{style}]{escape(first)}[/]")
            if full or result.verdict is not Verdict.PASSED:
                for line in more:
                    console.print(escape(line))
    if as_json:
        print_json(results)
    elif len(results) > 1:
        console.print(f"{len(results)} scenarios, {failed} failed")
    if failed:
        raise typer.Exit(1)


def _found(paths: list[Path]) -> list[Path]:
    """Return the files; of a folder all scenarios in it, in order of name."""
    files: list[Path] = []
    for path in paths:
        files += sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    if not files:
        raise ScenarioError(str(paths[0]), "there is no .yaml file in it")
    return files


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Run scenarios.", no_args_is_help=True)
    group.callback()(lambda: None)
    group.command("run")(run_files)
    app.add_typer(group, name="scenario")
