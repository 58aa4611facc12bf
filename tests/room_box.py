"""`appliance run` in a room, and what can be seen and heard of it."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from room import Room

from appliance.audio import Samples, Utterance, never, read_wav, silence
from appliance.stt.whisper import WhisperCpp

RECORDINGS = Path(__file__).parent / "recordings"
READY_S = 300
"""Longest wait, on a machine that does other things as well; the first start reads the prompt's head (60 s here)."""
AUDIBLE = 200
"""RMS of int16 samples: the chime at the default volume has ten times as much, the empty room none."""


def said(*names: str) -> Samples:
    """Recordings one after the other, as in one breath."""
    return np.concatenate([part for name in names for part in (read_wav(RECORDINGS / f"{name}.wav"), silence(0.2))])


def loudness(sound: Samples) -> float:
    """RMS of int16 samples."""
    return float(np.sqrt(np.mean(sound.astype(np.float64) ** 2))) if len(sound) else 0.0


def spoken(sound: Samples, whisper: Path) -> str:
    """What a person hears in it, as that model writes it down."""
    return WhisperCpp(whisper).transcribe(Utterance(sound), never).text


class Box:
    """`appliance run` in the room."""

    def __init__(self, room: Room, state: Path, models: Path, settings: str = "") -> None:
        """settings: of the owner, in TOML."""
        (config := state.with_suffix(".toml")).write_text(settings)
        self._room, self._records = room, queue.Queue[dict[str, Any]]()
        self.log: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "appliance", "run", "--json", "--state", str(state), "--config", str(config)],
            env=room.environment | {"VOICE_APPLIANCE_MODELS": str(models)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for read in (self._read_records, self._read_log):
            threading.Thread(target=read, daemon=True).start()

    def _read_records(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._records.put(json.loads(line))

    def _read_log(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.log.append(line)

    def wait_until_ready(self) -> None:
        ends_s = time.monotonic() + READY_S
        while not any("ready" in line for line in self.log):
            assert self.process.poll() is None, "".join(self.log)
            assert time.monotonic() < ends_s, "".join(self.log)
            time.sleep(0.1)
        time.sleep(1)  # the microphone's stream

    def record(self, within_s: float) -> dict[str, Any] | None:
        try:
            return self._records.get(timeout=within_s)
        except queue.Empty:
            return None

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(timeout=10)
