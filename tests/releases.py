"""Releases to bring to a box: this repository under another version, with or without a fault."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import wheelhouse
from playing import PLATFORM, ROOT, WHEELS

PARTS = ("appliance", "docs", "models", "systemd", "bench/recordings")
FILES = ("README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "requirements.in", "requirements.txt")
FAULT = "no voice in this one"
BROKEN = {"appliance/tts/piper.py": f"raise RuntimeError({FAULT!r})\n"}
"""Edits for `make` of a release that installs, and has no voice."""


def make(folder: Path, version: str, **edits: str) -> Path:
    """A repository in `folder` with its wheelhouse: this one, as `version`+ours, and with `edits` to files of it."""
    made = folder / version
    for part in PARTS:
        shutil.copytree(ROOT / part, made / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, made)
    package = made / "appliance/__init__.py"
    package.write_text(package.read_text().replace('__version__ = "', f'__version__ = "{version}+'))
    for name, text in edits.items():
        (made / name).write_text(text)
    wheels = made / "build/wheels" / PLATFORM
    shutil.copytree(WHEELS, wheels, ignore=shutil.ignore_patterns("voice_appliance-*"))
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(made)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True, timeout=300)
    wheelhouse.close(wheels, (made / "requirements.txt").read_text())
    return made


def variables(release: Path) -> dict[str, Any]:
    """What tells the role to bring this one."""
    return {"voice_appliance_repository": str(release), "voice_appliance_wheels_for": PLATFORM}
