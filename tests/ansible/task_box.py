"""A box for single tasks of the role: this machine, in a namespace with folders of the test."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playing import ENVIRONMENT, ROOT, ansible_playbook

MOUNTED = """
mount --make-rprivate /
for name in srv run opt; do mount --bind "$0/$name" "/$name"; done
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/etc,workdir=$0/work" /etc
mount -t overlay overlay -o "lowerdir=/usr/local/bin,upperdir=$0/local,workdir=$0/work2" /usr/local/bin
mkdir -p /etc/voice-appliance
exec "$@"
"""


class Box:
    def __init__(self, folder: Path) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can make the namespace")
        self.folder = folder
        for name in ("srv/va/models", "run/va", "opt", "etc", "work", "local", "work2", "store"):
            (folder / name).mkdir(parents=True)

        self.own: dict[str, str | bool] = {
            "voice_appliance_repository": str(folder),
            "voice_appliance_store": str(folder / "store"),
        }

    def play(self, tasks: str, **variables: Any) -> tuple[bool, str]:
        """Whether the run worked, and what it wrote."""
        play = [{
            "hosts": "localhost", "connection": "local", "gather_facts": False,
            "vars": self.own | variables,
            "tasks": [
                {"ansible.builtin.include_role": {"name": "voice_appliance", "tasks_from": tasks}},
                {"ansible.builtin.debug": {"msg": "WENT ON"}},
            ],
        }]  # fmt: skip
        (self.folder / "play.yml").write_text(json.dumps(play))
        (self.folder / "build").mkdir(exist_ok=True)
        (self.folder / "systemd").mkdir(exist_ok=True)
        (self.folder / "systemd/config.toml").touch()
        entered = ["unshare", "--mount", "sh", "-ec", MOUNTED, str(self.folder)]
        done = subprocess.run(
            [*entered, ansible_playbook(), str(self.folder / "play.yml")],
            cwd=ROOT / "ansible", env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        return done.returncode == 0, done.stdout + done.stderr
