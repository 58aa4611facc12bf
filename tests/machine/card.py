"""What a card holds when it is written: Debian 12, a way in by ssh, and nothing of the appliance."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import debian
import kernel
import yaml
from playing import ROOT

PACKAGES = ("dbus", "e2fsprogs", "openssh-server")
"""What Raspberry Pi OS brings and debian.PACKAGES does not."""
ROLE = ROOT / "ansible/roles/voice_appliance/vars/Debian_12.yml"
SIZE = "8G"
"""Of the disk, most of it a hole in its file."""
SHOP = "srv/packages"
"""Where the box's apt fetches from, for its cable leads nowhere: what the role installs is there, and not installed."""
FILES = {
    "etc/hostname": "box\n",
    "etc/hosts": "127.0.0.1 localhost box\n",
    "etc/fstab": "/dev/ubda / ext4 defaults,noatime 0 1\n",
    "etc/apt/sources.list": f"deb [trusted=yes] file:/{SHOP} ./\n",
}


@dataclass(frozen=True)
class Card:
    """Everything that a machine starts from."""

    disk: Path
    kernel: Path
    key: Path
    """Opens the way in as root."""
    host_key: str
    """What the box proves itself by: type and public key."""


def write(folder: Path, address: str, finish: Callable[[Path], None] = debian.as_it_is) -> Card:
    """A fresh card, with a key of its own. `address`: the box's. `finish`: done to the system's folder before."""
    root, disk, key = folder / "system", folder / "disk", folder / "key"
    debian.unpack(debian.tar("debian-12-card", PACKAGES, _fill_shop), root)
    wired = {"etc/systemd/network/wired.network": f"[Match]\nName=vec0\n[Network]\nAddress={address}/24\n"}
    for name, text in (FILES | wired).items():
        (root / name).write_text(text)
    _let_in(root, key)
    for name in ("systemd-networkd.service", "ssh.service"):
        subprocess.run(["systemctl", "--quiet", f"--root={root}", "enable", name], check=True)
    finish(root)
    host_key = (root / "etc/ssh/ssh_host_ed25519_key.pub").read_text()
    subprocess.run(["mkfs.ext4", "-q", "-d", root, disk, SIZE], check=True)
    shutil.rmtree(root)
    return Card(disk, kernel.kernel(), key, host_key)


def _fill_shop(root: Path) -> None:
    names = yaml.safe_load(ROLE.read_text())["voice_appliance_system_packages"]
    shop, fetched = root / SHOP, root / "var/cache/apt/archives"
    apt = ["chroot", str(root), "apt-get", "install", "--quiet", "--yes", "--download-only", "--no-install-recommends"]
    subprocess.run([*apt, *names], check=True, capture_output=True)
    shop.mkdir()
    for package in fetched.glob("*.deb"):
        package.rename(shop / package.name)
    listed = subprocess.run(["apt-ftparchive", "packages", "."], cwd=shop, check=True, capture_output=True).stdout
    (shop / "Packages").write_bytes(listed)


def _let_in(root: Path, key: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    place = root / "root/.ssh"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copy(key.with_suffix(".pub"), place / "authorized_keys")
