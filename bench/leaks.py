"""What a process holds as time goes by: memory, threads, descriptors."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.processes import opened
from bench.results import Row

AT_REST = 6
"""Samples at each end of which the least counts: what is only busy for a moment is no leak."""


class Sample(NamedTuple):
    at_s: float
    memory_mb: float
    """Resident, without the language model's process."""
    threads: int
    descriptors: int


def sample(pid: int) -> Sample:
    status = Path(f"/proc/{pid}/status").read_text()
    kb, threads = (int(re.findall(rf"^{name}:\s*(\d+)", status, re.MULTILINE)[0]) for name in ("VmRSS", "Threads"))
    return Sample(time.monotonic(), kb / 1024, threads, len(opened(pid)))


def slope_mb_h(samples: Sequence[Sample]) -> float:
    """Of the memory, by least squares. At least two samples."""
    hours = [each.at_s / 3_600 for each in samples]
    return float(np.polyfit(np.subtract(hours, hours[0]), [each.memory_mb for each in samples], 1)[0])


def growth(samples: Sequence[Sample]) -> Row:
    """Between the first samples and the last: memory at its least there; of threads and descriptors the most at first
    and the least at last, for what a fault took away for a moment comes back."""
    first, last = samples[:AT_REST], samples[-AT_REST:]
    return {
        "mb_per_h": round(slope_mb_h(samples), 2),
        "memory_mb": [round(min(each.memory_mb for each in some), 1) for some in (first, last)],
        "threads": [max(each.threads for each in first), min(each.threads for each in last)],
        "descriptors": [max(each.descriptors for each in first), min(each.descriptors for each in last)],
    }
