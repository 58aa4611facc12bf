"""A room without a sound card: a person's voice comes in, the box's sound goes out, all through real streams.

A PulseAudio server of our own has two sinks: `room` is the air in front of the microphone, `speaker` is what the box
plays. ALSA, and so PortAudio, is pointed at it by the environment, which ALSA reads when a process opens it first:
what listens to the room is best a process of its own (`environment`).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np
import pytest

from appliance.audio import RATE_HZ, Samples, Speech, read_wav, write_wav

NEEDS = ("pulseaudio", "pactl", "paplay", "parec")
ALSA_CONFIG = """
</usr/share/alsa/alsa.conf>
pcm.!default { type pulse }
ctl.!default { type pulse }
pcm.pulse { type pulse }
ctl.pulse { type pulse }
"""
LATENCY_MS = 20
"""Without a reader that asks for this little, a null sink works in blocks of 2 s."""


def opened() -> Iterator[Room]:
    """The body of a fixture: the room, or a skip by name where its programs are absent, which is a failure in CI."""
    if absent := [name for name in NEEDS if shutil.which(name) is None]:
        told = f"the sound room needs {', '.join(absent)}: apt install pulseaudio pulseaudio-utils libasound2-plugins"
        if os.environ.get("CI") == "true":
            pytest.fail(told)
        pytest.skip(told)
    with Room() as room:
        yield room


class Room:
    """A context manager. Every process it starts ends with it."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="room-"))
        self._folder.chmod(0o700)
        (self._folder / "asound.conf").write_text(ALSA_CONFIG)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._loopback: str | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to be in this room."""
        folder = str(self._folder)
        own = {"XDG_RUNTIME_DIR": folder, "HOME": folder, "ALSA_CONFIG_PATH": f"{folder}/asound.conf"}
        return os.environ | own | {"PULSE_SERVER": f"unix:{folder}/pulse/native"}

    def __enter__(self) -> Room:
        self.plug_in()
        return self

    def plug_in(self, *before: str) -> None:
        """The sound card; `before`: others that are found first, so that this one and its parts have other numbers."""
        names = (*before, "room", "speaker")
        sinks = [f"--load=module-null-sink sink_name={name} rate=48000" for name in names]
        options = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes"]
        self.server = self._start(["pulseaudio", *options, *sinks, "--load=module-native-protocol-unix"])
        self._await(lambda: self._control("info", check=False).returncode == 0)
        self._control("set-default-source", "room.monitor")
        self._control("set-default-sink", "speaker")
        for sink in ("room", "speaker"):
            self._start([*_listen(sink)])

    def unplug(self) -> None:
        _end(self.server)

    @property
    def number(self) -> int:
        """The microphone's, for the sound server."""
        listed = self._control("list", "short", "sources").stdout.decode().splitlines()
        return next(int(number) for number, name, *_ in map(str.split, listed) if name == "room.monitor")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._processes):
            _end(process)
        shutil.rmtree(self._folder)

    def speak(self, what: Path | Samples) -> None:
        """A person in the room says it; returns when it is said."""
        samples = read_wav(what) if isinstance(what, Path) else what
        file = self._folder / "spoken.wav"
        write_wav(file, Speech(samples, RATE_HZ))
        subprocess.run(["paplay", "--device=room", str(file)], env=self.environment, check=True, timeout=120)

    @contextmanager
    def noise(self, samples: Samples) -> Iterator[None]:
        """What is heard in the room as long as this is open: `samples`, over and over for at most a minute."""
        file = self._folder / "noise.wav"
        write_wav(file, Speech(np.tile(samples, max(1, 60 * RATE_HZ // len(samples))), RATE_HZ))
        process = self._start(["paplay", "--device=room", str(file)])
        time.sleep(0.5)
        yield
        _end(process)

    @contextmanager
    def recording(self) -> Iterator[Callable[[], Samples]]:
        """What the box plays, as long as this is open: call the result at any time for the sound so far."""
        file = self._folder / f"heard-{len(self._processes)}.raw"
        with file.open("wb") as out:
            process = self._start([*_listen("speaker")], out.fileno())
            self._await(lambda: file.stat().st_size > 0)
            yield lambda: np.frombuffer(file.read_bytes()[: file.stat().st_size // 2 * 2], dtype=np.int16)
            _end(process)

    def record(self, seconds: float) -> Samples:
        with self.recording() as heard:
            time.sleep(seconds)
            return heard()

    def loopback(self, on: bool, latency_ms: int = 60) -> None:
        """Whether the box hears itself: the speaker stands in the room."""
        if self._loopback is not None:
            self._control("unload-module", self._loopback)
            self._loopback = None
        if on:
            options = ["source=speaker.monitor", "sink=room", f"latency_msec={latency_ms}"]
            self._loopback = self._control("load-module", "module-loopback", *options).stdout.decode().strip()

    def _start(self, command: list[str], out: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, env=self.environment, stdout=out, stderr=subprocess.DEVNULL)
        self._processes.append(process)
        return process

    def _control(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["pactl", *words], env=self.environment, capture_output=True, check=check, timeout=10)

    @staticmethod
    def _await(true: Callable[[], bool], within_s: float = 10) -> None:
        ends_s = time.monotonic() + within_s
        while not true():
            if time.monotonic() > ends_s:
                raise TimeoutError("the room does not come up")
            time.sleep(0.02)


def _listen(sink: str) -> Iterator[str]:
    yield from ("parec", f"--device={sink}.monitor", f"--latency-msec={LATENCY_MS}")
    yield from ("--format=s16le", f"--rate={RATE_HZ}", "--channels=1", "--raw")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
