"""`appliance wyoming run` in a process of its own, as va-wyoming.service starts it; its core hears and speaks."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from speaking_core import SpeakingCore

from appliance.audio import Samples, Utterance, never
from appliance.stt.whisper import WhisperCpp
from appliance.tts.piper import Piper

START_S = 60.0
"""On a machine that does other things as well."""
SETTINGS = """
[words]
model = "whisper-tiny.en"
[wyoming]
name = "Kitchen box"
address = "127.0.0.1"
port = {port}
wake = true
announce = false
core_socket = "{core}"
satellite_of = "{satellite_of}"
satellite_port = {satellite_port}
"""


@contextmanager
def core_with(path: Path, whisper: WhisperCpp, piper: Piper) -> Iterator[SpeakingCore]:
    """On a thread of its own."""

    def hear(samples: Samples) -> str:
        return whisper.transcribe(Utterance(samples), never).text

    core, loop = SpeakingCore(path, hear, piper.synthesize), asyncio.new_event_loop()
    ended = asyncio.Event()

    async def run() -> None:
        async with core.running():
            await ended.wait()

    thread = Thread(target=lambda: loop.run_until_complete(run()), name="core")
    thread.start()
    try:
        yield core
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()


class WyomingProcess:
    def __init__(self, folder: Path, core: Path, satellite_of: str = "") -> None:
        with socket.create_server(("127.0.0.1", 0)) as free, socket.create_server(("127.0.0.1", 0)) as other:
            self.port, self.satellite_port = (int(each.getsockname()[1]) for each in (free, other))
        self.config = folder / "wyoming.toml"
        ports = {"port": self.port, "satellite_port": self.satellite_port}
        self.config.write_text(SETTINGS.format(core=core, satellite_of=satellite_of, **ports))
        self._log = folder / "wyoming.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self.command("run"), stderr=log)
        self._await(lambda: b"is spoken" in self._log.read_bytes())

    def command(self, action: str) -> list[str]:
        return [sys.executable, "-m", "appliance", "wyoming", action, "--config", str(self.config)]

    @property
    def log(self) -> str:
        return self._log.read_text()

    @property
    def memory_mb(self) -> float:
        pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def end(self) -> int:
        """As systemd ends it: its exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(30)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _await(self, holds: Callable[[], bool]) -> None:
        ends_s = time.monotonic() + START_S
        while not holds():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < ends_s
            time.sleep(0.05)
