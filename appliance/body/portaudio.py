"""PortAudio as this box uses it: the devices there are, and one open stream on one of them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from threading import Event, Lock
from typing import Any

import pyaudio

from appliance.body import cards
from appliance.errors import DeviceMissing
from appliance.ports.soundcheck import Device

ALSA_CARD = "ALSA_CARD"
"""ALSA's own variable (alsa.conf): the card that its `default` is."""
COMMON_RATES_HZ = (48_000, 44_100)
"""Tried when a device takes neither the rate asked for nor the one it claims as its own."""

missed = Event()
"""A device was not found. PortAudio looks what there is only while nothing is open, so the microphone makes way."""
_portaudio = Lock()
"""PortAudio's opening and closing is not made for threads."""


@dataclass(frozen=True)
class SoundDevice(Device):
    rate_hz: int
    """The one it claims as its own."""


def devices() -> list[SoundDevice]:
    """Every sound device there is now."""
    with _session() as audio:
        return [device for device, _ in _listed(audio)]


class Line:
    """One open stream: mono int16, at the first of `rates` that the device takes, or its own."""

    def __init__(self, wanted: str, direction: str, rates: tuple[int, ...], period_s: float) -> None:
        """Raises DeviceMissing."""
        self._direction, self._wanted = direction, wanted
        self.name = ""
        """Of the device."""
        self._audio = _start()
        try:
            self._stream, self.rate_hz = self._open(rates, period_s)
        except DeviceMissing:
            self._stream = None
            self.close()
            raise

    def read(self, count: int) -> bytes:
        with self._guard():
            return bytes(self._stream.read(count, exception_on_overflow=False))

    def waiting(self) -> int:
        """Samples captured and not yet read."""
        with self._guard():
            return int(self._stream.get_read_available())

    def room(self) -> int:
        """Samples that can be written without waiting."""
        with self._guard():
            return int(self._stream.get_write_available())

    def write(self, data: bytes) -> None:
        with self._guard():
            self._stream.write(data)

    def start(self) -> None:
        with self._guard():
            if self._stream.is_stopped():
                self._stream.start_stream()

    def stop(self) -> None:
        """What is still in the buffer is dropped."""
        with self._guard():
            self._stream.stop_stream()

    def close(self) -> None:
        with _portaudio:
            if self._stream:
                with suppress(OSError):  # it has vanished: closing it is all that is left to do
                    self._stream.close()
            self._audio.terminate()

    def _open(self, rates: tuple[int, ...], period_s: float) -> tuple[Any, int]:
        device, index = self._find()
        refusals = dict[int, str]()
        for rate_hz in dict.fromkeys((*rates, device.rate_hz, *COMMON_RATES_HZ)):
            try:
                with _portaudio:
                    stream = self._audio.open(
                        rate_hz,
                        1,
                        pyaudio.paInt16,
                        frames_per_buffer=round(period_s * rate_hz),
                        **{self._direction: True, f"{self._direction}_device_index": index},
                    )
                self.name = device.name
                return stream, rate_hz
            except (OSError, ValueError) as error:
                refusals[rate_hz] = str(error)
        raise self._missing(f"cannot be opened ({next(iter(refusals.values()))})")

    def _find(self) -> tuple[SoundDevice, int]:
        fitting = [(device, index) for device, index in _listed(self._audio) if self._fits(device)]
        if not fitting:
            missed.set()
            raise self._missing("is not there")
        if self._wanted:
            return fitting[0]
        try:
            info = getattr(self._audio, f"get_default_{self._direction}_device_info")()
        except OSError:
            return fitting[0]
        return _device(info), int(info["index"])

    def _fits(self, device: SoundDevice) -> bool:
        usable = device.records if self._direction == "input" else device.plays
        return usable and self._wanted.casefold() in device.name.casefold()

    def _missing(self, what: str) -> DeviceMissing:
        part = "microphone" if self._direction == "input" else "speaker"
        named = f"the {part} {self._wanted!r}" if self._wanted else f"the {part}"
        usable = [d.name for d, _ in _listed(self._audio) if (d.records if part == "microphone" else d.plays)]
        there = f"set sound.{part} to one of: {', '.join(usable)}" if usable else "there is no device: plug one in"
        return DeviceMissing(f"{named} {what}", remedy=there)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._missing(f"has vanished ({error})") from None


def _listed(audio: pyaudio.PyAudio) -> Iterator[tuple[SoundDevice, int]]:
    for index in range(audio.get_device_count()):
        yield _device(audio.get_device_info_by_index(index)), index


def _device(info: Any) -> SoundDevice:
    return SoundDevice(
        str(info["name"]),
        records=int(info["maxInputChannels"]) > 0,
        plays=int(info["maxOutputChannels"]) > 0,
        rate_hz=round(info["defaultSampleRate"]),
    )


@contextmanager
def _session() -> Iterator[pyaudio.PyAudio]:
    audio = _start()
    try:
        yield audio
    finally:
        with _portaudio:
            audio.terminate()


@dataclass
class CardChoice:
    """Tells ALSA which card its `default` is: else that is card 0, on a Raspberry Pi the socket of a screen.

    A sound server goes before it, and so does an owner who has set ALSA_CARD.
    """

    told: str = ""
    """The card's id; empty is none."""

    def update(self) -> None:
        """The environment is written only when another card is taken: C code of other threads may be reading it."""
        if os.environ.get(ALSA_CARD, "") != self.told:
            return
        card, _ = cards.preferred(cards.read())
        chosen = card.id if card else ""
        if chosen == self.told:
            return
        if chosen:
            os.environ[ALSA_CARD] = chosen
        else:
            del os.environ[ALSA_CARD]
        self.told = chosen


_card_choice = CardChoice()


def _start() -> pyaudio.PyAudio:
    with _portaudio:
        _hush()
        _card_choice.update()
        return pyaudio.PyAudio()


_Told = ctypes.CFUNCTYPE(None)
_nothing = _Told(lambda: None)
"""Takes no arguments, whatever it is called with: harmless in C where the caller clears the stack, as on Linux."""
_LOUD = {
    "libasound.so.2": ("snd_lib_error_set_handler",),
    "libjack.so.0": ("jack_set_error_function", "jack_set_info_function"),
}


@cache
def _hush() -> None:
    """The libraries below PortAudio write dozens of lines to stderr about devices that nobody asked for."""
    for library, setters in _LOUD.items():
        with suppress(OSError):  # not installed: then it is silent
            loaded = ctypes.CDLL(library)
            for setter in setters:
                getattr(loaded, setter)(_nothing)
