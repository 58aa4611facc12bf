"""What a look at one part comes to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Check:
    part: str
    fine: bool
    found: str
    remedy: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
