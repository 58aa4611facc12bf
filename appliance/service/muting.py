"""The microphone that its owner has closed: at once, and kept so over restarts."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event as Flag

from appliance.errors import ApplianceError
from appliance.ports import ValueStore
from appliance.service.capture import Capture

log = logging.getLogger(__name__)

MUTED = "muted"
"""The kept value that says so; empty when it is not."""


class Muting:
    def __init__(self, capture: Capture, kept: ValueStore, failed: Callable[[ApplianceError], None]) -> None:
        """failed: told why it could not be kept."""
        self._capture, self._kept, self._failed = capture, kept, failed
        self._settled = Flag()
        """Set while the box is muted, or will start so, and that was kept as well as it could be."""
        self._trouble: ApplianceError | None = None
        """Why it was not."""

    @property
    def kept(self) -> bool:
        """Whether the box starts with a closed microphone."""
        return bool(self._kept.get(MUTED))

    def close(self) -> None:
        """The microphone first: a full disk keeps nobody's microphone open."""
        self._capture.close()
        self.keep(True)

    def open(self) -> None:
        self.keep(False)
        self._capture.open()

    def await_closed(self, within_s: float) -> bool:
        """Whether the microphone is closed by then, over restarts too. Raises what has kept it from being kept."""
        ends_s = time.monotonic() + within_s
        if not self._settled.wait(within_s) or not self._capture.await_closed(max(0.0, ends_s - time.monotonic())):
            return False
        if self._trouble:
            raise self._trouble
        return True

    def toggle(self) -> None:
        """What is kept, and nothing else."""
        self.keep(not self.kept)

    def keep(self, muted: bool) -> None:
        self._settled.clear()
        self._trouble = None
        try:
            self._kept.set(MUTED, "yes" if muted else "")
        except ApplianceError as error:
            log.error("%s", error)
            self._trouble = error
            self._failed(error)
        if muted:
            self._settled.set()
