"""python wheels.py BOARD-cpNNN: a folder from which a box of that kind is built without any network.

What no index carries for the board is compiled here (boards.toml says how), the rest fetched, all at the versions and
hashes of requirements.txt. The folder, `wheels/<BOARD-cpNNN>` in the cache, holds the wheels of one Python and a
`requirements.txt` with the hash of each.
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import debian_packages
from debian_packages import CACHE, KEYRING, TRIPLET
from lock import hashed, locked
from packaging.utils import parse_wheel_filename

HERE = Path(__file__).resolve().parent
TABLE: dict[str, Any] = tomllib.loads((HERE / "boards.toml").read_text())
STARTED = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a wheel whose tag was changed: the same bytes have the same hash."""


@dataclass(frozen=True)
class Target:
    """A board with one Python."""

    name: str
    machine: str
    cmake: tuple[str, ...]
    tag: str
    """Of its Python: cp311."""
    glibc: tuple[int, int]
    """The board's: what is compiled against a newer one does not load there."""
    flags: str = ""
    needs: str = ""
    remedy: str = ""
    qemu: str = ""
    about: str = ""

    @property
    def python(self) -> str:
        return f"{self.tag[2]}.{self.tag[3:]}"

    @property
    def folder(self) -> Path:
        return CACHE / "wheels" / self.name

    @property
    def crossed(self) -> bool:
        return self.machine != platform.machine()


def target(name: str) -> Target:
    """Of `pi5-cp311`. Raises SystemExit with what there is to choose from."""
    board, _, tag = name.rpartition("-")
    if board not in TABLE["boards"] or tag not in TABLE["systems"]:
        known = ", ".join(f"{board}-{tag}" for board in TABLE["boards"] for tag in TABLE["systems"])
        raise SystemExit(f"There is no board {name!r}. Remedy: BOARD= one of {known}")
    row = TABLE["boards"][board]
    both = {"cmake": (*row["cmake"], *TABLE["cmake"]), "glibc": tuple(row.get("glibc", TABLE["glibc"]))}
    return Target(name=name, tag=tag, **(row | both))


def check(aim: Target) -> None:
    """Raises SystemExit with a remedy where this machine cannot compile for the board."""
    glibc = tuple(int(part) for part in platform.libc_ver()[1].split("."))
    version = ".".join(map(str, aim.glibc))
    here = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    for wrong, remedy in (
        (aim.needs and (aim.crossed or not shutil.which(aim.needs)) and f"no {aim.needs} for it here", aim.remedy),
        (aim.crossed and aim.machine != "aarch64" and f"this is no {aim.machine} machine", "run it on one"),
        (
            not aim.crossed and aim.tag != here and f"this Python is {here}",
            f"BOARD={aim.name.rpartition('-')[0]}-{here}",
        ),
        (aim.crossed and glibc > aim.glibc and f"glibc is newer than {version} here", "use Debian 12"),
        (
            aim.crossed and not shutil.which(f"{TRIPLET}-g++") and "the compiler is missing",
            "apt install g++-" + TRIPLET,
        ),
        (aim.crossed and not Path(KEYRING).exists() and f"{KEYRING} is missing", "compile on Debian 12"),
    ):
        if wrong:
            raise SystemExit(f"Wheels for {aim.name} cannot be made: {wrong}. Remedy: {remedy}")


def compiled() -> list[str]:
    return [*TABLE["compiled"]["once"], *TABLE["compiled"]["each"]]


def compiling(aim: Target) -> dict[str, str]:
    """The variables that every build reads, as `make setup` sets them."""
    made = {
        "CFLAGS": aim.flags,
        "CXXFLAGS": aim.flags,
        "CMAKE_ARGS": " ".join(aim.cmake),
        # Read by pywhispercpp only: its own ggml goes into the module, or it would meet llama.cpp's in one process.
        "BUILD_SHARED_LIBS": "OFF",
        "CMAKE_POSITION_INDEPENDENT_CODE": "ON",
    }
    if aim.crossed:
        made["CMAKE_TOOLCHAIN_FILE"] = str(HERE / "aarch64.cmake")
    return made


def for_another_python(aim: Target) -> dict[str, str]:
    """What a build of a Python module reads besides, if it is not for the Python that runs it."""
    if not aim.crossed:
        return {}
    names = (f"libpython{aim.python}-dev", "portaudio19-dev", "libportaudio2")
    root = debian_packages.unpacked(TABLE["systems"][aim.tag], names) / "usr"
    include, suffix = f"{root}/include/python{aim.python}", f".{aim.tag.replace('cp', 'cpython-')}-{TRIPLET}.so"
    flags = f"-I{include} -I{root}/include"
    return {
        "CC": f"{TRIPLET}-gcc",
        "CXX": f"{TRIPLET}-g++",
        "LDSHARED": f"{TRIPLET}-gcc -shared",
        "CFLAGS": flags,
        "CXXFLAGS": flags,
        "LDFLAGS": f"-L{root}/lib/{TRIPLET}",
        "SETUPTOOLS_EXT_SUFFIX": suffix,
        # pybind11 in pywhispercpp asks the Python it is run by, unless told.
        "PYBIND11_FINDPYTHON": "OFF",
        "PYBIND11_PYTHONLIBS_OVERWRITE": "OFF",
        "PYTHON_EXECUTABLE": sys.executable,
        "PYTHON_INCLUDE_DIR": include,
        "PYTHON_MODULE_EXTENSION": suffix,
    }


def compile_wheels(aim: Target, wanted: dict[str, str], into: Path) -> None:
    """From the sources whose hashes the lock names."""
    for names, options in (
        (TABLE["compiled"]["once"], compiling(aim)),
        (TABLE["compiled"]["each"], compiling(aim) | for_another_python(aim)),
    ):
        sources = ["--no-binary", ",".join(names), "--cache-dir", str(kept(aim, options))]
        options["CMAKE_BUILD_PARALLEL_LEVEL"] = str(os.cpu_count())
        lines = [wanted[name] for name in names]
        pip("wheel", *sources, "--wheel-dir", str(into), lines=lines, environment=options)
    for wheel in into.glob("*.whl"):
        retag(wheel, aim)


def kept(aim: Target, options: dict[str, str]) -> Path:
    """A folder per set of options, for pip knows none; for this machine the one that `make setup` made.

    Another checkout finds the same: not the paths in it count, but what is there.
    """
    features = re.search(r"^(flags|features).*\n", Path("/proc/cpuinfo").read_text(), re.IGNORECASE | re.MULTILINE)
    processor = features[0] if features and not aim.crossed else ""
    said = options | {name: Path(options[name]).read_text() for name in options if name == "CMAKE_TOOLCHAIN_FILE"}
    lines = sorted(f"{name}={value}\n" for name, value in said.items() if name != "PYTHON_EXECUTABLE")
    key = hashlib.sha256(f"{aim.machine}\n{processor}{''.join(lines)}".encode()).hexdigest()
    return CACHE / "wheels" / key[:12]


def retag(wheel: Path, aim: Target) -> Path:
    """Names the target instead of the machine that compiled it."""
    _, _, _, (tag, *_) = parse_wheel_filename(wheel.name)
    python, abi = (tag.interpreter, tag.abi) if tag.abi == "none" else (aim.tag, aim.tag)
    new = f"{python}-{abi}-linux_{aim.machine}"
    renamed = wheel.with_name(re.sub(r"[^-]+-[^-]+-[^-]+\.whl$", f"{new}.whl", wheel.name))
    with zipfile.ZipFile(wheel) as old:
        files = {info.filename: (info.external_attr, old.read(info)) for info in old.infolist()}
    (about,) = (name for name in files if name.endswith(".dist-info/WHEEL"))
    (record,) = (name for name in files if name.endswith(".dist-info/RECORD"))
    text = re.sub(rb"^Tag: .*", f"Tag: {new}".encode(), files[about][1], flags=re.MULTILINE)
    digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
    line = f"{about},sha256={digest},{len(text)}".encode()
    files[about] = (files[about][0], text)
    files[record] = (
        files[record][0],
        re.sub(rb"^%b,.*" % re.escape(about.encode()), line, files[record][1], flags=re.M),
    )
    wheel.unlink()
    with zipfile.ZipFile(renamed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, (mode, content) in files.items():
            entry = zipfile.ZipInfo(name, STARTED)
            entry.external_attr, entry.compress_type = mode, zipfile.ZIP_DEFLATED
            made.writestr(entry, content)
    return renamed


def fetch(aim: Target, lines: list[str], into: Path) -> None:
    """Wheels from the index; one that has none there for the target is an error that names it."""
    known = [f"manylinux_2_{minor}" for minor in range(aim.glibc[1], 4, -1)] + [
        "manylinux2014",
        "manylinux2010",
        "manylinux1",
    ]
    platforms = [f"--platform={name}_{aim.machine}" for name in known]
    python = ["--implementation", "cp", "--python-version", aim.python]
    pip("download", "--only-binary", ":all:", *platforms, *python, "--dest", str(into), lines=lines)


def pip(verb: str, *options: str, lines: list[str], environment: dict[str, str] | None = None) -> None:
    """Of exactly these requirements, each with the hashes it may have."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        general = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
        command = [sys.executable, "-m", "pip", verb, *general, *options, "--requirement", file.name]
        if subprocess.run(command, env=os.environ | (environment or {})).returncode:
            raise SystemExit(f"pip {verb} failed; the lines above say why. Remedy: mend that, and run it again")


def make(aim: Target, lock: str) -> Path:
    """The folder, complete or as it was before. Raises SystemExit."""
    check(aim)
    wanted = locked(lock, aim.machine, aim.python)
    tell(f"Compiling {', '.join(compiled())} for: {aim.about}. The first time, some 9 minutes on 2 cores")
    aim.folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=aim.folder.parent) as made:
        folder = Path(made)
        compile_wheels(aim, wanted, folder)
        fetch(aim, [line for name, line in wanted.items() if name not in compiled()], folder)
        folder.joinpath("requirements.txt").write_text(hashed(folder))
        shutil.rmtree(aim.folder, ignore_errors=True)
        folder.chmod(0o755)
        folder.rename(aim.folder)
        folder.mkdir()
    return aim.folder


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    folder = make(target(sys.argv[1] if len(sys.argv) > 1 else ""), (HERE.parent / "requirements.txt").read_text())
    tell(f"{len(list(folder.glob('*.whl')))} wheels in {folder}")
