"""What happened while nobody could hear the box: told until somebody can."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from threading import Thread

from appliance.errors import ApplianceError
from appliance.ports import Voice
from appliance.states import QUIET, State
from appliance.vitals import Vitals

log = logging.getLogger(__name__)

AGAIN_S = 60.0
"""Until the next attempt, after one that was cut off or had no speaker: one on USB may come later than the box."""


class News:
    def __init__(
        self, voice: Voice, vitals: Vitals, sentences: Callable[[], Sequence[str]], told: Callable[[], object]
    ) -> None:
        """`sentences`: what is to be told now; `told` is called once it was, and may raise ApplianceError."""
        self._voice, self._vitals, self._sentences, self._told = voice, vitals, sentences, told
        self._next_s = 0.0

    def tell(self) -> None:
        """Say it all, and wait until it is out. Somebody who wants something, or a timer, cuts it off."""
        mouth = self._voice.begin(self._disturbs, lambda at_s: None)
        for sentence in filter(None, self._sentences()):
            mouth.say(f"{sentence}\n")
        mouth.finish()
        if self._vitals.dumb or self._disturbs():
            self._next_s = time.monotonic() + AGAIN_S
            return
        try:
            self._told()
        except ApplianceError as error:
            log.error("this will be told again after a restart: %s", error)
        self._next_s = time.monotonic()

    def each_round(self) -> None:
        """Tell what there is, now and then, while nobody wants anything."""
        if self._vitals.state in QUIET and time.monotonic() >= self._next_s and any(self._sentences()):
            self._next_s = float("inf")
            Thread(target=self.tell, name="news", daemon=True).start()

    def _disturbs(self) -> bool:
        return self._vitals.state not in (State.STARTING, *QUIET)
