"""The cases of disk_cases.py, each in a mount namespace of its own, which takes its disk along when it ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("disk_cases.py")
ALONE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]


@pytest.mark.parametrize("case", re.findall(r"^def (test_\w+)", FILE.read_text(), re.MULTILINE))
def test_on_a_real_disk(case: str, tmp_path: Path) -> None:
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        f"--basetemp={tmp_path}/run",
    ]
    done = subprocess.run([*ALONE, *run, f"{FILE}::{case}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
