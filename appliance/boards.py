"""The boards the appliance knows, and the one it is on."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any


@lru_cache
def profiles() -> dict[str, dict[str, Any]]:
    """Name of each board profile -> the values it lays over the defaults."""
    return tomllib.loads(resources.files("appliance").joinpath("profiles.toml").read_text())


def detect_profile(board: Path = Path("/proc/device-tree/model")) -> str:
    """The profile of the board this runs on; `desktop` where no board says what it is."""
    try:
        model = board.read_bytes().decode(errors="replace")
    except OSError:
        return "desktop"
    if "Jetson" in model:
        return "jetson"
    return "pi5" if "Raspberry Pi 5" in model else "pi4" if "Raspberry Pi" in model else "desktop"
