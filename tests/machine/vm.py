"""A whole box as a process: a kernel (kernel.py), a disk, a sound card that hears nothing, and a power cord.

Its instructions are the host's own, so it is as fast as one core of the host, where no new memory is touched. When the
process is killed the box loses its memory, and with it every write that its kernel had not yet handed to the disk; what
the disk had taken is in its file. So a cut costs what a write without fsync risks, not what a lying disk would.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from pathlib import Path
from typing import IO, Any

import kernel
import playing
from card import Card

MEMORY_MB, CORES = 2_048, 1
"""With more cores each of a process's threads would still wait for the others."""
HOST, BOX = "192.0.2.1", "192.0.2.2"
"""On a cable between the two, in a network namespace that has nothing else."""
BOOT_S = 300
LOOK_S = 4.0
"""Between two looks at a box: each is a connection, which costs its one core a third of a second and more."""
NEEDS = {"ip": "iproute2", "ssh": "openssh-client", "debootstrap": "debootstrap", "apt-ftparchive": "apt-utils"}


def missing() -> str:
    """What to do before a machine can be made here; empty when nothing is."""
    if platform.machine() != "x86_64":
        return "run it on x86-64: User-mode Linux knows no other processor"
    if os.geteuid() != 0:
        return "run it as root: it makes a chroot and a network of its own"
    absent = [package for command, package in NEEDS.items() if not shutil.which(command)]
    return f"apt install {' '.join(absent)}" if absent else ""


class Machine:
    def __init__(self, card: Card, folder: Path) -> None:
        self._card, self._folder = card, folder
        self.console = folder / "console.log"
        known = folder / "known_hosts"
        known.write_text(f"{BOX} {card.host_key}")
        trusted = ["-o", f"UserKnownHostsFile={known}", "-o", "IdentitiesOnly=yes", "-o", "ConnectTimeout=60"]
        self._way_in = ["-i", str(card.key), *trusted]
        self._network = f"box-{os.getpid()}"
        self._within = ["ip", "netns", "exec", self._network]
        self._ssh = [*self._within, "ssh", *self._way_in, f"root@{BOX}"]
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Machine:
        """With a cable, and switched off."""
        for command in (
            f"netns add {self._network}",
            f"-n {self._network} link add cable type veth peer name plug",
            f"-n {self._network} link set plug up",
            f"-n {self._network} address add {HOST}/24 dev cable",
            f"-n {self._network} link set cable up",
        ):
            subprocess.run(["ip", *command.split()], check=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        subprocess.run(["ip", "netns", "delete", self._network], check=True)

    def start(self, boot: str = "") -> IO[str]:
        """What the box says on its second serial line. `boot`: more of the kernel's command line."""
        self.cut()
        with self.console.open("a") as console:
            self._process = subprocess.Popen(
                self._command(boot),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=console,
                text=True,
                errors="replace",
            )
        assert self._process.stdout
        return self._process.stdout

    def pull(self) -> None:
        """The power, at once; what was said before can still be read."""
        if self._process:
            self._process.kill()

    def cut(self) -> None:
        """The power, if it is on."""
        if self._process:
            self.pull()
            self._process.communicate()
            self._process = None

    def run(self, command: str, limit_s: float = BOOT_S, sent: str = "") -> str:
        """What a shell command on the box prints; it reads `sent`. Raises CalledProcessError, TimeoutExpired."""
        done = self._try(command, limit_s, sent)
        done.check_returncode()
        return done.stdout

    def wait(self, command: str, limit_s: float = BOOT_S) -> float:
        """Seconds until a command on the box succeeds. Raises TimeoutError."""
        began_s = time.monotonic()
        while time.monotonic() - began_s < limit_s:
            if self._try(command, BOOT_S).returncode == 0:
                return time.monotonic() - began_s
            time.sleep(LOOK_S)
        raise TimeoutError(f"{command}: not in {limit_s} s; the console said: {self.console.read_text()[-2_000:]}")

    def play(self, playbook: str, variables: dict[str, Any], limit_s: float, *options: str) -> playing.Played:
        reached = {"ansible_host": BOX, "ansible_user": "root", "ansible_timeout": 60}
        way_in = {
            "ansible_ssh_common_args": " ".join(self._way_in),
            "ansible_control_path_dir": str(self._folder),  # a connection that outlived another machine leads nowhere
        }
        inventory = self._folder / "inventory.json"
        box = reached | way_in | variables
        return playing.play(inventory, box, playbook, *options, limit_s=limit_s, within=self._within)

    def _try(self, command: str, limit_s: float, sent: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run([*self._ssh, command], input=sent, capture_output=True, text=True, timeout=limit_s)

    def _command(self, boot: str) -> list[str]:
        card = self._card
        hardware = [f"mem={MEMORY_MB}M", f"ncpus={CORES}", f"ubd0={card.disk}", "vec0:transport=raw,ifname=plug,gro=1"]
        process = ["seccomp=on", f"uml_dir={self._folder}"]
        # /dev/ttyS1 is for whoever started it. The kernel's own words before it has a console would come that way too.
        lines = ["con=null", "con0=null,fd:2", "ssl=null", "ssl1=null,fd:1", "quiet"]
        # New memory costs a switch between its processes: 17 us across two cores of a Xeon, 7 on one.
        core = ["taskset", "--cpu-list", str(max(os.sched_getaffinity(0)))]
        # Its processes all go with the first, and that with who started it.
        whole = ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child"]
        system = ["root=/dev/ubda", "rw", "console=tty0", "panic=-1", *boot.split()]  # or a console is put after `boot`
        return [*self._within, *core, *whole, str(card.kernel), *hardware, *process, *lines, *system]


def version() -> str:
    said = subprocess.run([kernel.kernel(), "--version"], capture_output=True, text=True, check=True).stdout
    return f"User-mode Linux {said.splitlines()[-1]}"
