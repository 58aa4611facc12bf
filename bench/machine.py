"""On what, when and with which code and models something was measured."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

from appliance.models import choice
from appliance.models.registry import Catalog
from appliance.models.store import sha256_of
from appliance.settings import Settings

CHECKOUT = Path(__file__).parent.parent
_BOARD = Path("/proc/device-tree/model")
_VENDOR = re.compile(r"\((?:R|TM)\)|\bCPU\b|\bprocessor\b|@.*", re.IGNORECASE)


def name() -> str:
    """Short, for file names: the board, or the processor and its cores; never the host's name."""
    if _BOARD.exists():
        return _slug(_BOARD.read_text(errors="replace").strip("\0"))
    return _slug(f"{_VENDOR.sub('', cpu())} {os.cpu_count()} cores")


def cpu() -> str:
    found = re.search(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    return found[1] if found else platform.machine()


def describe() -> dict[str, Any]:
    """Everything about the machine that explains a figure. Null where it cannot be read."""
    return {
        "name": name(),
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "memory_mb": _memory_mb("MemTotal"),
        "memory_free_mb": _memory_mb("MemAvailable"),
        "load_1m": round(os.getloadavg()[0], 2),
        "temperature_c": _temperature_c(),
        "throttled": _throttled(),
        "python": platform.python_version(),
    }


def today() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%d")


def commit() -> str:
    """The short hash, with a plus sign when there are changes that it does not hold."""
    return _run("git", "describe", "--always", "--dirty=+", "--exclude=*") or "unknown"


def model_hashes(settings: Settings) -> dict[str, str]:
    """Role -> sha256 of the file in use, the first of several."""
    catalog = Catalog(settings.models)
    names = {
        "llm": settings.thought.model,
        "stt": choice.words(settings),
        "voice": choice.voice(settings),
        "wake": f"wake/{settings.ears.wake_words[0]}",
    }
    files = {role: catalog.paths(model) for role, model in names.items() if model != choice.ESPEAK}
    return {role: sha256_of(next(iter(paths.values()))) for role, paths in files.items()}


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _memory_mb(field: str) -> int | None:
    found = re.search(rf"^{field}:\s*(\d+) kB", _read("/proc/meminfo"), re.MULTILINE)
    return int(found[1]) // 1024 if found else None


def _temperature_c() -> float | None:
    """The hottest thermal zone."""
    zones = [_read(path) for path in Path("/sys/class/thermal").glob("thermal_zone*/temp")]
    degrees = [int(text) / 1000 for text in zones if text.strip().lstrip("-").isdigit()]
    return max(degrees, default=None)


def _throttled() -> str | None:
    """A Raspberry Pi's own word on it: `0x0` is never since boot."""
    return _run("vcgencmd", "get_throttled").removeprefix("throttled=") or None


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _run(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=CHECKOUT).stdout.strip()
    except OSError:
        return ""
