"""What the doctor asks of the board itself: room, clock, heat, supply, and the kernel's hold on memory."""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path

from appliance.boards import FIRST_DAY, temperature_c, throttle_flags
from appliance.terminal.check import Check

DISK_LOW_MB = 200
"""The database with three copies, some 4 MB each with 5,000 exchanges, and the snapshots, 4 x 28 MB, fit in this."""
HOT_C = 80
"""A Raspberry Pi slows down from here, a Jetson Orin from 99; at 85 a Pi stops being useful."""
UNDER_VOLTAGE = 0x1_0001
"""Bits of boards.throttle_flags: now, and since the start."""


def disk(folder: Path) -> Check:
    present = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    free_mb = shutil.disk_usage(present).free // 1_000_000
    return Check(
        "disk",
        free_mb >= DISK_LOW_MB,
        f"{free_mb:,} MB free in {present}",
        "" if free_mb >= DISK_LOW_MB else "make room, or move `state` to another disk",
    )


def clock(now: datetime, is_set: bool) -> Check:
    shown = f"{now:%Y-%m-%d %H:%M} UTC"
    if now < FIRST_DAY:
        return Check("clock", False, shown, "set it: timedatectl set-time, or connect NTP")
    doubt = "it may be wrong, for nothing is known to have set it: give the board a clock battery, or connect NTP"
    return Check("clock", True, shown, "" if is_set else doubt)


def temperature(sys: Path) -> Check:
    """Of the hottest sensor; and whether a Raspberry Pi's supply is too weak, which slows it down as well."""
    if (throttle_flags(sys) or 0) & UNDER_VOLTAGE:
        return Check(
            "temperature", False, "the supply voltage is too low", "use the board's own power supply and cable"
        )
    hottest_c = temperature_c(sys)
    if hottest_c is None:
        return Check("temperature", True, "no sensor here")
    remedy = "" if hottest_c < HOT_C else "it is slowed down: give it a fan, or a place with air"
    return Check("temperature", not remedy, f"{hottest_c:.0f} degrees Celsius", remedy)


def memory(sys: Path) -> Check:
    """Whether the kernel holds a service to its MemoryMax=. Raspberry Pi OS starts it with cgroup_disable=memory."""
    try:
        controllers = (sys / "fs/cgroup/cgroup.controllers").read_text().split()
    except OSError:
        return Check("memory", True, "nothing tells whether the kernel limits it")
    if "memory" in controllers:
        return Check("memory", True, "the kernel holds the service to its limit")
    remedy = "add cgroup_enable=memory to the line in /boot/firmware/cmdline.txt, and restart the board"
    return Check("memory", False, "the kernel does not hold the service to its limit", remedy)
