"""A box to provision: Debian 12 in a folder, entered by chroot. It has no PID 1, no sound and no pins."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from platformdirs import user_cache_path

ROOT = Path(__file__).parents[2]
BASE = user_cache_path("voice-appliance") / "debian-12.tar"
"""A system as it comes from its card; made once."""
PACKAGES = "python3,python3-apt,systemd,systemd-sysv,udev"
"""What Raspberry Pi OS brings and the smallest Debian does not."""
PLAY_S = 900
MOUNTED = """
mount -t proc proc "$0/proc"
mount --bind /dev "$0/dev"
[ ! -d "$0/dev/snd" ] || mount -t tmpfs none "$0/dev/snd"
exec "$@"
"""
"""In a mount namespace of its own, which goes with the command."""


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


def base() -> Path:
    if not BASE.exists():
        BASE.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=BASE.parent) as folder:
            suite = ["--variant=minbase", f"--include={PACKAGES}", "bookworm", f"{folder}/box"]
            subprocess.run(["debootstrap", *suite], check=True, capture_output=True, text=True, timeout=PLAY_S)
            subprocess.run(["tar", "-cf", f"{folder}/box.tar", "-C", f"{folder}/box", "."], check=True)
            Path(folder, "box.tar").replace(BASE)
    return BASE


class Box:
    def __init__(self, folder: Path) -> None:
        self.root, self._inventory = folder / "box", folder / "inventory.json"
        self.root.mkdir()
        subprocess.run(["tar", "-xf", base(), "-C", self.root], check=True)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", self.root / "etc" / name)

    def path(self, name: str) -> Path:
        """A file of the box."""
        return self.root / name.lstrip("/")

    def link(self, name: str) -> str:
        """What /opt/va/<name> points at, by its last part; empty where there is none."""
        link = self.path(f"opt/va/{name}")
        return Path(os.readlink(link)).name if link.is_symlink() else ""

    def run(self, *command: str) -> str:
        """The output of a command on the box."""
        done = self._enter("chroot", str(self.root), *command)
        done.check_returncode()
        return done.stdout

    def play(self, playbook: str, variables: dict[str, Any], *options: str) -> Played:
        reached = {"ansible_connection": "community.general.chroot", "ansible_host": str(self.root)}
        host = reached | {"ansible_user": "root"} | variables
        self._inventory.write_text(json.dumps({"boxes": {"hosts": {"box": host}}}))
        command = [ansible_playbook(), "--inventory", str(self._inventory), *options, f"playbooks/{playbook}.yml"]
        done = self._enter(*command)
        text = done.stdout + done.stderr
        counted = re.search(r"changed=(\d+)", text)
        return Played(done.returncode == 0, int(counted[1]) if counted else -1, text)

    def _enter(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["unshare", "--mount", "bash", "-c", MOUNTED, str(self.root), *command],
            cwd=ROOT / "ansible",
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            timeout=PLAY_S,
        )
