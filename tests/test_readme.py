"""The README's console sessions, run as written: each `$` line must print what stands under it.

``python tests/test_readme.py`` writes the real output into the README; the diff is then reviewed.
The Python blocks are doctests, collected by pytest itself.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PICTURE = ROOT / "table" / "battle.svg"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def played(text: str, folder: Path) -> str:
    """Return the README with what its console blocks really print, run in an empty folder."""
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "WARLEDGER_LEDGER": str(folder / "readme.sqlite"),
        "COLUMNS": "96",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
    (folder / "tests").symlink_to(ROOT / "tests")

    def block(match: re.Match[str]) -> str:
        lines: list[str] = []
        for line in match[1].splitlines():
            if not line.startswith("$ "):
                continue
            done = subprocess.run(
                line[2:],
                shell=True,
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}"
            lines += [line, *_shown(done.stdout)]
        return "```console\n" + "\n".join(lines) + "\n```"

    return _BLOCK.sub(block, text)


def _shown(output: str) -> list[str]:
    """Return printed lines as the README shows them: the middle of a long output is left out."""
    lines = [line.rstrip() for line in output.rstrip().splitlines()]
    if len(lines) > 26:
        lines = [*lines[:12], "[...]", *lines[-12:]]
    return [line if len(line) <= 400 else line[:400] + " [...]" for line in lines]


def test_every_console_session_prints_what_the_readme_says(tmp_path: Path) -> None:
    text = README.read_text()
    assert played(text, tmp_path) == text
    assert (tmp_path / "battle.svg").read_text() == PICTURE.read_text()


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        README.write_text(played(README.read_text(), Path(name)))
        shutil.copy(Path(name) / "battle.svg", PICTURE)
