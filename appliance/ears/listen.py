"""The ears: frames in, events out. No thread, no clock, no device.

`feed` belongs to the thread that reads the microphone; `attend` may be called from any other.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from appliance.audio import Frame
from appliance.ears.absent import NoWake
from appliance.ears.calling import Calling
from appliance.ears.loudness import over_quiet_db
from appliance.ears.stopping import Stopping
from appliance.ears.talk import AwaitTalk
from appliance.ears.utterance import AwaitOverheard, AwaitUtterance, Heard, Idle, LeadIn, Watch, frames_of
from appliance.events import Event, StopSounded, WakeHeard, WakeMissed
from appliance.ports import Attention, SpeechDetector, TurnEndDetector, WakeDetector
from appliance.settings import Ears

RECENT_S = 2.0
"""Sound kept from a wake event on, for a command whose `attend` comes late."""
CALL_S = 1.3
"""Sound kept from before a wake event, for the whole wake word: that lasts 0.6 to 1 s and ended 30 to 230 ms ago."""
_LONG_AGO = 1_000_000
"""Frames: more than any window here."""


@dataclass(frozen=True, eq=False)
class _Request:
    attention: Attention
    turn: int
    window_s: float | None


class Listener:
    def __init__(
        self,
        wake: WakeDetector,
        speech: SpeechDetector,
        turn_end: TurnEndDetector,
        settings: Ears,
        stop: WakeDetector | None = None,
    ) -> None:
        """stop: hears "stop", which alone may be said while the box is busy; without one that is only transcribed."""
        self._calling, self._stopping = Calling(wake, settings), Stopping(stop or NoWake())
        self._speech = speech
        self._turn_end = turn_end
        self._settings = settings
        self._asked = self._request = _Request(Attention.NONE, 0, None)
        self._watch: Watch = Idle()
        self._recent: deque[Heard] = deque(maxlen=frames_of(CALL_S + RECENT_S))
        self._since_wake = _LONG_AGO

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        """Listen for this from the next frame on; events carry `turn`.

        window_s: how long to wait for speech to start; by default the settings' for COMMAND and FOLLOW_UP.
        """
        self._asked = _Request(attention, turn, window_s)  # one assignment: `feed` sees the old request or the new

    def begin_anew(self) -> None:
        """See Ears."""
        self._calling.reset()
        self._stopping.reset()
        self._speech.reset()
        self._recent.clear()
        self._since_wake = _LONG_AGO
        if self._request.attention not in (Attention.COMMAND, Attention.FOLLOW_UP):  # a lost microphone ends those
            self._turn_to(self._request)

    def feed(self, frame: Frame) -> list[Event]:
        events = self._turn_to(self._asked) if self._asked is not self._request else []
        if self._request.attention is Attention.NONE:
            return events
        heard = Heard(frame, self._speech.probability(frame.samples) >= self._settings.speech_threshold)
        events += self._watch.hear(heard)
        self._recent.append(heard)
        if self._request.attention is Attention.OVERHEAR:
            events += self._listen_for_stop(frame)
        return events + self._listen_for_wake_word(frame)

    def _turn_to(self, request: _Request) -> list[Event]:
        self._request = request
        match request.attention:
            case Attention.COMMAND:
                return self._await_command(request)
            case Attention.FOLLOW_UP:  # no lead-in: what came before was the box's own voice
                self._watch = self._await_utterance(request, self._settings.follow_up_s, [], called=False)
            case Attention.OVERHEAR:
                self._stopping.reset()
                self._watch = AwaitOverheard(request.turn, self._settings)
            case Attention.TALK:
                self._watch = AwaitTalk(request.turn, request.window_s or 0, self._settings)
            case _:
                self._watch = Idle()
        return []

    def _await_command(self, request: _Request) -> list[Event]:
        """A command starts at its wake event: what was heard since then is heard again, as part of it.

        The event comes 30 to 230 ms after the word's end (21 voices and speeds; one at 460), so a question asked in
        the same breath has begun by then. The wake word goes with it, whole: whisper then knows the voice.
        """
        recent = list(self._recent)
        called = self._since_wake <= frames_of(RECENT_S)
        start = len(recent) - self._since_wake if called else len(recent)
        before_s = CALL_S if called else self._settings.lead_in_ms / 1_000
        lead_in = recent[max(0, start - frames_of(before_s)) : start]
        self._watch = self._await_utterance(request, self._settings.start_timeout_s, lead_in, called)
        self._since_wake = _LONG_AGO
        return [event for heard in recent[start:] for event in self._watch.hear(heard)]

    def _await_utterance(self, request: _Request, window_s: float, before: list[Heard], called: bool) -> AwaitUtterance:
        window_s = window_s if request.window_s is None else request.window_s
        lead_in = LeadIn(before, called, self._settings)
        return AwaitUtterance(request.turn, window_s, lead_in, self._turn_end, self._settings)

    def _listen_for_stop(self, frame: Frame) -> list[Event]:
        sure = self._stopping.hear(frame.samples)
        return [] if sure is None else [StopSounded(self._request.turn, sure)]

    def _listen_for_wake_word(self, frame: Frame) -> list[Event]:
        self._since_wake += 1
        called = self._calling.hear(frame.samples)
        if called is None:
            return [WakeMissed(0, *self._calling.missed)] if self._calling.missed else []
        word, score = called
        self._since_wake = 0
        turn = 0 if self._request.attention is Attention.WAKE else self._request.turn
        return [WakeHeard(turn, word, score, frame.at_s, self._level_db())]

    def _level_db(self) -> float:
        recent = np.array([heard.frame.samples for heard in self._recent])
        return over_quiet_db(recent, frames_of(CALL_S))
