"""From frames to what was said: where it starts, whether it is over, whether it was anything at all.

Time is counted in frames, so a recording fed faster than real time is heard just as a microphone is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from appliance.audio import FRAME_S, Frame, Samples, Utterance, silence
from appliance.events import Event, NothingHeard, Overheard, SpeechPaused, UtteranceEnded
from appliance.ports import TurnEndDetector
from appliance.settings import Ears

CLICK_S = 0.1
"""Less speech than this is a click; the shortest words last about 150 ms."""
CLICK_QUIET_S = 0.15
"""Quiet after which that is certain: a word's first sound may be followed by a stop of 100 ms."""
FORESEE_S = 0.06
"""Quiet after which the turn-end model is asked what it is to say later, with silence in the place of what is to come:
while nothing else works yet. Of 56 ends of spoken requests it judged 55 as it did 400 ms after them (2026-11-23)."""
WAKE_TAIL_S = 0.15
"""Speech that ends this soon after the wake event is the wake word's end (up to 96 ms over 21 voices and speeds)."""
CALL_PAUSE_S = 1.0
"""Quiet after the wake word with which it still counts as the beginning of what is said."""
ASK_AGAIN_S = 0.2
"""Quiet between two questions to the turn-end model."""
OVERHEARD_QUIET_S = 0.3
OVERHEARD_MIN_S = 0.15


@dataclass(frozen=True)
class _Question:
    """To the turn-end model."""

    answer: Callable[[], float]
    due: int
    """Frames of quiet after which it counts."""


@dataclass(frozen=True)
class Heard:
    frame: Frame
    speech: bool


class Watch(Protocol):
    """One stay in one attention."""

    def hear(self, heard: Heard) -> list[Event]: ...


class Idle:
    """Waits for nothing but the wake word."""

    def hear(self, heard: Heard) -> list[Event]:
        return []


class LeadIn:
    """What came before speech: from the wake word on, while that was just now; else the last of it."""

    def __init__(self, heard: Sequence[Heard], called: bool, settings: Ears) -> None:
        """`called`: it begins with the wake word."""
        self.heard, self.called = list(heard), called
        self._usual = frames_of(settings.lead_in_ms / 1_000)
        self._most = len(heard) + frames_of(CALL_PAUSE_S) if called else self._usual

    def add(self, heard: Heard) -> None:
        self.heard.append(heard)
        if len(self.heard) > self._most:  # never with a part of the wake word
            self.called, self._most = False, min(self._usual, frames_of(CALL_PAUSE_S))
            del self.heard[: len(self.heard) - self._most]


class Stretch:
    """Sound from a lead-in to now, with speech in it."""

    def __init__(self, lead_in: LeadIn) -> None:
        self._frames = [heard.frame.samples for heard in lead_in.heard]
        self._lead_in, self._called = len(lead_in.heard), lead_in.called
        self._speech = 0
        self.quiet = 0
        """Frames since the last speech."""
        self.ended_s = 0.0
        """Monotonic time of the last sample that was speech."""

    def add(self, heard: Heard) -> None:
        self._frames.append(heard.frame.samples)
        if heard.speech:
            self._speech += 1
            self.quiet = 0
            self.ended_s = heard.frame.at_s
        else:
            self.quiet += 1

    @property
    def seconds(self) -> float:
        """Without the lead-in."""
        return (len(self._frames) - self._lead_in) * FRAME_S

    @property
    def speech_s(self) -> float:
        """The frames that were speech, added up."""
        return self._speech * FRAME_S

    @property
    def span_s(self) -> float:
        """From the first speech to the last, pauses included."""
        return (len(self._frames) - self._lead_in - self.quiet) * FRAME_S

    @property
    def quiet_s(self) -> float:
        return self.quiet * FRAME_S

    def samples(self) -> Samples:
        return np.concatenate(self._frames)

    def utterance(self) -> Utterance:
        return Utterance(self.samples(), self._called)


class AwaitUtterance:
    """Waits for one utterance and its end, or for nothing to be said."""

    def __init__(
        self,
        turn: int,
        window_s: float,
        lead_in: LeadIn,
        turn_end: TurnEndDetector,
        settings: Ears,
    ) -> None:
        """`lead_in`: what came before. After a wake word, speech that ends at once is the end of that."""
        self._turn = turn
        self._window_s = window_s
        self._lead_in = lead_in
        self._tail_s = WAKE_TAIL_S if lead_in.called else 0.0
        self._turn_end = turn_end
        self._settings = settings
        self._frames = 0
        self._stretch: Stretch | None = None
        self._ended_s = 0.0
        """Seconds of this watch up to the last speech."""
        self._paused: Utterance | None = None
        self._question: _Question | None = None
        self._over = False

    def hear(self, heard: Heard) -> list[Event]:
        if self._over:
            return []
        if self._stretch is None and self._frames * FRAME_S >= self._window_s:  # a window of 0 s takes nothing
            return self._wait()
        self._frames += 1
        if heard.speech:
            self._ended_s = self._frames * FRAME_S
            self._paused = self._question = None
            self._stretch = self._stretch or Stretch(self._lead_in)
        self._lead_in.add(heard)
        if self._stretch is None:
            return self._wait()
        self._stretch.add(heard)
        return self._listen(self._stretch, heard)

    def _wait(self) -> list[Event]:
        if self._frames * FRAME_S < self._window_s:
            return []
        self._over = True
        return [NothingHeard(self._turn)]

    def _listen(self, stretch: Stretch, heard: Heard) -> list[Event]:
        if stretch.seconds >= self._settings.utterance_max_s:
            return [self._ended(stretch, heard)]
        if stretch.quiet_s < FORESEE_S:
            return []
        if stretch.speech_s < CLICK_S or self._ended_s <= self._tail_s:
            return self._drop(stretch)
        finished, events = self._finished(stretch), list[Event]()
        if self._paused is None and stretch.quiet_s >= self._settings.quiet_min_ms / 1_000:
            self._paused = stretch.utterance()
            events.append(SpeechPaused(self._turn, self._paused))
        if finished or stretch.quiet_s >= self._settings.quiet_max_ms / 1_000:
            events.append(self._ended(stretch, heard))
        return events

    def _drop(self, stretch: Stretch) -> list[Event]:
        if stretch.quiet_s < CLICK_QUIET_S:
            return []
        self._stretch = None
        return self._wait()

    def _finished(self, stretch: Stretch) -> bool:
        question = self._question = self._question or self._ask(stretch)
        if question is None or stretch.quiet < question.due:
            return False
        if question.answer() >= self._settings.turn_end_threshold:
            return True
        self._question = self._ask(stretch)
        return False

    def _ask(self, stretch: Stretch) -> _Question | None:
        """What the model will have to say when the quiet has lasted long enough, or 200 ms longer.

        None where the turn is over by then whatever it says.
        """
        first = frames_of(self._settings.turn_end_quiet_ms / 1_000)
        due = first if stretch.quiet < first else stretch.quiet + frames_of(ASK_AGAIN_S)
        if due > frames_of(self._settings.quiet_max_ms / 1_000):
            return None
        to_come = silence((due - stretch.quiet) * FRAME_S)
        return _Question(self._turn_end.ask(np.concatenate([stretch.samples(), to_come])), due)

    def _ended(self, stretch: Stretch, heard: Heard) -> UtteranceEnded:
        """Holds the very utterance of the pause before it: a transcript made ahead stays valid."""
        self._over = True
        return UtteranceEnded(self._turn, self._paused or stretch.utterance(), stretch.ended_s, heard.frame.at_s)


class AwaitOverheard:
    """Picks out what is short enough to be "stop"."""

    def __init__(self, turn: int, settings: Ears) -> None:
        self._turn = turn
        self._settings = settings
        self._lead_in = LeadIn([], False, settings)
        self._stretch: Stretch | None = None

    def hear(self, heard: Heard) -> list[Event]:
        if heard.speech:
            self._stretch = self._stretch or Stretch(self._lead_in)
        self._lead_in.add(heard)
        stretch = self._stretch
        if stretch is None:
            return []
        stretch.add(heard)
        if stretch.quiet_s < OVERHEARD_QUIET_S:
            return []
        self._stretch = None
        if stretch.speech_s < OVERHEARD_MIN_S or stretch.span_s > self._settings.overheard_max_s:
            return []
        return [Overheard(self._turn, stretch.utterance())]


def frames_of(seconds: float) -> int:
    """Whole frames that cover `seconds`."""
    return math.ceil(seconds / FRAME_S)
