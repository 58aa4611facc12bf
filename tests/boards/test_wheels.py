"""The table of boards, and what is made of it without a compiler."""

from __future__ import annotations

import base64
import hashlib
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import wheels
from lock import locked
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.txt").read_text()


def wheel(folder: Path, tag: str) -> Path:
    path = folder / f"thing-1.0-{tag}.whl"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("thing.so", b"\x7fELF")
        made.writestr("thing-1.0.dist-info/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}\n")
        made.writestr("thing-1.0.dist-info/RECORD", "thing.so,sha256=x,4\nthing-1.0.dist-info/WHEEL,sha256=old,9\n")
    return path


@pytest.mark.parametrize(
    ("built", "named"),
    [
        ("py3-none-linux_x86_64", "py3-none-linux_aarch64"),
        ("cp311-cp311-linux_x86_64", "cp313-cp313-linux_aarch64"),
    ],
)
def test_a_wheel_made_for_another_machine_says_so_and_is_whole(tmp_path: Path, built: str, named: str) -> None:
    path = wheels.retag(wheel(tmp_path, built), wheels.target("pi5-cp313"))
    assert [file.name for file in tmp_path.iterdir()] == [path.name] == [f"thing-1.0-{named}.whl"]
    with zipfile.ZipFile(path) as made:
        about = made.read("thing-1.0.dist-info/WHEEL")
        record = made.read("thing-1.0.dist-info/RECORD").decode().splitlines()
    assert f"Tag: {named}".encode() in about.splitlines()
    digest = base64.urlsafe_b64encode(hashlib.sha256(about).digest()).rstrip(b"=").decode()
    assert record == ["thing.so,sha256=x,4", f"thing-1.0.dist-info/WHEEL,sha256={digest},{len(about)}"]


def test_the_same_wheel_twice_has_the_same_hash(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        built = wheel(tmp_path / name, "py3-none-linux_x86_64")
        made.append(wheels.retag(built, wheels.target("pi4-cp311")).read_bytes())
    assert made[0] == made[1]


def test_each_python_gets_what_the_lock_has_for_it_with_every_hash() -> None:
    """lgpio has no wheel for 3.13, colorama is for Windows."""
    old, new = (locked(LOCK, "aarch64", python) for python in ("3.11", "3.13"))
    assert old.keys() - new.keys() == {"lgpio"}
    assert "colorama" not in old
    assert {canonicalize_name(name) for name in wheels.compiled()} <= old.keys()
    assert all(re.fullmatch(r"\S+==\S+( --hash=sha256:[0-9a-f]{64})+", line) for line in old.values())
    assert sum(line.count("--hash") for line in old.values()) > LOCK.count("--hash") * 0.9


def test_every_board_says_what_is_compiled_and_how() -> None:
    for board in wheels.TABLE["boards"]:
        for tag in wheels.TABLE["systems"]:
            aim = wheels.target(f"{board}-{tag}")
            assert aim.about
            assert aim.python in ("3.11", "3.13")
            assert any(option.startswith("-DGGML_NATIVE=") for option in aim.cmake)
            assert aim.flags or "-DGGML_NATIVE=OFF" in aim.cmake
            assert bool(aim.needs) == bool(aim.remedy)


@pytest.mark.parametrize(("name", "newest"), [("pi5-cp313", 36), ("pc-cp311", 36), ("jetson-cp311", 35)])
def test_no_wheel_asks_for_a_newer_c_library_than_the_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, newest: int
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(wheels, "pip", lambda *options, lines: asked.extend(options))
    wheels.fetch(wheels.target(name), [], tmp_path)
    minors = [int(found) for found in re.findall(r"manylinux_2_(\d+)", " ".join(asked))]
    assert max(minors) == newest


def test_this_machines_row_is_what_make_setup_compiles_with() -> None:
    makefile = (ROOT / "Makefile").read_text()
    aim = wheels.target("native-cp311")
    assert f'CMAKE_ARGS="{" ".join(aim.cmake)}"' in makefile
    assert f"x86_64,$(shell uname -m)),{aim.flags})" in makefile
    for name in ("BUILD_SHARED_LIBS", "CMAKE_POSITION_INDEPENDENT_CODE"):
        assert f"{name}={wheels.compiling(aim)[name]}" in makefile


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("pi9-cp311", "one of pi4-cp311"),
        ("pi5", "one of pi4-cp311"),
        ("jetson-cp311", "no nvcc for it here. Remedy: run the same command on the Jetson"),
    ],
)
def test_what_cannot_be_made_here_is_one_line_with_a_remedy(name: str, told: str) -> None:
    command = [sys.executable, str(ROOT / "ansible/wheels.py"), name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env={"PATH": "/nowhere"})
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.36"))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SystemExit, match=r"apt install g\+\+-aarch64-linux-gnu"):
        wheels.check(wheels.target("pi5-cp311"))


def test_a_newer_glibc_than_the_boards_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.41"))
    with pytest.raises(SystemExit, match=r"newer than 2.36 here"):
        wheels.check(wheels.target("pi5-cp311"))
