"""What happened while the box was off: told until it could be heard."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from threading import Thread

from appliance.audio import never
from appliance.errors import ApplianceError
from appliance.ports import Voice
from appliance.states import State
from appliance.vitals import Vitals

log = logging.getLogger(__name__)

AGAIN_S = 60.0
"""Until the next attempt, while the speaker is not there: one on USB may come later than the box."""


class News:
    def __init__(self, voice: Voice, vitals: Vitals, sentences: Sequence[str], told: Callable[[], object]) -> None:
        """`told` is called once nothing is left to tell; it may raise ApplianceError."""
        self._voice, self._vitals, self._told = voice, vitals, told
        self._sentences = [sentence for sentence in sentences if sentence]
        self._next_s = float("inf")

    def tell(self) -> None:
        """Say it all, and wait until it is out."""
        mouth = self._voice.begin(never, lambda at_s: None)
        for sentence in self._sentences:
            mouth.say(f"{sentence}\n")
        mouth.finish()
        if self._vitals.dumb:
            self._next_s = time.monotonic() + AGAIN_S
            return
        try:
            self._told()
        except ApplianceError as error:
            log.error("this will be told again after a restart: %s", error)

    def each_round(self) -> None:
        """Try again, now and then, while nobody wants anything."""
        if self._vitals.state is State.IDLE and time.monotonic() >= self._next_s:
            self._next_s = float("inf")
            Thread(target=self.tell, name="news", daemon=True).start()
