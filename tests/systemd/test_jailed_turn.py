"""Proof of offline: a whole spoken turn where there is no network and no family to open a socket of, watched."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from small import Small

from appliance import settings_file
from appliance.audio import read_wav

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests/recordings/hey_jarvis_tokyo.wav"
FAMILIES = re.findall(r"^RestrictAddressFamilies=(.*)$", (ROOT / "systemd/va.service").read_text(), re.MULTILINE)
PATIENCE_S = 300
"""On a machine that does other things as well; alone, a turn in the jail takes some 10 s."""
NEEDS = ("strace", "unshare")
PROBE = "import socket; socket.socket(socket.AF_INET)"


class Jail:
    """Runs commands with nothing to leave by, and writes down every attempt. As in a fresh login: `CI` is not set."""

    def __init__(self, folder: Path) -> None:
        self._trace, self._home = folder / "trace", folder / "home"
        self._home.mkdir()

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        calls = "trace=socket,connect,sendto,sendmsg,sendmmsg"
        watch = ["strace", "-f", "-qq", "-e", calls, "-o", str(self._trace)]
        alone = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
        confined = [sys.executable, str(Path(__file__).with_name("jailed.py")), *FAMILIES[0].split(), "--"]
        return subprocess.run(
            [*watch, *alone, *confined, *command],
            env={
                "HOME": str(self._home),
                "PATH": "/usr/bin:/bin",
                "PYTHONPATH": str(ROOT),
                "VOICE_APPLIANCE_MODELS": str(settings_file.load().models),
                "PULSE_SERVER": f"unix:{self._home}/none",  # or a sound server would be started: no part of this
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )

    @property
    def attempts(self) -> list[str]:
        """Every line of the trace about anything but a socket within this machine's files."""
        lines = self._trace.read_text().splitlines()
        return [line for line in lines if re.search(r"AF_(?!UNIX\b)[A-Z0-9]+", line)]


@pytest.fixture
def jail(tmp_path: Path) -> Jail:
    if absent := [name for name in NEEDS if shutil.which(name) is None]:
        pytest.skip(f"{', '.join(absent)} not here: apt install strace util-linux")
    return Jail(tmp_path)


def test_the_jail_holds_and_the_watch_sees_an_attempt(jail: Jail) -> None:
    done = jail.run(sys.executable, "-c", PROBE)
    assert "Address family not supported" in done.stderr
    assert len(jail.attempts) == 1
    assert jail.run("cat", "/proc/net/dev").stdout.count(":") == 1, "there is more than a loopback"
    assert jail.attempts == []


def test_a_whole_spoken_turn_is_heard_thought_about_and_answered_offline(
    jail: Jail, small: Small, tmp_path: Path
) -> None:
    """With one thread a model: several wait for each other by system calls, and strace stops them at every one."""
    out = tmp_path / "answer.wav"
    options = ["--json", "--config", str(small.single), "--state", str(small.state)]
    done = jail.run(sys.executable, "-m", "appliance", "hear", *options, "--out", str(out), str(RECORDING))
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert "Tokyo" in record["heard"]
    assert record["model"]["calls"] >= 1
    assert record["said"]
    assert np.abs(read_wav(out)).max() > 1_000
    assert jail.attempts == []
    assert not list(tmp_path.rglob("deviceid")), "an identity of this box was made up for telemetry"
