"""A wheelhouse to install from in seconds: the appliance itself, pip, and a library that stands for all others."""

from __future__ import annotations

import ensurepip
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
import wheelhouse

ROOT = Path(__file__).parents[2]
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = Path(sysconfig.get_path("purelib"))


def write_wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> None:
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def pip_wheel() -> Path:
    """The one that a Python brings for its environments."""
    folders = [Path(ensurepip.__file__).parent / "_bundled", Path("/usr/share/python-wheels")]
    return next(wheel for folder in folders for wheel in sorted(folder.glob("pip-*.whl")))


def small_wheelhouse(parent: Path, packages: Path = PACKAGES) -> Path:
    """Made in `parent`. `packages`: where the box finds all other libraries. Skips where a box's Python is not here."""
    if not shutil.which(f"python{PYTHON}", path="/usr/bin:/usr/local/bin"):
        pytest.skip(f"a box's own Python {PYTHON} is not here: apt install python3")
    folder = parent / f"{os.uname().machine}-cp{PYTHON.replace('.', '')}"
    folder.mkdir()
    pip = shutil.copy(pip_wheel(), folder)
    write_wheel(folder, "others", "1.0", {"others.pth": f"{packages}\n"})
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True, timeout=120)
    wheelhouse.close(folder, f"others==1.0\npip=={Path(pip).name.split('-')[1]}\n")
    return folder
