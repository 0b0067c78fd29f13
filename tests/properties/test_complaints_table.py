"""COMPLAINTS.md names every complaint by its number, and tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("COMPLAINTS.md")
NUMBERS = range(1, 48)
ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")

TABLE = {int(n): (said.strip(), proof) for n, said, proof in ROW.findall(PAGE.read_text())}


def functions_in(path: Path) -> dict[str, str]:
    """Return the test functions of a file, by name, with their docstrings."""
    return {
        node.name: ast.get_docstring(node) or ""
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_complaint_has_one_row_in_order() -> None:
    rows = [int(n) for n, *_ in ROW.findall(PAGE.read_text())]
    assert rows == [*NUMBERS]
    assert rows == [int(n) for n in re.findall(r"^\| (\d+)", PAGE.read_text(), re.MULTILINE)]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_row_names_tests_that_exist_or_says_why_there_is_none(number: int) -> None:
    said, proof = TABLE[number]
    named = NAMED.findall(proof)
    assert len(said) > 20
    if not named:
        assert re.match(r"doesn't apply: .{40,}", proof)
    # nothing but tests stands there, separated by commas
    assert not named or re.sub(r"[\s,]", "", NAMED.sub("", proof)) == ""
    for file, name in named:
        assert name in functions_in(TESTS / file), f"{file} has no {name}"


def test_every_test_of_a_complaint_is_named_by_its_row_and_says_given_when_then() -> None:
    for path in sorted(PAGE.parent.glob("test_complaints_*.py")):
        if path.name == Path(__file__).name:
            continue
        for name, told in functions_in(path).items():
            rows = [n for n, (_, proof) in TABLE.items() if f"{path.name}::{name}`" in proof]
            if not rows:
                assert name.startswith("test_the_kinds_of_games"), f"{name} is in no row"
                continue
            # its docstring begins with the numbers of its rows, and the complaint
            numbers = re.match(r"(\d+(?:, \d+)*)\. \S", told)
            assert numbers is not None, f"{name} doesn't say which complaint it answers"
            assert set(rows) <= {int(n) for n in numbers[1].split(", ")}, name
            assert re.search(r"\b(Given|The same)\b", told), f"{name} has no given, when, then"
