"""What a Home Assistant answers to one turn of its satellite: its events, in the words of ports/satellite.py."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from wyoming.event import Event

from appliance.errors import WrongUse
from appliance.hub import wyoming_wire as wire
from appliance.ports.satellite import FromHost, What

CODES: dict[str, What] = {"stt-no-text-recognized": "nothing", "duplicate_wake_up_detected": "elsewhere"}
"""Errors of Home Assistant (components/assist_pipeline/error.py) that are none to whoever spoke; all others failed."""

FIRST = ("transcribe", "error")
"""What a run begins with."""


class Run:
    """One run of a pipeline. Its events have no number: what comes before its own first one is of the run before."""

    def __init__(self, turn: int, say: Callable[[FromHost], None]) -> None:
        self.turn, self._say = turn, say
        self.whole = False
        """Its answer has come, or none will."""
        self._begun = self._speaks = False
        self._format: wire.Format | None = None
        self._rest = b""
        """Of a sample."""

    def take(self, event: Event) -> None:
        """Raises WrongUse."""
        self._begun = self._begun or event.type in FIRST
        if (take := TAKERS.get(event.type)) and self._begun and not self.whole:
            take(self, event)

    def _tell(self, what: What, text: str = "") -> None:
        self._say(FromHost(turn=self.turn, what=what, text=text))

    def _voice_stopped(self, event: Event) -> None:
        self._tell("heard")

    def _transcript(self, event: Event) -> None:
        self._tell("words", wire.read(wire.Transcript, event).text)

    def _synthesize(self, event: Event) -> None:
        self._speaks = True
        self._tell("answer", wire.read(wire.Synthesize, event).text)

    def _audio_start(self, event: Event) -> None:
        if self._speaks:  # else it is the end of an answer that nobody waits for any more
            self._format = wire.read(wire.Format, event)

    def _audio_chunk(self, event: Event) -> None:
        if self._format is None:
            return
        if self._format != wire.read(wire.Format, event):  # its timestamp is a fraction in Home Assistant
            raise WrongUse("a chunk has another format than the sound before it", remedy="begin with audio-start")
        data = self._rest + (event.payload or b"")
        whole = len(data) - len(data) % self._format.width
        self._rest = data[whole:]
        if whole:
            pcm = base64.b64encode(data[:whole]).decode()
            self._say(FromHost(turn=self.turn, what="sound", pcm=pcm, rate=self._format.rate))

    def _audio_stop(self, event: Event) -> None:
        if self._format:
            self.whole = True
            self._tell("end")

    def _error(self, event: Event) -> None:
        failed = wire.read(wire.Failed, event)
        self.whole = True
        self._tell(CODES.get(failed.code or "", "failed"), failed.text)


TAKERS: Mapping[str, Callable[[Run, Event], None]] = {
    "voice-stopped": Run._voice_stopped,
    "transcript": Run._transcript,
    "synthesize": Run._synthesize,
    "audio-start": Run._audio_start,
    "audio-chunk": Run._audio_chunk,
    "audio-stop": Run._audio_stop,
    "error": Run._error,
}
"""Event -> what it means for the turn."""
