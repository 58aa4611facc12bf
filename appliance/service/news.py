"""What happened while nobody could hear the box: told until somebody can."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from threading import Thread

from appliance import events as ev
from appliance.errors import ApplianceError
from appliance.ports import Voice
from appliance.service.states import QUIET, State
from appliance.service.vitals import Vitals

log = logging.getLogger(__name__)

AGAIN_S = 60.0
"""Until the next attempt, after one that was cut off, broke or had no speaker: one on USB may come after the box."""

PRESENCE = (ev.WakeHeard, ev.ButtonPressed, ev.StopHeard)
"""What only somebody in the room does."""


class Once:
    """Sentences that are each told once."""

    def __init__(self, *sources: Callable[[], str | None]) -> None:
        """Each gives its sentence; empty where there is none, None as long as that is not known."""
        self._left, self._due = list(sources), list[Callable[[], str | None]]()

    def sentences(self) -> list[str]:
        found = [(source, source()) for source in self._left]
        self._left = [source for source, sentence in found if sentence != ""]
        self._due = [source for source, sentence in found if sentence]
        return [sentence for _, sentence in found if sentence]

    def told(self) -> None:
        """Those that were given last were heard."""
        self._left = [source for source in self._left if source not in self._due]


class News:
    def __init__(
        self,
        voice: Voice,
        vitals: Vitals,
        sentences: Callable[[], Sequence[str]],
        told: Callable[[], object],
        post: Callable[[ev.Event], object],
        quiet: Callable[[], bool] = lambda: False,
    ) -> None:
        """`sentences`: what is to be told now; `told` is called once it was, and may raise ApplianceError.

        quiet: whether nothing may be said that nobody asked for.
        """
        self._voice, self._vitals, self._sentences, self._told = voice, vitals, sentences, told
        self._post, self._quiet = post, quiet
        self._next_s = 0.0
        self._stopped = False
        self.somebody_came = False
        """Since the start, and since a timer last rang in vain: until then there may be nobody to tell."""

    def tell(self) -> None:
        """Say it all, and wait until it is out. Somebody who wants something, or a timer, cuts it off."""
        pause_s, self._stopped = AGAIN_S, False
        try:
            if self._say():
                self._strike_off()
                pause_s = 0
        finally:  # whatever broke, the next news are told
            self._next_s = time.monotonic() + pause_s

    def each_round(self) -> None:
        """Tell what there is, now and then, while nobody wants anything."""
        if self._may_tell() and any(self._sentences()):
            self._next_s = float("inf")
            Thread(target=self._tell_who_may_stop_it, name="news", daemon=True).start()

    def _may_tell(self) -> bool:
        return self._vitals.state in QUIET and time.monotonic() >= self._next_s and not self._quiet()

    def watch(self, event: ev.Event, state: State) -> None:
        """The service's watcher. Whoever stops it has heard enough: that counts as told."""
        stops = isinstance(event, ev.ButtonPressed) or (state in QUIET and isinstance(event, ev.StopHeard))
        self._stopped = self._stopped or stops
        if isinstance(event, ev.RingEnded):
            self.somebody_came = False
        elif isinstance(event, PRESENCE):
            self.somebody_came = True

    def _tell_who_may_stop_it(self) -> None:
        self._post(ev.NewsBegan())
        try:
            self.tell()
        finally:
            self._post(ev.NewsEnded())

    def _say(self) -> bool:
        """Whether it could be heard to its end, or to where it was stopped."""
        mouth = self._voice.begin(lambda: self._stopped or self._disturbs(), lambda at_s: None)
        for sentence in filter(None, self._sentences()):
            mouth.say(f"{sentence}\n")
        mouth.finish()
        return self._stopped or not (self._vitals.dumb or self._disturbs())

    def _strike_off(self) -> None:
        try:
            self._told()
        except ApplianceError as error:
            log.error("this will be told again after a restart: %s", error)

    def _disturbs(self) -> bool:
        return self._vitals.state not in (State.STARTING, *QUIET)
