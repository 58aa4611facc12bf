"""Runs the fault drills of drills.toml, a line each: number, title, how it ended, seconds.

python tests/drills/drills.py [--red | --table] [NUMBER...]

--red: breaks what each drill guards, in a copy of the tree, and sees its test fail.  --table: prints the one that
docs/reliability.md has.  Ends with 0 where every drill passed, or where every test failed as it should.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("drills.toml")
NOT_COPIED = (".git", ".venv", "build", "out")
"""At the top of the tree."""
FAILED = 1
"""pytest's exit code where tests failed; any other is no proof, such as a test that was not found."""
DRILL_S = 1_800


class Break(BaseModel):
    """One change of the product, and the test that must notice it."""

    model_config = ConfigDict(extra="forbid")
    file: str
    was: str
    becomes: str
    seen_by: str

    def apply(self, root: Path) -> None:
        """Raises ValueError where the file does not hold `was` exactly once."""
        path = root / self.file
        text = path.read_text()
        if text.count(self.was) != 1:
            raise ValueError(f"{self.file} holds {self.was!r} {text.count(self.was)} times")
        path.write_text(text.replace(self.was, self.becomes))


class Drill(BaseModel):
    model_config = ConfigDict(extra="forbid")
    number: int
    title: str
    expect: str
    tests: list[str] = Field(min_length=1)
    machine: list[str] = []
    broken: Break = Field(alias="break")

    @property
    def row(self) -> str:
        """Of the page."""
        tests = [f"`{test}`" for test in self.tests] + [f"on the machine: `{test}`" for test in self.machine]
        commands = [f"`make drills ARGS={self.number}`"] + ["`make vm-test`"] * bool(self.machine)
        return f"| {self.number} | {self.title} | {self.expect} | {'<br>'.join(tests)} | {'<br>'.join(commands)} |"


def read() -> list[Drill]:
    return [Drill.model_validate(each) for each in tomllib.loads(TABLE.read_text())["drill"]]


def table() -> str:
    head = ["| drill | fault | what must be | tests | command |", "|---|---|---|---|---|"]
    return "\n".join([*head, *(drill.row for drill in read())])


def pytest(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """In a tree; a test that is skipped has failed. What is installed is ROOT's: a copy has to go before it."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.no_skips", *words]
    environment = os.environ | ({} if root == ROOT else {"PYTHONPATH": str(root)})
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=DRILL_S)


def passed(drill: Drill) -> tuple[bool, str]:
    """Whether it did, and the words of pytest."""
    done = pytest(ROOT, *drill.tests)
    return done.returncode == 0, done.stdout + done.stderr


def not_copied(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "__pycache__" or (name in NOT_COPIED and Path(folder) == ROOT)]


def noticed(drill: Drill, copy: Path) -> tuple[bool, str]:
    """Whether its test passes in the copy and fails once the product is broken there, and the words of pytest."""
    before = pytest(copy, drill.broken.seen_by)
    if before.returncode != 0:
        return False, f"it fails before anything is broken: {before.stdout}{before.stderr}"
    path = copy / drill.broken.file
    whole = path.read_text()
    drill.broken.apply(copy)
    try:
        done = pytest(copy, "-x", drill.broken.seen_by)
    finally:
        path.write_text(whole)
    return done.returncode == FAILED, done.stdout + done.stderr


def run(drills: Sequence[Drill], judge: Callable[[Drill], tuple[bool, str]], good: str, bad: str) -> int:
    """A line a drill. Returns how many went well."""
    well = 0
    for drill in drills:
        began_s = time.monotonic()
        fine, words = judge(drill)
        well += fine
        print(
            f"{drill.number:2}  {drill.title:82} {good if fine else bad:8} {time.monotonic() - began_s:6.1f} s",
            flush=True,
        )
        if not fine:
            print(words[-3_000:], flush=True)
    return well


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--red", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("numbers", nargs="*", type=int)
    asked = parser.parse_args()
    drills = [drill for drill in read() if not asked.numbers or drill.number in asked.numbers]
    if asked.table:
        print(table())
        return 0
    if asked.red:
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(ROOT, Path(folder, "copy"), ignore=not_copied, symlinks=True)
            well = run(drills, partial(noticed, copy=copy), "red", "NOT RED")
    else:
        well = run(drills, passed, "passed", "FAILED")
    print(f"{well} of {len(drills)}")
    return 0 if well == len(drills) else 1


if __name__ == "__main__":
    sys.exit(main())
