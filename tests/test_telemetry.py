"""onnxruntime phones home some 9 s after its first session. Real processes, without `CI`, watched by the kernel."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ModelPath = Callable[..., Path]

PHONES_HOME_WITHIN_S = 60
"""Seen: 9.2 s, twice, on a 2-core x86-64 machine with onnxruntime 1.31.1."""
REST_S = 3
READY = "ready\n"

BARE = """
import sys, onnxruntime
onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
print("ready", flush=True)
sys.stdin.read()
"""
OURS = """
import sys
from pathlib import Path
from appliance.audio import silence
from appliance.ears.turn_end import SmartTurn
from appliance.ears.words import detector
from appliance.tts.piper import Piper
hubert, micro, features, turn_end, voice, config = map(Path, sys.argv[1:])
words = {"alone": {"wakehubert": hubert}, "both": {"wakehubert": hubert, "microwakeword": micro}}
detector(words, features).score(silence(1))
SmartTurn(turn_end).probability(silence(1))
assert sum(piece.seconds for piece in Piper(voice, config).synthesize("Nobody else hears this.")) > 0.5
print("ready", flush=True)
sys.stdin.read()
"""


class Watched:
    """A Python process whose every internet socket is written down by strace."""

    def __init__(self, home: Path, script: str, models: list[Path]) -> None:
        home.mkdir()
        self.home, self._trace, self._said = home, home / "trace", home / "said"
        trace = ["strace", "-f", "-qq", "-e", "trace=socket,connect,sendto", "-o", str(self._trace)]
        with self._said.open("w") as said:
            self._process = subprocess.Popen(
                [*trace, sys.executable, "-c", script, *map(str, models)],
                env={"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parent.parent)},
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self._said.read_text()

    @property
    def sockets(self) -> list[str]:
        lines = self._trace.read_text().splitlines() if self._trace.exists() else []
        return [line for line in lines if "AF_INET" in line]

    def close(self) -> None:
        self._process.communicate(timeout=30)  # the script ends with its input


@contextmanager
def watched(home: Path, script: str, models: list[Path]) -> Iterator[Watched]:
    process = Watched(home, script, models)
    try:
        yield process
    finally:
        process.close()


def wait_until_it_phones(bare: Watched) -> None:
    patience_s = time.monotonic() + PHONES_HOME_WITHIN_S
    while not bare.sockets and time.monotonic() < patience_s:
        time.sleep(0.2)


def test_models_run_without_a_single_internet_socket(tmp_path: Path, model: ModelPath) -> None:
    """Beside it, onnxruntime alone: once that has reached out, the appliance has had its time to do so too."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not here: apt-get install strace")
    wake, micro = model("wake/jarvis", "wakehubert"), model("wake/alexa", "microwakeword")
    voice = [model("piper-en-us-joe", key) for key in ("onnx", "json")]
    models = [wake, micro, model("wake/features"), model("smart-turn-v3.2"), *voice]
    with watched(tmp_path / "ours", OURS, models) as ours:
        while ours.said != READY:
            assert not ours.said, ours.said
            time.sleep(0.2)
        with watched(tmp_path / "bare", BARE, [wake]) as bare:
            wait_until_it_phones(bare)
            assert bare.sockets, f"the rig proves nothing: onnxruntime alone stayed silent; it said {bare.said!r}"
        time.sleep(REST_S)
        assert ours.sockets == []
        assert ours.said == READY
    assert not list(ours.home.rglob("deviceid")), "an identity of this box was made up for telemetry"
