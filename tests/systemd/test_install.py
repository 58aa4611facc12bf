"""The scripts behind `make install` and `make uninstall`, on a folder in place of a box, with wheels that are small."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_wheels import small_wheelhouse

from appliance.models.registry import SPEECH, TURN_END, Catalog

ROOT = Path(__file__).parents[2]
ModelPath = Callable[..., Path]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_wheelhouse(tmp_path_factory.mktemp("wheels"))


class Box:
    def __init__(self, root: Path, wheels: Path) -> None:
        self.root, self._wheels = root, wheels

    def run(self, script: str, *words: str, **more: str) -> str:
        done = self.attempt(script, *words, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def attempt(self, script: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(ROOT / "systemd" / script), *(words or [str(self._wheels)])],
            env=os.environ | {"DESTDIR": str(self.root)} | more,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def link(self, name: str) -> str:
        """What `current` or `previous` points at."""
        return os.readlink(self.root / "opt/va" / name).removeprefix("releases/")

    @property
    def files(self) -> dict[str, int]:
        """Each file, link or folder of the box -> when it was last changed."""
        return {str(each.relative_to(self.root)): each.lstat().st_mtime_ns for each in self.root.rglob("*")}


WATCHED_SYNC = 'echo $(ls -A "$DESTDIR/opt/va/releases") / $(readlink "$DESTDIR/opt/va/current") >>"$SYNCED"'


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """For `Box.run`: in place of `sync`, releases and `current` as they are then, a line each time in `SYNCED`."""
    folder = tmp_path_factory.mktemp("synced")
    return commands(folder / "bin", sync=WATCHED_SYNC) | {"SYNCED": str(folder / "synced")}


@pytest.fixture(scope="module")
def built(wheels: Path, synced: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("built"), wheels)
    made.run("release", "build", str(wheels), **synced)
    return made


@pytest.fixture
def box(tmp_path: Path, wheels: Path, built: Box) -> Box:
    """With the release there already: it takes seconds to build."""
    made = Box(tmp_path / "box", wheels)
    shutil.copytree(built.root, made.root, symlinks=True)
    return made


@pytest.mark.parametrize(("level", "chosen"), [("final", True), ("candidate", False)])
def test_python_that_was_brought_serves_where_the_system_has_none(
    tmp_path: Path, wheels: Path, level: str, chosen: bool
) -> None:
    """A release candidate, as Ubuntu 22.04 has one, gets no fixes."""
    folder = tmp_path / "opt/va/python/brought/bin"
    folder.mkdir(parents=True)
    told = f"import sys; sys.version_info = type('V', (), {{'releaselevel': {level!r}}}); exec(sys.argv[1])"
    (folder / "python9.9").write_text(f'#!/bin/sh\nshift 2\nexec {sys.executable} -c "{told}" "$@"\n')
    (folder / "python9.9").chmod(0o755)
    expected = (str(folder / "python9.9"), 0) if chosen else ("", 1)
    done = Box(tmp_path, wheels).attempt("release", "python_of", "9.9")
    assert (done.stdout.strip(), done.returncode) == expected, done.stderr


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
    assert (packages / "appliance/manifest.toml").read_bytes() == (ROOT / "models/manifest.toml").read_bytes()
    where = [str(current / "bin/python"), "-I", "-c", "import appliance; print(appliance.__file__)"]
    assert str(box.root) in subprocess.run(where, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    for name in ("README.md", "docs/settings.md", "LICENSE", "demo.wav", "systemd/va.service"):
        assert (current / name).is_file()


def test_every_file_for_a_box_has_its_place() -> None:
    placed = [line.split()[1] for line in (ROOT / "systemd/files").read_text().splitlines() if line[0] != "#"]
    other = {"files", "install", "uninstall", "release", "render", "sentences.yaml", "config.toml"}
    other |= {"chrony.conf", "jetson.conf", "lan.conf", "spi.conf", "usb.conf"}
    assert {each.name for each in (ROOT / "systemd").iterdir()} == {*placed, *other}


@pytest.mark.parametrize(
    ("body", "file"),
    [
        ('hat = "respeaker-2mic"', "spi.conf"),
        ('strip = "ws2812"', "spi.conf"),
        ('hat = "respeaker-xvf3800"', "usb.conf"),
        ('hat = "adafruit-voice-bonnet"', ""),
    ],
)
def test_the_units_are_let_to_the_bus_that_the_settings_name_and_to_no_other(box: Box, body: str, file: str) -> None:
    def let_in() -> dict[str, set[str]]:
        units = ("va.service", "va-check@.service")
        folders = {unit: box.root / "etc/systemd/system" / f"{unit}.d" for unit in units}
        return {unit: {each.name for each in folder.glob("*")} for unit, folder in folders.items()}

    config = box.root / "etc/voice-appliance/config.toml"
    name = next((box.root / "opt/va/releases").iterdir()).name
    config.parent.mkdir(parents=True)
    for settings, wanted in (("", ""), (f"[body]\n{body}\n", file), ("[body]\n", "")):
        config.write_text(settings)
        before = let_in()
        said = box.run("release", "switch", name)
        assert set(map(frozenset, let_in().values())) == {frozenset({wanted} - {""})}
        assert (".service.d/" in said) is (before != let_in())


def commands(folder: Path, **scripts: str) -> dict[str, str]:
    """For `Box.run`: these in place of the system's."""
    folder.mkdir()
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def releases(box: Box, *names: str) -> None:
    """Further releases, as if they had been built: copies of the first."""
    folder = box.root / "opt/va/releases"
    first = next(folder.iterdir())
    for at, name in enumerate(names):
        shutil.copytree(first, folder / name, symlinks=True)
        os.utime(folder / name, (at, at))


def test_what_has_a_name_is_on_the_disk_before(box: Box, synced: dict[str, str]) -> None:
    """A cut may keep a name and lose the bytes that lie behind it."""
    name = next((box.root / "opt/va/releases").iterdir()).name
    box.run("release", "switch", name, **synced)
    states = dict.fromkeys(Path(synced["SYNCED"]).read_text().splitlines())
    assert list(states) == [".new /", f"{name} /", f"{name} / releases/{name}"]


def test_switch_and_back_and_the_newest_stay(box: Box) -> None:
    box.run("install")
    first = os.readlink(box.root / "opt/va/current").removeprefix("releases/")
    releases(box, "a", "b", "c")
    unit = box.root / "opt/va/releases/c/systemd/va.service"
    unit.write_text(unit.read_text() + "# of c\n")
    assert "/etc/systemd/system/va.service" in box.run("release", "switch", "c")
    assert {each.name for each in (box.root / "opt/va/releases").iterdir()} == {first, "b", "c"}
    assert "/opt/va/current" in box.run("release", "back")
    assert os.readlink(box.root / "opt/va/current") == f"releases/{first}"
    assert "# of c" not in (box.root / "etc/systemd/system/va.service").read_text(), "a release goes with its units"
    assert box.run("release", "switch", first) == ""


def test_release_that_failed_is_thrown_away(box: Box) -> None:
    box.run("install")
    first = os.readlink(box.root / "opt/va/current").removeprefix("releases/")
    releases(box, "a", "bad")
    box.run("release", "switch", "bad")
    box.run("release", "undo", first)
    links = [os.readlink(box.root / "opt/va" / name) for name in ("current", "previous")]
    assert links == [f"releases/{first}", "releases/a"]
    assert not (box.root / "opt/va/releases/bad").exists()


@pytest.mark.parametrize("words", [["undo"], ["switch", "c"]])
def test_what_is_thrown_away_has_no_name_while_it_goes(box: Box, tmp_path: Path, words: list[str]) -> None:
    """A cut in the midst of it would leave half a release, which the next run would take for a whole one."""
    box.run("install")
    first = box.link("current")
    releases(box, "a", "b", "c")
    told = tmp_path / "removed"
    watched = commands(tmp_path / "bin", rm='echo "$@" >>"$REMOVED"; /bin/rm "$@"')
    box.run("release", *words, **watched, REMOVED=str(told))
    names = [word for word in told.read_text().split() if Path(word).parent.name == "releases"]
    assert {Path(name).name for name in names} == {".gone"}
    assert (box.root / "opt/va/releases" / (first if words[0] == "undo" else "a")).exists() is False
    assert not (box.root / "opt/va/releases/.gone").exists()


def test_switch_that_breaks_off_fails_and_is_undone(box: Box) -> None:
    """Its units come before `current`: a unit may be of the new release already."""
    box.run("install")
    first = box.link("current")
    releases(box, "half")
    half = box.root / "opt/va/releases/half/systemd"
    (half / "va.service").write_text("# of half\n")
    (half / "appliance").unlink()
    assert box.attempt("release", "switch", "half").returncode != 0
    box.run("release", "undo", first)
    assert box.link("current") == first
    unit = box.root / "etc/systemd/system/va.service"
    assert unit.read_bytes() == (box.root / f"opt/va/releases/{first}/systemd/va.service").read_bytes()


def test_release_without_its_table_of_files_is_refused(box: Box) -> None:
    box.run("install")
    first = box.link("current")
    releases(box, "half")
    (box.root / "opt/va/releases/half/systemd/files").unlink()
    assert box.attempt("release", "switch", "half").returncode != 0
    assert box.link("current") == first


def test_first_release_that_failed_leaves_none(box: Box) -> None:
    box.run("install")
    box.run("release", "undo")
    assert not list((box.root / "opt/va/releases").iterdir())
    assert not (box.root / "opt/va/current").is_symlink()


def test_first_release_that_failed_leaves_nothing_that_the_next_boot_would_start(box: Box) -> None:
    """Or systemd would try for ever to start what is not there."""
    box.run("install")
    enable = ["systemctl", f"--root={box.root}", "--quiet", "enable", "va.service", "va-api.socket"]
    subprocess.run(enable, check=True, timeout=60)
    assert list(box.root.glob("etc/systemd/system/*.wants/*"))
    box.run("release", "undo")
    left = [str(each.relative_to(box.root)) for each in box.root.rglob("*") if not each.is_dir()]
    assert left == ["etc/voice-appliance/config.toml"]


def test_first_release_without_its_table_is_thrown_away_too(box: Box) -> None:
    box.run("install")
    (box.root / "opt/va/current/systemd/files").unlink()
    box.run("release", "undo")
    assert not list((box.root / "opt/va/releases").iterdir())


def test_models_that_are_needed_are_brought_whole(
    box: Box, wheels: Path, tmp_path: Path, catalog: Catalog, model: ModelPath
) -> None:
    """From a store with a whole one, a damaged one, one not asked for and what a fetch left; the box has a half."""
    speech, turn_end = (catalog.model(name).files[0] for name in (SPEECH, TURN_END))
    store, models = tmp_path / "store", box.root / "srv/va/models"
    for name in (f"{turn_end.sha256}/{turn_end.name}", "0" * 64 + "/other.gguf", "tmp/a.part", "lock"):
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        (store / name).write_text("?")
    (store / speech.sha256).symlink_to(model(SPEECH).parent)
    place = models / speech.sha256 / speech.name
    place.parent.mkdir(parents=True)
    place.write_text("half")
    done = box.attempt("install", str(wheels), str(store))
    assert done.returncode == 0, done.stderr
    assert f"damaged: {store / turn_end.sha256}" in done.stderr
    assert place.stat().st_size == speech.bytes
    assert [each.name for each in models.iterdir()] == [speech.sha256]


def test_install_without_room_for_a_model_leaves_the_box_as_it_is(
    box: Box, wheels: Path, tmp_path: Path, catalog: Catalog
) -> None:
    speech = catalog.model(SPEECH).files[0]
    store = tmp_path / "store"
    (store / speech.sha256).mkdir(parents=True)
    (store / speech.sha256 / speech.name).write_text("?")
    full = commands(tmp_path / "full", df="echo 0")
    done = box.attempt("install", str(wheels), str(store), **full)
    assert done.returncode != 0
    assert "No room for" in done.stderr
    assert not (box.root / "opt/va/current").is_symlink()
    assert not (box.root / "etc/systemd").exists()


def test_models_that_no_release_knows_go(box: Box, catalog: Catalog) -> None:
    """Those of the release before stay, and so does whatever is no model."""
    box.run("install")
    releases(box, "before")
    models = box.root / "srv/va/models"
    own, others = catalog.model(SPEECH).files[0].sha256, "1" * 64
    for name in (own, others, "0" * 64, "lost+found"):
        (models / name).mkdir(parents=True)
    known = next(box.root.glob("opt/va/releases/before/lib/python3.*/site-packages/appliance/manifest.toml"))
    known.write_text(known.read_text().replace(own, others))
    assert "Removed: " + str(models / ("0" * 64)) in box.run("install")
    assert {each.name for each in models.iterdir()} == {own, others, "lost+found"}


def test_no_model_goes_while_a_release_cannot_say_what_it_needs(box: Box) -> None:
    """Such as after an upgrade of the system to another Python."""
    box.run("install")
    (box.root / "opt/va/releases/old").mkdir()
    (box.root / "srv/va/models" / ("0" * 64)).mkdir(parents=True)
    assert box.run("release", "clean") == ""
    assert list((box.root / "srv/va/models").iterdir())


HOLD = """
import mmap, sys
with open(sys.argv[1], "r+b") as file:
    held = mmap.mmap(file.fileno(), 0)
print(flush=True)
sys.stdin.read()
"""


def test_release_that_runs_is_told_by_its_process(box: Box, tmp_path: Path) -> None:
    """Whatever `current` points at by now; /readyz tells the same."""
    box.run("install")
    name = box.link("current")
    python = [str(box.root / "opt/va/current/bin/python"), "-I", "-c"]
    told = [*python, "from appliance.service.vitals import RELEASE; print(RELEASE)"]
    assert subprocess.run(told, capture_output=True, text=True, check=True).stdout == f"{name}\n"
    library = box.root / "opt/va/current/library.so"
    library.write_bytes(bytes(4_096))
    with subprocess.Popen([*python, HOLD, library], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        releases(box, "next")
        box.run("release", "switch", "next")
        systemctl = commands(tmp_path / "bin", systemctl=f"echo {process.pid}")
        assert box.run("release", "running", **systemctl) == f"{name}\n"
        process.communicate(timeout=10)
    nothing = commands(tmp_path / "none", systemctl="echo 0")
    assert box.run("release", "running", **nothing) == ""


IMPORTS_LATE = """
import os, sys
base = sys.argv[1]
os.symlink("releases/next", f"{base}/.current")
os.replace(f"{base}/.current", f"{base}/current")
import appliance.language.dates as late
print(late.__file__)
print(sys.executable)
"""


def test_running_release_imports_nothing_of_the_next(box: Box) -> None:
    """As its unit starts it; the model's process, which is started again now and then, is `sys.executable`."""
    box.run("install")
    name = box.link("current")
    releases(box, "next")
    (start,) = re.findall(r"^ExecStart=(.*)$", (ROOT / "systemd/va.service").read_text(), re.MULTILINE)
    shell = shlex.split(start.replace("$$", "$").replace("/opt/va", str(box.root / "opt/va")))
    shell[-1] = shell[-1].replace("-m appliance run", '-c "$0" "$1"')
    started = [*shell, IMPORTS_LATE, str(box.root / "opt/va")]
    done = subprocess.run(started, capture_output=True, text=True, check=True, timeout=60)
    assert box.link("current") == "next"
    assert [f"/releases/{name}/" in line for line in done.stdout.splitlines()] == [True, True]


def test_sentences_for_a_day_without_a_release_are_made_at_the_switch(
    box: Box, wheels: Path, model: ModelPath, catalog: Catalog
) -> None:
    """In the voice of the settings."""
    store = box.root / "srv/va/models"
    store.mkdir(parents=True)
    for key in ("onnx", "json"):
        file = model("piper-en-us-joe", key)
        (store / file.parent.name).mkdir(exist_ok=True)
        (store / file.parent.name / file.name).symlink_to(file)
    box.run("install")
    made = {each.name: each.stat().st_size for each in (box.root / "usr/local/share/va").iterdir()}
    assert made.keys() == {"chime.wav", "degraded.wav", "timer.wav"}
    assert made["degraded.wav"] > 2 * made["timer.wav"] > 40_000


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
    assert "journalctl" in box.run("uninstall", PURGE="1"), "what the journal holds of it is told"
    assert not [each for each in box.root.rglob("*") if not each.is_dir()]


def test_changed_unit_is_brought_back(box: Box) -> None:
    box.run("install")
    unit = box.root / "etc/systemd/system/va.service"
    unit.write_text(unit.read_text().replace("PrivateNetwork=yes", ""))
    assert "Changed: /etc/systemd/system/va.service" in box.run("install")
    assert "PrivateNetwork=yes" in unit.read_text()


def test_make_asks_for_what_the_package_has() -> None:
    asked = re.findall(r"python -c '(.*?)'\)", (ROOT / "Makefile").read_text("utf-8"))
    assert asked
    for code in asked:
        made = [sys.executable, "-c", code.replace("$(OWN)", os.devnull)]
        done = subprocess.run(made, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr


def test_unit_file_is_whole_at_every_moment(box: Box, tmp_path: Path) -> None:
    """As strace sees it: what has a unit's name is never emptied or removed; what gets it is on the disk before."""
    if not shutil.which("strace"):
        pytest.skip("strace is not here: apt install strace")
    box.run("install")
    unit = box.root / "etc/systemd/system/va.service"
    unit.write_text("# of another release\n")
    name, trace = box.link("current"), tmp_path / "trace"
    calls = "trace=openat,unlink,unlinkat,rename,renameat,renameat2,truncate,fsync,fdatasync,syncfs"
    command = [
        "strace",
        "-f",
        "-y",
        "-qq",
        "-e",
        calls,
        "-o",
        str(trace),
        str(ROOT / "systemd/release"),
        "switch",
        name,
    ]
    subprocess.run(command, env=os.environ | {"DESTDIR": str(box.root)}, check=True, timeout=60, capture_output=True)
    lines = [line for line in trace.read_text().splitlines() if "va.service" in line and "= -1" not in line]
    changes = [line for line in lines if f'{unit}"' in line and not re.search(r"O_RDONLY|O_PATH", line)]
    assert [re.findall(r"\d+ +(\w+)\(", line)[0].startswith("rename") for line in changes] == [True], changes
    synced = next(at for at, line in enumerate(lines) if re.search(r"f(data)?sync\(", line) and f"{unit}.new" in line)
    assert synced < lines.index(changes[0])
