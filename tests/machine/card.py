"""What a card holds when it is written: Debian 12 with a kernel, a way in by ssh, and nothing of the appliance."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import debian

PACKAGES = ("dbus", "e2fsprogs", "initramfs-tools", "kmod", "linux-image-amd64", "openssh-server")
"""What Raspberry Pi OS brings and debian.PACKAGES does not."""
SIZE = "8G"
"""Of the disk, most of it a hole in its file."""
MODULES = ("ext4", "virtio_blk", "virtio_pci")
"""All that is needed to mount the root: with every other module an emulated machine takes twice as long to start."""
DNS = "10.0.2.3"
"""Where QEMU's user network answers."""
FILES = {
    "etc/hostname": "box\n",
    "etc/hosts": "127.0.0.1 localhost box\n",
    "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\n",
    "etc/resolv.conf": f"nameserver {DNS}\n",
    "etc/systemd/network/wired.network": "[Match]\nName=e*\n[Network]\nDHCP=ipv4\n",
}


@dataclass(frozen=True)
class Card:
    """Everything that a machine starts from."""

    disk: Path
    kernel: Path
    initrd: Path
    key: Path
    """Opens the way in as root."""
    host_key: str
    """What the box proves itself by: type and public key."""


def write(folder: Path, finish: Callable[[Path], None] = debian.as_it_is) -> Card:
    """A fresh card, with a key of its own. `finish`: done to the system's folder before."""
    root, disk, key = folder / "system", folder / "disk", folder / "key"
    debian.unpack(debian.tar("debian-12-machine", PACKAGES, _small_initrd), root)
    for name, text in FILES.items():
        (root / name).write_text(text)
    _let_in(root, key)
    for name in ("systemd-networkd.service", "ssh.service"):
        subprocess.run(["systemctl", "--quiet", f"--root={root}", "enable", name], check=True)
    finish(root)
    host_key = (root / "etc/ssh/ssh_host_ed25519_key.pub").read_text()
    kernel, initrd = (_taken(root, part, folder) for part in ("vmlinuz", "initrd.img"))
    subprocess.run(["mkfs.ext4", "-q", "-d", root, disk, SIZE], check=True)
    shutil.rmtree(root)
    return Card(disk, kernel, initrd, key, host_key)


def _taken(root: Path, part: str, folder: Path) -> Path:
    """A file of the system's /boot, which QEMU starts from without a boot loader."""
    (found,) = (root / "boot").glob(f"{part}-*")
    return found.rename(folder / part)


def _small_initrd(root: Path) -> None:
    tools = root / "etc/initramfs-tools"
    (tools / "conf.d/machine").write_text("MODULES=list\nCOMPRESS=gzip\nFSTYPE=ext4\n")
    with (tools / "modules").open("a") as modules:
        modules.write("\n".join([*MODULES, ""]))
    subprocess.run(["chroot", root, "update-initramfs", "-u"], check=True, capture_output=True)
    shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)


def _let_in(root: Path, key: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    place = root / "root/.ssh"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copy(key.with_suffix(".pub"), place / "authorized_keys")
