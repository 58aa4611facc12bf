"""Playbooks, played for one box."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PLATFORM = f"{os.uname().machine}-cp311"
"""Debian 12 on a processor like this one."""
WHEELS = ROOT / "build/wheels" / PLATFORM
ENVIRONMENT = os.environ | {"ANSIBLE_NOCOLOR": "1", "ANSIBLE_CONFIG": "ansible.cfg", "LC_ALL": "C.UTF-8"}


def ansible_playbook() -> str:
    found = shutil.which("ansible-playbook", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert found, "ansible is not here: make lint"
    return found


@dataclass(frozen=True)
class Played:
    """What a run of ansible-playbook came to."""

    worked: bool
    changed: int
    text: str


def play(
    inventory: Path, box: Mapping[str, Any], playbook: str, *options: str, limit_s: float, within: Sequence[str] = ()
) -> Played:
    """`box`: its variables, which are written to `inventory`. `within`: a command that runs another."""
    inventory.write_text(json.dumps({"boxes": {"hosts": {"box": box}}}))
    done = subprocess.run(
        [*within, ansible_playbook(), "--inventory", str(inventory), *options, f"playbooks/{playbook}.yml"],
        cwd=ROOT / "ansible",
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=limit_s,
    )
    text = done.stdout + done.stderr
    counted = re.search(r"changed=(\d+)", text)
    return Played(done.returncode == 0, int(counted[1]) if counted else -1, text)
