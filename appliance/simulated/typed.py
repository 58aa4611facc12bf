"""Ears that hear typed lines: the whole service can be driven by text, turn by turn, at any pace."""

from __future__ import annotations

import time
from collections import deque
from threading import Lock

import numpy as np

from appliance import events as ev
from appliance.audio import FRAME, Frame, Stale, Utterance
from appliance.errors import DeviceMissing
from appliance.ports import Attention, Transcript

PATIENCE_S = 1.0
"""For a command that does not come."""
UNDERSTOOD_S = 10.0
"""Longest until a line that was said is understood, or is said again in the same turn."""


class QuietMicrophone:
    """A `Microphone` in a room where nobody speaks; it can be pulled out and put back while it is read."""

    def __init__(self, frame_s: float) -> None:
        """frame_s: real seconds a frame takes; 0.032 with a sound card."""
        self._frame_s, self.plugged_in = frame_s, True

    def open(self) -> None:
        """Raises DeviceMissing."""
        if not self.plugged_in:
            raise DeviceMissing("there is no microphone", remedy="plug one in")

    def read(self) -> Frame:
        """The faintest noise, for zeros would be taken for a broken microphone. Raises DeviceMissing."""
        self.open()
        time.sleep(self._frame_s)
        return Frame(np.arange(FRAME, dtype=np.int16) % 2, time.monotonic())

    def close(self) -> None: ...


class TypedEars:
    """`Ears` for which a typed line is an utterance, after the wake word where nobody is being listened to.

    It is said again where nothing came of it, as a person would: a press of the button at that moment voids it.
    """

    def __init__(self) -> None:
        self._lines, self._lock = deque[str](), Lock()
        self._attention, self._turn, self._ends_s = Attention.NONE, 0, 0.0
        self._said_in, self._said_s = 0, 0.0
        """Turn and time at which the first line was said last."""

    def type(self, line: str) -> None:
        """To be heard as soon as the service listens. For every thread."""
        self._lines.append(line)

    def understood(self, line: str) -> None:
        """The service has its words."""
        with self._lock:
            if self._lines and self._lines[0] == line:
                self._lines.popleft()

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        with self._lock:
            self._attention, self._turn = attention, turn
            self._ends_s = time.monotonic() + (PATIENCE_S if window_s is None else window_s)

    def begin_anew(self) -> None: ...

    def feed(self, frame: Frame) -> list[ev.Event]:
        """At most one event, then none until the service attends to something again; but in a call whatever is said."""
        with self._lock:
            if self._attention is Attention.TALK:
                return self._talk(frame.at_s)
            event = self._next(frame.at_s)
            if event:
                self._attention = Attention.NONE
        return [event] if event else []

    def _talk(self, now_s: float) -> list[ev.Event]:
        if now_s >= self._ends_s:
            self._attention = Attention.NONE
            return [ev.NothingHeard(self._turn)]
        if not self._lines:
            return []
        said = as_sound(self._lines.popleft())
        return [ev.TalkHeard(self._turn, said.samples), ev.UtteranceEnded(self._turn, said, now_s, now_s)]

    def _next(self, now_s: float) -> ev.Event | None:
        listens = self._attention in (Attention.COMMAND, Attention.FOLLOW_UP)
        if listens and self._lines:
            self._said_in, self._said_s = self._turn, now_s
            return ev.UtteranceEnded(self._turn, as_sound(self._lines[0]), now_s, now_s)
        if listens and now_s >= self._ends_s:
            return ev.NothingHeard(self._turn)
        waits = self._turn == self._said_in and now_s < self._said_s + UNDERSTOOD_S
        if self._lines and self._attention is not Attention.NONE and not listens and not waits:
            return ev.WakeHeard(word="typed", score=1.0, at_s=now_s)
        return None


class TypedWords:
    """A `Transcriber` of what `as_sound` made."""

    def __init__(self, ears: TypedEars) -> None:
        self._ears = ears
        self.names: tuple[str, ...] = ()
        """Those that were known last."""

    def transcribe(
        self, utterance: Utterance, stale: Stale, expected: str = "", names: tuple[str, ...] = ()
    ) -> Transcript:
        """Silence, with which the service warms it up, has no words."""
        self.names = names
        text = "".join(map(chr, utterance.samples)).strip("\0")
        self._ears.understood(text)
        return Transcript(text)


def as_sound(line: str) -> Utterance:
    """Each sample is the code of a letter: no letter beyond U+7FFF."""
    return Utterance(np.array([ord(letter) for letter in line], dtype=np.int16))
