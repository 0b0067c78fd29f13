"""What every file of the packages keeps to: imports one way, short files, docstrings."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard, get_args

import pytest
from importlinter import cli

from events.choices import AnyChoice

ROOT = Path(__file__).parent.parent
PACKAGES = ("events", "projections", "engine", "replay", "table")
FILES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

MOST_LINES = 420


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def test_imports_run_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS


def test_there_are_files_to_look_at() -> None:
    assert len(FILES) > 60 and {named(path).split("/")[0] for path in FILES} == set(PACKAGES)


def test_a_file_is_short_enough_to_be_read_at_once() -> None:
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in FILES + TESTS}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES} == {}


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Yield what is public and has no docstring: module, classes, functions and methods."""
    if not ast.get_docstring(tree):
        yield "the module"
    for node in tree.body:
        yield from _without(node, "")


def _without(node: ast.stmt, inside: str) -> Iterator[str]:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    if node.name.startswith("_"):
        return
    if not ast.get_docstring(node):
        yield f"{inside}{node.name}"
    if isinstance(node, ast.ClassDef) and not _is_protocol(node):
        for child in node.body:
            yield from _without(child, f"{inside}{node.name}.")


def _is_protocol(node: ast.ClassDef) -> bool:
    """Whether a class only says what others have; its own docstring is enough then."""
    return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)


def test_everything_public_has_a_docstring() -> None:
    missing = {named(path): list(undocumented(tree_of(path))) for path in FILES}
    assert {name: found for name, found in missing.items() if found} == {}


def test_the_walk_sees_what_has_no_docstring() -> None:
    source = "def f(): pass\nclass C:\n    'C.'\n    def m(self): pass\n    def _p(self): pass"
    assert list(undocumented(ast.parse(source))) == ["the module", "f", "C.m"]


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def test_only_the_store_adapter_imports_the_store_library() -> None:
    users = {
        named(p) for p in FILES if any(m.split(".")[0] == "eventsourcing" for m in imported(p))
    }
    assert users == {"events/ledger.py", "events/mapper.py", "events/recorder.py"}


DECIDING = [path for path in FILES if named(path).startswith(("events", "projections", "engine"))]
OUTSIDE = {"random", "datetime", "uuid", "locale", "threading", "asyncio"}
CLOCKS = {"time_ns", "token_hex", "urandom", "monotonic", "perf_counter"}


def test_no_clock_or_chance_is_at_hand_where_things_are_decided() -> None:
    # a lock around the one connection that writes
    assert {named(path) for path in DECIDING if imported(path) & OUTSIDE} == {"events/recorder.py"}
    callers = {
        named(path)
        for path in DECIDING
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in CLOCKS
    }
    # the one place that draws a seed and an id where none is given, and dates a row
    assert callers == {"engine/game.py"}


def inexact(node: ast.AST) -> str:
    """Return what a node does that is not exact or not ordered, or nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return f"the number {node.value}"
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
        return "a division with /"
    if isinstance(node, ast.Name) and node.id == "float":
        return "float"
    walked = getattr(node, "iter", None)
    made = isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name)
    if isinstance(walked, ast.Set | ast.SetComp) or (
        made and walked.func.id in ("set", "frozenset")
    ):
        return "a walk through a set"  # its order is that of its hashes
    return ""


def test_where_things_are_decided_numbers_are_whole_and_orders_kept() -> None:
    found = [
        f"{named(path)}:{getattr(node, 'lineno', 0)}: {what}"
        for path in DECIDING
        if not named(path).startswith("engine/armies/")  # reads files, and guesses at their words
        for node in ast.walk(tree_of(path))
        if (what := inexact(node))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source", ["x = 1.5", "y = a / b", "a /= 2", "for x in {1, 2}: pass", "[x for x in set(a)]"]
)
def test_the_walk_sees_what_is_not_exact(source: str) -> None:
    assert any(inexact(node) for node in ast.walk(ast.parse(source)))


def test_test_files_have_names_of_their_own() -> None:
    names = Counter(path.name for path in TESTS if path.name not in ("conftest.py", "__init__.py"))
    assert [name for name, count in names.items() if count > 1] == []


def test_nothing_is_left_to_do_in_secret() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    assert [named(path) for path in FILES if marks.search(path.read_text("utf-8"))] == []


def refusals(tree: ast.Module) -> Iterator[str]:
    """Yield what the refusals written out in a module name: their first word."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            first = node.args[0] if node.args else None
            if node.func.id == "IllegalChoice" and isinstance(first, ast.Constant):
                yield str(first.value)


def test_a_refusal_names_a_rule_by_its_id_or_a_field_of_a_choice() -> None:
    choices = {kind.__struct_config__.tag: kind.__struct_fields__ for kind in get_args(AnyChoice)}
    named_by = {word for path in FILES for word in refusals(tree_of(path))}
    assert len(named_by) > 30
    for word in named_by - {"choice"}:  # one that can't be written at all [P6]
        choice, dot, field = word.partition(".")
        if dot:
            assert field in choices[choice], word
        else:
            assert re.fullmatch(r"[A-Z]{2,6}-[0-9]+[a-z]?", word), word


def test_the_page_of_errors_names_those_that_stand_elsewhere() -> None:
    page = ast.get_docstring(tree_of(ROOT / "events/errors.py")) or ""
    family = {node.name for node in tree_of(ROOT / "events/errors.py").body if _is_class(node)}
    elsewhere = {
        node.name
        for path in FILES
        for node in tree_of(path).body
        if _is_class(node) and any(ast.unparse(base) in family for base in node.bases)
    } - family
    assert elsewhere
    assert {name for name in elsewhere if name not in page} == set()


def _is_class(node: ast.stmt) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef)
