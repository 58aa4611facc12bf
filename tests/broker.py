"""A real Mosquitto on a loopback port of its own, and a client that listens and publishes; for tests."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

PATIENCE_S = 20.0
CONFIG = """\
listener {port} 127.0.0.1
persistence false
allow_anonymous {anonymous}
message_size_limit 0
max_queued_bytes 100000000
{more}
"""


class Broker:
    """The program. `start` and `kill` as often as one likes: it finds what it had retained only where it persists."""

    def __init__(self, folder: Path, more: str = "", anonymous: bool = True) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = int(server.getsockname()[1])
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        text = CONFIG.format(port=self.port, anonymous=str(anonymous).lower(), more=more)
        (folder / "mosquitto.conf").write_text(text)
        self.start()

    def start(self) -> None:
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
        assert program, "there is no mosquitto: make setup installs it"
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen([program, "-c", self._folder / "mosquitto.conf"], stdout=log, stderr=log)
        ends_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_s:
            with socket.socket() as caller:
                if caller.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        self.kill()
        raise AssertionError((self._folder / "log").read_text())

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def hang(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Broker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()


class Watcher:
    """A client of the broker that follows every topic; a context manager."""

    def __init__(self, port: int, topics: str = "#") -> None:
        self.now: dict[str, str] = {}
        """Topic -> the newest message."""
        self.all: list[tuple[str, str]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe(topics)
        self._client.on_message = lambda client, data, message: self._take(message)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def publish(self, topic: str, payload: Any, retain: bool = False, qos: int = 1) -> None:
        """And wait until the broker has it. Of a dict its JSON."""
        text = json.dumps(payload) if isinstance(payload, dict) else payload
        info = self._client.publish(topic, text, qos, retain)
        if qos:
            info.wait_for_publish(PATIENCE_S)

    def until(self, topic: str, fits: str | Callable[[str], bool]) -> str:
        """What is there once it fits, or equals."""
        ends_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_s:
            told = self.now.get(topic)
            if told is not None and (told == fits if isinstance(fits, str) else fits(told)):
                return told
            time.sleep(0.02)
        raise AssertionError(f"{topic} is {self.now.get(topic)!r}; there are {sorted(self.now)}")

    def __enter__(self) -> Watcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _take(self, message: mqtt.MQTTMessage) -> None:
        text = message.payload[:10_000].decode(errors="replace")
        self.now[message.topic] = text
        self.all.append((message.topic, text))
