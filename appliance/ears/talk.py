"""What is said in a call: given on piece by piece while it is said, and nothing of the quiet in between."""

from __future__ import annotations

import numpy as np

from appliance.audio import FRAME_S, Samples
from appliance.ears.utterance import CLICK_QUIET_S, CLICK_S, Heard, LeadIn, Stretch, frames_of
from appliance.events import Event, NothingHeard, TalkHeard, UtteranceEnded
from appliance.settings import Ears

PIECE_S = 0.256
"""Of sound that is given on at once: 8 frames. A judgement: shorter ones cost more messages, longer ones more delay."""
END_QUIET_S = 0.8
"""Quiet after which somebody has finished: between the two that a turn waits for (quiet_min_ms, quiet_max_ms), for here
no model is asked whether they have."""
ECHO_S = 0.2
"""For which nothing counts at first: what the box played still sounds in the room, and would go back to who said it.
A judgement: a room that is not bare has lost 20 dB by then."""


class AwaitTalk:
    """Waits for utterances, one after the other."""

    def __init__(self, turn: int, window_s: float, settings: Ears) -> None:
        """window_s: quiet after which it is told that nothing is said, once."""
        self._turn, self._window_s, self._settings = turn, window_s, settings
        self._lead_in = LeadIn([], False, settings)
        self._stretch: Stretch | None = None
        self._unsent: list[Samples] = []
        self._began = False
        """A piece of the utterance was given on."""
        self._quiet = 0
        """Frames since the last utterance."""
        self._echoes = frames_of(ECHO_S)
        """Frames for which nothing counts."""

    def hear(self, heard: Heard) -> list[Event]:
        if self._echoes:
            self._echoes -= 1
            return self._wait()
        if heard.speech and self._stretch is None:
            self._unsent = [each.frame.samples for each in self._lead_in.heard]
            self._stretch, self._began = Stretch(self._lead_in), False
        self._lead_in.add(heard)
        if self._stretch is None:
            return self._wait()
        self._unsent.append(heard.frame.samples)
        self._stretch.add(heard)
        return self._listen(self._stretch, heard)

    def _wait(self, frames: int = 1) -> list[Event]:
        """So many more were quiet."""
        before, self._quiet = self._quiet, self._quiet + frames
        return [NothingHeard(self._turn)] if before < frames_of(self._window_s) <= self._quiet else []

    def _listen(self, stretch: Stretch, heard: Heard) -> list[Event]:
        if stretch.speech_s < CLICK_S:
            if stretch.quiet_s >= CLICK_QUIET_S:
                self._stretch = None
                return self._wait(round(stretch.seconds / FRAME_S))
            return []
        over = stretch.quiet_s >= END_QUIET_S or stretch.seconds >= self._settings.utterance_max_s
        enough = not self._began or len(self._unsent) >= frames_of(PIECE_S)
        events: list[Event] = self._given() if over or enough else []
        if over:
            events.append(UtteranceEnded(self._turn, stretch.utterance(), stretch.ended_s, heard.frame.at_s))
            self._stretch, self._quiet = None, 0
            self._lead_in = LeadIn([], False, self._settings)
        return events

    def _given(self) -> list[Event]:
        piece, self._unsent, self._began = np.concatenate(self._unsent), [], True
        return [TalkHeard(self._turn, piece)]
