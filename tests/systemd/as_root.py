"""A box's own folders in a mount namespace: scripts run as root there, with a user `va`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
UID = 4242
PLACES = {"opt": "/opt", "state": "/var/lib", "local": "/usr/local"}
"""Folder of the namespace -> where the box has it."""
MOUNTED = """
mount --make-rprivate /
for file in passwd group; do mount --bind "$0/$file" "/etc/$file"; done
mount --bind "$0/opt" /opt; mount --bind "$0/state" /var/lib; mount --bind "$0/local" /usr/local
exec "$@"
"""
PYTHON = """#!/bin/sh
echo "$(id -u) $*" >>/opt/calls
echo "{}"
"""
"""In place of a release's: notes who calls it for what."""


class Namespace:
    def __init__(self, folder: Path) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can be kept from what root must not do")
        self.folder = folder
        folder.chmod(0o755)
        for name in PLACES:
            (folder / name).mkdir()
        for name, line in (("passwd", f"va:x:{UID}:{UID}::/var/lib/va:/usr/sbin/nologin"), ("group", f"va:x:{UID}:")):
            (folder / name).write_text(f"{Path('/etc', name).read_text()}{line}\n")
        self.state = folder / "state/va"
        self.state.mkdir(mode=0o700)
        os.chown(self.state, UID, UID)
        (folder / "opt/calls").touch()
        (folder / "opt/calls").chmod(0o666)
        self.release = folder / "opt/va/releases/1"
        (self.release / "bin").mkdir(parents=True)
        (self.release / "bin/python").write_text(PYTHON)
        (self.release / "bin/python").chmod(0o755)
        (self.release / "demo.wav").touch()
        for name, place in (("appliance", "bin"), ("check", "lib/va")):
            (folder / "local" / place).mkdir(parents=True)
            shutil.copy(SYSTEMD / name, folder / "local" / place)
        (folder / "opt/va/current").symlink_to("releases/1")

    @property
    def calls(self) -> list[str]:
        """Of the release's Python: the user's id and the words."""
        return (self.folder / "opt/calls").read_text().splitlines()

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        entered = ["unshare", "--mount", "sh", "-ec", MOUNTED, str(self.folder)]
        return subprocess.run([*entered, *map(str, command)], capture_output=True, text=True, timeout=60, check=False)
