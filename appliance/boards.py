"""The boards the appliance knows, and the one it is on."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier one is wrong: it is older than the appliance."""


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
    if "Raspberry Pi 5" in model or "Raspberry Pi Compute Module 5" in model:
        return "pi5"
    return "pi4" if "Raspberry Pi" in model else "desktop"


def clock_is_set(root: Path = Path("/")) -> bool:
    """Whether a time server, or a clock with a battery, is known to have set this board's since it was switched on.

    One without either goes on from when it was switched off. What is no known board is a computer, and has a battery.
    chrony and ntpd leave no sign that they have set it (the kernel's is behind a call that the jail refuses): where one
    of them runs, it is believed to have.
    """
    if detect_profile(root / "proc/device-tree/model") == "desktop":
        return True
    with suppress(OSError, ValueError):
        if int((root / "sys/class/rtc/rtc0/since_epoch").read_text()) >= FIRST_DAY.timestamp():
            return True
    signs = ("run/systemd/timesync/synchronized", "run/chrony", "run/ntpd.pid")
    return any((root / sign).exists() for sign in signs)
