"""PROPERTIES.md has every property that the code cites, and names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = Path(__file__).with_name("PROPERTIES.md")
ROWS = re.findall(r"^\| P(\d+) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
CITED = re.compile(r"\[P\d+(?:, P\d+)*\]")


def test_each_property_has_one_row_in_order() -> None:
    assert [int(number) for number, *_ in ROWS] == [*range(1, 13)]


@pytest.mark.parametrize(("number", "said", "proof"), ROWS)
def test_a_row_names_tests_that_exist(number: str, said: str, proof: str) -> None:
    named = NAMED.findall(proof)
    assert named and len(said) > 40
    assert re.sub(r"[\s,]", "", NAMED.sub("", proof)) == ""
    for file, name in named:
        tree = ast.parse((ROOT / "tests" / file).read_text())
        assert name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def test_every_property_that_is_cited_leads_to_its_row() -> None:
    cited: set[int] = set()
    for package in ("events", "projections", "engine", "replay", "table", "tests"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for words in CITED.findall(path.read_text(encoding="utf-8")):
                cited |= {int(number) for number in re.findall(r"\d+", words)}
    assert cited == {int(number) for number, *_ in ROWS}
