"""The scripts behind `make install` and `make uninstall`, on a folder in place of a box."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Box:
    def __init__(self, folder: Path) -> None:
        self.root, self._venv = folder / "box", folder / "venv"
        packages = self._venv / f"lib/python3.{sys.version_info.minor}/site-packages"
        packages.mkdir(parents=True)
        (packages / "somelib.py").write_text("here = True\n")
        (packages / "__editable__.voice_appliance-0.1.0.pth").write_text(f"{ROOT}\n")
        (self._venv / "bin").mkdir()
        (self._venv / "bin/python").symlink_to(sys.executable)

    def run(self, script: str, **more: str) -> str:
        done = subprocess.run(
            [str(ROOT / "systemd" / script), str(self._venv)],
            env=os.environ | {"DESTDIR": str(self.root)} | more,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def files(self) -> dict[str, int]:
        """Each file, link or folder of the box -> when it was last changed."""
        return {str(each.relative_to(self.root)): each.lstat().st_mtime_ns for each in self.root.rglob("*")}


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_second_run_changes_nothing(box: Box) -> None:
    assert "Changed: /opt/va/current" in box.run("install")
    before = box.files
    assert "Nothing to change" in box.run("install")
    assert box.files == before


def test_release_is_whole_and_its_own(box: Box) -> None:
    box.run("install")
    current = box.root / "opt/va/current"
    assert os.readlink(current).startswith("releases/0.1.0-")
    packages = next(current.glob("lib/python3.*/site-packages"))
    assert (packages / "somelib.py").exists()
    assert (packages / "appliance/manifest.toml").read_bytes() == (ROOT / "models/manifest.toml").read_bytes()
    assert not (packages / "appliance/manifest.toml").is_symlink()
    assert not list(packages.glob("__editable__*")), "it would run what is in the checkout"
    where = [str(current / "bin/python"), "-I", "-c", "import appliance, somelib; print(appliance.__file__)"]
    # its numpy is not here: only the first import is asked for
    assert str(box.root) in subprocess.run(where, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_owners_settings_are_kept_and_memory_survives_an_uninstall(box: Box) -> None:
    config, state = box.root / "etc/voice-appliance/config.toml", box.root / "var/lib/va/appliance.db"
    box.run("install")
    config.write_text('state = "/elsewhere"\n')
    state.parent.mkdir(parents=True)
    state.touch()
    box.run("install")
    assert config.read_text() == 'state = "/elsewhere"\n'
    box.run("uninstall")
    left = {str(each.relative_to(box.root)) for each in box.root.rglob("*") if not each.is_dir()}
    assert left == {"etc/voice-appliance/config.toml", "var/lib/va/appliance.db"}
    box.run("uninstall", PURGE="1")
    assert not [each for each in box.root.rglob("*") if not each.is_dir()]


def test_changed_unit_is_brought_back(box: Box) -> None:
    box.run("install")
    unit = box.root / "etc/systemd/system/va.service"
    unit.write_text(unit.read_text().replace("PrivateNetwork=yes", ""))
    assert "Changed: /etc/systemd/system/va.service" in box.run("install")
    assert "PrivateNetwork=yes" in unit.read_text()
