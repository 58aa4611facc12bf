"""Recordings of any format that sox reads."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np

from appliance.audio import RATE_HZ, Samples
from appliance.errors import PartMissing


def recording(path: Path) -> Samples:
    """Of any format that sox reads."""
    if not shutil.which("sox"):
        raise PartMissing("sox is not installed", remedy="run: apt install sox")
    raw = ["-t", "raw", "-r", str(RATE_HZ), "-c", "1", "-b", "16", "-e", "signed-integer", "-L", "-"]
    found = subprocess.run(["sox", "-V1", str(path), *raw], stdout=subprocess.PIPE, check=True)
    return np.frombuffer(found.stdout, "<i2").astype(np.int16)
