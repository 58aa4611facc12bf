"""The boards the appliance knows, and the one it is on."""

from __future__ import annotations

import ctypes
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache, reduce
from importlib import resources
from operator import or_
from pathlib import Path
from typing import Any

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier one is wrong: it is older than the appliance."""
THROTTLE_BITS = {"under_voltage": 0, "frequency_capped": 1, "throttled": 2, "temperature_limit": 3}
THROTTLED_BEFORE = 16
"""Of get_throttled (Raspberry Pi documentation, vcgencmd get_throttled)."""
_CHIP_BEHIND_S = 3_600
"""A clock chip may lag behind what a time server has told: 20 ppm are ten minutes a year. A judgement, and roomy."""
_TIMEX_BYTES = 512
"""More than `struct timex` has: 208 on 64 bits."""
_TIME_ERROR = 5


@lru_cache
def profiles() -> dict[str, dict[str, Any]]:
    """Name of each board profile -> the values it lays over the defaults."""
    return tomllib.loads(resources.files("appliance").joinpath("profiles.toml").read_text())


@lru_cache
def hats() -> dict[str, dict[str, Any]]:
    """Name of each known sound hat -> what it lays over the table [body] of a profile."""
    return tomllib.loads(resources.files("appliance").joinpath("hats.toml").read_text())


def board_name(board: Path = Path("/proc/device-tree/model")) -> str:
    """What the board says it is; empty where none does."""
    try:
        return board.read_bytes().decode(errors="replace").rstrip("\0")
    except OSError:
        return ""


def detect_profile(board: Path = Path("/proc/device-tree/model")) -> str:
    """The profile of the board this runs on; `desktop` where no board says what it is."""
    model = board_name(board)
    if "Jetson" in model:
        return "jetson"
    if "Raspberry Pi 5" in model or "Raspberry Pi Compute Module 5" in model:
        return "pi5"
    return "pi4" if "Raspberry Pi" in model else "desktop"


class ClockSource(Enum):
    """What is known to have set the board's clock since it was switched on."""

    NETWORK = "a time server"
    BATTERY = "a clock with a battery"
    OWNER = "the owner"
    NONE = "nothing"


def temperature_c(sys: Path = Path("/sys")) -> float | None:
    """Degrees Celsius of the hottest sensor; None where there is none."""
    millidegrees = list(filter(None, map(_number, sys.glob("class/thermal/thermal_zone*/temp"))))
    return max(millidegrees) / 1_000 if millidegrees else None


def throttle_flags(sys: Path = Path("/sys")) -> int | None:
    """Why a Raspberry Pi is slowed down, as the bits of get_throttled; None where nothing tells.

    Bit n of THROTTLE_BITS: now; n + THROTTLED_BEFORE: since the start. The firmware of a Pi 5 may not tell; the driver
    rpi_volt then tells of the supply, now.
    """
    told = [_number(file, base=16) for file in sys.glob("devices/platform/soc*/soc*:firmware/get_throttled")]
    told += [_number(file) for file in sys.glob("class/hwmon/hwmon*/in0_lcrit_alarm") if _is_supply(file)]
    flags = [each for each in told if each is not None]
    return reduce(or_, flags) if flags else None


def _is_supply(alarm: Path) -> bool:
    return alarm.with_name("name").read_text().strip() == "rpi_volt"


def _number(file: Path, base: int = 10) -> int | None:
    try:
        return int(file.read_text(), base)
    except (OSError, ValueError):  # a sensor that is switched off refuses to be read
        return None


def kernel_synchronised() -> bool:
    """Whether the kernel counts its clock as synchronised, as chrony, ntpd and systemd-timesyncd tell it.

    man adjtimex: with no mode set it only reads, and gives TIME_ERROR (5) while STA_UNSYNC is on. The service's jail
    refuses the call, which gives -1, unless systemd/chrony.conf is laid over it.
    """
    state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    return 0 <= state < _TIME_ERROR


def _computer(root: Path, floor: datetime) -> bool:
    """What is no known board is a computer, and has a battery."""
    return detect_profile(root / "proc/device-tree/model") == "desktop"


def _battery(root: Path, floor: datetime) -> bool:
    """A clock chip that lost its power begins at some day long ago: earlier than what the box has seen already."""
    try:
        shown = int((root / "sys/class/rtc/rtc0/since_epoch").read_text())
    except (OSError, ValueError):
        return False
    return shown >= max(FIRST_DAY.timestamp(), floor.timestamp() - _CHIP_BEHIND_S)


def _there(sign: str) -> Callable[[Path, datetime], bool]:
    return lambda root, floor: (root / sign).exists()


_SIGNS: tuple[tuple[ClockSource, Callable[[Path, datetime], bool]], ...] = (
    (ClockSource.NETWORK, _there("run/systemd/timesync/synchronized")),
    (ClockSource.OWNER, _there("run/va-clock/set")),  # root makes it after it set the clock by hand
    (ClockSource.BATTERY, _computer),
    (ClockSource.BATTERY, _battery),
)


def clock_source(
    floor: datetime = FIRST_DAY, root: Path = Path("/"), synchronised: Callable[[], bool] = kernel_synchronised
) -> ClockSource:
    """What makes the board's clock one to trust. `floor`: the latest time that the box has seen before this start."""
    if synchronised():
        return ClockSource.NETWORK
    return next((source for source, holds in _SIGNS if holds(root, floor)), ClockSource.NONE)


def clock_is_set(root: Path = Path("/")) -> bool:
    """Whether anything is known to have set this board's clock since it was switched on."""
    return clock_source(root=root) is not ClockSource.NONE
