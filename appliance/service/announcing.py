"""An announcement: a chime and a text, aloud and at once, whatever the box is doing; behind a call with another box,
which would hear it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock, Thread

from appliance import events as ev
from appliance.audio import Stale
from appliance.errors import CannotBeDone, logged
from appliance.ports import Announce, Mouth, Voice
from appliance.ports.refusals import Refused
from appliance.service.states import IN_CALL, QUIET, State
from appliance.wording import said

log = logging.getLogger(__name__)

MOST_WAITING = 4
"""Texts that wait for a conversation or a call to end. A judgement: more are no announcement."""


class Announcer:
    """Implements ports.Announce, with the voice of a running service. Safe to use from several threads."""

    def __init__(
        self, voice: Voice, post: Callable[[ev.Event], object], quiet: Callable[[], bool], language: str
    ) -> None:
        """quiet: whether nothing may be said that nobody asked for."""
        self._voice, self._post, self._quiet, self._language = voice, post, quiet, language
        self._stops = 0
        self._lock, self._in_call, self._waiting = Lock(), False, list[str]()

    def __call__(self, text: str, anyway: bool = False) -> None:
        """See ports.Announce."""
        if self._quiet() and not anyway:
            raise CannotBeDone(said("quiet_hours", self._language), remedy="ask for it anyway, or later")
        with self._lock:
            if self._in_call:
                if len(self._waiting) >= MOST_WAITING:
                    raise _in_a_call()
                self._waiting.append(text)
                return
        self._start(text)

    def aloud(self, text: str) -> bool:
        """In quiet hours too. Waits until it was said: whether it was, and nobody stopped it. Raises Refused."""
        if self._in_call:
            raise _in_a_call()
        mouth, stopped = self._begin(text)
        self._finish(mouth)
        return not stopped()

    def _start(self, text: str) -> None:
        mouth, _ = self._begin(text)
        Thread(target=self._finish, args=(mouth,), name="announcement", daemon=True).start()

    def _begin(self, text: str) -> tuple[Mouth, Stale]:
        """With whether it was stopped."""
        before = self._stops

        def stopped() -> bool:
            return self._stops != before

        self._post(ev.NewsBegan())  # the ears wait for "stop"
        self._voice.cue("announcement")
        mouth = self._voice.begin(stopped, lambda at_s: None)
        mouth.say(f"{text}\n")
        return mouth, stopped

    def watch(self, event: ev.Event, state: State) -> None:
        """The service's watcher: who stops it, or wants something of a box at rest, cuts it off."""
        calls = isinstance(event, ev.WakeHeard) and state in QUIET
        if calls or isinstance(event, (ev.ButtonPressed, ev.StopHeard)):
            self._stops += 1
        waiting = list[str]()
        with self._lock:
            if state in IN_CALL:
                self._in_call = True
            elif state in QUIET:  # behind a wake word the call goes on
                self._in_call = False
                waiting, self._waiting = self._waiting, waiting
        for text in waiting:
            self._start(text)

    def _finish(self, mouth: Mouth) -> None:
        with logged(log, "an announcement"):
            mouth.finish()
        self._post(ev.NewsEnded())


def _in_a_call() -> Refused:
    return Refused("busy", "the box is in a call", remedy="try again once it is over")


class FromOthers:
    """What other boxes have this one say: at once where nobody is served, else when that is over."""

    def __init__(
        self, announce: Announce, state: Callable[[], State], cannot: Callable[[bool], str], language: str
    ) -> None:
        """cannot: why it may not be said, as a code of ANSWERS (bridge/boxes_questions.py), given whether quiet hours
        do not count; empty where it may."""
        self._announce, self._state, self._cannot, self._language = announce, state, cannot, language
        self._lock, self._waiting = Lock(), list[str]()

    def __call__(self, box: str, text: str, anyway: bool = False) -> str:
        """What comes of it, as a code of ANSWERS.  box: where it was said."""
        if why := self._cannot(anyway):
            return why
        text = said("from_box", self._language).format(box=box[:1].upper() + box[1:], text=text)
        if self._state() in QUIET:
            return "said" if self._say(text) else "not_now"
        if self._state() is State.STARTING:
            return "not_now"
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                return "not_now"
            self._waiting.append(text)
        return "later"

    def each_round(self) -> None:
        """In each round of the service."""
        with self._lock:
            waiting = self._waiting.pop(0) if self._waiting and self._state() in QUIET else ""
        if waiting:
            self._say(waiting)

    def _say(self, text: str) -> bool:
        """Whether it is being said."""
        try:
            self._announce(text, True)
        except CannotBeDone as error:
            log.warning("what another box announced is not said: %s", error)
            return False
        return True
