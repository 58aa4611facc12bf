"""A Debian of another architecture in a folder, and commands run in it: by qemu-user, without any network."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import debian_packages
import wheels

NEEDS = {"debootstrap": "debootstrap", "qemu-aarch64-static": "qemu-user-static", "unshare": "util-linux"}
PACKAGES = ("python3", "python3-venv", *wheels.TABLE["runtime"])
FORMATS = Path("/proc/sys/fs/binfmt_misc")
QEMU = Path("/usr/lib/binfmt.d/qemu-aarch64.conf")
MINUTES = 15


def missing() -> str:
    """What to do before anything can be emulated here; empty when nothing is."""
    if os.geteuid() != 0:
        return "run it as root: it makes a chroot"
    absent = [package for command, package in NEEDS.items() if not shutil.which(command)]
    return f"apt install {' '.join(absent)}" if absent else ""


@contextmanager
def emulation() -> Iterator[None]:
    """Until it ends the kernel runs programs for aarch64; what was set before is left as it was."""
    mounted, known = (FORMATS / "register").exists(), (FORMATS / QEMU.stem).exists()
    if not mounted:
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", FORMATS], check=True)
    if not (known := known or (FORMATS / QEMU.stem).exists()):
        (FORMATS / "register").write_text(QEMU.read_text().strip())
    try:
        yield
    finally:
        if not known:
            (FORMATS / QEMU.stem).write_text("-1")
        if not mounted:
            subprocess.run(["umount", FORMATS], check=True)


def debian(suite: str) -> Path:
    """The smallest such system that has what the wheels need; made once, some 7 minutes, and kept in the cache."""
    root = debian_packages.CACHE / "boards" / f"{suite}-arm64-system"
    if (root / "done").exists():
        return root
    shutil.rmtree(root, ignore_errors=True)
    chosen = ["--arch=arm64", "--foreign", "--variant=minbase", f"--include={','.join(PACKAGES)}"]
    for command in (
        ["debootstrap", *chosen, suite, str(root), debian_packages.mirror()],
        ["chroot", str(root), "/debootstrap/debootstrap", "--second-stage"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, timeout=MINUTES * 60)
        assert done.returncode == 0, done.stdout[-2_000:] + done.stderr
    (root / "done").touch()
    return root


def run(root: Path, cpu: str, mounts: Mapping[Path, str], *command: str) -> subprocess.CompletedProcess[str]:
    """In the system at `root` on that processor, with some folders of this machine to read, a loopback and no more."""
    script = ["ulimit -c 0", 'mount -t proc proc "$0/proc"']
    for source, place in mounts.items():
        (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
        script += [f'mount --bind "{source}" "$0{place}"', f'mount -o remount,bind,ro "$0{place}"']
    script.append('chroot "$0" "$@" || exit $?')  # by a shell that stays: qemu cannot end the first of all processes
    alone = ["unshare", "--mount", "--net", "--pid", "--fork", "sh", "-ec", "\n".join(script), str(root)]
    return subprocess.run(
        [*alone, *command],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "QEMU_CPU": cpu},
        capture_output=True,
        text=True,
        timeout=MINUTES * 60,
    )
