"""How the service came to its end before, counted over restarts in a file of the state folder."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ValidationError

log = logging.getLogger(__name__)

FILE, TOLD = "ends.json", "last-end"
"""What is counted; and what systemd wrote of the last end (ExecStopPost= of va.service), $SERVICE_RESULT."""
CAUSES = {
    "success": "asked",
    "watchdog": "watchdog",
    "signal": "signal",
    "core-dump": "signal",
    "exit-code": "error",
    "protocol": "error",
    "timeout": "timeout",
    "oom-kill": "memory",
    "resources": "resources",
}
"""$SERVICE_RESULT (man systemd.exec) -> cause. Two more are found out without it: power, unknown."""


class _Ends(BaseModel):
    boot: str
    """Of the last start."""
    causes: dict[str, int] = {}


def count(state: Path, boot_id: Path = Path("/proc/sys/kernel/random/boot_id")) -> Mapping[str, int]:
    """To be called once in a start: cause -> how often the service ended of it. A disk that refuses costs the count."""
    file, boot = state / FILE, boot_id.read_text().strip()
    before = _read(file)
    causes = Counter(before.causes) if before else Counter[str]()
    if before:
        causes[_cause(state / TOLD, before.boot == boot)] += 1
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = file.with_suffix(".new")
        draft.write_text(_Ends(boot=boot, causes=causes).model_dump_json())
        draft.replace(file)
        (state / TOLD).unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s cannot be written (%s): this restart is not counted", file, error.strerror)
    return causes


def _read(file: Path) -> _Ends | None:
    with suppress(OSError, ValidationError):  # the first start, or a power cut in the middle of one
        return _Ends.model_validate_json(file.read_bytes())
    return None


def _cause(told: Path, same_boot: bool) -> str:
    """Nothing was told: the power went before anybody could, or no systemd started the service."""
    with suppress(OSError):
        return CAUSES.get(told.read_text(errors="replace").strip(), "unknown")
    return "unknown" if same_boot else "power"
