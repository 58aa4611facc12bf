"""What is left where the appliance cannot start: its unit's own script, real files, a noting sound card."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from as_root import SYSTEMD, UID, Namespace

from appliance.audio import read_wav
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.tts.ring import chime

SOUNDS = "/usr/local/share/va"
AS_VA = [
    "setpriv",
    "--reuid",
    "va",
    "--regid",
    "va",
    "--clear-groups",
    "env",
    "-i",
    "PATH=/usr/local/bin:/usr/bin:/bin",
]


class Broken(Namespace):
    """A box whose release has no Python; `aplay` notes its arguments, and fails for what is not there."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (self.release / "bin/python").unlink()
        (folder / "local/share/va").mkdir(parents=True)
        for line in (SYSTEMD / "files").read_text().splitlines():
            if line[0] != "#" and "/usr/local/" in line:
                _, name, place = line.split()
                target = folder / "local" / place.removeprefix("/usr/local/")
                target.write_bytes((SYSTEMD / name).read_bytes())
        self.play("degraded.wav", "timer.wav")
        (folder / "local/bin/aplay").write_text(
            '#!/bin/sh\necho "$*" >>/opt/calls\nfor last; do :; done\n[ -e "$last" ]\n'
        )
        (folder / "local/bin/aplay").chmod(0o755)
        (folder / "opt/run").mkdir()
        os.chown(folder / "opt/run", UID, UID)

    def play(self, *sounds: str) -> None:
        """These were rendered as the release was switched to."""
        for name in sounds:
            (self.folder / "local/share/va" / name).touch()

    def timer(self, due_in_s: float, paused: bool = False) -> None:
        with Store(self.state / "appliance.db") as store:
            timers = SqliteTimers(store)
            made = timers.add("tea", 60, datetime.now(UTC) + timedelta(seconds=due_in_s))
            if paused:
                timers.pause(made.id, 30)
        for file in self.state.iterdir():
            os.chown(file, UID, UID)

    def degraded(self, seconds: int = 2) -> list[str]:
        """What was played while the unit's line ran, as the service's user."""
        (start,) = re.findall(
            r"^ExecStart=-(/bin/sh .*) 300$", (SYSTEMD / "va-degraded.service").read_text(), re.MULTILINE
        )
        words = " ".join([*AS_VA, *shlex.split(start), str(seconds)])
        done = self.run("sh", "-ec", f"cd /opt/run; {words}")
        assert done.returncode == 0, done.stderr
        self.said = done.stderr
        return self.calls


@pytest.fixture
def box(tmp_path: Path) -> Broken:
    (tmp_path / "box").mkdir()
    return Broken(tmp_path / "box")


def test_it_says_so_once(box: Broken) -> None:
    assert box.degraded() == [f"-q {SOUNDS}/degraded.wav"]
    assert box.degraded() == [f"-q {SOUNDS}/degraded.wav"], "it says it again"


def test_where_no_voice_was_there_to_make_the_sentence_it_chimes(box: Broken) -> None:
    (box.folder / "local/share/va/degraded.wav").unlink()
    assert box.degraded()[-1] == f"-q {SOUNDS}/chime.wav"


def test_speaker_of_the_settings_is_asked_for_by_its_card(box: Broken) -> None:
    text = (SYSTEMD / "degraded").read_text()
    cards = box.folder / "opt/cards"
    cards.write_text(
        " 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi-0\n 2 [Jabra          ]: USB-Audio - Jabra SPEAK 510 USB\n"
    )
    (box.folder / "opt/config.toml").write_text('[sound]\nmicrophone = "USB"\nspeaker = "jabra"\n')
    text = text.replace("/proc/asound/cards", "/opt/cards").replace("/etc/voice-appliance", "/opt")
    (box.folder / "local/lib/va/degraded").write_text(text)
    assert box.degraded() == [f"-q -D plughw:2 {SOUNDS}/degraded.wav"]


@pytest.mark.parametrize(
    ("body", "lit"),
    [
        ('pins = "gpiozero"', ["22=1"]),
        ('light_pins = ["GPIO5", "GPIO6", "GPIO13"]', ["5=1"]),
        ('light_pins = ["GPIO5"]\nlight_active_high = false', ["5=0"]),
        ('light_pins = ["BOARD11"]', []),
        ("light_pins = []", []),
        ('pins = "none"', []),
        ('strip = "apa102"', []),
    ],
)
def test_the_light_of_the_settings_blinks_and_no_other_pin(box: Broken, body: str, lit: list[str]) -> None:
    (box.folder / "opt/config.toml").write_text(f"[body]\n{body}\n")
    (box.folder / "opt/model").write_text("Raspberry Pi 5 Model B Rev 1.0")
    gpioset = box.folder / "local/bin/gpioset"
    gpioset.write_text('#!/bin/sh\n[ "$1" = --version ] && echo gpioset v2.1 || echo "lit ${*##* }" >>/opt/calls\n')
    gpioset.chmod(0o755)
    text = (SYSTEMD / "degraded").read_text()
    text = text.replace("/proc/device-tree/model", "/opt/model").replace("/etc/voice-appliance", "/opt")
    (box.folder / "local/lib/va/degraded").write_text(text)
    assert [call.split()[-1] for call in box.degraded() if call.startswith("lit")] == lit


RINGS = f"-q {SOUNDS}/chime.wav {SOUNDS}/timer.wav"


@pytest.mark.parametrize(
    ("due_in_s", "paused", "rings"),
    [(1, False, True), (-60, False, True), (-1_000, False, False), (600, False, False), (0, True, False)],
    ids=["due meanwhile", "a minute ago", "long ago", "later", "paused"],
)
def test_timer_rings_without_any_release(box: Broken, due_in_s: float, paused: bool, rings: bool) -> None:
    box.timer(due_in_s, paused)
    before = (box.state / "appliance.db").read_bytes()
    played = box.degraded(seconds=3)
    assert (RINGS in played) is rings, box.said
    assert (box.state / "appliance.db").read_bytes() == before, "it is only read"


def test_each_timer_rings_once(box: Broken) -> None:
    box.timer(0)
    assert box.degraded(seconds=4).count(RINGS) == 10


@pytest.mark.parametrize("spoil", [lambda file: file.write_bytes(b"?" * 4_096), lambda file: file.unlink()])
def test_database_that_cannot_be_read_is_told_of_and_nothing_breaks(
    box: Broken, spoil: Callable[[Path], object]
) -> None:
    box.timer(0)
    for file in box.state.iterdir():
        spoil(file)
    assert box.degraded() == [f"-q {SOUNDS}/degraded.wav"]
    assert box.said.count("timers cannot be read") == 2


def test_chime_is_the_one_of_the_service() -> None:
    assert (read_wav(SYSTEMD / "chime.wav") == chime().samples).all()
