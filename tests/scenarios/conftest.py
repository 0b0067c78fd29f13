"""Every scenario file is a test, named by its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.scenarios import Verdict, load, run
from events.errors import ScenarioError


class ScenarioFailed(Exception):
    """A scenario that did not pass; its text is the report."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".yaml":
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


class ScenarioFile(pytest.File):
    def collect(self) -> list[pytest.Item]:
        return [ScenarioItem.from_parent(self, name=self.path.stem)]


class ScenarioItem(pytest.Item):
    def runtest(self) -> None:
        result = run(load(self.path))
        if result.verdict is Verdict.PLAYED:
            raise ScenarioFailed(f"{self.path}: a test expects something (expect or refused)")
        if result.verdict is not Verdict.PASSED:
            raise ScenarioFailed(result.report())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ScenarioFailed | ScenarioError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name
