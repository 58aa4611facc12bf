"""Private mode: a kept value, so that a restart does not end it."""

from __future__ import annotations

import logging
from datetime import datetime

from appliance.errors import StoreUnusable
from appliance.ports import Clock, ValueStore

log = logging.getLogger(__name__)

KEY, ALWAYS = "private", "on"
"""The kept value: empty is off, ALWAYS is on until it is ended, and else it is the ISO 8601 time at which it ends."""


class KeptPrivateMode:
    """Implements ports.PrivateMode. Read once; this process is the only one that writes it."""

    def __init__(self, values: ValueStore, clock: Clock) -> None:
        self._values, self._clock = values, clock
        self._read: str | None = None

    @property
    def on(self) -> bool:
        try:
            kept = self._kept
        except StoreUnusable as error:
            log.error("nothing is kept, for it is not known whether private mode is on: %s", error)
            return True
        return bool(kept) and not self._is_over(kept)

    @property
    def until(self) -> datetime | None:
        kept = self._kept
        return datetime.fromisoformat(kept) if kept not in ("", ALWAYS) and not self._is_over(kept) else None

    @property
    def ran_out(self) -> bool:
        return self._is_over(self._kept)

    def begin(self, until: datetime | None = None) -> None:
        self._set(until.isoformat() if until else ALWAYS)

    def end(self) -> None:
        self._set("")

    @property
    def _kept(self) -> str:
        if self._read is None:
            self._read = self._values.get(KEY) or ""
        return self._read

    def _set(self, kept: str) -> None:
        self._values.set(KEY, kept)
        self._read = kept

    def _is_over(self, kept: str) -> bool:
        return kept not in ("", ALWAYS) and self._clock.now() >= datetime.fromisoformat(kept)
