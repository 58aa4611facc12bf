"""What a box is built from: nothing missing, nothing stray, nothing for another machine."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import wheelhouse

LOCK = """
numpy==2.0 \\
    --hash=sha256:00
    # via -r requirements.in
lgpio==0.2.2.0 ; python_full_version < '3.13' \\
    --hash=sha256:00
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:00
"""


def folder_of(parent: Path, name: str, *wheels: str) -> Path:
    folder = parent / name
    folder.mkdir()
    for wheel in (*wheels, "voice_appliance-0.1.0-py3-none-any.whl"):
        with zipfile.ZipFile(folder / wheel, "w") as content:
            content.writestr("part.so", b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_PRIVATE\0")
    return folder


NUMPY, LGPIO = "numpy-2.0-cp311-cp311-manylinux_2_28_aarch64.whl", "lgpio-0.2.2.0-cp311-cp311-linux_aarch64.whl"


def test_what_a_box_must_know_is_written(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "pi5-cp311", NUMPY, LGPIO)
    wheelhouse.close(folder, LOCK)
    lines = (folder / "requirements.txt").read_text().splitlines()
    assert [line.split(" --hash=sha256:")[0] for line in lines] == [
        "lgpio==0.2.2.0",
        "numpy==2.0",
        "voice-appliance==0.1.0",
    ]
    assert [(folder / name).read_text() for name in ("python", "glibc")] == ["3.11\n", "2.34\n"]
    assert (tmp_path / "pi5-cp311.tar").exists()


def test_marker_of_the_box_decides_not_this_machines(tmp_path: Path) -> None:
    wheelhouse.close(folder_of(tmp_path, "pi5-cp313", NUMPY.replace("cp311", "cp313")), LOCK)


@pytest.mark.parametrize(
    ("wheels", "named"),
    [
        ([NUMPY], "lgpio==0.2.2.0"),
        ([NUMPY, LGPIO, "extra-1-py3-none-any.whl"], "extra==1"),
        ([NUMPY, LGPIO.replace("aarch64", "x86_64")], "mixes machines: .*lgpio"),
        ([NUMPY.replace("2.0", "2.1", 1), LGPIO], "numpy==2.0, numpy==2.1"),
    ],
    ids=["missing", "stray", "for another machine", "another version"],
)
def test_wrong_folder_is_refused_by_name(tmp_path: Path, wheels: list[str], named: str) -> None:
    with pytest.raises(SystemExit, match=named):
        wheelhouse.close(folder_of(tmp_path, "pi5-cp311", *wheels), LOCK)
