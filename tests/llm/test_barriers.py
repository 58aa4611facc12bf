"""Threads that compute together sleep where they wait for each other: one without a core holds up nobody else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOADED = """
import sys
from appliance import build, settings_file
chosen = settings_file.load(state=sys.argv[1])
with build.parts(chosen, build.clock(chosen)):
    import llama_cpp
"""


@pytest.mark.parametrize(("wished", "spins"), [({}, "1000"), ({"OMP_WAIT_POLICY": "active"}, "30000000000")])
def test_the_runtime_of_the_threads_is_told_before_it_loads(tmp_path: Path, wished: dict[str, str], spins: str) -> None:
    """OpenMP itself tells what it has read: how often it looks before it sleeps."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(tmp_path)],
        env=environment | {"OMP_DISPLAY_ENV": "verbose"} | wished,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert f"GOMP_SPINCOUNT = '{spins}'" in done.stderr
