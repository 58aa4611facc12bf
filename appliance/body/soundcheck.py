"""Implements SoundCheck on the real card."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from threading import Event, Thread

import numpy as np

from appliance.audio import FRAME_S, RATE_HZ, Frame, Samples, Speech, never, silence
from appliance.body import cards, mixer, portaudio
from appliance.body.chirp import chirp, find
from appliance.body.portaudio import ALSA_CARD
from appliance.body.soundcard import PyAudioMicrophone, PyAudioSpeaker
from appliance.body.volume import Volume
from appliance.errors import DeviceMissing
from appliance.ports.soundcheck import Card, Control, Device, Echo, Holder
from appliance.settings import Sound

SETTLE_S = 0.5
"""What many USB microphones give first is silence, or a click."""
TAIL_S = 1.0
"""Listened on after the chirp was played: no sound card and no server holds it for longer."""
LEAST_VOLUME = 60
"""Percent, of the chirp: a box that is set to whisper is no deaf one."""


class CardCheck:
    """Implements SoundCheck."""

    def __init__(self, sound: Sound, volume: Volume) -> None:
        self._sound, self._volume = sound, volume

    def devices(self) -> Sequence[Device]:
        return portaudio.devices()

    def cards(self) -> Sequence[Card]:
        return cards.read()

    def taken(self) -> tuple[Card | None, str]:
        found = cards.read()
        given = [card for card in found if card.id == os.environ.get(ALSA_CARD)]
        card, why = cards.preferred(found)
        return (given[0], f"as {ALSA_CARD} says") if given and given[0] != card else (card, why)

    def holders(self) -> Sequence[Holder]:
        return cards.holders()

    def controls(self) -> Sequence[Control]:
        card, _ = self.taken()
        return mixer.read(card.id if card else "")

    def record(self, seconds: float) -> Samples:
        microphone = PyAudioMicrophone(self._sound.microphone)
        microphone.open()
        try:
            frames = [microphone.read().samples for _ in range(round((SETTLE_S + seconds) / FRAME_S))]
        finally:
            microphone.close()
        return np.concatenate(frames)[round(SETTLE_S * RATE_HZ) :]

    def echo(self) -> Echo:
        with Recording(PyAudioMicrophone(self._sound.microphone)) as recording:
            speaker, starts = PyAudioSpeaker(self._sound.speaker, self._volume), list[float]()
            try:
                speaker.play([Speech(chirp(), RATE_HZ, LEAST_VOLUME)], never, starts.append)
                time.sleep(TAIL_S)
            finally:
                speaker.close()
        samples, begin_s = recording.heard()
        return find(samples, starts[0] - begin_s)


class Recording:
    """A context manager: what the microphone hears while it is open, on a thread of its own."""

    def __init__(self, microphone: PyAudioMicrophone) -> None:
        self._microphone, self._frames, self._enough = microphone, list[Frame](), Event()
        self._error: DeviceMissing | None = None
        self._thread = Thread(target=self._record, name="recording")

    def __enter__(self) -> Recording:
        """Raises DeviceMissing."""
        self._microphone.open()
        self._thread.start()
        time.sleep(SETTLE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        self._thread.join()
        self._microphone.close()

    def heard(self) -> tuple[Samples, float]:
        """Once it is closed: the sound, and the monotonic time of its first sample. Raises DeviceMissing."""
        if self._error:
            raise self._error
        samples = np.concatenate([silence(0), *(frame.samples for frame in self._frames)])
        return samples, self._frames[-1].at_s - len(samples) / RATE_HZ

    def _record(self) -> None:
        try:
            while not self._enough.is_set():
                self._frames.append(self._microphone.read())
        except DeviceMissing as error:
            self._error = error
