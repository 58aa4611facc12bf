"""A whole box in QEMU, emulated: a kernel, a disk, a sound card that is silent, and a power cord to pull.

When QEMU is killed the box loses its memory, and with it every write that its kernel had not yet handed to the disk;
what the disk had taken is in its file. So a cut costs what a write without fsync risks, not what a lying disk would.
"""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import playing
from card import Card

MEMORY_MB, CORES = 2_048, 1
CPU, WHEELS = "IvyBridge", "ivybridge-cp311"
"""A processor with AVX and without AVX2's multiply-add, and the wheels for it. QEMU 7.2 takes 8.4 s for an embedding of
the wake word's sound with multiply-add, 0.9 s without, 0.3 s with SSE alone; but with that whisper is slow on any."""
ICOUNT = "shift=0"
"""The box's clock counts instructions, a nanosecond each, whatever else the host does. So the box is as fast as a core
that does a thousand million a second, its times are the same everywhere, and its seconds are not the host's. By the
host's clock its kernel would spend all that a busy host leaves it on timer ticks, and call itself locked up."""
BOOT_S = 900
LOOK_S = 1.0
NEEDS = {"qemu-system-x86_64": "qemu-system-x86", "ssh": "openssh-client", "debootstrap": "debootstrap"}


def missing() -> str:
    """What to do before a machine can be made here; empty when nothing is."""
    if os.geteuid() != 0:
        return "run it as root: it makes a chroot"
    absent = [package for command, package in NEEDS.items() if not shutil.which(command)]
    return f"apt install {' '.join(absent)}" if absent else ""


class Machine:
    def __init__(self, card: Card, folder: Path) -> None:
        self._card, self._folder = card, folder
        self.console = folder / "console.log"
        self._port = _free_port()
        known = folder / "known_hosts"
        known.write_text(f"[127.0.0.1]:{self._port} {card.host_key}")
        trusted = ["-o", f"UserKnownHostsFile={known}", "-o", "IdentitiesOnly=yes", "-o", "ConnectTimeout=600"]
        self._way_in = ["-i", str(card.key), *trusted]
        self._ssh = ["ssh", *self._way_in, "-p", str(self._port), "root@127.0.0.1"]
        self._process: subprocess.Popen[str] | None = None

    def start(self, boot: str = "") -> subprocess.Popen[str]:
        """`boot`: more of the kernel's command line. The process's output is the second serial line."""
        self.cut()
        self._process = subprocess.Popen(
            self._command(boot),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        return self._process

    def cut(self) -> None:
        """The power, if it is on."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def run(self, command: str, limit_s: float = BOOT_S, sent: str = "") -> str:
        """What a shell command on the box prints; it reads `sent`. Raises CalledProcessError, TimeoutExpired."""
        done = self._try(command, limit_s, sent)
        done.check_returncode()
        return done.stdout

    def bring(self, file: Path, place: str) -> None:
        """A file of the host, that anyone on the box may write."""
        name = shlex.quote(place)
        command = f"mkdir -p $(dirname {name}) && cat > {name} && chmod 666 {name}"
        with file.open("rb") as content:
            subprocess.run([*self._ssh, command], check=True, stdin=content, capture_output=True, timeout=BOOT_S)

    def wait(self, command: str, limit_s: float = BOOT_S) -> float:
        """Seconds until a command on the box succeeds. Raises TimeoutError."""
        began_s = time.monotonic()
        while time.monotonic() - began_s < limit_s:
            if self._try(command, BOOT_S).returncode == 0:
                return time.monotonic() - began_s
            time.sleep(LOOK_S)
        raise TimeoutError(f"{command}: not in {limit_s} s; the console said: {self.console.read_text()[-2_000:]}")

    def play(self, playbook: str, variables: dict[str, Any], limit_s: float, *options: str) -> playing.Played:
        reached = {
            "ansible_host": "127.0.0.1",
            "ansible_port": self._port,
            "ansible_user": "root",
            "ansible_timeout": 600,
        }
        way_in = {"ansible_ssh_common_args": " ".join(self._way_in)}
        inventory = self._folder / "inventory.json"
        return playing.play(inventory, reached | way_in | variables, playbook, *options, limit_s=limit_s)

    def _try(self, command: str, limit_s: float, sent: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run([*self._ssh, command], input=sent, capture_output=True, text=True, timeout=limit_s)

    def _command(self, boot: str) -> list[str]:
        card = self._card
        options = {
            "machine": "q35,accel=tcg",
            "cpu": CPU,
            "icount": ICOUNT,
            "smp": str(CORES),
            "m": str(MEMORY_MB),
            "kernel": str(card.kernel),
            "initrd": str(card.initrd),
            "append": f"root=/dev/vda rw console=ttyS0 quiet panic=-1 net.ifnames=0 mitigations=off {boot}",
            "drive": f"file={card.disk},if=virtio,format=raw,cache=writeback",
            "nic": f"user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:{self._port}-:22",
            "audiodev": "none,id=room",
        }
        devices = ["intel-hda", "hda-duplex,audiodev=room", "virtio-rng-pci"]
        lines = [f"file:{self.console}", "stdio"]  # /dev/ttyS0 is the console, /dev/ttyS1 for whoever started it
        named = [part for name, value in options.items() for part in (f"-{name}", value)]
        more = [f"-device {device}" for device in devices] + [f"-serial {line}" for line in lines]
        return ["qemu-system-x86_64", "-nodefaults", "-display", "none", *named, *" ".join(more).split()]


def _free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        port: int = line.getsockname()[1]
    return port


def version() -> str:
    said = subprocess.run(["qemu-system-x86_64", "--version"], capture_output=True, text=True, check=True).stdout
    return said.splitlines()[0]
