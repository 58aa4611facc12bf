"""Debian's packages of any release, unpacked into a folder: nothing is installed, this machine's dpkg is as before."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voice-appliance"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
TRIPLET = "aarch64-linux-gnu"


def unpacked(suite: str, names: Sequence[str], architecture: str = "arm64") -> Path:
    """The root of what these packages of that release hold; made once. Raises CalledProcessError, SystemExit."""
    root = CACHE / "boards" / f"{suite}-{architecture}-{names[0]}"
    if (root / "done").exists():
        return root
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("apt/lists/partial", "apt/parts", "apt/archives/partial", "debs"):
        (root / folder).mkdir(parents=True)
    environment = os.environ | {"APT_CONFIG": str(_apt(root, suite, architecture))}
    for command in (("update",), ("download", *names)):
        subprocess.run(["apt-get", "-qq", *command], env=environment, cwd=root / "debs", check=True)
    for package in (root / "debs").iterdir():
        subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
    (root / "done").touch()
    return root


def mirror() -> str:
    """Where this machine has its Debian from. Raises SystemExit."""
    listed = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"]
    found = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    if not found:
        raise SystemExit("apt knows no Debian mirror. Remedy: apt-get update, on Debian")
    return found[0]


def _apt(root: Path, suite: str, architecture: str) -> Path:
    """The configuration of an apt that knows another architecture and release than this machine's."""
    (root / "apt/sources").write_text(f"deb [signed-by={KEYRING}] {mirror()} {suite} main\n")
    (root / "apt/conf").write_text(
        f'APT::Architecture "{architecture}"; APT::Architectures {{ "{architecture}"; }}; APT::Sandbox::User "root";\n'
        f'Dir::State "{root}/apt"; Dir::State::status "/dev/null"; Dir::Cache "{root}/apt";\n'
        f'Dir::Etc::sourcelist "{root}/apt/sources"; Dir::Etc::sourceparts "{root}/apt/parts";\n'
        f'Acquire::Languages "none";\n'
    )
    return root / "apt/conf"
