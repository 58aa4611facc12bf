"""What is on disk is what a clone holds."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MADE = ("__pycache__", ".pyc", ".egg-info")


def test_git_ignores_nothing_that_was_written_by_hand() -> None:
    """A pattern such as `build/` once kept a room of the house out of every clone, while all tests passed here."""
    if not (ROOT / ".git").exists():
        pytest.skip("this copy is not a git checkout")
    places = ["appliance", "bench", "models", "tests", "systemd", "ansible"]
    command = ["git", "ls-files", "--others", "--ignored", "--exclude-standard", "--", *places]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [name for name in listed if not any(mark in name for mark in MADE)] == []
