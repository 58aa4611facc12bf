"""The table of the drills: all of them, tests that are there, changes that can still be made, and the page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import drills
import pytest

TABLE = drills.read()


def test_there_are_eighteen() -> None:
    assert [drill.number for drill in TABLE] == list(range(1, 19))
    assert len({drill.title for drill in TABLE}) == 18


def test_each_test_is_there() -> None:
    named = {test for drill in TABLE for test in (*drill.tests, *drill.machine, drill.broken.seen_by)}
    collected = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-m",
        "",
        "-p",
        "no:cacheprovider",
        *sorted(named),
    ]
    done = subprocess.run(collected, cwd=drills.ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("drill", TABLE, ids=lambda drill: str(drill.number))
def test_what_it_guards_can_be_broken_and_is_seen_by_one_of_its_tests(drill: drills.Drill, tmp_path: Path) -> None:
    copy = tmp_path / drill.broken.file
    copy.parent.mkdir(parents=True)
    copy.write_bytes((drills.ROOT / drill.broken.file).read_bytes())
    drill.broken.apply(tmp_path)
    assert any(drill.broken.seen_by.startswith(test) for test in drill.tests)
    assert not drill.broken.file.startswith("tests/")


def test_page_is_as_made() -> None:
    page = (drills.ROOT / "docs/reliability.md").read_text()
    assert drills.table() in page, "python tests/drills/drills.py --table"
