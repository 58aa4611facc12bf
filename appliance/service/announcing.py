"""An announcement: a chime and a text, aloud and at once, whatever the box is doing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Thread

from appliance import events as ev
from appliance.errors import CannotBeDone, logged
from appliance.ports import Mouth, Voice
from appliance.service.states import QUIET, State
from appliance.wording import said

log = logging.getLogger(__name__)


class Announcer:
    """Implements ports.Announce, with the voice of a running service. Safe to use from several threads."""

    def __init__(
        self, voice: Voice, post: Callable[[ev.Event], object], quiet: Callable[[], bool], language: str
    ) -> None:
        """quiet: whether nothing may be said that nobody asked for."""
        self._voice, self._post, self._quiet, self._language = voice, post, quiet, language
        self._stops = 0

    def __call__(self, text: str, anyway: bool = False) -> None:
        """See ports.Announce."""
        if self._quiet() and not anyway:
            raise CannotBeDone(said("quiet_hours", self._language), remedy="ask for it anyway, or later")
        before = self._stops
        self._post(ev.NewsBegan())  # the ears wait for "stop"
        self._voice.cue("announcement")
        mouth = self._voice.begin(lambda: self._stops != before, lambda at_s: None)
        mouth.say(f"{text}\n")
        Thread(target=self._finish, args=(mouth,), name="announcement", daemon=True).start()

    def watch(self, event: ev.Event, state: State) -> None:
        """The service's watcher: who stops it, or wants something of a box at rest, cuts it off."""
        calls = isinstance(event, ev.WakeHeard) and state in QUIET
        if calls or isinstance(event, (ev.ButtonPressed, ev.StopHeard)):
            self._stops += 1

    def _finish(self, mouth: Mouth) -> None:
        with logged(log, "an announcement"):
            mouth.finish()
        self._post(ev.NewsEnded())
