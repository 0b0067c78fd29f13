"""A command line to call, and one finished bot battle that tests only look at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from table.cli import app

Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call ``warledger`` with a fresh ledger in a fresh folder; `keys` are typed at it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("WARLEDGER_LEDGER", str(tmp_path / "games.sqlite"))

    def run(*words: object, keys: str = "") -> Result:
        return CliRunner().invoke(app, [str(word) for word in words], input=keys)

    return run


@pytest.fixture(scope="session")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished demo: demo.sqlite, demo.svg, output in demo.out. Don't change it."""
    folder = tmp_path_factory.mktemp("fought")
    words = ["demo", "--red", "emberguard", "--blue", "ratskar", "--seed", "tests"]
    result = CliRunner().invoke(app, [*words, "--out", str(folder)])
    assert result.exit_code == 0, result.output
    (folder / "demo.out").write_text(result.stdout, encoding="utf-8")
    return folder


@pytest.fixture
def demo(fought: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call ``warledger`` with the finished battle's ledger."""
    monkeypatch.setenv("WARLEDGER_LEDGER", str(fought / "demo.sqlite"))
    return call
