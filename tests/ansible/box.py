"""A box to provision: Debian 12 in a folder, entered by chroot. It has no PID 1, no sound and no pins."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import debian
import playing

PLAY_S = 900
MOUNTED = """
mount -t proc proc "$0/proc"
mount --bind /dev "$0/dev"
[ ! -d "$0/dev/snd" ] || mount -t tmpfs none "$0/dev/snd"
exec "$@"
"""
"""In a mount namespace of its own, which goes with the command."""


class Box:
    def __init__(self, folder: Path) -> None:
        self.root, self._inventory = folder / "box", folder / "inventory.json"
        debian.unpack(debian.tar("debian-12"), self.root)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", self.root / "etc" / name)
        self._entered = ["unshare", "--mount", "bash", "-c", MOUNTED, str(self.root)]

    def path(self, name: str) -> Path:
        """A file of the box."""
        return self.root / name.lstrip("/")

    def link(self, name: str) -> str:
        """What /opt/va/<name> points at, by its last part; empty where there is none."""
        link = self.path(f"opt/va/{name}")
        return Path(os.readlink(link)).name if link.is_symlink() else ""

    def run(self, *command: str) -> str:
        """The output of a command on the box."""
        chrooted = [*self._entered, "chroot", str(self.root), *command]
        return subprocess.run(chrooted, check=True, capture_output=True, text=True, timeout=PLAY_S).stdout

    def play(self, playbook: str, variables: dict[str, Any], *options: str) -> playing.Played:
        reached = {"ansible_connection": "community.general.chroot", "ansible_host": str(self.root)}
        host = reached | {"ansible_user": "root"} | variables
        return playing.play(self._inventory, host, playbook, *options, limit_s=PLAY_S, within=self._entered)
