"""Which rule is where: the ids cited in the code and in the tests, found by reading the sources.

A citation is an id in square brackets, ``[CDEC-2]``, also in a list or a range, or a rule id as a
string that a refusal names. Nothing is imported or run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

import engine

_BRACKETS = re.compile(r"\[([A-Z][^\[\]\n]*)\]")
_RANGE = re.compile(r"([A-Z]{2,6})-(\d+)\s+to\s+(?:\1-)?(\d+)")
_ID = re.compile(r"\b[A-Z]{2,6}-\d+[a-z]?\b")
_REFUSAL = re.compile(r"[\"']([A-Z]{2,6}-\d+[a-z]?)[\"']")
_LIST = re.compile(r"^(?:rules|refused):(.*)$", re.MULTILINE)

PACKAGES = ("events", "projections", "engine")


class Rule(msgspec.Struct, frozen=True):
    """A rule id, the modules that implement it and the tests and scenarios that name it."""

    id: str
    code: tuple[str, ...]
    tests: tuple[str, ...]


def coverage(root: Path | None = None) -> list[Rule]:
    """Return every rule id cited under `root` (default: where this package is), in order.

    Tests are looked for in `root`/tests: an installed package has none.
    """
    root = root or Path(str(engine.__file__)).parent.parent
    code: dict[str, list[str]] = {}
    tests: dict[str, list[str]] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            _note(code, cited(path.read_text(encoding="utf-8")), path, root)
    folder = root / "tests"
    for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.yaml"))):
        text = path.read_text(encoding="utf-8")
        _note(tests, scenario_ids(text) if path.suffix == ".yaml" else cited(text), path, root)
    return [
        Rule(name, tuple(code.get(name, ())), tuple(tests.get(name, ())))
        for name in sorted({**code, **tests}, key=_order)
    ]


def cited(text: str) -> Iterator[str]:
    """Yield the rule ids that a source cites, ranges written out.

    >>> list(cited("[MOVE-2 to MOVE-4, UNIT-3] but not [P3] or x[A]"))
    ['MOVE-2', 'MOVE-3', 'MOVE-4', 'UNIT-3']
    """
    for found in _BRACKETS.finditer(text):
        yield from _expanded(found.group(1))
    for found in _REFUSAL.finditer(text):
        yield found.group(1)


def scenario_ids(text: str) -> Iterator[str]:
    """Yield the rule ids in a scenario's ``rules`` and ``refused``.

    >>> list(scenario_ids("rules: [CMOV-8, CRNG-1]\\ngiven: {}\\nrefused: CDEC-2"))
    ['CMOV-8', 'CRNG-1', 'CDEC-2']
    """
    for found in _LIST.finditer(text):
        yield from _expanded(found.group(1))


def _expanded(text: str) -> Iterator[str]:
    for word in text.split(","):
        span = _RANGE.search(word)
        if span is None:
            yield from _ID.findall(word)
        else:
            family, first, last = span.groups()
            yield from (f"{family}-{n}" for n in range(int(first), int(last) + 1))


def _note(where: dict[str, list[str]], ids: Iterator[str], path: Path, root: Path) -> None:
    name = path.relative_to(root).as_posix()
    for rule in ids:
        places = where.setdefault(rule, [])
        if name not in places:
            places.append(name)


def _order(rule: str) -> tuple[str, int, str]:
    family, _, number = rule.partition("-")
    return family, int(number.rstrip("abcdefghijklmnopqrstuvwxyz")), number
