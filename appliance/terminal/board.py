"""What the doctor asks of the board itself: room, clock, heat, supply, and the kernel's hold on memory."""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path

from appliance.boards import FIRST_DAY
from appliance.terminal.check import Check

DISK_LOW_MB = 200
"""The database with three copies, some 4 MB each with 5,000 exchanges, and the snapshots, 4 x 28 MB, fit in this."""
HOT_C = 80
"""A Raspberry Pi slows down from here, a Jetson Orin from 99; at 85 a Pi stops being useful."""
UNDER_VOLTAGE = 0x1_0001
"""Bits of get_throttled: now, and since the start (Raspberry Pi documentation, vcgencmd get_throttled)."""


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
    if _is_weak(sys):
        return Check(
            "temperature", False, "the supply voltage is too low", "use the board's own power supply and cable"
        )
    millidegrees = list(filter(None, map(_number, sys.glob("class/thermal/thermal_zone*/temp"))))
    if not millidegrees:
        return Check("temperature", True, "no sensor here")
    hottest_c = max(millidegrees) / 1_000
    remedy = "" if hottest_c < HOT_C else "it is slowed down: give it a fan, or a place with air"
    return Check("temperature", not remedy, f"{hottest_c:.0f} degrees Celsius", remedy)


def _is_weak(sys: Path) -> bool:
    """The firmware tells now and since the start, a Pi 5's may not; the driver rpi_volt tells now."""
    flags = [_number(file, base=16) or 0 for file in sys.glob("devices/platform/soc*/soc*:firmware/get_throttled")]
    alarms = [_number(file) for file in sys.glob("class/hwmon/hwmon*/in0_lcrit_alarm") if _is_supply(file)]
    return any(each & UNDER_VOLTAGE for each in flags) or any(alarms)


def _is_supply(alarm: Path) -> bool:
    return alarm.with_name("name").read_text().strip() == "rpi_volt"


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


def _number(file: Path, base: int = 10) -> int | None:
    try:
        return int(file.read_text(), base)
    except (OSError, ValueError):  # a sensor that is switched off refuses to be read
        return None
